"""The Population of an examination: genomes are graded by positions of the champion's games, and games decide.

In every generation the champion plays itself, and quiet positions of its games go onto the paper; genomes that are bred
from the best so far are graded by it, many times over; and the best of them meets the champion in a trial of games,
until a sequential test says that it is better, and the new champion, or not. Methods: O. David-Tabibi, M. Koppel,
N. Netanyahu, "Expert-driven genetic algorithms for simulating evaluation functions" (2011), without experts: the
paper's positions are the run's own; Texel's tuning.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from core.chess.evaluation import GENES
from core.chess.positional import NAMES, OFFSETS, ROWS
from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.game_record import GameRecord
from engines.chess.game_settings import GameSettings, Panel
from engines.chess.gene_pool import GenomeById
from engines.chess.genes import ENDGAME, OPENING, POSITIONAL_GENES
from engines.chess.genome import Genome
from engines.chess.paper import Paper, Seen
from engines.chess.self_play import GameResult, SelfPlayGame
from engines.evolution.evolution_strategy import Strategy
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.evolution.selection import choice
from engines.statistics import Sprt, Verdict

PAPER_GAMES, TRIAL_GAMES, POSITIONS, BATCH, SAMPLES, CHILDREN, FOUNDERS = range(
    7
)  # streams of random numbers
PAPER, TRIAL = range(2)  # niches of contests
EXAMINED: Final = frozenset(
    {"Piece Strength Gene", "Total Force Gene"} | {spec.name for spec in POSITIONAL_GENES}
)
TYPICAL: Final = (
    0.15  # of a count's root mean square: one that is seen so often takes steps of the table's size
)
WIDEST: Final = 4.0  # of those sizes, for a count that is rarer
MATERIAL: Final = 0.2  # of the table's steps, for the worth of pieces
SURVIVORS: Final = 4  # one in so many
PIECES: Final = (
    ("P", "Pawn", 8),
    ("N", "Knight", 2),
    ("B", "Bishop", 2),
    ("R", "Rook", 2),
    ("Q", "Queen", 1),
)

Records = Callable[[], Iterable[tuple[int, Contest]]]  # all contests of the run, each with its generation


class Examination:
    """A champion on trial, and a population that is graded."""

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
        genome = founder or examined_genome(Random(derive_seed(seed, 0, FOUNDERS)))
        self.champion = Individual(id=0, genome=replace(genome, id=None), origin="founder")
        _check(genome)
        self._challenger: Individual[Genome] | None = None
        self._tally = [0] * 5  # of the trial: pairs by the challenger's points
        self._test = Sprt(elo0=0.0, elo1=config.trial_elo, model="logistic")
        self._added = [0]  # positions, up to each generation
        self._paper = Paper(config.paper_positions, config.result_weight, config.positions_per_game)
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
            seed = derive_seed(self._seed, coming, PAPER_GAMES, number)
            games += self._settings.games(champion, champion, 1, self.game_seconds, seed)
        if self._challenger:
            seed = derive_seed(self._seed, coming, TRIAL_GAMES)
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
            _contest(PAPER, outcome, self.champion.id, self.champion.id) for outcome in outcomes[:papers]
        ]
        for number, contest in enumerate(contests):
            self._add(self.generation, number, contest, self.champion.genome)
        self._added.append(self._paper.added)
        rest = outcomes[papers:]
        if self._challenger:
            trial, rest = rest[: self._config.trial_games], rest[self._config.trial_games :]
            contests += self._judged(self._challenger, trial)
        scores = self._panel.scores(self.generation, rest)
        losses: list[float] = []
        if len(self._paper):  # games without a quiet position teach nothing
            losses = [self._bred(number) for number in range(self._config.breeding_steps)]
            self._breeder.replace_all(self._settled)
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
        """Go on from what dumps() wrote; the paper is written again from the games on record."""
        data = json.loads(state)
        self.generation = data["generation"]
        self._next_id = data["next_id"]
        self.champion = self._individual(data["centre"])
        self._challenger = None if data["challenger"] is None else self._individual(data["challenger"])
        self._tally = data["tally"]
        self._breeder.resume(data["breeder"], self.champion.genome.only(EXAMINED))
        added = data["added"]  # positions, up to each generation
        first = next(
            number
            for number in range(len(added))
            if added[-1] - added[number] <= self._config.paper_positions
        )
        first = max(first - 1, 0)  # of this generation some positions are still on the paper
        self._paper.added = added[first]
        self._added = added[:]
        champions: dict[int, Genome] = {}
        number, before = 0, -1
        for generation, contest in self._records():
            number = number + 1 if generation == before else 0
            before = generation
            if contest.niche == PAPER and generation > first:
                id = contest.players[0]
                if id not in champions:
                    champions[id] = self._genome_of(id)
                self._add(generation, number, contest, champions[id])

    def best(self) -> Individual[Genome]:
        """The champion."""
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
        """Put positions of one of the champion's games onto the paper."""
        seed = derive_seed(self._seed, generation, POSITIONS, number)
        self._paper.add(GameRecord.unpack(contest.record), _force(genome), seed)

    def _judged(self, challenger: Individual[Genome], outcomes: Sequence[GameResult]) -> list[Contest]:
        """Count the games of the trial, and crown the challenger or send it away if they say so."""
        contests = []
        for first, second in zip(outcomes[::2], outcomes[1::2], strict=True):
            self._tally[2 + int(first.returns[0] + second.returns[1])] += 1
            contests.append(_contest(TRIAL, first, challenger.id, self.champion.id))
            contests.append(_contest(TRIAL, second, self.champion.id, challenger.id))
        verdict = self._test.verdict(self._tally)
        if verdict == Verdict.H1:
            self.champion = challenger
        if verdict != Verdict.CONTINUE or 2 * sum(self._tally) >= self._config.longest_trial:
            self._challenger = None
            self._tally = [0] * 5
        return contests

    def _bred(self, number: int) -> float:
        """Let the population go on by a step; the loss of its best."""
        rows = self._paper.draw(
            self._config.graded_positions, derive_seed(self._seed, self.generation, BATCH, number)
        )
        if not self._breeder.is_begun:
            founder = self.champion.genome.only(EXAMINED)
            rng = Random(derive_seed(self._seed, self.generation, FOUNDERS))
            self._breeder.begin(founder, steps_of(founder, self._paper), rng)

        def loss_of(parts: Sequence[Genome]) -> list[float]:
            genomes = [self.champion.genome.merged(part) for part in parts]
            losses = self._paper.losses([genome.express().weights for genome in genomes], rows)
            return [
                float(loss) + self._config.price * _squares(part)
                for loss, part in zip(losses, parts, strict=True)
            ]

        return self._breeder.step(loss_of, derive_seed(self._seed, self.generation, SAMPLES, number))

    def _settled(self, part: Genome) -> Genome:
        """A genome of equal scores whose pieces are worth what its Piece Strength Gene says."""
        return settled(part, *self._paper.spread(self._paper.draw(self._config.graded_positions, self._seed)))

    def _statistics(self, losses: Sequence[float]) -> dict[str, Any]:
        found: dict[str, Any] = {
            "living": [[self.champion.id]],
            "centre": self.champion.id,
            "challenger": self._challenger and self._challenger.id,
            "trial": list(self._tally),
            "positions": len(self._paper),
            "seconds": self.game_seconds,
        }
        return found | ({"loss": losses[-1]} if losses else {})


