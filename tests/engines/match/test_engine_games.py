"""Matches between engines: the schedule, the same outcome for any concurrency, early stop, broken engines."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from core.chess.game import Chess
from core.chess.notation import position_from_fen
from core.game import Game, State
from engines.engine import Engine, EngineError, Info, Limit
from engines.match.engine_games import EngineFactory
from engines.match.standings import Standings
from engines.random_engine import RandomEngine
from engines.statistics import Sprt, Verdict
from engines.time_control import TimeControl
from tests.engines.match.engine_match import play_match
from tests.fifth_game.tictactoe import SquarePlayer, SquareWeights, TicTacToe

# -- Entrants --------------------------------------------------------------------------------------

GAME = TicTacToe()
ONE_NODE = TimeControl(nodes=1)
GOOD = SquareWeights.loads("2 1 2\n1 3 1\n2 1 2")
BAD = SquareWeights.loads("1 2 1\n2 0 2\n1 2 1")


def chance() -> EngineFactory:
    async def start() -> Engine:
        return RandomEngine()

    return start


def squares(genome: SquareWeights) -> EngineFactory:
    async def start() -> Engine:
        return SquarePlayer(genome)

    return start


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
def _reset_counts() -> None:
    Fragile.opened = Fragile.closed = 0


def fragile(think_seconds: float = 0.0, lives: int = 10**9) -> EngineFactory:
    async def start() -> Engine:
        return Fragile(think_seconds, lives)

    return start


# -- The schedule ----------------------------------------------------------------------------------


async def test_pairs_exchange_the_seats_over_each_opening() -> None:
    openings = [GAME.state_from("x..o....."), GAME.state_from("....x...o"), GAME.state_from("x.......o")]
    table = await play_match(GAME, [squares(GOOD), squares(BAD)], ONE_NODE, 1, games=8, openings=openings)
    assert [each[:3] for each in table.summary()] == [
        (0, 0, (0, 1)), (1, 0, (1, 0)), (2, 1, (0, 1)), (3, 1, (1, 0)),
        (4, 2, (0, 1)), (5, 2, (1, 0)), (6, 3, (0, 1)), (7, 3, (1, 0)),
    ]  # fmt: skip
    assert table.summary()[0][3] == table.summary()[6][3], "the fourth round has the first opening again"
    assert openings[0].squares == "x..o....."
    first = [actions[0] for *_, actions in table.summary()]
    assert first == [4, 1, 0, 1, 4, 1, 4, 1], "the first to move is the one on the first seat"


async def test_every_entrant_plays_every_other_entrant() -> None:
    entrants = [squares(GOOD), squares(BAD), chance()]
    table = await play_match(GAME, entrants, ONE_NODE, 2, games=4)
    standings = table.standings
    assert len(table.outcomes) == 12
    for first, second in [(0, 1), (0, 2), (1, 2)]:
        assert sum(standings.against(first, second)) == 4
        assert sum(standings.pairs(first, second)) == 2
        assert standings.against(first, second) == standings.against(second, first)[::-1]
        assert standings.pairs(first, second) == standings.pairs(second, first)[::-1]
    assert len(standings.ratings()) == 3
    assert standings.endings == {"normal": 12}


@pytest.mark.parametrize("concurrency", [2, 5])
async def test_the_outcome_does_not_depend_on_concurrency(concurrency: int) -> None:
    entrants = [chance(), chance(), squares(GOOD)]
    alone = await play_match(GAME, entrants, ONE_NODE, 7, games=10)
    together = await play_match(GAME, entrants, ONE_NODE, 7, games=10, concurrency=concurrency)
    assert alone.summary() == together.summary()
    assert [number for number, *_ in together.summary()] == list(range(30)), "games count in order"
    assert len({actions for *_, actions in alone.summary()}) > 5, "and no two games play the same dice"
    other = await play_match(GAME, entrants, ONE_NODE, 8, games=10)
    assert other.summary() != alone.summary()


class Witness(RandomEngine):
    """A random player that notes the limits of its moves."""

    def __init__(self, limits: list[Limit]) -> None:
        super().__init__()
        self._limits = limits

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        self._limits.append(limit)
        async for info in super().think(state, limit):
            yield info


async def test_each_player_keeps_its_time_control_on_either_seat() -> None:
    seen: tuple[list[Limit], list[Limit]] = [], []

    def witness(player: int) -> EngineFactory:
        async def start() -> Engine:
            return Witness(seen[player])

        return start

    control = TimeControl(seconds=50.0, increment=2.0, nodes=1000)
    await play_match(GAME, [witness(0), witness(1)], [control, control.scaled(0.1)], 1, games=4)
    for limits, seconds, increment, nodes in ((seen[0], 50.0, 2.0, 1000), (seen[1], 5.0, 0.2, 100)):
        clocks = [limit.clock for limit in limits if limit.clock]
        assert min(clock.seconds for clock in clocks) == pytest.approx(seconds, rel=0.05)
        assert {round(clock.increment, 9) for clock in clocks} == {increment}
        assert {limit.nodes for limit in limits} == {nodes}
        assert len(clocks) >= 8, "on both seats"


async def test_slow_games_do_not_disturb_the_order() -> None:
    entrants = [fragile(think_seconds=0.002), chance()]
    table = await play_match(GAME, entrants, ONE_NODE, 3, games=10, concurrency=4)
    assert [number for number, *_ in table.summary()] == list(range(10))
    assert Fragile.opened == Fragile.closed == 4, "one engine for each slot, all of them closed"


async def test_chess_games_start_from_copies_of_the_openings() -> None:
    openings = [position_from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")]
    table = await play_match(
        Chess(), [chance(), chance()], ONE_NODE, 1, games=4, openings=openings, max_actions=20
    )
    assert len(table.outcomes) == 4
    assert all(len(actions) <= 20 for *_, actions in table.summary())
    assert openings[0].plies == 0


async def test_games_for_three_players_are_refused() -> None:
    with pytest.raises(ValueError, match="3 players, not 2"):
        await play_match(Game("skat", 3), [chance()] * 2, ONE_NODE, 1, games=2)


# -- SPRT ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("concurrency", [1, 4])
async def test_sprt_stops_at_the_same_pair_for_any_concurrency(concurrency: int) -> None:
    sprt = Sprt(elo0=0, elo1=100, model="logistic")
    entrants = [squares(GOOD), chance()]
    table = await play_match(GAME, entrants, ONE_NODE, 5, games=1_000, concurrency=concurrency, sprt=sprt)
    assert len(table.outcomes) % 2 == 0 and len(table.outcomes) < 200
    assert sprt.verdict(table.standings.pairs(0, 1)) is Verdict.H1
    before = Standings(("good", "chance"), has_pairs=True)
    for outcome in table.outcomes[:-2]:
        before.add(outcome)
    assert sprt.verdict(before.pairs(0, 1)) is Verdict.CONTINUE
    alone = await play_match(GAME, entrants, ONE_NODE, 5, games=1_000, sprt=sprt)
    assert alone.summary() == table.summary()


async def test_sprt_closes_engines_that_are_still_playing() -> None:
    entrants = [squares(GOOD), fragile(think_seconds=0.001)]
    table = await play_match(
        GAME, entrants, ONE_NODE, 5, games=1_000, concurrency=3, sprt=Sprt(elo0=0, elo1=150, model="logistic")
    )
    assert len(table.outcomes) < 200
    assert Fragile.opened == Fragile.closed == 3


# -- Broken engines --------------------------------------------------------------------------------


async def test_a_crashed_engine_is_started_anew() -> None:
    table = await play_match(GAME, [fragile(lives=7), squares(GOOD)], ONE_NODE, 1, games=12)
    crashes = table.standings.endings["crash"]
    assert crashes > 2 and table.standings.endings["normal"] > 2
    assert table.standings.player(0).forced == crashes and table.standings.player(1).forced == 0
    assert {each.remark for each in table.outcomes if each.ending == "crash"} == {"worn out"}
    assert Fragile.opened == Fragile.closed
    assert Fragile.opened in (crashes, crashes + 1), "a new one after each crash, if it was needed"


async def test_an_engine_that_cannot_start_ends_the_tournament() -> None:
    async def start() -> Engine:
        raise EngineError("no such program")

    entrants = [fragile(), start]
    with pytest.raises(EngineError, match="no such program"):
        await play_match(GAME, entrants, ONE_NODE, 1, games=4, concurrency=2)
    assert Fragile.opened == Fragile.closed


async def test_cancelling_closes_the_engines() -> None:
    task = asyncio.create_task(
        play_match(GAME, [fragile(think_seconds=0.01), chance()], ONE_NODE, 1, games=1_000, concurrency=2)
    )
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert Fragile.opened == Fragile.closed == 2
