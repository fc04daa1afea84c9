"""The evolved warriors that come with the program are what their cards say."""

from functools import cache
from importlib.resources import files

import pytest

from core.corewar.assembler import assemble
from core.corewar.dialect import Dialect
from core.corewar.warrior import Warrior
from engines.corewar.battles import Fight, Tally, play
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.presets import PRESETS, Preset

FOLDER = files("engines.corewar")
NANO = PRESETS["nano"]
PSPACE = PRESETS["94"]


def warrior(path: str, preset: Preset = NANO) -> Warrior:
    found = assemble((FOLDER / path).read_text(), preset.rules, warriors=2).warrior
    assert found
    return found


@pytest.mark.parametrize(
    ("opponent", "wins", "losses"), [("imp", 105, 0), ("dwarf", 113, 23), ("pebble", 112, 16)]
)
def test_nano_against_ours(opponent: str, wins: int, losses: int) -> None:
    pair = (warrior("evolved/nano/nano.red"), warrior(f"warriors/{opponent}.red"))
    tally = play(Fight(rules=NANO.rules, warriors=pair, rounds=NANO.rounds, is_exact=True))[0]
    assert (tally.wins, tally.losses) == (wins, losses)


def test_nano_names_its_configuration() -> None:
    config = TribesConfig.loads((FOLDER / "evolved/nano/run.txt").read_text())
    assert (config.seed, config.core_size, config.rounds) == (11, 80, None)  # no number: exact
    lineage = (FOLDER / "evolved/nano/lineage.txt").read_text()
    assert lineage.startswith("74870 ") and "generation 0, random" in lineage


def against_scanner(name: str) -> int:
    pair = (warrior(name, PSPACE), warrior("warriors/scanner.red", PSPACE))
    tally = play(Fight(rules=PSPACE.rules, warriors=pair, rounds=60, is_exact=False))[0]
    return 3 * tally.wins + tally.ties


def test_the_switcher_is_better_than_both_its_parts() -> None:
    """Against one of our own; its card has the figures against many."""
    parts = [against_scanner(f"warriors/{part}.red") for part in ("stone", "paper")]
    assert against_scanner("evolved/switcher/switcher.red") > max(parts)


def test_the_switcher_names_its_configuration() -> None:
    config = TribesConfig.loads((FOLDER / "evolved/switcher/run.txt").read_text())
    assert (config.seed, config.pspace, config.parts) == (121, "on", "stone, paper")
    lineage = (FOLDER / "evolved/switcher/lineage.txt").read_text()
    assert lineage.startswith("1277 ") and "generation 0, joined of 10 and 11" in lineage


@pytest.mark.parametrize(
    ("name", "preset", "opponent", "wins", "losses"),
    [("large", "94nop", "dwarf", 30, 0), ("tiny", "tiny", "imp_gate", 40, 0)],
)
def test_against_ours(name: str, preset: str, opponent: str, wins: int, losses: int) -> None:
    """At least so many wins of forty, and no more losses."""
    rules = PRESETS[preset]
    pair = (warrior(f"evolved/{name}/{name}.red", rules), warrior(f"warriors/{opponent}.red", rules))
    tally = play(Fight(rules=rules.rules, warriors=pair, rounds=40, is_exact=False))[0]
    assert tally.wins >= wins and tally.losses <= losses


@pytest.mark.parametrize(("name", "last", "founders"), [("large", "8501  ", 12), ("tiny", "47354  ", 1)])
def test_lineages_end_in_soup(name: str, last: str, founders: int) -> None:
    lines = (FOLDER / f"evolved/{name}/lineage.txt").read_text().splitlines()
    assert lines[4].startswith(last)
    assert sum("generation 0, random" in line for line in lines) == founders


def test_tiny_names_its_configurations() -> None:
    seeds = [
        TribesConfig.loads((FOLDER / f"evolved/tiny/run_{number}.txt").read_text()).seed
        for number in (1, 2, 3)
    ]
    assert seeds == [103, 113, 119]


# The starter warriors do what their comments say, fought under standard rules.


FOLDER_STARTERS = files("engines.corewar") / "warriors"
NAMES = sorted(each.name.removesuffix(".red") for each in FOLDER_STARTERS.iterdir())
STANDARD = PRESETS["94nop"]


def starter(name: str, preset: Preset = STANDARD) -> Warrior | None:
    assembly = assemble(
        (FOLDER_STARTERS / f"{name}.red").read_text(), preset.rules, Dialect(icws88=preset.is_88), warriors=2
    )
    assert not assembly.messages or not assembly.ok
    return assembly.warrior


@cache
def fought(first: str, second: str) -> Tally:
    both = starter(first), starter(second)
    assert both[0] and both[1]
    return play(
        Fight(rules=STANDARD.rules, warriors=(both[0], both[1]), rounds=STANDARD.rounds, is_exact=False)
    )[0]


@pytest.mark.parametrize(
    ("preset", "names"),
    [
        ("94nop", NAMES),
        ("tiny", NAMES),
        ("nano", ["clear", "dwarf", "imp", "imp_gate", "pebble"]),
        ("88", ["dwarf", "imp", "imp_gate", "pebble"]),
    ],
)
def test_who_fits_where(preset: str, names: list[str]) -> None:
    assert [name for name in NAMES if starter(name, PRESETS[preset])] == names


@pytest.mark.parametrize("name", [name for name in NAMES if name != "imp"])
def test_nobody_kills_himself(name: str) -> None:
    """Against one who does nothing but wait, a tie is the least."""
    warrior, waiting = starter(name), starter("imp_gate")
    assert warrior and waiting
    tally = play(
        Fight(rules=STANDARD.rules, warriors=(warrior, waiting), rounds=STANDARD.rounds, is_exact=False)
    )[0] if name != "imp_gate" else Tally.of_two(wins=0, losses=0, ties=1)  # fmt: skip
    assert tally.losses == 0


@pytest.mark.parametrize(
    ("winner", "loser"),
    [
        ("imp_gate", "imp"),
        ("dwarf", "imp"),
        ("clear", "imp"),
        ("pebble", "dwarf"),
        ("stone", "pebble"),
        ("paper", "stone"),
        ("stone", "vampire"),
        ("scanner", "clear"),
    ],
)
def test_who_beats_whom(winner: str, loser: str) -> None:
    tally = fought(winner, loser)
    assert tally.wins > 1.3 * tally.losses


def test_paper_scissors_stone() -> None:
    """None of the three is above the other two."""
    assert fought("paper", "stone").wins > fought("stone", "paper").wins
    assert fought("stone", "scanner").wins >= fought("scanner", "stone").wins
    assert fought("scanner", "paper").wins > 10 and fought("clear", "paper").wins == 0
