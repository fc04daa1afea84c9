"""One game of a match: a function of its seed, whatever ails its players."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from typing import Any

import pytest

from core.random import Random
from protocols.jsonl.acquire import AcquireAdapter
from protocols.jsonl.adapter import Agent, GameState, Move
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.match import GameOutcome, MatchConfig, MatchGame, play_game
from protocols.jsonl.messages import ClockTerms
from protocols.jsonl.record import replay_record
from tests.fifth_game.binding import First, TicTacToeBinding


class Fails(First):
    """Never decides."""

    def choose(self, play: GameState, seat: int) -> Move:
        raise RuntimeError("no idea")


class FailingBinding(TicTacToeBinding):
    """Its first player fails."""

    def agent(self, name: str, play: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        return Fails() if seat == 0 else super().agent(name, play, stream, seat)


class Watch:
    """A clock that only players move."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Slow(Agent):
    """Takes the first free square after so many seconds."""

    def __init__(self, watch: Watch, seconds: Iterator[float]) -> None:
        self.about = "slow"
        self.is_slow = False
        self._watch = watch
        self._seconds = seconds

    def choose(self, play: GameState, seat: int) -> Move:
        self._watch.now += next(self._seconds)
        return play.default_action(seat)


class SlowBinding(TicTacToeBinding):
    """`slow` thinks so long for its decisions."""

    def __init__(self, watch: Watch, *seconds: float) -> None:
        super().__init__()
        self._watch = watch
        self._seconds = seconds

    def agent(self, name: str, play: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        if name == "slow":
            return Slow(self._watch, chain(self._seconds, repeat(0.0)))
        return super().agent(name, play, stream, seat)


CLOCK: dict[str, Any] = {"bank_ms": 1000, "move_ms": 200, "inc_ms": 50, "grace_ms": 30, "init_ms": 500}


@pytest.mark.parametrize(
    ("seconds", "forced"),
    [
        ([1.52, 0.2, 0.2], 0),  # the whole bank at the first decision, and of the grace
        ([1.54], 1),
        ([0.5, 1.22], 0),
        ([0.5, 1.22, 0.32], 1),  # 80 ms are left in the bank
        ([0.5, 1.22, 0.3], 0),
        ([9.0, 9.0, 9.0], 3),
    ],
)
def test_the_clock_of_a_match_runs(seconds: list[float], forced: int) -> None:
    watch = Watch()
    venue = MatchConfig(
        adapter=SlowBinding(watch, *seconds), variant="plain", options={}, players=("slow", "random"),
        clock=ClockTerms(**CLOCK),
    )  # fmt: skip
    outcome = play_game(venue, contest(3, 0, 1), watch)
    assert outcome.forced == [forced, 0]
    assert outcome.seconds == pytest.approx([sum(seconds), 0.0])


def test_time_that_is_out_may_forfeit_a_game_of_a_match() -> None:
    watch = Watch()
    clock = ClockTerms(**CLOCK, on_timeout="forfeit")
    venue = MatchConfig(
        adapter=SlowBinding(watch, 9.0), variant="plain", options={}, players=("slow", "first"), clock=clock
    )
    for seats in ((0, 1), (1, 0)):
        outcome = play_game(venue, contest(3, *seats), watch)
        assert outcome.results == ([-1.0, 1.0] if seats == (0, 1) else [1.0, -1.0])


def test_without_a_clock_nobody_is_late() -> None:
    watch = Watch()
    venue = MatchConfig(
        adapter=SlowBinding(watch, 900.0), variant="plain", options={}, players=("slow", "random")
    )
    assert play_game(venue, contest(3, 0, 1), watch).forced == [0, 0]


def test_a_record_is_kept_of_as_many_games_as_are_wished_for() -> None:
    """It can be lived through again, and what comes of the game does not depend on it."""
    players = ("heuristic", "random", "mc-1")
    venue = MatchConfig(
        adapter=AcquireAdapter(), variant="mini", options={"cash": 2400}, players=players, match_id="m-1"
    )
    outcome, kept = (play_game(replace(venue, recorded=recorded), contest(5, 0, 2)) for recorded in (0, 1))
    assert not outcome.record and outcome.results == kept.results and kept.game_id == "m-1-1"
    relived = replay_record(
        [line.rstrip() for line in kept.record], {"acquire": AcquireAdapter()}, JsonlLimits()
    )
    assert relived.table.end_line == kept.record[-1] and relived.events > 10


def contest(seed: int, *players: int) -> MatchGame:
    return MatchGame(number=0, seed=seed, players=players, group=0)


def test_who_fails_is_played_for() -> None:
    venue = MatchConfig(adapter=FailingBinding(), variant="plain", options={}, players=("first", "random"))
    outcome = play_game(venue, contest(3, 0, 1))
    assert outcome.forced[0] > 2 and outcome.forced[1] == 0


def test_a_game_follows_from_its_seed() -> None:
    players = ("heuristic", "mc-1", "random")
    venue = MatchConfig(adapter=AcquireAdapter(), variant="classic", options={}, players=players)

    def without_time(outcome: GameOutcome) -> tuple[object, ...]:
        return outcome.ranks, outcome.results, outcome.forced

    one, again, other = (without_time(play_game(venue, contest(seed, 0, 2, 1))) for seed in (5, 5, 6))
    assert one == again != other


def test_results_are_those_of_the_players_wherever_they_sit() -> None:
    """Seats go by position tiles: the random player, who has least, is told as such in either order."""
    venue = MatchConfig(
        adapter=AcquireAdapter(), variant="thesis-2002", options={}, players=("heuristic", "random")
    )
    for seed in range(6):
        assert play_game(venue, contest(seed, 0, 1)).ranks == [1, 2]
        assert play_game(venue, contest(seed, 1, 0)).ranks == [2, 1]
