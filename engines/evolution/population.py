"""What evolves, and how an evolution goes on: generation by generation, as a machine without input or output.

The verbs are DEAP's. A Population says what must be played, is given what came of it, and returns the
Generation to be recorded; who plays (engines/worker_pool.py) and who keeps the record (run_store.py)
is no business of its own. Everything random in a generation derives from the run's seed, the
generation's number and a place in it (derive_seed), so there is no random state to save, and the same run
comes out the same with any number of workers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from statistics import fmean
from typing import Any, Generic, Protocol, Self, TypeVar

G = TypeVar("G", bound="Genome")


def derive_seed(seed: int, *place: int) -> int:
    """The seed of what happens at a place of a run, say (generation, index): 63 bits, all different."""
    text = " ".join(map(str, (seed, *place)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


class Genome(Protocol):
    """An immutable value from which a player is expressed, and which people can read and edit.

    Each game's genome also has express(), pure and deterministic; what it gives is the game's own.
    """

    @classmethod
    def loads(cls, text: str) -> Self:
        """The one genome that `text` describes: loads(x.dumps()) == x.

        ValueError names the line and what is wrong with it; no text whatever raises anything else.
        """
        ...

    def dumps(self) -> str:
        """The genome as lines of text, with its numbers exact."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Individual(Generic[G]):
    """A genome that was born in a run, and how. IDs count up from 0 in the order of birth;
    those of individuals that a population does not put on record are missing."""

    id: int
    genome: G
    parents: tuple[int, ...] = ()  # IDs; a newcomer has none
    generation: int = 0  # in which it was born
    origin: str = "random"  # in the population's own words


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A game that was played for an evolution's sake. Seats in order; returns as core.game has them."""

    niche: int = 0  # which pool, tribe or island
    players: tuple[int, ...]  # IDs
    returns: tuple[float, ...]
    ending: str = ""
    length: int = 0  # actions
    record: bytes = b""  # in the game's own form
    remark: str = ""  # what followed from it, for people


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitness:
    """The fitness of an individual, and the number of games by which it was measured."""

    id: int
    value: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The fitness of some individuals, as measured in one generation; `name` says in words what is measured."""

    name: str  # for people, such as "share of the money, mean of games"
    values: tuple[Fitness, ...]
    is_lower_better: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation(Generic[G]):
    """The result of one step of a population. The fitness follows from the rest, and is not part of the run's hash."""

    number: int  # from 0: the founders
    born: tuple[Individual[G], ...] = ()
    contests: tuple[Contest, ...] = ()
    statistics: Mapping[str, Any] = field(default_factory=dict)  # what JSON can hold
    fitness: Measurement | None = None


def mean_returns(contests: Iterable[Contest]) -> tuple[Fitness, ...]:
    """Return the mean of the returns of each individual, in the order in which they first played."""
    returns: dict[int, list[float]] = {}
    for contest in contests:
        for id, value in zip(contest.players, contest.returns, strict=True):
            returns.setdefault(id, []).append(value)
    return tuple(Fitness(id=id, value=fmean(values), games=len(values)) for id, values in returns.items())


class Population(Protocol):
    """An evolution under way. The first step of a new one, of no tasks, brings the founders."""

    generation: int  # the number of the last one that is complete; -1: there are no founders yet

    def tasks(self) -> Sequence[Any]:
        """What must be played for the next generation; asking changes nothing. Tasks can be pickled."""
        ...

    def step(self, outcomes: Sequence[Any]) -> Generation[Any]:
        """Go on by a generation, given what came of each task, in their order."""
        ...

    @property
    def state(self) -> Any:
        """All that the future depends on, next to the configuration, the seed and the record: a frozen msgspec.Struct."""
        ...
