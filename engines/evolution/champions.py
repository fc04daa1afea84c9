"""The champions of a run by generation, as far as they are on record, so that they can play against each other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engines.evolution.run_history import CURVE_POINTS, GameStatistics, RunHistory, spaced
from engines.evolution.run_store import RunStore

MAX_CHAMPIONS: Final = 400  # that are offered of a run
LONGEST_LINE: Final = 5000  # first parents that are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChampion:
    """The best individual of a generation, or an ancestor of the run's champion where the best is not on record."""

    generation: int  # the one that it was the best of, or that it was born in
    id: int
    born: int = 0  # the generation in which it was born: a champion can be older than the generation it was the best of
    fitness: float | None = None  # as it was measured in that generation, if it was
    is_ancestor: bool = False  # not the best, but an ancestor


def champions(store: RunStore, game: GameStatistics) -> list[RunChampion]:
    """Return up to MAX_CHAMPIONS champions in the order of their generations, spread over the run.

    The champion of a generation is the one that its statistics name, else the one with the best fitness. Where neither
    is on record, as in most generations of an excerpt, an ancestor of the run's champion that was born then is offered.
    """
    found = {each.generation: each for each in _ancestors(store, game)}
    known = set(store.ids())
    found |= {each.generation: each for each in _fittest(store) if each.id in known}
    for past in RunHistory(store).generations(CURVE_POINTS):
        id = game.champion([past.statistics], "")
        if id in known and id is not None:
            fittest = found.get(past.number)
            fitness = fittest.fitness if fittest and fittest.id == id else None
            found[past.number] = RunChampion(generation=past.number, id=id, fitness=fitness)
    chosen = spaced([found[number] for number in sorted(found)], MAX_CHAMPIONS)
    return [replace(each, born=store.birth(each.id).generation) for each in chosen]


def _fittest(store: RunStore) -> Iterator[RunChampion]:
    """Yield the individual with the best fitness of each generation."""
    measure = store.measure
    best: RunChampion | None = None
    for generation, each in store.fitness():
        if best and best.generation != generation:
            yield best
            best = None
        is_better = (
            best is None
            or best.fitness is None
            or measure is None
            or (each.value < best.fitness if measure.is_lower_better else each.value > best.fitness)
        )
        if is_better:
            best = RunChampion(generation=generation, id=each.id, fitness=each.value)
    if best:
        yield best


def _ancestors(store: RunStore, game: GameStatistics) -> Iterator[RunChampion]:
    """Yield the run's champion and its first parents, as far as they are on record."""
    id = RunHistory(store).champion(game)
    for _ in range(LONGEST_LINE):
        try:
            birth = None if id is None else store.birth(id)
        except KeyError:  # not in the excerpt
            birth = None
        if birth is None:
            return
        yield RunChampion(generation=birth.generation, id=birth.id, is_ancestor=True)
        id = birth.parents[0] if birth.parents else None
