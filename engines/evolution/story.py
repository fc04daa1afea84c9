"""The story of a run in sentences: how its first generation plays, why it fails, and what later ones have achieved.

A milestone is a fact that the record proves: the first generation in which something holds. It follows from the record
up to that generation alone, so a run that goes on keeps its milestones.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engines.evolution.run_store import StoredGeneration

NOT_STARTED: Final = "The run has not started yet."


@dataclass(frozen=True, slots=True, kw_only=True)
class Milestone:
    """Something that a run has reached for the first time."""

    generation: int
    text: str  # a sentence
    individual: int | None = None  # the ID of the first individual that shows it, if it is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The story of a run up to now."""

    beginning: str  # sentences: what the first generation is, what it does, and why it fails
    example: int | None = None  # the ID of an individual of the first generation that shows this
    expected: str = ""  # a sentence: when the first champion is chosen
    milestones: Sequence[Milestone] = ()  # in the order of generations


def make_story(
    past: Sequence[StoredGeneration],
    beginning: tuple[str, int | None],
    *milestones: Iterable[Milestone],
    expected: str,
) -> Story:
    """Return the story of a run with the generations `past`; there are none if the run has not started yet.

    `beginning` has the sentences and the example of the Story. The milestones may be given in any order.
    """
    if not past:
        return Story(beginning=NOT_STARTED, expected=expected)
    text, example = beginning
    return Story(beginning=text, example=example, expected=expected, milestones=in_order(*milestones))


def firsts(
    past: Iterable[StoredGeneration], reached: Callable[[Mapping[str, Any]], Iterable[str]]
) -> list[Milestone]:
    """Return a milestone for each sentence that `reached` yields, in the first generation that yields it.

    `reached` takes the statistics of a generation.
    """
    found: dict[str, int] = {}
    for generation in past:
        for text in reached(generation.statistics):
            found.setdefault(text, generation.number)
    return [Milestone(generation=number, text=text) for text, number in found.items()]


def victories(past: Iterable[StoredGeneration], panel: Sequence[str], subject: str) -> list[Milestone]:
    """Return a milestone for each generation in which opponents are beaten for the first time.

    `panel` is the path of keys that leads from the statistics of a generation to its tallies against fixed opponents by
    their names; a tally is [losses, draws, wins]. `subject` is the beginning of the sentence, up to "against".
    """
    found: dict[str, int] = {}
    for generation in past:
        tallies = generation.statistics
        for key in panel:
            tallies = tallies.get(key, {})
        for name, (losses, _, wins) in tallies.items():
            if wins > losses:
                found.setdefault(name, generation.number)
    milestones = []
    for number in sorted({*found.values()}):
        names = [name for name, first in found.items() if first == number]
        kind = "a fixed opponent" if len(names) == 1 else "fixed opponents"
        milestones.append(
            Milestone(generation=number, text=f"{subject} against {enumerated(names)}, {kind}.")
        )
    return milestones


def in_order(*milestones: Iterable[Milestone]) -> tuple[Milestone, ...]:
    """Return all milestones in the order of their generations."""
    return tuple(
        sorted((each for some in milestones for each in some), key=lambda milestone: milestone.generation)
    )


def enumerated(names: Sequence[str]) -> str:
    """Return names as an enumeration, such as "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
