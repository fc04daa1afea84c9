"""The engine's side of the Chess Engine Communication Protocol (CECP), version 2, which xboard and other GUIs use.

Reference: Tim Mann, H. G. Muller, "Chess Engine Communication Protocol". Where GUIs contradict the protocol or each
other, the comments say which one is obeyed. Handlers are found by name: do_undo() obeys the command `undo`. The time
commands, `.`, `?` and bare moves are obeyed without such a handler; the answer to any other command is an Error.

While the engine thinks about its move or a hint, `memory`, `option` and `ping` wait until the move or hint is sent.
An analysis or a ponder search needs no answer, so such a search restarts with the new option at once. A command that
changes the game (`new`, `force`, `undo`, `setboard`, ...) ends any search without a move. A command that cannot be
obeyed does not affect the search, except an invalid `setboard`, which ends every search but that for the engine's move.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, Literal

from core.chess.movegen import CASTLING, EMPTY, MAILBOX
from core.chess.notation import PIECES, START, position_from_fen
from core.chess.position import Position, move_text
from engines.engine import Clock, Info, Limit, Option
from protocols.engine_session import (
    AbortSearch,
    Configure,
    Event,
    NewGame,
    ProtocolError,
    Quit,
    Send,
    Session,
    StartSearch,
    StopSearch,
)

FEATURES: Final = (
    "ping=1 setboard=1 usermove=1 san=0 playother=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 analyze=1 "
    'colors=0 variants="normal,fischerandom" name=1 nps=1 memory=1 smp=0 exclude=1 debug=1'
)
TIME_COMMANDS: Final = frozenset(("level", "st", "sd", "nps", "time", "otim"))
FISCHERANDOM: Final = "fischerandom"
SHORT, LONG = "O-O", "O-O-O"
MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?")
PLACEMENT: Final = re.compile(r"([PNBRQKx])([a-h])([1-8])")
LEVEL: Final = re.compile(r"([0-9]{1,6})\s+([0-9]{1,7})(?::([0-9]{1,2}))?\s+(\S{1,40})")
NUMBER: Final = re.compile(
    r"[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"
)  # as Python writes floats
MAX_NUMBER: Final = 1e9  # the limit of seconds and nodes; larger numbers count as this one
MATE: Final = 100_000  # the score of a mate in N moves is MATE + N
HINT_NODES: Final = 20_000  # of a search for a hint
WAIT: Final = frozenset(("memory", "option", "ping"))  # commands that wait until a move or hint is sent

Mode = Literal["idle", "move", "ponder", "analyze", "hint"]


class CecpSession(Session):
    """A CECP session, whose state is a game with its clock; `mode` is the purpose of the running search."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        super().__init__(name, author, options)
        self.board = Board()
        self.editor: BoardEditor | None = None  # in edit mode
        self.control = TimeControl()
        self.side: int | None = 1  # the side that the engine plays; None: force mode
        self.mode: Mode = "idle"
        self.is_analyzing = False
        self.is_pondering = False
        self.is_posting = False
        self.search: StartSearch | None = None  # the search that was started last
        self.has_hinted = False  # whether the Hint line of this ponder search has been sent
        self.last: Info | None = None  # the last info of a search other than for a hint
        self.is_draw_offered = False
        self.has_resigned = False

    def _must_wait(self, line: str) -> bool:
        return self.mode in ("move", "hint") and "".join(line.split(maxsplit=1)[:1]) in WAIT

    def _obey(self, line: str) -> Iterator[Event]:
        line = line.strip()
        if self.editor is not None and line != "quit":
            yield from self._edit(self.editor, line)
            return
        command, argument, *_ = (*line.split(maxsplit=1), "", "")
        handler: Callable[[str], Iterator[Event]] | None = getattr(self, f"do_{command}", None)
        if handler is not None:
            yield from handler(argument)
        elif command in TIME_COMMANDS:
            self.control.obey(command, argument, self._moves_made())
        elif command == ".":
            yield from self._status()
        elif command == "?":
            if self.mode == "move":
                yield StopSearch()
        elif MOVE.fullmatch(command):
            yield from self._bare_move(command)
        elif command:
            raise ProtocolError(f"Error (unknown command): {line[:80]}")

    def report(self, info: Info) -> Iterator[str]:
        if self.mode == "hint":
            return
        self.last = info
        if self.is_posting and info.depth and info.current is None:
            if self.mode == "ponder" and not self.has_hinted and self.board.expected is not None:
                self.has_hinted = True  # the lines start after the hinted move, as section 10 allows then
                yield f"Hint: {self.board.move_text(self.board.expected)}"
            yield _thinking(info, self.board.move_text)

    def _answer(self, info: Info) -> Iterator[Event]:
        mode, self.mode = self.mode, "idle"
        if mode == "hint":
            yield Send(f"Hint: {self.board.move_text(info.action)}")
        elif mode == "move":
            yield from self._play(info)

    def error_line(self, problem: str) -> str:
        return f"telluser {' '.join(problem.split())}"

    # -- The board ---------------------------------------------------------------------------------

    def do_new(self, _: str) -> Iterator[Event]:
        yield from self._abort()
        self.board = Board()
        self.control.new_game()
        self.side = None if self.is_analyzing else 1
        self.last = None
        self.is_draw_offered = False
        self.has_resigned = False
        yield NewGame()
        yield from self._consider()

    def do_setboard(self, fen: str) -> Iterator[Event]:
        if self.mode != "move":
            yield from self._abort()
        try:
            self.board.set_up(fen)
        except ProtocolError:
            # An engine that searches its move continues with the old position.
            self.board.is_legal = self.mode == "move"
            raise
        yield from self._abort()
        # The feature debug=1 allows lines that begin with "#".
        yield from (Send(f"# {note}") for note in self.board.position.notes)
        self.control.first_move = 0
        self.last = None
        yield from self._reconsider()

    def do_edit(self, _: str) -> Iterator[Event]:
        yield from self._abort()
        self.editor = BoardEditor(self.board.position)

    def _edit(self, editor: "BoardEditor", line: str) -> Iterator[Event]:
        if line == ".":
            self.editor = None
            yield from self.do_setboard(editor.fen())
        else:
            editor.edit(line)

    def do_usermove(self, text: str) -> Iterator[Event]:
        if not self.board.is_legal:
            raise ProtocolError(f"Illegal move (position): {text[:20]}")
        if self.mode == "move":
            raise ProtocolError(f"Illegal move (not your turn): {text[:20]}")
        move = self.board.parse_move(text, "Illegal move:")
        yield from self._abort()
        self.board.make(move)
        yield from self._consider()

    def _bare_move(self, text: str) -> Iterator[Event]:
        """Make a move that comes without `usermove`, as people type it.

        cutechess sends such a move before a setboard with Black to move. The answer must never begin with Illegal,
        because cutechess takes such a line for the claim that its opponent's move was illegal.
        """
        try:
            yield from self.do_usermove(text)
        except ProtocolError:
            raise ProtocolError(f"Error (illegal move): {text}") from None

    def do_undo(self, _: str) -> Iterator[Event]:
        yield from self._take_back(1, "undo")

    def do_remove(self, _: str) -> Iterator[Event]:
        yield from self._take_back(2, "remove")

    def _take_back(self, plies: int, command: str) -> Iterator[Event]:
        if self.board.position.plies < plies:
            raise ProtocolError(f"Error (no move to take back): {command}")
        yield from self._abort()
        self.board.take_back(plies)
        yield from self._reconsider()

    # -- The engine's side -------------------------------------------------------------------------

    def do_force(self, _: str) -> Iterator[Event]:
        yield from self._abort()
        self.is_analyzing = False
        self.side = None

    def do_go(self, _: str) -> Iterator[Event]:
        if self.mode == "move":
            return  # the engine already searches its move
        yield from self._abort()
        self.is_analyzing = False
        self.side = self.board.position.player()
        moves = tuple(self.board.position.legal_moves())
        if not self.board.is_legal:
            return
        if moves:
            # Also after a draw by rule, because python-chess continues such games.
            yield self._search_move(moves)
        else:
            yield Send(_result(self.board.position))

    def do_playother(self, _: str) -> Iterator[Event]:
        yield from self._abort()
        self.is_analyzing = False
        self.side = 1 - self.board.position.player()

    def do_result(self, _: str) -> Iterator[Event]:
        yield from self.do_force("")

    def do_draw(self, _: str) -> Iterator[Event]:
        """Accept the opponent's offer of a draw if the last info would, else decide with the engine's next move."""
        self.is_draw_offered = True
        if self.side is not None and self.last is not None and self.last.takes_draw:
            self.is_draw_offered = False
            yield Send("offer draw")

    def do_hard(self, _: str) -> Iterator[Event]:
        self.is_pondering = True
        yield from ()

    def do_easy(self, _: str) -> Iterator[Event]:
        self.is_pondering = False
        if self.mode == "ponder":
            yield from self._abort()

    # -- Analysis ----------------------------------------------------------------------------------

    def do_analyze(self, _: str) -> Iterator[Event]:
        self.is_analyzing = True
        self.side = None
        yield from self._consider()

    def do_exit(self, _: str) -> Iterator[Event]:
        if self.is_analyzing:
            yield from self._abort()
            self.is_analyzing = False
            self.last = None
            self.board.excluded.clear()  # python-chess sends the excluded moves again for each analysis

    def _status(self) -> Iterator[Event]:
        """Answer `.` during analysis: centiseconds, nodes, depth, moves left (always 0), all moves, the best move."""
        if self.is_analyzing and (info := self.last) is not None:
            moves = len(self.board.position.legal_moves())
            figures = f"{int(info.seconds * 100)} {info.nodes} {info.depth} 0 {moves}"
            yield Send(f"stat01: {figures} {self.board.move_text(info.action)}")

    def do_exclude(self, text: str) -> Iterator[Event]:
        self.board.excluded |= self.board.parse_moves(text, "exclude")
        yield from self._reconsider()

    def do_include(self, text: str) -> Iterator[Event]:
        self.board.excluded -= self.board.parse_moves(text, "include")
        yield from self._reconsider()

    def do_hint(self, _: str) -> Iterator[Event]:
        expected = self.last.action if self.is_analyzing and self.last else self.board.expected
        if expected is not None:
            yield Send(f"Hint: {self.board.move_text(expected)}")
        elif self.mode == "idle" and self.board.is_legal and not self.board.position.is_terminal():
            yield self._begin("hint", self.board.position, Limit(nodes=HINT_NODES))

    # -- Everything else ---------------------------------------------------------------------------

    def do_protover(self, _: str) -> Iterator[Event]:
        """Send the features, first done=0, after which the GUI waits for an hour instead of two seconds."""
        yield Send("feature done=0")
        yield Send(f"feature {FEATURES}")
        yield Send(f'feature myname="{self.name}"')
        for option in self.options:
            if option.name != "Hash":  # the command `memory` sets Hash
                yield Send(f'feature option="{_option_text(option)}"')
        yield Send("feature done=1")

    def do_variant(self, name: str) -> Iterator[Event]:
        if name not in ("normal", FISCHERANDOM):
            raise ProtocolError(f"Error (unsupported variant): variant {name[:40]}")
        self.board.set_variant(name)
        yield from ()

    def do_ping(self, number: str) -> Iterator[Event]:
        """Send the pong. It must follow all answers to commands before the ping, so it waits for the engine's move."""
        yield Send(f"pong {' '.join(number.split())[:20]}")  # the answer is one line, whatever was sent

    def do_post(self, _: str) -> Iterator[Event]:
        self.is_posting = True
        yield from ()

    def do_nopost(self, _: str) -> Iterator[Event]:
        self.is_posting = False
        yield from ()

    def do_memory(self, megabytes: str) -> Iterator[Event]:
        """Set the option Hash to `megabytes`, or to the nearest size allowed: a GUI sends one size to all engines."""
        option = self._option("Hash")
        if option is None or not (megabytes.isascii() and megabytes.isdigit()):
            raise ProtocolError(f"Error (memory needs a number of megabytes): memory {megabytes[:20]}")
        yield from self._configure(option, str(min(max(int(megabytes[:9]), option.minimum), option.maximum)))

    def do_option(self, text: str) -> Iterator[Event]:
        name, _, value = text.partition("=")
        line = f"option {text}"[:80]
        option = self._option(name.strip())
        if option is None:
            raise ProtocolError(f"Error (unknown option): {line}")
        try:
            checked = option.checked(value.strip())
        except ValueError as error:
            raise ProtocolError(f"Error ({error}): {line}") from error
        yield from self._configure(option, checked)

    def _configure(self, option: Option, value: str) -> Iterator[Event]:
        """Set an option; an analysis or a ponder search restarts with the new value."""
        search = self.search if self.mode in ("analyze", "ponder") else None
        if search is not None:
            yield AbortSearch()
        yield Configure(option.name, value)
        if search is not None:
            yield search

    def do_quit(self, _: str) -> Iterator[Event]:
        yield Quit()

    def _ignore(self, _: str) -> Iterator[Event]:
        """Accept a command that has no effect here. An Error as the answer would make python-chess give up."""
        yield from ()

    do_xboard = do_accepted = do_rejected = do_random = do_computer = do_name = _ignore
    do_rating = do_ics = do_cores = do_egtpath = do_bk = do_white = do_black = _ignore

    # -- The search --------------------------------------------------------------------------------

    def _consider(self) -> Iterator[Event]:
        """End the search after a change of the board; start an analysis, or the engine's move if that is next."""
        yield from self._abort()
        position = self.board.position
        if not self.board.is_legal:
            return
        if self.is_analyzing:
            self.last = None
            actions = tuple(move for move in position.legal_moves() if move not in self.board.excluded)
            if actions:
                yield self._begin("analyze", position, Limit(actions=actions))
        elif self.side == position.player():
            if position.is_terminal():
                yield Send(_result(position))
            else:
                yield self._search_move()

    def _reconsider(self) -> Iterator[Event]:
        """Restart the analysis, if one is running, after a change that does not start the engine's move."""
        if self.is_analyzing:
            yield from self._consider()

    def _search_move(self, actions: tuple[int, ...] = ()) -> StartSearch:
        limit = replace(self.control.limit(self._moves_made()), actions=actions)
        return self._begin("move", self.board.position, limit)

    def _begin(self, mode: Mode, position: Position, limit: Limit) -> StartSearch:
        self.mode = mode
        self.has_hinted = False
        self.search = StartSearch(position.clone(), limit)
        return self.search

    def _play(self, info: Info) -> Iterator[Event]:
        """Send and make the engine's move, with a draw offer or result if there is one; or send a resignation.

        A ponder search is started if pondering is on and the engine expects a reply.
        """
        if self.is_posting and info.cents is not None and not info.depth:
            # No line has been sent, but clients expect a score with each move.
            yield Send(_thinking(info, self.board.move_text))
        self.control.moved(info.seconds, self._moves_made() + 1)
        if info.resign and not self.has_resigned:
            self.has_resigned = True
            yield Send("resign")
            return
        after = self.board.position.clone()
        after.make(info.action)
        # An offer is also the claim that the move completes a threefold repetition or fifty moves.
        if (self.is_draw_offered and info.takes_draw) or (
            after.is_draw() and not after.is_insufficient_material()
        ):
            yield Send("offer draw")
        self.is_draw_offered = False
        yield Send(f"move {self.board.move_text(info.action)}")
        self.board.make(info.action)
        if after.is_terminal():
            yield Send(_result(after))
        elif len(info.line) > 1:
            self.board.expected = info.line[1]
            after.make(info.line[1])
            if self.is_pondering and not after.is_terminal():
                yield self._begin("ponder", after, Limit())

    def _abort(self) -> Iterator[Event]:
        """End the search without its move, and obey the lines that waited for it."""
        if self.mode != "idle":
            self.mode = "idle"
            yield AbortSearch()
            yield from self._resume()

    def _moves_made(self) -> int:
        """Return how many moves the engine has made since the position was set up; in force mode, the side to move."""
        position = self.board.position
        return (position.plies + (self.side not in (None, position.player()))) // 2


