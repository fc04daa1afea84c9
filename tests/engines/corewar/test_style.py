"""Watching: what is taken down of warriors whose every step is known."""

import re
from pathlib import Path

import pytest

from core.corewar.assembler import assemble
from core.corewar.instruction import DAT, JMP
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from engines.corewar.style import (
    BehaviourStats,
    Style,
    StyleLabel,
    label,
    observe,
    observe_against,
    observe_alone,
)
from tests.engines.corewar.redcode import NANO, STANDARD, starter, warrior

SMALL = Rules(size=800, cycles=4000, processes=100, length=20, distance=20)


def seen(text: str, rules: Rules = SMALL) -> BehaviourStats:
    return observe_alone(rules, warrior(text, rules))


def test_observation_measures_an_imp() -> None:
    imp = seen("mov 0, 1")
    assert imp.survived and imp.cycles == 4000
    assert (imp.imps, imp.coverage, imp.travel, imp.homes, imp.last_processes) == (1, 1, 1, 0, 1)
    assert (imp.bombs, imp.clears, imp.copies, imp.writers) == (0, 0, 0, ())


def test_observation_measures_a_bomber() -> None:
    bomber = seen("add #100, 3\nmov 2, @2\njmp -2\ndat 0, 0")
    assert bomber.bombs == pytest.approx(1 / 3, abs=0.01) and bomber.clears == 0
    assert bomber.bombed == 8 / 800 and bomber.left_dats == 1 and bomber.bombed_with_jumps == 0
    (writer,) = bomber.writers
    assert (writer.step, writer.leaves, writer.steadiness) == (100, DAT, 1)
    assert bomber.own_executed == 3


def test_observation_measures_a_clear_that_leaves_jumps() -> None:
    clear = seen("mov 3, >2\njmp -1\ndat 0, #10\njmp 5, 5")
    assert clear.clears == pytest.approx(1 / 2, abs=0.01) and clear.bombs < 0.01
    assert clear.writers[0].step == 1 and clear.writers[0].leaves == JMP


def test_a_scanner_looks_and_leaves_the_core_alone() -> None:
    scanner = seen("add #7, 1\njmz -1, 5\njmp -2")
    assert scanner.quick_scans == pytest.approx(1 / 2, abs=0.01)
    assert scanner.scanned > 0.3 and scanner.writers == ()


def test_a_paper_has_many_homes_and_processes() -> None:
    paper = observe_alone(STANDARD, starter("paper"))
    assert paper.homes > 50 and paper.copies > 0.1 and paper.most_processes == 8000


def test_observation_records_the_death_of_a_warrior() -> None:
    dead = seen("nop 0\nnop 0\ndat 0, 0")
    assert not dead.survived
    assert (dead.cycles, dead.last_processes, dead.own_executed) == (3, 0, 3)


def test_p_space_accesses_are_counted() -> None:
    assert seen("ldp #0, 5\nstp #1, #1\njmp 0").pspace == 2


def test_only_the_first_seat_is_watched() -> None:
    mars = Mars(SMALL, [warrior("jmp 0", SMALL), warrior("mov 0, 1", SMALL)])
    mars.begin([0, 400], 0)
    waiting = observe(mars)
    assert waiting.imps > 0.5, "the imp has come over it: its process is one now"
    assert observe_against(SMALL, warrior("jmp 0", SMALL), [warrior("jmp 0", SMALL)], 400)[0].imps == 0


def test_observation_does_not_change_the_round() -> None:
    """The round ends as it would unwatched, for several opponents in one core."""
    one, others = starter("stone"), [starter("scanner"), starter("dwarf"), starter("clear")]
    for conduct, other in zip(observe_against(STANDARD, one, others, 3000), others, strict=True):
        mars = Mars(STANDARD, [one, other])
        mars.begin([0, 3000], 0)
        mars.run(10**9)
        assert conduct.survived == mars.is_alive(0)
        assert conduct.last_processes == len(mars.processes(0))


