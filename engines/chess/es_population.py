"""The Population of an evolution strategy: one centre that learns from games between mirror images around it.

Every generation draws pairs of genomes, each the other's mirror image through the centre. The two play each other
from the same openings with both colours, and the strategy moves the centre towards the winners. What a genome's
numbers are, and their units, is in the table of genes.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.game_settings import GameSettings, Panel
from engines.chess.gene_pool import GenomeById
from engines.chess.genome import Genome
from engines.chess.self_play import MEASURE, GameResult, SelfPlayGame
from engines.evolution.evolution_strategy import Strategy
from engines.evolution.population import (
    Contest,
    Generation,
    Individual,
    Measurement,
    derive_seed,
    mean_returns,
)

SEARCHING: Final = frozenset({"Look Ahead Gene", "Search Gene"})
SAMPLES: Final = 1  # streams of a generation's random numbers
GAMES: Final = 4


class EsPopulation:
    """A centre and its images; `gene_pool_population` of them in each generation."""

    def __init__(
        self, config: PoolConfig, seed: int, settings: GameSettings, genome_of: GenomeById, founder: Genome
    ) -> None:
        self.generation = -1
        self.centre = Individual(id=0, genome=replace(founder, id=None), origin="founder")
        self.game_seconds = config.minimum_game_time
        self._config = config
        self._seed = seed
        self._settings = settings
        self._genome_of = genome_of
        self._next_id = 1
        self._genes = (
            SEARCHING if config.genes == "search" else frozenset(gene.name for gene in founder.genes)
        )
        part = founder.only(self._genes)
        self._strategy = Strategy.begin(
            part.numbers(),
            part.steps(),
            config.first_step,
            config.learning_rate,
            config.planned_rounds,
        )
        self._panel = Panel(
            settings=settings, games=config.panel_games, interval=config.panel_interval, seed=seed
        )

    def tasks(self) -> list[SelfPlayGame]:
        if self.generation < 0:
            return []
        coming = self.generation + 1
        games = []
        count = self._config.games_per_pairing
        for index, (plus, minus) in enumerate(map(self._images, self._samples(coming))):
            seed = derive_seed(self._seed, coming, GAMES, index)
            games += self._settings.games(plus, minus, count, self.game_seconds, seed)
        return games + self._panel.games_of(coming, self.centre.genome, self.game_seconds)

    def step(self, outcomes: Sequence[GameResult]) -> Generation[Genome]:
        self.generation += 1
        if self.generation == 0:
            return Generation(number=0, born=(self.centre,), statistics=self._statistics())
        samples = self._samples(self.generation)
        games = self._config.games_per_pairing
        born: list[Individual[Genome]] = []
        contests: list[Contest] = []
        results = []
        for index, sample in enumerate(samples):
            pair = [self._add(genome, born, "mirror") for genome in self._images(sample)]
            points = 0.0
            for number, game in enumerate(outcomes[index * games : (index + 1) * games]):
                points += game.returns[number % 2]
                white, black = pair if number % 2 == 0 else reversed(pair)
                contests.append(
                    Contest(
                        players=(white.id, black.id),
                        returns=game.returns,
                        ending=game.ending,
                        length=game.plies,
                        record=game.record,
                    )
                )
            results.append(points / games)
        self._strategy.learn(samples, results)
        self.centre = self._add(self._moved(self._strategy.centre), born, "centre")
        self._next_id += len(born)
        scores = self._panel.scores(self.generation, outcomes[len(samples) * games :])
        return Generation(
            number=self.generation,
            born=tuple(born),
            contests=tuple(contests),
            statistics=self._statistics() | ({"panel": scores} if scores else {}),
            fitness=Measurement(name=MEASURE, values=mean_returns(contests)),
        )

    def dumps(self) -> str:
        return json.dumps({
            "generation": self.generation,
            "next_id": self._next_id,
            "centre": self.centre.id,
            "strategy": self._strategy.data(),
        })  # fmt: skip

    def resume(self, state: str) -> None:
        """Go on from what dumps() wrote."""
        data = json.loads(state)
        self.generation = data["generation"]
        self._next_id = data["next_id"]
        self.centre = Individual(id=data["centre"], genome=self._genome_of(data["centre"]), origin="centre")
        self._strategy.resume(data["strategy"])

    def best(self) -> Individual[Genome]:
        """The centre."""
        return self.centre

    # -- Helpers -----------------------------------------------------------------------------------

    def _samples(self, generation: int) -> list[list[float]]:
        rng = Random(derive_seed(self._seed, generation, SAMPLES))
        return [self._strategy.sample(rng) for _ in range(self._config.gene_pool_population // 2)]

    def _images(self, sample: list[float]) -> tuple[Genome, Genome]:
        """The genomes on both sides of the centre."""
        return self._moved(self._strategy.moved(sample, 1)), self._moved(self._strategy.moved(sample, -1))

    def _moved(self, numbers: Sequence[float]) -> Genome:
        """The centre's genome with other numbers in the genes that evolve."""
        genome = self.centre.genome
        return genome.merged(genome.only(self._genes).with_numbers(numbers))

    def _add(self, genome: Genome, born: list[Individual[Genome]], origin: str) -> Individual[Genome]:
        newborn = Individual(
            id=self._next_id + len(born),
            genome=genome,
            parents=(self.centre.id,),
            generation=self.generation,
            origin=origin,
        )
        born.append(newborn)
        return newborn

    def _statistics(self) -> dict[str, Any]:
        return {
            "living": [[self.centre.id]],
            "centre": self.centre.id,
            "step": self._strategy.step,
            "seconds": self.game_seconds,
        }
