"""The film of a turn at a terminal: its phases one after the other, with play, pause, step and speed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from tools.play.protection.screen.film import Frame
from tools.play.protection.screen.picture import odds, picture

KEYS: Final = "space: play or pause, n: next, b: back, + -: speed, q: leave"
SECONDS: Final = 0.25  # of a phase, at first
FASTEST, SLOWEST = 0.02, 2.0
MOST_LINES: Final = 14  # of fights, beside the field

Key = Callable[[float | None], str]  # the next key, empty if none comes in so many seconds


def project(
    console: Console, board: Mapping[str, Any], rules: Mapping[str, Any], film: Sequence[Frame],
    kinds: Sequence[int], key: Key,
) -> None:  # fmt: skip
    """Show the frames until their end or until somebody has enough; `kinds` are those of the minions by number."""
    at, is_playing, seconds = 0, True, SECONDS
    with Live(console=console, auto_refresh=False, screen=console.is_terminal) as screen:
        while True:
            screen.update(shown(board, rules, film, at, kinds), refresh=True)
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
            if at >= len(film):
                return


def shown(
    board: Mapping[str, Any], rules: Mapping[str, Any], film: Sequence[Frame], at: int, kinds: Sequence[int]
) -> Text:
    """One frame with its fights."""
    frame = film[at]
    before = film[max(at - 1, 0)].units
    by_name = {unit["name"]: unit for unit in rules["units"]}
    panel = [f"Phase {frame.phase} of 50", f"{len(frame.minions)} minions, {len(frame.units)} units", ""]
    panel += [
        odds(fight, rules["minions"][kinds[fight["by"]]], by_name.get(before.get(tuple(fight["at"]), "")))
        for fight in frame.fights
    ][:MOST_LINES]
    narrow = [line.partition(": ")[2] or line for line in panel]
    text = picture(dict(board), frame.units, panel[:2], frame)
    return Text("\n").join([text, Text(KEYS, "dim"), *map(Text, narrow[3:])])
