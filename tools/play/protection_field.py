"""The field of Advanced Protection on 80 columns of a terminal, drafts of setups, and the fights of a turn in words.

Each square has a letter for the unit or minion and one for the ground; units are capitals, minions are not. Only
terminals show colours; the letters contain the same information.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from rich.text import Text

GROUND: Final = {
    "~": "white on rgb(30,60,140)",
    ",": "black on rgb(150,205,120)",
    "t": "white on rgb(20,95,40)",
    "n": "white on rgb(130,90,50)",
    "M": "black on rgb(150,150,150)",
    "^": "black on rgb(235,235,235)",
}
UNITS: Final = {
    "drone": "D",
    "mine": "*",
    "farmer": "F",
    "infantry": "I",
    "settler": "S",
    "jammer": "J",
    "armor": "A",
    "artillery": "R",
}
MINIONS: Final = "sgcamjkr"  # by kind: scout, scavenger, common, amphibious, mobile, jump, kamikazee, armored
GOLD: Final = "$"
MARK: Final = "bold black on rgb(255,215,0)"
PANEL: Final = 54  # the first column of the panel

Facts = Mapping[str, Any]  # an object of JSON
Square = tuple[int, int]


def draw_field(board: Facts, units: Mapping[Square, str], panel: Sequence[str] = ()) -> Text:
    """Return the field with its units and a panel of text on the right.

    `board` is the message `start`, which has `map` and `gold`.
    """
    lines = [Text("   " + "".join(f"{column:<4}" for column in range(0, len(board["map"][0]), 2)))]
    gold = {tuple(square) for square in board["gold"]}
    for y, row in enumerate(board["map"]):
        line = Text(f"{y:>2} ")
        for x, ground in enumerate(row):
            who, style = " ", GROUND[ground]
            if (x, y) in gold:
                who = GOLD
            if (x, y) in units:
                who, style = UNITS[units[x, y]], MARK
            line.append(who + ground, style)
        lines.append(line)
    return Text("\n").join(_with_panel(lines, panel))


def _with_panel(lines: Iterable[Text], panel: Sequence[str]) -> Iterator[Text]:
    for left, right in zip_longest(lines, panel, fillvalue=None):
        line = left.copy() if isinstance(left, Text) else Text()
        if right:
            line.pad_right(max(PANEL - line.cell_len, 1))
            line.append(str(right))
        yield line


# -- A setup -------------------------------------------------------------------------------------------


class SetupDraft:
    """The draft of a setup: steps that buy and sell, each of which the server checks and `undo` takes back.

    A step with a problem is discarded, so that the draft is always a legal setup.
    """

    def __init__(self, seen: Facts, check: Callable[[dict[str, Any]], Facts]) -> None:
        """Start with an observation; `check` returns the `checked` message on an action."""
        self.preview: Facts = {}  # the money after this setup
        self._units = {tuple(unit["at"]): unit for unit in seen["units"]}
        self._steps: list[tuple[str, Any]] = []  # `place` and an item, or `salvage` and a number
        self._check = check
        self._look()

    @property
    def action(self) -> dict[str, Any]:
        """The setup as the action that is sent."""
        steps = {name: [what for step, what in self._steps if step == name] for name in ("place", "salvage")}
        return {"kind": "setup", **steps}

    def units(self) -> dict[Square, str]:
        """Return all units on the field after this setup."""
        action = self.action
        kept = {at: unit["unit"] for at, unit in self._units.items() if unit["id"] not in action["salvage"]}
        return kept | {tuple(item["at"]): item["unit"] for item in action["place"]}

    def place(self, unit: str, square: Square) -> str:
        """Buy a unit and return an empty text; if that is impossible, return the problem and change nothing."""
        self._steps.append(("place", {"unit": unit, "at": list(square)}))
        problems = self._look()
        if not problems:
            return ""
        text = _problem(problems[0], self.action["place"])
        self.undo()
        return text

    def sell(self, square: Square) -> bool:
        """Remove a unit; return False if the square has none."""
        for number, (step, what) in enumerate(self._steps):
            if step == "place" and tuple(what["at"]) == square:
                del self._steps[number]
                self._look()
                return True
        unit = self._units.get(square)
        if unit is None or unit["id"] in self.action["salvage"]:
            return False
        self._steps.append(("salvage", unit["id"]))
        self._look()
        return True

    def undo(self) -> bool:
        """Take the last step back; return False if there is none."""
        if not self._steps:
            return False
        self._steps.pop()
        self._look()
        return True

    def _look(self) -> list[Facts]:
        checked = self._check(self.action)
        self.preview = checked.get("preview", self.preview)
        problems: list[Facts] = checked["problems"]
        return problems


def _problem(problem: Facts, items: Sequence[Facts]) -> str:
    """Return the problem of a setup in words; `items` are the units that the setup places."""
    match problem["reason"]:
        case "money":
            why = f"it costs ${problem['need']:,}, but only ${problem['have']:,} are left"
        case "terrain":
            why = f"no unit can stand on {problem['terrain']}"
        case "occupied" | "twice":
            why = "another unit stands there"
        case reason:
            why = str(reason)
    field = str(problem["field"])
    if field.startswith("place["):
        item = items[int(field[6:-1])]
        return f"{item['unit']} {item['at'][0]} {item['at'][1]}: {why}"
    return f"{field}: {why}"


# -- A turn, phase by phase ------------------------------------------------------------------------------

STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # indexed by facing
TURNS: Final = {"R": 1, "L": 3}
MOVES: Final = {"F": 1, "J": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Minion:
    """The position and facing of a minion; `kind` indexes the table of the rules."""

    kind: int
    at: Square
    facing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The field after a phase, with its fights."""

    phase: int
    minions: dict[int, Minion]  # by number
    units: dict[Square, str]
    fights: Sequence[Facts]


