"""Automata of a string: reachable states, canonical form, differences, lint, and descriptions in English.

The words for the inputs are those of "Advanced Protection, part Appendix A"; "Kamikazee" is its spelling.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from core.protection.policy import FORWARD, INPUTS, LEFT, RIGHT, SPECIAL, STATES
from core.protection.rules import COMMON, KINDS, SCAVENGER, SCOUT
from core.protection.turn import LETTERS
from engines.protection.genome import AUTOMATON, MINIONS, Genome

BARBARIANS: Final = range(COMMON, KINDS)
FACING_TARGET: Final = (4, 5, 6, 7)  # a barbarian's inputs when it faces a unit that it can attack
BROADCAST: Final = (2, 3)  # a barbarian's inputs when it receives a scout's broadcast
FARMABLE: Final = (
    2,
    4,
    5,
    6,
    7,
)  # a scavenger's inputs on which it may farm; the others report what is in front

SCOUT_INPUTS: Final = (
    "with nothing to sense",
    "before impassable terrain",
    "within a jammer's radius",
    "within an artillery's radius",
    "facing a drone or farmer",
    "facing infantry, a settler, a jammer or artillery",
    "facing armor",
    "facing a mine",
)
SCAVENGER_INPUTS: Final = (
    "facing a human unit",
    "before impassable terrain",
    "with gold near",
    "facing gold",
    "on ground without a farming bonus",
    "on ground of bonus 1",
    "on ground of bonus 2",
    "on ground of bonus 3",
)
BARBARIAN_INPUTS: Final = (
    "with nothing to sense",
    "before impassable terrain",
    "hearing a scout",
    "facing a scout that it hears",
    "facing a drone or farmer",
    "facing infantry or a settler",
    "facing armor",
    "facing a jammer or artillery",
)
VERBS: Final = {FORWARD: "walks", RIGHT: "turns right", LEFT: "turns left"}
ORDINALS: Final = {2: "second", 3: "third", 4: "fourth"}


# -- Canonical form and differences ----------------------------------------------------------------


def reachable(genome: Genome, minion: int) -> list[int]:
    """Return the states that the minion can reach from state 0, in order."""
    found = {0}
    waiting = [0]
    while waiting:
        state = waiting.pop()
        for input in range(INPUTS):
            new, _ = genome.step(minion, state, input)
            if new not in found:
                found.add(new)
                waiting.append(new)
    return sorted(found)


def normalised(genome: Genome) -> Genome:
    """Return a genome that plays the same, with zeros in all unreachable states.

    It is meant for display and for finding strings that play the same, not for use inside the genetic algorithm.
    """
    nibbles = genome.nibbles
    for minion in range(len(MINIONS)):
        for state in set(range(STATES)) - set(reachable(genome, minion)):
            start = minion * AUTOMATON + state * INPUTS
            nibbles[start : start + INPUTS] = [0] * INPUTS
    return Genome.of(nibbles)


def hamming_distance(here: Genome, there: Genome) -> int:
    """Return the number of the 1056 bits in which two strings differ."""
    return (int.from_bytes(here.code, "big") ^ int.from_bytes(there.code, "big")).bit_count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A transition that differs between two strings."""

    minion: int
    state: int
    input: int
    here: tuple[int, int]  # new state and action
    there: tuple[int, int]

    def __str__(self) -> str:
        here, there = (f"{state}{LETTERS[action]}" for state, action in (self.here, self.there))
        return f"{MINIONS[self.minion]} state {self.state}: {self.input}>{here} is {self.input}>{there}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The differences between two strings."""

    bits: int  # of 1056
    used_bits: int  # without unreachable states
    preferences: tuple[tuple[int, int], ...]  # of both, by minion
    changes: tuple[Change, ...]  # in states that are reachable in both

    @classmethod
    def of(cls, here: Genome, there: Genome) -> Self:
        return cls(
            bits=hamming_distance(here, there),
            used_bits=hamming_distance(normalised(here), normalised(there)),
            preferences=tuple(zip(here.preferences, there.preferences, strict=True)),
            changes=tuple(
                Change(minion=minion, state=state, input=input, here=one, there=other)
                for minion in range(len(MINIONS))
                for state in reachable(here, minion)
                if state in reachable(there, minion)
                for input in range(INPUTS)
                if (one := here.step(minion, state, input)) != (other := there.step(minion, state, input))
            ),
        )

    def text(self) -> str:
        """Return the differences as lines of text."""
        differ = "bit differs" if self.bits == 1 else "bits differ"
        lines = [f"{self.bits} {differ}, {self.used_bits} without states that are never reached"]
        lines += [
            f"{MINIONS[minion]} pref {here} is {there}"
            for minion, (here, there) in enumerate(self.preferences)
            if here != there
        ]
        return "\n".join([*lines, *map(str, self.changes)])


