"""Founders: soup, or given parts behind instructions that might choose among them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.instruction import JMP, a_of, operation_of
from core.corewar.rules import Rules
from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.breeding.breeder import Breeder
from engines.corewar.tribes.breeding.founders import Founders, entered
from engines.corewar.tribes.breeding.protection import occurring
from engines.corewar.tribes.breeding.soup import Soup
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.niche import begin_alone, homes
from engines.corewar.tribes.genes import Cells, expressed, unmarked
from engines.corewar.tribes.genome import WarriorGenome

RULES = Rules()
IMP = WarriorGenome.of(load_file.loads("MOV.I $0, $1", RULES), RULES)
DWARF = WarriorGenome.of(
    load_file.loads("ORG 1\nDAT.F #0, #0\nADD.AB #4, $-1\nMOV.I $-2, @-2\nJMP.B $-2, $0", RULES), RULES
)
CONFIG = TribesConfig(founders_shortest=3, founders_longest=6, pspace="on")


def test_without_parts_it_is_soup() -> None:
    founders = Founders.of(TribesConfig(), [])
    rng, other = Random(3), Random(3)
    for _ in range(20):
        length = 1 + int(other.below(100))
        assert founders.draw(rng) == Soup.of(TribesConfig()).cells(length, other)


def test_of_many_tries_the_liveliest_founds() -> None:
    chosen = TribesConfig(core_size=800, founders_longest=6, founder_tries=30, viability_cycles=500)
    founders, rng, other = Founders.of(chosen, []), Random(7), Random(7)
    single = Founders.of(replace(chosen, founder_tries=1), [])

    def lived_in(genes: Cells) -> int:
        begin_alone(expressed(genes, 800), founders.core)
        founders.core.run(500)
        return homes(founders.core)

    for _ in range(20):
        tries = [single.draw(other) for _ in range(30)]
        assert founders.draw(rng) == max(tries, key=lived_in)


def test_a_part_that_begins_later_is_entered_by_a_jump() -> None:
    assert entered(IMP) == IMP.cells
    jump, *rest = entered(DWARF)
    assert tuple(rest) == DWARF.cells
    assert load_file.loads("JMP.B $2, $0", RULES).cells == (jump,)


@given(st.integers(0, 2**32))
def test_parts_stand_behind_phrases(seed: int) -> None:
    genes = Founders.of(CONFIG, [IMP, DWARF]).draw(Random(seed))
    body = entered(IMP) + entered(DWARF)
    assert genes[-len(body) :] == body
    assert 3 <= len(genes) - len(body) <= 6


def test_every_part_is_gone_to() -> None:
    founders, rng = Founders.of(CONFIG, [IMP, DWARF]), Random(1)
    entrances = set()
    for _ in range(200):
        genes = founders.draw(rng)
        prefix = len(genes) - len(entered(IMP) + entered(DWARF))
        ways = {
            at + a_of(cell) - prefix for at, cell in enumerate(genes[:prefix]) if operation_of(cell) == JMP
        }
        entrances |= ways & {0, 1}
    assert entrances == {0, 1}


@given(st.integers(0, 2**32))
def test_a_start_that_evolves_is_none_of_the_parts(seed: int) -> None:
    config = TribesConfig(founders_shortest=2, founders_longest=2, pspace="on", start="evolved")
    assert unmarked(Founders.of(config, [IMP]).draw(Random(seed)))[1] in (0, 1)


def test_parts_that_leave_no_room() -> None:
    with pytest.raises(ValueError, match="make 101, above the length, 100"):
        Founders.of(TribesConfig(), [IMP])


@given(st.integers(0, 2**32))
def test_full_protection_leaves_the_parts_alone(seed: int) -> None:
    weights = {
        f"{kind}_weight": 1.0 for kind in ("redraw", "fresh", "exchange", "insertion", "aim", "phrase")
    }
    config = TribesConfig(
        founders_shortest=3, founders_longest=3, pspace="on", protection=1, protected="parts", parts="a file", mutation=1,
        most_changes=8, crossover=0, **weights,  # type: ignore[arg-type]
    )  # fmt: skip
    rng = Random(seed)
    body = entered(DWARF)
    breeder = Breeder.of(config, 0, occurring([body], config.protected_sequence))
    genes = Founders.of(config, [DWARF]).draw(rng)
    for _ in range(10):
        genes = breeder.offspring([genes], rng).genes
        assert genes[-len(body) :] == body
