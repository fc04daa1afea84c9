"""Styles: what our own warriors are, and how often hand-made ones are what their authors say."""

import re
from pathlib import Path

import pytest

from engines.corewar.ranking.style import Manner, Style, manner
from engines.corewar.ranking.watching import against, alone
from protocols.redcode.assemble import assemble
from tests.engines.corewar.ranking.redcode import STANDARD, starter, warrior

FOILS = ("imp_gate", "paper", "stone")
# What authors call it, once what they say about opponents and quick scans is left out.
NOT_ITSELF = re.compile(
    r"\bq-?scan\w*|quick[- ]?scan\w*|no scanning|q\^?\d|anti-?\w+|imp[- ]?gate|imp-?scan|imp[- ]killing"
    r"|(?:eats?|kills?|vs|versus|against|beats?|chasing) [^.]*"
)
CALLED = {
    Style.PAPER: r"paper|silk|replicator",
    Style.STONE: r"stone|bomber",
    Style.IMP: r"\bimps?\b|spiral launch",
    Style.SCANNER: r"scan|one-?shot|bi-?shot",
    Style.CLEAR: r"clear",
    Style.VAMPIRE: r"vamp",
    Style.SWITCHER: r"p-?space|switcher|brain",
}


def seen(name: str) -> Manner:
    one = starter(name)
    foils = [starter(foil) for foil in FOILS]
    return manner([alone(STANDARD, one), *against(STANDARD, one, foils, STANDARD.size // 2)])


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("clear", Style.CLEAR),
        ("dwarf", Style.STONE),
        ("imp", Style.IMP),
        ("imp_gate", Style.WAITS),
        ("paper", Style.PAPER),
        ("pebble", Style.STONE),
        ("scanner", Style.SCANNER),
        ("stone", Style.STONE),
        ("vampire", Style.VAMPIRE),
    ],
)
def test_our_own(name: str, style: Style) -> None:
    assert seen(name).main is style


def test_a_warrior_may_show_more_than_one() -> None:
    assert Style.CLEAR in seen("scanner").also
    assert str(Manner(main=Style.STONE, also=(Style.IMP,))) == "stone/imp"


def test_one_who_dies_at_once_has_no_style() -> None:
    assert manner([alone(STANDARD, warrior("dat 0, 0"))]) == Manner(main=Style.DIES, also=())


def test_a_switcher_is_known_by_what_it_executes() -> None:
    asks = warrior("ldp #0, aim\njmz 0, aim\nloop mov 0, 1\naim dat 0, 0")
    has_code_only = warrior("jmp 0\nldp #0, 5")
    assert manner([alone(STANDARD, asks)]).main is Style.SWITCHER
    assert manner([alone(STANDARD, has_code_only)]).main is Style.WAITS


def test_no_conduct_is_no_style() -> None:
    with pytest.raises(ValueError, match="no conduct"):
        manner([])


@pytest.mark.parametrize(
    ("hill", "share"),
    [("94", 0.78), ("88", 0.7)],  # the thresholds were chosen on '94 warriors, not on '88 ones
)
def test_authors_agree(hill: str, share: float, shared_data: Path) -> None:
    """The main style is one of those that the author names; half of them, alone in the core, for time's sake."""
    said = agreed = 0
    for path in sorted((shared_data / "corewar" / "warriors" / "koenigstuhl" / hill).glob("*.red"))[::2]:
        assembly = assemble(path.read_text(encoding="iso-8859-1"), STANDARD, warriors=2)
        words = NOT_ITSELF.sub(" ", " ".join(assembly.strategy).lower())
        named = {style for style, pattern in CALLED.items() if re.search(pattern, words)}
        if assembly.warrior and named:
            found = manner([alone(STANDARD, assembly.warrior)])
            main = [
                style for style in (found.main, *found.also) if style is not Style.SWITCHER or style in named
            ]
            said += 1
            agreed += bool(main) and main[0] in named
    assert said > 20
    assert agreed / said > share, f"{agreed} of {said}"
