"""The words for what is in a string: minions, actions, and what each minion's inputs mean.

Reference: "Advanced Protection, part Appendix A"; "Kamikazee" is its spelling.
"""

from typing import Final

from core.protection import rules
from core.protection.rules import COMMON, KINDS, SCAVENGER, SCOUT

MINIONS: Final = tuple(kind.name for kind in rules.MINIONS)
BARBARIANS: Final = range(COMMON, KINDS)
ACTIONS: Final = "FRLS"  # by code

_SCOUT: Final = (
    "with nothing to sense",
    "before impassable terrain",
    "within a jammer's radius",
    "within an artillery's radius",
    "facing a drone or farmer",
    "facing infantry, a settler, a jammer or artillery",
    "facing armor",
    "facing a mine",
)
_SCAVENGER: Final = (
    "facing a human unit",
    "before impassable terrain",
    "with gold near",
    "facing gold",
    "on ground without a farming bonus",
    "on ground of bonus 1",
    "on ground of bonus 2",
    "on ground of bonus 3",
)
_BARBARIAN: Final = (
    "with nothing to sense",
    "before impassable terrain",
    "hearing a scout",
    "facing a scout that it hears",
    "facing a drone or farmer",
    "facing infantry or a settler",
    "facing armor",
    "facing a jammer or artillery",
)


def input_words(minion: int) -> tuple[str, ...]:
    """When each of its eight inputs comes."""
    return {SCOUT: _SCOUT, SCAVENGER: _SCAVENGER}.get(minion, _BARBARIAN)


def special_words(minion: int) -> str:
    """What its special action is."""
    return {SCOUT: "broadcasts", SCAVENGER: "farms"}.get(minion, "attacks")


def quiet_input(minion: int) -> int:
    """The input of most phases: nothing to sense, or poor ground for a scavenger."""
    return 4 if minion == SCAVENGER else 0


def met_inputs(minion: int) -> tuple[int, ...]:
    """The inputs when it faces a unit that it could attack; a scout and a scavenger attack nothing."""
    return (4, 5, 6, 7) if minion in BARBARIANS else ()
