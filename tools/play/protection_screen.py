"""The field of Advanced Protection on 80 columns of a terminal: drawn, filled by the cursor keys, and a turn replayed.

Each square has a letter for who is there and one for the ground; units are capitals, minions are not. Colours are
for terminals alone, the letters say the same.
"""

import os
import select
import termios
import tty
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from rich.console import Console
from rich.live import Live
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
CROWD: Final = "#"  # several minions
GOLD: Final = "$"
MARK: Final = "bold black on rgb(255,215,0)"
FOE: Final = "bold white on rgb(190,0,60)"
CURSOR: Final = "bold reverse"
PANEL: Final = 54  # where it begins

Facts = Mapping[str, Any]  # as they come in JSON
Square = tuple[int, int]
Key = Callable[[float | None], str]  # the next key, empty if none comes in so many seconds


def draw_field(
    board: Facts,
    units: Mapping[Square, str],
    panel: Sequence[str] = (),
    minions: "Iterable[Minion]" = (),
    cursor: Square | None = None,
) -> Text:
    """The field with its units and minions, and lines of text beside it; `board` is `start`, with `map` and `gold`."""
    lines = [Text("   " + "".join(f"{column:<4}" for column in range(0, len(board["map"][0]), 2)))]
    gold = {tuple(square) for square in board["gold"]}
    foes: dict[Square, str] = {}
    for minion in minions:
        foes[minion.at] = CROWD if minion.at in foes else MINIONS[minion.kind]
    for y, row in enumerate(board["map"]):
        line = Text(f"{y:>2} ")
        for x, ground in enumerate(row):
            who, style = " ", GROUND[ground]
            if (x, y) in gold:
                who = GOLD
            if (x, y) in units:
                who, style = UNITS[units[x, y]], MARK
            if (x, y) in foes:
                who, style = foes[x, y], FOE
            line.append(who + ground, CURSOR if (x, y) == cursor else style)
        lines.append(line)
    return Text("\n").join(_beside(lines, panel))


def _beside(lines: Iterable[Text], panel: Sequence[str]) -> Iterator[Text]:
    for left, right in zip_longest(lines, panel, fillvalue=None):
        line = left.copy() if isinstance(left, Text) else Text()
        if right:
            line.pad_right(max(PANEL - line.cell_len, 1))
            line.append(str(right))
        yield line


# -- A setup, typed or by the cursor keys --------------------------------------------------------------


class SetupDraft:
    """A setup in the making: steps that buy and sell, each of which the server checks and `undo` takes back.

    A step with a problem is not taken, so that the draft is always a legal setup.
    """

    def __init__(self, seen: Facts, check: Callable[[dict[str, Any]], Facts]) -> None:
        """`seen` is the observation, `check` gives what `checked` says of an action."""
        self.preview: Facts = {}  # money as it would be
        self._units = {tuple(unit["at"]): unit for unit in seen["units"]}
        self._steps: list[tuple[str, Any]] = []  # `place` and an item, or `salvage` and a number
        self._check = check
        self._look()

    @property
    def action(self) -> dict[str, Any]:
        """As it is sent."""
        steps = {name: [what for step, what in self._steps if step == name] for name in ("place", "salvage")}
        return {"kind": "setup", **steps}

    def units(self) -> dict[Square, str]:
        """All units as they would be."""
        action = self.action
        kept = {at: unit["unit"] for at, unit in self._units.items() if unit["id"] not in action["salvage"]}
        return kept | {tuple(item["at"]): item["unit"] for item in action["place"]}

    def place(self, unit: str, square: Square) -> str:
        """Buy a unit; the problem if it cannot be bought, and then nothing is changed."""
        self._steps.append(("place", {"unit": unit, "at": list(square)}))
        problems = self._look()
        if not problems:
            return ""
        text = _problem(problems[0], self.action["place"])
        self.undo()
        return text

    def sell(self, square: Square) -> bool:
        """Take a unit away; False if there is none."""
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
        """Take the last step back; False if there is none."""
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
    """A problem of a setup in words; `items` are those that it places."""
    match problem["reason"]:
        case "money":
            why = f"it costs ${problem['need']:,}, and ${problem['have']:,} are left"
        case "terrain":
            why = f"nothing can stand on {problem['terrain']}"
        case "occupied" | "twice":
            why = "something stands there"
        case reason:
            why = str(reason)
    field = str(problem["field"])
    if field.startswith("place["):
        item = items[int(field[6:-1])]
        return f"{item['unit']} {item['at'][0]} {item['at'][1]}: {why}"
    return f"{field}: {why}"


