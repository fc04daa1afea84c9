"""The engine's side of the Chess Engine Communication Protocol, version 2: xboard and its family.

Reference: Tim Mann, H. G. Muller, "Chess Engine Communication Protocol". Where GUIs contradict it or
each other, the comments say which one is obeyed. The handlers are found by name: the command `sd`
is obeyed by `_sd`; every command with a handler is known, every other one is an Error.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

from core.chess.fen import START, position_from_fen
from core.chess.position import Position, move_text
from engines.engine import Limit, Option, Thought
from protocols.cecp_board import BoardEditor
from protocols.cecp_clock import GameClock
from protocols.session import Configure, Discard, Event, MoveNow, NewGame, ProtocolError, Quit, Send, Session, Think

FEATURES: Final = (
    "ping=1 setboard=1 usermove=1 san=0 playother=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 "
    'colors=0 variants="normal" name=1 nps=1 memory=1 smp=0 exclude=1 debug=1'
)
MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?")
# Known to every GUI and of no consequence here; an Error would make python-chess give up.
SILENT: Final = frozenset(
    ("random", "computer", "name", "rating", "ics", "cores", "egtpath", "accepted", "rejected", "bk", "white", "black", "xboard")
)
HINT_NODES: Final = 20_000
Mode = Literal["idle", "move", "ponder", "analyze", "hint"]


class CecpSession(Session):
    """Played like a person at the board: `position` is the board, `mode` what we think about it."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        super().__init__(name, author, options)
        self.position = position_from_fen(START)
        self.side: int | None = 1  # which side we play; None: force mode
        self.mode: Mode = "idle"
        self.analyzing = False
        self.pondering = False
        self.posting = False
        self.legal = True  # False from an illegal setboard until new or setboard
        self.control = GameClock()
        self.excluded: set[int] = set()
        self.pongs: list[str] = []  # kept until the move is out
        self.last: Thought | None = None
        self.expected: int | None = None  # the reply that we expect to our last move
        self.editor: BoardEditor | None = None
        self.resigned = False

    # -- Session -----------------------------------------------------------------------------------

    def receive(self, line: str) -> Iterator[Event]:
        line = line.strip()
        if self.editor is not None:
            yield from self._edit_line(line)
            return
        command, _, argument = line.partition(" ")
        if not command or command in SILENT:
            return
        if MOVE.fullmatch(command):
            yield from self._bare_move(command)
            return
        handler: Callable[[str], Iterator[Event]] | None = None
        if command == ".":
            handler = self._status
        elif command == "?":
            handler = self._move_now
        elif command in COMMANDS:
            handler = getattr(self, f"_{command}")
        if handler is None:
            raise ProtocolError(f"Error (unknown command): {line[:80]}")
        yield from handler(argument.strip())

    def report(self, thought: Thought) -> Iterator[str]:
        self.last = thought
        if self.posting and self.mode != "hint" and thought.depth:
            yield _thinking(thought)

    def answer(self, thought: Thought) -> Iterator[Event]:
        mode, self.mode = self.mode, "idle"
        if mode == "hint":
            yield Send(f"Hint: {move_text(thought.action)}")
        elif mode == "move":
            yield from self._play(thought)
            yield from self._flush_pongs()

    def complain(self, problem: str) -> str:
        return f"telluser {problem}"

    # -- Thinking ----------------------------------------------------------------------------------

    def _play(self, thought: Thought) -> Iterator[Event]:
        """Our move, with all that is said before and after it."""
        self.control.moved(thought.seconds)
        if thought.resign and not self.resigned:
            self.resigned = True
            yield Send("resign")
            return
        after = self.position.clone()
        after.apply(thought.action)
        if after.is_draw() and not after.is_dead():
            yield Send("offer draw")  # a claim: the move makes a threefold repetition or fifty moves
        yield Send(f"move {move_text(thought.action)}")
        self._make(thought.action)
        if self.position.is_terminal():
            yield Send(_result(self.position))
            return
        self.expected = thought.line[1] if len(thought.line) > 1 else None
        if self.pondering and self.expected is not None:
            expected = self.position.clone()
            expected.make(self.expected)
            if not expected.is_terminal():
                self.mode = "ponder"
                yield Think(expected, Limit())

    def _consider(self) -> Iterator[Event]:
        """After a change of the board: think about it, if it is ours to think."""
        yield from self._halt()
        if self.analyzing:
            actions = self._included()
            if actions:
                self.mode = "analyze"
                yield Think(self.position.clone(), Limit(actions=actions if self.excluded else ()))
        elif self.side == self.position.player() and self.legal:
            if self.position.is_terminal():
                yield Send(_result(self.position))
                return
            self.mode = "move"
            moves_made = self.position.plies // 2
            yield Think(self.position.clone(), self.control.limit(moves_made))

    def _included(self) -> tuple[int, ...]:
        return tuple(move for move in self.position.legal_moves() if move not in self.excluded)

    def _halt(self) -> Iterator[Event]:
        """Stop thinking; what it was about is over."""
        if self.mode != "idle":
            self.mode = "idle"
            yield Discard()
        yield from self._flush_pongs()

    def _flush_pongs(self) -> Iterator[Event]:
        while self.pongs:
            yield Send(f"pong {self.pongs.pop(0)}")

    # -- The board ---------------------------------------------------------------------------------

    def _make(self, move: int) -> None:
        self.position.make(move)
        self.excluded.clear()
        self.expected = None

    def _new(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.position = position_from_fen(START)
        self.side = None if self.analyzing else 1
        self.legal = True
        self.control.new_game()
        self.last = None
        self.resigned = False
        self.excluded.clear()
        yield NewGame()
        if self.analyzing:
            yield from self._consider()

    def _setboard(self, text: str) -> Iterator[Event]:
        yield from self._halt()
        try:
            position = position_from_fen(text)
        except ValueError as error:
            self.legal = False
            raise ProtocolError(f"tellusererror Illegal position: {error}") from error
        yield from self._set_up(position)

    def _set_up(self, position: Position) -> Iterator[Event]:
        self.position = position
        self.legal = True
        self.excluded.clear()
        self.last = None
        if self.analyzing:
            yield from self._consider()

    def _edit(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.editor = BoardEditor(self.position)

    def _edit_line(self, line: str) -> Iterator[Event]:
        assert self.editor is not None
        if line == "quit":
            yield Quit()
            return
        if line != ".":
            self.editor.edit(line)
            return
        text = self.editor.fen()
        self.editor = None
        yield from self._setboard(text)

    def _usermove(self, text: str) -> Iterator[Event]:
        if not self.legal:
            raise ProtocolError(f"Illegal move (position): {text[:20]}")
        if self.side == self.position.player() and not self.analyzing:
            raise ProtocolError(f"Illegal move (not your turn): {text[:20]}")
        try:
            move = self.position.action_from(text.lower())
        except ValueError:
            raise ProtocolError(f"Illegal move: {text[:20]}") from None
        yield from self._halt()
        self._make(move)
        yield from self._consider()

    def _bare_move(self, text: str) -> Iterator[Event]:
        """A move without `usermove`, as people type it; cutechess sends one before Black's setboard.

        It must never be answered by a line that begins with Illegal: cutechess takes that for a claim.
        """
        try:
            yield from self._usermove(text)
        except ProtocolError:
            raise ProtocolError(f"Error (illegal move): {text}") from None

    def _undo(self, _: str) -> Iterator[Event]:
        yield from self._take_back(1)

    def _remove(self, _: str) -> Iterator[Event]:
        yield from self._take_back(2)

    def _take_back(self, plies: int) -> Iterator[Event]:
        yield from self._halt()
        if self.position.plies < plies:
            raise ProtocolError("Error (no move to take back): " + ("undo" if plies == 1 else "remove"))
        for _ in range(plies):
            self.position.undo()
        self.excluded.clear()
        if self.analyzing:
            yield from self._consider()

    # -- Who plays ---------------------------------------------------------------------------------

    def _force(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.side = None

    def _go(self, _: str) -> Iterator[Event]:
        self.analyzing = False
        self.side = self.position.player()
        yield from self._consider()

    def _playother(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.side = 1 - self.position.player()

    def _move_now(self, _: str) -> Iterator[Event]:
        if self.mode == "move":
            yield MoveNow()

    def _result(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.side = None

    def _draw(self, _: str) -> Iterator[Event]:
        """The opponent offers a draw: we take it when we stand worse."""
        if self.last is not None and self.side is not None:
            lost = self.last.mate is not None and self.last.mate < 0
            if lost or (self.last.mate is None and self.last.cents is not None and self.last.cents < -30):
                yield Send("offer draw")

    def _hard(self, _: str) -> Iterator[Event]:
        self.pondering = True
        yield from ()

    def _easy(self, _: str) -> Iterator[Event]:
        self.pondering = False
        if self.mode == "ponder":
            yield from self._halt()

    # -- Limits ------------------------------------------------------------------------------------

    def _level(self, text: str) -> Iterator[Event]:
        self.control.level(text)
        yield from ()

    def _st(self, text: str) -> Iterator[Event]:
        self.control.fixed_time(text)
        yield from ()

    def _sd(self, text: str) -> Iterator[Event]:
        self.control.fixed_depth(text)
        yield from ()

    def _nps(self, text: str) -> Iterator[Event]:
        self.control.node_rate(text)
        yield from ()

    def _time(self, text: str) -> Iterator[Event]:
        self.control.left(text)
        yield from ()

    def _otim(self, text: str) -> Iterator[Event]:
        self.control.opponent_left(text)
        yield from ()

    # -- Analysis ----------------------------------------------------------------------------------

    def _analyze(self, _: str) -> Iterator[Event]:
        self.analyzing = True
        self.side = None
        yield from self._consider()

    def _exit(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.analyzing = False

    def _status(self, _: str) -> Iterator[Event]:
        if self.mode == "analyze" and self.last is not None:
            thought = self.last
            total = len(self.position.legal_moves())
            yield Send(
                f"stat01: {int(thought.seconds * 100)} {thought.nodes} {thought.depth} 0 {total} "
                f"{move_text(thought.action)}"
            )

    def _exclude(self, text: str) -> Iterator[Event]:
        moves = set(self.position.legal_moves()) if text == "all" else {self._named_move(text, "exclude")}
        self.excluded |= moves
        if self.analyzing and self._included():
            yield from self._consider()

    def _include(self, text: str) -> Iterator[Event]:
        moves = set(self.position.legal_moves()) if text == "all" else {self._named_move(text, "include")}
        self.excluded -= moves
        if self.analyzing:
            yield from self._consider()

    def _named_move(self, text: str, command: str) -> int:
        try:
            return self.position.action_from(text.lower())
        except ValueError:
            raise ProtocolError(f"Error (illegal move): {command} {text[:20]}") from None

    def _hint(self, _: str) -> Iterator[Event]:
        if self.expected is not None:
            yield Send(f"Hint: {move_text(self.expected)}")
        elif self.mode in ("move", "analyze") and self.last is not None:
            yield Send(f"Hint: {move_text(self.last.action)}")
        elif self.mode == "idle" and not self.position.is_terminal():
            self.mode = "hint"
            yield Think(self.position.clone(), Limit(nodes=HINT_NODES))

    # -- Everything else ---------------------------------------------------------------------------


    def _protover(self, _: str) -> Iterator[Event]:
        yield Send("feature done=0")
        yield Send(f"feature {FEATURES}")
        yield Send(f'feature myname="{self.name}"')
        for option in self.options:
            if option.name != "Hash":  # the command `memory` sets it
                yield Send(f'feature option="{_announcement(option)}"')
        yield Send("feature done=1")

    def _variant(self, name: str) -> Iterator[Event]:
        if name != "normal":
            raise ProtocolError(f"Error (unsupported variant): variant {name[:40]}")
        yield from ()

    def _ping(self, number: str) -> Iterator[Event]:
        """The pong follows all that came before, and so waits for a move that is being thought out."""
        number = number[:20]
        if self.mode == "move":
            self.pongs.append(number)
        else:
            yield Send(f"pong {number}")

    def _post(self, _: str) -> Iterator[Event]:
        self.posting = True
        yield from ()

    def _nopost(self, _: str) -> Iterator[Event]:
        self.posting = False
        yield from ()

    def _memory(self, megabytes: str) -> Iterator[Event]:
        yield from self._configure("Hash", megabytes, f"memory {megabytes[:20]}", clamp=True)

    def _option(self, text: str) -> Iterator[Event]:
        name, _, value = text.partition("=")
        yield from self._configure(name.strip(), value.strip(), f"option {text[:60]}")

    def _configure(self, name: str, value: str, line: str, clamp: bool = False) -> Iterator[Event]:
        for option in self.options:
            if option.name.lower() == name.lower():
                if clamp and value.isascii() and value.isdigit() and len(value) < 12:
                    value = str(min(max(int(value), option.minimum), option.maximum))
                try:
                    normal = option.checked(value)
                except ValueError as error:
                    raise ProtocolError(f"Error ({error}): {line}") from error
                yield Configure(option.name, normal)
                return
        raise ProtocolError(f"Error (unknown option): {line}")

    def _quit(self, _: str) -> Iterator[Event]:
        yield Quit()


COMMANDS: Final = frozenset(
    "analyze draw easy edit exclude exit force go hard hint include level memory new nopost nps option otim "
    "ping playother post protover quit remove result sd setboard st time undo usermove variant".split()
)


def _thinking(thought: Thought) -> str:
    score = thought.cents or 0
    if thought.mate is not None:
        score = 100_000 + thought.mate if thought.mate > 0 else -100_000 + thought.mate
    line = " ".join(move_text(move) for move in thought.line)
    return f"{thought.depth} {score} {int(thought.seconds * 100)} {thought.nodes}\t{line}"


def _result(position: Position) -> str:
    """The result of a game that is over on the board."""
    white, _ = position.returns()
    if white > 0:
        return "1-0 {White mates}"
    if white < 0:
        return "0-1 {Black mates}"
    if position.is_dead():
        return "1/2-1/2 {Insufficient material}"
    if position.is_stalemate():
        return "1/2-1/2 {Stalemate}"
    if position.repetitions(2) >= 2:
        return "1/2-1/2 {Draw by repetition}"
    return "1/2-1/2 {Draw by fifty-move rule}"


def _announcement(option: Option) -> str:
    if option.kind == "spin":
        return f"{option.name} -spin {option.default} {option.minimum} {option.maximum}"
    if option.kind == "check":
        return f"{option.name} -check {1 if option.default == 'true' else 0}"
    if option.kind == "combo":
        choices = [f"*{choice}" if choice == option.default else choice for choice in option.choices]
        return f"{option.name} -combo {' /// '.join(choices)}"
    if option.kind == "button":
        return f"{option.name} -button"
    return f"{option.name} -{option.kind} {option.default}"
