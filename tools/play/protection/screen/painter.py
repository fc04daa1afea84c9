"""A setup by the cursor keys: move about the field, and put units on it or take them away."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from tools.play.protection.draft import Draft
from tools.play.protection.screen.picture import UNITS, picture

SIDE: Final = 24
MOVES: Final = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
KEYS: Final = "cursor keys: move, 1 to 8: unit, space: place, x: take away, u: undo, g: go, q: type again"

Square = tuple[int, int]
Key = Callable[[float | None], str]


def paint(
    console: Console,
    board: Mapping[str, Any],
    draft: Draft,
    panel: Callable[[Draft], Sequence[str]],
    key: Key,
) -> bool:
    """Whether the turn is to begin; else somebody wants to go on typing."""
    at, unit, told = (SIDE // 2, SIDE // 2), "drone", ""
    with Live(console=console, auto_refresh=False, screen=console.is_terminal) as screen:
        while True:
            field = picture(dict(board), draft.units(), panel(draft), cursor=at)
            screen.update(
                Text("\n").join([field, Text(f"{unit} at {at[0]} {at[1]}. {told}"), Text(KEYS, "dim")])
            )
            screen.refresh()
            pressed, told = key(None), ""
            match pressed:
                case "up" | "down" | "left" | "right":
                    east, south = MOVES[pressed]
                    at = (at[0] + east) % SIDE, (at[1] + south) % SIDE
                case "space" | "enter":
                    told = draft.place(unit, at)
                case "x":
                    told = "" if draft.sell(at) else "nothing stands there"
                case "u":
                    told = "" if draft.undo() else "nothing to undo"
                case "g":
                    return True
                case "q" | "escape":
                    return False
                case digit if digit.isdigit() and 1 <= int(digit) <= len(UNITS):
                    unit = list(UNITS)[int(digit) - 1]