def frames(
    units: Mapping[Square, str], roster: Sequence[Sequence[int]], events: Sequence[Facts], rules: Facts
) -> Iterator[Frame]:
    """Yield all frames of a turn, the field before the turn first; `events` are its `phases`.

    A phase has a letter for each action, in the order of acting: F moved, f blocked, R, L, S special, J jumped. A
    minion that falls acts no more, so a kind with two actions may have only one letter in its last phase; its fights
    show which action was fatal.
    """
    field = _Field(units, roster, rules)
    by_phase: dict[int, list[Facts]] = {}
    for event in events:
        for fight in event["fights"]:
            by_phase.setdefault(fight["phase"], []).append(fight)
    yield field.frame(0, ())
    for phase, letters in enumerate((letters for event in events for letters in event["acts"]), 1):
        fights = by_phase.get(phase, ())
        field.act(letters, fights)
        yield field.frame(phase, fights)


class _Field:
    """The minions and units during the replay of a turn."""

    def __init__(self, units: Mapping[Square, str], roster: Sequence[Sequence[int]], rules: Facts) -> None:
        self._side = rules["side"]
        self._actions = [minion["actions"] for minion in rules["minions"]]
        self._units = dict(units)
        self._minions = {
            number: Minion(kind=kind, at=(x, y), facing=facing)
            for number, kind, x, y, facing in roster
            if x >= 0
        }

    def frame(self, phase: int, fights: Sequence[Facts]) -> Frame:
        return Frame(phase=phase, minions=dict(self._minions), units=dict(self._units), fights=fights)

    def act(self, acts: str, fights: Sequence[Facts]) -> None:
        """Replay the actions of a phase with their fights."""
        own: dict[int, deque[Facts]] = {}
        for fight in fights:
            if fight["kind"] != "bomb":
                own.setdefault(fight["by"], deque()).append(fight)
        letters = iter(acts)
        for number in sorted(self._minions):
            for _ in range(self._actions[self._minions[number].kind]):
                letter = next(letters, "")
                minion = self._minions[number] = self._moved(self._minions[number], letter)
                if self._falls(minion, letter, own.get(number, deque())):
                    del self._minions[number]
                    break
        for fight in fights:
            if fight["kind"] == "bomb" and fight["win"]:
                self._minions.pop(fight["by"], None)

    def _moved(self, minion: Minion, letter: str) -> Minion:
        facing = (minion.facing + TURNS.get(letter, 0)) % 4
        return Minion(
            kind=minion.kind, at=self._square_ahead(minion.at, facing, MOVES.get(letter, 0)), facing=facing
        )

    def _falls(self, minion: Minion, letter: str, fights: deque[Facts]) -> bool:
        """Replay the fights of an action and return whether the minion falls."""
        reach = {"S": 1, "f": 2}.get(letter, 0)  # a jump that fails attacks two squares ahead
        place = self._square_ahead(minion.at, minion.facing, reach)
        while letter in "FJSf" and fights and tuple(fights[0]["at"]) == place:
            fight = fights[0]
            if fight["kind"] in ("mine", "sweep") and letter not in "FJ":
                break
            fights.popleft()
            if fight["kind"] in ("mine", "sweep", "ram") or (fight["kind"] == "attack" and fight["win"]):
                self._units.pop(place, None)
            if fight["kind"] == "ram" or (fight["kind"] in ("mine", "counter") and fight["win"]):
                return True
            has_answer = fights and fights[0]["kind"] in ("counter", "mine", "sweep")
            if not has_answer or (letter == "S" and fights[0]["kind"] != "counter"):
                break
        return False

    def _square_ahead(self, at: Square, facing: int, squares: int) -> Square:
        east, south = STEPS[facing]
        return (at[0] + east * squares) % self._side, (at[1] + south * squares) % self._side


def fights(film: Sequence[Frame], at: int, rules: Facts) -> list[str]:
    """Return the fights of one frame in words."""
    return [fight_text(fight, film[at - 1], rules) for fight in film[at].fights]


def fight_text(fight: Facts, before: Frame, rules: Facts) -> str:
    """Return a fight in words: opponents, odds and result; `before` is the frame before that of the fight."""
    x, y = fight["at"]
    where = f"phase {fight['phase']}, {x} {y}"
    kind = rules["minions"][before.minions[fight["by"]].kind]
    attacked = before.units.get((x, y), "")
    unit = next((unit for unit in rules["units"] if unit["name"] == attacked), None)
    name, target = f"{kind['name']} {fight['by']}", unit["name"] if unit else "unit"
    won = "wins" if fight["win"] else "fails"
    match fight["kind"]:
        case "ram":
            return f"{where}: {name} rams {target}; both are destroyed"
        case "sweep":
            return f"{where}: {name} sweeps a mine"
        case "attack":
            who, strength = f"{name} attacks {target}", kind["attack"]
        case "counter":
            who, strength = f"{target} strikes back at {name}", unit["attack"] if unit else 0
        case "mine":
            who, strength = f"a mine attacks {name}", rules["mine_attack"]
        case _:
            return f"{where}: artillery hits {name}, rolls {fight['n']} of {fight['of']} and {won}"
    plunder = f", plunders ${fight['plunder']:,}" if fight.get("plunder") else ""
    return f"{where}: {who}, {strength} in {fight['of']}; rolls {fight['n']} and {won}{plunder}"
