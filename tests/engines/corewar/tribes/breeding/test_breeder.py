"""Breeding: the chances of copies, mutants and crossovers; viability; what recurs in a tribe."""

from collections import Counter

import pytest

from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.breeding.breeder import Breeder
from engines.corewar.tribes.breeding.protection import occurring, protected, recurring
from engines.corewar.tribes.breeding.soup import Soup
from engines.corewar.tribes.breeding.viability import is_viable
from engines.corewar.tribes.config import TribesConfig

CONFIG = TribesConfig()
SOUP = Soup.of(CONFIG)


def test_ninety_copies_of_which_six_tenths_mutate() -> None:
    rng = Random(1)
    tribe = [SOUP.cells(30, rng), SOUP.cells(50, rng)]
    breeder = Breeder.of(CONFIG, CONFIG.crossover, frozenset())
    origins: Counter[str] = Counter()
    for _ in range(4000):
        child = breeder.offspring(tribe, rng)
        origins[child.origin.split()[0]] += 1
        if child.origin == "copy":
            assert child.genes == tribe[child.parents[0]]
        if "crossover" in child.origin:
            assert sorted(child.parents) == [0, 1]
    assert origins["copy"] / 4000 == pytest.approx(0.36, abs=0.03)
    assert origins["mutation"] / 4000 == pytest.approx(0.54, abs=0.03)
    assert origins["single"] / 4000 == pytest.approx(0.1, abs=0.02)


def test_a_lonely_parent_does_not_cross() -> None:
    breeder = Breeder.of(CONFIG, 1.0, frozenset())
    child = breeder.offspring([SOUP.cells(5, Random(1))], Random(2))
    assert child.parents == (0,)


@pytest.mark.parametrize(
    ("text", "cycles", "viable"),
    [
        ("JMP.B $0, $0", 4096, True),
        ("MOV.I $0, $1", 4096, True),
        ("DAT.F #0, #0", 1, False),
        ("NOP.B $0, $0", 1, True),
        ("NOP.B $0, $0", 2, False),
        ("SPL.B $2, $0\nJMP.B $0, $0\nDAT.F #0, #0", 4096, True),
    ],
)
def test_viability(text: str, cycles: int, viable: bool) -> None:
    rules = Rules()
    mars = Mars(rules, [Warrior("", "", (), 0)])
    assert is_viable(load_file.loads(text, rules), mars, cycles) is viable


def test_what_most_have_is_protected() -> None:
    rng = Random(3)
    motif = SOUP.cells(3, rng)
    tribe = [SOUP.cells(4, rng) + motif + SOUP.cells(3, rng) for _ in range(6)] + [SOUP.cells(9, rng)] * 4
    sequences = recurring(tribe, 3)
    assert len(sequences) == 1
    assert protected(tribe[0], sequences) == [False] * 4 + [True] * 3 + [False] * 3
    assert not any(protected(tribe[-1], sequences))


def test_what_is_shorter_than_a_sequence_is_protected_whole() -> None:
    rng = Random(4)
    short, long = SOUP.cells(2, rng), SOUP.cells(5, rng)
    sequences = occurring([short, long], 3)
    cells = SOUP.cells(2, rng) + short + SOUP.cells(1, rng) + long
    assert protected(cells, sequences) == [False] * 2 + [True] * 2 + [False] + [True] * 5
