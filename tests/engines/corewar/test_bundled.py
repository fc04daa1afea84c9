"""The warriors that come with the program: the evolved ones are what their cards say, the written ones what their comments say."""

from functools import cache
from importlib.resources import files

import pytest

from core.corewar.assembler import assemble
from core.corewar.dialect import Dialect
from core.corewar.warrior import Warrior
from engines.corewar.battles import BattleTask, Tally, fight_battle
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.genome import END, WarriorGenome
from engines.corewar.presets import PRESETS, Preset

FOLDER = files("engines.corewar")
WRITTEN = sorted(
    path.name.removesuffix(".red") for path in (FOLDER / "warriors").iterdir() if path.name.endswith(".red")
)
STANDARD = PRESETS["94nop"]
EVOLVED = {
    "nano": "nano",
    "tiny": "tiny",
    "general": "94nop",
    "large": "94nop",
    "switcher": "94",
    "three": "94",
    "wilkies": "94nop",
}


@cache
def warrior(name: str, preset: Preset) -> Warrior | None:
    path = (
        FOLDER / "evolved" / name / f"{name}.red" if name in EVOLVED else FOLDER / "warriors" / f"{name}.red"
    )
    assembly = assemble(path.read_text(), preset.rules, Dialect(icws88=preset.is_88), warriors=2)
    assert not assembly.messages or not assembly.ok
    return assembly.warrior


@cache
def fight(first: str, second: str, preset: Preset = STANDARD, rounds: int = 0) -> Tally:
    """The first one's."""
    pair = warrior(first, preset), warrior(second, preset)
    assert pair[0] and pair[1]
    rounds = rounds or preset.rounds
    task = BattleTask(
        rules=preset.rules, warriors=(pair[0], pair[1]), rounds=rounds, is_exact=preset.is_exact
    )
    return fight_battle(task)[0]


# -- Evolved -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "opponent", "rounds", "wins", "losses"),
    [
        ("nano", "imp", 142, 93, 0),
        ("nano", "dwarf", 142, 87, 39),
        ("nano", "pebble", 142, 86, 41),
        ("general", "dwarf", 40, 30, 0),
        ("general", "pebble", 40, 30, 0),
        ("large", "dwarf", 40, 30, 0),
        ("tiny", "imp_gate", 40, 40, 0),
    ],
)
def test_evolved_warriors_beat_written_ones_as_their_cards_say(
    name: str, opponent: str, rounds: int, wins: int, losses: int
) -> None:
    """At least so many wins, and no more losses; of the exact battles so many."""
    preset = PRESETS[EVOLVED[name]]
    tally = fight(name, opponent, preset, rounds)
    assert tally.wins >= wins and tally.losses <= losses
    assert not preset.is_exact or (tally.wins, tally.losses) == (wins, losses)


def test_the_switcher_is_better_than_both_its_parts() -> None:
    """Against one of our own; its card has the figures against many."""
    points = {
        name: fight(name, "scanner", PRESETS["94"], 60).points for name in ("switcher", "stone", "paper")
    }
    assert points["switcher"] > max(points["stone"], points["paper"])


@pytest.mark.parametrize("opponent", ["stone", "paper", "clear", "vampire"])
def test_the_warrior_three_is_nearly_as_good_as_its_best_part(opponent: str) -> None:
    parts = [fight(name, opponent, PRESETS["94"], 60).points for name in ("paper", "stone", "scanner")]
    assert fight("three", opponent, PRESETS["94"], 60).points > 0.9 * max(parts)


def test_the_founder_source_of_three_assembles_to_that_founder() -> None:
    rules = PRESETS["94"].rules
    folder = FOLDER / "evolved" / "three" / "founders"
    written = assemble((folder / "three.redcode").read_text(), rules, warriors=2).warrior
    first = WarriorGenome.loads((folder / "tribe_0.red").read_text().partition(END)[0] + END)
    assert written and (written.cells, written.start) == (first.cells, first.start)


@pytest.mark.parametrize(
    ("file", "seed"),
    [
        ("general/run_1.txt", 214),
        ("general/run_2.txt", 303),
        ("general/run_3.txt", 310),
        ("general/run_4.txt", 311),
        ("nano/run_1.txt", 40),
        ("nano/run_2.txt", 41),
        ("nano/run_3a.txt", 44),
        ("nano/run_3b.txt", 45),
        ("nano/run_4.txt", 47),
        ("switcher/run.txt", 121),
        ("three/run.txt", 180),
        ("tiny/run_1.txt", 103),
        ("tiny/run_2.txt", 113),
        ("tiny/run_3.txt", 119),
        ("tiny/run_4.txt", 141),
        ("tiny/run_5.txt", 170),
        ("tiny/run_6.txt", 171),
        ("wilkies/run.txt", 322),
    ],
)
def test_bundled_run_configurations_have_their_known_seeds(file: str, seed: int) -> None:
    assert TribesConfig.loads((FOLDER / "evolved" / file).read_text()).seed == seed


@pytest.mark.parametrize(
    ("name", "line", "last", "origin", "founders"),
    [
        ("nano", 4, "33896  ", "generation 0, random", 1),
        ("switcher", 0, "1277 ", "generation 0, joined of 10 and 11", None),
        ("general", 4, "26321  ", "generation 0, random", 1),
        ("large", 4, "8501  ", "generation 0, random", 12),
        ("wilkies", 4, "16885  ", "generation 0, from general run_2 43582", 2),
        ("three", 2, "1583  ", "generation 0, S 3", 2),
        ("tiny", 4, "64064  ", "generation 0, random", 1),
    ],
)
def test_lineages_end_with_founders(
    name: str, line: int, last: str, origin: str, founders: int | None
) -> None:
    lines = (FOLDER / "evolved" / name / "lineage.txt").read_text().splitlines()
    assert lines[line].startswith(last)
    count = sum(origin in line for line in lines)
    assert count == founders if founders else count


# -- Written -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "names"),
    [
        ("94nop", WRITTEN),
        ("tiny", WRITTEN),
        ("nano", ["clear", "dwarf", "imp", "imp_gate", "pebble"]),
        ("88", ["dwarf", "imp", "imp_gate", "pebble"]),
    ],
)
def test_written_warriors_assemble_for_the_presets_they_fit(preset: str, names: list[str]) -> None:
    assert [name for name in WRITTEN if warrior(name, PRESETS[preset])] == names


@pytest.mark.parametrize("name", [name for name in WRITTEN if name not in ("imp", "imp_gate")])
def test_no_written_warrior_kills_itself(name: str) -> None:
    """Against one who does nothing but wait, a tie is the least."""
    assert fight(name, "imp_gate").losses == 0


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
def test_written_warriors_beat_their_known_victims(winner: str, loser: str) -> None:
    tally = fight(winner, loser)
    assert tally.wins > 1.3 * tally.losses


def test_paper_stone_and_scanner_beat_each_other_in_turn() -> None:
    """None of the three is above the other two."""
    assert fight("paper", "stone").wins > fight("stone", "paper").wins
    assert fight("stone", "scanner").wins >= fight("scanner", "stone").wins
    assert fight("scanner", "paper").wins > 10 and fight("clear", "paper").wins == 0