@pytest.mark.parametrize("rules", [NANO, SMALL, STANDARD])
def test_all_observed_shares_lie_between_0_and_1(rules: Rules) -> None:
    for text in ("mov 0, 1", "jmp 0", "spl 0\nmov 2, >3\njmp -1", "spl 1\nmov -1, }-1\ndjn -1, #3"):
        conduct = seen(text, rules)
        shares = (
            conduct.coverage, conduct.travel, conduct.imps, conduct.copies, conduct.bombs, conduct.clears,
            conduct.scans, conduct.quick_scans, conduct.splits, conduct.streams, conduct.bombed, conduct.cleared,
            conduct.scanned, conduct.bombed_with_jumps, conduct.left_splits, conduct.left_dats,
        )  # fmt: skip
        assert all(0 <= share <= 1 for share in shares)


# Styles: what our own warriors are, and how often hand-made ones are what their authors say.


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


def observed_style(name: str) -> StyleLabel:
    one = starter(name)
    foils = [starter(foil) for foil in FOILS]
    return label([observe_alone(STANDARD, one), *observe_against(STANDARD, one, foils, STANDARD.size // 2)])


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
def test_bundled_warriors_have_their_known_styles(name: str, style: Style) -> None:
    assert observed_style(name).main is style


def test_a_warrior_may_show_more_than_one_style() -> None:
    assert Style.CLEAR in observed_style("scanner").also
    assert str(StyleLabel(main=Style.STONE, also=(Style.IMP,))) == "stone/imp"


def test_a_warrior_that_dies_at_once_is_labelled_dies() -> None:
    assert label([observe_alone(STANDARD, warrior("dat 0, 0"))]) == StyleLabel(main=Style.DIES, also=())


def test_a_switcher_is_recognised_by_its_executed_p_space_reads() -> None:
    asks = warrior("ldp #0, aim\njmz 0, aim\nloop mov 0, 1\naim dat 0, 0")
    has_code_only = warrior("jmp 0\nldp #0, 5")
    assert label([observe_alone(STANDARD, asks)]).main is Style.SWITCHER
    assert label([observe_alone(STANDARD, has_code_only)]).main is Style.WAITS


def test_a_warrior_that_changes_cells_across_the_core_does_not_wait() -> None:
    for text in ("djn.f 0, <-10", "add #1, 3\nadd #5, @2\njmp -2\ndat 0, 4"):
        stats = seen(text, STANDARD)
        assert stats.coverage > 0.9 and label([stats]).main is Style.STREAM
    assert label([seen("jmp 0, <-10")]).main is Style.WAITS


def test_a_style_without_observations_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one observation"):
        label([])


@pytest.mark.parametrize(
    ("hill", "share"),
    # The thresholds were chosen on '94 warriors, not on '88 ones.
    [pytest.param("94", 0.78, marks=pytest.mark.slow), ("88", 0.7)],
)
def test_styles_mostly_agree_with_the_descriptions_of_authors(
    hill: str, share: float, shared_data: Path
) -> None:
    """The main style is one of those that the author names; half of them, alone in the core, for time's sake."""
    said = agreed = 0
    for path in sorted((shared_data / "corewar" / "warriors" / "koenigstuhl" / hill).glob("*.red"))[::2]:
        assembly = assemble(path.read_text(encoding="iso-8859-1"), STANDARD, warriors=2)
        words = NOT_ITSELF.sub(" ", " ".join(assembly.strategy).lower())
        named = {style for style, pattern in CALLED.items() if re.search(pattern, words)}
        if assembly.warrior and named:
            found = label([observe_alone(STANDARD, assembly.warrior)])
            main = [
                style for style in (found.main, *found.also) if style is not Style.SWITCHER or style in named
            ]
            said += 1
            agreed += bool(main) and main[0] in named
    assert said > 20
    assert agreed / said > share, f"{agreed} of {said}"
