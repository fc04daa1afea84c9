"""The account of a run as others read it: its curves, what its genomes consist of, and whom somebody descends from.

Whatever the length of the run, an account has so many points, genomes and ancestors at most.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from statistics import fmean
from typing import Any, Final, Protocol

from engines.evolution.run_store import RunStore, StoredIndividual

POINTS: Final = 2000  # of a curve
INDIVIDUALS: Final = 400  # whose genomes are read
MOMENTS: Final = 40  # at which they are taken together
ANCESTORS: Final = 80
BIRTHS: Final = 12  # back


class GameStatistics(Protocol):
    """What a game's module of curves offers. Names are "CHART: CURVE", the most telling first."""

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        """Numbers of a generation."""
        ...

    def champion(self, record: Sequence[Mapping[str, Any]]) -> int | None:
        """The ID of the best, by the statistics of generations in their order."""
        ...

    def traits(self, text: str) -> dict[str, float]:
        """Numbers of a genome. ValueError if it is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCurves:
    """GameStatistics over the generations; None where a generation was not measured."""

    generations: tuple[int, ...]
    seconds: float  # of the whole run
    measures: Mapping[str, Sequence[float | None]]
    champion: int | None

    @classmethod
    def of(cls, store: RunStore, curves: GameStatistics) -> "RunCurves":
        step = max(ceil(store.count("generation") / (POINTS - 1)), 1)
        past = list(store.generations(step=step))
        record = [each.statistics for each in past]
        measured = [curves.measures(statistics) for statistics in record]
        fullest = max(measured, key=len, default={})  # it knows the order of all
        names = dict.fromkeys([*fullest, *(name for each in measured for name in each)])
        return cls(
            generations=tuple(each.number for each in past),
            seconds=store.seconds,
            measures={name: [each.get(name) for each in measured] for name in names},
            champion=curves.champion(record),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitCurves:
    """What those were like who were born at the time: means of their traits."""

    generations: tuple[float, ...]
    traits: Mapping[str, Sequence[float | None]]

    @classmethod
    def of(cls, store: RunStore, curves: GameStatistics) -> "TraitCurves":
        ids = store.ids()
        chosen = ids[:: max(ceil(len(ids) / INDIVIDUALS), 1)]
        moments = _moments([store.individual(id) for id in chosen])
        means = [_means([curves.traits(each.genome) for each in moment]) for moment in moments]
        names = dict.fromkeys(name for each in means for name in each)
        return cls(
            generations=tuple(round(fmean(each.generation for each in moment), 2) for moment in moments),
            traits={
                name: [each.get(name) for each in means]
                for name in names
                if any(each.get(name) for each in means)
            },
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestor:
    """Somebody in a family, so many births before the one whose family it is."""

    id: int
    depth: int
    generation: int
    origin: str
    parents: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestry:
    """The nearest ancestors of an individual, itself first."""

    relatives: tuple[Ancestor, ...]
    is_whole: bool  # nobody was left out

    @classmethod
    def of(cls, store: RunStore, id: int, births: int = BIRTHS) -> "Ancestry":
        """KeyError if nobody has this ID."""
        relatives: dict[int, Ancestor] = {}
        waiting = deque([(id, 0)])
        is_whole = True
        while waiting:
            each, depth = waiting.popleft()
            if each in relatives:
                continue
            if depth > births or len(relatives) == ANCESTORS:
                is_whole = False
                continue
            relatives[each] = _relative(store.individual(each), depth)
            waiting.extend((parent, depth + 1) for parent in relatives[each].parents)
        return cls(relatives=tuple(relatives.values()), is_whole=is_whole)


def _relative(born: StoredIndividual, depth: int) -> Ancestor:
    return Ancestor(
        id=born.id, depth=depth, generation=born.generation, origin=born.origin, parents=born.parents
    )


def _moments(born: Sequence[StoredIndividual]) -> list[list[StoredIndividual]]:
    """Whole generations, as many together as make a moment."""
    moments: list[list[StoredIndividual]] = []
    size = len(born) / MOMENTS
    for _, generation in groupby(born, key=lambda each: each.generation):
        if not moments or len(moments[-1]) >= size:
            moments.append([])
        moments[-1].extend(generation)
    return moments


def _means(traits: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Of each trait, over those who have it."""
    values: dict[str, list[float]] = {}
    for each in traits:
        for name, value in each.items():
            values.setdefault(name, []).append(value)
    return {name: fmean(found) for name, found in values.items()}
