"""A turn redrawn phase by phase from what the JSON lines tell of it: a roster, letters and fights.

A letter is an action in the order of acting: F moved, f blocked, R, L, S special, J jumped. Who falls acts no
more, so that a kind with two actions has one letter then: what it fights says with which of them it fell.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

SIDE: Final = 24
STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # by facing
TURNS: Final = {"R": 1, "L": 3}
MOVES: Final = {"F": 1, "J": 2}

Fight = dict[str, Any]  # as it comes in JSON
Square = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Minion:
    """Where a minion is; `kind` as in the table of the rules."""

    kind: int
    at: Square
    facing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The field after a phase, with its fights."""

    phase: int
    minions: dict[int, Minion]  # by number
    units: dict[Square, str]
    fights: list[Fight]


def frames(
    units: dict[Square, str],
    roster: Sequence[Sequence[int]],
    events: Sequence[dict[str, Any]],
    twice: Sequence[int],
) -> Iterator[Frame]:
    """All frames of a turn, the field before it first; `events` are its `phases`, `twice` the kinds with two actions."""
    minions = {
        number: Minion(kind=kind, at=(x, y), facing=facing) for number, kind, x, y, facing in roster if x >= 0
    }
    units = dict(units)
    letters = [acts for event in events for acts in event["acts"]]
    by_phase: dict[int, list[Fight]] = {}
    for event in events:
        for fight in event["fights"]:
            by_phase.setdefault(fight["phase"], []).append(fight)
    yield Frame(phase=0, minions=dict(minions), units=dict(units), fights=[])
    for phase, acts in enumerate(letters, 1):
        fights = by_phase.get(phase, [])
        _act_out(minions, units, acts, fights, twice)
        yield Frame(phase=phase, minions=dict(minions), units=dict(units), fights=fights)


# -- Helpers ---------------------------------------------------------------------------------------


def _act_out(
    minions: dict[int, Minion],
    units: dict[Square, str],
    acts: str,
    fights: Sequence[Fight],
    twice: Sequence[int],
) -> None:
    own: dict[int, deque[Fight]] = {}
    for fight in fights:
        if fight["kind"] != "bomb":
            own.setdefault(fight["by"], deque()).append(fight)
    letters = iter(acts)
    for number in sorted(minions):
        for _ in range(2 if minions[number].kind in twice else 1):
            letter = next(letters, "")
            minion = minions[number] = _moved(minions[number], letter)
            if _falls(minion, letter, own.get(number, deque()), units):
                del minions[number]
                break
    for fight in fights:
        if fight["kind"] == "bomb" and fight["win"]:
            minions.pop(fight["by"], None)


def _moved(minion: Minion, letter: str) -> Minion:
    facing = (minion.facing + TURNS.get(letter, 0)) % 4
    return Minion(kind=minion.kind, at=_ahead(minion.at, facing, MOVES.get(letter, 0)), facing=facing)


def _falls(minion: Minion, letter: str, fights: deque[Fight], units: dict[Square, str]) -> bool:
    """Fight what this action fights; whether the minion falls."""
    reach = {"S": 1, "f": 2}.get(letter, 0)  # a jump that fails attacks two squares ahead
    place = _ahead(minion.at, minion.facing, reach)
    while letter in "FJSf" and fights and tuple(fights[0]["at"]) == place:
        fight = fights[0]
        if fight["kind"] in ("mine", "sweep") and letter not in "FJ":
            break
        fights.popleft()
        if fight["kind"] in ("mine", "sweep", "ram") or (fight["kind"] == "attack" and fight["win"]):
            units.pop(place, None)
        if fight["kind"] == "ram" or (fight["kind"] in ("mine", "counter") and fight["win"]):
            return True
        has_answer = fights and fights[0]["kind"] in ("counter", "mine", "sweep")
        if not has_answer or (letter == "S" and fights[0]["kind"] != "counter"):
            break
    return False


def _ahead(at: Square, facing: int, squares: int) -> Square:
    east, south = STEPS[facing]
    return (at[0] + east * squares) % SIDE, (at[1] + south * squares) % SIDE
