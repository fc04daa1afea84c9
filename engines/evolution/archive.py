"""The hall of fame: champions of the past, so that the present must not forget how to beat them."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from core.random import Random
from engines.evolution.evolution import Genome, Individual
from engines.evolution.selection import picked

G = TypeVar("G", bound=Genome)


@dataclass(slots=True)
class HallOfFame(Generic[G]):
    """At most `size` individuals, in the order of their entry. Who enters a full hall takes the place
    of the one before whom the gap between entries is smallest, so that all times stay represented."""

    size: int
    champions: list[Individual[G]]

    def add(self, individual: Individual[G]) -> bool:
        """Whether it entered: who is in the hall does not enter again."""
        if any(champion.id == individual.id for champion in self.champions):
            return False
        self.champions.append(individual)
        if len(self.champions) > self.size:
            ids = [champion.id for champion in self.champions]
            gaps = [later - sooner for sooner, later in zip(ids, ids[2:], strict=False)]
            del self.champions[gaps.index(min(gaps)) + 1 if gaps else 0]
        return True

    def pick(self, rng: Random) -> Individual[G] | None:
        """Any champion; None in an empty hall."""
        return picked(self.champions, rng) if self.champions else None
