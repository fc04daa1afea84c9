"""The study of hybrids: what is compared and by which tests, measures of known games, and the report."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from core.protection.rules import CHAOS, HUMAN, RULES
from core.random import Random
from engines.protection.adaptation import Mode
from engines.protection.bots import create_bot, set_up
from engines.protection.chaos import CHILDREN, PARENTS, Chaos, RatingJob, new_chaos, rate
from engines.protection.game import ProtectionGame, new_game
from engines.protection.genome import Genome
from engines.protection.pool import bundled_pool
from engines.protection.profile import STRINGS, Hybrid, Profile
from engines.protection.series import play_games
from engines.seeds import SeededStreams
from engines.statistics import mean
from tools.__main__ import main
from tools.study.protection_hybrids import (
    MUTATED,
    ComparedGame,
    ComparedTurn,
    Comparison,
    HybridPlan,
    breed_at_random,
    data,
    lowest,
    measured,
    mutants,
    play_compared,
    text,
)
from tools.study.protection_series import series_of

POOL = tuple(entry.genome for entry in bundled_pool().entries)
HARMLESS = Genome(code=bytes(132))  # it wants no minions
LUCKY = -1_000_000  # a rating that no string has by merit


def plan(**others: object) -> HybridPlan:
    facts = {
        "users": ["novice", "drones"],
        "modes": ["best"],
        "games": 2,
        "seeds": 1,
        "rules": "improved",
        "pool": tuple(genome.hex for genome in POOL),
        "starter": 3,
        "aim": 0.5,
        "mercy": 0.5,
        "replicates": 1,
        "skill": 1.0,
        "fresh": 5,
    }
    return HybridPlan(**facts | others)  # type: ignore[arg-type]


# -- What is compared ------------------------------------------------------------------------------


def test_the_lowest_rating_of_pool_and_hybrids_chooses_and_the_pool_is_first_of_equals() -> None:
    ratings = (*range(5, 5 + STRINGS - 1), 4)
    hybrids = (Hybrid(rating=4, genome=HARMLESS),)
    assert lowest(Profile(ratings=ratings, hybrids=hybrids), POOL) == (4, POOL[-1])
    better = (*hybrids, Hybrid(rating=3, genome=HARMLESS))
    assert lowest(Profile(ratings=ratings, hybrids=better), POOL) == (3, HARMLESS)


def test_one_control_has_parents_drawn_at_random() -> None:
    strings = [Genome.of([number % 16] * 264) for number in range(16)]
    ratings = list(range(16))
    families = [breed_at_random(strings, ratings, Random(seed)) for seed in range(9)]
    assert {len(each) for each in families} == {CHILDREN}
    genes = [{gene for child in each for gene in child.nibbles} for each in families]
    assert all(len(each) <= PARENTS for each in genes) and set().union(*genes) == set(range(16))


def test_the_other_control_has_mutants_of_the_best_strings() -> None:
    strings = [Genome.of([number % 16] * 264) for number in range(16)]
    found = mutants(strings, [-number for number in range(16)], Random(3))
    assert len(found) == CHILDREN
    for each in found:
        distances = [bits_between(each, string) for string in strings]
        assert 0 < min(distances) <= MUTATED and distances.index(min(distances)) >= 16 - PARENTS


def bits_between(one: Genome, other: Genome) -> int:
    return (int(one.hex, 16) ^ int(other.hex, 16)).bit_count()


@cache
def rated_chaos(user: str) -> tuple[ProtectionGame, Chaos]:
    """Return a game after the setup of a user, and a Chaos that has rated the pool on that setup."""
    game = new_game(RULES["improved"], SeededStreams(6))
    set_up(game, create_bot(user, 0))
    chaos = new_chaos(POOL, Mode("best", 3), 1)
    job = chaos.rating_job(game.state, game.streams)
    return game, chaos.rated(job, rate(job))


def lucky(user: str, genome: Genome) -> tuple[ProtectionGame, Chaos]:
    """Return the same with a hybrid that was so lucky that it is chosen."""
    game, chaos = rated_chaos(user)
    profile = replace(chaos.profile, hybrids=(Hybrid(rating=LUCKY, genome=genome),))
    return game, replace(chaos, profile=profile)


def compared(*pairs: tuple[ProtectionGame, Chaos], tests: int = 40) -> tuple[ComparedTurn, ...]:
    comparison = Comparison(tests)
    for game, chaos in pairs:
        comparison.watch(game, chaos)
    return comparison.take_turns()


def test_a_lucky_rating_chooses_but_fresh_tests_judge() -> None:
    """The harmless string changes nothing for Chaos, and the farms produce in peace."""
    (turn,) = compared(lucky("drones", HARMLESS))
    assert turn.learned[1] == LUCKY < turn.learned[0] == min(rated_chaos("drones")[1].profile.ratings)
    assert turn.is_hybrid and turn.rated[1] > 0 > turn.rated[0]


def test_fresh_ratings_agree_with_other_tests_of_the_same_string() -> None:
    game, chaos = lucky("drones", POOL[0])
    (turn,) = compared((game, chaos), tests=400)
    job = RatingJob.of(game.state, POOL[0].code * 400, SeededStreams(5), 1, real_money=True)
    others = mean(rate(job).ratings)
    assert abs(turn.rated[1] - others.value) < 2 * (others.high - others.low)
    assert turn.units == game.state.units_value() > 0


def test_a_choice_is_also_tested_on_the_next_setup() -> None:
    first, second = lucky("drones", HARMLESS), lucky("turtle", POOL[7])
    here, there = compared(first, second)
    assert here.played == () and there.played != there.rated
    alone = compared(lucky("turtle", HARMLESS))[0]
    assert there.played[1] == alone.rated[1], "the harmless string, on the later setup"
    again = compared(first, first)[1]
    assert again.played[:2] == again.rated[:2], "the same choices on the same setup"


def test_turns_without_units_or_hybrids_are_not_compared() -> None:
    assert compared(rated_chaos("drones")) == ()
    assert compared(lucky("idle", HARMLESS)) == ()


def test_the_controls_learn_like_hybrids() -> None:
    """Once there are ratings, the controls have strings of their own."""
    pair = lucky("drones", HARMLESS)
    first, second, third = compared(pair, pair, pair, tests=4)
    assert first.learned[2:] == (first.learned[0],) * 2, "no control has been bred before the first ratings"
    assert min(second.learned[2:]) < second.learned[0] and min(third.learned[2:]) < third.learned[0]


def test_watching_changes_no_game() -> None:
    task = plan(users=["novice"]).tasks()[0]
    found = play_compared(task)
    assert [game.winner for game in found] == [each.winner for each in play_games(*series_of(task))]
    assert found == play_compared(task) and any(game.turns for game in found)


# -- Measures and report ---------------------------------------------------------------------------


def games(winner: int, *gains: int, control: int = 0) -> list[ComparedGame]:
    """Return games of two turns with $1,000 of units, where hybrids are rated `gains` above the pool on both setups."""
    return [
        ComparedGame(
            winner=winner,
            turns=tuple(
                ComparedTurn(
                    units=1000,
                    learned=(-100, -400, 0, 0),
                    rated=(-50, -50 + gain, -50 + control, -50),
                    played=(-50, -50 + gain, -50 + control, -50) if number else (),
                    is_hybrid=bool(number),
                )
                for number in range(2)
            ),
        )
        for gain in gains
    ]


def found(one: Sequence[ComparedGame], other: Sequence[ComparedGame]) -> dict[str, Sequence[ComparedGame]]:
    return {"novice best 1": one, "drones best 1": other}


def test_known_games_have_the_expected_measures() -> None:
    novice, drones, everybody, strong = measured(
        plan(), found(games(CHAOS, 40, -20), games(HUMAN, -200, -300, control=-100))
    )
    assert (novice.who, drones.who, everybody.users, strong.who) == (
        "novice", "drones", 2, "users who won more than 2/3",
    )  # fmt: skip
    gain = drones.boards["rated"].gains["hybrids"]
    assert gain.dollars_interval == mean([-200, -300]) and gain.share_interval == mean([-0.2, -0.3])
    assert novice.boards["played"].gains["hybrids"].better == 0.5
    assert everybody.boards["rated"].gains["hybrids"].dollars == -120
    assert drones.boards["rated"].beyond["random"].dollars == -150
    assert (novice.promised, novice.chosen, novice.units) == (-300, 0.5, 1000)
    assert strong.games == 2 and strong.won and strong.won.value == 1.0


def test_strong_users_are_a_group_only_if_they_are_some_of_several() -> None:
    weak, strong = games(CHAOS, 1, 2), games(HUMAN, 3, 4)
    assert [each.who for each in measured(plan(), found(weak, weak))] == ["novice", "drones", "all users"]
    assert len(measured(plan(), found(strong, strong))) == 3
    assert len(measured(plan(users=["novice"]), {"novice best 1": strong})) == 1
    for one, words in ((weak, "none of 2 users"), (strong, "1 of 2 users")):
        told = text(plan(), found(weak, one))
        assert f"best: {words} won more than 2/3 of the games." in told
        assert ("best, 1 user who won more than 2/3 of the games, 2 games:" in told) == (one is strong)


@pytest.mark.parametrize(
    ("gains", "verdict", "goal"),
    [
        ((-200, -210, -190), "Hybrids are better for Chaos than the pool alone.", "is reached."),
        ((-50, -51, -49), "Hybrids are better for Chaos than the pool alone.", "is missed."),
        ((50, 51, 49), "Hybrids are worse for Chaos than the pool alone.", "is missed."),
        ((-900, 900, 10), "A difference from the pool alone is not shown.", "neither reached nor missed"),
        ((-900,), "A difference from the pool alone is not shown.", "neither reached nor missed"),
    ],
)
def test_the_report_says_what_holds(gains: tuple[int, ...], verdict: str, goal: str) -> None:
    told = text(plan(users=["novice"]), {"novice best 1": games(CHAOS, *gains)})
    assert told.count(verdict) == 2, "on both setups"
    assert told.count(goal) == 2


def test_the_report_compares_hybrids_with_controls() -> None:
    one = games(CHAOS, -100, -101, -99, control=-300)
    told = text(plan(users=["novice"]), {"novice best 1": one})
    assert "With children of parents drawn at random instead: -30.0 %" in told
    assert (
        "Hybrids are worse than these (+20.0 %" in told and "Hybrids are better than these (-10.0 %" in told
    )


def test_a_report_without_a_compared_turn_says_so() -> None:
    empty = [ComparedGame(winner=CHAOS, turns=())]
    assert text(plan(users=["novice"]), {"novice best 1": empty}).count("Nothing was compared") == 2
    assert data(plan(users=["novice"]), {"novice best 1": empty})["hybrids"][0]["boards"] == {}


def test_the_report_names_a_defender_briefly() -> None:
    told = text(plan(users=["0" * 96]), {f"{'0' * 96} best 1": games(CHAOS, 1, 2)})
    assert "defender-000000 " in told and "0" * 10 not in told


# -- The command -----------------------------------------------------------------------------------

COMMAND = ["study", "protection", "--hybrids", "--users", "novice", "--games", "1", "--replicates", "1"]


def test_the_study_is_the_same_for_any_workers_and_after_an_interrupt(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "kept.jsonl"
    assert main([*COMMAND, "--seeds", "2", "--workers", "2", "--save", str(path)]) == 0
    whole = capsys.readouterr().out
    assert "200 fresh tests of each choice" in whole and "novice          best            2" in whole
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:2]) + "\n")
    assert main([*COMMAND, "--seeds", "2", "--workers", "1", "--save", str(path)]) == 0
    assert capsys.readouterr().out == whole
    assert sorted(path.read_text().splitlines()) == sorted(lines)
    assert main([*COMMAND, "--seeds", "2", "--save", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["users"] == ["novice"] and told["hybrids"][0]["boards"]["rated"]["gains"]["hybrids"]["share"]


def test_a_file_of_the_other_study_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(json.dumps({"plan": "another"}) + "\n")
    assert main([*COMMAND, "--save", str(path)]) == 2
    assert "belongs to another study" in capsys.readouterr().err


@pytest.mark.parametrize("mode", ["seed", "random", "fixed:3", "pilot,seed"])
def test_modes_without_hybrids_are_refused(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--mode", mode]) == 2
    assert "has no hybrids; choose of pilot, calibrated, best" in capsys.readouterr().err


def test_stored_games_of_people_have_no_study_of_hybrids(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["study", "protection", "--people", str(tmp_path), "--hybrids"]) == 2
    assert "--hybrids" in capsys.readouterr().err
