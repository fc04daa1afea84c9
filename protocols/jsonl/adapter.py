"""The interface that a game implements to be played over the JSON lines.

A GameAdapter opens games and creates built-in players. A GameState is one game by its rules alone, without clocks,
seats or connections. Both are pure: all random numbers come from the streams of a GameConfig.

    rules and options    GameAdapter.describe
    a new game           GameAdapter.open -> GameState
    built-in players     GameAdapter.agent -> Agent

`state_adapter.py` has all of these for a game that is a core.game.State.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from msgspec import Raw, Struct

from core.random import Random
from engines.seeds import SeededStreams
from protocols.accounts import Account
from protocols.jsonl.messages import GameEvent

# A function of a module, or a partial of one, that a worker process can call: for answers that take long to compute.
Call = Callable[[], Any]
# A decision in the form of the game's own rules: the number of an action in Acquire, a whole setup in Protection.
Move = Any
Problem = dict[str, Any]  # `field`, `reason` and the details of the reason


class IllegalMove(ValueError):
    """An action that the rules forbid, with all its problems."""

    def __init__(self, message: str, *problems: Problem) -> None:
        super().__init__(message)
        self.problems = problems


class OptionError(ValueError):
    """An option, a variant or a number of seats that the game does not have, at a `path` such as `$.options.bag`.

    `reason` is a code for programs, for errors that the path alone does not distinguish.
    """

    def __init__(self, path: str, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantInfo:
    """The description of a variant of a game for clients."""

    rules: Any
    rules_hash: str
    seats: tuple[int, int]  # the least and the greatest number
    options: dict[str, Any]
    actions: list[str]  # the kinds of actions
    unrated: frozenset[str] = frozenset()  # options that a rated game cannot have
    chance: frozenset[str] = frozenset()  # options that determine what otherwise the seed determines


@dataclass(frozen=True, slots=True, kw_only=True)
class GameConfig:
    """The configuration of a game: variant, number of seats, options and random streams."""

    variant: str
    seats: int
    options: Mapping[str, Any]
    streams: SeededStreams
    is_remote: bool = False  # requested by a remote client: options that make the game costly are refused
    is_replayed: bool = False  # opened from a record: continues even if the profile that it uses has changed


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageTypes:
    """The types of a game's objects in messages, for schemas."""

    observation: type[Struct]
    actions: tuple[type[Struct], ...]
    events: tuple[type[GameEvent], ...]
    others: tuple[type, ...] = ()  # legal, opening, result, reveal


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """An event in its public form, and in the form that only the seat `private_to` receives."""

    public: GameEvent
    private_to: int | None = None
    private: GameEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Work for a worker process: a function of a module and its argument."""

    function: Callable[[Any], Any]
    argument: Any
    description: str  # for the log
    # Called with the outcome, or None if the job failed, and the seconds that it took.
    on_done: Callable[[Any, float], object]
    is_long: bool = True  # takes seconds, so jobs of milliseconds must not wait for it
    account: Account | None = None  # of the remote address that is charged


class GameState(Protocol):
    """One game, from its start to its end, by the rules alone."""

    variant: str
    rules_hash: str

    def seating(self) -> Sequence[int]:
        """Return for each seat the index of its player in the field `seats` of `create`."""
        ...

    def opening(self) -> Struct | None:
        """Return the fields that `start` has in addition to the observation, or None."""
        return None

    def begin(self) -> list[Event]:
        """Return the events before the first decision."""
        return []

    def due(self) -> Sequence[int]:
        """Return the seats that must decide now, at the same time; empty when the game is over."""
        ...

    def phase(self, seat: int) -> str:
        """Return the kind of decision that the seat must make."""
        ...

    def ending(self) -> bool:
        """Return whether a player has announced the end of the game."""
        return False

    def observation(self, seat: int | None) -> Struct:
        """Return the public part of the game and, for a seat, its private part; None is a spectator."""
        ...

    def legal(self, seat: int) -> Struct:
        """Return the legal actions of a seat: a list, or the rules for them if there are too many."""
        ...

    def parse_action(self, seat: int, action: bytes) -> Move:
        """Return the move for an action in JSON.

        Raises IllegalMove with every problem, or msgspec.ValidationError if the JSON is not an action.
        """
        ...

    def format_action(self, seat: int, move: Move) -> Struct | Raw:
        """Return the action object of a move, which parse_action() can read."""
        ...

    def preview(self, seat: int, move: Move) -> Any:
        """Return the cost and the effect of a legal move for `checked`, or None if the game has no preview."""
        return None

    def checked(self, seat: int, move: Move) -> Move:
        """Return the move of an agent in its usual type. Raises an exception if the move is illegal."""
        return move

    def default_action(self, seat: int) -> Move:
        """Return the move that is played for a seat that does not decide."""
        ...

    def apply(self, moves: Mapping[int, Move]) -> list[Event]:
        """Play the moves of all seats of due(), up to the next decision, and return the events."""
        ...

    def result(self) -> Struct | None:
        """Return the result, or None while the game is running."""
        ...

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> Struct:
        """Return the result of a game that ends because `seats` were given up."""
        ...

    def reveal(self) -> Struct | None:
        """Return the fields that the game has hidden, except seed and salt, or None."""
        return None

    # -- Methods for some games only ----------------------------------------------------------------

    def jobs(self) -> Sequence[Job]:
        """Return the new jobs, each once. No decision waits for their outcomes."""
        return ()

    def close(self, result: Any) -> None:
        """Handle the end of the game, with its result. Not called when a record is replayed."""
        return

    def replay(self, turn: int, first: int, last: int | None, most: int) -> Call | None:
        """Return a call for the events of phases of a finished turn, each of at most `most` bytes.

        None means that the game has no phases. This method or the call raises ValueError if there is no such turn or
        phase.
        """
        return None

    def explain(self, turn: int | None) -> Call | None:
        """Return a call for an Explained about the choices of built-in players in a turn, or in the whole game.

        None means that the game has no explanations. The call raises ValueError if there is no such turn.
        """
        return None

    def export(self, name: str) -> Call | None:
        """Return a call for the lines of a record format of this game only, or None if the format is unknown.

        Raises ValueError if the format is not available for this game.
        """
        return None


class Agent(Protocol):
    """A built-in player in one game."""

    about: str  # name and version, for the record
    is_slow: bool  # takes more than a few milliseconds, so a worker process runs its remote_call()
    decides_last: bool = False  # asked after all other seats have decided, without seeing their moves

    def choose(self, state: GameState, seat: int) -> Move: ...

    def remote_call(self, state: GameState, seat: int) -> tuple[Callable[[Any], Move], Any]:
        """Return choose() as a function of a module and its argument, for a worker process; for slow agents."""
        raise AssertionError(f"{self.about} decides at once")


@dataclass(slots=True)
class PastAgent:
    """The replacement of an agent when its game is over, without the data that only decisions need."""

    about: str
    is_slow: bool = False
    decides_last: bool = False

    def choose(self, state: GameState, seat: int) -> Move:
        raise AssertionError("the game has ended")

    def remote_call(self, state: GameState, seat: int) -> tuple[Callable[[Any], Move], Any]:
        raise AssertionError("the game has ended")


class GameAdapter(Protocol):
    """A game as the server needs it."""

    name: str
    variants: Sequence[str]  # the first one is the default
    agents: Sequence[str]  # the built-in players that are listed; there may be more
    message_types: MessageTypes
    profiles: "Profiles | None" = None  # of users, if the game keeps any
    # Whether a game that is left to its agents can be played to its end in another process: its states can be
    # pickled, and playing needs nothing but the record.
    ends_elsewhere: bool = False

    def has_agent(self, name: str, seat: int) -> bool:
        """Return whether there is an agent of this name that can play in the seat."""
        ...

    def describe(self, variant: str) -> VariantInfo:
        """Return the description of a variant. Raises OptionError if there is none of this name."""
        ...

    def open(self, config: GameConfig) -> GameState:
        """Return a new game. Raises OptionError if the configuration is invalid."""
        ...

    def agent(self, name: str, state: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        """Return an agent for a seat of a game; `stream` gives it random streams by purpose.

        Raises KeyError if no agent of this name can play in the seat.
        """
        ...


class Profiles(Protocol):
    """The profiles that a game keeps of its users, by name.

    All methods raise ValueError for an impossible name, and OSError if files cannot be used.
    """

    def names(self) -> list[str]: ...

    def show(self, name: str) -> Struct:
        """Return a profile as an object of the wire. Raises KeyError if there is none of this name."""
        ...

    def delete(self, name: str) -> None:
        """Delete a profile. Raises KeyError if there is none of this name."""
        ...

    def owner(self, name: str) -> str | None:
        """Return the digest of the owner's token; "" for a profile of this machine, None if there is no profile."""
        ...

    def claim(self, name: str, owner: str) -> None:
        """Create a profile of `owner`, the digest of a token. Raises ValueError if there are too many profiles."""
        ...

    def make_room(self, name: str) -> None:
        """Evict a profile if the name is new and there are too many. Raises ValueError if none can be evicted."""
        ...
