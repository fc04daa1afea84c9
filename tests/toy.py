"""Toys for tests: engines that do by script what an engine may do, a game of three, a pool without processes, and runs
of the fifth game that are made up as they are needed.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.chess.game import Chess
from core.game import Game, State
from core.random import Random
from engines.config import RUN_FILE
from engines.engine import EngineError, Info, Limit, Option
from engines.evolution.charts import Chart
from engines.evolution.population import Generation, Individual
from engines.evolution.run import Experiment, GenerationRecorded, evolve
from engines.evolution.run_store import RunStore
from engines.evolution.story import Milestone, Story
from engines.time_control import TimeControl
from engines.worker_pool import WorkerPool
from tests.fifth_game.tictactoe import SquareWeights, TicTacToe

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

CHESS = Chess()
GAME = TicTacToe()
ONE_NODE = TimeControl(nodes=1)
BARE_KING = "k7/8/8/8/8/8/8/KQ6 {} - - 0 1"
Think = Callable[[State, Limit], AsyncGenerator[Info, None]]
GENOME = SquareWeights.random(Random(1))


# -- Engines ---------------------------------------------------------------------------------------


class Scripted:
    """An engine whose think() is given; it remembers its limits."""

    author = "a test"
    options: tuple[Option, ...] = ()

    def __init__(self, think: Think, name: str = "Scripted") -> None:
        self.name = name
        self.limits: list[Limit] = []
        self.games = 0
        self._think = think

    def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        self.limits.append(limit)
        return self._think(state, limit)

    async def configure(self, name: str, value: str) -> None:
        raise ValueError(f"no option is named {name!r}")

    async def new_game(self) -> None:
        self.games += 1

    async def close(self) -> None:
        pass


async def first_action(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0], nodes=100)


async def improves(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    for action in state.legal_actions():
        yield Info(action=action)


async def hangs(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    await asyncio.Event().wait()


async def ignores_stop(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    for _ in range(3):  # not for ever, or the test would not end either
        try:
            await asyncio.sleep(0.3)
        except asyncio.CancelledError:
            continue


async def crashes(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    raise EngineError("the process died")


async def crashes_when_stopped(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    try:
        yield Info(action=state.legal_actions()[0])
        await asyncio.Event().wait()
    finally:
        raise EngineError("no bestmove")


async def is_silent(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    if limit.depth == -1:
        yield Info(action=0)


async def cheats(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=-1, text="e2e5")


async def resigns(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    yield Info(action=state.legal_actions()[0], resign=True)


async def has_a_bug(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    raise KeyError("a bug of ours")


class ThreeInARow(Game):
    """Three players take turns with one action, for ever."""

    def __init__(self) -> None:
        super().__init__("three in a row", 3)

    def new_state(self, rng: Random) -> State:
        return Round()


class Round(State):
    def __init__(self, turn: int = 0) -> None:
        self.turn = turn

    def player(self) -> int:
        return self.turn % 3

    def legal_actions(self) -> list[int]:
        return [0]

    def apply(self, action: int) -> None:
        if action:
            raise ValueError("0 is the only action")
        self.turn += 1

    def is_terminal(self) -> bool:
        return False

    def returns(self) -> list[float]:
        return [0.0, 0.0, 0.0]

    def can_win(self, player: int) -> bool:
        return player != 2

    def clone(self) -> "Round":
        return Round(self.turn)

    def action_text(self, action: int) -> str:
        return "on"


# -- Runs ------------------------------------------------------------------------------------------


class InlinePool(WorkerPool):
    """A pool whose only worker is the event loop."""

    def __init__(self) -> None:
        super().__init__(1)

    async def __aexit__(self, *_: object) -> None:
        """There is nothing to end."""

    async def _run(self, function: Callable[[Task], Outcome], task: Task, prefetch: int) -> Outcome:
        await asyncio.sleep(0)
        return function(task)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Of one game, with the two functions that its experiment has."""

    game: str
    open_experiment: Callable[[RunStore], Experiment]
    seed_in: Callable[[str], int]

    async def gone_on(
        self, folder: Path, config: str, generations: int, pool: WorkerPool
    ) -> list[GenerationRecorded]:
        """So many generations more, or up to its end, of the run in that folder, which is begun if it is not there."""
        recorded: list[GenerationRecorded] = []
        with self._opened(folder, config) as store:
            experiment = self.open_experiment(store)
            stream = evolve(experiment, pool, store)
            while len(recorded) < generations and not experiment.is_over():
                recorded.append(await anext(stream))
            await stream.aclose()
        return recorded

    def _opened(self, folder: Path, config: str) -> RunStore:
        if folder.exists():
            return RunStore.open(folder, writing=True)
        return RunStore.create(
            folder, game=self.game, config=config, seed=self.seed_in(config), version="test"
        )


class Bests:
    """Curves of the fifth game."""

    CHARTS = (
        Chart(
            name="fitness", title="Strength", unit="points", meaning="Rising is better.", is_yardstick=True
        ),
    )

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        return {"fitness: best": statistics["best"]}

    def champion(self, record: Sequence[Mapping[str, Any]], state: str) -> int | None:
        return len(record) - 1

    def traits(self, text: str) -> dict[str, float]:
        return {"letters": len(text), "nothing": 0.0}

    def story(self, store: RunStore) -> Story:
        return Story(
            beginning="Nobody can play.", milestones=[Milestone(generation=1, text="The first child.")]
        )

    def portrait(self, store: RunStore) -> Mapping[str, Any]:
        return {}


def write_run(folder: Path, generations: int, seed: int = 7) -> None:
    """Begin a run, or add to it, so many generations: in each the two youngest have a child."""
    is_new = not (folder / RUN_FILE).exists()
    with (
        RunStore.create(folder, game="tic-tac-toe", config="", seed=seed, version="1")
        if is_new
        else RunStore.open(folder, writing=True)
    ) as store:
        first = store.count("generation")
        for number in range(first, first + generations):
            born = Individual(
                id=number,
                genome=GENOME,
                parents=tuple(range(number)[-2:]),
                generation=number,
                origin="mating",
            )
            statistics = {"best": number / 10, "seed": seed}
            store.write(Generation(number=number, born=(born,), statistics=statistics), "state", "", 0.5)
