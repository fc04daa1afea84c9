"""The study of adaptation: measures of known series, the same report for any number of workers, and going on."""

import json
from pathlib import Path

import pytest

from tests.tools.study.protection.plans import plan, won
from tools.__main__ import main
from tools.study.protection import kept
from tools.study.protection.measures import games_until_settled, measured, summaries


def test_measures_of_a_known_series() -> None:
    """Of six games the last four count for the share; draws count neither way."""
    some = plan(users=["idle"], modes=["pilot"])
    measure = measured(some, {"idle pilot 1": won("LLWWDL"), "idle pilot 2": won("LLLLLW", 5)})[0]
    assert measure.share and measure.share.value == 3 / 7
    assert (measure.losses, measure.early_losses, measure.unfinished, measure.games) == (8, 5, 1, 12)
    assert measure.strings == 2 and measure.turns == 6.5 and measure.settled is None


def test_a_summary_counts_users_near_the_aim_and_the_competent() -> None:
    some = plan(modes=["pilot", "starter"], seeds=1)
    games = {
        "idle pilot 1": won("WLWLWL"),
        "idle starter 1": won("LLLLLL", 4),
        "drones pilot 1": won("WWWWWW", 60),
        "drones starter 1": won("WLWLWL"),
    }
    pilot, starter = summaries(some, measured(some, games))
    assert (pilot.users, pilot.near, pilot.competent, pilot.competent_near) == (2, 1, 1, 0)
    assert (pilot.strongest, pilot.too_strong, pilot.spread, pilot.open) == (1.0, 1, 0.25, 0.5)
    assert starter.early_losses == 6 / 9 and pilot.novice_early_losses is None


@pytest.mark.parametrize(
    ("pattern", "settled"),
    [("WL" * 5, 10), ("L" * 9, None), ("L" * 20, None), ("LLLLLLLL" + "WWWD" + "WL", 12)],
)
def test_how_long_until_ten_games_are_nearly_at_the_aim(pattern: str, settled: int | None) -> None:
    assert games_until_settled(0.5, won(pattern)) == settled


def test_a_plan_that_cannot_be_played() -> None:
    for facts in ({"users": ["nero"]}, {"modes": ["fair"]}, {"rules": "mine"}, {"games": 0}, {"aim": 1.0}):
        with pytest.raises(ValueError):
            plan(**facts)


def test_what_is_kept_is_read_again_and_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    path, some = tmp_path / "kept.jsonl", plan()
    kept.begin(path, some, {})
    kept.add(path, some.tasks()[0], won("WLD"))
    with path.open("a") as file:
        file.write('{"series": "idle pi')
    assert kept.read(path, some) == {"idle pilot 1": won("WLD")}
    with pytest.raises(ValueError, match="another study"):
        kept.read(path, plan(games=7))
    path.write_text("once\n")
    with pytest.raises(ValueError, match="no file of a study"):
        kept.read(path, some)
    assert kept.read(tmp_path / "none", some) == {}


COMMAND = [
    "study",
    "protection",
    "--users",
    "idle,mines",
    "--games",
    "2",
    "--seeds",
    "2",
    "--replicates",
    "1",
]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*COMMAND, *words]) == 0
    return capsys.readouterr().out


def test_the_same_for_any_number_of_workers_and_after_an_interruption(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    whole = said(capsys, "--workers", "2", "--save", str(path))
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:5]))
    assert said(capsys, "--workers", "1", "--save", str(path)) == whole
    assert sorted(path.read_text().splitlines()) == sorted(lines)
    for mode in ("pilot", "calibrated", "seed", "starter", "random"):
        assert f"{mode}: " in whole


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "--mode", "best,fixed:7", "--users", "idle", "--json"))
    assert {each["mode"] for each in told["measures"]} == {"best", "fixed:7", "starter", "random"}
    assert {each["user"] for each in told["measures"]} == {"idle"}


def test_wrong_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "protection", "--mode", "kind"]) == 2
    assert (
        "a mode is pilot, calibrated, seed, best, random or fixed:0 to fixed:249, not 'kind'"
        in capsys.readouterr().err
    )
