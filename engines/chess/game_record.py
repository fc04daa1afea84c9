"""The record of one game: each move with the thought behind it, as a few bytes, and as PGN.

A ply takes 13 bytes, and 2 for each move of its line. The PGN is written without python-chess, which is too slow for every game of
an evolution; each move has a comment like {+0.25/9 1234n Nf3 e5 Bc4}: score, depth, nodes, expected line.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Self

from core.chess.movegen import PROMOTION
from core.chess.notation import START, position_from_fen, san
from core.chess.position import Position

ENDINGS: Final = (
    "checkmate",
    "stalemate",
    "threefold repetition",
    "fifty moves",
    "insufficient material",
    "time",
    "time against bare material",
    "adjudication",
)
LONGEST_LINE: Final = 8  # plies of an expected line that are kept
MOST_CENTS: Final = 999_999  # to some genomes a pawn is worth almost nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedMove:
    """A move that was played, and what its player thought: scores are the mover's own."""

    move: int
    cents: int = 0  # within MOST_CENTS
    mate: int = 0  # in moves, negative if the mover is mated; 0: none in sight
    depth: int = 0
    nodes: int = 0
    line: tuple[int, ...] = ()  # expected play, `move` first, at most LONGEST_LINE plies; may be empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Seconds that each player began with, got for each move, and had left at the end (White, Black)."""

    seconds: float
    increment: float
    left: tuple[float, float]  # zero or less: the flag has fallen


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A finished game. `returns` are White's and Black's; `clocks` is None if none ran."""

    start: str = START  # FEN
    plies: tuple[RecordedMove, ...]
    returns: tuple[float, float]
    ending: str  # one of ENDINGS
    clocks: Clocks | None = None

    @property
    def moves(self) -> tuple[int, ...]:
        return tuple(ply.move for ply in self.plies)

    def opening(self, plies: int) -> tuple[str, ...]:
        """The first moves, in standard algebraic notation."""
        return _line(position_from_fen(self.start), self.moves[:plies])

    def promotions(self, side: int) -> Counter[str]:
        """How often side 0 (White) or 1 (Black) promoted a pawn to each of N, B, R, Q."""
        first = 1 if self.start.split()[1] == "b" else 0
        kinds = (move >> 12 for move in self.moves[side ^ first :: 2])
        return Counter("NBRQ"[kind - PROMOTION] for kind in kinds if kind >= PROMOTION)

    # -- As bytes ----------------------------------------------------------------------------------

    def pack(self) -> bytes:
        """The record as bytes: unpack() gives it back."""
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
        """The record that pack() wrote. ValueError if it is damaged; the moves are not played."""
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
        if form != _FORM or white not in (-1, 0, 1) or len(data) != body + struct.calcsize(layout):
            raise ValueError("damaged record of a chess game: not of this form")
        columns = struct.unpack_from(layout, data, body)
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


# Form, ending, White's return, whether there are clocks, the clocks, the lengths of what follows.
_HEAD: Final = struct.Struct("<BBbBddddHII")
_FORM: Final = 1


def _layout(plies: int, line_moves: int) -> str:
    """Move, cents, mate, depth, nodes and length of the line, a column each, then the lines' moves."""
    return f"<{plies}H{plies}i{plies}b{plies}B{plies}I{plies}B{line_moves}H"


def _checked(data: bytes) -> bytes:
    plain, check = data[:-4], data[-4:]
    if zlib.crc32(plain).to_bytes(4, "little") != check:
        raise ValueError("damaged record of a chess game: cut off, or changed")
    return plain


# -- As PGN ----------------------------------------------------------------------------------------

COLUMNS: Final = 80

# Of PGN's tag Termination (PGN standard, section 9.8.1); what ends by the rules goes without it.
_TERMINATIONS: Final = {
    "time": "time forfeit",
    "time against bare material": "time forfeit",
    "adjudication": "adjudication",
}
_HARMLESS: Final = str.maketrans('"\\\r\n', "'/  ")  # in a tag: PGN readers differ about escapes


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
    """The game as PGN; `white` and `black` are the players' IDs. ValueError if a move is illegal."""
    result = {1.0: "1-0", -1.0: "0-1"}.get(record.returns[0], "1/2-1/2")
    tags = {
        "Event": event,
        "Site": site,
        "Date": date,
        "Round": round_text,
        "White": f"Genetic AI {white}",
        "Black": f"Genetic AI {black}",
        "Result": result,
    }
    if record.start != START:
        tags |= {"SetUp": "1", "FEN": record.start}
    tags |= _clock_tags(record.clocks) | {"PlyCount": str(len(record.plies)), "Ending": record.ending}
    if record.ending in _TERMINATIONS:
        tags["Termination"] = _TERMINATIONS[record.ending]
    header = "".join(f'[{name} "{value.translate(_HARMLESS)}"]\n' for name, value in tags.items())
    return f"{header}\n{_wrapped([*_words(record), result])}\n\n"


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


def _words(record: GameRecord) -> list[str]:
    """The movetext, cut where a line may end."""
    position = position_from_fen(record.start)
    number = int(position.start.split()[5])
    words: list[str] = []
    for ply in record.plies:
        side = position.player()
        words.append(f"{number}{'...' if side else '.'}")
        words.append(san(position, ply.move))
        words.append(f"{{{_score(ply)}/{ply.depth}")
        words.append(f"{ply.nodes}n")
        words.extend(_line(position, ply.line))
        words[-1] += "}"
        position.make(ply.move)
        number += side
    return words


def _score(ply: RecordedMove) -> str:
    if ply.mate:
        return f"{'-' if ply.mate < 0 else '+'}M{abs(ply.mate)}"
    return f"{ply.cents / 100:+.2f}"


def _line(position: Position, moves: Iterable[int]) -> tuple[str, ...]:
    """The moves in standard algebraic notation; the position is left as it was."""
    words = []
    for move in moves:
        words.append(san(position, move))
        position.make(move)
    for _ in words:
        position.undo()
    return tuple(words)


def _wrapped(words: list[str]) -> str:
    """Lines of at most COLUMNS characters; textwrap would take longer than all the rest."""
    lines = []
    line = words[0]
    for word in words[1:]:
        if len(line) + len(word) < COLUMNS:
            line += " " + word
        else:
            lines.append(line)
            line = word
    return "\n".join([*lines, line])
