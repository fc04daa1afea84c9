"""Matches: who meets whom over which seed, games that follow from their seeds, and the standings."""

import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.seeds import game_seed
from protocols.jsonl.acquire import AcquireAdapter
from protocols.jsonl.adapter import Agent, GameState, Move
from protocols.jsonl.match import (
    GameOutcome,
    Match,
    MatchConfig,
    MatchGame,
    MatchPlan,
    Schedule,
    Standings,
    play_batch,
    play_game,
)
from protocols.jsonl.messages import ClockTerms
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits
from tests.fifth_game.adapter import First, TicTacToeAdapter

GROUPS = [(0, 1), (0, 2), (1, 2)]


def test_the_groups_take_turns_and_the_seats_too() -> None:
    schedule = Schedule(players=("a", "b", "c"), games=4, mirror=True, seed=1)
    assert schedule.total == 12
    games = list(schedule.round_games(GROUPS, 0))
    assert [game.players for game in games[:6]] == [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)]
    assert games[0].seed == games[3].seed != games[1].seed
    assert games[0].seed == game_seed(1, 0)


def test_three_rotate() -> None:
    schedule = Schedule(players=("a", "b", "c"), games=3, seats=3, mirror=True)
    games = list(schedule.round_games([(0, 1, 2)], 0))
    assert {game.players for game in games} == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}
    assert len({game.seed for game in games}) == 1


@given(count=st.integers(1, 12), first=st.integers(0, 100), is_mirrored=st.booleans())
def test_numbers_go_on_and_seeds_are_no_one_elses(count: int, first: int, is_mirrored: bool) -> None:
    schedule = Schedule(players=("a", "b", "c"), games=count, mirror=is_mirrored)
    games = list(schedule.round_games(GROUPS, first))
    assert [game.number for game in games] == list(range(first, first + 3 * count))
    assert all(game.players in (GROUPS[game.group], GROUPS[game.group][::-1]) for game in games)
    by_seed: dict[int, set[int]] = {}
    for game in games:
        by_seed.setdefault(game.seed, set()).add(game.group)
    assert all(len(groups) == 1 for groups in by_seed.values())
    earlier = {game.seed for game in schedule.round_games(GROUPS, 1000)}
    assert not earlier & set(by_seed)


class Fails(First):
    """Never decides."""

    def choose(self, play: GameState, seat: int) -> Move:
        raise RuntimeError("no idea")


class FailingBinding(TicTacToeAdapter):
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


class SlowBinding(TicTacToeAdapter):
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
    config = MatchConfig(
        adapter=SlowBinding(watch, *seconds), variant="plain", options={}, players=("slow", "random"),
        clock=ClockTerms(**CLOCK),
    )  # fmt: skip
    outcome = play_game(config, match_game(3, 0, 1), watch)
    assert outcome.forced == [forced, 0]
    assert outcome.seconds == pytest.approx([sum(seconds), 0.0])


def test_time_that_is_out_may_forfeit_a_game_of_a_match() -> None:
    watch = Watch()
    clock = ClockTerms(**CLOCK, on_timeout="forfeit")
    config = MatchConfig(
        adapter=SlowBinding(watch, 9.0), variant="plain", options={}, players=("slow", "first"), clock=clock
    )
    for seats in ((0, 1), (1, 0)):
        outcome = play_game(config, match_game(3, *seats), watch)
        assert outcome.results == ([-1.0, 1.0] if seats == (0, 1) else [1.0, -1.0])


def test_without_a_clock_nobody_is_late() -> None:
    watch = Watch()
    config = MatchConfig(
        adapter=SlowBinding(watch, 900.0), variant="plain", options={}, players=("slow", "random")
    )
    assert play_game(config, match_game(3, 0, 1), watch).forced == [0, 0]


def test_a_record_is_kept_of_as_many_games_as_are_wished_for() -> None:
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


def test_who_fails_is_played_for() -> None:
    config = MatchConfig(adapter=FailingBinding(), variant="plain", options={}, players=("first", "random"))
    outcome = play_game(config, match_game(3, 0, 1))
    assert outcome.forced[0] > 2 and outcome.forced[1] == 0


