"""Tic-tac-toe as somebody else would add it: a package of its own, in plain Python.

rules: Board, TicTacToe     genome: SquareWeights     engine: SquarePlayer     players: First, Careful

The evolution is in evolution.py, and what the package offers in game.py.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

from core.game import Game, State
from core.random import Random
from engines.engine import Engine, Info, Limit, Option
from engines.player import Player

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
SQUARES = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")


# -- Rules -----------------------------------------------------------------------------------------


class Board(State):
    """Nine squares of `x`, `o` and `.`, row by row from the top. An action is a square, 0..8."""

    def __init__(self, squares: str = "." * 9) -> None:
        self.squares = squares

    def player(self) -> int:
        return self.squares.count("x") - self.squares.count("o")

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [at for at in range(9) if self.squares[at] == "."]

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"illegal action: {action}")
        self.squares = self.squares[:action] + "xo"[self.player()] + self.squares[action + 1 :]

    def is_terminal(self) -> bool:
        return "." not in self.squares or any(self.returns())

    def returns(self) -> list[float]:
        rows = {self.squares[a] + self.squares[b] + self.squares[c] for a, b, c in LINES}
        return [1.0, -1.0] if "xxx" in rows else [-1.0, 1.0] if "ooo" in rows else [0.0, 0.0]

    def clone(self) -> "Board":
        return Board(self.squares)

    def text(self) -> str:
        return "\n".join(self.squares[row : row + 3] for row in (0, 3, 6))

    def action_text(self, action: int) -> str:
        return SQUARES[action]


class TicTacToe(Game):
    def __init__(self) -> None:
        super().__init__("tic-tac-toe", 2)

    def new_state(self, rng: Random) -> Board:
        return Board()

    def state_from(self, text: str) -> Board:
        """A board such as `x.. .o. ...`."""
        board = Board(text.replace(" ", ""))
        if len(board.squares) != 9 or set(board.squares) - set("xo.") or board.player() not in (0, 1):
            raise ValueError(f"no tic-tac-toe board: {text[:40]!r}")
        return board


# -- Players ---------------------------------------------------------------------------------------


class First(Player):
    """Takes the first free square."""

    about = "the first free square"

    def choose(self, state: State, rng: Random) -> int:
        return state.legal_actions()[0]


class Weighing(Player):
    """Takes the free square that its genome prefers."""

    about = "evolved weights of squares"

    def __init__(self, genome: "SquareWeights") -> None:
        self._preference = genome.express()

    def choose(self, state: State, rng: Random) -> int:
        return min(state.legal_actions(), key=self._preference.index)


class Careful(Player):
    """Looks at every end of the game, and plays what cannot lose."""

    about = "what cannot lose"
    is_slow = True

    def choose(self, state: State, rng: Random) -> int:
        assert isinstance(state, Board)
        return max(state.legal_actions(), key=lambda action: _value(state.squares, action))


@cache
def _value(squares: str, action: int) -> float:
    """Return the best result that an action makes sure of."""
    board = Board(squares)
    player = board.player()
    board.apply(action)
    if board.is_terminal():
        return board.returns()[player]
    return -max(_value(board.squares, each) for each in board.legal_actions())


# -- Genome ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SquareWeights:
    """What each square is worth; the text is three lines of three numbers."""

    weights: tuple[float, ...]

    @classmethod
    def random(cls, rng: Random) -> Self:
        return cls(tuple(rng.normal(1.0) for _ in SQUARES))

    @classmethod
    def loads(cls, text: str) -> Self:
        try:
            weights = tuple(float(word) for line in text.splitlines() for word in line.split())
        except ValueError as error:
            raise ValueError(f"a weight is a number: {error}") from None
        if len(weights) != 9 or not all(abs(weight) < 1e6 for weight in weights):
            raise ValueError(f"nine finite weights expected, {len(weights)} read")
        return cls(weights)

    def dumps(self) -> str:
        words = [repr(weight) for weight in self.weights]
        return "".join(" ".join(words[row : row + 3]) + "\n" for row in (0, 3, 6))

    def mutate(self, rng: Random) -> Self:
        return replace(self, weights=tuple(weight + rng.normal(0.3) for weight in self.weights))

    def mate(self, other: Self, rng: Random) -> Self:
        genes = zip(self.weights, other.weights, strict=True)
        return replace(self, weights=tuple(own if rng.chance(0.5) else his for own, his in genes))

    def express(self) -> list[int]:
        """The squares from best to worst."""
        return sorted(range(9), key=lambda square: -self.weights[square])


# -- Engine ----------------------------------------------------------------------------------------


class SquarePlayer(Engine):
    """Takes the best free square."""

    def __init__(self, genome: SquareWeights, name: str = "Square player") -> None:
        self.name = name
        self.author = "somebody else"
        self.options: tuple[Option, ...] = ()
        self._preference = genome.express()

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        actions = limit.actions or state.legal_actions()
        best = min(actions, key=self._preference.index)
        yield Info(action=best, line=(best,), depth=1, nodes=1)
