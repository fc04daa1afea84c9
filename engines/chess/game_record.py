"""Finished games: the record of a game of self-play as a few bytes, and every game as PGN.

A ply takes 13 bytes, and 2 for each move of its line. PGN is written without python-chess, which takes 10 ms a game.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Self

from core.chess.evaluation import OPENING, phase
from core.chess.movegen import CASTLING, FULLMOVES, PROMOTION
from core.chess.notation import START, position_from_fen, san
from core.chess.position import (
    CHECKMATE,
    FIFTY_MOVES,
    INSUFFICIENT_MATERIAL,
    OUTCOMES,
    STALEMATE,
    THREEFOLD_REPETITION,
    Position,
)
from engines.chess.calibration import normalised
from engines.match.referee import Ending, Result, Turn
from engines.time_control import TimeControl

TIME: Final = "time"
BARE_MATERIAL: Final = "time against bare material"  # which is a draw
ADJUDICATION: Final = "adjudication"
ENDINGS: Final = (*OUTCOMES, TIME, BARE_MATERIAL, ADJUDICATION)  # a packed record has the index
LONGEST_LINE: Final = 8  # plies of an expected line that are kept
MAX_CENTS: Final = 999_999  # a bound, because a pawn is worth almost nothing to some genomes
SIDES: Final = ("White", "Black")

# Form, ending, White's return, whether there are clocks, the clocks, the lengths of the three parts after the head.
_HEAD: Final = struct.Struct("<BBbBddddHII")
_FORM: Final = 2
_OLD_FORM: Final = 1  # castling was the king's move to the g- or c-file, not the capture of its rook


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedMove:
    """A move that was played, and the result of its player's search.

    Scores are from the mover's view, in hundredths of its genome's pawn, from which evolution learns; PGN has them
    normalised.
    """

    move: int
    cents: int = 0  # within MAX_CENTS
    mate: int = 0  # in moves, negative if the mover is mated; 0: none in sight
    depth: int = 0
    nodes: int = 0
    line: tuple[int, ...] = ()  # expected play, `move` first, at most LONGEST_LINE plies; may be empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The seconds of each player at the start, for each move, and at the end of the game (White, Black)."""

    seconds: float
    increment: float
    left: tuple[float, float]  # zero or less: the flag has fallen


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A finished game. `returns` are White's and Black's; `clocks` is None for a game without clocks."""

    start: str = START  # FEN
    plies: tuple[RecordedMove, ...]
    returns: tuple[float, float]
    ending: str  # one of ENDINGS
    clocks: Clocks | None = None

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(ply.move for ply in self.plies)

    def opening(self, plies: int) -> tuple[str, ...]:
        """Return the first `plies` moves in standard algebraic notation."""
        return tuple(_line(position_from_fen(self.start), self.moves[:plies]))

    def promotions(self, side: int) -> Counter[str]:
        """Return how often side 0 (White) or 1 (Black) promoted a pawn to each of N, B, R, Q."""
        first = 1 if self.start.split()[1] == "b" else 0
        kinds = (move >> 12 for move in self.moves[side ^ first :: 2])
        return Counter("NBRQ"[kind - PROMOTION] for kind in kinds if kind >= PROMOTION)

    # -- As bytes ----------------------------------------------------------------------------------

    def pack(self) -> bytes:
        """Return the record as bytes for unpack()."""
        plies, clocks = self.plies, self.clocks
        start = b"" if self.start == START else self.start.encode("ascii")
        line_moves = [move for ply in plies for move in ply.line]
        head = _HEAD.pack(
            _FORM,
            ENDINGS.index(self.ending),
            int(self.returns[0]),
            clocks is not None,
            *((clocks.seconds, clocks.increment, *clocks.left) if clocks else (0.0, 0.0, 0.0, 0.0)),
            len(start),
            len(plies),
            len(line_moves),
        )
        body = struct.pack(
            _layout(len(plies), len(line_moves)),
            *(ply.move for ply in plies),
            *(ply.cents for ply in plies),
            *(ply.mate for ply in plies),
            *(ply.depth for ply in plies),
            *(ply.nodes for ply in plies),
            *(len(ply.line) for ply in plies),
            *line_moves,
        )
        plain = head + start + body
        return plain + zlib.crc32(plain).to_bytes(4, "little")

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Return the record that pack() wrote. Raises ValueError for damaged bytes; the moves are not checked."""
        try:
            return cls._read(_checked(data))
        except (struct.error, IndexError) as error:
            raise ValueError(f"damaged record of a chess game: {error}") from None

    @classmethod
    def _read(cls, data: bytes) -> Self:
        form, ending, white, has_clocks, seconds, increment, *left, size, plies, moves = _HEAD.unpack_from(
            data
        )
        layout = _layout(plies, moves)
        body = _HEAD.size + size
        if (
            form not in (_FORM, _OLD_FORM)
            or white not in (-1, 0, 1)
            or len(data) != body + struct.calcsize(layout)
        ):
            raise ValueError("damaged record of a chess game: not of this form")
        columns = struct.unpack_from(layout, data, body)
        if form == _OLD_FORM:
            first = 6 * plies
            columns = (
                *map(_from_old_form, columns[:plies]),
                *columns[plies:first],
                *map(_from_old_form, columns[first:]),
            )
        *rows, lengths = (columns[plies * index : plies * (index + 1)] for index in range(6))
        ends = list(accumulate(lengths))
        if max(lengths, default=0) > LONGEST_LINE or sum(lengths) != moves:
            raise ValueError("damaged record of a chess game: lines are too long or cut off")
        lines = columns[6 * plies :]
        return cls(
            start=data[_HEAD.size : body].decode("ascii") or START,
            plies=tuple(
                RecordedMove(
                    move=move,
                    cents=cents,
                    mate=mate,
                    depth=depth,
                    nodes=nodes,
                    line=lines[end - length : end],
                )
                for move, cents, mate, depth, nodes, length, end in zip(*rows, lengths, ends, strict=True)
            ),
            returns=(float(white), float(-white)),
            ending=ENDINGS[ending],
            clocks=Clocks(seconds=seconds, increment=increment, left=(left[0], left[1]))
            if has_clocks
            else None,
        )


