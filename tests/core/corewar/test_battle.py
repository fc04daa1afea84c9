"""Battles of our own warriors against what pMARS says (battles.txt), and those of others where their texts are."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from core.corewar.battle import Battle
from core.corewar.mars import Mars
from core.corewar.placement import Placement, fixed, from_checksum
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from protocols.redcode.assemble import assemble
from protocols.redcode.dialect import Dialect
from tests.core.corewar.soup import warrior

TABLE = Path(__file__).with_name("battles.txt")
NUMBERS = {"s": "size", "c": "cycles", "p": "processes", "l": "length", "d": "distance", "S": "pspace"}


class Options(NamedTuple):
    """What pMARS's arguments ask for."""

    rules: Rules
    rounds: int
    place: int  # 0 for the checksum
    permuted: bool
    old: bool  # '88

    def placement(self, warriors: list[Warrior]) -> Placement:
        if self.place:
            return fixed(self.rules, len(warriors), self.place, self.permuted)
        return from_checksum(self.rules, warriors, self.permuted)

    def battle(self, warriors: list[Warrior], mars: Mars | None = None) -> Battle:
        return Battle(self.rules, warriors, self.rounds, self.placement(warriors), mars)


def options(arguments: list[str]) -> Options:
    words = iter(arguments)
    given = {word[1]: next(words) if word[1] in "rscpldSF=" else "" for word in words}
    numbers = {NUMBERS[letter]: int(number) for letter, number in given.items() if letter in NUMBERS}
    if "length" in numbers:
        numbers.setdefault("distance", numbers["length"])
    rules = Rules(**numbers)
    permuted = "P" in given
    rounds = int(given.get("r", 2 * (rules.size + 1 - 2 * rules.distance) if permuted else 1))
    return Options(rules, rounds, int(given.get("F", 0)), permuted, "8" in given)


def answer(battle: Battle) -> str:
    """What `pmars -bk` prints for the default score formula."""
    lines = []
    seats = len(battle.warriors)
    for tallies in battle.results:
        score = sum(
            tallies[survivors - 1] * ((seats**2 - 1) // survivors) for survivors in range(1, seats + 1)
        )
        cells = tallies[:2] if seats == 2 else [score, *tallies[:seats], sum(tallies[seats:])]
        lines.append(" ".join(map(str, cells)) + "\n")
    return "".join(lines)


def golden() -> Iterator[tuple[str, list[str], str]]:
    """(arguments, warriors, answer) of each battle in the table."""
    for block in TABLE.read_text().split("\n\n")[1:]:
        arguments, *lines = block.splitlines()
        answers = [line[3:] + "\n" for line in lines if line.startswith("=> ")]
        yield arguments, lines[: len(answers)], "".join(answers)


@pytest.mark.parametrize(("arguments", "lines", "expected"), list(golden()))
def test_battles_of_our_own(arguments: str, lines: list[str], expected: str) -> None:
    asked = options(arguments.split())
    battle = asked.battle([warrior(line, asked.rules.size) for line in lines])
    assert battle.run(10**12)
    assert answer(battle) == expected


def test_the_table_is_there() -> None:
    assert len(list(golden())) == 70


@pytest.mark.parametrize("name", ["battles.tsv", "battles_extra.tsv"])
def test_battles_of_others(shared_data: Path, name: str) -> None:
    folder = shared_data / "corewar"
    fought = 0
    with (folder / "expected" / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            arguments, files = json.loads(row["args"]), json.loads(row["warriors"])
            if row["rc"] != "0" or "-=" in arguments:
                continue
            asked = options(arguments)
            warriors = [_assembled(folder / file, asked, len(files)) for file in files]
            battle = asked.battle(warriors)
            battle.run(10**12)
            assert answer(battle) == json.loads(row["stdout_k"]), row["id"]
            fought += 1
    assert fought > 50


def _assembled(path: Path, asked: Options, warriors: int) -> Warrior:
    assembly = assemble(
        path.read_text("latin-1"),
        asked.rules,
        Dialect(icws88=asked.old),
        warriors=warriors,
        rounds=asked.rounds,
    )
    return Warrior(assembly.name, assembly.author, assembly.cells, assembly.start, assembly.pin)


# -- Rounds ------------------------------------------------------------------------------------------

IMP = "MOV.I $0,$1"
MORTAL = "JMP.B $1,$0 / DAT.F #0,#0"


def test_slices_and_a_used_core_make_no_difference() -> None:
    mars = None
    for arguments, lines, expected in golden():
        asked = options(arguments.split())
        warriors = [warrior(line, asked.rules.size) for line in lines]
        if mars is None or mars.rules != asked.rules:
            mars = Mars(asked.rules, [warrior(IMP, asked.rules.size)])
        battle = asked.battle(warriors, mars)
        while not battle.run(997):
            pass
        assert answer(battle) == expected


def test_rounds_are_counted_and_can_be_left() -> None:
    battle = Battle(Rules(), [warrior(IMP), warrior(MORTAL)], 3, fixed(Rules(), 2, 4000))
    assert (battle.round, battle.is_over()) == (0, False)
    assert not battle.run(4)
    assert battle.mars.is_over() and battle.round == 0
    assert not battle.run(1)
    assert battle.round == 1
    assert battle.next_round()
    assert not battle.next_round()
    assert battle.run(100)
    assert battle.executed == 4 + 1 + 4
    assert battle.results == [[2, 0, 0], [0, 0, 2]]


def test_impossible_battles_are_refused() -> None:
    place = fixed(Rules(), 2, 4000)
    fighters = [warrior(IMP), warrior(MORTAL)]
    with pytest.raises(ValueError, match="one round or more"):
        Battle(Rules(), fighters, 0, place)
    with pytest.raises(ValueError, match="other rules"):
        Battle(Rules(), fighters, 1, place, Mars(Rules(processes=5), fighters))
