"""Chess as people write it: typed moves, and openings from FEN, EPD or PGN files.

Moves are read by python-chess, whose import takes longer than an engine may take to start; core.chess.notation and
engines.chess.game_record write the moves and games of this program. The games of a PGN file of openings are split
here, because python-chess silently ignores text that it does not understand: it reads `2. Sf3` as `2. f3`, and a game
without an empty line after it absorbs the next one. An opening is read completely, or an error names its file, line,
game and move. Comments, variations, annotations and `%` lines are left out; figurines are read.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess

from core.chess.movegen import FULLMOVES, HALFMOVES
from core.chess.notation import FILES, START, fen, position_from_fen, split_epd
from core.chess.position import FIFTY_MOVES, Position

LOG: Final = logging.getLogger(__name__)
OPENINGS: Final = Path(__file__).with_name("openings.epd")  # the bundled openings
CASTLING: Final = re.compile(r"[oO0]-[oO0](-[oO0])?([+#]?)")
FIGURINES: Final = str.maketrans(
    "\u2654\u2655\u2656\u2657\u2658\u265a\u265b\u265c\u265d\u265e", "KQRBNKQRBN", "\u2659\u265f\ufe0e"
)
CHESS960_NAMES: Final = ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "frc")
STANDARD_NAMES: Final = ("", "?", "standard", "normal", "chess", "from position")


def parse_move(position: Position, text: str) -> int:
    """Return the legal move of a text such as e4, Nbd7, exd8=Q+ or O-O, or of coordinates such as e2e4, e7e8q.

    Raises ValueError, which says whether the text is no move at all, illegal, or ambiguous.
    """
    text = text.strip()
    if castling := CASTLING.fullmatch(text):
        text = ("O-O-O" if castling[1] else "O-O") + castling[2]
    try:
        move = chess.Board(fen(position), chess960=position.is_chess960()).parse_san(text)
    except chess.AmbiguousMoveError:
        raise ValueError(f"ambiguous move: {text[:20]!r}; say which piece") from None
    except chess.IllegalMoveError:
        raise ValueError(f"illegal move: {text[:20]!r}") from None
    except chess.InvalidMoveError:
        raise ValueError(f"not a move: {text[:20]!r}; write e4, Nf3, O-O or e2e4") from None
    if not move:
        raise ValueError(f"illegal move: {text[:20]!r}; passing is not allowed")
    return position.parse_uci(move.uci())


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file."""
    return decoded_lines(path.read_bytes())


def decoded_lines(data: bytes) -> list[str]:
    """Return the lines of a text in UTF-8, in UTF-16 with a byte order mark, or else in Latin-1."""
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def read_epd(path: Path) -> Iterator[tuple[int, Position, str]]:
    """Yield the number, position and operations of each line of FEN or EPD, except for blank lines and comments.

    Impossible parts of a position, such as castling rights without a rook, are dropped and logged as warnings. Raises
    ValueError, with file and line, for a line that is no position.
    """
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip() or line.lstrip().startswith(("#", ";", "%", "//")):
            continue
        text, operations = split_epd(line)
        try:
            position = position_from_fen(text)
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None
        for note in position.notes:
            LOG.warning("%s, line %d: %s", path.name, number, note)
        yield number, position, operations


def read_openings(path: Path) -> list[Position]:
    """Return the positions of a file of FEN or EPD lines, or those at the ends of a PGN file's games.

    Raises ValueError with the file, the line, in PGN the game and the move, and the fault.
    """
    first = next((line for line in read_lines(path) if line.strip()), "")
    is_pgn = path.suffix.lower() == ".pgn" or first.lstrip().startswith("[")
    openings = [*_openings_from_pgn(path)] if is_pgn else [*_openings_from_epd(path)]
    if not openings:
        raise ValueError(f"{path.name} has no openings")
    return openings


def _openings_from_epd(path: Path) -> Iterator[Position]:
    for number, position, _ in read_epd(path):
        place, clock = f"{path.name}, line {number}", position.board[HALFMOVES]
        if position.outcome() == FIFTY_MOVES:  # the clock ran past 100 because no player claimed the draw
            LOG.warning("%s: half-move clock %d set to 0, because it would end the game", place, clock)
            position.board[HALFMOVES] = 0
            position.start = fen(position)
        yield _playable(position, place)


def _playable(position: Position, place: str) -> Position:
    if position.is_terminal():
        raise ValueError(f"{place}: the game has ended in this opening")
    return position