ARROWS: Final = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
EDITOR_KEYS: Final = (
    "cursor keys: move, 1 to 8: unit, space: place, x: take away, u: undo, g: go, q: type again"
)


def edit_setup(
    console: Console, board: Facts, draft: SetupDraft, panel: Callable[[], Sequence[str]], key: Key
) -> bool:
    """Change the draft by the cursor keys. Whether the turn is to begin, or else typing goes on."""
    side = len(board["map"])
    at, unit, answer = (side // 2, side // 2), "drone", ""
    with Live(console=console, auto_refresh=False, screen=console.is_terminal) as screen:
        while True:
            field = draw_field(board, draft.units(), panel(), cursor=at)
            status = Text(f"{unit} at {at[0]} {at[1]}. {answer}")
            screen.update(Text("\n").join([field, status, Text(EDITOR_KEYS, "dim")]), refresh=True)
            pressed, answer = key(None), ""
            match pressed:
                case "up" | "down" | "left" | "right":
                    east, south = ARROWS[pressed]
                    at = (at[0] + east) % side, (at[1] + south) % side
                case "space" | "enter":
                    answer = draft.place(unit, at)
                case "x":
                    answer = "" if draft.sell(at) else "nothing stands there"
                case "u":
                    answer = "" if draft.undo() else "nothing to undo"
                case "g":
                    return True
                case "q" | "escape":
                    return False
                case digit if digit.isdigit() and 1 <= int(digit) <= len(UNITS):
                    unit = list(UNITS)[int(digit) - 1]


# -- A turn, phase by phase ------------------------------------------------------------------------------

STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # by facing
TURNS: Final = {"R": 1, "L": 3}
MOVES: Final = {"F": 1, "J": 2}


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
    fights: Sequence[Facts]


def frames(
    units: Mapping[Square, str], roster: Sequence[Sequence[int]], events: Sequence[Facts], rules: Facts
) -> Iterator[Frame]:
    """All frames of a turn, the field before it first; `events` are its `phases`.

    A letter is an action in the order of acting: F moved, f blocked, R, L, S special, J jumped. Who falls acts no
    more, so that a kind with two actions has one letter then: what it fights says with which of them it fell.
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
    """Minions and units while a turn is replayed."""

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
        """The actions of a phase, and what they fight."""
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
            kind=minion.kind, at=self._ahead(minion.at, facing, MOVES.get(letter, 0)), facing=facing
        )

    def _falls(self, minion: Minion, letter: str, fights: deque[Facts]) -> bool:
        """Fight what this action fights; whether the minion falls."""
        reach = {"S": 1, "f": 2}.get(letter, 0)  # a jump that fails attacks two squares ahead
        place = self._ahead(minion.at, minion.facing, reach)
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

    def _ahead(self, at: Square, facing: int, squares: int) -> Square:
        east, south = STEPS[facing]
        return (at[0] + east * squares) % self._side, (at[1] + south * squares) % self._side


def fights(film: Sequence[Frame], at: int, rules: Facts) -> list[str]:
    """The fights of one frame in words."""
    return [fight_text(fight, film[at - 1], rules) for fight in film[at].fights]


def fight_text(fight: Facts, before: Frame, rules: Facts) -> str:
    """A fight in words: who, the chance of it, and how it went; `before` is the frame before its own."""
    x, y = fight["at"]
    where = f"phase {fight['phase']}, {x} {y}"
    kind = rules["minions"][before.minions[fight["by"]].kind]
    attacked = before.units.get((x, y), "")
    unit = next((unit for unit in rules["units"] if unit["name"] == attacked), None)
    name, target = f"{kind['name']} {fight['by']}", unit["name"] if unit else "unit"
    won = "wins" if fight["win"] else "fails"
    match fight["kind"]:
        case "ram":
            return f"{where}: {name} rams {target}; both are gone"
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


REPLAY_KEYS: Final = "space: play or pause, n: next, b: back, + -: speed, q: leave"
SECONDS: Final = 0.25  # of a phase, at first
FASTEST, SLOWEST = 0.02, 2.0
MOST_FIGHTS: Final = 14  # that are shown


def replay(console: Console, board: Facts, rules: Facts, film: Sequence[Frame], key: Key) -> None:
    """Show the frames one after the other, until their end or a key that leaves them."""
    at, is_playing, seconds = 0, True, SECONDS
    with Live(console=console, auto_refresh=False, screen=console.is_terminal) as screen:
        while at < len(film):
            screen.update(_shown(board, rules, film, at), refresh=True)
            match key(seconds if is_playing else None):
                case "":
                    at += 1
                case "space":
                    is_playing = not is_playing
                case "n" | "right":
                    at, is_playing = at + 1, False
                case "b" | "left":
                    at, is_playing = max(at - 1, 0), False
                case "+":
                    seconds = max(seconds / 2, FASTEST)
                case "-":
                    seconds = min(seconds * 2, SLOWEST)
                case "q" | "escape":
                    return


def _count(things: Sized, name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def _shown(board: Facts, rules: Facts, film: Sequence[Frame], at: int) -> Text:
    """One frame with its fights."""
    frame = film[at]
    panel = [
        f"Phase {frame.phase} of {rules['phases']}",
        f"{_count(frame.minions, 'minion')}, {_count(frame.units, 'unit')}",
    ]
    field = draw_field(board, frame.units, panel, frame.minions.values())
    narrow = [text.partition(": ")[2] for text in fights(film, at, rules)[:MOST_FIGHTS]]
    return Text("\n").join([field, Text(REPLAY_KEYS, "dim"), *map(Text, narrow)])


# -- Single keys -----------------------------------------------------------------------------------------

NAMED: Final = {b"\x1b": "escape", b"\n": "enter", b"\r": "enter", b" ": "space"} | {
    introducer + letter: name
    for introducer in (b"\x1b[", b"\x1bO")
    for letter, name in ((b"A", "up"), (b"B", "down"), (b"C", "right"), (b"D", "left"))
}
MOST_BYTES: Final = 256


def with_keyboard(show: Callable[[Key], Any]) -> Any:
    """show(key), with the single keys of this terminal; None if its input ends."""
    keyboard = Keyboard()
    with keyboard.raw():
        try:
            return show(keyboard.key)
        except EOFError:
            return None


class Keyboard:
    """The keys of a terminal, without their echo: letters, and up, down, left, right, space, enter, escape."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._waiting = b""  # keys that came with an earlier one

    @contextmanager
    def raw(self) -> Iterator[None]:
        """Keys come one by one inside; Ctrl-C still interrupts."""
        before = termios.tcgetattr(self._descriptor)
        try:
            tty.setcbreak(self._descriptor)
            yield
        finally:
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, before)

    def key(self, seconds: float | None = None) -> str:
        """The next key; empty if none comes in time. EOFError at the end of input."""
        if not self._waiting:
            ready, _, _ = select.select([self._descriptor], [], [], seconds)
            if not ready:
                return ""
            self._waiting = os.read(self._descriptor, MOST_BYTES)
            if not self._waiting:
                raise EOFError
        size = 3 if self._waiting[:3] in NAMED else 1
        data, self._waiting = self._waiting[:size], self._waiting[size:]
        return NAMED.get(data) or data.decode("ascii", "replace")
