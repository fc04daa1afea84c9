"""The Population of several leagues: islands that breed apart, and now and then send their best to the next one.

Reference: "Evolving Board Evaluation Functions", section 5.3.2 (against convergence). An island has its part of the
population and of the elite. Who goes is also still there.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from engines.acquire.genome import Genome
from engines.acquire.league.config import LeagueConfig
from engines.acquire.league.league import League, Past, Task
from engines.acquire.league.niches import variety
from engines.evolution.population import Generation, derive_seed


class Archipelago:
    """IDs are dealt to the islands in turn."""

    def __init__(self, config: LeagueConfig, seed: int, past: Past) -> None:
        count = config.islands
        part = replace(config, islands=1, population=config.population // count, elite=config.elite // count)
        self.generation = -1
        self._config = config
        self._islands = [
            League(part, derive_seed(seed, island), past, island, count) for island in range(count)
        ]

    def tasks(self) -> list[Task]:
        return [task for island in self._islands for task in island.tasks()]

    def step(self, outcomes: Sequence[Any]) -> Generation[Genome]:
        config, parts = self._config, iter(outcomes)
        stepped = [island.step(list(islice(parts, len(island.tasks())))) for island in self._islands]
        self.generation += 1
        if self.generation and self.generation % config.migration_interval == 0:
            leaving = [island.emigrants(config.migrants) for island in self._islands]
            for number, island in enumerate(self._islands):
                island.settle(leaving[number - 1])
        return Generation(
            number=self.generation,
            born=tuple(sorted(chain.from_iterable(each.born for each in stepped), key=lambda born: born.id)),
            contests=tuple(
                replace(contest, niche=niche)
                for niche, each in enumerate(stepped)
                for contest in each.contests
            ),
            statistics=self._facts(stepped) if self.generation else {},
        )

    def dumps(self) -> str:
        return json.dumps([island.dumps() for island in self._islands])

    def resume(self, state: str) -> None:
        """Go on from what dumps() wrote."""
        for island, text in zip(self._islands, json.loads(state), strict=True):
            island.resume(text)
        self.generation = self._islands[0].generation

    def _facts(self, stepped: Sequence[Generation[Genome]]) -> dict[str, Any]:
        """Those of the island with the best player, and what they have in common."""
        facts = [dict(each.statistics) for each in stepped]
        bests = [each["fitness"]["best"] for each in facts]
        leading = facts[bests.index(max(bests))] | {"islands": bests}
        if self._config.behaviour_states:
            leading["behaviours"] = variety([each for island in self._islands for each in island.chosen])
        return leading