# -- PGN -------------------------------------------------------------------------------------------

# A tag pair; sloppy writers leave quotation marks in its value as they are.
TAG: Final = re.compile(r'\[\s*(\w+)\s+"([^"\\]*(?:\\.[^"\\]*)*)"\s*\]\s*')
SLOPPY_TAG: Final = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]\s*')
# Comments end at a brace or with the line. All other tokens contain no white space.
TOKEN: Final = re.compile(r"\{[^}]*\}?|;[^\n]*|[()}]|\$\d*|[^\s(){};$]+")
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "1/2", "\u00bd-\u00bd", "*")
RESULT_OF: Final = {1.0: "1-0", -1.0: "0-1", 0.0: "1/2-1/2"}  # by the return of White
NUMBER: Final = re.compile(r"(\d{1,5})(?:\.+|\u2026|$)")  # before a move, or glued to it
# Standard algebraic notation with usual additions: both squares, marks of check, and annotations such as !?.
MOVE: Final = re.compile(
    r"([a-h]?[1-8]?[-x:]?[a-h][1-8](?:[=/]?\(?[NBRQnbrq]\)?)?|[NBRQK][a-h]?[1-8]?[-x:]?[a-h][1-8]|[oO0]-[oO0](?:-[oO0])?)"
    r"(?:\+\+?|#|\u2020|\u2021)?(?:e\.?p\.?)?[!?\u203c\u2047\u2048\u2049]*"
)
EN_PASSANT_MARKS: Final = ("e.p.", "e.p", "ep", "ep.")
PASSES: Final = ("--", "Z0", "@@@@")


@dataclass(slots=True, kw_only=True)
class PgnGame:
    """A game of a PGN file, up to the last move that was read."""

    tags: dict[str, str]  # by names in small letters
    board: chess.Board
    position: Position
    offset: int | None  # the file's move numbers less those of the position; None: not known yet


def read_games(lines: list[str], name: str) -> Iterator[tuple[str, PgnGame]]:
    """Yield the place of each game, in words, and the game, which ends with a result, the next tag, or the file.

    Raises ValueError with the place of text that cannot be read. `lines` are changed.
    """
    number = at = 0
    while True:
        while at < len(lines) and (not lines[at].strip() or lines[at].startswith("%")):
            at += 1
        if at == len(lines):
            return
        number += 1
        place = f"{name}, game {number}"
        tags: dict[str, str] = {}
        begun = at
        while at < len(lines) and (not lines[at].strip() or lines[at].lstrip().startswith(("[", "%"))):
            if lines[at].lstrip().startswith("["):
                _read_tags(lines[at].strip(), tags, f"{place}, line {at + 1}")
            at += 1
        game = _new_game(tags, f"{place}, line {begun + 1}")
        for note in game.position.notes:
            LOG.warning("%s, line %d: %s", place, begun + 1, note)
        at = _read_moves(lines, at, game, place)
        if tags or game.position.plies:  # else it is a comment after the last result
            yield place, game


def check_games(lines: list[str], name: str) -> tuple[int, int]:
    """Return the numbers of games and of moves in a PGN file.

    Raises ValueError for text that cannot be read, and for the first game whose result contradicts its last position.
    """
    games = moves = 0
    for place, game in read_games(lines, name):
        games, moves = games + 1, moves + int(game.position.plies)
        result = game.tags.get("result", "*")
        if game.position.is_terminal() and result != (ours := RESULT_OF[game.position.returns()[0]]):
            raise ValueError(f"{place}: the recorded result is {result}, but the last position is {ours}")
    return games, moves


def _openings_from_pgn(path: Path) -> Iterator[Position]:
    """Yield the position after each game."""
    for place, game in read_games(read_lines(path), path.name):
        yield _playable(game.position, place)


def _read_tags(line: str, tags: dict[str, str], place: str) -> None:
    """Add the tag pairs of a line to `tags`; a line may have several."""
    found, end = {}, 0
    while end < len(line) and (match := TAG.match(line, end)):
        found[match[1].lower()] = match[2]
        end = match.end()
    if end < len(line):
        sloppy = SLOPPY_TAG.fullmatch(line)
        if sloppy is None:
            raise ValueError(f'{place}: a tag must be written [Name "value"], not {line[:60]!r}')
        found = {sloppy[1].lower(): sloppy[2]}
    if twice := found.keys() & tags.keys() & {"event", "white", "black", "fen", "variant"}:
        raise ValueError(f"{place}: the tag {min(twice)} is there twice; has a game no moves?")
    tags |= found


