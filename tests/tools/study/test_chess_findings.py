"""Verdicts on worlds in which each finding is true, or false, or open by construction."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tools.study.worlds import CONFIRMING, GENERATIONS, games_confirming, write_run
from tools.study.chess_findings import FINDINGS, crash_after_pawn
from tools.study.chess_runs import Moment, Run, Traits, read_run
from tools.study.chess_verdicts import Study, Unobservable
from tools.study.verdicts import Verdict


def claims(study: Study) -> dict[str, Verdict]:
    return {result.claim.name: result.judgement.verdict for _, results in study.results for result in results}


def numbers(study: Study, claim: str) -> Sequence[float | str]:
    return next(
        result.numbers for _, results in study.results for result in results if result.claim.name == claim
    )


def test_a_world_as_in_the_manual_reproduces_every_finding(studied: Study) -> None:
    measured = {"Queen per rook", "Legal Bonus"}
    assert {name for name, verdict in claims(studied).items() if verdict is Verdict.MEASURED} == measured
    for name, verdict in claims(studied).items():
        assert name in measured or verdict is Verdict.REPRODUCED, name
    assert studied.verdicts == dict.fromkeys(studied.verdicts, Verdict.REPRODUCED) | {"6.7": Verdict.MEASURED}


def test_a_world_against_the_manual_reproduces_nothing(contradicting: list[Run]) -> None:
    study = Study.of(contradicting, FINDINGS)
    for name, verdict in claims(study).items():
        expected = {"Queen per rook": Verdict.MEASURED, "Legal Bonus": Verdict.MEASURED}
        assert verdict is expected.get(name, Verdict.NOT_REPRODUCED), name
    assert study.verdicts["6.7"] is Verdict.MEASURED
    assert {verdict for section, verdict in study.verdicts.items() if section != "6.7"} == {
        Verdict.NOT_REPRODUCED
    }


def test_four_runs_decide_nothing(confirming: list[Run]) -> None:
    study = Study.of(confirming[:4], FINDINGS)
    assert set(study.verdicts.values()) == {Verdict.UNDECIDED, Verdict.MEASURED}
    reasons = {result.judgement.reason for _, results in study.results for result in results}
    assert "measurable runs: 4; at least 5 are needed" in reasons


def test_runs_that_disagree_decide_nothing(confirming: list[Run], contradicting: list[Run]) -> None:
    study = Study.of(confirming[:3] + contradicting[:3], FINDINGS)
    assert set(study.verdicts.values()) == {Verdict.UNDECIDED, Verdict.MEASURED}


def test_measured_numbers_are_those_of_the_constructed_world(studied: Study, confirming: list[Run]) -> None:
    assert numbers(studied, "Queen per rook") == pytest.approx([9 / 5] * 5)
    assert numbers(studied, "The queen is the overwhelming favourite") == pytest.approx([0.93] * 5)
    assert numbers(studied, "Queen, rook, bishop, knight in this order") == (2.0,) * 5
    assert numbers(studied, "More often than any other draw") == (3.0,) * 5
    assert numbers(studied, "Higher priorities are reached earlier") == (-1.0,) * 5
    run = confirming[0]
    assert run.games == sum(len(games_confirming(now, 0)) for now in range(1, GENERATIONS + 1))
    assert numbers(studied, "Pawn Advancement rises first")[0] == run.moments[10].games
    crash = run.moments[34].games - run.moments[33].games  # since one lives as three generations ago
    assert numbers(studied, "It is switched off once all genomes value the pawn")[0] == crash / run.games
    bloom, rise = run.moments[60].games, run.moments[65].games
    board = bloom - float(numbers(studied, "Look Ahead rises after the board-scoring genes")[0])
    assert run.moments[10].games < board < run.moments[40].games
    assert rise - board == numbers(studied, "Time forfeits rise after the board-scoring genes")[0]
    assert numbers(studied, "Time forfeits rise with Look Ahead")[0] == pytest.approx(
        (4 * 2 + 26 * 16) / (4 * 28 + 26 * 42) / (2 / 28), rel=0.02
    )


def test_runs_with_too_few_time_forfeits_are_left_out_of_findings(confirming: list[Run]) -> None:
    untimed = [
        replace(run, endings={key: number for key, number in run.endings.items() if key[0] != "time"})
        for run in confirming
    ]
    study = Study.of(untimed, FINDINGS)
    assert study.verdicts["6.6"] is Verdict.UNDECIDED and study.verdicts["6.2"] is Verdict.UNDECIDED
    assert (
        numbers(study, "Time forfeits rise after the board-scoring genes")
        == ("games ended by time: 0; at least 50 are needed",) * 5
    )
    assert study.verdicts["6.1"] is Verdict.REPRODUCED


def test_a_few_genomes_that_switch_off_pawn_advancement_are_no_crash(confirming: list[Run]) -> None:
    def living(moment: Moment, now: int) -> tuple[Traits, ...]:
        on = [replace(each, advances_pawns=True) for each in moment.living]
        return (replace(on[0], advances_pawns=now < 34), *on[1:])

    moments = [replace(each, living=living(each, now)) for now, each in enumerate(confirming[0].moments)]
    assert crash_after_pawn(replace(confirming[0], moments=tuple(moments))) == math.inf
    unvalued = [
        replace(each, living=tuple(replace(one, pawn=-0.1) for one in each.living)) for each in moments
    ]
    with pytest.raises(Unobservable, match="never crashes"):
        crash_after_pawn(replace(confirming[0], moments=tuple(unvalued)))


def test_a_run_too_short_for_change_points_gives_that_reason(tmp_path: Path) -> None:
    run = read_run(write_run(CONFIRMING, tmp_path / "short", 1, last=40))
    reason = "the run is too short: a change-point needs 80 points or more, not 41"
    assert numbers(Study.of([run], FINDINGS), "Look Ahead rises after the board-scoring genes") == (reason,)
