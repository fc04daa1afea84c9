"""What the protocol must know of a game: how it is described, shown, decided and ended.

A Binding makes Plays; a Play is one game under way, without clocks, seats or lines. Both are pure: all
chance comes from the streams that a Plan hands out.

    rules and options    Binding.describe
    a new game           Binding.open -> Play
    players of the house Binding.agent -> Agent
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from msgspec import Raw, Struct

from core.random import Random
from protocols.jsonl.messages.events import GameEvent

# A decision as the game's own rules take it: an action's number in Acquire, a whole setup in Protection.
Move = Any
Problem = dict[str, Any]  # `field`, `reason` and what goes with the reason


class IllegalMove(ValueError):
    """An action that the rules forbid, with every problem that it has."""

    def __init__(self, message: str, *problems: Problem) -> None:
        super().__init__(message)
        self.problems = problems


class OptionError(ValueError):
    """An option, a variant or a number of seats that the game does not have; `path` as in `$.options.bag`."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A variant of a game as a client has to know it."""

    rules: Any
    rules_hash: str
    seats: tuple[int, int]  # fewest, most
    options: dict[str, Any]
    actions: list[str]  # the kinds
    unrated: frozenset[str] = frozenset()  # options that no rated game has


class Chance(Protocol):
    """All the chance of a game, by purpose."""

    def stream_seed(self, purpose: str) -> int:
        """64 bits."""
        ...

    def stream(self, purpose: str) -> Random:
        """The generator that begins with that seed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A game to be opened."""

    variant: str
    seats: int
    options: Mapping[str, Any]
    chance: Chance


@dataclass(frozen=True, slots=True, kw_only=True)
class Chore:
    """Work of a game for another process, which no decision waits for."""

    function: Callable[[Any], Any]  # of a module
    task: Any
    about: str  # for the log
    done: Callable[
        [Any, float], None
    ]  # is given the outcome, or None if there is none, and how many seconds it took


class Explanation(Struct, kw_only=True, omit_defaults=True):
    """Why a player of the house played so: a turn, or the whole game."""

    turn: int | None = None
    index: int | None = None  # of what it chose from
    string: str | None = None
    text: list[str]
    aim: Any = None


class Happening(Struct, frozen=True, kw_only=True, gc=False):
    """Something that happened: what all see, and what its owner sees instead."""

    event: GameEvent
    owner: int | None = None
    private: GameEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shapes:
    """The types of what a binding puts into messages, for schemas."""

    observation: type[Struct]
    actions: tuple[type[Struct], ...]
    events: tuple[type[GameEvent], ...]
    others: tuple[type[Struct], ...] = field(default=())  # legal, opening, result, reveal


class Play(Protocol):
    """One game under way."""

    variant: str
    rules_hash: str

    def seating(self) -> Sequence[int]:
        """For each seat the entry of `create.seats` that sits there."""
        ...

    def opening(self) -> Struct | None:
        """What `start` tells besides the observation."""
        ...

    def begin(self) -> list[Happening]:
        """What happens before the first decision."""
        ...

    def due(self) -> Sequence[int]:
        """The seats that have to decide, at the same time; empty once the game is over."""
        ...

    def phase(self, seat: int) -> str: ...

    def ending(self) -> bool:
        """Whether the end has been announced before the decision that is due."""
        ...

    def observation(self, seat: int | None) -> Struct:
        """The public part and, for a seat, its private part."""
        ...

    def legal(self, seat: int, form: Literal["list", "rules"]) -> Struct: ...

    def read(self, seat: int, action: bytes) -> Move:
        """The move that an action object means. IllegalMove tells every problem; msgspec.ValidationError."""
        ...

    def preview(self, seat: int, move: Move) -> Struct | None:
        """What a legal move would cost and bring, where that can be told."""
        return None

    def shown(self, seat: int, move: Move) -> Struct | Raw:
        """The action object of a move; read() understands it."""
        ...

    def default(self, seat: int) -> Move:
        """What is played for a seat that does not."""
        ...

    def play(self, moves: Mapping[int, Move]) -> list[Happening]:
        """Play the moves of all seats that were due, up to the next decision."""
        ...

    def result(self) -> Struct | None:
        """None while the game goes on."""
        ...

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> Struct:
        """The result when these seats were given up and the game ends for it."""
        ...

    def reveal(self) -> Struct | None:
        """What was hidden, besides seed and salt."""
        ...

    def say(self, event: GameEvent, names: Sequence[str]) -> str:
        """One English sentence about an event."""
        ...

    # -- What only some games have ------------------------------------------------------------------

    def chores(self) -> Sequence[Chore]:
        """Work that has come up; each is handed out once."""
        return ()

    def close(self, result: Any) -> None:
        """The game is over with this result, here and now: not when it is only told again."""
        return

    def replay(self, turn: int, first: int, last: int | None, most: int) -> Sequence[GameEvent] | None:
        """What happened in phases of a turn that is over, `most` bytes an event. ValueError for no such phases."""
        return None

    def explain(self, turn: int | None) -> Explanation | None:
        """Of a game that is over. ValueError for no such turn."""
        return None

    def export(self, name: str) -> Sequence[str] | None:
        """The lines of a form of record that only this game has. ValueError says why it is not to be had."""
        return None


class Agent(Protocol):
    """A player of the house in one game."""

    about: str  # name and version, for the record
    is_slow: bool  # thinks longer than a few milliseconds: in another process, by its errand
    decides_last: bool = False  # once all others who are due have decided; it sees nothing of that

    def choose(self, play: Play, seat: int) -> Move: ...

    def errand(self, play: Play, seat: int) -> tuple[Callable[[Any], Move], Any]:
        """choose() as a function of a module and its argument, both for another process. Of a slow agent."""
        raise AssertionError(f"{self.about} decides at once")


class Binding(Protocol):
    """One game of the house."""

    name: str
    variants: Sequence[str]
    agents: Sequence[str]  # that are listed; there may be more
    shapes: Shapes
    profiles: "Profiles | None" = None  # where it keeps what is known of people, if it does

    def has_agent(self, name: str, seat: int) -> bool:
        """Whether somebody of this name may sit there."""
        ...

    def describe(self, variant: str) -> Facts:
        """OptionError for no such variant."""
        ...

    def open(self, plan: Plan) -> Play:
        """A new game. OptionError says what of the plan cannot be."""
        ...

    def agent(self, name: str, play: Play, stream: Callable[[str], Random], seat: int) -> Agent:
        """KeyError if nobody of this name plays here, in that seat."""
        ...


class Profiles(Protocol):
    """What a game knows of people, by their names. ValueError for a name that nobody can have, OSError."""

    def names(self) -> list[str]: ...

    def shown(self, name: str) -> Struct:
        """KeyError if there is none."""
        ...

    def delete(self, name: str) -> None:
        """KeyError if there is none."""
        ...