def _new_game(tags: dict[str, str], place: str) -> PgnGame:
    """Return a game at its starting position, which the tag FEN sets if it exists."""
    variant = tags.get("variant", "").lower()
    if variant not in (*CHESS960_NAMES, *STANDARD_NAMES):
        raise ValueError(f"{place}: {tags['variant'][:40]!r} is not a variant that is supported; Chess960 is")
    is_chess960 = True if variant in CHESS960_NAMES else None
    try:
        position = position_from_fen(tags.get("fen") or START, is_chess960)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    board = chess.Board(position.start, chess960=position.is_chess960())
    return PgnGame(tags=tags, board=board, position=position, offset=None if "fen" in tags else 0)


def _read_moves(lines: list[str], at: int, game: PgnGame, place: str) -> int:
    """Play the moves from line index `at` on; return the index of the line at which the next game may start."""
    depth = 0  # of nested variations
    comment = 0  # the number of the line on which an open comment started; 0: none is open
    while at < len(lines):
        line = lines[at]
        if not comment and line.startswith("%"):
            at += 1
            continue
        if not comment and line.startswith("[") and TAG.match(line):
            break
        column = 0
        if comment:
            end = line.find("}")
            if end < 0:
                at += 1
                continue
            column, comment = end + 1, 0
        for match in TOKEN.finditer(line, column):
            token, here = match[0], f"{place}, line {at + 1}"
            if token == "}":
                raise ValueError(f"{here}: a comment ends that has not started")
            if token.startswith("{"):
                comment = 0 if token.endswith("}") else at + 1
            elif token == "(":
                depth += 1
            elif token == ")":
                depth -= 1
                if depth < 0:
                    raise ValueError(f"{here}: a variation ends that has not started")
            elif depth or token[0] in ";$":
                continue
            elif token in RESULTS:
                lines[at] = line[match.end() :]
                return at
            else:
                _read_word(token, game, here)
        at += 1
    if comment or depth:
        what = f"the comment of line {comment}" if comment else "a variation"
        raise ValueError(f"{place}: {what} does not end")
    return at


def _read_word(word: str, game: PgnGame, place: str) -> None:
    """Play a move, which may be joined to its number, or check a number; ignore annotations without letters."""
    if match := NUMBER.match(word):
        _check_number(int(match[1]), game, f"{place}, {word[:20]!r}")
        word = word[match.end() :]
    word = word.translate(FIGURINES)
    if word in EN_PASSANT_MARKS or (word not in PASSES and not any(map(str.isalnum, word))):
        return
    match = MOVE.fullmatch(word)
    side = "" if game.board.turn else ".."
    here = f"{place}, move {game.position.board[FULLMOVES]}.{side} {word[:20]!r}"
    if match is None:
        raise ValueError(
            f"{here}: no move in English notation (KQRBN for the pieces, such as Nf3, exd5, O-O)"
        )
    text = match[1].replace(":", "x").replace("/", "=").replace("(", "").replace(")", "")
    if CASTLING.fullmatch(text):
        text = text.upper().replace("0", "O")
    board = game.board
    try:
        move = board.parse_san(text)
    except chess.AmbiguousMoveError:
        raise ValueError(f"{here}: ambiguous move; say which piece") from None
    except ValueError:
        raise ValueError(f"{here}: illegal move") from None
    if text[0] == "b" and text[1] in FILES and _is_bishop_move(board, text):
        raise ValueError(f"{here}: ambiguous move; write B for a bishop, x for a capture by the pawn")
    game.position.make(game.position.parse_uci(board.uci(move)))
    board.push(move)


def _is_bishop_move(board: chess.Board, text: str) -> bool:
    """Return whether a text such as bc4, in which b is the file of a pawn, would be a move of a bishop too."""
    try:
        board.parse_san("B" + text[1:])
    except chess.AmbiguousMoveError:
        return True
    except ValueError:
        return False
    return True


def _check_number(number: int, game: PgnGame, place: str) -> None:
    """Raise ValueError for a number that is not the next one: moves are missing, or the next game has started."""
    due = int(game.position.board[FULLMOVES])
    if game.offset is None:
        game.offset = number - due  # games with a FEN may start with number 1 at any move
    if number - due != game.offset:
        raise ValueError(
            f"{place}: the next move is number {due + game.offset}; is a move or a result missing?"
        )
