"""The interface of engines: a stream of ever better infos about a state, the last of which is the move.

Matches, protocols and the terminal know one kind of player, the Engine: an evolved player, an engine in a worker
process, a foreign program behind UCI or CECP, the random mover, a player of a third-party game (PlayerEngine).

An engine is used for one game at a time. Calls come in this order:

    configure()     sets options, at any time at which the engine does not think
    new_game()      before each game; the engine discards what it remembers
    think()         for each decision of the engine's seat
    close()         once, at the end; processes and files are released

think() is an asynchronous generator and nothing else is needed for a search: depth by depth, or slice by slice, the
engine yields an Info, and the consumer decides when to stop. There is no command to stop; the consumer calls aclose()
or cancels its task, and the last info received is the answer. This works because of one invariant: the first info
comes before the first await that can be cancelled, so that a legal action is known whenever the consumer stops. An
engine that needs time for its first result therefore yields any legal action first (remote_engine.py, player.py). An
engine that ends by itself, within its limit, just returns.

A Limit says how far to think. Bounds combine, and the first one reached ends the search. With `nodes_per_second` all
times are counted in nodes, so that a game does not depend on the speed of the machine, and evolution can be repeated.

The state that think() gets is what the engine's seat may see (core.game.State.observation), and is not changed. All
values here are frozen. Times are in seconds; scores are in cents (hundredths of a pawn, or of the unit of the game),
from the view of the side that thinks. An engine that cannot continue raises EngineError; a caller such as
engines.match.referee then scores the game as lost. Options have the kinds of UCI and CECP, and their values are text,
so that protocols pass them on as they are.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, runtime_checkable

from core.game import State

# Words of people and GUIs for the two values of an option of kind "check".
CHECK_WORDS: Final[Mapping[str, str]] = {
    "true": "true", "1": "true", "on": "true", "false": "false", "0": "false", "off": "false",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A player's clock when the player starts to think; the time left may be zero or negative."""

    seconds: float
    increment: float = 0.0
    moves_to_reset: int | None = None  # None: the rest of the game in one period


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit on how long an engine may think: the first bound reached ends the search, or aclose() without bounds.

    With `nodes_per_second`, seconds in all bounds are counted in nodes instead of by the wall clock, so that the
    outcome does not depend on the machine (CECP's nps; evolution uses it, too).

    >>> Limit(nodes=1000, seconds=0.5).is_infinite
    False
    >>> Limit().is_infinite
    True
    """

    clock: Clock | None = None
    other_clock: Clock | None = None  # the opponent's, for information
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    mate: int | None = None  # stop at a mate in this number of moves
    perft: int | None = None  # chess: instead of a search, count the leaves of the tree of legal moves
    nodes_per_second: float | None = None
    actions: tuple[int, ...] = ()  # consider only these; empty: all

    @property
    def is_infinite(self) -> bool:
        """Whether no bound ends the search, so that only aclose() does."""
        bounds = (self.clock, self.seconds, self.nodes, self.depth, self.mate, self.perft)
        return all(bound is None for bound in bounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Expected play after an action other than the best, with its evaluation."""

    line: tuple[int, ...]
    cents: int
    mate: int | None = None
    chances: tuple[int, int, int] | None = None  # as Info has them


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """The best action so far, with its evaluation and the state of the search."""

    action: int
    line: tuple[int, ...] = ()  # expected play, `action` first; may be empty
    cents: int | None = None  # None: the engine does not score
    mate: int | None = None  # in moves; negative: the thinker is mated
    alternatives: tuple[Line, ...] = ()  # from the second best action on, if requested
    depth: int = 0
    most_depth: int = 0  # of the deepest line; 0: not known
    nodes: int = 0
    seconds: float = 0.0
    permille_full: int | None = None  # how full the table of the engine is, in a thousand
    chances: tuple[int, int, int] | None = None  # to win, to draw and to lose, in a thousand
    current: tuple[int, int] | None = None  # the action that is being searched, and its number from 1
    takes_draw: bool = False  # whether the engine would accept a draw
    text: str = ""  # a remark for people
    resign: bool = False  # whether the engine resigns; `action` is legal, but is not played


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of an engine; `default` and all values for configure() are text."""

    name: str
    kind: Literal["check", "spin", "combo", "string", "file", "path", "button"]  # path: folders
    default: str = ""
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = field(default=())
    needs: str = ""  # the option without which this one has no effect

    def checked(self, value: str) -> str:
        """Return `value` in its normal form. Raises ValueError if the option cannot have this value."""
        if self.kind == "check":
            if value.lower() in CHECK_WORDS:
                return CHECK_WORDS[value.lower()]
            raise ValueError(f"{self.name} must be true or false, not {value[:40]!r}")
        if self.kind == "spin":
            number = value.removeprefix("-")
            if (
                number.isascii()
                and number.isdigit()
                and len(number) < 12
                and self.minimum <= int(value) <= self.maximum
            ):
                return str(int(value))
            raise ValueError(f"{self.name} must be {self.minimum}..{self.maximum}, not {value[:40]!r}")
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == value.lower():
                    return choice
            raise ValueError(f"{self.name} must be one of {', '.join(self.choices)}, not {value[:40]!r}")
        return value


class EngineError(RuntimeError):
    """An engine cannot continue: its process has ended, or it has violated its protocol."""


class Engine(Protocol):
    """An engine, for one game at a time; subclasses inherit the methods that an engine need not define."""

    name: str
    author: str
    options: tuple[Option, ...]

    def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        """Think about `state`, which must have a legal action and is not changed; yield ever better infos.

        The first info comes before the first await that can be cancelled, so that a legal action is always known. A
        consumer that calls aclose(), or cancels its task, demands the move now: the last info counts.
        """
        ...

    async def configure(self, name: str, value: str) -> None:
        """Set an option. Raises ValueError, with the reason, if that is impossible; then nothing changes."""
        raise ValueError(f"no option is named {name[:40]!r}")

    async def new_game(self) -> None:
        """Prepare for a new game: discard all memory of the last one."""
        return

    async def close(self) -> None:
        """Release the processes and files of the engine."""
        return


@runtime_checkable
class Explainer(Protocol):
    """An engine that can show how it evaluates a state; this is optional."""

    async def explain(self, state: State) -> list[str]:
        """Return lines for people that show how the engine evaluates a state."""
        ...


async def explain(engine: Engine, state: State) -> list[str]:
    """Return the engine's explanation of a state. Raises ValueError if the engine is no Explainer."""
    if not isinstance(engine, Explainer):
        raise ValueError("this engine does not show how it evaluates a position")
    return await engine.explain(state)
