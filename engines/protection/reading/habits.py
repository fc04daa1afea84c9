"""What an automaton makes of an input that goes on and on, and of one that comes at some moment.

A Course is the actions from a state while one input stays: a beginning, then a round for ever. A Habit is
what it does on an input in each state that it can be in.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from core.protection.policy import INPUTS
from engines.protection.genome import Genome
from engines.protection.reading.normal import reachable


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Actions while one input stays."""

    beginning: tuple[int, ...]
    round: tuple[int, ...]  # then again and again

    @classmethod
    def of(cls, genome: Genome, minion: int, input: int, state: int = 0) -> Self:
        states: list[int] = []
        actions: list[int] = []
        while state not in states:
            states.append(state)
            state, action = genome.step(minion, state, input)
            actions.append(action)
        start = states.index(state)
        return cls(beginning=tuple(actions[:start]), round=_shortest(tuple(actions[start:])))

    def actions(self) -> Iterator[int]:
        """Without end."""
        yield from self.beginning
        while True:
            yield from self.round


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """What a minion does on some inputs, in all of which it does the same."""

    inputs: tuple[int, ...]
    actions: Mapping[int, int]  # by state, of those that are reached

    @property
    def always(self) -> int | None:
        """The one action, if there is but one."""
        found = set(self.actions.values())
        return found.pop() if len(found) == 1 else None


def habits(genome: Genome, minion: int) -> list[Habit]:
    """All inputs, those with the same actions together, in the order of the first of them."""
    states = reachable(genome, minion)
    together: dict[tuple[int, ...], list[int]] = {}
    for input in range(INPUTS):
        actions = tuple(genome.step(minion, state, input)[1] for state in states)
        together.setdefault(actions, []).append(input)
    return [
        Habit(inputs=tuple(inputs), actions=dict(zip(states, actions, strict=True)))
        for actions, inputs in together.items()
    ]


def _shortest(round: tuple[int, ...]) -> tuple[int, ...]:
    """The part that a round of actions repeats."""
    for length in range(1, len(round)):
        if round == round[:length] * (len(round) // length):
            return round[:length]
    return round
