"""What a game implements to be played over the JSON lines: how it is described, shown, decided and ended.

A GameAdapter makes GameStates; a GameState is one game under way, without clocks, seats or connections. Both are pure:
all random numbers come from the streams of a GameConfig.

    rules and options    GameAdapter.describe
    a new game           GameAdapter.open -> GameState
    built-in players     GameAdapter.agent -> Agent
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from msgspec import Raw, Struct

from core.random import Random
from engines.seeds import SeededStreams
from protocols.accounts import Account
from protocols.jsonl.messages import GameEvent

# A partial of a module's function, which other processes can call: for answers that take long to compute.
Call = Callable[[], Any]
# A decision as the game's own rules take it: an action's number in Acquire, a whole setup in Protection.
Move = Any
Problem = dict[str, Any]  # `field`, `reason` and what goes with the reason


class IllegalMove(ValueError):
    """An action that the rules forbid, with every problem that it has."""

    def __init__(self, message: str, *problems: Problem) -> None:
        super().__init__(message)
        self.problems = problems


class OptionError(ValueError):
    """An option, a variant or a number of seats that the game does not have; `path` as in `$.options.bag`.

    `reason` is for programs, where the path does not say enough.
    """

    def __init__(self, path: str, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantInfo:
    """A variant of a game as a client has to know it."""

    rules: Any
    rules_hash: str
    seats: tuple[int, int]  # fewest, most
    options: dict[str, Any]
    actions: list[str]  # the kinds
    unrated: frozenset[str] = frozenset()  # options that no rated game has
    chance: frozenset[str] = frozenset()  # options that decide what the seed decides otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class GameConfig:
    """A game to be opened."""

    variant: str
    seats: int
    options: Mapping[str, Any]
    streams: SeededStreams
    is_remote: bool = False  # asked for by a remote client: options that make the game costly are refused
    is_replayed: bool = False  # it goes on from a record, whatever has become of the profile that it uses


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageTypes:
    """The types of what a game puts into messages, for schemas."""

    observation: type[Struct]
    actions: tuple[type[Struct], ...]
    events: tuple[type[GameEvent], ...]
    others: tuple[type, ...] = ()  # legal, opening, result, reveal


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """Something that happened: what everybody sees, and what the seat `private_to` sees instead."""

    public: GameEvent
    private_to: int | None = None
    private: GameEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work for another process: a function of a module and its argument."""

    function: Callable[[Any], Any]
    argument: Any
    description: str  # for the log
    on_done: Callable[
        [Any, float], object
    ]  # is given the outcome, None if it failed, and the seconds it took
    is_long: bool = True  # takes seconds, and must not keep those waiting that take milliseconds
    account: Account | None = None  # of the remote address that pays for it


