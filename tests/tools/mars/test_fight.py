"""Scores, result lines and the exit status of -Q."""

import json
from pathlib import Path

import pytest

import engines.corewar
from tests.tools.mars.terminal import answer
from tools.mars.fight import (
    LOWEST_SCORE,
    WarriorResult,
    by_score,
    exit_status,
    koth_text,
    no_rounds,
    results_of,
    results_text,
)
from tools.mars.options import Formula, Options

TWO = [[5, 3, 2], [2, 3, 5]]
THREE = [[1, 0, 2, 1, 0], [2, 0, 2, 0, 0], [0, 0, 2, 1, 1]]


def results(outcomes: list[list[int]], formula: str = "(W*W-1)/S") -> list[WarriorResult]:
    names = [("Ann", "a"), ("Bob", "b"), ("Cid", "c")][: len(outcomes)]
    return results_of(names, outcomes, Formula(formula, "0.9.2"))


def test_results_of_two_warriors_are_one_line() -> None:
    both = results(TWO)
    assert results_text(both) == "Ann by a scores 18\nBob by b scores 9\nResults: 5 2 3\n"
    assert koth_text(both) == "5 3\n2 3\n"


def test_three_warriors_have_result_lines_each_and_one_has_none() -> None:
    three = results(THREE)
    assert results_text(three).splitlines()[:2] == ["Ann by a scores 12", "  Results: 1 0 2 1"]
    assert koth_text(three) == "12 1 0 2 1\n20 2 0 2 0\n4 0 0 2 2\n"
    alone = results([[4]])
    assert results_text(alone) == "Ann by a scores 0\n" and koth_text(alone) == "0 4 0\n"


def test_ranking_keeps_the_order_of_equal_scores() -> None:
    assert by_score(results(THREE)) == [1, 0, 2]
    assert by_score(results(THREE, "7")) == [1, 0, 2] and by_score(results(THREE, "0")) == [0, 1, 2]


def test_registers_keep_their_values_from_warrior_to_warrior() -> None:
    assert [each.score for each in results([[1, 0, 0]] * 2, "x=x+1")] == [1, 3]


def test_scores_have_32_bits_as_in_pmars() -> None:
    assert [each.score for each in results(TWO, "1000000000")] == [-589934592, 705032704]


def test_a_formula_that_loses_its_value_gives_the_lowest_score() -> None:
    formula = Formula("1/(3-(x=x+1))", "0.9.2")
    formula.try_all(2)
    assert results_of([("a", "b")] * 2, TWO, formula)[0].score == LOWEST_SCORE


def test_the_exit_status_is_the_value_requested_by_option_q() -> None:
    three = results(THREE)
    for information, status in [
        (1, 12), (2, 20), (3, 4), (4, 255), (101, 1), (103, 3), (104, 255), (0, 255), (1000, 92),
        (1001, 0), (1002, 920 % 256), (1003, 4), (1004, 255), (2000, 2),
    ]:  # fmt: skip
        assert exit_status(Options(information=information), three, range(3), 2) == status
    ranking = by_score(three)
    assert [exit_status(Options(information=rank), three, ranking, 3) for rank in (1, 2, 101, 102)] == [
        20,
        12,
        2,
        1,
    ]
    assert exit_status(Options(information=1000, mode="0.9.5"), three, ranking, 3) == 95
    assert exit_status(Options(information=1001, debug=True), three, ranking, 3) == 1
    assert exit_status(Options(information=1002, debug=True), three, ranking, 3) == 921 % 256


@pytest.mark.parametrize("warriors", [0, 1, 2, 36])
def test_warriors_score_0_without_rounds(warriors: int) -> None:
    scored = results_of([("", "")] * warriors, no_rounds(warriors), Formula("7", "0.9.2"))
    assert [each.score for each in scored] == [0] * warriors


# Battles and listings of the warriors that come with Galapagos, to the letter as pMARS 0.9.2 prints them.
#
# A warrior that is changed needs its lines in golden.jsonl anew; a change of anything else does not.


WARRIORS = Path(engines.corewar.__file__).parent / "warriors"
GOLDEN = [json.loads(line) for line in Path(__file__).with_name("golden.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: " ".join(row["args"])[:50])
def test_bundled_warriors_give_the_output_of_pmars(
    row: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(WARRIORS)
    assert answer(row["args"]) == (row["status"], row["out"], row["err"])  # type: ignore[arg-type]
