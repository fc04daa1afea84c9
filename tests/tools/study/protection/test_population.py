"""A population: who is in it, how its shares are spread, and the report of one that is played."""

import json

import pytest

from engines.protection.bot_plans import PLANS
from tests.tools.study.protection.plans import plan, won
from tools.__main__ import main
from tools.study.protection.measures import measured
from tools.study.protection.population import people, spreads


def test_people_are_drawn_from_all_plans_and_skills() -> None:
    drawn = people(100)
    assert drawn == people(100) and len(set(drawn)) == 100
    names, skills = zip(*(each.split(":") for each in drawn), strict=True)
    assert set(names) == set(PLANS)
    assert min(map(float, skills)) < 0.1 and max(map(float, skills)) > 0.9


def test_the_spread_of_known_shares() -> None:
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


COMMAND = ["study", "protection", "--population", "3", "--games", "2", "--replicates", "1", "--mode", "seed"]


def test_one_that_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(COMMAND) == 0
    told = capsys.readouterr().out
    assert "3 users, 2 games, 1 seeds" in told and "the aim; deviation" in told
    assert main([*COMMAND, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["users"] == people(3) and [each["mode"] for each in found["spreads"]] == [
        "seed", "starter", "random",
    ]  # fmt: skip


@pytest.mark.parametrize("words", [["--population", "1"], ["--population", "9", "--users", "mines"]])
def test_what_is_none(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "protection", *words]) == 2
    assert "a population is 2 users or more" in capsys.readouterr().err
