"""The base of populations that are replaced generation by generation: IDs, random streams, and labelled tasks.

A subclass makes the founders, the tasks of a generation under labels of its own, and from their outcomes,
under the same labels, the next generation.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from core.random import Random
from engines.evolution.population import Generation, Genome, Individual, derive_seed

G = TypeVar("G", bound=Genome)

Past = Callable[[int], Individual[G]]  # an individual on record, by its ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Child(Generic[G]):
    """A genome that has been bred; `parents` are places among those that it was bred from."""

    genome: G
    parents: tuple[int, ...] = ()
    origin: str = "random"


class GenerationalPopulation(ABC, Generic[G]):
    """A Population (engines/evolution/population.py). IDs count up from `next_id` in strides."""

    def __init__(self, seed: int, generation: int = -1, next_id: int = 0, id_stride: int = 1) -> None:
        self.generation = generation
        self._seed = seed
        self._next_id = next_id
        self._id_stride = id_stride
        self._planned: Mapping[Any, Sequence[Any]] | None = None  # tasks of the next step, once asked for

    def tasks(self) -> list[Any]:
        return list(chain.from_iterable(self._plan().values()))

    def step(self, outcomes: Sequence[Any]) -> Generation[G]:
        planned, self._planned = self._plan(), None
        if self.generation < 0:
            self.generation = 0
            return Generation(number=0, born=tuple(self._found()))
        rest = iter(outcomes)
        return self._advance({label: list(islice(rest, len(tasks))) for label, tasks in planned.items()})

    @abstractmethod
    def _found(self) -> Sequence[Individual[G]]:
        """Begin with the founders, who are put on record."""

    @abstractmethod
    def _label_tasks(self) -> Mapping[Any, Sequence[Any]]:
        """The tasks of the next step, in the order of their labels; asking changes nothing."""

    @abstractmethod
    def _advance(self, outcomes: Mapping[Any, Sequence[Any]]) -> Generation[G]:
        """Go on by a generation, given what came of the tasks, by their labels."""

    def _bear(self, child: Child[G], parents: Sequence[Individual[G]] = ()) -> Individual[G]:
        """The child as an individual of this generation, with the next ID."""
        id = self._next_id
        self._next_id += self._id_stride
        return Individual(
            id=id,
            genome=child.genome,
            parents=tuple(parents[place].id for place in child.parents),
            generation=self.generation,
            origin=child.origin,
        )

    def _seed_of(self, *place: int) -> int:
        """The seed of a place in this generation; the first number names the stream."""
        return derive_seed(self._seed, self.generation, *place)

    def _random(self, *place: int) -> Random:
        return Random(self._seed_of(*place))

    def _plan(self) -> Mapping[Any, Sequence[Any]]:
        if self._planned is None:
            self._planned = {} if self.generation < 0 else self._label_tasks()
        return self._planned


@dataclass(slots=True)
class ExaminationReport:
    """The report of a run: a text of a generation's statistics and of the last examination, which is shown until the next."""

    text: Callable[[Mapping[str, Any], Mapping[str, Any]], str]
    examined: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, generation: Generation[Any]) -> str:
        self.examined = generation.statistics.get("examined", self.examined)
        return self.text(generation.statistics, self.examined)
