"""A string in English: how Chaos spends its money, and for each minion how it goes about and what it answers."""

from collections.abc import Iterator, Sequence
from typing import Final

from core.protection.policy import FORWARD, LEFT, RIGHT, SPECIAL
from engines.protection.genome import Genome
from engines.protection.reading.habits import Course, Habit, habits
from engines.protection.words import MINIONS, input_words, met_inputs, quiet_input, special_words

VERBS: Final = {FORWARD: "walks", RIGHT: "turns right", LEFT: "turns left"}
ORDINALS: Final = {2: "second", 3: "third", 4: "fourth"}


def explained(genome: Genome) -> str:
    """Lines of text; minions that Chaos does not buy come last, in one line."""
    absent = [name for name, preference in zip(MINIONS, genome.preferences, strict=True) if not preference]
    lines = [_purchases(genome)]
    for minion, preference in enumerate(genome.preferences):
        if preference:
            lines += ["", f"{MINIONS[minion]} (preference {preference})"]
            lines += [f"  {sentence}" for sentence in described(genome, minion)]
    if absent and len(absent) < len(MINIONS):
        lines += ["", f"Never bought: {', '.join(absent)}"]
    return "\n".join(lines) + "\n"


def described(genome: Genome, minion: int) -> list[str]:
    """What one kind of minion does, a sentence each."""
    quiet = quiet_input(minion)
    going = _going(Course.of(genome, minion, quiet), minion)
    return [
        f"{_capital(input_words(minion)[quiet])} it {going}.",
        *(_answer(habit, minion) for habit in _answers(genome, minion)),
    ]


def _answers(genome: Genome, minion: int) -> Iterator[Habit]:
    """Habits without the quiet input, if anything else has the same."""
    for habit in habits(genome, minion):
        inputs = tuple(input for input in habit.inputs if input != quiet_input(minion))
        if inputs:
            yield Habit(inputs=inputs, actions=habit.actions)


def _answer(habit: Habit, minion: int) -> str:
    met = met_inputs(minion)
    words = input_words(minion)
    if met and set(met) <= set(habit.inputs):
        rest = [words[input] for input in habit.inputs if input not in met]
        when = _listed([*rest, "facing anything that it can attack"])
    else:
        when = _listed([words[input] for input in habit.inputs])
    if habit.always is not None:
        return f"{_capital(when)} it {_verb(habit.always, minion)}."
    parts = []
    for action in sorted(set(habit.actions.values())):
        states = [str(state) for state, each in habit.actions.items() if each == action]
        parts.append(f"{_verb(action, minion)} in state {_listed(states)}")
    return f"{_capital(when)} it {_listed(parts)}."


def _going(course: Course, minion: int) -> str:
    again = _round(course.round, minion)
    if not course.beginning:
        return again
    first = ", ".join(_verb(action, minion) for action in course.beginning)
    return f"first {first}; then {again}"


def _round(actions: Sequence[int], minion: int) -> str:
    """One action, one that is now and then another, or what there is in turn."""
    if len(actions) == 1:
        return _verb(actions[0], minion)
    for usual in sorted(set(actions)):
        others = [action for action in actions if action != usual]
        if len(others) == 1:
            exception = f"{_verb(others[0], minion)} every {ORDINALS[len(actions)]} step"
            return f"{_verb(usual, minion)}, and {exception}"
    return f"{', '.join(_verb(action, minion) for action in actions)}, again and again"


def _verb(action: int, minion: int) -> str:
    return special_words(minion) if action == SPECIAL else VERBS[action]


def _purchases(genome: Genome) -> str:
    bought = [
        f"{name} {preference}"
        for preference, name in sorted(
            zip(genome.preferences, MINIONS, strict=True), key=lambda pair: -pair[0]
        )
        if preference
    ]
    if not bought:
        return "Chaos buys nothing."
    if len(bought) == 1:
        return f"Chaos buys nothing but one kind of minion: {bought[0].rpartition(' ')[0]}."
    return f"Chaos buys in proportion: {', '.join(bought)}."


def _listed(words: Sequence[str]) -> str:
    """One, one and another, or one, another and a third."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
