"""The starter warriors do what their comments say, fought under standard rules."""

from functools import cache
from importlib.resources import files

import pytest

from core.corewar.warrior import Warrior
from engines.corewar.battles import Fight, Tally, play
from engines.corewar.presets import PRESETS, Preset
from protocols.redcode.assemble import assemble
from protocols.redcode.dialect import Dialect

FOLDER = files("engines.corewar") / "warriors"
NAMES = sorted(each.name.removesuffix(".red") for each in FOLDER.iterdir())
STANDARD = PRESETS["94nop"]


def starter(name: str, preset: Preset = STANDARD) -> Warrior | None:
    assembly = assemble(
        (FOLDER / f"{name}.red").read_text(), preset.rules, Dialect(icws88=preset.is_88), warriors=2
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
