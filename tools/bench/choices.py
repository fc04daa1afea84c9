"""The command `galapagos bench choices FILE.epd`: grades the moves that a search chooses, without playing games.

Each position of the file has the expected points of each of its moves, judged once by searches of many more nodes
than those to be graded. The regret of a choice is the difference between the best move's points and the chosen
move's. The command prints the mean regret of the choices after a quarter, a half and all of the given nodes. Whether
one search is better than another is seen in the paired differences of their regrets: they vary much less than the
results of games, and cost far fewer nodes. engines/chess/RESULTS.md has the figures, and what the method cannot see.

    galapagos bench choices FILE.epd --make 500                               # play games, judge 500 positions
    galapagos bench choices FILE.epd --save old.txt                           # grade the search, keep its choices
    galapagos bench choices FILE.epd --set see_depth=-1 --against old.txt     # with another of the SearchParams

To grade a change of code, run the last command in another checkout, without --set.

Positions. They come from games of `evolved` against itself from random openings, and only such positions count in
which the search changes its mind between 500 and 2,500 nodes: in the others nearly all searches choose the same move.
Won and lost positions are left out, because every move has the same chance there. A move that is far behind after a
cheap search keeps the points of that search, but at most those of the best move.

File. A line is a position as EPD; its comment c0 has the moves by coordinates, each with its points in thousandths.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, variance
from typing import Final

import chess

from core.chess.evaluation import OPENING, Evaluator, moves_to_mate, phase
from core.chess.history import History
from core.chess.notation import START, fen, position_from_fen
from core.chess.position import Position, move_text
from core.chess.search import AlphaBetaSearch
from core.chess.search_params import SearchParams
from core.chess.transposition import TranspositionTable
from core.random import Random
from engines.chess.calibration import chances, normalised
from engines.chess.genome_file import bundled, load_bundled, read_genome
from engines.chess.pgn import read_epd
from tools.bench.command import Row
from tools.cli import CommandError, sentence

NODES: Final = 12_000  # for each position, unless the command has other
SHARES: Final = (4, 2, 1)  # the nodes are divided by these to get those after which choices are graded
HASH_MEBIBYTES: Final = 2

# Judging: each stage searches the moves that the stage before has left with its nodes a move, and leaves at most this
# number of moves, of those that are behind the best by at most these points, in thousandths.
STAGES: Final = ((1_000, 7, 100), (12_000, 4, 50), (20_000, 4, 50))
JUDGE_MEBIBYTES: Final = 16  # one table for all moves of a position
DECIDED: Final = 850  # thousandths: positions with more for one side are left out

# Playing: the nodes after which the best moves are compared, the plies of the random opening and of the longest game,
# and the plies between two positions.
GLANCES: Final = (500, 1_000, 1_700, 2_500)
RANDOM_PLIES: Final = (6, 9)
MAX_PLIES: Final = 240
STEP: Final = (4, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A position with the points of each of its moves, in thousandths."""

    position: Position
    points: dict[str, int]

    def regret(self, move: str) -> int:
        """Return the points that are lost by a move, in thousandths."""
        return max(self.points.values()) - self.points[move]


# -- Grading ---------------------------------------------------------------------------------------


def choices(
    path: Path,
    genome: str,
    *,
    nodes: int | None = None,
    settings: Sequence[str] = (),
    save: Path | None = None,
    against: Path | None = None,
) -> Callable[[], Iterator[Row]]:
    """Return a benchmark that grades the choices of a search in the positions of a file.

    `settings` are "name=value" for SearchParams. The choices are written to `save`, and compared with those in
    `against`. Raises CommandError for a wrong file, genome or setting.
    """
    nodes = nodes or NODES
    try:
        positions = list(read_judged(path))
        phenotype = (load_bundled(genome) if genome in bundled() else read_genome(genome)).express()
        others = None if against is None else _read_choices(against, positions)
    except (OSError, ValueError) as error:
        raise CommandError(sentence(error)) from None
    params = phenotype.search
    for setting in settings:
        _set(params, setting)

    def measure() -> Iterator[Row]:
        evaluator = Evaluator(phenotype.weights)
        chosen = [_choices(judged.position, evaluator, params, nodes) for judged in positions]
        if save is not None:
            save.write_text("".join(" ".join(moves) + "\n" for moves in chosen))
        regrets = _regrets(positions, chosen)
        each = [fmean(row[index] for row in regrets) for index in range(len(SHARES))]
        yield Row(
            name=f"regret, {genome}, {nodes} nodes",
            figure=fmean(map(fmean, regrets)),
            unit="/1000",
            signature=f"{zlib.crc32(repr(chosen).encode()):08x}",
            note=f"of {len(positions)}; after a quarter, half, all: " + ", ".join(f"{n:.1f}" for n in each),
        )
        if others is not None:
            pairs = zip(regrets, _regrets(positions, others), strict=True)
            gains = [fmean(other) - fmean(own) for own, other in pairs]
            yield Row(
                name=f"gain against {against.name if against else ''}",
                figure=fmean(gains),
                unit="/1000",
                note=f"standard error {sqrt(variance(gains) / len(gains)):.2f}" if len(gains) > 1 else "",
            )

    return measure


def read_judged(path: Path) -> Iterator[Judged]:
    """Yield the positions of a file with the points of their moves. Raises ValueError, with the line, for a wrong one."""
    for number, position, operations in read_epd(path):
        try:
            _, found = chess.Board.from_epd(f"{' '.join(position.start.split()[:4])} {operations}")
            words = str(found["c0"]).split()
            points = dict(zip(words[::2], map(int, words[1::2]), strict=True))
        except (ValueError, KeyError):
            raise ValueError(f"{path.name}, line {number}: a position needs c0, moves with points") from None
        if points.keys() != {move_text(move) for move in position.legal_moves()}:
            raise ValueError(f"{path.name}, line {number}: c0 must have all legal moves, and no other")
        yield Judged(position=position, points=points)


