"""The Population of an evolution strategy: one centre that learns from games between mirror images around it.

Every generation draws pairs of genomes, each the other's mirror image through the centre. The two play each other
from the same openings with both colours, and the strategy moves the centre towards the winners. The table of genes
(engines/chess/genes.py) has a genome's numbers and their units.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from msgspec import Struct

from core.random import Random
from engines.chess.game_settings import GameSettings, contests, fitness, results
from engines.chess.gene_pool import GenomeById
from engines.chess.genome import Genome
from engines.chess.self_play import GameResult, SelfPlayGame
from engines.evolution.evolution_strategy import Strategy, StrategyState
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.evolution.state import Count

SEARCHING: Final = frozenset({"Look Ahead Gene", "Search Gene"})
SAMPLES: Final = 1  # stream of a generation's random numbers


class EsState(Struct, frozen=True, kw_only=True):
    """The state from which an evolution strategy resumes."""

    generation: Count
    next_id: Count
    centre: Count  # its ID
    strategy: StrategyState


class EsPopulation:
    """A centre and its images, of which each generation has `gene_pool_population`."""

    def __init__(
        self,
        settings: GameSettings,
        seed: int,
        genome_of: GenomeById,
        founder: Genome,
        state: EsState | None = None,
    ) -> None:
        self._config = config = settings.config
        self._genes = (
            SEARCHING if config.genes == "search" else frozenset(gene.name for gene in founder.genes)
        )
        part = founder.only(self._genes)
        state = state or EsState(
            generation=-1, next_id=1, centre=0, strategy=StrategyState.begin(part.numbers())
        )
        self.generation = state.generation
        genome = genome_of(state.centre) if state.centre else replace(founder, id=None)
        self.centre = Individual(id=state.centre, genome=genome, origin="founder")
        self.game_seconds = config.minimum_game_time
        self._seed = seed
        self._settings = settings
        self._next_id = state.next_id
        self._strategy = Strategy(
            state=state.strategy,
            units=part.steps(),
            first_step=config.first_step,
            rate=config.learning_rate,
            planned=config.planned_rounds,
        )

    def tasks(self) -> list[SelfPlayGame]:
        if self.generation < 0:
            return []
        coming = self.generation + 1
        pairs = map(self._images, self._samples(coming))
        return self._settings.round(self._seed, coming, pairs, self.centre.genome, self.game_seconds)

    def step(self, outcomes: Sequence[GameResult]) -> Generation[Genome]:
        self.generation += 1
        if self.generation == 0:
            return Generation(number=0, born=(self.centre,), statistics=self._statistics())
        samples = self._samples(self.generation)
        count = self._config.games_per_pairing
        born: list[Individual[Genome]] = []
        played: list[Contest] = []
        edges = []  # mean results of the plus sides
        for index, sample in enumerate(samples):
            plus, minus = (self._add(genome, born, "mirror") for genome in self._images(sample))
            games = outcomes[index * count : (index + 1) * count]
            played += contests(games, plus.id, minus.id)
            edges.append(sum(results(games)) / count)
        self._strategy.learn(samples, edges)
        self.centre = self._add(self._genome_at(self._strategy.state.centre), born, "centre")
        self._next_id += len(born)
        panel = self._settings.panel_statistics(self.generation, outcomes[len(samples) * count :])
        return Generation(
            number=self.generation,
            born=tuple(born),
            contests=tuple(played),
            statistics=self._statistics() | panel,
            fitness=fitness(played),
        )

    @property
    def state(self) -> EsState:
        return EsState(
            generation=self.generation,
            next_id=self._next_id,
            centre=self.centre.id,
            strategy=self._strategy.state,
        )

    def best(self) -> Individual[Genome]:
        """Return the centre."""
        return self.centre

    # -- Helpers -----------------------------------------------------------------------------------

    def _samples(self, generation: int) -> list[list[float]]:
        rng = Random(derive_seed(self._seed, generation, SAMPLES))
        return [self._strategy.sample(rng) for _ in range(self._config.gene_pool_population // 2)]

    def _images(self, sample: list[float]) -> tuple[Genome, Genome]:
        """Return the two genomes at a sample's step from the centre, in both directions."""
        return self._genome_at(self._strategy.moved(sample, 1)), self._genome_at(
            self._strategy.moved(sample, -1)
        )

    def _genome_at(self, numbers: Sequence[float]) -> Genome:
        """Return the centre's genome with other numbers in the genes that evolve."""
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
