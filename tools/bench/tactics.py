"""The command `galapagos bench tactics FILE.epd`: counts the positions of a file that a genome solves.

A position is solved if the move played after the given time is in `bm` and not in `am` (operations of Extended
Position Description, as python-chess reads them; the position may be a FEN with its counters). The signature encodes
which positions were solved: with --nodes it is the same on every machine.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess

from core.chess.notation import position_from_fen
from core.chess.position import move_text
from core.random import Random
from engines.chess.genome import Genome
from engines.chess.genome_file import bundled, load_bundled, read_genome
from engines.chess.pgn import read_epd
from engines.chess.player import Player
from engines.engine import Limit
from tools.bench.command import Row
from tools.cli import CommandError, sentence

HASH_MEBIBYTES: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """A position with the moves that solve it and the moves to avoid."""

    name: str
    fen: str
    best: frozenset[str]  # coordinates; empty: any move but those to avoid
    avoid: frozenset[str]

    def is_solved_by(self, move: str) -> bool:
        return move not in self.avoid and (not self.best or move in self.best)


def exercises(path: Path) -> Iterator[Exercise]:
    """Yield the exercises of a file of EPD lines, or of FENs with operations.

    Raises ValueError, with the number of the line, for a wrong line.
    """
    for number, position, text in read_epd(path):
        line = f"{path.name}, line {number}"
        start = position.start
        try:
            _, operations = chess.Board.from_epd(f"{' '.join(start.split()[:4])} {text}")
        except (ValueError, IndexError, AttributeError) as error:
            raise ValueError(f"{line}: {error}") from None
        best, avoid = _moves(operations.get("bm")), _moves(operations.get("am"))
        if not best and not avoid:
            raise ValueError(f"{line}: a position needs bm or am, the moves that solve it")
        name = str(operations.get("id") or operations.get("c0") or f"line {number}")
        yield Exercise(name=name, fen=start, best=best, avoid=avoid)


def _moves(operand: object) -> frozenset[str]:
    found = operand if isinstance(operand, list) else []
    return frozenset(move.uci() for move in found if isinstance(move, chess.Move))


def tactics(path: Path, genome: str, seconds: float, nodes: int | None) -> Callable[[], Iterator[Row]]:
    """Return a benchmark that counts solved positions, with `nodes` or else `seconds` for each position.

    Raises CommandError if the file or the genome cannot be read.
    """
    try:
        found = list(exercises(path))
        player = load_bundled(genome) if genome in bundled() else read_genome(genome)
    except (OSError, ValueError) as error:
        raise CommandError(sentence(error)) from None

    def measure() -> Iterator[Row]:
        limit = Limit(nodes=nodes) if nodes else Limit(seconds=seconds)
        solved = [_solves(player, exercise, limit) for exercise in found]
        missed = [exercise.name for exercise, is_solved in zip(found, solved, strict=True) if not is_solved]
        yield Row(
            name=f"tactics, {genome}, {f'{nodes} nodes' if nodes else f'{seconds:g} s'}",
            figure=sum(solved),
            unit=f"of {len(found)}",
            signature=f"{zlib.crc32(bytes(solved)):08x}",
            note=f"missed: {', '.join(missed)}" if missed else "",
        )

    return measure


def _solves(genome: Genome, exercise: Exercise, limit: Limit) -> bool:
    player = Player(genome, "strong", HASH_MEBIBYTES, Random(1))
    player.prepare()
    for _ in player.think(position_from_fen(exercise.fen), limit):
        pass
    return exercise.is_solved_by(move_text(player.info.action))
