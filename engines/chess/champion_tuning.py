"""The population of `pool rules = examination`: a champion is tuned by positions of its own games, and games decide.

In every generation the champion plays itself, and quiet positions of its games are added to the training set. Genomes
that are bred from the best so far are graded by it, many times over. The best of them, the challenger, meets the champion
in a gating match, until a sequential test says whether it is better; if so, it is the new champion.

Methods: O. David-Tabibi, M. Koppel, N. Netanyahu, "Expert-driven genetic algorithms for simulating evaluation functions"
(2011), but without experts, since the positions are the run's own; Texel's tuning. Keys of configurations, and what is
stored, have older names: the training set is the `paper`, the gating match the `trial`.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from core.chess.evaluation import GENES
from core.random import Random
from engines.chess.breeding import PIECES, TUNED, MatingBreeder, StrategyBreeder
from engines.chess.config import PoolConfig
from engines.chess.game_record import GameRecord
from engines.chess.game_settings import GameSettings, Panel
from engines.chess.gene_pool import GenomeById
from engines.chess.genes import ENDGAME, OPENING
from engines.chess.genome import Genome
from engines.chess.self_play import MEASURE, GameResult, SelfPlayGame
from engines.chess.training_set import COLUMNS, Losses, TrainingSet, Weights
from engines.evolution.population import (
    Contest,
    Generation,
    Individual,
    Measurement,
    derive_seed,
    mean_returns,
)
from engines.statistics import Sprt, Verdict

TRAINING_GAMES, GATING_GAMES, POSITIONS, BATCH, SAMPLES, SHAPE, FOUNDERS = range(
    7
)  # streams of random numbers
TRAINING, GATING = range(2)  # niches of contests
PREPARED: Final = 32_768  # positions that tell how much each count is seen

Records = Callable[[], Iterable[tuple[int, Contest]]]  # all contests of the run, each with its generation


class ChampionTuning:
    """A champion, the challenger whom it plays if there is one, and a population that is graded."""

    def __init__(
        self,
        config: PoolConfig,
        seed: int,
        settings: GameSettings,
        genome_of: GenomeById,
        records: Records,
        founder: Genome | None,
    ) -> None:
        self.generation = -1
        self.game_seconds = config.minimum_game_time
        self._config = config
        self._seed = seed
        self._settings = settings
        self._genome_of = genome_of
        self._records = records
        self._next_id = 1
        genome = founder or random_genome(Random(derive_seed(seed, 0, FOUNDERS)))
        self.champion = Individual(id=0, genome=replace(genome, id=None), origin="founder")
        _check(genome)
        self._challenger: Individual[Genome] | None = None
        self._tally = [0] * 5  # of the gating match: pairs by the challenger's points
        self._test = Sprt(elo0=0.0, elo1=config.trial_elo, model="logistic")
        self._added = [0]  # positions, up to each generation
        self._training_set = TrainingSet(
            config.paper_positions, config.result_weight, config.positions_per_game
        )
        self._breeder: StrategyBreeder | MatingBreeder = (
            StrategyBreeder(config) if config.breeding == "strategy" else MatingBreeder(config)
        )
        self._panel = Panel(
            settings=settings, games=config.panel_games, interval=config.panel_interval, seed=seed
        )

    def tasks(self) -> list[SelfPlayGame]:
        if self.generation < 0:
            return []
        coming = self.generation + 1
        champion = self.champion.genome
        games = []
        for number in range(self._config.paper_games):
            seed = derive_seed(self._seed, coming, TRAINING_GAMES, number)
            games += self._settings.games(champion, champion, 1, self.game_seconds, seed)
        if self._challenger:
            seed = derive_seed(self._seed, coming, GATING_GAMES)
            games += self._settings.games(
                self._challenger.genome, champion, self._config.trial_games, self.game_seconds, seed
            )
        return self._lengthened(games) + self._panel.games_of(coming, champion, self.game_seconds)

    def step(self, outcomes: Sequence[GameResult]) -> Generation[Genome]:
        self.generation += 1
        if self.generation == 0:
            return Generation(number=0, born=(self.champion,), statistics=self._statistics([]))
        papers = self._config.paper_games
        contests = [
            _contest(TRAINING, outcome, self.champion.id, self.champion.id) for outcome in outcomes[:papers]
        ]
        for number, contest in enumerate(contests):
            self._add(self.generation, number, contest, self.champion.genome)
        self._added.append(self._training_set.added)
        rest = outcomes[papers:]
        if self._challenger:
            trial, rest = rest[: self._config.trial_games], rest[self._config.trial_games :]
            contests += self._judged(self._challenger, trial)
        scores = self._panel.scores(self.generation, rest)
        losses: list[float] = []
        if len(self._training_set):  # games without a quiet position teach nothing
            self._prepare()
            losses = [self._bred(number) for number in range(self._config.breeding_steps)]
        born: tuple[Individual[Genome], ...] = ()
        if losses and not self._challenger:
            genome = self.champion.genome.merged(self._breeder.best())
            self._challenger = Individual(
                id=self._next_id,
                genome=genome,
                parents=(self.champion.id,),
                generation=self.generation,
                origin="challenger",
            )
            self._next_id += 1
            born = (self._challenger,)
        return Generation(
            number=self.generation,
            born=born,
            contests=tuple(contests),
            statistics=self._statistics(losses) | ({"panel": scores} if scores else {}),
            fitness=Measurement(
                name=MEASURE, values=mean_returns(each for each in contests if each.niche != TRAINING)
            ),
        )

    def dumps(self) -> str:
        return json.dumps({
            "generation": self.generation,
            "next_id": self._next_id,
            "centre": self.champion.id,
            "challenger": self._challenger and self._challenger.id,
            "tally": self._tally,
            "added": self._added,
            "breeder": self._breeder.data(),
        })  # fmt: skip

    def resume(self, state: str) -> None:
        """Go on from what dumps() wrote; the training set is made again from the games on record."""
        data = json.loads(state)
        self.generation = data["generation"]
        self._next_id = data["next_id"]
        self.champion = self._individual(data["centre"])
        self._challenger = None if data["challenger"] is None else self._individual(data["challenger"])
        self._tally = data["tally"]
        self._breeder.resume(data["breeder"], self.champion.genome)
        added = data["added"]  # positions, up to each generation
        first = next(
            number
            for number in range(len(added))
            if added[-1] - added[number] <= self._config.paper_positions
        )
        first = max(first - 1, 0)  # of this generation some positions are still in the training set
        self._training_set.added = added[first]
        self._added = added[:]
        champions: dict[int, Genome] = {}
        number, before = 0, -1
        for generation, contest in self._records():
            number = number + 1 if generation == before else 0
            before = generation
            if contest.niche == TRAINING and generation > first:
                id = contest.players[0]
                if id not in champions:
                    champions[id] = self._genome_of(id)
                self._add(generation, number, contest, champions[id])

    def best(self) -> Individual[Genome]:
        """Return the champion."""
        return self.champion

    # -- Helpers -----------------------------------------------------------------------------------

    def _lengthened(self, games: list[SelfPlayGame]) -> list[SelfPlayGame]:
        """The games with as many nodes a move as this round has: they grow by the same factor every round."""
        first, last = self._config.nodes_per_move, self._config.last_nodes_per_move
        if not first or not last:
            return games
        share = min((self.generation + 1) / self._config.planned_rounds, 1.0)
        nodes = round(first * (last / first) ** share)
        return [replace(game, nodes=nodes) for game in games]

    def _individual(self, id: int) -> Individual[Genome]:
        return Individual(id=id, genome=self._genome_of(id), origin="challenger" if id else "founder")

    def _add(self, generation: int, number: int, contest: Contest, genome: Genome) -> None:
        """Add positions of one of the champion's games to the training set."""
        seed = derive_seed(self._seed, generation, POSITIONS, number)
        self._training_set.add(GameRecord.unpack(contest.record), _force(genome), seed)

    def _judged(self, challenger: Individual[Genome], outcomes: Sequence[GameResult]) -> list[Contest]:
        """Count games of the gating match; if they decide it, the challenger is the new champion, or is dropped."""
        contests = []
        for first, second in zip(outcomes[::2], outcomes[1::2], strict=True):
            self._tally[2 + int(first.returns[0] + second.returns[1])] += 1
            contests.append(_contest(GATING, first, challenger.id, self.champion.id))
            contests.append(_contest(GATING, second, self.champion.id, challenger.id))
        verdict = self._test.verdict(self._tally)
        if verdict == Verdict.H1:
            self.champion = challenger
        if verdict != Verdict.CONTINUE or 2 * sum(self._tally) >= self._config.longest_trial:
            self._challenger = None
            self._tally = [0] * 5
        return contests

    def _prepare(self) -> None:
        """Tell the breeder how often counts occur in the training set as it is now."""
        if not self._breeder.is_begun:
            rng = Random(derive_seed(self._seed, self.generation, FOUNDERS))
            self._breeder.begin(self.champion.genome, rng)
        rows = self._training_set.draw(PREPARED, derive_seed(self._seed, self.generation, SHAPE))
        self._breeder.prepare(self._training_set.moments(rows))

    def _bred(self, number: int) -> float:
        """Let the population take a step, and return its loss."""
        rows = self._training_set.draw(
            self._config.graded_positions, derive_seed(self._seed, self.generation, BATCH, number)
        )

        def loss_of(weights: Weights) -> Losses:
            return self._training_set.losses(weights, rows) + self._config.price * _squares(weights)

        return self._breeder.step(loss_of, derive_seed(self._seed, self.generation, SAMPLES, number))

    def _statistics(self, losses: Sequence[float]) -> dict[str, Any]:
        found: dict[str, Any] = {
            "living": [[self.champion.id]],
            "centre": self.champion.id,
            "challenger": self._challenger and self._challenger.id,
            "trial": list(self._tally),
            "positions": len(self._training_set),
            "seconds": self.game_seconds,
        }
        return found | ({"loss": losses[-1]} if losses else {})


