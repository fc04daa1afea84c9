"""The random numbers of one game: a seed, the streams derived from the seed, and the commitment to it."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

from core.random import Random

PROTOCOL: Final = "galapagos/1"
GENERATOR: Final = "xoshiro256**"


class RandomStreams(Protocol):
    """All random numbers of a game, by purpose."""

    def stream_seed(self, purpose: str) -> int:
        """Return the seed of the generator of one purpose: 64 bits."""
        ...

    def stream(self, purpose: str) -> Random:
        """Return a new generator for one purpose."""
        ...


@dataclass(frozen=True, slots=True)
class SeededStreams:
    """The streams of `galapagos/1`, which all follow from a seed and a salt.

    A stream is seeded with the first 8 bytes of the SHA-256 of protocol, seed, salt and purpose. The salt is empty if
    a client has chosen the seed.
    """

    number: int
    salt: str = ""

    def stream_seed(self, purpose: str) -> int:
        return int.from_bytes(_sha256(PROTOCOL, self.number, self.salt, purpose)[:8], "big")

    def stream(self, purpose: str) -> Random:
        return Random(self.stream_seed(purpose))

    def commitment(self, game_id: str) -> str:
        """Return the hash that is published before a game, to be checked when seed and salt are revealed."""
        return "sha256:" + _sha256(PROTOCOL, game_id, self.number, self.salt).hex()


def game_seed(match_seed: int, game: int) -> int:
    """Return the seed of game number `game` of a match: 53 bits."""
    return int.from_bytes(_sha256(match_seed, game)[:8], "big") >> 11


def _sha256(*parts: object) -> bytes:
    return sha256("|".join(map(str, parts)).encode()).digest()
