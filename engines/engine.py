"""What an engine is: a stream of ever better infos about a state; the last one is its move.

Everything that plays is an Engine: an evolved player, one in a worker process, a foreign program
behind UCI or CECP, the random mover, a person at a terminal. Values here are frozen; times are
seconds, scores are cents (hundredths of a pawn, or of the game's unit) from the thinker's view.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, runtime_checkable

from core.game import State

# What people and GUIs write for the two values of an option of kind "check".
CHECK_WORDS: Final[Mapping[str, str]] = {
    "true": "true", "1": "true", "on": "true", "false": "false", "0": "false", "off": "false",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A clock as it stands when its owner begins to think; it may be at or below zero."""

    seconds: float
    increment: float = 0.0
    moves_to_reset: int | None = None  # None: the rest of the game in one period


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """How far to think; the first bound reached counts, and no bound at all means until aclose().

    With `nodes_per_second` every second above is counted in nodes instead of on the wall, so that
    the outcome does not depend on the machine (CECP's nps; evolution uses it too).
    """

    clock: Clock | None = None
    other_clock: Clock | None = None  # the opponent's, for information
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    mate: int | None = None  # stop at a mate in so many moves
    perft: int | None = None  # of chess: do not think, but count the legal move tree's leaves at this depth
    nodes_per_second: float | None = None
    actions: tuple[int, ...] = ()  # consider only these; empty: all

    @property
    def is_infinite(self) -> bool:
        bounds = (self.clock, self.seconds, self.nodes, self.depth, self.mate, self.perft)
        return all(bound is None for bound in bounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Expected play that is not the best."""

    line: tuple[int, ...]
    cents: int
    mate: int | None = None
    chances: tuple[int, int, int] | None = None  # as Info has them


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """The best action so far, and why."""

    action: int
    line: tuple[int, ...] = ()  # expected play, `action` first; may be empty
    cents: int | None = None  # None: the engine does not score
    mate: int | None = None  # in moves; negative: the thinker is mated
    alternatives: tuple[Line, ...] = ()  # from the second best action on, if they were asked for
    depth: int = 0
    most_depth: int = 0  # of the deepest line; 0: the engine does not tell
    nodes: int = 0
    seconds: float = 0.0
    permille_full: int | None = None  # the engine's table
    chances: tuple[int, int, int] | None = None  # in a thousand, to win, to draw and to lose
    current: tuple[int, int] | None = None  # the action that is being searched, and its number from 1
    takes_draw: bool = False  # if the opponent offers one
    text: str = ""  # a remark for people
    resign: bool = False  # give the game up; `action` is then a legal one that is not played


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Something to configure. `default` and every value given to configure() are text."""

    name: str
    kind: Literal["check", "spin", "combo", "string", "file", "path", "button"]  # path: folders
    default: str = ""
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = field(default=())
    needs: str = ""  # the option without which this one means nothing

    def checked(self, value: str) -> str:
        """`value` in its normal form. ValueError if this option cannot take it."""
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
    """The engine cannot go on: its process died, or it broke its protocol."""


class Engine(Protocol):
    """A player. Use it for one game at a time; subclass it to inherit what an engine need not do."""

    name: str
    author: str
    options: tuple[Option, ...]

    def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        """Think about `state`, which has a legal action and is left as it was.

        The first info comes before the first await that can be cancelled, so one legal action is
        always ready. aclose(), or cancelling the task, means: move now; the last info counts.
        """
        ...

    async def configure(self, name: str, value: str) -> None:
        """Set an option. ValueError says why not; the engine stays as it was."""
        raise ValueError(f"no option is named {name[:40]!r}")

    async def new_game(self) -> None:
        """Forget the last game."""
        return

    async def close(self) -> None:
        """Give back what the engine holds: processes, files."""
        return


@runtime_checkable
class Explainer(Protocol):
    """An engine that can show how it evaluates a state; not every one can."""

    async def explain(self, state: State) -> list[str]:
        """Return lines for people that show how the engine evaluates a state."""
        ...


async def explain(engine: Engine, state: State) -> list[str]:
    """Return what the engine explains of a state. Raises ValueError if it cannot explain anything."""
    if not isinstance(engine, Explainer):
        raise ValueError("this engine does not show how it evaluates a position")
    return await engine.explain(state)
