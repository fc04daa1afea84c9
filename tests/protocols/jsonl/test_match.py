"""Matches of agents: games that follow from their seeds, clocks, records, and standings as they are sent."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from typing import Any

import pytest

from core.random import Random
from engines.match.schedule import MatchGame
from engines.match.standings import GameOutcome, Standings
from protocols.jsonl.acquire import AcquireAdapter
from protocols.jsonl.adapter import Agent, GameState, Move
from protocols.jsonl.match import MatchConfig, play_game, rows
from protocols.jsonl.messages import ClockTerms
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits
from tests.fifth_game.adapter import First, TicTacToeAdapter


class FailingPlayer(First):
    """Never decides."""

    def choose(self, play: GameState, seat: int) -> Move:
        raise RuntimeError("no idea")


class FailingAdapter(TicTacToeAdapter):
    """Its first player fails."""

    def agent(self, name: str, play: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        return FailingPlayer() if seat == 0 else super().agent(name, play, stream, seat)


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


class SlowAdapter(TicTacToeAdapter):
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
def test_decisions_that_exceed_the_clock_of_a_match_are_forced(seconds: list[float], forced: int) -> None:
    watch = Watch()
    config = MatchConfig(
        adapter=SlowAdapter(watch, *seconds), variant="plain", options={}, players=("slow", "random"),
        clock=ClockTerms(**CLOCK),
    )  # fmt: skip
    outcome = play_game(config, match_game(3, 0, 1), watch)
    assert outcome.forced == [forced, 0]
    assert outcome.seconds == pytest.approx([sum(seconds), 0.0])


def test_running_out_of_time_can_forfeit_a_game_of_a_match() -> None:
    watch = Watch()
    clock = ClockTerms(**CLOCK, on_timeout="forfeit")
    config = MatchConfig(
        adapter=SlowAdapter(watch, 9.0), variant="plain", options={}, players=("slow", "first"), clock=clock
    )
    for seats in ((0, 1), (1, 0)):
        outcome = play_game(config, match_game(3, *seats), watch)
        assert outcome.results == ([-1.0, 1.0] if seats == (0, 1) else [1.0, -1.0])


def test_without_a_clock_no_decision_is_forced() -> None:
    watch = Watch()
    config = MatchConfig(
        adapter=SlowAdapter(watch, 900.0), variant="plain", options={}, players=("slow", "random")
    )
    assert play_game(config, match_game(3, 0, 1), watch).forced == [0, 0]


def test_only_the_requested_number_of_games_is_recorded() -> None:
    """It can be lived through again, and what comes of the game does not depend on it."""
    players = ("heuristic", "random", "mc-1")
    config = MatchConfig(
        adapter=AcquireAdapter(), variant="mini", options={"cash": 2400}, players=players, match_id="m-1"
    )
    outcome, kept = (
        play_game(replace(config, recorded=recorded), match_game(5, 0, 2)) for recorded in (0, 1)
    )
    assert not outcome.record and outcome.results == kept.results and kept.game_id == "m-1-1"
    relived = replay_record(
        [line.rstrip() for line in kept.record], {"acquire": AcquireAdapter()}, GameLimits()
    )
    assert relived.game.end_line == kept.record[-1] and relived.events > 10


def match_game(seed: int, *players: int) -> MatchGame:
    return MatchGame(number=0, seed=seed, players=players, group=0)


def test_default_actions_are_played_for_an_agent_that_raises() -> None:
    config = MatchConfig(adapter=FailingAdapter(), variant="plain", options={}, players=("first", "random"))
    outcome = play_game(config, match_game(3, 0, 1))
    assert outcome.forced[0] > 2 and outcome.forced[1] == 0


def test_a_game_follows_from_its_seed() -> None:
    players = ("heuristic", "mc-1", "random")
    config = MatchConfig(adapter=AcquireAdapter(), variant="classic", options={}, players=players)

    def without_time(outcome: GameOutcome) -> tuple[object, ...]:
        return outcome.ranks, outcome.results, outcome.forced

    one, again, other = (without_time(play_game(config, match_game(seed, 0, 2, 1))) for seed in (5, 5, 6))
    assert one == again != other


def test_results_are_listed_by_player_in_either_seating() -> None:
    """Seats go by position tiles: the random player, who has least, comes last in either order."""
    config = MatchConfig(
        adapter=AcquireAdapter(), variant="thesis-2002", options={}, players=("heuristic", "random")
    )
    for seed in range(6):
        assert play_game(config, match_game(seed, 0, 1)).ranks == [1, 2]
        assert play_game(config, match_game(seed, 1, 0)).ranks == [2, 1]


def test_table_rows_hold_results_pairs_seconds_and_ratings() -> None:
    standings = Standings(("a", "b"), has_pairs=True)
    first, second = rows(standings)
    assert (first.games, first.low, first.high, first.rating) == (0, 0.0, 1.0, 0.0)
    for seed, seats in ((7, (0, 1)), (8, (0, 1)), (7, (1, 0))):
        game = MatchGame(number=0, seed=seed, players=seats, group=0)
        standings.add(
            GameOutcome(game=game, ranks=[1, 2], results=[1, 0], seconds=[0.5, 0.25], forced=[1, 0])
        )
    first, second = rows(standings)
    assert (first.games, first.wins, first.losses, first.against) == (3, 2, 1, [[0, 0, 0], [1, 0, 2]])
    assert first.pairs == second.pairs == [0, 0, 1, 0, 0]
    assert (first.seconds, first.forced, second.forced) == (1.25, 2, 1)
    assert first.low < first.share < first.high and first.rating == -second.rating > 0
