"""The study of adaptation: measures of known series, the same report for any number of workers, and going on."""

import json
from pathlib import Path

import pytest

from core.protection.rules import CHAOS, HUMAN, NO_WINNER
from engines.protection.bot_plans import PLANS
from engines.protection.pool import bundled_pool
from engines.protection.series import Outcome
from engines.statistics import score
from tools.__main__ import main
from tools.study.protection_report import games_until_settled, measured, recoveries, spreads, summaries
from tools.study.protection_series import Plan, append_finished, load_finished, random_users, write_finished

STRINGS = tuple(entry.genome.hex for entry in bundled_pool().entries)


def plan(**others: object) -> Plan:
    facts = {
        "users": ["idle", "drones"],
        "modes": ["pilot", "starter", "random"],
        "games": 6,
        "seeds": 2,
        "rules": "improved",
        "pool": STRINGS,
        "starter": 3,
        "aim": 0.5,
        "mercy": 0.5,
        "replicates": 1,
        "skill": 1.0,
    }
    return Plan(**facts | others)  # type: ignore[arg-type]


def won(pattern: str, turns: int = 8) -> list[Outcome]:
    """For example WLD."""
    winners = {"W": HUMAN, "L": CHAOS, "D": NO_WINNER}
    return [
        Outcome(winner=winners[letter], reason="", turns=turns, strings=(1, 2, 1), guarded=False)
        for letter in pattern
    ]


# -- Measures of known series ----------------------------------------------------------------------


def test_a_known_series_has_the_expected_measures() -> None:
    """Of six games the last four count for the share; draws count neither way."""
    some = plan(users=["idle"], modes=["pilot"])
    measure = measured(some, {"idle pilot 1": won("LLWWDL"), "idle pilot 2": won("LLLLLW", 5)})[0]
    assert measure.share and measure.share.value == 3 / 7
    assert (measure.losses, measure.early_losses, measure.unfinished, measure.games) == (8, 5, 1, 12)
    assert measure.strings == 2 and measure.turns == 6.5 and measure.settled is None


def test_a_difficulty_holds_by_all_games_of_a_series() -> None:
    """Six of twenty games are .30, and eight are .40; the late games alone would say otherwise."""
    users = ["idle:0.1", "idle:0.2", "idle:0.3"]
    some = plan(users=users, modes=["pilot"], seeds=1, games=20, aim=0.3)
    patterns = ("W" * 6 + "L" * 14, "L" * 12 + "W" * 8, "L" * 11 + "W" * 9)
    games = {f"{name} pilot 1": won(pattern) for name, pattern in zip(users, patterns, strict=True)}
    measures = measured(some, games)
    assert [each.whole for each in measures] == [0.3, 0.4, 0.45]
    (pilot,) = summaries(some, measures)
    assert pilot.held == score([1, 2]) and pilot.near == 0


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
    assert pilot.held.value == starter.held.value == 0.5
    assert starter.early_losses == 6 / 9 and pilot.novice_early_losses is None


@pytest.mark.parametrize(
    ("pattern", "settled"),
    [("WL" * 5, 10), ("L" * 9, None), ("L" * 20, None), ("LLLLLLLL" + "WWWD" + "WL", 12)],
)
def test_a_series_is_settled_when_ten_games_are_near_the_aim(pattern: str, settled: int | None) -> None:
    assert games_until_settled(0.5, won(pattern)) == settled


def test_known_shares_have_the_expected_spread() -> None:
    """Shares of the late games .25, .5, .75 and 1; who neither won nor lost has none."""
    users = ["idle:0.1", "idle:0.2", "idle:0.3", "idle:0.4", "idle:0.5"]
    some = plan(users=users, modes=["pilot", "random"], seeds=1)
    patterns = ("WWWLLL", "LLWWLL", "LLWWWL", "LLWWWW", "LLDDDD")
    games = {f"{name} pilot 1": won(pattern) for name, pattern in zip(users, patterns, strict=True)}
    games |= {f"{name} random 1": won("LLLLLW") for name in users}
    piloted, random = spreads(some.modes, measured(some, games), 0.5)
    assert (piloted.users, piloted.histogram) == (4, (0, 0, 1, 0, 0, 1, 0, 1, 0, 1))
    assert piloted.share and piloted.share.value == 0.625 and piloted.is_centred
    assert piloted.deviation == pytest.approx(0.2795, abs=1e-4)
    assert not random.is_centred and random.histogram == (0, 0, 5, 0, 0, 0, 0, 0, 0, 0)
    assert spreads(["best"], measured(some, games), 0.5)[0].share is None


