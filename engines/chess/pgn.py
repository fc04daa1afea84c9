"""Chess as people write it: moves in standard algebraic notation, games as PGN, files of openings.

All of it is python-chess's work. Its import takes longer than an engine may take to start, so no
other module of the house imports it.
"""

from io import StringIO
from pathlib import Path
from typing import Final

import chess
import chess.pgn

from core.chess.notation import fen, position_from_fen
from core.chess.position import Position
from engines.engine import Info
from engines.match import Ending, Result
from engines.time_control import TimeControl

SIDES: Final = ("White", "Black")

# The values of PGN's tag Termination (PGN standard, section 9.8.1); a normal end goes without the tag.
TERMINATIONS: Final = {
    Ending.TIME: "time forfeit",
    Ending.ILLEGAL_ACTION: "rules infraction",
    Ending.CRASH: "abandoned",
    Ending.STALL: "abandoned",
    Ending.ADJUDICATION: "adjudication",
}


def san(position: Position, move: int) -> str:
    """A legal move in standard algebraic notation. ValueError if it is not legal."""
    if move not in position.legal_moves():
        raise ValueError(f"illegal move: {position.action_text(move)}")
    return chess.Board(fen(position)).san(chess.Move.from_uci(position.action_text(move)))


def parse_move(position: Position, text: str) -> int:
    """The legal move that a person means by `text`: e4, Nbd7, exd8=Q+, O-O, or coordinates e2e4, e7e8q.

    ValueError says whether it is no move at all, illegal, or ambiguous.
    """
    text = text.strip()
    try:
        move = chess.Board(fen(position)).parse_san(text)
    except chess.AmbiguousMoveError:
        raise ValueError(f"ambiguous move: {text[:20]!r}; say which piece") from None
    except chess.IllegalMoveError:
        raise ValueError(f"illegal move: {text[:20]!r}") from None
    except chess.InvalidMoveError:
        raise ValueError(f"not a move: {text[:20]!r}; write e4, Nf3, O-O or e2e4") from None
    if not move:
        raise ValueError(f"illegal move: {text[:20]!r}; one may not pass")
    return position.parse_uci(move.uci())


# -- Openings --------------------------------------------------------------------------------------


OPENINGS: Final = Path(__file__).with_name("openings.epd")  # that come with the program


def read_openings(path: Path) -> list[Position]:
    """The positions that a file of FEN or EPD lines names, or those at the ends of a PGN file's games.

    Blank lines and lines that begin with # are skipped. ValueError names the file, the line or game,
    and what is wrong with it.
    """
    text = path.read_text(encoding="utf-8", errors="replace")
    is_pgn = path.suffix.lower() == ".pgn" or text.lstrip().startswith("[")
    openings = _openings_from_pgn(path.name, text) if is_pgn else _openings_from_lines(path.name, text)
    if not openings:
        raise ValueError(f"{path.name}: no openings in it")
    return openings


def _openings_from_lines(name: str, text: str) -> list[Position]:
    openings = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        fields = line.split()
        has_counters = len(fields) >= 6 and fields[4].isdecimal() and fields[5].isdecimal()
        try:
            position = position_from_fen(" ".join(fields[: 6 if has_counters else 4]))
            openings.append(_playable(position))
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
    return openings


def _openings_from_pgn(name: str, text: str) -> list[Position]:
    openings: list[Position] = []
    stream = StringIO(text)
    try:
        while game := chess.pgn.read_game(stream, Visitor=_StrictReader):
            position = position_from_fen(game.board().fen())
            for move in game.mainline_moves():
                position.make(position.parse_uci(move.uci()))
            openings.append(_playable(position))
    except ValueError as error:
        raise ValueError(f"{name}, game {len(openings) + 1}: {error}") from None
    return openings


def _playable(position: Position) -> Position:
    if position.is_terminal():
        raise ValueError("the game is over in this opening")
    return position


class _StrictReader(chess.pgn.GameBuilder[chess.pgn.Game]):
    """python-chess logs what it cannot read and goes on with less; an opening is whole or an error."""

    def handle_error(self, error: Exception) -> None:
        raise ValueError(str(error)) from None


