"""The history of a run as people look at it: samples of bounded size, curves, traits and ancestors.

Everything that shows or measures a run (the page, plots, studies, lineages) reads it from the store through here.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any, Final, Protocol, TypeVar

from engines.evolution.population import Contest
from engines.evolution.run_store import RunStore, StoredGeneration, StoredIndividual

CURVE_POINTS: Final = 2000
EXCERPT_GENERATIONS: Final = 200
EXCERPT_GENOMES: Final = 40  # beside the ancestors, to show what genomes were like over time
EXCERPT_ANCESTORS: Final = 80
EXCERPT_BIRTHS: Final = 12  # that they go back
TRAIT_GENOMES: Final = 400  # that are read for the traits
TRAIT_POINTS: Final = 40  # groups of them that are born one after the other

T = TypeVar("T")


class GameStatistics(Protocol):
    """What a game's evolution offers to show of a run. Names are "CHART: CURVE", the most telling first."""

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        """Numbers of a generation, from its statistics."""
        ...

    def champion(self, record: Sequence[Mapping[str, Any]], state: str) -> int | None:
        """The ID of the best individual, by the statistics of generations in their order, and the population's
        state after the last of them."""
        ...

    def traits(self, text: str) -> dict[str, float]:
        """Numbers of a genome. ValueError if the text is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCurves:
    """Measures over the generations; None where a generation was not measured."""

    generations: tuple[int, ...]
    seconds: float  # of the whole run
    measures: Mapping[str, Sequence[float | None]]
    champion: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitCurves:
    """Means of the traits of those who were born at about the same time, whose mean generations are given."""

    generations: tuple[float, ...]
    traits: Mapping[str, Sequence[float | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestor:
    """An individual `depth` births before another one, which itself has depth 0."""

    id: int
    depth: int
    generation: int
    origin: str
    parents: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestry:
    """An individual and its ancestors, the nearest first."""

    relatives: tuple[Ancestor, ...]
    is_whole: bool  # nobody is left out


class RunHistory:
    """Reads a store. Samples are spread evenly over the whole run."""

    def __init__(self, store: RunStore) -> None:
        self._store = store

    def generations(self, at_most: int | None = None) -> Iterator[StoredGeneration]:
        """So many generations, the first and the last among them; by default all."""
        count = self._store.count("generation")
        if at_most is None or count <= at_most:
            return self._store.generations()
        return map(self._store.generation, spaced(range(count), at_most))

    def contests(self, records_at_most: int) -> Iterator[tuple[int, Contest]]:
        """All contests with their generations in the order of play; so many have their record, the others none."""
        step = max(ceil(self._store.count("contest") / records_at_most), 1)
        return self._store.contests(record_step=step)

    def individuals(self, at_most: int) -> Iterator[StoredIndividual]:
        """So many individuals, in the order of birth."""
        return map(self._store.individual, spaced(self._store.ids(), at_most))

    def genomes(self, ids: Iterable[int]) -> Iterator[tuple[int, str]]:
        """The IDs, each once and in order, with the texts of their genomes. KeyError for an ID that nobody has."""
        return ((id, self._store.individual(id).genome) for id in sorted(set(ids)))

    def ancestors(self, id: int, depth: int | None = None, at_most: int | None = None) -> Ancestry:
        """The individual and so many of its ancestors within so many births. KeyError if nobody has this ID."""
        found: dict[int, Ancestor] = {}
        waiting = deque([(id, 0)])
        is_whole = True
        while waiting:
            next_id, births = waiting.popleft()
            if next_id in found:
                continue
            if (depth is not None and births > depth) or len(found) == at_most:
                is_whole = False
                continue
            birth = self._store.birth(next_id)
            found[next_id] = Ancestor(
                id=next_id,
                depth=births,
                generation=birth.generation,
                origin=birth.origin,
                parents=birth.parents,
            )
            waiting.extend((parent, births + 1) for parent in birth.parents)
        return Ancestry(relatives=tuple(found.values()), is_whole=is_whole)

    def curves(self, game: GameStatistics) -> RunCurves:
        """What the game measures, at CURVE_POINTS generations at most."""
        past = list(self.generations(CURVE_POINTS))
        measured = [game.measures(generation.statistics) for generation in past]
        fullest = max(measured, key=len, default={})  # its names are in the game's order
        names = dict.fromkeys([*fullest, *(name for measures in measured for name in measures)])
        return RunCurves(
            generations=tuple(generation.number for generation in past),
            seconds=self._store.seconds,
            measures={name: [measures.get(name) for measures in measured] for name in names},
            champion=self.champion(game),
        )

    def champion(self, game: GameStatistics) -> int | None:
        """The ID of the best individual; None before the first generation."""
        known = self._store.champion
        if known is not None:
            return known
        record = [generation.statistics for generation in self.generations(CURVE_POINTS)]
        return game.champion(record, self._store.state)

    def write_excerpt(self, folder: Path, game: GameStatistics, champion: int | None = None) -> None:
        """A small copy of the run to look at, for its champion or another individual, with its ancestors and curves.

        ValueError if the run has no champion yet, KeyError, OSError, sqlite3.Error.
        """
        if champion is None:
            champion = self.champion(game)
        if champion is None:
            raise ValueError("the run has no champion yet")
        relatives = self.ancestors(champion, EXCERPT_BIRTHS, EXCERPT_ANCESTORS).relatives
        others = spaced(self._store.ids(), EXCERPT_GENOMES)
        numbers = [generation.number for generation in self.generations(EXCERPT_GENERATIONS)]
        self._store.write_excerpt(folder, champion, [*(each.id for each in relatives), *others], numbers)

    def traits(self, game: GameStatistics) -> TraitCurves:
        """What genomes were like over time; traits that are 0 throughout are left out."""
        groups = _groups(list(self.individuals(TRAIT_GENOMES)))
        means = [_means([game.traits(born.genome) for born in group]) for group in groups]
        names = dict.fromkeys(name for values in means for name in values)
        return TraitCurves(
            generations=tuple(round(fmean(born.generation for born in group), 2) for group in groups),
            traits={
                name: [values.get(name) for values in means]
                for name in names
                if any(values.get(name) for values in means)
            },
        )


def spaced(items: Sequence[T], at_most: int) -> list[T]:
    """At most so many items (2 or more), evenly apart, the first and the last among them."""
    if len(items) <= at_most:
        return list(items)
    step = (len(items) - 1) / (at_most - 1)
    return [items[round(number * step)] for number in range(at_most)]


def _groups(born: Sequence[StoredIndividual]) -> list[list[StoredIndividual]]:
    """Whole generations, as many together as make a point of a curve."""
    groups: list[list[StoredIndividual]] = []
    size = len(born) / TRAIT_POINTS
    for _, generation in groupby(born, key=lambda individual: individual.generation):
        if not groups or len(groups[-1]) >= size:
            groups.append([])
        groups[-1].extend(generation)
    return groups


def _means(traits: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Of each trait, over the genomes that have it."""
    values: dict[str, list[float]] = {}
    for genome in traits:
        for name, value in genome.items():
            values.setdefault(name, []).append(value)
    return {name: fmean(found) for name, found in values.items()}
