"""What people type at a setup of Advanced Protection: `place drone 5 7 9 7`, `salvage 5 7`, `undo`, `go`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

SIDE: Final = 24
COMMANDS: Final = {
    "place UNIT X Y ...": "buy units; X counts from the left, Y from the top: place drone 5 7 9 7",
    "salvage X Y ...": "sell units; one bought this turn brings all that it cost",
    "undo": "take the last of these back",
    "go": "the turn begins",
    "cursor": "the same with the cursor keys",
    "map": "draw the map again, with what is planned",
    "rules": "units, minions, and how the game ends",
    "log": "what happened last turn, fight by fight with its odds",
    "film": "the last turn's 50 phases (space pauses, n and b step, + and - change the speed)",
    "resign": "give the game up",
    "quit": "leave it, as Ctrl-D and Ctrl-C do",
}
REASONS: Final = {
    "surrender": "Chaos surrenders: you are worth more than twenty times as much",
    "eliminated": "you have no unit, and no money for one",
    "chaos_twenty": "Chaos is worth more than twenty times as much as you are",
    "turn_cap": "the last turn is over",
    "resign": "you resign",
}
ENDS: Final = {"human": "You win", "chaos": "Chaos wins", "none": "A draw"}
Square = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Place:
    """Buy a unit for each of these squares."""

    unit: str
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Sell:
    """Take the units on these squares away."""

    squares: tuple[Square, ...]


def read(text: str, units: Iterable[str]) -> Place | Sell | str:
    """What a line means: an order, or the word of a command. ValueError says how it is written."""
    words = text.lower().replace(",", " ").split()
    command, *rest = words
    if command in ("salvage", "sell", "remove"):
        return Sell(_squares(rest))
    names = list(units)
    if command in ("place", "buy"):
        if not rest:
            raise ValueError(f"place a unit: {', '.join(names)}")
        command, *rest = rest
        return Place(_unit(command, names), _squares(rest))
    if rest:
        return Place(_unit(command, names), _squares(rest))
    full = [each.split()[0] for each in (*COMMANDS, "help", "?")]
    if command not in full:
        raise ValueError(f"not understood: {text[:40]!r}")
    return command


def asked(text: str, turns: int) -> tuple[str, int]:
    """Of one of so many turns: `log`, `film` or, for its string, "". ValueError says how it is written."""
    *words, number = text.lower().split()
    is_turn = number.isascii() and number.isdigit() and len(number) < 9 and 1 <= int(number) <= turns
    if words not in ([], ["log"], ["film"]) or not is_turn:
        raise ValueError(f"a turn is 1 to {turns}, alone or behind log or film")
    return "".join(words), int(number)


def verdict(result: Mapping[str, Any]) -> Iterator[str]:
    """How a game ended."""
    human, chaos = result["values"]
    when = f"after turn {result['turns']}" if result["turns"] else "before the first turn"
    yield f"\n{ENDS[result['winner']]}: {REASONS.get(result['reason'], result['reason'])}."
    yield f"You are worth ${human:,}, Chaos ${chaos:,} {when}."


def problem(facts: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> str:
    """A fault of a setup in words; `items` are those that it placed."""
    match facts["reason"]:
        case "money":
            why = f"it costs ${facts['need']:,}, and ${facts['have']:,} are left"
        case "terrain":
            why = f"nothing can stand on {facts['terrain']}"
        case "occupied" | "twice":
            why = "something stands there"
        case reason:
            why = str(reason)
    field = str(facts["field"])
    if field.startswith("place["):
        item = items[int(field[6:-1])]
        return f"{item['unit']} {item['at'][0]} {item['at'][1]}: {why}"
    return f"{field}: {why}"


def _unit(word: str, names: Sequence[str]) -> str:
    found = [name for name in names if name == word] or [name for name in names if name.startswith(word)]
    if len(found) != 1:
        raise ValueError(f"not understood: {word[:40]!r}; the units are {', '.join(names)}")
    return found[0]


def _squares(words: Sequence[str]) -> tuple[Square, ...]:
    if (
        not words
        or len(words) % 2
        or not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words)
    ):
        raise ValueError("squares are pairs of numbers, X and Y: 5 7 9 7")
    numbers = list(map(int, words))
    if max(numbers) >= SIDE:
        raise ValueError(f"X and Y are 0 to {SIDE - 1}")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))