# -- Games as PGN ----------------------------------------------------------------------------------


def game_text(
    result: Result,
    start: Position,
    white: str,
    black: str,
    control: TimeControl,
    *,
    event: str = "?",
    date: str = "????.??.??",
    round_text: str = "-",
) -> str:
    """The game as PGN, each engine's move with its comment `{+0.25/9 0.31s}`: pawns from its own view,
    depth, time; `{-M3/12 0.31s}` where it sees itself mated in 3. The last comment says how it ended.

    The moves that led to `start` are the opening's, and go without comments.
    """
    position = position_from_fen(start.start)
    game = chess.pgn.Game()
    game.setup(chess.Board(start.start))
    node: chess.pgn.GameNode = game
    for move in start.moves():
        node = node.add_variation(chess.Move.from_uci(position.action_text(move)))
        position.make(move)
    for turn in result.history:
        move_made = chess.Move.from_uci(position.action_text(turn.action))
        node = node.add_variation(move_made, comment=_remark(turn.thought, turn.seconds))
        position.make(turn.action)
    ending = _ending_text(result, position)
    node.comment = f"{node.comment}, {ending}" if node.comment else ending
    tags = {
        "Event": event,
        "Date": date,
        "Round": round_text,
        "White": white,
        "Black": black,
        "Result": _score_text(result),
        "TimeControl": _control_text(control),
        "PlyCount": str(position.plies),
        "Termination": TERMINATIONS.get(result.ending, ""),
    }
    for tag, value in tags.items():
        if value:
            game.headers[tag] = _tag_value(value)
    return str(game.accept(_Writer(columns=80))) + "\n\n"


class _Writer(chess.pgn.StringExporter):
    """Writes comments as cutechess does, {+0.25/9 0.31s}, which the tools for its games read."""

    def visit_comment(self, comment: str) -> None:
        self.write_token("{" + comment.replace("{", "(").replace("}", ")") + "} ")
        self.force_movenumber = True


def _remark(thought: Info, seconds: float) -> str:
    score = ""
    if thought.mate is not None:
        score = f"{'-' if thought.mate < 0 else '+'}M{abs(thought.mate)}/{thought.depth} "
    elif thought.cents is not None:
        score = f"{thought.cents / 100:+.2f}/{thought.depth} "
    return f"{score}{seconds:.2f}s"


def _score_text(result: Result) -> str:
    white, black = result.returns
    return "1-0" if white > black else "0-1" if white < black else "1/2-1/2"


def _control_text(control: TimeControl) -> str:
    """PGN's TimeControl (section 9.6.1): 40/300, 300+2, 1/2 for 2 s a move, - for no clock."""
    if control.seconds_per_action is not None:
        return f"1/{control.seconds_per_action:g}"
    return str(control).split(",")[0] if control.seconds is not None else "-"


def _ending_text(result: Result, position: Position) -> str:
    """How the game ended, in cutechess's words."""
    if result.culprit is not None:
        side = SIDES[result.culprit]
        reason = f": {result.reason}" if result.reason else ""
        match result.ending:
            case Ending.RESIGNATION:
                return f"{side} resigns"
            case Ending.TIME if not any(result.returns):
                return f"Draw by timeout and bare material: {side} ran out of time"
            case Ending.TIME:
                return f"{side} loses on time"
            case Ending.ILLEGAL_ACTION:
                return f"{side} makes an illegal move{reason}"
            case Ending.STALL:
                return f"{side}'s connection stalls{reason}"
            case _:
                return f"{side} disconnects{reason}"
    if result.ending is Ending.ADJUDICATION:
        return "Draw by adjudication: maximum game length"
    if position.is_checkmate():
        return f"{SIDES[1 - position.player()]} mates"
    if position.is_stalemate():
        return "Draw by stalemate"
    if position.is_insufficient_material():
        return "Draw by insufficient mating material"
    return "Draw by 3-fold repetition" if position.repetitions(2) >= 2 else "Draw by fifty moves rule"


def _tag_value(text: str) -> str:
    """python-chess escapes nothing in a tag."""
    return (
        "".join(letter if letter.isprintable() else " " for letter in text)
        .replace("\\", "/")
        .replace('"', "'")
    )