def _layout(plies: int, line_moves: int) -> str:
    """Return the format of the columns move, cents, mate, depth, nodes, length of line, and of all lines' moves."""
    return f"<{plies}H{plies}i{plies}b{plies}B{plies}I{plies}B{line_moves}H"


def _from_old_form(move: int) -> int:
    if move >> 12 != CASTLING:
        return move
    rook = (move & 56) + (7 if move >> 6 & 4 else 0)
    return move & 63 | rook << 6 | CASTLING << 12


def _checked(data: bytes) -> bytes:
    plain, check = data[:-4], data[-4:]
    if zlib.crc32(plain).to_bytes(4, "little") != check:
        raise ValueError("damaged record of a chess game: cut off, or changed")
    return plain


# -- PGN -------------------------------------------------------------------------------------------

# Values of the tag Termination (PGN standard, section 9.8.1); games that end by the rules do not have it.
TERMINATIONS: Final = {
    TIME: "time forfeit",
    BARE_MATERIAL: "time forfeit",
    Ending.ILLEGAL_ACTION.value: "rules infraction",
    Ending.CRASH.value: "abandoned",
    Ending.STALL.value: "abandoned",
    ADJUDICATION: "adjudication",
}
DRAWS: Final = {
    STALEMATE: "Draw by stalemate",
    THREEFOLD_REPETITION: "Draw by 3-fold repetition",
    FIFTY_MOVES: "Draw by fifty moves rule",
    INSUFFICIENT_MATERIAL: "Draw by insufficient mating material",
}

Comment = Callable[[int, Position], Sequence[str]]  # words on the move of an index, in the position before it


def pgn(
    record: GameRecord,
    *,
    white: int,
    black: int,
    round_text: str,
    event: str = "?",
    site: str = "?",
    date: str = "????.??.??",
) -> str:
    """Return a game of self-play as PGN; `white` and `black` are the players' IDs.

    Each move has a comment `{+0.24/9 1234n Nf3 e5 Bc4}`: score from its player's view, depth, nodes, expected line.
    Raises ValueError if a move is illegal.
    """
    tags = {
        "Event": event,
        "Site": site,
        "Date": date,
        "Round": round_text,
        "White": f"Genetic AI {white}",
        "Black": f"Genetic AI {black}",
        "Result": _result(record.returns),
        **set_up_tags(position_from_fen(record.start)),
        **_clock_tags(record.clocks),
        "PlyCount": str(len(record.plies)),
        "Ending": record.ending,
        "Termination": TERMINATIONS.get(record.ending, ""),
    }

    def comment(index: int, position: Position) -> list[str]:
        ply = record.plies[index]
        cents = normalised(ply.cents, int(phase(position.board)) / int(OPENING))
        words = [f"{{{_score(ply.mate or None, cents)}/{ply.depth}", f"{ply.nodes}n"]
        words += _line(position, ply.line)
        words[-1] += "}"
        return words

    return _text(tags, _movetext(record.start, record.moves, comment), columns=80)


