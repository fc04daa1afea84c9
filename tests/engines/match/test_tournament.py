"""Tournaments: who meets whom, the same outcome for any concurrency, early stop, broken engines."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from core.chess.fen import position_from_fen
from core.chess.game import Chess
from core.game import Game, State
from engines.engine import Engine, EngineError, Limit, Thought
from engines.match.match import Ending, Result
from engines.match.rating import Sprt, Verdict
from engines.match.tournament import Crosstable, Entrant, Played, run
from engines.random_player import RandomPlayer
from engines.time_control import TimeControl
from tests.fifth_game.tictactoe import SquarePlayer, SquareWeights, TicTacToe

GAME = TicTacToe()
ONE_NODE = TimeControl(nodes=1)
GOOD = SquareWeights.loads("2 1 2\n1 3 1\n2 1 2")
BAD = SquareWeights.loads("1 2 1\n2 0 2\n1 2 1")


def chance(name: str = "chance") -> Entrant:
    async def start() -> Engine:
        return RandomPlayer()

    return Entrant(name=name, open=start)


def squares(genome: SquareWeights, name: str) -> Entrant:
    async def start() -> Engine:
        return SquarePlayer(genome, name)

    return Entrant(name=name, open=start)


class Fragile(RandomPlayer):
    """A random player that counts its openings and closings, and dies after so many moves."""

    opened = closed = 0

    def __init__(self, think_seconds: float = 0.0, lives: int = 10**9) -> None:
        super().__init__()
        type(self).opened += 1
        self.lives = lives
        self.think_seconds = think_seconds
        self.busy = False

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Thought, None]:
        assert not self.busy, "one game at a time"
        self.busy = True
        try:
            self.lives -= 1
            if self.lives < 0:
                raise EngineError("worn out")
            async for thought in super().think(state, limit):
                yield thought
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

    return Entrant(name="fragile", open=start)


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
    heard: list[int] = []
    together = await run(
        GAME,
        entrants,
        ONE_NODE,
        7,
        games=10,
        concurrency=concurrency,
        progress=lambda played: heard.append(played.index),
    )
    assert summary(alone) == summary(together)
    assert heard == list(range(30)), "progress comes in the order of the schedule"
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

    entrants = [fragile(), Entrant(name="missing", open=start)]
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