def test_a_game_follows_from_its_seed() -> None:
    players = ("heuristic", "mc-1", "random")
    config = MatchConfig(adapter=AcquireAdapter(), variant="classic", options={}, players=players)

    def without_time(outcome: GameOutcome) -> tuple[object, ...]:
        return outcome.ranks, outcome.results, outcome.forced

    one, again, other = (without_time(play_game(config, match_game(seed, 0, 2, 1))) for seed in (5, 5, 6))
    assert one == again != other


def test_results_are_those_of_the_players_wherever_they_sit() -> None:
    """Seats go by position tiles: the random player, who has least, comes last in either order."""
    config = MatchConfig(
        adapter=AcquireAdapter(), variant="thesis-2002", options={}, players=("heuristic", "random")
    )
    for seed in range(6):
        assert play_game(config, match_game(seed, 0, 1)).ranks == [1, 2]
        assert play_game(config, match_game(seed, 1, 0)).ranks == [2, 1]


def outcome(number: int, seed: int, players: tuple[int, ...], *results: float) -> GameOutcome:
    return GameOutcome(
        game=MatchGame(number=number, seed=seed, players=players, group=0),
        ranks=[1 + sum(other > own for other in results) for own in results],
        results=results,
        seconds=[0.5] * len(players),
        forced=[1] * len(players),
    )


def test_before_any_game() -> None:
    standings = Standings(("a", "b"), has_pairs=True)
    first, _ = standings.rows()
    assert (first.games, first.low, first.high, first.rating) == (0, 0.0, 1.0, 0.0)
    assert standings.interval() == 1.0


def test_pairs_are_two_games_of_a_seed() -> None:
    standings = Standings(("a", "b"), has_pairs=True)
    standings.add(outcome(0, 7, (0, 1), 10, 5))
    standings.add(outcome(1, 8, (0, 1), 3, 3))
    standings.add(outcome(2, 7, (1, 0), 4, 9))
    first, second = standings.rows()
    assert first.pairs == [0, 0, 0, 0, 1] and second.pairs == [1, 0, 0, 0, 0]
    assert (first.wins, first.shared, first.losses) == (2, 1, 0)
    assert first.mean_result == (10 + 3 + 9) / 3 and first.mean_rank == 1.0
    assert first.seconds == 1.5 and first.forced == 3 and first.against[1] == [0, 1, 2]


def test_four_at_a_table() -> None:
    standings = Standings(("a", "b", "c", "d"), has_pairs=False)
    standings.add(outcome(0, 1, (3, 2, 1, 0), 9, 9, 5, 1))
    rows = standings.rows()
    assert [row.mean_rank for row in rows] == [4, 3, 1, 1]
    assert [(row.wins, row.shared, row.losses) for row in rows] == [
        (0, 0, 1),
        (0, 0, 1),
        (0, 1, 0),
        (0, 1, 0),
    ]
    assert rows[3].against == [[0, 0, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0]] and rows[0].pairs is None
    assert rows[3].rating == rows[2].rating > rows[1].rating > rows[0].rating


def test_a_match_of_millions_of_games_keeps_no_list_of_them() -> None:
    config = MatchConfig(adapter=TicTacToeAdapter(), variant="plain", options={}, players=("a", "b"))
    schedule = Schedule(players=("a", "b"), games=10_000_000, mirror=True)
    match = Match(MatchPlan(game="tic-tac-toe", schedule=schedule, config=config, play=play_batch, batch=20))
    sizes = []
    for _ in range(2):
        for _ in range(60):
            batch = match.next_batch()
            assert batch
            match.add(
                [outcome(each.number, each.seed, each.players, 1, 0) for each in batch.games], lambda: False
            )
        sizes.append(len(pickle.dumps(match.standings)))
    assert sizes[0] == sizes[1] and match.done == 2400
    assert len(match.seeds) == 1000 and match.seeds[2] == game_seed(0, 1)
