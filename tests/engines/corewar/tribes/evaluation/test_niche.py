"""Niches: ways of life that differ have different ones."""

from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar import load_file
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.niche import LEVELS, niche
from engines.corewar.tribes.opponents import read_opponents
from tools.evolve.tribes import read

RULES = Rules()
WAITER = load_file.loads("JMP.B $0, $0", RULES)


def of(warrior: Warrior) -> int:
    return niche(warrior, Mars(RULES, [warrior]), 4096)


def test_each_way_of_life_has_its_own() -> None:
    niches = {genome.name: of(genome.express()) for genome in read_opponents("own", TribesConfig(), read)}
    assert len(set(niches.values())) >= 4
    assert all(0 <= each < LEVELS * LEVELS for each in niches.values())
    assert of(WAITER) == 0


def test_it_does_not_hang_on_values_that_nobody_uses() -> None:
    assert of(WAITER) == of(load_file.loads("JMP.B $0, $77", RULES))
