"""A game under CECP: whose turn it is for us to think about what, and what is said of it.

The commands that lead here are in protocols/cecp/session.py.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from core.chess.position import move_text
from engines.engine import Info, Limit, Option
from protocols.cecp import lines
from protocols.cecp.board import Board
from protocols.cecp.clock import GameClock
from protocols.session import Discard, Event, Send, Session, Think

Mode = Literal["idle", "move", "ponder", "analyze", "hint"]


class CecpGame(Session):
    """Played like a person at the board: `mode` is what we think about it."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        super().__init__(name, author, options)
        self.board = Board()
        self.side: int | None = 1  # which side we play; None: force mode
        self.mode: Mode = "idle"
        self.analyzing = False
        self.pondering = False
        self.posting = False
        self.control = GameClock()
        self.pongs: list[str] = []  # kept until the move is out
        self.last: Info | None = None  # of a move of ours, or of the analysis
        self.draw_offered = False
        self.resigned = False

    def report(self, thought: Info) -> Iterator[str]:
        if self.mode != "hint":
            self.last = thought
            if self.posting and thought.depth:
                yield lines.thinking(thought)

    def answer(self, thought: Info) -> Iterator[Event]:
        mode, self.mode = self.mode, "idle"
        if mode == "hint":
            yield Send(f"Hint: {move_text(thought.action)}")
        elif mode == "move":
            yield from self._play(thought)
        yield from self._flush_pongs()

    def complain(self, problem: str) -> str:
        return f"telluser {' '.join(problem.split())}"

    # -- Thinking ----------------------------------------------------------------------------------

    def _consider(self) -> Iterator[Event]:
        """After a change of the board: think about it, if it is ours to think."""
        yield from self._halt()
        position = self.board.position
        if not self.board.is_legal:
            return
        if self.analyzing:
            self.last = None
            actions = self.board.included()
            if actions:
                self.mode = "analyze"
                yield Think(position.clone(), Limit(actions=actions))
        elif self.side == position.player():
            if position.is_terminal():
                yield Send(lines.result(position))
            else:
                yield self._our_move()

    def _our_move(self, actions: tuple[int, ...] = ()) -> Think:
        self.mode = "move"
        limit = self.control.limit(self._moves_made())
        return Think(self.board.position.clone(), replace(limit, actions=actions))

    def _play(self, thought: Info) -> Iterator[Event]:
        """Our move, with all that is said before and after it."""
        self.control.moved(thought.seconds)
        if thought.resign and not self.resigned:
            self.resigned = True
            yield Send("resign")
            return
        after = self.board.position.clone()
        after.make(thought.action)
        # An offer is also the claim that the move makes a threefold repetition or fifty moves.
        if (self.draw_offered and thought.takes_draw) or (
            after.is_draw() and not after.is_insufficient_material()
        ):
            yield Send("offer draw")
        self.draw_offered = False
        yield Send(f"move {move_text(thought.action)}")
        self.board.make(thought.action)
        if after.is_terminal():
            yield Send(lines.result(after))
        elif len(thought.line) > 1:
            self.board.expected = thought.line[1]
            after.make(thought.line[1])
            if self.pondering and not after.is_terminal():
                self.mode = "ponder"
                yield Think(after, Limit())

    def _halt(self) -> Iterator[Event]:
        """Stop thinking; what it was about is over."""
        if self.mode != "idle":
            self.mode = "idle"
            yield Discard()
        yield from self._flush_pongs()

    def _flush_pongs(self) -> Iterator[Event]:
        while self.pongs:
            yield Send(f"pong {self.pongs.pop(0)}")

    def _moves_made(self) -> int:
        """By us, since the position was set up; by the side to move in force mode."""
        position = self.board.position
        return (position.plies + (self.side not in (None, position.player()))) // 2