def variant_move_text(move: int, is_chess960: bool) -> str:
    """Return a move in coordinates, or a castling move of fischerandom as O-O or O-O-O.

    In fischerandom O-O is needed, because the coordinates of castling may also be those of another move of the king.
    """
    if is_chess960 and move >> 12 == CASTLING:
        return SHORT if move >> 6 & 63 > move & 63 else LONG
    return move_text(move)


class Board:
    """A position with its excluded moves and the expected move; any change of the position clears both."""

    def __init__(self) -> None:
        self.position = position_from_fen(START)
        self.is_chess960 = False
        self.is_legal = True  # False after an invalid position, until a valid one is set up
        self.excluded: set[int] = set()  # moves that an analysis must not consider
        self.expected: int | None = None  # the move that the engine expects here

    def set_up(self, fen: str) -> None:
        """Set the position of a FEN. Raises ProtocolError if the FEN is invalid."""
        try:
            self.position = position_from_fen(fen, self.is_chess960)
        except ValueError as error:
            self.is_legal = False
            raise ProtocolError(f"tellusererror Illegal position: {error}") from error
        self.is_legal = True
        self._changed()

    def set_variant(self, name: str) -> None:
        """Set the variant until the next game; in fischerandom castling is written O-O and O-O-O."""
        self.is_chess960 = name == FISCHERANDOM
        if self.is_chess960:
            self.position.as_chess960()

    def make(self, move: int) -> None:
        self.position.make(move)
        self._changed()

    def take_back(self, plies: int) -> None:
        """Take back `plies` moves that were made since the position was set up."""
        for _ in range(plies):
            self.position.undo()
        self._changed()

    def move_text(self, move: int) -> str:
        """Return a move as the variant of this game writes it (see variant_move_text)."""
        return variant_move_text(move, self.is_chess960)

    def parse_move(self, text: str, complaint: str) -> int:
        """Return the legal move that coordinates, O-O or O-O-O name.

        Raises a ProtocolError whose text begins with `complaint` if there is no such move.
        """
        castling = text.upper().replace("0", "O")
        if castling in (SHORT, LONG):
            for move in self.position.legal_moves():
                if move >> 12 == CASTLING and (move >> 6 & 63 > move & 63) == (castling == SHORT):
                    return move
        try:
            return self.position.parse_uci(text.lower())
        except ValueError:
            raise ProtocolError(f"{complaint} {text[:20]}") from None

    def parse_moves(self, text: str, command: str) -> set[int]:
        """Return the moves that `exclude` and `include` name: one move, or all legal moves for `all`."""
        if text == "all":
            return set(self.position.legal_moves())
        return {self.parse_move(text, f"Error (illegal move): {command}")}

    def _changed(self) -> None:
        self.excluded.clear()
        self.expected = None


