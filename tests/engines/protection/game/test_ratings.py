"""Ratings: those of the rules, with each side's change apart."""

import pickle

from core.protection.evaluate import Evaluator, rating
from core.protection.rules import RULES
from core.random import Random
from engines.protection.game.chance import Seeded
from engines.protection.game.game import begun
from engines.protection.game.ratings import Trial, rated, trial
from engines.protection.pool.handwritten import handwritten
from engines.protection.users.seen import seen
from engines.protection.users.table import user

STRINGS = b"".join(genome.code for genome in handwritten().values())


def asked(name: str, tests: int, real_money: bool = True) -> Trial:
    game = begun(RULES["improved"], Seeded(6))
    game.set_up(user(name, 0).setup(seen(game), Random(2)))
    return trial(game.state, STRINGS, game.chance, tests, real_money)


def test_they_are_the_raters() -> None:
    """One test a string: exactly; the human's change by giving it no weight."""
    some = asked("mixed", 1)
    evaluator = Evaluator(some.scenario, some.arrangement)
    found = rated(some)
    assert list(found.ratings) == [
        rating(change, len(some.seeds) * 132 // len(STRINGS))
        for change in evaluator.evaluate(STRINGS, some.dollars, list(some.seeds))
    ]
    twice = [rating(change, 1, 2) for change in evaluator.evaluate(STRINGS, some.dollars, list(some.seeds))]
    assert [two - one for two, one in zip(twice, found.ratings, strict=True)] == list(found.human)


def test_several_tests_make_a_mean_and_another_process_the_same() -> None:
    some = asked("turtle", 3)
    evaluator = Evaluator(some.scenario, some.arrangement)
    assert list(rated(some).ratings) == [
        rating(change, len(some.seeds) * 132 // len(STRINGS))
        for change in evaluator.evaluate(STRINGS, some.dollars, list(some.seeds))
    ]
    assert rated(pickle.loads(pickle.dumps(some))) == rated(some)


def test_the_money_of_the_tests() -> None:
    assert asked("saver", 1).dollars == 2000
    assert 600 < asked("saver", 1, real_money=False).dollars <= 800


def test_who_has_no_unit_is_rated_0() -> None:
    assert set(rated(asked("idle", 2)).ratings) == {0}
