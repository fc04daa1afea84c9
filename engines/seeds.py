"""The random numbers of one game: a seed, the streams that follow from it, and the commitment to it."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

from core.random import Random

PROTOCOL: Final = "galapagos/1"
GENERATOR: Final = "xoshiro256**"


class RandomStreams(Protocol):
    """All random numbers of a game, by purpose."""

    def stream_seed(self, purpose: str) -> int:
        """64 bits."""
        ...

    def stream(self, purpose: str) -> Random:
        """The generator of one purpose."""
        ...


@dataclass(frozen=True, slots=True)
class SeededStreams:
    """The streams of `galapagos/1`: each begins with the first 8 bytes of the SHA-256 of protocol, seed, salt and purpose.

    The salt is empty when a client chose the seed.
    """

    number: int
    salt: str = ""

    def stream_seed(self, purpose: str) -> int:
        return int.from_bytes(_sha256(PROTOCOL, self.number, self.salt, purpose)[:8], "big")

    def stream(self, purpose: str) -> Random:
        return Random(self.stream_seed(purpose))

    def commitment(self, game_id: str) -> str:
        """The hash that is published before the game and can be checked when seed and salt are revealed."""
        return "sha256:" + _sha256(PROTOCOL, game_id, self.number, self.salt).hex()


def game_seed(match_seed: int, game: int) -> int:
    """The seed of one game of a match: 53 bits."""
    return int.from_bytes(_sha256(match_seed, game)[:8], "big") >> 11


def _sha256(*parts: object) -> bytes:
    return sha256("|".join(map(str, parts)).encode()).digest()
