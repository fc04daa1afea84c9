"""The tree of life of a run: every individual with its parents, its fitness and a fixed place, for display.

A place is a generation and a lane, a number from 0 to 1. Lanes are assigned in one pass over the births. The offspring
of a generation are sorted by the lanes of their first parents, then each gets the lane nearest to its parent's that is
far enough from those of its neighbours (pool adjacent violators, linear). So the lines from first parents to children
do not cross within a generation, a lineage that takes over spreads over all lanes, and a place never changes when the
run grows: extend() adds what was born since the last call.

Runs may be larger than a page can draw. The last MAX_READ individuals are read. If they are more than MAX_SHOWN, only
every N-th is shown, and the main line: the champion with its first parents. A line then leads to the nearest ancestor
that is shown.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, nan
from typing import Final

from engines.evolution.run_store import Birth, RunStore

MAX_READ: Final = 500_000  # individuals of a run
MAX_SHOWN: Final = 200_000
MAX_ORIGINS: Final = 200  # different ones; all further ones count as OTHER_ORIGIN
OTHER_ORIGIN: Final = "another origin"
WIDEST_GAP: Final = 1 / 16  # between two lanes, at most
NONE: Final = -1  # instead of the place of a parent that is not on record


class LifeTree:
    """The tree of a run as far as it was read. Columns are in the order of birth; a parent is a place in them."""

    def __init__(self) -> None:
        self.ids = array("d")  # floating point numbers, which are exact up to 2**53
        self.generations = array("i")
        self.parents = array("i")  # the first ones, or NONE
        self.others = array("i")  # the second ones, or NONE
        self.fitness = array("f")  # the last one on record, or NaN
        self.lanes = array("f")
        self.origins = array("B")  # places in `names`
        self.names: dict[str, int] = {}  # of origins
        self.left_out = 0  # individuals that were born before those that were read
        self._places: dict[int, int] = {}  # by ID
        self._last: Birth | None = None
        self._measured = -1  # the last generation whose fitness was read
        self._run: tuple[int, str] | None = None  # seed and configuration

    def extend(self, store: RunStore) -> bool:
        """Read what the store has gained since the last call; return False if it now holds another run."""
        run = store.seed, store.config
        if self._last is None:
            ids = store.ids()
            self.left_out = max(len(ids) - MAX_READ, 0)
            after = ids[self.left_out] - 1 if ids else -1
        else:
            try:
                is_same = run == self._run and store.birth(self._last.id) == self._last
            except KeyError:
                is_same = False
            if not is_same:
                return False
            after = self._last.id
        self._run = run
        for generation, born in groupby(store.births(after), key=lambda birth: birth.generation):
            self._add(generation, list(born))
        for number, each in store.fitness(self._measured):
            self._measured = number
            if (place := self._places.get(each.id)) is not None:
                self.fitness[place] = each.value
        return True

    def line(self, id: int | None) -> list[int]:
        """Return the places of an individual and its first parents, the oldest first; none if `id` is unknown."""
        place = NONE if id is None else self._places.get(id, NONE)
        found = []
        while place != NONE:
            found.append(place)
            place = self.parents[place]
        return found[::-1]

    def thinned(self, champion: int | None) -> tuple[int, Sequence[int]]:
        """Return N, and the places to show: every N-th, and the main line to the champion."""
        step = ceil(len(self.ids) / MAX_SHOWN) or 1
        if step == 1:
            return 1, range(len(self.ids))
        return step, sorted({*range(0, len(self.ids), step), *self.line(champion)})

    def columns(self, shown: Sequence[int]) -> Iterator["array[float] | array[int]"]:
        """Yield the columns of the places to show: IDs, generations, parents, others, fitness, lanes, origins."""
        if len(shown) == len(self.ids):
            yield from (
                self.ids, self.generations, self.parents, self.others, self.fitness, self.lanes, self.origins
            )  # fmt: skip
            return
        nearest = array("i")  # the shown place that stands for each place, and NONE before the first one
        numbers = {place: number for number, place in enumerate(shown)}
        for place, parent in enumerate(self.parents):
            nearest.append(numbers.get(place, nearest[parent] if parent != NONE else NONE))

        def ancestors(column: "array[int]") -> "array[int]":
            return array("i", [nearest[each] if (each := column[place]) != NONE else NONE for place in shown])

        yield array("d", [self.ids[place] for place in shown])
        yield array("i", [self.generations[place] for place in shown])
        yield ancestors(self.parents)
        yield ancestors(self.others)
        yield array("f", [self.fitness[place] for place in shown])
        yield array("f", [self.lanes[place] for place in shown])
        yield array("B", [self.origins[place] for place in shown])

    def _add(self, generation: int, born: Sequence[Birth]) -> None:
        """Add the individuals that were born in a generation, which are in the order of their IDs."""
        first = len(self.ids)
        # All places come first, because some parents were born in the same generation.
        self._places.update((each.id, place) for place, each in enumerate(born, first))
        parents = [
            [known for id in each.parents if (known := self._places.get(id, place)) < place]
            for place, each in enumerate(born, first)
        ]
        founders, founded = sum(not elders for elders in parents), 0
        wishes: list[float] = []
        for elders in parents:
            founded += not elders
            if not elders:
                wishes.append((founded - 0.5) / founders)
            else:
                wishes.append(self.lanes[elders[0]] if elders[0] < first else wishes[elders[0] - first])
        order = sorted(range(len(born)), key=wishes.__getitem__)
        lanes = dict(zip(order, spread([wishes[index] for index in order]), strict=True))
        for each, elders in zip(born, parents, strict=True):
            self.ids.append(each.id)
            self.generations.append(generation)
            self.parents.append(elders[0] if elders else NONE)
            self.others.append(elders[1] if len(elders) > 1 else NONE)
            self.fitness.append(nan)
            self.origins.append(self._origin(each.origin))
        self.lanes.extend(lanes[index] for index in range(len(born)))
        self._last = born[-1]

    def _origin(self, name: str) -> int:
        if name not in self.names and len(self.names) >= MAX_ORIGINS:
            name = OTHER_ORIGIN
        return self.names.setdefault(name, len(self.names))


def spread(wishes: Sequence[float]) -> list[float]:
    """Return the lanes nearest to sorted wishes (in the sense of least squares) that keep a distance.

    The distance is WIDEST_GAP, or less if there are too many lanes for it; all lanes are from 0 to 1.
    """
    gap = min(1 / max(len(wishes), 1), WIDEST_GAP)
    # Lanes at the least distance: the wish for the first one, and the number of lanes.
    blocks: list[tuple[float, int]] = []
    for index, wish in enumerate(wishes):
        mean, count = wish - index * gap, 1
        while blocks and blocks[-1][0] > mean:
            other, others = blocks.pop()
            mean, count = (mean * count + other * others) / (count + others), count + others
        blocks.append((mean, count))
    least, most = gap / 2, 1 - gap * (len(wishes) - 0.5)
    firsts = [min(max(mean, least), most) for mean, count in blocks for _ in range(count)]
    return [first + index * gap for index, first in enumerate(firsts)]
