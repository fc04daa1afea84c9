"""The chance of a game: a seed, and for each purpose and turn a stream of its own, so that no die moves another."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

from core.random import Random

MAP: Final = "map"


class Chance(Protocol):
    """All the chance of a game, by purpose."""

    def stream_seed(self, purpose: str) -> int:
        """64 bits."""
        ...

    def stream(self, purpose: str) -> Random:
        """The generator of one purpose."""
        ...


def placing(turn: int) -> str:
    """Where the minions of a turn are placed."""
    return f"place|{turn}"


def combat(turn: int) -> str:
    """The dice of a turn."""
    return f"combat|{turn}"


def choice(turn: int) -> str:
    """What Chaos's choice of a string leaves to chance."""
    return f"choice|{turn}"


def breeding(turn: int) -> str:
    """The parents of a turn's hybrids, and what each child has of them."""
    return f"hybrid|{turn}"


def rating(turn: int, index: int, replicate: int) -> str:
    """One test of a string against the arrangement of a turn; neither the game's dice nor its placing."""
    return f"rate|{turn}|{index}|{replicate}"


@dataclass(frozen=True, slots=True)
class Seeded:
    """The streams of `galapagos/1`: the first 8 bytes of the SHA-256 of protocol, seed, salt and purpose."""

    number: int
    salt: str = ""

    def stream_seed(self, purpose: str) -> int:
        text = f"galapagos/1|{self.number}|{self.salt}|{purpose}"
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big")

    def stream(self, purpose: str) -> Random:
        return Random(self.stream_seed(purpose))
