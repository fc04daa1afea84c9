"""The base of populations that are replaced generation by generation: IDs, random streams, and labelled tasks.

A subclass creates the founders and the tasks of a generation, under labels of its own. From the outcomes of these
tasks, under the same labels, it creates the next generation.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from core.random import Random
from engines.evolution.population import Generation, Genome, Individual, derive_seed

G = TypeVar("G", bound=Genome)

Past = Callable[[int], Individual[G]]  # returns the individual on record with this ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Child(Generic[G]):
    """A genome that has been bred; `parents` are indices into the sequence that it was bred from."""

    genome: G
    parents: tuple[int, ...] = ()
    origin: str = "random"


class GenerationalPopulation(ABC, Generic[G]):
    """A Population (engines/evolution/population.py) whose IDs count up from `next_id` in strides."""

    def __init__(self, seed: int, generation: int = -1, next_id: int = 0, id_stride: int = 1) -> None:
        self.generation = generation
        self._seed = seed
        self._next_id = next_id
        self._id_stride = id_stride
        self._planned: Mapping[Any, Sequence[Any]] | None = None  # tasks of the next step, once requested

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
        """Create the founders and return them, for the record."""

    @abstractmethod
    def _label_tasks(self) -> Mapping[Any, Sequence[Any]]:
        """Return the tasks of the next step by label, in order.

        The call changes nothing in the population.
        """

    @abstractmethod
    def _advance(self, outcomes: Mapping[Any, Sequence[Any]]) -> Generation[G]:
        """Advance by a generation, given the outcomes of the tasks, by label."""

    def _bear(self, child: Child[G], parents: Sequence[Individual[G]] = ()) -> Individual[G]:
        """Return the child as an individual of this generation, with the next ID."""
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
        """Return the seed for a place in this generation; the first number names the stream."""
        return derive_seed(self._seed, self.generation, *place)

    def _random(self, *place: int) -> Random:
        return Random(self._seed_of(*place))

    def _plan(self) -> Mapping[Any, Sequence[Any]]:
        if self._planned is None:
            self._planned = {} if self.generation < 0 else self._label_tasks()
        return self._planned


@dataclass(slots=True)
class ExaminationReport:
    """The report of a run: a text for the statistics of a generation and the last examination.

    An examination is shown until the next one.
    """

    text: Callable[[Mapping[str, Any], Mapping[str, Any]], str]
    examined: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, generation: Generation[Any]) -> str:
        self.examined = generation.statistics.get("examined", self.examined)
        return self.text(generation.statistics, self.examined)