class GameState(Protocol):
    """One game under way."""

    variant: str
    rules_hash: str

    def seating(self) -> Sequence[int]:
        """For each seat the entry of `create.seats` that sits there."""
        ...

    def opening(self) -> Struct | None:
        """Return what `start` shows in addition to the observation; None for nothing."""
        return None

    def begin(self) -> list[Event]:
        """Return the events before the first decision."""
        return []

    def due(self) -> Sequence[int]:
        """The seats that have to decide, at the same time; empty once the game is over."""
        ...

    def phase(self, seat: int) -> str: ...

    def ending(self) -> bool:
        """Return whether the end has been announced before the decision that is due."""
        return False

    def observation(self, seat: int | None) -> Struct:
        """The public part and, for a seat, its private part."""
        ...

    def legal(self, seat: int, form: Literal["list", "rules"]) -> Struct: ...

    def parse_action(self, seat: int, action: bytes) -> Move:
        """The move that an action object means. IllegalMove with every problem; msgspec.ValidationError."""
        ...

    def format_action(self, seat: int, move: Move) -> Struct | Raw:
        """The action object of a move; parse_action() understands it."""
        ...

    def preview(self, seat: int, move: Move) -> Any:
        """What a legal move would cost and bring, as an object of the wire; None where that is unknown."""
        return None

    def default_action(self, seat: int) -> Move:
        """What is played for a seat that does not decide."""
        ...

    def apply(self, moves: Mapping[int, Move]) -> list[Event]:
        """Play the moves of all seats that were due, up to the next decision."""
        ...

    def result(self) -> Struct | None:
        """None while the game goes on."""
        ...

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> Struct:
        """The result when these seats were given up and the game ends for it."""
        ...

    def reveal(self) -> Struct | None:
        """Return what was hidden during the game, other than seed and salt; None for nothing."""
        return None

    # -- What only some games have ------------------------------------------------------------------

    def jobs(self) -> Sequence[Job]:
        """Work that has come up, which no decision waits for; each is handed out once."""
        return ()

    def close(self, result: Any) -> None:
        """The game has just ended with this result; not called when its record is replayed."""
        return

    def replay(self, turn: int, first: int, last: int | None, most: int) -> Call | None:
        """Return a call that gives the events of phases of a turn that is over, each of at most `most` bytes.

        It raises ValueError for phases that do not exist. None: the game has no phases.
        """
        return None

    def explain(self, turn: int | None) -> Call | None:
        """Return a call that explains (Explained) why a built-in player played so, in a turn or in a whole game.

        It raises ValueError for a turn that does not exist. None: there is nothing to explain.
        """
        return None

    def export(self, name: str) -> Call | None:
        """Return a call that gives the lines of a form of record that only this game has; None for an unknown form.

        Raises ValueError if that form is not available for this game.
        """
        return None


class Agent(Protocol):
    """A built-in player in one game."""

    about: str  # name and version, for the record
    is_slow: bool  # thinks longer than a few milliseconds: in another process, by its remote_call()
    decides_last: bool = False  # once all others who are due have decided; it sees nothing of that

    def choose(self, state: GameState, seat: int) -> Move: ...

    def remote_call(self, state: GameState, seat: int) -> tuple[Callable[[Any], Move], Any]:
        """choose() as a function of a module and its argument, for another process. Of a slow agent."""
        raise AssertionError(f"{self.about} decides at once")


@dataclass(slots=True)
class PastAgent:
    """What is kept of an agent when its game is over."""

    about: str
    is_slow: bool = False
    decides_last: bool = False

    def choose(self, state: GameState, seat: int) -> Move:
        raise AssertionError("the game is over")

    def remote_call(self, state: GameState, seat: int) -> tuple[Callable[[Any], Move], Any]:
        raise AssertionError("the game is over")


class GameAdapter(Protocol):
    """One game of the server."""

    name: str
    variants: Sequence[str]
    agents: Sequence[str]  # that are listed; there may be more
    message_types: MessageTypes
    profiles: "Profiles | None" = None  # of people who have played it, if the game keeps any
    # Whether a game that is left to its agents can be played to its end in another process, from its record: its states
    # travel, and nothing but the record is needed to play on.
    ends_elsewhere: bool = False

    def has_agent(self, name: str, seat: int) -> bool:
        """Whether an agent of this name may sit there."""
        ...

    def describe(self, variant: str) -> VariantInfo:
        """OptionError for no such variant."""
        ...

    def open(self, config: GameConfig) -> GameState:
        """A new game. OptionError says what of the configuration cannot be."""
        ...

    def agent(self, name: str, state: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        """KeyError if no agent of this name plays here, in that seat."""
        ...


class Profiles(Protocol):
    """What a game keeps about people, by their names. ValueError for an impossible name, OSError."""

    def names(self) -> list[str]: ...

    def show(self, name: str) -> Struct:
        """KeyError if there is none."""
        ...

    def delete(self, name: str) -> None:
        """KeyError if there is none."""
        ...

    def owner(self, name: str) -> str | None:
        """Return the digest of the owner's token, "" if the profile belongs to this machine, None if there is none.

        Raises ValueError or OSError if the profile cannot be read.
        """
        ...

    def claim(self, name: str, owner: str) -> None:
        """Make a profile of a new name, which belongs to `owner`, a digest. Raises ValueError if there are too many."""
        ...

    def make_room(self, name: str) -> None:
        """Evict a profile if the name is new and there are too many. Raises ValueError if none may be evicted."""
        ...
