"""Tic-tac-toe over the JSON lines with lines of its own, which many tests speak; the general ones are in state_adapter."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from core.random import Random
from protocols.jsonl.adapter import (
    Agent,
    GameAdapter,
    GameConfig,
    GameState,
    IllegalMove,
    MessageTypes,
    Move,
    OptionError,
    VariantInfo,
)
from protocols.jsonl.messages import COMMON_EVENTS, GameEvent
from protocols.jsonl.state_adapter import StateGame
from tests.fifth_game.tictactoe import SQUARES, Board


class Mark(Struct, kw_only=True, tag_field="kind", tag="mark"):
    """Take a square."""

    square: str


class Marked(GameEvent, kw_only=True, tag="marked"):
    seat: int
    square: str

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} takes {self.square}."


class View(Struct, kw_only=True):
    board: list[str]
    turn: int


class Legal(Struct, kw_only=True, tag_field="form", tag="list"):
    actions: list[Mark]


class Result(Struct, kw_only=True):
    score: list[float]
    reason: str


class BoardPlay(StateGame):
    """One game; an action is a square."""

    def __init__(self) -> None:
        self.board = Board()
        super().__init__(self.board, 2, "plain", FACTS.rules_hash)

    def phase(self, seat: int) -> str:
        return "mark"

    def observation(self, seat: int | None) -> Struct:
        squares = self.board.squares
        return View(board=[squares[row : row + 3] for row in (0, 3, 6)], turn=self.board.player())

    def legal(self, seat: int) -> Struct:
        return Legal(actions=[Mark(square=SQUARES[at]) for at in self.board.legal_actions()])

    def parse_action(self, seat: int, action: bytes) -> Move:
        square = msgspec.json.decode(action, type=Mark).square
        if square not in SQUARES:
            raise IllegalMove("no such square", {"field": "square", "reason": "unknown"})
        if SQUARES.index(square) not in self.board.legal_actions():
            raise IllegalMove(f"{square} is taken", {"field": "square", "reason": "taken"})
        return SQUARES.index(square)

    def format_action(self, seat: int, move: Move) -> Struct:
        return Mark(square=SQUARES[move])

    def moved(self, seat: int, move: Move) -> GameEvent:
        return Marked(seat=seat, square=SQUARES[move])

    def result(self) -> Struct | None:
        if not self.board.is_terminal():
            return None
        returns = self.board.returns()
        return Result(score=returns, reason="row" if any(returns) else "full")

    def abandoned(self, seats: Sequence[int], reason: Literal["resign", "forfeit"]) -> Struct:
        return Result(score=[-1.0 if seat in seats else 1.0 for seat in (0, 1)], reason=reason)


class First(Agent):
    """Takes the first free square."""

    def __init__(self, is_slow: bool = False) -> None:
        self.about = "the first free square"
        self.is_slow = is_slow

    def choose(self, state: GameState, seat: int) -> Move:
        return state.default_action(seat)

    def remote_call(self, state: GameState, seat: int) -> tuple[Callable[[Any], Move], Any]:
        return int, state.default_action(seat)


class Chance(Agent):
    """Takes any free square."""

    def __init__(self, rng: Random) -> None:
        self.about = "any free square"
        self.is_slow = False
        self._rng = rng

    def choose(self, state: GameState, seat: int) -> Move:
        assert isinstance(state, BoardPlay)
        actions = state.board.legal_actions()
        return actions[self._rng.below(len(actions))]


RULES = {"squares": list(SQUARES), "row": 3}
FACTS = VariantInfo(
    rules=RULES,
    rules_hash="sha256:" + sha256(repr(RULES).encode()).hexdigest(),
    seats=(2, 2),
    options={},
    actions=["mark"],
)


class TicTacToeAdapter(GameAdapter):
    """The whole of it."""

    def __init__(self) -> None:
        self.name = "tic-tac-toe"
        self.variants = ("plain",)
        self.agents = ("first", "random", "slow")
        self.message_types = MessageTypes(
            observation=View, actions=(Mark,), events=(Marked, *COMMON_EVENTS), others=(Legal, Result)
        )

    def has_agent(self, name: str, seat: int) -> bool:
        return name in self.agents

    def describe(self, variant: str) -> VariantInfo:
        if variant != "plain":
            raise OptionError("$.variant", f"there is no variant {variant[:40]!r}")
        return FACTS

    def open(self, config: GameConfig) -> GameState:
        self.describe(config.variant)
        if config.seats != 2:
            raise OptionError("$.seats", "tic-tac-toe is for two")
        if config.options:
            raise OptionError(f"$.options.{min(config.options)}", "tic-tac-toe has no options")
        return BoardPlay()

    def agent(self, name: str, state: GameState, stream: Callable[[str], Random], seat: int) -> Agent:
        return {
            "first": First(),
            "slow": First(is_slow=True),
            "random": Chance(stream(f"seat|{seat}")),
        }[name]


def tic_tac_toe() -> dict[str, GameAdapter]:
    """A server with this game alone."""
    return {"tic-tac-toe": TicTacToeAdapter()}