class BoardEditor:
    """The board in edit mode, which GUIs without setboard use.

    `#` clears the board, `c` changes the colour, `Pa4` puts a piece, `xa4` takes one away.
    """

    def __init__(self, position: Position) -> None:
        board = position.board
        self.squares = [
            "" if (piece := board[MAILBOX + square]) == EMPTY else PIECES[piece] for square in range(64)
        ]
        self.turn = "b" if position.player() else "w"
        self.is_black = False

    def edit(self, line: str) -> None:
        """Obey one line. Raises ProtocolError if the line is no command of edit mode."""
        match = PLACEMENT.fullmatch(line)
        if match is not None:
            square = "abcdefgh".index(match[2]) + 8 * (int(match[3]) - 1)
            piece = match[1].lower() if self.is_black else match[1]
            self.squares[square] = "" if match[1] == "x" else piece
        elif line == "#":
            self.squares = [""] * 64
        elif line == "c":
            self.is_black = not self.is_black
        elif line:
            raise ProtocolError(f"Error (unknown command in edit mode): {line[:40]}")

    def fen(self) -> str:
        """Return the FEN of the board so far; kings and rooks on their home squares may castle."""
        rows = [
            "".join(piece or "1" for piece in self.squares[rank * 8 : rank * 8 + 8])
            for rank in range(7, -1, -1)
        ]
        homes = (("K", 4, 7), ("Q", 4, 0), ("k", 60, 63), ("q", 60, 56))
        rights = "".join(
            right
            for right, king, rook in homes
            if self.squares[king] == ("K" if right.isupper() else "k")
            and self.squares[rook] == ("R" if right.isupper() else "r")
        )
        return f"{'/'.join(rows)} {self.turn} {rights or '-'} - 0 1"


