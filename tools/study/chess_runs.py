"""A finished run of gene pools as the study reads it: who lived when, and how the games ended.

All generations and games are read once, in their order. Genomes, which take longest, are read at up to
MOMENTS generations evenly apart, and promotions in up to RECORDS games evenly apart.
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
SCORING: Final = GENES[:8]  # those of 2017


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What a genome expresses. Strengths and priorities are 0 where their gene is switched off."""

    pawn: float
    knight: float
    bishop: float
    rook: float
    queen: float
    priorities: tuple[float, ...]  # of SCORING
    advances_pawns: bool  # whether the Pawn Advancement Gene is switched on
    speculation: float  # 0, as the next, where the Look Ahead Gene is switched off
    positions_per_second: float
    legal_bonus: float | None  # None where the Sphere of Influence Gene is switched off

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
        """Without its sign."""
        return abs(self.priorities[SCORING.index(gene)])

    def share(self, gene: str) -> float:
        """The gene's part of all priorities without their signs; 0 if all are 0."""
        return self.priority(gene) / (ordered_sum(map(abs, self.priorities)) or 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A generation that was looked at: the games and time forfeits of the run so far, and who lives."""

    games: int
    forfeits: int
    living: tuple[Traits, ...]  # of all pools


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What is known of a run. `configuration` is without what may differ between the runs of a study."""

    folder: str
    seed: int
    hash: str
    configuration: str
    generations: int
    ids: int
    moments: tuple[Moment, ...]
    endings: Mapping[tuple[str, float], int]  # ending and White's return: games
    promotions: Mapping[str, int]  # to N, B, R, Q
    unpacked: int  # games whose record was read, to count promotions

    @property
    def games(self) -> int:
        return sum(self.endings.values())

    @property
    def living(self) -> tuple[Traits, ...]:
        """At the end."""
        return self.moments[-1].living

    def ended(self, ending: str) -> int:
        """The number of games with this ending."""
        return sum(number for (name, _), number in self.endings.items() if name == ending)

    def medians(self, trait: Callable[[Traits], float]) -> list[float]:
        """The median of the living at each moment."""
        return [median(map(trait, moment.living)) for moment in self.moments]

    def share(self, trait: Callable[[Traits], bool]) -> list[float]:
        """The share of the living, at each moment, that has the trait."""
        return [sum(map(trait, moment.living)) / len(moment.living) for moment in self.moments]

    def priorities(self, gene: str) -> list[float]:
        """Medians of the gene's priority without its sign."""
        return self.medians(lambda traits: traits.priority(gene))

    def priority_shares(self, gene: str) -> list[float]:
        """Medians of the gene's part of all priorities."""
        return self.medians(lambda traits: traits.share(gene))

    def forfeit_rate(self) -> list[float]:
        """The share of the games since the moment before that ended on time; at the first moment, that of the second."""
        pairs = zip(self.moments, self.moments[1:], strict=False)
        rates = [(b.forfeits - a.forfeits) / max(b.games - a.games, 1) for a, b in pairs]
        return rates[:1] + rates


def read_run(folder: Path) -> Run:
    """The run of a folder. ValueError says why it cannot be studied."""
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
    """A short name of a configuration."""
    return sha256(configuration.encode()).hexdigest()[:12]


def _comparable(config: PoolConfig, folder: Path) -> str:
    """The configuration without the seed and what cannot change a game. StoreError for other experiments."""
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
    """Endings; games and forfeits up to each of the generations; promotions, and in how many games they were counted."""
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
