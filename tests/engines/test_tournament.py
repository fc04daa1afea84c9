"""Tournaments: laws of pairings, the same outcome for any concurrency, early stop, broken engines."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from itertools import combinations
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.game import Chess
from core.chess.notation import position_from_fen
from core.game import Game, State
from core.random import Random
from engines.engine import Engine, EngineError, Info, Limit
from engines.match import Ending, Result
from engines.random_engine import RandomEngine
from engines.statistics import Sprt, Verdict
from engines.time_control import TimeControl
from engines.tournament import (
    ROUNDS,
    Crosstable,
    Entrant,
    Group,
    Kind,
    Played,
    count,
    rounds,
    run,
    unmet_pairs,
)
from tests.fifth_game.tictactoe import SquarePlayer, SquareWeights, TicTacToe

Results = Callable[[Group], list[float]]


def course(kind: Kind, players: int, seats: int, results: Results) -> tuple[list[list[Group]], list[int]]:
    """All rounds, and the players, best first."""
    played = []
    generator = rounds(kind, players, seats)
    groups = next(generator)
    while True:
        played.append(groups)
        try:
            groups = generator.send([results(group) for group in groups])
        except StopIteration as end:
            return played, end.value


def by_strength(group: Group) -> list[float]:
    """The one with the highest number wins."""
    return [sum(other < own for other in group) / (len(group) - 1) for own in group]


def by_chance(seed: int) -> Results:
    rng = Random(seed)
    return lambda group: [rng.below(3) / 2 for _ in group]


SIZES = st.integers(2, 6).flatmap(lambda seats: st.tuples(st.integers(seats, 17), st.just(seats)))


@given(kind=st.sampled_from(sorted(ROUNDS)), sizes=SIZES, seed=st.integers(0, 1000))
def test_nobody_sits_twice_in_a_round_of_rounds(kind: Kind, sizes: tuple[int, int], seed: int) -> None:
    players, seats = sizes
    played, order = course(kind, players, seats, by_chance(seed))
    assert sorted(order) == list(range(players))
    assert sum(map(len, played)) == count(kind, players, seats)
    for groups in played:
        assert groups and all(len(set(group)) == seats for group in groups)
        sitting = [player for group in groups for player in group]
        assert set(sitting) <= set(range(players))
        if kind in ("swiss", "ladder"):
            assert len(sitting) == len(set(sitting))


@given(sizes=SIZES)
def test_a_round_robin_is_every_group_once(sizes: tuple[int, int]) -> None:
    players, seats = sizes
    (groups,), order = course("round_robin", players, seats, by_strength)
    assert groups == list(combinations(range(players), seats))
    assert order == list(range(players))[::-1]
    (of_the_first,), _ = course("gauntlet", players, seats, by_strength)
    assert of_the_first == [group for group in groups if group[0] == 0]


@given(players=st.integers(1, 12).map(lambda half: 2 * half), seed=st.integers(0, 10_000))
def test_no_two_meet_twice_in_a_swiss_of_an_even_number(players: int, seed: int) -> None:
    played, _ = course("swiss", players, 2, by_chance(seed))
    met = Counter(frozenset(pair) for groups in played for pair in groups)
    assert max(met.values()) == 1
    assert len(played) == (players - 1).bit_length() and all(len(groups) == players // 2 for groups in played)


def test_pairs_are_looked_for_in_bounded_time() -> None:
    """Of 40 players all have met but the first 36 among themselves, so that no pairing of all is new."""
    met: Counter[Group] = Counter(pair for pair in combinations(range(40), 2) if pair[1] >= 36)
    met[36, 37] = 0
    began = process_time()
    assert unmet_pairs(range(40), met) == []
    assert process_time() - began < 0.5
    met[38, 39] = 0
    assert unmet_pairs(range(40), met) == [(number, number + 1) for number in range(0, 40, 2)]


@given(sizes=SIZES, seed=st.integers(0, 1000))
def test_byes_go_round(sizes: tuple[int, int], seed: int) -> None:
    players, seats = sizes
    played, _ = course("swiss", players, seats, by_chance(seed))
    games = Counter(player for groups in played for group in groups for player in group)
    assert max(games.values()) - min(games[player] for player in range(players)) <= 1


@given(players=st.integers(3, 20))
def test_the_strongest_wins_a_swiss(players: int) -> None:
    _, order = course("swiss", players, 2, by_strength)
    assert order[0] == players - 1


@given(strengths=st.permutations(range(9)))
def test_a_ladder_sorts(strengths: list[int]) -> None:
    def results(group: Group) -> list[float]:
        one, other = group
        return [1.0, 0.0] if strengths[one] > strengths[other] else [0.0, 1.0]

    _, order = course("ladder", len(strengths), 2, results)
    assert [strengths[player] for player in order] == list(range(8, -1, -1))


def test_who_makes_the_same_stays_on_the_rung() -> None:
    _, order = course("ladder", 5, 2, lambda group: [0.5, 0.5])
    assert order == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("players", "seats"), [(1, 2), (3, 4), (4, 1)])
def test_too_few(players: int, seats: int) -> None:
    with pytest.raises(ValueError, match=f"{seats} seats need as many players, not {players}"):
        rounds("swiss", players, seats)


# -- Entrants --------------------------------------------------------------------------------------

GAME = TicTacToe()
ONE_NODE = TimeControl(nodes=1)
GOOD = SquareWeights.loads("2 1 2\n1 3 1\n2 1 2")
BAD = SquareWeights.loads("1 2 1\n2 0 2\n1 2 1")


def chance(name: str = "chance") -> Entrant:
    async def start() -> Engine:
        return RandomEngine()

    return Entrant(name=name, factory=start)


def squares(genome: SquareWeights, name: str) -> Entrant:
    async def start() -> Engine:
        return SquarePlayer(genome, name)

    return Entrant(name=name, factory=start)


class Fragile(RandomEngine):
    """A random player that counts its openings and closings, and dies after so many moves."""

    opened = closed = 0

    def __init__(self, think_seconds: float = 0.0, lives: int = 10**9) -> None:
        super().__init__()
        type(self).opened += 1
        self.lives = lives
        self.think_seconds = think_seconds
        self.busy = False

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        assert not self.busy, "one game at a time"
        self.busy = True
        try:
            self.lives -= 1
            if self.lives < 0:
                raise EngineError("worn out")
            async for info in super().think(state, limit):
                yield info
            if self.think_seconds:
                await asyncio.sleep(self.think_seconds)
        finally:
            self.busy = False

    async def close(self) -> None:
        type(self).closed += 1


@pytest.fixture(autouse=True)
def _count_anew() -> None:
    Fragile.opened = Fragile.closed = 0


def fragile(think_seconds: float = 0.0, lives: int = 10**9) -> Entrant:
    async def start() -> Engine:
        return Fragile(think_seconds, lives)

    return Entrant(name="fragile", factory=start)


def summary(table: Crosstable) -> list[tuple[int, int, tuple[int, int], tuple[int, ...]]]:
    return [
        (played.index, played.round, played.seats, tuple(turn.action for turn in played.result.history))
        for played in table.games
    ]


# -- The schedule ----------------------------------------------------------------------------------


async def test_pairs_exchange_the_seats_over_each_opening() -> None:
    openings = [GAME.state_from("x..o....."), GAME.state_from("....x...o"), GAME.state_from("x.......o")]
    table = await run(
        GAME, [squares(GOOD, "good"), squares(BAD, "bad")], ONE_NODE, 1, games=8, openings=openings
    )
    assert [(played.index, played.round, played.seats) for played in table.games] == [
        (0, 0, (0, 1)), (1, 0, (1, 0)), (2, 1, (0, 1)), (3, 1, (1, 0)),
        (4, 2, (0, 1)), (5, 2, (1, 0)), (6, 3, (0, 1)), (7, 3, (1, 0)),
    ]  # fmt: skip
    assert summary(table)[0][3] == summary(table)[6][3], "the fourth round has the first opening again"
    assert openings[0].squares == "x..o....."
    first = [played.result.history[0].action for played in table.games]
    assert first == [4, 1, 0, 1, 4, 1, 4, 1], "the first to move is the one on the first seat"


async def test_everyone_meets_everyone() -> None:
    entrants = [squares(GOOD, "good"), squares(BAD, "bad"), chance()]
    table = await run(GAME, entrants, ONE_NODE, 2, games=4)
    assert len(table.games) == 12
    for first, second in [(0, 1), (0, 2), (1, 2)]:
        assert sum(table.singles(first, second)) == 4
        assert sum(table.pairs(first, second)) == 2
        assert table.singles(first, second) == table.singles(second, first)[::-1]
        assert table.pairs(first, second) == table.pairs(second, first)[::-1]
    assert len(table.ratings()) == 3
    assert table.endings() == {Ending.NORMAL: 12}


@pytest.mark.parametrize("concurrency", [2, 5])
async def test_the_outcome_does_not_depend_on_concurrency(concurrency: int) -> None:
    entrants = [chance("one"), chance("two"), squares(GOOD, "good")]
    alone = await run(GAME, entrants, ONE_NODE, 7, games=10)
    reported: list[int] = []
    together = await run(
        GAME,
        entrants,
        ONE_NODE,
        7,
        games=10,
        concurrency=concurrency,
        progress=lambda played: reported.append(played.index),
    )
    assert summary(alone) == summary(together)
    assert reported == list(range(30)), "progress comes in the order of the schedule"
    assert len({actions for *_, actions in summary(alone)}) > 5, "and no two games play the same dice"
    other = await run(GAME, entrants, ONE_NODE, 8, games=10)
    assert summary(other) != summary(alone)


async def test_slow_games_do_not_disturb_the_order() -> None:
    entrants = [fragile(think_seconds=0.002), chance()]
    table = await run(GAME, entrants, ONE_NODE, 3, games=10, concurrency=4)
    assert [played.index for played in table.games] == list(range(10))
    assert Fragile.opened == Fragile.closed == 4, "one engine for each slot, all of them closed"


async def test_chess_from_openings() -> None:
    openings = [position_from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")]
    table = await run(
        Chess(), [chance("one"), chance("two")], ONE_NODE, 1, games=4, openings=openings, max_actions=20
    )
    assert len(table.games) == 4
    assert all(len(played.result.history) <= 20 for played in table.games)
    assert openings[0].plies == 0


@pytest.mark.parametrize(
    ("entrants", "games", "sprt", "complaint"),
    [
        (1, 2, None, "two entrants"),
        (2, 3, None, "3 is not even"),
        (2, 0, None, "0 is not even"),
        (3, 2, Sprt(elo0=0, elo1=5), "SPRT compares two"),
    ],
)
async def test_impossible_schedules(entrants: int, games: int, sprt: Sprt | None, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        await run(GAME, [chance()] * entrants, ONE_NODE, 1, games=games, sprt=sprt)


async def test_games_of_three_are_refused() -> None:
    with pytest.raises(ValueError, match="games of two"):
        await run(Game("skat", 3), [chance()] * 2, ONE_NODE, 1, games=2)


# -- SPRT ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("concurrency", [1, 4])
async def test_sprt_stops_at_the_same_pair(concurrency: int) -> None:
    sprt = Sprt(elo0=0, elo1=100, model="logistic")
    entrants = [squares(GOOD, "good"), chance()]
    table = await run(GAME, entrants, ONE_NODE, 5, games=1_000, concurrency=concurrency, sprt=sprt)
    assert len(table.games) % 2 == 0 and len(table.games) < 200
    assert sprt.verdict(table.pairs(0, 1)) is Verdict.H1
    before = Crosstable(names=table.names, games=table.games[:-2])
    assert sprt.verdict(before.pairs(0, 1)) is Verdict.CONTINUE
    alone = await run(GAME, entrants, ONE_NODE, 5, games=1_000, sprt=sprt)
    assert summary(alone) == summary(table)


async def test_sprt_closes_what_still_plays() -> None:
    entrants = [squares(GOOD, "good"), fragile(think_seconds=0.001)]
    table = await run(
        GAME, entrants, ONE_NODE, 5, games=1_000, concurrency=3, sprt=Sprt(elo0=0, elo1=150, model="logistic")
    )
    assert len(table.games) < 200
    assert Fragile.opened == Fragile.closed == 3


# -- Broken engines --------------------------------------------------------------------------------


async def test_a_crashed_engine_is_started_anew() -> None:
    table = await run(GAME, [fragile(lives=7), squares(GOOD, "good")], ONE_NODE, 1, games=12)
    crashes = table.endings()[Ending.CRASH]
    assert crashes > 2 and table.endings()[Ending.NORMAL] > 2
    assert table.forfeits(0) == crashes and table.forfeits(1) == 0
    assert Fragile.opened == Fragile.closed
    assert Fragile.opened in (crashes, crashes + 1), "a new one after each crash, if it was needed"


async def test_an_engine_that_cannot_start_ends_the_tournament() -> None:
    async def start() -> Engine:
        raise EngineError("no such program")

    entrants = [fragile(), Entrant(name="missing", factory=start)]
    with pytest.raises(EngineError, match="no such program"):
        await run(GAME, entrants, ONE_NODE, 1, games=4, concurrency=2)
    assert Fragile.opened == Fragile.closed


async def test_cancelling_closes_the_engines() -> None:
    task = asyncio.create_task(
        run(GAME, [fragile(think_seconds=0.01), chance()], ONE_NODE, 1, games=1_000, concurrency=2)
    )
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert Fragile.opened == Fragile.closed == 2


# -- The table -------------------------------------------------------------------------------------


def _played(index: int, seats: tuple[int, int], returns: tuple[float, float]) -> Played:
    result = Result(returns=returns, ending=Ending.NORMAL, history=())
    return Played(index=index, round=index // 2, seats=seats, result=result)


def test_the_table_by_hand() -> None:
    won, drawn, lost = (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)
    table = Crosstable(
        names=("a", "b"),
        games=(
            _played(0, (0, 1), won), _played(1, (1, 0), won),  # 1-0 and 0-1: one point of two
            _played(2, (0, 1), won), _played(3, (1, 0), lost),  # two points
            _played(4, (0, 1), lost), _played(5, (1, 0), drawn),  # half a point
            _played(6, (0, 1), drawn),  # an interrupt: half a pair
        ),
    )  # fmt: skip
    assert table.singles(0, 1) == (2, 2, 3)
    assert table.pairs(0, 1) == (0, 1, 1, 0, 1)
    assert [played.half_points(0) for played in table.games] == [2, 0, 2, 2, 0, 1, 1]
    first, second = table.ratings()
    assert first.value > 0 > second.value
    assert table.forfeits(0) == 0