def match_pgn(
    result: Result,
    start: Position,
    white: str,
    black: str,
    control: TimeControl,
    *,
    black_control: TimeControl | None = None,
    event: str = "?",
    date: str = "????.??.??",
    round_text: str = "-",
) -> str:
    """Return a game of a match as PGN, in cutechess's words, which tools for cutechess's games read.

    Each engine's move has a comment `{+0.25/9 0.31s}`: score from its own view, depth, time; the last comment also
    says how the game ended. The moves before `start` are the opening, and have no comments. `control` is that of both
    sides, unless Black has a `black_control`.
    """
    opening = start.moves()
    moves = opening + [turn.action for turn in result.history]
    position = position_from_fen(start.start)
    for move in moves:
        position.make(move)
    ending = _ending_words(result, position)
    tags = {
        "Event": event,
        "Site": "?",
        "Date": date,
        "Round": round_text,
        "White": white or "?",
        "Black": black or "?",
        "Result": _result(result.returns),
    }
    others = {
        "PlyCount": str(len(moves)),
        "Termination": TERMINATIONS.get(result.ending.value, ""),
    }
    if black_control is None or black_control == control:
        others["TimeControl"] = _control_text(control)
    else:
        others["WhiteTimeControl"] = _control_text(control)
        others["BlackTimeControl"] = _control_text(black_control)
    tags |= dict(sorted((others | set_up_tags(start)).items()))

    def comment(index: int, _: Position) -> list[str]:
        remarks = []
        if index >= len(opening):
            remarks.append(_remark(result.history[index - len(opening)]))
        if index == len(moves) - 1:
            remarks.append(ending)
        return [_braced(", ".join(remarks))] if remarks else []

    words = _movetext(start.start, moves, comment) if moves else [_braced(ending)]
    return _text(tags, words, columns=79)


def set_up_tags(start: Position) -> dict[str, str]:
    """Return the tags of a game with another starting position: that position, and the variant if it is Chess960."""
    tags = {"Variant": "Chess960"} if start.is_chess960() else {}
    return tags | ({} if start.start == START else {"SetUp": "1", "FEN": start.start})


def _text(tags: Mapping[str, str], words: Sequence[str], columns: int) -> str:
    """Return a game's text; tags without a value are left out, and lines break between words only."""
    header = "".join(f'[{name} "{_harmless(value)}"]\n' for name, value in tags.items() if value)
    return f"{header}\n{_wrapped([*words, tags['Result']], columns)}\n\n"


def _movetext(start: str, moves: Sequence[int], comment: Comment) -> list[str]:
    """Return the moves with their numbers and comments as words, between which a line may end."""
    position = position_from_fen(start)
    words: list[str] = []
    needs_number = True
    for index, move in enumerate(moves):
        side = position.player()
        if needs_number or not side:
            words.append(f"{position.board[FULLMOVES]}{'...' if side else '.'}")
        words.append(san(position, move))
        remark = comment(index, position)
        words.extend(remark)
        needs_number = bool(remark)
        position.make(move)
    return words


def _wrapped(words: Sequence[str], columns: int) -> str:
    """Return lines of at most `columns` characters, except for longer words.

    The textwrap module would take longer than all other work on a game.
    """
    lines = []
    line = words[0]
    for word in words[1:]:
        if len(line) + len(word) < columns:
            line += " " + word
        else:
            lines.append(line)
            line = word
    return "\n".join([*lines, line])


def _line(position: Position, moves: Iterable[int]) -> list[str]:
    """Return the moves in standard algebraic notation; the position is restored."""
    words = []
    for move in moves:
        words.append(san(position, move))
        position.make(move)
    for _ in words:
        position.undo()
    return words


def _harmless(text: str) -> str:
    """Return the value of a tag without quotes and backslashes, about which PGN readers differ."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain.replace("\\", "/").replace('"', "'")


def _braced(remark: str) -> str:
    return "{" + remark.replace("{", "(").replace("}", ")") + "}"


def _score(mate: int | None, cents: int) -> str:
    """Return a score as text: `+0.25` in pawns, or `-M3` for mated in 3."""
    if mate is not None:
        return f"{'-' if mate < 0 else '+'}M{abs(mate)}"
    return f"{cents / 100:+.2f}"


def _remark(turn: Turn) -> str:
    """Return score, depth and time of a move; only the time if an external engine has given no score."""
    info = turn.info
    time = f"{turn.seconds:.2f}s"
    if info.mate is None and info.cents is None:
        return time
    return f"{_score(info.mate, info.cents or 0)}/{info.depth} {time}"


def _result(returns: Sequence[float]) -> str:
    white, black = returns
    return "1-0" if white > black else "0-1" if white < black else "1/2-1/2"


def _clock_tags(clocks: Clocks | None) -> dict[str, str]:
    if clocks is None:
        return {"TimeControl": "-"}
    white, black = (f"{max(seconds, 0.0):.3f}" for seconds in clocks.left)
    increment = f"+{clocks.increment:g}" if clocks.increment else ""
    return {
        "TimeControl": f"{clocks.seconds:g}{increment}",
        "WhiteTimeLeft": white,
        "BlackTimeLeft": black,
    }


def _control_text(control: TimeControl) -> str:
    """Return PGN's TimeControl (section 9.6.1): 40/300, 300+2, 1/2 for 2 s a move, - for no clock."""
    if control.seconds_per_action is not None:
        return f"1/{control.seconds_per_action:g}"
    return str(control).split(",")[0] if control.seconds is not None else "-"


def _ending_words(result: Result, position: Position) -> str:
    """Return the ending of a game of a match in cutechess's words."""
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
    outcome = position.outcome()
    if outcome == CHECKMATE:
        return f"{SIDES[1 - position.player()]} mates"
    return DRAWS[outcome]