# -- Lint ------------------------------------------------------------------------------------------


def lint(genome: Genome) -> list[str]:
    """Return a sentence for each kind of minion that is bought and cannot serve its purpose."""
    if not any(genome.preferences):
        return ["all preferences are 0: Chaos buys nothing"]
    return list(_lint(genome))


def _lint(genome: Genome) -> Iterator[str]:
    bought = [minion for minion, preference in enumerate(genome.preferences) if preference]
    for minion in bought:
        name, preference = MINIONS[minion], genome.preferences[minion]
        if not _takes_action(genome, minion, FORWARD, range(INPUTS)):
            yield f"{name} never walks"
        if minion in BARBARIANS and not _takes_action(genome, minion, SPECIAL, FACING_TARGET):
            yield f"{name} never attacks: preference {preference} is wasted"
        if minion == SCAVENGER and not _takes_action(genome, minion, SPECIAL, FARMABLE):
            yield f"{name} never farms: preference {preference} is wasted"
    if SCOUT in bought:
        if not _takes_action(genome, SCOUT, SPECIAL, range(INPUTS)):
            yield f"scout never broadcasts: preference {genome.preferences[SCOUT]} is wasted"
        elif not any(_reacts_to_broadcasts(genome, minion) for minion in bought if minion in BARBARIANS):
            yield f"no minion reacts to the scouts: preference {genome.preferences[SCOUT]} is wasted"


def _takes_action(genome: Genome, minion: int, action: int, inputs: Iterable[int]) -> bool:
    """Return whether the minion takes an action on one of the inputs in some reachable state."""
    return any(
        genome.step(minion, state, input)[1] == action
        for state in reachable(genome, minion)
        for input in inputs
    )


def _reacts_to_broadcasts(genome: Genome, minion: int) -> bool:
    """Return whether a broadcast makes a difference to the minion."""
    return any(
        genome.step(minion, state, input) != genome.step(minion, state, 0)
        for state in reachable(genome, minion)
        for input in BROADCAST
    )


