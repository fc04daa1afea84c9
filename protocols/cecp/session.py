"""The engine's side of the Chess Engine Communication Protocol, version 2: xboard and its family.

Reference: Tim Mann, H. G. Muller, "Chess Engine Communication Protocol". Where GUIs contradict it or
each other, the comments say which one is obeyed. The handlers are found by name: the command `undo`
is obeyed by `do_undo`; every command with a handler is known, every other one is an Error.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from core.chess.position import move_text
from engines.engine import Limit, Option
from protocols.cecp import clock, lines
from protocols.cecp.board import Board, BoardEditor
from protocols.cecp.game import CecpGame
from protocols.session import Event, MoveNow, NewGame, ProtocolError, Quit, Send, Think

MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?")
HINT_NODES: Final = 20_000


class CecpSession(CecpGame):
    """The commands: each has the board changed and then sees to the thinking."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        super().__init__(name, author, options)
        self.editor: BoardEditor | None = None

    def receive(self, line: str) -> Iterator[Event]:
        line = line.strip()
        if self.editor is not None and line != "quit":
            yield from self._edit_line(self.editor, line)
            return
        command, _, argument = line.partition(" ")
        argument = argument.strip()
        handler: Callable[[str], Iterator[Event]] | None = getattr(self, f"do_{command}", None)
        if handler is not None:
            yield from handler(argument)
        elif command in clock.COMMANDS:
            self.control.obey(command, argument, self._moves_made())
        elif command == ".":
            yield from self._status()
        elif command == "?":
            yield from self._move_now()
        elif MOVE.fullmatch(command):
            yield from self._bare_move(command)
        elif command:
            raise ProtocolError(f"Error (unknown command): {line[:80]}")

    # -- The board ---------------------------------------------------------------------------------

    def do_new(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.board = Board()
        self.control.new_game()
        self.side = None if self.analyzing else 1
        self.last = None
        self.draw_offered = False
        self.resigned = False
        yield NewGame()
        yield from self._consider()

    def do_setboard(self, fen: str) -> Iterator[Event]:
        yield from self._halt()
        self.board.set_up(fen)
        self.control.new_position()
        self.last = None
        if self.analyzing:
            yield from self._consider()

    def do_edit(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.editor = BoardEditor(self.board.position)

    def _edit_line(self, editor: BoardEditor, line: str) -> Iterator[Event]:
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
        move = self.board.move_from(text, "Illegal move:")
        yield from self._halt()
        self.board.make(move)
        yield from self._consider()

    def _bare_move(self, text: str) -> Iterator[Event]:
        """A move without `usermove`, as people type it; cutechess sends one before Black's setboard.

        It must never be answered by a line that begins with Illegal: cutechess takes that for a claim.
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
        yield from self._halt()
        if not self.board.take_back(plies):
            raise ProtocolError(f"Error (no move to take back): {command}")
        if self.analyzing:
            yield from self._consider()

    # -- Who plays ---------------------------------------------------------------------------------

    def do_force(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.analyzing = False
        self.side = None

    def do_go(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.analyzing = False
        self.side = self.board.position.player()
        moves = tuple(self.board.position.legal_moves())
        if not self.board.is_legal:
            return
        if moves:
            yield self._our_move(moves)  # also after a draw that nobody has claimed: python-chess plays on
        else:
            yield Send(lines.result(self.board.position))

    def do_playother(self, _: str) -> Iterator[Event]:
        yield from self._halt()
        self.analyzing = False
        self.side = 1 - self.board.position.player()

    def _move_now(self) -> Iterator[Event]:
        if self.mode == "move":
            yield MoveNow()

    def do_result(self, _: str) -> Iterator[Event]:
        yield from self.do_force("")

    def do_draw(self, _: str) -> Iterator[Event]:
        """The opponent offers a draw: we take it if the engine would, at the latest with our next move."""
        self.draw_offered = True
        if self.side is not None and self.last is not None and self.last.takes_draw:
            self.draw_offered = False
            yield Send("offer draw")

    def do_hard(self, _: str) -> Iterator[Event]:
        self.pondering = True
        yield from ()

    def do_easy(self, _: str) -> Iterator[Event]:
        self.pondering = False
        if self.mode == "ponder":
            yield from self._halt()

    # -- Analysis ----------------------------------------------------------------------------------

    def do_analyze(self, _: str) -> Iterator[Event]:
        self.analyzing = True
        self.side = None
        yield from self._consider()

    def do_exit(self, _: str) -> Iterator[Event]:
        if self.analyzing:
            yield from self._halt()
            self.analyzing = False
            self.last = None
            self.board.excluded.clear()  # python-chess excludes anew for each analysis

    def _status(self) -> Iterator[Event]:
        if self.analyzing and self.last is not None:
            yield Send(lines.status(self.last, self.board.position))

    def do_exclude(self, text: str) -> Iterator[Event]:
        self.board.exclude(text)
        if self.analyzing:
            yield from self._consider()

    def do_include(self, text: str) -> Iterator[Event]:
        self.board.include(text)
        if self.analyzing:
            yield from self._consider()

    def do_hint(self, _: str) -> Iterator[Event]:
        expected = self.last.action if self.analyzing and self.last else self.board.expected
        if expected is not None:
            yield Send(f"Hint: {move_text(expected)}")
        elif self.mode == "idle" and self.board.is_legal and not self.board.position.is_terminal():
            self.mode = "hint"
            yield Think(self.board.position.clone(), Limit(nodes=HINT_NODES))

    # -- Everything else ---------------------------------------------------------------------------

    def do_protover(self, _: str) -> Iterator[Event]:
        for line in lines.features(self.name, self.options):
            yield Send(line)

    def do_variant(self, name: str) -> Iterator[Event]:
        if name != "normal":
            raise ProtocolError(f"Error (unsupported variant): variant {name[:40]}")
        yield from ()

    def do_ping(self, number: str) -> Iterator[Event]:
        """The pong follows all that came before, and so waits for a move that is being thought out."""
        self.pongs.append(number[:20])
        if self.mode not in ("move", "hint"):
            yield from self._flush_pongs()

    def do_post(self, _: str) -> Iterator[Event]:
        self.posting = True
        yield from ()

    def do_nopost(self, _: str) -> Iterator[Event]:
        self.posting = False
        yield from ()

    def do_memory(self, megabytes: str) -> Iterator[Event]:
        yield lines.memory(self.options, megabytes)

    def do_option(self, text: str) -> Iterator[Event]:
        name, _, value = text.partition("=")
        yield lines.setting(self.options, name.strip(), value.strip(), f"option {text}")

    def do_quit(self, _: str) -> Iterator[Event]:
        yield Quit()

    def _of_no_consequence(self, _: str) -> Iterator[Event]:
        """Every GUI may send these; an Error would make python-chess give up."""
        yield from ()

    do_xboard = do_accepted = do_rejected = do_random = do_computer = do_name = _of_no_consequence
    do_rating = do_ics = do_cores = do_egtpath = do_bk = do_white = do_black = _of_no_consequence