Grader = Callable[[Sequence[Genome]], list[float]]


class StrategyBreeder:
    """An evolution strategy: mirror images around a centre, which moves towards those of less loss."""

    def __init__(self, config: PoolConfig) -> None:
        self._config = config
        self._part: Genome | None = None
        self._strategy: Strategy | None = None

    @property
    def is_begun(self) -> bool:
        return self._strategy is not None

    def begin(self, founder: Genome, steps: tuple[float, ...], rng: Random) -> None:
        """A population around the founder."""
        self._part = founder
        self._strategy = self._begun(founder.numbers(), steps)

    def step(self, loss_of: Grader, seed: int) -> float:
        part, strategy = self._ready()
        rng = Random(seed)
        samples = [strategy.sample(rng) for _ in range(self._config.gene_pool_population // 2)]
        images = [part.with_numbers(strategy.moved(sample, sign)) for sample in samples for sign in (1, -1)]
        losses = loss_of(images)
        gains = [losses[index + 1] - losses[index] for index in range(0, len(losses), 2)]
        most = max(map(abs, gains)) or 1.0
        strategy.learn(samples, [gain / most for gain in gains])
        self._part = part.with_numbers(strategy.centre)
        return sum(losses) / len(losses)

    def best(self) -> Genome:
        return self._ready()[0]

    def replace_all(self, change: Callable[[Genome], Genome]) -> None:
        """Have every genome changed."""
        part, strategy = self._ready()
        self._part = change(part)
        strategy.centre = list(self._part.numbers())

    def data(self) -> dict[str, Any] | None:
        strategy = self._strategy
        return {"steps": strategy.units, **strategy.data()} if strategy else None

    def resume(self, data: dict[str, Any] | None, part: Genome) -> None:
        if data:
            self._strategy = self._begun(data["centre"], tuple(data["steps"]))
            self._strategy.resume(data)
            self._part = part.with_numbers(self._strategy.centre)

    def _begun(self, numbers: Sequence[float], steps: tuple[float, ...]) -> Strategy:
        config = self._config
        planned = config.planned_rounds * config.breeding_steps
        return Strategy.begin(numbers, steps, config.first_step, config.learning_rate, planned)

    def _ready(self) -> tuple[Genome, Strategy]:
        assert self._part and self._strategy, "begin() comes first"
        return self._part, self._strategy


class MatingBreeder:
    """A population that mates and mutates as in Genetic Chess, section 5; those of least loss survive."""

    def __init__(self, config: PoolConfig) -> None:
        self._count = config.gene_pool_population
        self._survivors: list[Genome] = []

    @property
    def is_begun(self) -> bool:
        return bool(self._survivors)

    def begin(self, founder: Genome, steps: tuple[float, ...], rng: Random) -> None:
        """The founder and its mutants; the steps are those of the table of genes."""
        self._survivors = [founder, *(founder.mutate(rng) for _ in range(self._count - 1))]

    def step(self, loss_of: Grader, seed: int) -> float:
        rng = Random(seed)
        living = list(self._survivors)
        parents = list(living)
        while len(living) < self._count:
            living.append(choice(parents, rng).mate(choice(parents, rng), rng).mutate(rng))
        losses = loss_of(living)
        order = sorted(range(len(living)), key=lambda index: (losses[index], index))
        self._survivors = [living[index] for index in order[: max(2, self._count // SURVIVORS)]]
        return losses[order[0]]

    def best(self) -> Genome:
        return self._survivors[0]

    def replace_all(self, change: Callable[[Genome], Genome]) -> None:
        """Have every genome changed."""
        self._survivors = list(map(change, self._survivors))

    def data(self) -> list[list[Any]]:
        return [[[gene.active, *gene.values] for gene in genome.genes] for genome in self._survivors]

    def resume(self, data: list[list[Any]], part: Genome) -> None:
        self._survivors = [
            Genome(
                genes=tuple(
                    replace(gene, active=active, values=tuple(values))
                    for gene, (active, *values) in zip(part.genes, genes, strict=True)
                )
            )
            for genes in data
        ]


def examined_genome(rng: Random) -> Genome:
    """Random numbers for pieces and positional genes; the other board-scoring genes are switched off."""
    genome = Genome.random(rng, extended=True)
    return without_others(genome)


def without_others(genome: Genome) -> Genome:
    """The genome with all board-scoring genes switched off that no examination can grade, and the others on."""
    return replace(
        genome,
        genes=tuple(
            replace(gene, active=gene.name in EXAMINED or gene.name in ("Look Ahead Gene", "Search Gene"))
            for gene in genome.genes
        ),
    )


def steps_of(part: Genome, paper: Paper) -> tuple[float, ...]:
    """How far each number goes in a step: farther for those of counts that are seen more rarely."""
    opening, endgame = paper.spread(paper.draw(len(paper), 0))
    steps: list[float] = []
    for gene in part.genes:
        offset = OFFSETS.get(gene.name.removesuffix(" Gene"))
        for index, param in enumerate(gene.params):
            widening = MATERIAL
            if offset is not None and gene.name.removesuffix(" Gene") in NAMES:
                column = 5 + offset + (index // 2 if gene.has_phases else index)
                seen = endgame[column] if param.name.endswith(ENDGAME) else opening[column]
                widening = float(min(max(TYPICAL / max(seen, 1e-9), 1 / WIDEST), WIDEST))
            steps.append(param.step * widening)
    return tuple(steps)


def settled(part: Genome, opening: Seen, endgame: Seen) -> Genome:
    """A genome of equal scores, with what squares and mobility give to any piece of a kind moved to its strength.

    Evolution cannot tell a knight's worth from a bonus for every square that it may stand on, but the search can: its
    exchanges and margins are counted in pieces. `opening` and `endgame` tell how much each count is seen.
    """
    if not all(
        part[f"{name} Gene"].active for name in ("Piece Strength", "Total Force", "Squares", "Mobility")
    ):
        return part
    strengths = part["Piece Strength Gene"]
    army = sum(count * strengths[letter] for letter, _, count in PIECES)
    if army < 1:
        return part
    numbers = {name: list(part[f"{name} Gene"].with_phases().values) for name in ("Squares", "Mobility")}
    worths: dict[str, list[float]] = {}
    for letter, kind, _ in PIECES:
        worths[letter] = []
        for number, (phase, seen) in enumerate(((ENDGAME, endgame), (OPENING, opening))):
            worth = part["Total Force Gene"].within(phase, "Priority") * strengths[letter] / army
            for name, values in numbers.items():
                worth += _take_mean(values, number, _columns(name, kind), OFFSETS[name], seen)
            worths[letter].append(worth)
    means = {letter: sum(pair) / 2 for letter, pair in worths.items()}
    whole = sum(count * means[letter] for letter, _, count in PIECES)
    forces = [sum(count * worths[letter][number] for letter, _, count in PIECES) for number in (0, 1)]
    if min(whole, *forces) < 1:
        return part
    for letter, kind, _ in PIECES:
        for number, force in enumerate(forces):
            rest = worths[letter][number] - force * means[letter] / whole
            for column in _columns("Squares", kind):
                numbers["Squares"][2 * column + number] += rest
    genes = [
        replace(strengths, values=tuple(means[param.name] for param in strengths.params)),
        replace(part["Total Force Gene"], values=tuple(forces)),
        *(replace(part[f"{name} Gene"], values=tuple(values)) for name, values in numbers.items()),
    ]
    return part.merged(Genome(genes=tuple(genes)))


def _columns(gene: str, kind: str) -> range:
    """Which of a gene's numbers are for pieces of a kind."""
    rows = dict(ROWS)[gene]
    at = 0
    found: list[int] = []
    for row, labels in rows:
        width = len(labels.split())
        if row.split()[0] == kind:
            found += range(at, at + width)
        at += width
    return range(found[0], found[-1] + 1) if found else range(0)


def _take_mean(values: list[float], number: int, columns: range, offset: int, seen: Seen) -> float:
    """Take from the numbers of one phase their mean, each weighed by how often it is seen."""
    weights = [float(seen[5 + offset + column]) ** 2 for column in columns]
    total = sum(weights)
    if total <= 0:
        return 0.0
    mean = (
        sum(values[2 * column + number] * weight for column, weight in zip(columns, weights, strict=True))
        / total
    )
    for column in columns:
        values[2 * column + number] -= mean
    return mean


def _check(genome: Genome) -> None:
    """ValueError for a genome whose score is no sum of counts."""
    names = {f"{name} Gene" for name in GENES} - EXAMINED
    for gene in genome.genes:
        if gene.active and gene.name in names:
            raise ValueError(f"an examination cannot grade {gene.name}: the founder must have it INACTIVE")


def _squares(part: Genome) -> float:
    """The sum of the squares of all positional numbers."""
    total = 0.0
    for gene in part.genes:
        if gene.name.removesuffix(" Gene") in NAMES:
            for value in gene.values:
                total += value * value
    return total


def _force(genome: Genome) -> float:
    """Total Force, halfway through the game."""
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