class TimeControl:
    """The engine's time control: its clock, in seconds, and the settings of level, st, sd, nps and time.

    `otim`, the opponent's clock, is accepted but not used.
    """

    def __init__(self) -> None:
        self.moves = 0  # moves in a period; 0: the whole game is one period
        self.first_move = 0  # the number of the engine's moves when the first period began
        self.base = 300.0  # seconds at the start
        self.increment = 0.0
        self.seconds: float | None = None  # for each move, as set by `st`; None: by the clock
        self.depth: int | None = None
        self.rate: float | None = None  # nodes that count as a second, as set by `nps`; None: the wall clock
        self.is_rate_new = False  # whether `nps` came after the last move, `st` and `level`
        self.clock = self.base

    def new_game(self) -> None:
        self.depth = None
        self.clock = self.base
        self.first_move = 0

    def obey(self, command: str, argument: str, moves_made: int) -> None:
        """Obey one of TIME_COMMANDS after `moves_made` moves of the engine. Raises ProtocolError if it is faulty."""
        if command == "level":
            self._level(argument, moves_made)
            return
        if len(argument) > 40 or NUMBER.fullmatch(argument) is None:
            raise ProtocolError(f"Error ({command} needs a number): {command} {argument[:20]}")
        number = min(max(float(argument), -MAX_NUMBER), MAX_NUMBER)
        if command == "st":
            self.seconds = max(number, 0.0)
            self._forget_old_rate()
        elif command == "sd":
            self.depth = max(int(number), 1)
        elif command == "nps":  # 0 and below restore the wall clock
            self.rate = number if number > 0 else None
            self.is_rate_new = True
        elif command == "time":
            self.clock = number / 100

    def moved(self, seconds: float, moves_made: int) -> None:
        """Charge a move of the engine, its `moves_made`th, to its clock, for GUIs that do not send `time`.

        The increment is added, and after the last move of a period the time of the next period.
        """
        self.clock += self.increment - seconds
        if self.moves and (moves_made - self.first_move) % self.moves == 0:
            self.clock += self.base

    def limit(self, moves_made: int) -> Limit:
        """Return the limit for the engine's next move, when the engine has made `moves_made` moves."""
        self.is_rate_new = False
        if self.seconds is not None:
            return Limit(seconds=self.seconds, depth=self.depth, nodes_per_second=self.rate)
        left = self.moves - (moves_made - self.first_move) % self.moves if self.moves else None
        clock = Clock(seconds=self.clock, increment=self.increment, moves_to_reset=left)
        return Limit(clock=clock, depth=self.depth, nodes_per_second=self.rate)

    def _level(self, text: str, moves_made: int) -> None:
        match = LEVEL.fullmatch(text)
        if match is None or NUMBER.fullmatch(match[4]) is None:
            raise ProtocolError(f"Error (level needs: moves minutes[:seconds] increment): level {text[:40]}")
        self.moves = int(match[1])
        self.first_move = moves_made
        self.base = self.clock = int(match[2]) * 60.0 + int(match[3] or 0)
        self.increment = min(max(float(match[4]), 0.0), MAX_NUMBER)
        self.seconds = None
        self._forget_old_rate()

    def _forget_old_rate(self) -> None:
        """Drop the rate of `nps`, unless `nps` came after the last move, `st` and `level`.

        python-chess sends `nps 1` and `st N` for N nodes, and later a plain `st` in seconds; other GUIs send nps
        after st or level. So a rate applies to the next st, and not to later ones.
        """
        if not self.is_rate_new:
            self.rate = None
        self.is_rate_new = False


def _thinking(info: Info, text: Callable[[int], str]) -> str:
    """Return the line of thinking output for an info: depth, cents, centiseconds, nodes, a tab, the expected moves."""
    score = info.cents or 0
    if info.mate is not None:
        score = info.mate + (MATE if info.mate > 0 else -MATE)
    line = " ".join(map(text, info.line or (info.action,)))
    return f"{info.depth} {score} {int(info.seconds * 100)} {info.nodes}\t{line}"


def _result(position: Position) -> str:
    """Return the result line of a game that has ended on the board."""
    white, _ = position.returns()
    if white > 0:
        return "1-0 {White mates}"
    if white < 0:
        return "0-1 {Black mates}"
    if position.is_insufficient_material():
        return "1/2-1/2 {Insufficient material}"
    if position.is_stalemate():
        return "1/2-1/2 {Stalemate}"
    if position.repetitions(2) >= 2:
        return "1/2-1/2 {Draw by repetition}"
    return "1/2-1/2 {Draw by fifty-move rule}"


def _option_text(option: Option) -> str:
    """Return an option in the form of the feature `option`."""
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
