"""Seeds, their commitments, and the streams of chance that follow from them."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from core.random import Random

PROTOCOL: Final = "galapagos/1"
GENERATOR: Final = "xoshiro256**"


@dataclass(frozen=True, slots=True)
class Seed:
    """All the chance of a game. The salt is empty when a client gave the seed."""

    number: int
    salt: str = ""

    def commitment(self, game_id: str) -> str:
        """What is told of the seed before the game."""
        return "sha256:" + sha256(_text(game_id, self.number, self.salt)).hexdigest()

    def stream_seed(self, purpose: str) -> int:
        """64 bits."""
        return int.from_bytes(sha256(_text(self.number, self.salt, purpose)).digest()[:8], "big")

    def stream(self, purpose: str) -> Random:
        """The generator of one purpose."""
        return Random(self.stream_seed(purpose))


def game_seed(match_seed: int, game: int) -> int:
    """The seed of a match's game: 53 bits."""
    return int.from_bytes(sha256(f"{match_seed}|{game}".encode()).digest()[:8], "big") >> 11


def _text(*parts: object) -> bytes:
    return "|".join([PROTOCOL, *map(str, parts)]).encode()
