"""What can evolve: the laws that every genome keeps, whatever game it plays.

The verbs are DEAP's. Lineage, fitness and age belong to whoever breeds genomes, never to a genome.
"""

from typing import Protocol, Self

from core.random import Random


class Genome(Protocol):
    """An immutable value from which a player is expressed, and which people can read and edit.

    Each game's genome also has express(), pure and deterministic; what it gives is the game's own.
    """

    @classmethod
    def random(cls, rng: Random) -> Self:
        """A newcomer, as an evolution from nothing begins with; a function of the rng's state."""
        ...

    @classmethod
    def loads(cls, text: str) -> Self:
        """The one genome that `text` describes: loads(x.dumps()) == x.

        ValueError names the line and what is wrong with it; no text whatever raises anything else.
        """
        ...

    def dumps(self) -> str:
        """The genome as lines of text, with its numbers exact."""
        ...

    def mutate(self, rng: Random) -> Self:
        """A changed copy, always valid; it may be equal to the original."""
        ...

    def mate(self, other: Self, rng: Random) -> Self:
        """A child of two parents, always valid; each of its genes is one of theirs. Nothing mutates."""
        ...