def test_the_distance_from_the_aim_shrinks_game_by_game_after_a_switch() -> None:
    """Two series in which every plan begins at one end, and is even from the third game on."""
    some = plan(users=["switcher"], modes=["pilot"], games=30)
    one, other = won("LLLLL" + "WWWLL" * 5), won("LLLLL" + "WWLWW" * 5)
    (found,) = recoveries(some, {"switcher pilot 1": one, "switcher pilot 2": other})
    assert found.distances == (0.5, 0.5, 0.0, 0.0, 0.0)
    assert found.by_chance == (0.25,) * 5, "of two games one half of the pairs is even"


def test_plans_do_not_make_up_for_one_another() -> None:
    """One plan always wins, another always loses: the mean share would be the aim."""
    some = plan(users=["switcher"], modes=["pilot"], seeds=1, games=15)
    (found,) = recoveries(some, {"switcher pilot 1": won("DDDDD" + "WWWWW" + "LLLLL")})
    assert found.distances == (0.5,) * 5


def test_users_that_never_switch_plans_have_no_recovery() -> None:
    assert recoveries(plan(), {"idle pilot 1": won("WLWLWL")}) == []
    some = plan(users=["switcher"], modes=["pilot"])
    assert recoveries(some, {"switcher pilot 1": won("WLWLW")}) == []


# -- What is played --------------------------------------------------------------------------------


def test_an_invalid_plan_is_refused() -> None:
    for facts in ({"users": ["nero"]}, {"modes": ["fair"]}, {"rules": "mine"}, {"games": 0}, {"aim": 1.0}):
        with pytest.raises(ValueError):
            plan(**facts)


def test_finished_series_are_read_again_except_a_line_that_is_cut_off(tmp_path: Path) -> None:
    path, some = tmp_path / "kept.jsonl", plan()
    write_finished(path, some, {})
    append_finished(path, some.tasks()[0], won("WLD"))
    with path.open("a") as file:
        file.write('{"series": "idle pi')
    assert load_finished(path, some, Outcome) == {"idle pilot 1": won("WLD")}
    with pytest.raises(ValueError, match="another study"):
        load_finished(path, plan(games=7), Outcome)
    path.write_text("once\n")
    with pytest.raises(ValueError, match="not a file of a study"):
        load_finished(path, some, Outcome)
    assert load_finished(tmp_path / "none", some, Outcome) == {}


def test_random_users_cover_all_plans_and_skills() -> None:
    drawn = random_users(100)
    assert drawn == random_users(100) and len(set(drawn)) == 100
    names, skills = zip(*(each.split(":") for each in drawn), strict=True)
    assert set(names) == {*PLANS, "switcher", "random", "learner", "sleeper"}
    assert min(map(float, skills)) < 0.1 and max(map(float, skills)) > 0.9


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


def test_the_study_is_the_same_for_any_workers_and_after_an_interrupt(
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


def test_json_has_the_measures_of_each_mode_and_user(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "--mode", "best,fixed:7", "--users", "idle", "--json"))
    assert {each["mode"] for each in told["measures"]} == {"best", "fixed:7", "starter", "random"}
    assert {each["user"] for each in told["measures"]} == {"idle"}


def test_an_unknown_mode_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "protection", "--mode", "kind"]) == 2
    assert (
        "no mode is called 'kind'; there are pilot, calibrated, seed, best, random, fixed:0 to fixed:249"
        in capsys.readouterr().err
    )


POPULATION = [
    "study",
    "protection",
    "--population",
    "3",
    "--games",
    "2",
    "--replicates",
    "1",
    "--mode",
    "seed",
]


def test_a_population_of_random_users_is_studied(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [*POPULATION, "--workers", "1", "--save", str(tmp_path / "kept.jsonl")]
    assert main(words) == 0
    streams = capsys.readouterr()
    assert streams.err.startswith("playing 9 series of 2 games with 1 worker\n")
    told = streams.out
    assert "3 users, 2 games, 1 seed," in told and "the aim; deviation" in told
    assert main([*words, "--json"]) == 0, "of the same games, which are kept"
    found = json.loads(capsys.readouterr().out)
    assert found["users"] == random_users(3) and [each["mode"] for each in found["spreads"]] == [
        "seed", "starter", "random",
    ]  # fmt: skip


@pytest.mark.parametrize("words", [["--population", "1"], ["--population", "9", "--users", "mines"]])
def test_an_invalid_population_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "protection", *words]) == 2
    assert "--population needs 2 users or more" in capsys.readouterr().err


def test_the_report_follows_a_user_after_a_switch_of_plan(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--users", "switcher", "--games", "7", "--seeds", "1", "--mode", "random"]
    assert main(["study", "protection", *words]) == 0
    told = capsys.readouterr().out
    assert (
        "random, game by game after a switch of plan: " in told
        and "(in parentheses: expected by chance)" in told
    )
