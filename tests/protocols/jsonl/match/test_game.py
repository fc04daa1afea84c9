"""One game of a match: a function of its seed, whatever ails its players."""

from collections.abc import Callable

from core.random import Random
from protocols.jsonl.binding.acquire.agents import acquire
from protocols.jsonl.binding.binding import Agent, Move, Play
from protocols.jsonl.match.contest import Contest
from protocols.jsonl.match.game import Outcome, Venue, played
from tests.fifth_game.binding import First, TicTacToeBinding


class Fails(First):
    """Never decides."""

    def choose(self, play: Play, seat: int) -> Move:
        raise RuntimeError("no idea")


class FailingBinding(TicTacToeBinding):
    """Its first player fails."""

    def agent(self, name: str, play: Play, stream: Callable[[str], Random], seat: int) -> Agent:
        return Fails() if seat == 0 else super().agent(name, play, stream, seat)


def contest(seed: int, *players: int) -> Contest:
    return Contest(number=0, seed=seed, players=players, group=0)


def test_who_fails_is_played_for() -> None:
    venue = Venue(binding=FailingBinding(), variant="plain", options={}, players=("first", "random"))
    outcome = played(venue, contest(3, 0, 1))
    assert outcome.forced[0] > 2 and outcome.forced[1] == 0


def test_a_game_follows_from_its_seed() -> None:
    players = ("heuristic", "mc-1", "random")
    venue = Venue(binding=acquire(), variant="classic", options={}, players=players)

    def without_time(outcome: Outcome) -> tuple[object, ...]:
        return outcome.ranks, outcome.results, outcome.forced

    one, again, other = (without_time(played(venue, contest(seed, 0, 2, 1))) for seed in (5, 5, 6))
    assert one == again != other


def test_results_are_those_of_the_players_wherever_they_sit() -> None:
    """Seats go by position tiles: the random player, who has least, is told as such in either order."""
    venue = Venue(binding=acquire(), variant="thesis-2002", options={}, players=("heuristic", "random"))
    for seed in range(6):
        assert played(venue, contest(seed, 0, 1)).ranks == [1, 2]
        assert played(venue, contest(seed, 1, 0)).ranks == [2, 1]
