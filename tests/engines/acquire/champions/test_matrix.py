"""The matrix of champions: both seats, the same for any order of asking, and distances that are plain to see."""

from core.acquire.rules import PRESETS
from engines.acquire.champions.matrix import Matrix, apart, different, duel, fought
from engines.acquire.entrant import Entrant
from engines.acquire.genome import thesis_players
from tests.toy import InlinePool

RULES = PRESETS["thesis-2002"]
PLAYERS = [Entrant(name=name, genome=genome) for name, genome in list(thesis_players().items())[:3]]


async def test_everybody_meets_everybody() -> None:
    matrix = await Matrix.played(RULES, PLAYERS, 40, 1, InlinePool())
    assert matrix.names == ("best-of-run", "pair-1", "pair-2")
    assert list(matrix.scores) == [(0, 1), (0, 2), (1, 2)]
    for one, other in matrix.scores:
        assert matrix.scores[one, other].games == 40
        assert matrix.rate(one, other).value + matrix.rate(other, one).value == 1
        assert matrix.tree_distances[one, other] == apart(PLAYERS[one], PLAYERS[other])
        assert matrix.behaviour_distances[one, other] == different(RULES, PLAYERS[one], PLAYERS[other])


def test_distances() -> None:
    one, other, _ = PLAYERS
    assert apart(one, one) == 0 and different(RULES, one, one) == 0
    assert apart(one, other) == apart(other, one) > 0
    assert 0 < different(RULES, one, other) == different(RULES, other, one) < 1


def test_a_duel_is_fair() -> None:
    """Against oneself both have the same bags in both seats: nobody can be ahead by the tiles alone."""
    heuristic = Entrant(name="heuristic")
    score = fought(duel(RULES, heuristic, Entrant(name="random"), 100, 2**62))
    assert score.games == 100 and score.win_rate.low > 0.5
    assert fought(duel(RULES, heuristic, heuristic, 3, 5)).games == 2
