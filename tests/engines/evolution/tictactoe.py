"""Runs of the fifth game, made up as they are needed, and what their curves show."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.random import Random
from engines.evolution.population import Generation, Individual
from engines.evolution.run_store import NAME, RunStore
from tests.fifth_game.tictactoe import SquareWeights

GENOME = SquareWeights.random(Random(1))


class Bests:
    """Curves of the fifth game."""

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        return {"fitness: best": statistics["best"]}

    def champion(self, record: Sequence[Mapping[str, Any]], state: str) -> int | None:
        return len(record) - 1

    def traits(self, text: str) -> dict[str, float]:
        return {"letters": len(text), "nothing": 0.0}


def write(folder: Path, generations: int, seed: int = 7) -> None:
    """So many more."""
    is_new = not (folder / NAME).exists()
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
