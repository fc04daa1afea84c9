"""Populations, and the values that an evolution consists of: a machine that advances by generations, without I/O.

The verbs are DEAP's. A Population names the tasks that must be played, is given their outcomes, and returns the
Generation to be recorded. It knows neither the workers that play (engines/worker_pool.py) nor the record
(run_store.py). Everything random in a generation derives from the run's seed, the generation's number and a place in
it (derive_seed), so there is no random state to save, and a run is the same with any number of workers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from statistics import fmean
from typing import Any, Generic, Protocol, Self, TypeVar

G = TypeVar("G", bound="Genome")


def derive_seed(seed: int, *place: int) -> int:
    """Return the seed for a place in a run, such as (generation, index): 63 bits of a hash.

    Different places have different seeds, except for collisions of the hash.
    """
    text = " ".join(map(str, (seed, *place)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


class Genome(Protocol):
    """An immutable value from which a player is expressed, and which people can read and edit.

    The genome of each game also has express(), pure and deterministic; the type of its result depends on the game.
    """

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the genome that `text` describes; `loads(x.dumps()) == x`.

        Raises ValueError with the line and the fault; no text at all raises any other error.
        """
        ...

    def dumps(self) -> str:
        """Return the genome as lines of text, with its numbers exact."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Individual(Generic[G]):
    """A genome that was born in a run, and its origin.

    IDs count up from 0 in the order of birth; the IDs of individuals that a population does not put on record are
    missing.
    """

    id: int
    genome: G
    parents: tuple[int, ...] = ()  # IDs; empty if it was not bred from others
    generation: int = 0  # the generation in which it was born
    origin: str = "random"  # in the population's own words


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """A game played for an evolution.

    Players and returns are in the order of seats; returns are those of core.game.
    """

    niche: int = 0  # the pool, tribe or island
    players: tuple[int, ...]  # IDs
    returns: tuple[float, ...]
    ending: str = ""
    length: int = 0  # actions
    record: bytes = b""  # in the game's own format
    remark: str = ""  # the consequence of the game, for display


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitness:
    """The fitness of an individual, and the number of games by which it was measured."""

    id: int
    value: float
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The fitness of some individuals, as measured in one generation; `name` describes the measure in words."""

    name: str  # for display, such as "share of the money, mean of games"
    values: tuple[Fitness, ...]
    is_lower_better: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation(Generic[G]):
    """The result of one step of a population.

    The fitness follows from the rest, and is not part of the run's hash.
    """

    number: int  # from 0: the founders
    born: tuple[Individual[G], ...] = ()
    contests: tuple[Contest, ...] = ()
    statistics: Mapping[str, Any] = field(default_factory=dict)  # values that JSON can hold
    fitness: Measurement | None = None


def mean_returns(contests: Iterable[Contest]) -> tuple[Fitness, ...]:
    """Return the mean of the returns of each individual, in the order in which they first played."""
    returns: dict[int, list[float]] = {}
    for contest in contests:
        for id, value in zip(contest.players, contest.returns, strict=True):
            returns.setdefault(id, []).append(value)
    return tuple(Fitness(id=id, value=fmean(values), games=len(values)) for id, values in returns.items())


class Population(Protocol):
    """An evolution in progress. The first step of a new one has no tasks and creates the founders."""

    generation: int  # the last complete one; -1: there are no founders yet

    def tasks(self) -> Sequence[Any]:
        """Return the tasks of the next generation, which can be pickled. The call changes nothing."""
        ...

    def step(self, outcomes: Sequence[Any]) -> Generation[Any]:
        """Advance by a generation, given the outcome of each task, in their order."""
        ...

    @property
    def state(self) -> Any:
        """All that the future depends on, in addition to the configuration, the seed and the record.

        It is a frozen msgspec.Struct.
        """
        ...
