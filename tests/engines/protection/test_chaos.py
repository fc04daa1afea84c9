"""Chaos between turns: ratings of strings, hybrids, what a turn teaches, and news of the user from other games."""

import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import islice

from core.protection.evaluate import Evaluator
from core.protection.policy import STRING_BYTES
from core.protection.rules import FARMER, HUMAN, RULES
from core.random import Random
from engines.protection.adaptation import Mode
from engines.protection.bot_plans import observe
from engines.protection.bots import create_bot
from engines.protection.chaos import (
    CHILDREN,
    MAX_HYBRIDS,
    PARENTS,
    Chaos,
    RatingJob,
    best_hybrids,
    breed,
    hybrids_to_test,
    learned,
    rate,
)
from engines.protection.ga_config import GaConfig
from engines.protection.game import Placement, Setup, new_game
from engines.protection.genome import LOCI, Genome
from engines.protection.opponent_model import OpponentModel
from engines.protection.pool import bundled_pool, handwritten
from engines.protection.profile import STRINGS, Hybrid, Profile, ProfileStore, halfway
from engines.seeds import SeededStreams

BY_HAND = b"".join(genome.code for genome in handwritten().values())
POOL = tuple(entry.genome for entry in bundled_pool().entries)
OTHER = Hybrid(rating=-1, genome=handwritten()["quilt"])
RNG = Random(8)
UNRELATED = [Genome.random(RNG) for _ in range(STRINGS)]


# -- Rating ----------------------------------------------------------------------------------------


def job(name: str, tests: int, real_money: bool = True) -> RatingJob:
    game = new_game(RULES["improved"], SeededStreams(6))
    game.set_up(create_bot(name, 0).choose(observe(game), Random(2)))
    return RatingJob.of(game.state, BY_HAND, game.streams, tests, real_money=real_money)


def test_ratings_agree_with_the_evaluator_of_the_core() -> None:
    some = job("mixed", 1)
    changes = Evaluator(some.scenario, some.arrangement).evaluate(BY_HAND, some.dollars, list(some.seeds))
    assert list(rate(some).ratings) == [human - chaos for human, chaos in changes]
    assert list(rate(some).human) == [human for human, _ in changes]


def test_ratings_are_means_of_tests_and_survive_pickling_of_the_job() -> None:
    some = job("turtle", 3)
    changes = Evaluator(some.scenario, some.arrangement).evaluate(BY_HAND, some.dollars, list(some.seeds))
    assert list(rate(some).ratings) == [int((human - chaos) / 3) for human, chaos in changes]
    assert rate(pickle.loads(pickle.dumps(some))) == rate(some)


def test_rating_jobs_use_chaos_treasury_or_the_cost_of_the_units() -> None:
    assert job("saver", 1).dollars == 2000
    assert 600 < job("saver", 1, real_money=False).dollars <= 800
    assert set(rate(job("idle", 2)).ratings) == {0}, "without a unit"


# -- Hybrids, and what a turn teaches --------------------------------------------------------------


def test_strings_with_the_lowest_ratings_become_parents() -> None:
    strings, ratings = (
        [Genome.of([number % 16] * 264) for number in range(20)],
        [-number for number in range(20)],
    )
    children = breed(strings, ratings, Random(3))
    assert len(children) == CHILDREN
    assert breed(strings, ratings, Random(3)) == children
    loci = [set(child.nibbles) for child in children]
    lowest = {number % 16 for number in range(20 - PARENTS, 20)}
    assert all(found <= lowest and len(found) <= 2 for found in loci)
    assert sum(len(found) == 2 for found in loci) > CHILDREN // 2, f"one in {2 ** (LOCI - 1)} is a copy"


def test_hybrids_with_the_lowest_ratings_are_kept() -> None:
    rng = Random(4)
    hybrids = [Hybrid(rating=-number, genome=Genome.random(rng)) for number in range(30)]
    best = best_hybrids([Hybrid(rating=5, genome=hybrids[29].genome), *hybrids])
    assert [each.rating for each in best] == [-29 + number for number in range(MAX_HYBRIDS)]
    assert best_hybrids(best) == best
    assert best_hybrids([]) == ()


def ones(packed: bytes) -> list[int]:
    """A stand-in for ratings: the bits that are 1, below 0."""
    rows = [packed[start : start + STRING_BYTES] for start in range(0, len(packed), STRING_BYTES)]
    return [-sum(byte.bit_count() for byte in row) for row in rows]


def turn(profile: Profile, rate: Callable[[bytes], list[int]], rng: Random) -> Profile:
    tested = hybrids_to_test(profile, UNRELATED, rng)
    return learned(profile, tested, rate(b"".join(genome.code for genome in [*UNRELATED, *tested])))