# -- The behaviour of an automaton -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTrace:
    """The actions of a minion from a state while its input stays the same: a beginning, then a cycle."""

    beginning: tuple[int, ...]
    cycle: tuple[int, ...]

    @classmethod
    def of(cls, genome: Genome, minion: int, input: int, state: int = 0) -> Self:
        states: list[int] = []
        actions: list[int] = []
        while state not in states:
            states.append(state)
            state, action = genome.step(minion, state, input)
            actions.append(action)
        start = states.index(state)
        return cls(beginning=tuple(actions[:start]), cycle=_shortest(tuple(actions[start:])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """The actions of a minion on a set of inputs on which it acts alike."""

    inputs: tuple[int, ...]
    actions: Mapping[int, int]  # by reachable state


def habits(genome: Genome, minion: int) -> list[Habit]:
    """Return all inputs, grouped by equal actions, in the order of the first input of each group."""
    states = reachable(genome, minion)
    together: dict[tuple[int, ...], list[int]] = {}
    for input in range(INPUTS):
        actions = tuple(genome.step(minion, state, input)[1] for state in states)
        together.setdefault(actions, []).append(input)
    return [
        Habit(inputs=tuple(inputs), actions=dict(zip(states, actions, strict=True)))
        for actions, inputs in together.items()
    ]


def _shortest(cycle: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shortest part of which a cycle of actions is a repetition."""
    lengths = range(1, len(cycle) + 1)
    return next(cycle[:length] for length in lengths if cycle == cycle[:length] * (len(cycle) // length))


# -- In English ------------------------------------------------------------------------------------


def explain_string(genome: Genome) -> str:
    """Return what Chaos buys and how each minion acts, as lines of text; minions that are not bought come last."""
    absent = [name for name, preference in zip(MINIONS, genome.preferences, strict=True) if not preference]
    lines = [_purchases(genome)]
    for minion, preference in enumerate(genome.preferences):
        if preference:
            lines += ["", f"{MINIONS[minion]} (preference {preference})"]
            lines += [f"  {sentence}" for sentence in describe_minion(genome, minion)]
    if absent and len(absent) < len(MINIONS):
        lines += ["", f"Never bought: {', '.join(absent)}"]
    return "\n".join(lines) + "\n"


def describe_minion(genome: Genome, minion: int) -> list[str]:
    """Return sentences that describe how one kind of minion acts."""
    quiet = 4 if minion == SCAVENGER else 0  # the input of most phases: poor ground, or nothing to sense
    walk = _trace_words(ActionTrace.of(genome, minion, quiet), minion)
    sentences = [f"{_capital(_input_words(minion)[quiet])} it {walk}."]
    for habit in habits(genome, minion):
        inputs = [input for input in habit.inputs if input != quiet]
        if inputs:
            sentences.append(_habit_sentence(inputs, habit.actions, minion))
    return sentences


def _habit_sentence(inputs: Sequence[int], actions: Mapping[int, int], minion: int) -> str:
    words = _input_words(minion)
    if minion in BARBARIANS and set(FACING_TARGET) <= set(inputs):
        rest = [words[input] for input in inputs if input not in FACING_TARGET]
        when = _listed([*rest, "facing anything that it can attack"])
    else:
        when = _listed([words[input] for input in inputs])
    kinds = sorted(set(actions.values()))
    if len(kinds) == 1:
        return f"{_capital(when)} it {_verb(kinds[0], minion)}."
    parts = []
    for action in kinds:
        states = [str(state) for state, each in actions.items() if each == action]
        parts.append(f"{_verb(action, minion)} in state{'s' * (len(states) > 1)} {_listed(states)}")
    return f"{_capital(when)} it {_listed(parts)}."


def _trace_words(trace: ActionTrace, minion: int) -> str:
    cycle = _cycle_words(trace.cycle, minion)
    if not trace.beginning:
        return cycle
    first = ", ".join(_verb(action, minion) for action in trace.beginning)
    return f"first {first}; then {cycle}"


def _cycle_words(actions: Sequence[int], minion: int) -> str:
    """Describe a cycle as one action, as one action with a single exception, or as a list."""
    if len(actions) == 1:
        return _verb(actions[0], minion)
    for usual in sorted(set(actions)):
        others = [action for action in actions if action != usual]
        if len(others) == 1:
            exception = f"{_verb(others[0], minion)} every {ORDINALS[len(actions)]} step"
            return f"{_verb(usual, minion)}, and {exception}"
    return f"{', '.join(_verb(action, minion) for action in actions)}, and so on"


def _purchases(genome: Genome) -> str:
    pairs = sorted(zip(genome.preferences, MINIONS, strict=True), key=lambda pair: -pair[0])
    bought = [(preference, name) for preference, name in pairs if preference]
    if not bought:
        return "Chaos buys nothing."
    if len(bought) == 1:
        return f"Chaos buys nothing but one kind of minion: {bought[0][1]}."
    return f"Chaos buys in proportion: {', '.join(f'{name} {preference}' for preference, name in bought)}."


def _input_words(minion: int) -> tuple[str, ...]:
    """Return the circumstances of each of the minion's eight inputs."""
    return {SCOUT: SCOUT_INPUTS, SCAVENGER: SCAVENGER_INPUTS}.get(minion, BARBARIAN_INPUTS)


def _verb(action: int, minion: int) -> str:
    if action == SPECIAL:
        return {SCOUT: "broadcasts", SCAVENGER: "farms"}.get(minion, "attacks")
    return VERBS[action]


def _listed(words: Sequence[str]) -> str:
    """Join words as "a", "a and b", or "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
