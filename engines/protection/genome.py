"""The genome of Chaos: a string of 1056 bits with eight automata and a preference for each kind of minion.

Nibble m*32 + s*8 + i is what minion m does in state s on input i: two bits for the new state, two for the
action; nibble 256 + m is its preference. Reference: "Advanced Protection, part Artificial Intelligence".

A string has two text forms: 264 hex digits, or `.aps`, which people can read and edit. The latter has a block for
each minion, in order: `minion NAME pref N` and four lines `state S:`, each with eight times `input>next-state
action`, where the action is F, R, L or S. `#` starts a comment in both forms.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from core.protection import rules
from core.protection.policy import INPUTS, STATES, STRING_BYTES, Policy
from core.protection.turn import LETTERS
from core.random import Random

MINIONS: Final = tuple(kind.name for kind in rules.MINIONS)
BITS: Final = STRING_BYTES * 8
DIGITS: Final = STRING_BYTES * 2
AUTOMATON: Final = STATES * INPUTS  # nibbles
PREFERENCES: Final = AUTOMATON * len(MINIONS)  # the index of the first preference
LOCI: Final = len(MINIONS)  # a locus is an automaton with its preference

HEAD: Final = re.compile(r"minion ([a-z]+) pref ([0-9]{1,2})")
STATE: Final = re.compile(r"state ([0-9]): ?(.*)")
STEP: Final = re.compile(rf"([0-7])>([0-3])([{LETTERS}])")
HEX: Final = frozenset("0123456789abcdefABCDEF")

Lines = Iterator[tuple[int, str]]


class StringError(ValueError):
    """An invalid string; the message names the line, counted from 1, and the text that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Genome:
    """A string; the high bit of the first byte is bit 0."""

    code: bytes

    def __post_init__(self) -> None:
        if len(self.code) != STRING_BYTES:
            raise ValueError(f"a string has {STRING_BYTES} bytes, not {len(self.code)}")

    @classmethod
    def random(cls, rng: Random) -> Self:
        """Return a genome with each bit drawn at random."""
        return cls(code=bytes(rng.below(256) for _ in range(STRING_BYTES)))

    @classmethod
    def of(cls, nibbles: list[int]) -> Self:
        """Return the genome of 264 numbers in 0..15."""
        return cls(code=bytes(high << 4 | low for high, low in zip(nibbles[::2], nibbles[1::2], strict=True)))

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the genome in either text form. Raises StringError, a ValueError, if the text is invalid."""
        return cls.of(_parse(text))

    def dumps(self) -> str:
        """Return the readable form, `.aps`."""
        nibbles = self.nibbles
        return "".join(_block(nibbles, minion) for minion in range(len(MINIONS)))

    @property
    def hex(self) -> str:
        """The string as 264 hex digits."""
        return self.code.hex()

    @property
    def nibbles(self) -> list[int]:
        return [nibble for byte in self.code for nibble in (byte >> 4, byte & 15)]

    @property
    def preferences(self) -> tuple[int, ...]:
        """The preference for each kind of minion, 0..15: Chaos buys minions in these proportions."""
        return tuple(self.nibbles[PREFERENCES:])

    def step(self, minion: int, state: int, input: int) -> tuple[int, int]:
        """Return the new state and the action of a minion's automaton."""
        place = minion * AUTOMATON + state * INPUTS + input
        byte = self.code[place >> 1]
        nibble = byte & 15 if place & 1 else byte >> 4
        return nibble >> 2, nibble & 3

    def express(self) -> Policy:
        """Return the automata and preferences in the form in which a turn is played."""
        return Policy(self.code)

    def mutate(self, rng: Random) -> Self:
        """Return a copy with one random bit flipped."""
        bit = rng.below(BITS)
        code = bytearray(self.code)
        code[bit >> 3] ^= 0x80 >> (bit & 7)
        return type(self)(code=bytes(code))

    def mate(self, other: Self, rng: Random) -> Self:
        """Return a child by uniform crossover of loci: an automaton comes with its preference from either parent."""
        own, others = self.nibbles, other.nibbles
        for locus in range(LOCI):
            if rng.chance(0.5):
                start = locus * AUTOMATON
                own[start : start + AUTOMATON] = others[start : start + AUTOMATON]
                own[PREFERENCES + locus] = others[PREFERENCES + locus]
        return self.of(own)


# -- The text forms --------------------------------------------------------------------------------


def _parse(text: str) -> list[int]:
    """Return the 264 nibbles of a string in either text form."""
    lines = [
        (number, content)
        for number, line in enumerate(text.splitlines(), 1)
        if (content := " ".join(line.partition("#")[0].split()))
    ]
    if not lines:
        raise StringError(f"an empty text: {DIGITS} hex digits or `minion {MINIONS[0]} pref N` is expected")
    if lines[0][1].startswith("minion"):
        return _parse_blocks(iter(lines), len(text.splitlines()))
    return _parse_digits(lines)


def _parse_digits(lines: list[tuple[int, str]]) -> list[int]:
    nibbles = []
    for number, line in lines:
        for column, character in enumerate(line.replace(" ", ""), 1):
            if character not in HEX:
                raise StringError(
                    f"line {number}: {character!r}, the {column}. character, is not a hex digit"
                )
            nibbles.append(int(character, 16))
    if len(nibbles) != DIGITS:
        raise StringError(f"line {lines[-1][0]}: a string has {DIGITS} hex digits, not {len(nibbles)}")
    return nibbles


def _parse_blocks(lines: Lines, last: int) -> list[int]:
    nibbles: list[int] = []
    preferences = []
    for name in MINIONS:
        number, line = next(lines, (last, ""))
        head = HEAD.fullmatch(line)
        if not head or head[1] != name or int(head[2]) > 15:
            raise StringError(f"line {number}: `minion {name} pref 0..15` is expected, not {line[:60]!r}")
        preferences.append(int(head[2]))
        for state in range(STATES):
            nibbles += _parse_state(*next(lines, (last, "")), name, state)
    for number, line in lines:
        raise StringError(f"line {number}: the string was complete before {line[:60]!r}")
    return nibbles + preferences


def _parse_state(number: int, line: str, name: str, state: int) -> Iterator[int]:
    head = STATE.fullmatch(line)
    if not head or int(head[1]) != state:
        raise StringError(f"line {number}: `state {state}:` of {name} is expected, not {line[:60]!r}")
    words = head[2].split()
    if len(words) != INPUTS:
        raise StringError(f"line {number}: state {state} of {name} has {INPUTS} inputs, not {len(words)}")
    for input, word in enumerate(words):
        step = STEP.fullmatch(word)
        if not step or int(step[1]) != input:
            raise StringError(
                f"line {number}: `{input}>` with a state 0..3 and an action {', '.join(LETTERS)} "
                f"is expected, not {word[:60]!r}"
            )
        yield int(step[2]) << 2 | LETTERS.index(step[3])


def _block(nibbles: list[int], minion: int) -> str:
    lines = [f"minion {MINIONS[minion]} pref {nibbles[PREFERENCES + minion]}\n"]
    for state in range(STATES):
        start = minion * AUTOMATON + state * INPUTS
        steps = (
            f"{input}>{nibble >> 2}{LETTERS[nibble & 3]}"
            for input, nibble in enumerate(nibbles[start : start + INPUTS])
        )
        lines.append(f"state {state}: {' '.join(steps)}\n")
    return "".join(lines)