def start_of(profile: Profile) -> int:
    """The rating from which a new child starts: the mean of the ten best strings."""
    return -(-sum(sorted(profile.ratings)[:PARENTS]) // PARENTS)


def test_hybrids_are_bred_from_the_second_turn_on() -> None:
    """The first one tells which are the best; from then on these have children."""
    first = turn(Profile(), ones, Random(1))
    assert first.ratings == tuple(-(-rating // 2) for rating in ones(b"".join(g.code for g in UNRELATED)))
    assert not first.hybrids
    second = turn(first, ones, Random(1))
    assert len(second.hybrids) == MAX_HYBRIDS
    children = b"".join(each.genome.code for each in second.hybrids)
    assert [each.rating for each in second.hybrids] == [
        halfway(start_of(first), each) for each in ones(children)
    ]
    assert turn(first, ones, Random(1)) == second != turn(first, ones, Random(2))


def test_hybrids_of_earlier_turns_are_tested_again() -> None:
    old = Hybrid(rating=-10_001, genome=Genome.random(RNG))
    known = Profile(ratings=(1,) * STRINGS, hybrids=(old,))
    tested = hybrids_to_test(known, UNRELATED, Random(1))
    assert tested[0] == old.genome and len(tested) == 1 + CHILDREN
    profile = learned(known, tested, [0] * (STRINGS + 1 + CHILDREN))
    assert profile.hybrids[0] == replace(old, rating=-5000)


def test_turns_against_an_arrangement_breed_stronger_hybrids() -> None:
    target = GaConfig(arrangement="drones").target()
    profile = Profile()
    for number in range(3):
        rate = partial(target.rated, tests=1, seed=number, human_weight=1)
        profile = turn(profile, rate, Random(number))
    assert len(set(profile.ratings)) > 100
    fresh = target.rated(b"".join(each.genome.code for each in profile.hybrids), 20, 99, 1)
    chance = target.rated(b"".join(genome.code for genome in UNRELATED), 2, 99, 1)
    assert sum(fresh) / len(fresh) < sum(chance) / len(chance)


# -- The player ------------------------------------------------------------------------------------


@cache
def learnt(turns: int) -> Chaos:
    """After some turns against two farmers."""
    game = new_game(RULES["improved"], SeededStreams(6))
    squares = islice(filter(game.state.is_free, range(576)), 2)
    game.set_up(Setup(place=tuple(Placement(FARMER, square) for square in squares)))
    chaos = Chaos(pool=POOL, mode=Mode("pilot", 0), profile=Profile(), tests=1)
    for _ in range(turns):
        job = chaos.rating_job(game.state, game.streams)
        chaos = chaos.rated(job, rate(job))
        game.play(bytes(STRING_BYTES))
    return chaos


def test_ratings_of_hybrids_follow_the_ratings_of_the_strings() -> None:
    """In the order of the profile; a child's rating is halfway from that of the best strings to that of its test."""
    chaos = learnt(2)
    assert chaos.latest and len(chaos.latest.ratings) == STRINGS + len(chaos.profile.hybrids) > STRINGS
    start = start_of(learnt(1).profile)
    assert tuple(each.rating for each in chaos.profile.hybrids) == tuple(
        halfway(start, each) for each in chaos.latest.ratings[STRINGS:]
    )
    assert chaos.string(STRINGS) == chaos.profile.hybrids[0].genome.code


def test_a_profile_changed_by_another_game_drops_outdated_tests() -> None:
    chaos = learnt(2)
    assert chaos.latest
    won = chaos.with_profile(chaos.profile.finished(True))
    assert (won.profile.wins, won.latest) == (1, chaos.latest)
    other = chaos.with_profile(replace(chaos.profile, hybrids=(OTHER,)))
    assert other.latest == chaos.latest.of(range(STRINGS)), "of this hybrid nothing was tested here"


def test_a_new_game_starts_without_the_tests_of_the_last_game() -> None:
    """They are those of another, perhaps far richer, arrangement."""
    chaos = learnt(1)
    assert chaos.latest and chaos.finished(0).latest is None
    assert chaos.finished(0).profile.games == 1


def test_ratings_that_arrive_after_the_game_leave_no_mark() -> None:
    """A mark keeps an arrangement of a game in progress from being learnt twice, when the game is restored."""
    for is_over in (False, True):
        game = new_game(RULES["improved"], SeededStreams(6))
        store = ProfileStore()
        chaos = Chaos(pool=POOL, mode=Mode("seed", 0), profile=Profile(), tests=1)
        model = OpponentModel(chaos, store, "Ann", "hash", ("improved", "rules"))
        model.set_up(game.state, game.streams)
        jobs = model.jobs()
        assert len(jobs) == 5 and not model.jobs(), "one arrangement at a time"
        if is_over:
            model.finish(HUMAN)
        for job, rated in jobs:
            rated(rate(job), 0.5)
        profile = store.get("Ann")
        assert profile and (profile.wins, len(profile.learnt)) == ((1, 0) if is_over else (0, 1))
        assert (profile.pool, profile.mode, profile.aim) == ("hash", "seed", "0.5")
