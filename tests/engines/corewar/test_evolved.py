"""The evolved warriors that come with the program are what their cards say."""

from importlib.resources import files

import pytest

from core.corewar.warrior import Warrior
from engines.corewar.battles import Fight, play
from engines.corewar.presets import PRESETS, Preset
from engines.corewar.tribes.config import TribesConfig
from protocols.redcode.assemble import assemble

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