def random_genome(rng: Random) -> Genome:
    """Return a genome with random pieces and positional genes; its other board-scoring genes are switched off."""
    genome = Genome.random(rng, extended=True)
    return without_others(genome)


def without_others(genome: Genome) -> Genome:
    """Return the genome with those board-scoring genes switched off that cannot be tuned, and the others on."""
    return replace(
        genome,
        genes=tuple(
            replace(gene, active=gene.name in TUNED or gene.name in ("Look Ahead Gene", "Search Gene"))
            for gene in genome.genes
        ),
    )


def _squares(weights: Weights) -> Losses:
    """Return the sum of the squares of all positional weights, for each genome."""
    first = len(PIECES)
    positional = np.vstack([weights[first:COLUMNS], weights[COLUMNS + first : 2 * COLUMNS]])
    sums: Losses = np.add.reduce(positional**2, axis=0)  # row by row
    return sums


def _check(genome: Genome) -> None:
    """Raise ValueError for a genome whose score is no sum of counts."""
    names = {f"{name} Gene" for name in GENES} - TUNED
    for gene in genome.genes:
        if gene.active and gene.name in names:
            raise ValueError(f"the tuning cannot grade {gene.name}: the founder must have it INACTIVE")


def _force(genome: Genome) -> float:
    """Return Total Force halfway through the game."""
    gene = genome["Total Force Gene"]
    return (gene.within(OPENING, "Priority") + gene.within(ENDGAME, "Priority")) / 2


def _contest(niche: int, outcome: GameResult, white: int, black: int) -> Contest:
    return Contest(
        niche=niche,
        players=(white, black),
        returns=outcome.returns,
        ending=outcome.ending,
        length=outcome.plies,
        record=outcome.record,
    )