def _choices(position: Position, evaluator: Evaluator, params: SearchParams, nodes: int) -> list[str]:
    """Return the moves that a search without any memory chooses after each of the SHARES of its nodes."""
    table = TranspositionTable(HASH_MEBIBYTES)
    search = AlphaBetaSearch(position, evaluator, table, history=History(), params=params)
    return [move_text(_best_move(search, nodes // share)) for share in SHARES]


def _best_move(search: AlphaBetaSearch, nodes: int) -> int:
    """Continue a search to `nodes` nodes, and return its best move."""
    while search.nodes < nodes and not search.run(nodes - search.nodes):
        pass
    return search.line[0]


def _regrets(positions: list[Judged], chosen: list[list[str]]) -> list[list[int]]:
    return [[judged.regret(move) for move in moves] for judged, moves in zip(positions, chosen, strict=True)]


def _read_choices(path: Path, positions: list[Judged]) -> list[list[str]]:
    """Return the choices that --save has written. Raises ValueError if they belong to other positions."""
    lines = [line.split() for line in path.read_text().splitlines()]
    fits = len(lines) == len(positions) and all(
        len(moves) == len(SHARES) and judged.points.keys() >= set(moves)
        for judged, moves in zip(positions, lines, strict=True)
    )
    if not fits:
        raise ValueError(f"{path.name} has choices in other positions")
    return lines


def _set(params: SearchParams, setting: str) -> None:
    name, _, value = setting.partition("=")
    if not isinstance(getattr(params, name, None), int):
        raise CommandError(f"the search has no parameter {name[:40]!r} (core/chess/search_params.py)")
    try:
        setattr(params, name, int(value))
    except ValueError:
        raise CommandError(f"{setting[:60]!r} is not NAME=NUMBER") from None


# -- Judging ---------------------------------------------------------------------------------------


def make(path: Path, count: int, genome: str) -> None:
    """Play games until `count` positions are judged, and write them to a new file.

    Raises CommandError if the file exists or the genome cannot be read.
    """
    try:
        phenotype = (load_bundled(genome) if genome in bundled() else read_genome(genome)).express()
        with path.open("x") as file:
            for _, line in zip(range(count), _lines(Evaluator(phenotype.weights), Random(1)), strict=False):
                file.write(line)
                file.flush()
    except (OSError, ValueError) as error:
        raise CommandError(sentence(error)) from None


def _lines(evaluator: Evaluator, rng: Random) -> Iterator[str]:
    """Play games without end, and yield their judged positions as lines of the file."""
    while True:
        for position in _game(evaluator, rng):
            points = judge(position, evaluator)
            if len(points) > 1 and 1000 - DECIDED <= max(points.values()) <= DECIDED:
                epd = " ".join(fen(position).split()[:4])
                yield f'{epd} c0 "{" ".join(f"{move} {n}" for move, n in points.items())}";\n'


def _game(evaluator: Evaluator, rng: Random) -> list[Position]:
    """Play a game, and return those of its positions in which the search changes its mind."""
    position = position_from_fen(START)
    for _ in range(RANDOM_PLIES[0] + rng.below(RANDOM_PLIES[1] - RANDOM_PLIES[0] + 1)):
        moves = position.legal_actions()
        if not moves:
            return []
        position.make(moves[rng.below(len(moves))])
    found: list[Position] = []
    memories = [(TranspositionTable(1), History()) for _ in range(2)]
    due = rng.below(STEP[1])
    for ply in range(MAX_PLIES):
        if position.is_terminal():
            break
        table, history = memories[position.player()]
        search = AlphaBetaSearch(position, evaluator, table, history=history)
        glances = {_best_move(search, nodes) for nodes in GLANCES}
        if ply >= due and len(glances) > 1:
            found.append(position_from_fen(fen(position)))
            due = ply + STEP[0] + rng.below(STEP[1] - STEP[0])
        position.make(search.line[0])
    return found


def judge(position: Position, evaluator: Evaluator) -> dict[str, int]:
    """Return the points of each legal move in thousandths, by searches of the positions after the moves."""
    opening = int(phase(position.board)) / int(OPENING)
    table, history = TranspositionTable(JUDGE_MEBIBYTES), History()
    points: dict[int, int] = {}
    left = position.legal_moves()
    for nodes, most, margin in STAGES:
        for move in left:
            position.make(move)
            points[move] = 1000 - _points(position, evaluator, table, history, nodes, opening)
            position.undo()
        best = max(points[move] for move in left)
        left = sorted(
            (move for move in left if points[move] >= best - margin), key=lambda move: -points[move]
        )
        left = left[:most]
    best = max(points[move] for move in left)
    return {move_text(move): points[move] if move in left else min(points[move], best) for move in points}


def _points(
    position: Position,
    evaluator: Evaluator,
    table: TranspositionTable,
    history: History,
    nodes: int,
    opening: float,
) -> int:
    """Return the points that the side to move expects: 1000 for a win, 500 for a draw."""
    if position.is_draw():
        return 500
    if not position.legal_moves():
        return 0  # checkmate: a stalemate is a draw
    search = AlphaBetaSearch(position, evaluator, table, history=history)
    _best_move(search, nodes)
    cents = normalised(evaluator.centipawns(search.score), opening)
    won, drawn, _ = chances(cents, moves_to_mate(search.score) or None, opening)
    return won + drawn // 2
