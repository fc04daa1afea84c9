"""The genome of Chaos: the string of 1056 bits that says how eight kinds of minion walk and how many there are.

Nibble m*32 + s*8 + i is what minion m does in state s on input i: two bits for the new state, two for the
action; nibble 256 + m is its preference. Reference: "Advanced Protection, part Artificial Intelligence".
"""

from dataclasses import dataclass
from typing import Final, Self

from core.protection.policy import INPUTS, STATES, STRING_BYTES, Policy
from core.random import Random
from engines.protection.string_text import dumps, loads
from engines.protection.words import MINIONS

BYTES: Final = STRING_BYTES
BITS: Final = BYTES * 8
AUTOMATON: Final = STATES * INPUTS  # nibbles
PREFERENCES: Final = AUTOMATON * len(MINIONS)  # where they begin
LOCI: Final = len(MINIONS)  # a locus is an automaton with its preference


@dataclass(frozen=True, slots=True, kw_only=True)
class Genome:
    """A string; the high bit of the first byte is bit 0."""

    code: bytes

    def __post_init__(self) -> None:
        if len(self.code) != BYTES:
            raise ValueError(f"a string has {BYTES} bytes, not {len(self.code)}")

    @classmethod
    def random(cls, rng: Random) -> Self:
        """Every bit by the toss of a coin."""
        return cls(code=bytes(rng.below(256) for _ in range(BYTES)))

    @classmethod
    def of(cls, nibbles: list[int]) -> Self:
        """Of 264 numbers in 0..15."""
        return cls(code=bytes(high << 4 | low for high, low in zip(nibbles[::2], nibbles[1::2], strict=True)))

    @classmethod
    def loads(cls, text: str) -> Self:
        """264 hex digits or the readable form. StringError, a ValueError, names the line and what is wrong."""
        return cls.of(loads(text))

    def dumps(self) -> str:
        """The readable form, `.aps`."""
        return dumps(self.nibbles)

    @property
    def hex(self) -> str:
        """264 digits."""
        return self.code.hex()

    @property
    def nibbles(self) -> list[int]:
        return [nibble for byte in self.code for nibble in (byte >> 4, byte & 15)]

    @property
    def preferences(self) -> tuple[int, ...]:
        """0..15 for each kind of minion: what Chaos spends its money on."""
        return tuple(self.nibbles[PREFERENCES:])

    def step(self, minion: int, state: int, input: int) -> tuple[int, int]:
        """The new state and the action."""
        place = minion * AUTOMATON + state * INPUTS + input
        byte = self.code[place >> 1]
        nibble = byte & 15 if place & 1 else byte >> 4
        return nibble >> 2, nibble & 3

    def express(self) -> Policy:
        """The automata and preferences that Chaos plays a turn with."""
        return Policy(self.code)

    def mutate(self, rng: Random) -> Self:
        """One bit is flipped."""
        bit = rng.below(BITS)
        code = bytearray(self.code)
        code[bit >> 3] ^= 0x80 >> (bit & 7)
        return type(self)(code=bytes(code))

    def mate(self, other: Self, rng: Random) -> Self:
        """A hybrid: each automaton comes with its preference from either parent."""
        own, others = self.nibbles, other.nibbles
        for locus in range(LOCI):
            if rng.chance(0.5):
                start = locus * AUTOMATON
                own[start : start + AUTOMATON] = others[start : start + AUTOMATON]
                own[PREFERENCES + locus] = others[PREFERENCES + locus]
        return self.of(own)
