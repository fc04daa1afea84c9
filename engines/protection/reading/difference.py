"""Where two strings differ: bits, purchases and, of what their minions come to, steps."""

from dataclasses import dataclass
from typing import Self

from core.protection.policy import INPUTS
from engines.protection.genome import Genome
from engines.protection.reading.normal import normalised, reachable
from engines.protection.words import ACTIONS, MINIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A step that is another one in the other string."""

    minion: int
    state: int
    input: int
    here: tuple[int, int]  # new state and action
    there: tuple[int, int]

    def __str__(self) -> str:
        here, there = (f"{state}{ACTIONS[action]}" for state, action in (self.here, self.there))
        return f"{MINIONS[self.minion]} state {self.state}: {self.input}>{here} is {self.input}>{there}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Of two strings."""

    bits: int  # of 1056
    used_bits: int  # without states that are never reached
    preferences: tuple[tuple[int, int], ...]  # of both, by minion
    changes: tuple[Change, ...]  # of steps in states that both come to

    @classmethod
    def of(cls, here: Genome, there: Genome) -> Self:
        return cls(
            bits=bits_apart(here, there),
            used_bits=bits_apart(normalised(here), normalised(there)),
            preferences=tuple(zip(here.preferences, there.preferences, strict=True)),
            changes=tuple(
                Change(
                    minion=minion,
                    state=state,
                    input=input,
                    here=here.step(minion, state, input),
                    there=there.step(minion, state, input),
                )
                for minion in range(len(MINIONS))
                for state in reachable(here, minion)
                if state in reachable(there, minion)
                for input in range(INPUTS)
                if here.step(minion, state, input) != there.step(minion, state, input)
            ),
        )

    def text(self) -> str:
        """Lines for people."""
        lines = [f"{self.bits} bits differ, {self.used_bits} without states that are never reached"]
        lines += [
            f"{MINIONS[minion]} pref {here} is {there}"
            for minion, (here, there) in enumerate(self.preferences)
            if here != there
        ]
        return "\n".join([*lines, *map(str, self.changes)])


def bits_apart(here: Genome, there: Genome) -> int:
    """The Hamming distance."""
    return (int.from_bytes(here.code, "big") ^ int.from_bytes(there.code, "big")).bit_count()
