"""The data that the study reads from a run of gene pools: the living at several moments, and the ends of the games.

All generations and games are read once, in their order. Genomes, which take longest, are read at up to MOMENTS
evenly spaced generations, and promotions in up to RECORDS evenly spaced games.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Final, Self

from core.chess.evaluation import GENES
from engines.chess.config import PoolConfig
from engines.chess.game_record import GameRecord
from engines.chess.genome import Genome
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore, StoreError
from engines.statistics import ordered_sum

MOMENTS: Final = 400
RECORDS: Final = 50_000
SCORING: Final = GENES[:8]  # the board-scoring genes of 2017


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """The expressed values of a genome. Strengths and priorities are 0 if their gene is switched off."""

    pawn: float
    knight: float
    bishop: float
    rook: float
    queen: float
    priorities: tuple[float, ...]  # of the genes SCORING
    advances_pawns: bool  # whether the Pawn Advancement Gene is switched on
    speculation: float  # 0 if the Look Ahead Gene is switched off
    positions_per_second: float  # the same
    legal_bonus: float | None  # None if the Sphere of Influence Gene is switched off

    @classmethod
    def of(cls, genome: Genome) -> Self:
        phenotype = genome.express()
        weights, look_ahead = phenotype.weights, phenotype.look_ahead
        pawn, knight, bishop, rook, queen = weights.strengths
        return cls(
            pawn=pawn,
            knight=knight,
            bishop=bishop,
            rook=rook,
            queen=queen,
            priorities=tuple(weights.opening.priorities[: len(SCORING)]),
            advances_pawns=genome["Pawn Advancement Gene"].active,
            speculation=look_ahead.speculation if look_ahead.active else 0.0,
            positions_per_second=look_ahead.positions_per_second if look_ahead.active else 0.0,
            legal_bonus=weights.legal_bonus if genome["Sphere of Influence Gene"].active else None,
        )

    def priority(self, gene: str) -> float:
        """Return the priority of a gene, without its sign."""
        return abs(self.priorities[SCORING.index(gene)])

    def share(self, gene: str) -> float:
        """Return the share of a gene in the sum of all priorities without their signs; 0 if all are 0."""
        return self.priority(gene) / (ordered_sum(map(abs, self.priorities)) or 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The end of a generation: the games and time forfeits of the run so far, and the living."""

    games: int
    forfeits: int
    living: tuple[Traits, ...]  # of all pools


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The data of a run. `configuration` lacks the settings that may differ between the runs of a study."""

    folder: str
    seed: int
    hash: str
    configuration: str
    generations: int
    ids: int
    moments: tuple[Moment, ...]
    endings: Mapping[tuple[str, float], int]  # the number of games by ending and White's return
    promotions: Mapping[str, int]  # the number of promotions to N, B, R, Q
    unpacked: int  # games whose record was read, to count promotions

    @property
    def games(self) -> int:
        return sum(self.endings.values())

    @property
    def living(self) -> tuple[Traits, ...]:
        """The living individuals at the end of the run."""
        return self.moments[-1].living

    def ended(self, ending: str) -> int:
        """Return the number of games with this ending."""
        return sum(number for (name, _), number in self.endings.items() if name == ending)

    def medians(self, trait: Callable[[Traits], float]) -> list[float]:
        """Return the median of a trait over the living at each moment."""
        return [median(map(trait, moment.living)) for moment in self.moments]

    def share(self, trait: Callable[[Traits], bool]) -> list[float]:
        """Return the share of the living that has a trait at each moment."""
        return [sum(map(trait, moment.living)) / len(moment.living) for moment in self.moments]

    def priorities(self, gene: str) -> list[float]:
        """Return the median of a gene's priority, without its sign, at each moment."""
        return self.medians(lambda traits: traits.priority(gene))

    def priority_shares(self, gene: str) -> list[float]:
        """Return the median of a gene's share of all priorities at each moment."""
        return self.medians(lambda traits: traits.share(gene))

    def forfeit_rate(self) -> list[float]:
        """Return for each moment the share of games since the previous moment that ended on time.

        The first moment has the share of the second.
        """
        pairs = zip(self.moments, self.moments[1:], strict=False)
        rates = [(b.forfeits - a.forfeits) / max(b.games - a.games, 1) for a, b in pairs]
        return rates[:1] + rates


def read_run(folder: Path) -> Run:
    """Read the run of a folder. Raises ValueError, with the reason, if the run cannot be studied."""
    with RunStore.open(folder) as store:
        history = RunHistory(store)
        if store.game != "chess":
            raise StoreError(f"{folder} holds a run of {store.game}: section 6 is about chess")
        configuration = _comparable(PoolConfig.loads(store.config), folder)
        if store.count("generation") < 2:
            raise StoreError(f"{folder} holds no generation that has played")
        chosen = [
            (past.number, [id for pool in past.statistics["living"] for id in pool])
            for past in history.generations(MOMENTS)
        ]
        endings, progress, promotions, unpacked = _games(history, [number for number, _ in chosen])
        return Run(
            folder=str(folder),
            seed=store.seed,
            hash=store.hash,
            configuration=configuration,
            generations=store.count("generation"),
            ids=store.count("individual"),
            moments=_moments(history, chosen, progress),
            endings=endings,
            promotions=promotions,
            unpacked=unpacked,
        )


def digest(configuration: str) -> str:
    """Return a short name of a configuration: 12 hex digits."""
    return sha256(configuration.encode()).hexdigest()[:12]


def _comparable(config: PoolConfig, folder: Path) -> str:
    """Return the configuration without the seed and the settings that cannot change a game.

    Raises StoreError for a run of another experiment.
    """
    if config.pool_rules == "strategy":
        raise StoreError(f"{folder} holds a run of the evolution strategy: section 6 is about gene pools")
    if config.genes != "ten":
        raise StoreError(f"{folder} holds a run with genes = {config.genes}: section 6 is about the ten")
    return replace(
        config,
        seed=1,
        maximum_simultaneous_games=1,
        gene_pool_file="pool.txt",
        output_volume="verbose",
        time_limit=None,
        start_delay=0.0,
    ).dumps()


def _games(
    history: RunHistory, numbers: Sequence[int]
) -> tuple[Counter[tuple[str, float]], list[tuple[int, int]], Counter[str], int]:
    """Return the endings, games and forfeits up to each generation, the promotions, and the games read for these."""
    endings: Counter[tuple[str, float]] = Counter()
    promotions: Counter[str] = Counter()
    unpacked = 0
    played = [[0, 0] for _ in numbers]
    for generation, contest in history.contests(RECORDS):
        endings[contest.ending, contest.returns[0]] += 1
        here = played[bisect_left(numbers, generation)]
        here[0] += 1
        here[1] += contest.ending == "time"
        if contest.record:
            record = GameRecord.unpack(contest.record)
            promotions.update(record.promotions(0) + record.promotions(1))
            unpacked += 1
    progress, games, forfeits = [], 0, 0
    for more_games, more_forfeits in played:
        games, forfeits = games + more_games, forfeits + more_forfeits
        progress.append((games, forfeits))
    return endings, progress, promotions, unpacked


def _moments(
    history: RunHistory, chosen: Sequence[tuple[int, list[int]]], progress: Sequence[tuple[int, int]]
) -> tuple[Moment, ...]:
    genomes = history.genomes(id for _, ids in chosen for id in ids)
    known = {id: Traits.of(Genome.loads(text)) for id, text in genomes}
    return tuple(
        Moment(games=games, forfeits=forfeits, living=tuple(known[id] for id in ids))
        for (_, ids), (games, forfeits) in zip(chosen, progress, strict=True)
    )
