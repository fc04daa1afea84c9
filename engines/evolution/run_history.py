"""The history of a run, for display: samples of bounded size, curves, traits and ancestors.

A trait is a number that describes a genome. Everything that shows or measures a run (the page, plots, studies,
lineages) reads the store through this module.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any, Final, Protocol, TypeVar

from engines.evolution.charts import Chart
from engines.evolution.excerpt import write_excerpt
from engines.evolution.population import Contest
from engines.evolution.run_store import RunStore, StoredGeneration, StoredIndividual
from engines.evolution.story import Story

CURVE_POINTS: Final = 2000  # generations in a curve, at most
EXCERPT_GENERATIONS: Final = 200  # generations in an excerpt, at most
EXCERPT_GENOMES: Final = 40  # genomes in an excerpt in addition to the ancestors, to show genomes over time
EXCERPT_ANCESTORS: Final = 80  # an individual and its ancestors in an excerpt, at most
EXCERPT_BIRTHS: Final = 12  # births from an ancestor in an excerpt to the individual, at most
TRAIT_GENOMES: Final = 400  # genomes that are read for the traits, at most
TRAIT_POINTS: Final = 40  # points in a curve of a trait, at most; each is the mean of a group of genomes

T = TypeVar("T")


class GameStatistics(Protocol):
    """The functions by which a game's evolution describes a run.

    The values have names of the form "CHART: CURVE"; CHARTS describes the charts, in the order of display.
    """

    @property
    def CHARTS(self) -> Sequence[Chart]:
        """The descriptions of the charts, in the order of display."""
        ...

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        """Return the values of a generation by name, from its statistics."""
        ...

    def champion(self, record: Sequence[Mapping[str, Any]], state: str) -> int | None:
        """Return the ID of the best individual, or None if there is none.

        `record` has the statistics of generations in their order; `state` is the population's state after the last
        one.
        """
        ...

    def traits(self, text: str) -> dict[str, float]:
        """Return the values of a genome by name. Raises ValueError if the text is no genome."""
        ...

    def story(self, store: RunStore) -> Story:
        """Return what a run has shown so far, in sentences. The work is bounded, whatever the length of the run."""
        ...

    def portrait(self, store: RunStore) -> Mapping[str, Any]:
        """Return values that JSON can hold, for the figures that only this game has; empty if it has none.

        The script static/NAME_run.js of the page draws them. The work is bounded, whatever the length of the run.
        """
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
    """Means of traits over groups of individuals that were born at about the same time.

    `generations` are the mean generations of these groups.
    """

    generations: tuple[float, ...]
    traits: Mapping[str, Sequence[float | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestor:
    """An ancestor of an individual, `depth` births before it; the individual itself has depth 0."""

    id: int
    depth: int
    generation: int
    origin: str
    parents: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestry:
    """An individual and its ancestors, the nearest first."""

    relatives: tuple[Ancestor, ...]
    is_whole: bool  # whether no ancestor is left out


class RunHistory:
    """A reader of the store of a run. Its samples are spread evenly over the whole run."""

    def __init__(self, store: RunStore) -> None:
        self._store = store

    def generations(self, at_most: int | None = None) -> Iterator[StoredGeneration]:
        """Return at most `at_most` generations, including the first and the last; by default all."""
        count = self._store.count("generation")
        if at_most is None or count <= at_most:
            return self._store.generations()
        return map(self._store.generation, spaced(range(count), at_most))

    def contests(self, records_at_most: int) -> Iterator[tuple[int, Contest]]:
        """Return all contests with their generations, in the order of play.

        At most `records_at_most` of them have their record; the others have an empty one.
        """
        step = max(ceil(self._store.count("contest") / records_at_most), 1)
        return self._store.contests(record_step=step)

    def individuals(self, at_most: int) -> Iterator[StoredIndividual]:
        """Return at most `at_most` individuals, in the order of birth."""
        return map(self._store.individual, spaced(self._store.ids(), at_most))

    def genomes(self, ids: Iterable[int]) -> Iterator[tuple[int, str]]:
        """Return distinct IDs in order, with the texts of the genomes. Raises KeyError for an unknown ID."""
        return ((id, self._store.individual(id).genome) for id in sorted(set(ids)))

    def ancestors(self, id: int, depth: int | None = None, at_most: int | None = None) -> Ancestry:
        """Return an individual and its ancestors, the nearest first.

        Ancestors more than `depth` births away are left out, and so are the farthest if there would be more than
        `at_most` individuals. Raises KeyError for an unknown ID.
        """
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
        """Return the measures of the game, at CURVE_POINTS generations at most."""
        past = list(self.generations(CURVE_POINTS))
        measured = [game.measures(generation.statistics) for generation in past]
        fullest = max(measured, key=len, default={})  # its names are in the order of the game
        names = dict.fromkeys([*fullest, *(name for measures in measured for name in measures)])
        return RunCurves(
            generations=tuple(generation.number for generation in past),
            seconds=self._store.seconds,
            measures={name: [measures.get(name) for measures in measured] for name in names},
            champion=self.champion(game),
        )

    def champion(self, game: GameStatistics) -> int | None:
        """Return the ID of the best individual, or None before the first generation."""
        known = self._store.champion
        if known is not None:
            return known
        record = [generation.statistics for generation in self.generations(CURVE_POINTS)]
        return game.champion(record, self._store.state)

    def champion_at(self, game: GameStatistics, generation: int) -> int | None:
        """Return the ID of the best individual of the run up to a generation, or None if there was none.

        Where the game finds it only in the present state, it is the fittest of the last generation that was measured.
        """
        if generation >= self._store.count("generation") - 1:
            return self.champion(game)
        past = [each for each in self.generations(CURVE_POINTS) if each.number <= generation]
        found = game.champion([each.statistics for each in past], "")
        measure = self._store.measure
        if found is not None or measure is None:
            return found
        sign = -1 if measure.is_lower_better else 1
        measured = [(number, each) for number, each in self._store.fitness() if number <= generation]
        best = max(measured, key=lambda each: (each[0], sign * each[1].value), default=None)
        return best[1].id if best else None

    def write_excerpt(self, folder: Path, game: GameStatistics, champion: int | None = None) -> None:
        """Write a small copy of the run for display: an individual, its ancestors, some genomes, and the curves.

        The individual is the one with the ID `champion`, by default the run's champion. Raises ValueError if the run
        has no champion yet, KeyError for an unknown ID, OSError or sqlite3.Error if the copy cannot be written.
        """
        if champion is None:
            champion = self.champion(game)
        if champion is None:
            raise ValueError("the run has no champion yet")
        relatives = self.ancestors(champion, EXCERPT_BIRTHS, EXCERPT_ANCESTORS).relatives
        others = spaced(self._store.ids(), EXCERPT_GENOMES)
        numbers = [generation.number for generation in self.generations(EXCERPT_GENERATIONS)]
        write_excerpt(self._store, folder, champion, [*(each.id for each in relatives), *others], numbers)

    def traits(self, game: GameStatistics) -> TraitCurves:
        """Return the means of the traits over time; traits that are always 0 are left out."""
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
    """Return at most `at_most` items (2 or more), evenly spaced, including the first and the last."""
    if len(items) <= at_most:
        return list(items)
    step = (len(items) - 1) / (at_most - 1)
    return [items[round(number * step)] for number in range(at_most)]


def _groups(born: Sequence[StoredIndividual]) -> list[list[StoredIndividual]]:
    """Divide individuals, in the order of birth, into at most TRAIT_POINTS groups of whole generations."""
    groups: list[list[StoredIndividual]] = []
    size = len(born) / TRAIT_POINTS
    for _, generation in groupby(born, key=lambda individual: individual.generation):
        if not groups or len(groups[-1]) >= size:
            groups.append([])
        groups[-1].extend(generation)
    return groups


def _means(traits: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each trait over the genomes that have it."""
    values: dict[str, list[float]] = {}
    for genome in traits:
        for name, value in genome.items():
            values.setdefault(name, []).append(value)
    return {name: fmean(found) for name, found in values.items()}
