"""The data of a run for its figures: games in bins, and the living individuals at some moments."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import ceil, nan
from typing import Any, Final, NamedTuple, Self

from engines.evolution.run_history import RunHistory, spaced
from engines.evolution.run_store import Measure, RunStore, StoredGeneration
from engines.evolution.tables import Cell, RunTables

MAX_BINS: Final = 80
GAMES_A_BIN: Final = 40  # at least
MOMENTS: Final = 150  # generations whose living individuals are read
RECORDS: Final = 20_000  # games whose records are read
MAX_SPREADS: Final = 1000  # generations of the curve of fitness
INDIVIDUALS: Final = 12_000  # individuals whose genomes are read, in addition to the living


@dataclass(slots=True)
class Bin:
    """A number of consecutive games."""

    last: int = 0  # the number of the last game, from 1
    endings: Counter[str] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)
    returns: list[tuple[float, ...]] = field(default_factory=list)
    records: list[bytes] = field(default_factory=list)  # of some of the games


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The end of a generation."""

    games: int  # games played so far
    newest: int  # the highest ID that was alive at this or an earlier moment
    living: Sequence[Sequence[int]]  # IDs, niche by niche

    @property
    def living_ids(self) -> list[int]:
        return [id for niche in self.living for id in niche]


class Spread(NamedTuple):
    """The fitness of a generation; `best` is nan if none of those on record was measured in it."""

    generation: float
    best: float
    mean: float
    worst: float


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A run so far; sequences are in chronological order."""

    game: str
    games: int
    individuals: int
    bins: Sequence[Bin]
    moments: Sequence[Moment]
    panel: Mapping[str, Sequence[tuple[int, Sequence[int]]]]  # by opponent: games so far, tally
    natives: Counter[int]  # deaths in the niche of birth, by the number of games that were not lost there
    migrants: Counter[int]  # the same for deaths in another niche
    genomes: Mapping[int, str]  # by ID: the living individuals of all moments, and some of the others
    statistics: Sequence[Mapping[str, Any]]  # the statistics of each generation
    measure: Measure  # of the fitness
    fitness: Sequence[Spread]  # of the generations in which it was measured

    @classmethod
    def of(cls, store: RunStore) -> Self:
        history = RunHistory(store)
        past = list(history.generations())
        bins, played, undefeated = _games(history, store.count("contest"), past)
        moments = _moments(past, played)
        ids = store.ids()
        shown = {*spaced(ids, INDIVIDUALS), *(id for moment in moments for id in moment.living_ids)}
        natives, migrants = _survival(past, undefeated)
        return cls(
            game=store.game,
            games=sum(len(bin.lengths) for bin in bins),
            individuals=len(ids),
            bins=bins,
            moments=moments,
            panel=_panel(past, played),
            natives=natives,
            migrants=migrants,
            genomes=dict(history.genomes(shown)),
            statistics=[generation.statistics for generation in past],
            measure=RunTables(store).measure,
            fitness=_fitness(store),
        )


def _fitness(store: RunStore) -> list[Spread]:
    """Return the spread of the fitness in at most MAX_SPREADS generations, evenly spaced."""
    found = RunTables(store).columns("generations")
    names = ("generation", "fitness_best", "fitness_mean", "fitness_worst")
    rows = zip(*(found[name] for name in names), strict=True)
    measured = [Spread(*map(_number, row)) for row in rows if row[2] is not None]
    return spaced(measured, MAX_SPREADS)


def _number(cell: Cell) -> float:
    return nan if cell is None else float(cell)


def _games(
    history: RunHistory, total: int, past: Sequence[StoredGeneration]
) -> tuple[list[Bin], list[int], Counter[tuple[int, int]]]:
    """Return the games in bins, their number after each generation, and those not lost by niche and ID.

    A contest without players, such as a trial of a string, is not counted as a game.
    """
    size = max(ceil(total / MAX_BINS), GAMES_A_BIN)
    bins: list[Bin] = []
    in_generation: Counter[int] = Counter()
    undefeated: Counter[tuple[int, int]] = Counter()
    games = (each for each in history.contests(RECORDS) if each[1].players)
    for index, (number, contest) in enumerate(games):
        if index % size == 0:
            bins.append(Bin())
        bin = bins[-1]
        bin.last = index + 1
        bin.endings[contest.ending] += 1
        bin.lengths.append(contest.length)
        bin.returns.append(contest.returns)
        if contest.record:
            bin.records.append(contest.record)
        in_generation[number] += 1
        best = max(contest.returns)
        for id, value in zip(contest.players, contest.returns, strict=True):
            undefeated[contest.niche, id] += value == best
    if len(bins) > 1 and len(bins[-1].lengths) < size // 2:
        bins.pop()  # shares of so few games would mislead
    return bins, list(accumulate(in_generation[generation.number] for generation in past)), undefeated


def _moments(past: Sequence[StoredGeneration], played: Sequence[int]) -> list[Moment]:
    moments: list[Moment] = []
    newest = 0
    for generation, games in spaced(list(zip(past, played, strict=True)), MOMENTS):
        living = generation.statistics.get("living")
        if living:
            newest = max(newest, *(id for niche in living for id in niche))
            moments.append(Moment(games=games, newest=newest, living=living))
    return moments


def _panel(
    past: Sequence[StoredGeneration], played: Sequence[int]
) -> dict[str, list[tuple[int, Sequence[int]]]]:
    panel: dict[str, list[tuple[int, Sequence[int]]]] = {}
    for generation, games in zip(past, played, strict=True):
        for opponent, tally in generation.statistics.get("panel", {}).items():
            panel.setdefault(opponent, []).append((games, tally))
    return panel


def _survival(
    past: Sequence[StoredGeneration], undefeated: Mapping[tuple[int, int], int]
) -> tuple[Counter[int], Counter[int]]:
    """Return the deaths of natives and those of migrants, each by the number of games that were not lost."""
    if not any("died" in generation.statistics for generation in past):
        return Counter(), Counter()
    moved: set[tuple[int, int]] = set()  # niche and ID of migrants
    migrants: Counter[int] = Counter()
    for generation in past:
        moved.update((to, id) for id, _, to in generation.statistics.get("swaps", ()))
        migrants.update(games for _, _, games in generation.statistics.get("survived", ()))
    last: Sequence[Any] = past[-1].statistics.get("living", ()) if past else ()
    alive = {(niche, id) for niche, ids in enumerate(last) for id in ids}
    natives = Counter(
        games for place, games in undefeated.items() if place not in moved and place not in alive
    )
    return natives, migrants
