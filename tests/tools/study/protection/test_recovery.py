"""Recovery after a switch of plan: distances of known series, what chance alone makes, and the line of a report."""

import pytest

from tests.tools.study.protection.plans import plan, won
from tools.__main__ import main
from tools.study.protection.recovery import recoveries


def test_the_distance_shrinks_game_by_game() -> None:
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


def test_who_never_switches_does_not_recover() -> None:
    assert recoveries(plan(), {"idle pilot 1": won("WLWLWL")}) == []
    some = plan(users=["switcher"], modes=["pilot"])
    assert recoveries(some, {"switcher pilot 1": won("WLWLW")}) == []


def test_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--users", "switcher", "--games", "7", "--seeds", "1", "--mode", "random"]
    assert main(["study", "protection", *words]) == 0
    told = capsys.readouterr().out
    assert "random, game by game after a switch of plan: " in told and "(so far by chance)" in told
