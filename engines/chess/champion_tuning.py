"""The population of `pool rules = examination`: a champion is tuned by positions of its own games, and games decide.

A game with thousands of nodes a move gives one result; a stored position says more about a genome for a far smaller
cost. So genomes are bred and graded by positions, and games serve two purposes only: to get positions, and to judge
the best genome.

A generation has four parts; only the first, until the training set has `minimum positions`. (1) The champion plays
itself, from random openings if the configuration asks for them, and quiet positions of these games are added to the
training set, which holds the newest `paper positions`. With `target nodes` these are positions in which search and
evaluation disagree: the player searches them a second time, with so many nodes, and makes the move of that search.
The game's record has its score, the target. (2) If there is a challenger, the two play games of the gating match. (3)
The breeder takes `breeding steps` steps. Each step grades a population of genomes by the loss on `graded positions`
drawn from the training set, plus small prices for the square of each positional weight, and of each weight's distance
from the champion's. (4) If there is no challenger now, the breeder's best genome becomes the challenger.

There are two states: without a challenger, and with one. A challenger does not change during its gating match, while
breeding continues. The match ends when a sequential test of 0 against `trial elo` decides, or after `longest trial`
games. If the test accepts the challenger, it is the new champion; in all other cases it is dropped. The tally of the
match then starts again from 0, and part (4) of the same generation finds the next challenger.

Invariants. The breeder changes the genes in TUNED only; all other board-scoring genes must be switched off, since a
genome's score has to be a sum of counts (`_check`). The state holds no positions: a run that resumes fills its
training set again from the games on record, with the same seeds. Losses are exact on every machine
(engines.chess.training_set).

Experience. A matrix product grades 200 genomes by 8,192 positions in 0.05 s. Small losses matter: 800 steps that
lowered the loss from 0.5128 to 0.5091 were worth 113 Elo [70, 161] at 3,000 nodes a move. The run that bred `evolved`
played 58,450 games in 117 minutes on two cores, at a learning rate of 0.4; a quarter of that rate had given a
champion 195 Elo weaker than the `evolved` before. An early trial took 172,000 positions of 4,800 games, with the
result alone as target and without positions beyond a difference of 12 pawns; its fit scored .215 against `evolved`,
and a queen became worth two pawns in the endgame. Targets are therefore blended with search scores, and unbalanced
positions are kept. Sources: engines/chess/RESULTS.md; engines/chess/runs/evolved.txt.

Methods: O. David-Tabibi, M. Koppel, N. Netanyahu, "Expert-driven genetic algorithms for simulating evaluation
functions" (2011), but without experts, since the positions are the run's own; Texel's tuning. Keys of configurations
and of stored states have older names: the training set is the `paper`, the gating match the `trial`.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Generic, TypeVar

import numpy as np
from msgspec import Meta, Struct

from core.chess.evaluation import GENES
from core.random import Random
from engines.chess.breeding import PIECES, TUNED, MatingBreeder, StrategyBreeder
from engines.chess.game_record import GameRecord
from engines.chess.game_settings import GameSettings, contests, fitness, results
from engines.chess.gene_pool import GenomeById
from engines.chess.genes import ENDGAME, OPENING
from engines.chess.genome import Genome
from engines.chess.self_play import GameResult, SelfPlayGame
from engines.chess.training_set import COLUMNS, Losses, TrainingSet, Weights, weights_of
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.evolution.state import Count
from engines.statistics import Sprt, Verdict

TRAINING_GAMES, GATING_GAMES, POSITIONS, BATCH, SAMPLES, SHAPE, FOUNDERS = range(
    7
)  # streams of random numbers
TRAINING, GATING = range(2)  # niches of contests
NO_GAMES: Final = (0,) * 5  # the tally of a gating match at its start: pairs by the challenger's points
PREPARED: Final = 32_768  # positions by which the breeder measures how often each count occurs

B = TypeVar("B")  # the state of the breeder
Records = Callable[[], Iterable[tuple[int, Contest]]]  # all contests of the run, each with its generation


class TuningState(Struct, Generic[B], frozen=True, kw_only=True):
    """The state from which the tuning of a champion resumes, together with the games on record."""

    generation: Count
    next_id: Count
    centre: Count  # the ID of the champion
    challenger: Count | None  # its ID
    tally: Annotated[
        tuple[Count, ...], Meta(min_length=5, max_length=5)
    ]  # of the gating match: pairs by the challenger's points
    added: Annotated[tuple[Count, ...], Meta(min_length=1)]  # positions, up to each generation
    breeder: B


class ChampionTuning:
    """A champion, its challenger if there is one, and the breeder of a population that is graded by positions."""

    def __init__(
        self,
        settings: GameSettings,
        seed: int,
        genome_of: GenomeById,
        records: Records,
        founder: Genome | None,
        state: TuningState[Any] | None = None,
    ) -> None:
        self._config = config = settings.config
        state = state or TuningState(
            generation=-1,
            next_id=1,
            centre=0,
            challenger=None,
            tally=NO_GAMES,
            added=(0,),
            breeder=None,
        )
        self.generation = state.generation
        self.game_seconds = config.minimum_game_time
        self._seed = seed
        self._settings = settings
        self._next_id = state.next_id
        founder = founder or random_genome(Random(derive_seed(seed, 0, FOUNDERS)))
        _check(founder)
        genome = genome_of(state.centre) if state.centre else replace(founder, id=None)
        self.champion = Individual(id=state.centre, genome=genome, origin="founder")
        self._challenger: Individual[Genome] | None = None
        if state.challenger is not None:
            self._challenger = Individual(id=state.challenger, genome=genome_of(state.challenger))
        self._tally = [*state.tally]
        self._test = Sprt(elo0=0.0, elo1=config.trial_elo, model="logistic")
        self._added = [*state.added]
        self._training_set = TrainingSet(
            config.paper_positions,
            config.result_weight,
            config.positions_per_game,
            # With targets only positions count that were searched with more nodes than a move gets.
            max(config.nodes_per_move or 0, config.last_nodes_per_move or 0) + 1
            if config.target_nodes
            else 0,
        )
        self._fill_training_set(records(), genome_of)
        breeder = StrategyBreeder if config.breeding == "strategy" else MatingBreeder
        self._breeder = breeder(config, genome, state.breeder)

    def tasks(self) -> list[SelfPlayGame]:
        if self.generation < 0:
            return []
        coming = self.generation + 1
        champion = self.champion.genome
        games = []
        for number in range(self._config.paper_games):
            seed = derive_seed(self._seed, coming, TRAINING_GAMES, number)
            (game,) = self._settings.games(champion, champion, 1, self.game_seconds, seed)
            games.append(
                replace(game, target_nodes=self._config.target_nodes, targets=self._config.positions_per_game)
            )
        games = self._lengthened(games)
        if self._challenger:
            seed = derive_seed(self._seed, coming, GATING_GAMES)
            trial = self._settings.games(
                self._challenger.genome, champion, self._config.trial_games, self.game_seconds, seed
            )
            nodes = self._config.trial_nodes
            games += [replace(game, nodes=nodes) for game in trial] if nodes else self._lengthened(trial)
        return games + self._settings.panel_games(self._seed, coming, champion, self.game_seconds)

    def step(self, outcomes: Sequence[GameResult]) -> Generation[Genome]:
        self.generation += 1
        if self.generation == 0:
            return Generation(number=0, born=(self.champion,), statistics=self._statistics([]))
        papers = self._config.paper_games
        champion = self.champion.id
        played = contests(outcomes[:papers], champion, champion, TRAINING)
        for number, contest in enumerate(played):
            self._add(self.generation, number, contest, self.champion.genome)
        self._added.append(self._training_set.added)
        rest = outcomes[papers:]
        if self._challenger:
            trial, rest = rest[: self._config.trial_games], rest[self._config.trial_games :]
            played += self._judged(self._challenger, trial)
        losses: list[float] = []
        if len(self._training_set) >= self._config.minimum_positions:
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
            contests=tuple(played),
            statistics=self._statistics(losses) | self._settings.panel_statistics(self.generation, rest),
            fitness=fitness(each for each in played if each.niche != TRAINING),
        )

    @property
    def state(self) -> TuningState[Any]:
        return TuningState(
            generation=self.generation,
            next_id=self._next_id,
            centre=self.champion.id,
            challenger=self._challenger.id if self._challenger else None,
            tally=tuple(self._tally),
            added=tuple(self._added),
            breeder=self._breeder.state,
        )

    def best(self) -> Individual[Genome]:
        """Return the champion."""
        return self.champion

    # -- Helpers -----------------------------------------------------------------------------------

    def _lengthened(self, games: list[SelfPlayGame]) -> list[SelfPlayGame]:
        """Return the games with the nodes a move of the coming generation, which grow by a constant factor."""
        first, last = self._config.nodes_per_move, self._config.last_nodes_per_move
        if not first or not last:
            return games
        share = min((self.generation + 1) / self._config.planned_rounds, 1.0)
        nodes = round(first * (last / first) ** share)
        return [replace(game, nodes=nodes) for game in games]

    def _fill_training_set(self, records: Iterable[tuple[int, Contest]], genome_of: GenomeById) -> None:
        """Fill the training set again from the games on record."""
        # The games after this generation have all positions of the training set, and more if the set is full.
        first = max(bisect_left(self._added, self._added[-1] - self._config.paper_positions) - 1, 0)
        self._training_set.added = self._added[first]
        champions: dict[int, Genome] = {}
        number, before = 0, -1
        for generation, contest in records:
            number = number + 1 if generation == before else 0
            before = generation
            if contest.niche == TRAINING and generation > first:
                id = contest.players[0]
                if id not in champions:
                    champions[id] = genome_of(id)
                self._add(generation, number, contest, champions[id])

    def _add(self, generation: int, number: int, contest: Contest, genome: Genome) -> None:
        """Add positions of one of the champion's games to the training set."""
        seed = derive_seed(self._seed, generation, POSITIONS, number)
        self._training_set.add(GameRecord.unpack(contest.record), _force(genome), seed)

    def _judged(self, challenger: Individual[Genome], outcomes: Sequence[GameResult]) -> list[Contest]:
        """Count games of the gating match, and promote or drop the challenger when it ends; return the contests."""
        played = contests(outcomes, challenger.id, self.champion.id, GATING)
        for start in range(0, len(outcomes), 2):
            self._tally[2 + int(sum(results(outcomes[start : start + 2])))] += 1
        verdict = self._test.verdict(self._tally)
        if verdict == Verdict.H1:
            self.champion = challenger
        if verdict != Verdict.CONTINUE or 2 * sum(self._tally) >= self._config.longest_trial:
            self._challenger = None
            self._tally = [*NO_GAMES]
        return played

    def _prepare(self) -> None:
        """Start the breeder if necessary, and update its moments of the counts in the training set."""
        if not self._breeder.is_begun:
            rng = Random(derive_seed(self._seed, self.generation, FOUNDERS))
            self._breeder.begin(rng)
        rows = self._training_set.draw(PREPARED, derive_seed(self._seed, self.generation, SHAPE))
        self._breeder.prepare(self._training_set.moments(rows))

    def _bred(self, number: int) -> float:
        """Take a breeding step, graded by a fresh draw of positions, and return the breeder's loss."""
        rows = self._training_set.draw(
            self._config.graded_positions, derive_seed(self._seed, self.generation, BATCH, number)
        )

        origin = weights_of(self.champion.genome.express().weights)

        def loss_of(weights: Weights) -> Losses:
            losses = self._training_set.losses(weights, rows) + self._config.price * _squares(weights)
            if self._config.champion_price:
                losses = losses + self._config.champion_price * _distances(weights, origin)
            return losses

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
    """Return the genome with the genes that can be tuned and those of the search on, and all others off."""
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


def _distances(weights: Weights, origin: Weights) -> Losses:
    """Return the square of the distance of each genome from `origin`, by all weights of pieces and positions."""
    moved = weights[: 2 * COLUMNS] - origin[: 2 * COLUMNS, None]
    distances: Losses = np.add.reduce(moved**2, axis=0)  # row by row
    return distances


def _check(genome: Genome) -> None:
    """Raise ValueError if a genome's score is no sum of counts."""
    names = {f"{name} Gene" for name in GENES} - TUNED
    for gene in genome.genes:
        if gene.active and gene.name in names:
            raise ValueError(f"the tuning cannot grade {gene.name}: the founder must have it INACTIVE")


def _force(genome: Genome) -> float:
    """Return a genome's Total Force halfway between opening and endgame."""
    gene = genome["Total Force Gene"]
    return (gene.within(OPENING, "Priority") + gene.within(ENDGAME, "Priority")) / 2
