"""Alpha-beta search: iterative deepening alpha-beta over the genome's evaluation.

None of it evolves (Genetic Chess, section 3): principal variation windows, a transposition table,
quiescence, null moves, late move reductions; methods as named on chessprogramming.org. The tree is
walked on a stack of frames instead of by recursion, so run(nodes) stops and goes on anywhere, and
what it finds does not depend on how the nodes were cut into slices.
"""

from math import log
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess.evaluation import INFINITE, LIMIT, MATE, PRIORITY_UNITS, Evaluator, is_mate
from core.chess.move_ordering import KILLER, MoveOrdering
from core.chess.position import Position
from core.chess.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    MAX_PLY,
    PvTable,
    TranspositionTable,
    bound_of,
    depth_of,
    move_of,
    score_of,
)

MAX_DEPTH: Final = 100

# A frame, one row a ply.
FRAME: Final = 20
ALPHA: Final = 0
BETA: Final = 1
DEPTH: Final = 2
BEST: Final = 3  # score
BEST_MOVE: Final = 4
STAGE: Final = 5
NEXT: Final = 6  # index of the next move to pick
END: Final = 7
CHECKED: Final = 8
STATIC: Final = 9  # evaluation, unless CHECKED
TRIED: Final = 10  # moves searched
MOVE: Final = 11  # being searched
HASH_MOVE: Final = 12
FLOOR: Final = 13  # alpha on entering
MAY_PASS: Final = 14
FIRST: Final = 15  # index of the first move
REDUCED: Final = 16  # plies saved on the move being searched

# What the frame's child was searched for.
FULL: Final = 0
PASSED: Final = 1  # a null move
SCOUT: Final = 2  # a window of one unit, perhaps reduced


def _reductions() -> vec[i64]:
    """[depth * 64 + moves tried]: plies to reduce a late quiet move by."""
    table = vec[i64]([0] * 4096)
    for depth in range(1, 64):
        for tried in range(1, 64):
            table[depth * 64 + tried] = int(0.75 + log(depth) * log(tried) / 2.0)
    return table


REDUCTIONS: Final = _reductions()


@final
class AlphaBetaSearch:
    """A search of one position. `line`, `score` (units), `depth` and `nodes` tell the best so far."""

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        table: TranspositionTable,
        depth: int = MAX_DEPTH,
        actions: tuple[int, ...] = (),
        recalled: tuple[int, ...] = (),
    ) -> None:
        """AlphaBetaSearch `actions` (all legal moves if empty; ValueError if there is none) to `depth` plies.

        `recalled` is a line expected earlier: its moves are tried first (section 3.4).
        """
        self.position = position.clone()
        self.evaluator = evaluator
        self.table = table
        self.step: i64 = round(PRIORITY_UNITS / 40.0)  # what counts as a small difference, a pawn or two
        self.values = vec[i64]([int(evaluator.material[kind]) for kind in range(6)])
        self.ordering = MoveOrdering(self.values)
        self.frames = vec[i64]([0] * int(FRAME * (MAX_PLY + 2)))
        self.lines = PvTable()

        self.roots = [move for move in position.legal_moves() if not actions or move in actions]
        if not self.roots:
            raise ValueError("no legal move to search")
        self.line: list[int] = [self.roots[0]]
        self.score: i64 = 0
        self.depth: i64 = 0  # iterations finished
        self.seldepth: i64 = 0
        self.nodes: i64 = 0
        self.improved: i64 = 0  # counts changes of line and score
        self.finished = False
        self.max_depth: i64 = min(depth, MAX_DEPTH)
        self.ply: i64 = 0
        self.entering = True
        self.value: i64 = 0
        table.new_search()
        self._recall(recalled)
        self._begin(-INFINITE, INFINITE)

    def run(self, nodes: i64) -> bool:
        """Search on for `nodes` more nodes; True when the search is finished."""
        until = self.nodes + nodes
        while self.nodes < until and not self.finished:
            if self.entering:
                self._enter()
            else:
                self._resume()
        return self.finished

    # -- The root ----------------------------------------------------------------------------------

    def _recall(self, line: tuple[int, ...]) -> None:
        """Leave the moves of an expected line in the table, as far as they are legal."""
        position = self.position
        made = 0
        for move in line:
            if move not in position.legal_moves():
                break
            if not self.table.find(position.board[mg.HASH]):
                self.table.store(position.board[mg.HASH], move, 0, AT_MOST, INFINITE - 1)
            position.make(move)
            made += 1
        for _undone in range(made):
            position.undo()

    def _begin(self, alpha: i64, beta: i64) -> None:
        frames = self.frames
        frames[ALPHA] = alpha
        frames[BETA] = beta
        frames[DEPTH] = self.depth + 1
        frames[CHECKED] = 1 if self.position.in_check() else 0
        frames[MAY_PASS] = 0
        frames[FIRST] = 0
        self.ply = 0
        self.entering = True

    def _end(self, value: i64) -> None:
        """An iteration has come back with `value`: widen its window, or go one ply deeper."""
        frames = self.frames
        if value <= frames[FLOOR] and frames[FLOOR] > -INFINITE:
            self._begin(-INFINITE, frames[BETA])
            return
        if value >= frames[BETA] and frames[BETA] < INFINITE:
            self._begin(frames[FLOOR], INFINITE)
            return
        self.depth += 1
        self.improved += 1
        self.score = value
        found = is_mate(value) and MATE - (value if value > 0 else -value) <= self.depth
        if self.depth >= self.max_depth or found:
            self.finished = True
            return
        window = self.step // 5
        if self.depth < 4 or is_mate(value):
            window = 2 * INFINITE
        self._begin(max(value - window, -INFINITE), min(value + window, INFINITE))

    # -- Frames ------------------------------------------------------------------------------------

    def _enter(self) -> None:
        """A new frame: answer it at once, or prepare its moves and search the first."""
        self.nodes += 1
        ply = self.ply
        frames = self.frames
        at = ply * FRAME
        position = self.position
        board = position.board
        alpha, beta, depth = frames[at + ALPHA], frames[at + BETA], frames[at + DEPTH]
        checked = frames[at + CHECKED]
        self.lines.clear(ply)
        if ply > self.seldepth:
            self.seldepth = ply
        if ply:
            if self._is_drawn(checked):
                self._return(0)
                return
            # Nothing below can be worse than mated now, or better than mating with the next move.
            if alpha < ply - MATE:
                alpha = ply - MATE
            if beta > MATE - ply - 1:
                beta = MATE - ply - 1
            if alpha >= beta:
                self._return(alpha)
                return
            if ply >= MAX_PLY - 1 or frames[at + FIRST] > mg.MAX_MOVES * 64:
                self._return(self.evaluator.score(board))
                return
        if checked and depth >= 0:
            depth += 1
        frames[at + ALPHA] = alpha
        frames[at + BETA] = beta
        frames[at + DEPTH] = depth
        frames[at + FLOOR] = alpha
        frames[at + BEST] = -INFINITE
        frames[at + BEST_MOVE] = 0
        frames[at + TRIED] = 0

        known = self.table.find(board[mg.HASH])
        frames[at + HASH_MOVE] = move_of(known)
        if known and ply and depth_of(known) >= depth and beta - alpha == 1:
            score = _from_table(score_of(known), ply)
            bound = bound_of(known)
            if (
                bound == EXACT
                or (bound == AT_LEAST and score >= beta)
                or (bound == AT_MOST and score <= alpha)
            ):
                self._return(score)
                return
        if not checked:
            static = self.evaluator.score(board)
            frames[at + STATIC] = static
            if depth <= 0:
                if static >= beta:
                    self._return(static)
                    return
                frames[at + BEST] = static
                frames[at + ALPHA] = max(alpha, static)
            elif ply and beta - alpha == 1 and not is_mate(beta):
                if depth <= 6 and static - self.step * depth // 2 >= beta:
                    self._return(static)
                    return
                if frames[at + MAY_PASS] and depth >= 3 and static >= beta and self._has_pieces():
                    self._pass()
                    return
        self._prepare()
        self._next()

    def _is_drawn(self, checked: i64) -> bool:
        position = self.position
        halfmoves = position.board[mg.HALFMOVES]
        if halfmoves >= 4 and position.repetitions(1):
            return True
        if halfmoves >= 100 and (not checked or mg.count_moves(position.board)):
            return True
        return position.is_insufficient_material()

    def _has_pieces(self) -> bool:
        """Whether the side to move has more than king and pawns: else zugzwang is likely."""
        board = self.position.board
        side = board[mg.TURN]
        return board[mg.SIDE + side] != board[side * 6 + mg.PAWNS] | board[side * 6 + mg.KINGS]

    def _pass(self) -> None:
        """AlphaBetaSearch the position with the other side to move: if even that is good, it is good."""
        frames = self.frames
        at = self.ply * FRAME
        depth = frames[at + DEPTH]
        frames[at + STAGE] = PASSED
        self.position.make_null()
        child = at + FRAME
        frames[child + ALPHA] = -frames[at + BETA]
        frames[child + BETA] = 1 - frames[at + BETA]
        frames[child + DEPTH] = max(depth - 3 - depth // 4, 0)
        frames[child + CHECKED] = 0
        frames[child + MAY_PASS] = 0
        frames[child + FIRST] = frames[at + FIRST]
        self.ply += 1
        self.entering = True

    def _prepare(self) -> None:
        """Generate and order the moves of the frame; in quiescence captures and promotions only."""
        frames = self.frames
        at = self.ply * FRAME
        board = self.position.board
        moves = self.ordering.moves
        first = frames[at + FIRST]
        if self.ply == 0:
            end = first
            for move in self.roots:
                moves[end] = move
                end += 1
        else:
            quiescence = frames[at + DEPTH] <= 0 and not frames[at + CHECKED]
            end = mg.generate(
                board, moves, first, board[mg.SIDE + 1 - board[mg.TURN]] if quiescence else i64(bb.ALL)
            )
        frames[at + NEXT] = first
        frames[at + END] = end
        self.ordering.score_moves(board, first, end, frames[at + HASH_MOVE], self.ply)

    def _pick(self, at: i64) -> i64:
        """The best-ordered move that is left, or 0; its order stays in orders[NEXT - 1]."""
        frames = self.frames
        next = frames[at + NEXT]
        if next >= frames[at + END]:
            return 0
        frames[at + NEXT] = next + 1
        return self.ordering.pick(next, frames[at + END])

    def _next(self) -> None:
        """AlphaBetaSearch the frame's next move, or finish the frame when none is left."""
        frames = self.frames
        at = self.ply * FRAME
        depth = frames[at + DEPTH]
        checked = frames[at + CHECKED]
        board = self.position.board
        tried = frames[at + TRIED]
        move = self._pick(at)
        while move and depth <= 0 and not checked and self._is_hopeless(at, move):
            move = self._pick(at)
        if not move:
            self._finish(at)
            return
        order = self.ordering.orders[frames[at + NEXT] - 1]
        quiet = -KILLER < order < KILLER
        # Moves come best first: where this one is not worth a look, the rest are not either.
        if depth <= 0:
            futile = order < 0 and not checked
        else:
            futile = tried > 0 and depth <= 6 and not checked and self._is_futile(at, quiet, order)
        if futile:
            self._finish(at)
            return
        frames[at + MOVE] = move
        frames[at + TRIED] = tried + 1
        self.position.make(move)
        self.table.touch(board[mg.HASH])
        side = board[mg.TURN]
        king = bb.lowest(board[side * 6 + mg.KINGS])
        gives_check = mg.attackers(board, king, 1 - side, board[mg.SIDE] | board[mg.SIDE + 1]) != 0
        frames[at + FRAME + CHECKED] = i64(1) if gives_check else i64(0)
        reduced: i64 = 0
        if depth >= 3 and tried >= 2 and quiet and not checked and not gives_check:
            reduced = REDUCTIONS[min(depth, 63) * 64 + min(tried, 63)]
            if frames[at + BETA] - frames[at + FLOOR] > 1 and reduced > 0:
                reduced -= 1
            if reduced > depth - 2:
                reduced = depth - 2
        frames[at + REDUCED] = reduced
        self._descend(at, i64(FULL) if tried == 0 or depth <= 0 else i64(SCOUT))

    def _is_futile(self, at: i64, quiet: bool, order: i64) -> bool:
        """Whether a late move near the leaves is unlikely to matter: the position is too far below alpha.

        How many moves were tried before it does not count: leaving out those after 3 + depth * depth cost
        89 Elo [41, 137] at 10,000 nodes a move against leaving them out after twice as many.
        """
        frames = self.frames
        if self.ply == 0 or frames[at + BEST] <= -LIMIT:
            return False
        depth = frames[at + DEPTH]
        if quiet:
            return frames[at + STATIC] + self.step * (depth + 1) < frames[at + ALPHA]
        return order < 0 and depth <= 3 and frames[at + BETA] - frames[at + ALPHA] == 1

    def _is_hopeless(self, at: i64, move: i64) -> bool:
        """Whether even winning the piece leaves quiescence below alpha."""
        if move >> 12 >= mg.CAPTURE_EN_PASSANT:
            return False
        victim = self.position.board[mg.MAILBOX + ((move >> 6) & 63)] % 6
        return self.frames[at + STATIC] + self.values[victim] + 2 * self.step <= self.frames[at + ALPHA]

    def _descend(self, at: i64, stage: i64) -> None:
        """Open the child frame, after the move was made, with the window of `stage`."""
        frames = self.frames
        child = at + FRAME
        frames[at + STAGE] = stage
        alpha = frames[at + ALPHA]
        frames[child + ALPHA] = -alpha - 1 if stage == SCOUT else -frames[at + BETA]
        frames[child + BETA] = -alpha
        frames[child + DEPTH] = frames[at + DEPTH] - 1 - (frames[at + REDUCED] if stage == SCOUT else i64(0))
        frames[child + MAY_PASS] = 1
        frames[child + FIRST] = frames[at + END]
        self.ply += 1
        self.entering = True

    def _resume(self) -> None:
        """A child has come back: take its move back, look deeper where needed, and go on."""
        ply = self.ply
        frames = self.frames
        at = ply * FRAME
        value = -self.value
        stage = frames[at + STAGE]
        if stage == PASSED:
            self.position.undo_null()
            if value >= frames[at + BETA]:
                self._return(frames[at + BETA])
                return
            self._prepare()
            self._next()
            return
        alpha = frames[at + ALPHA]
        if stage == SCOUT and value > alpha:
            if frames[at + REDUCED]:
                frames[at + REDUCED] = 0
                self._descend(at, SCOUT)
                return
            if value < frames[at + BETA]:
                self._descend(at, FULL)
                return
        self.position.undo()
        move = frames[at + MOVE]
        if value > frames[at + BEST]:
            frames[at + BEST] = value
            if value > alpha:
                frames[at + BEST_MOVE] = move
                frames[at + ALPHA] = value
                self.lines.extend(ply, move)
                if value >= frames[at + BETA]:
                    self.ordering.update_history(
                        self.position.board,
                        frames[at + FIRST],
                        frames[at + NEXT],
                        move,
                        frames[at + DEPTH],
                        ply,
                    )
                    self._finish(at)
                    return
                if ply == 0:
                    self._report(value)
        self._next()

    def _report(self, value: i64) -> None:
        """A better move at the root, or a better score for it."""
        self.line = self.lines.principal()
        self.score = value
        self.improved += 1

    def _finish(self, at: i64) -> None:
        """All moves of the frame are searched, or one was too good: keep the result and return it."""
        frames = self.frames
        best = frames[at + BEST]
        depth = frames[at + DEPTH]
        if best == -INFINITE:  # no legal move
            self._return(self.ply - MATE if frames[at + CHECKED] else i64(0))
            return
        bound: i64 = EXACT
        if best >= frames[at + BETA]:
            bound = AT_LEAST
        elif best <= frames[at + FLOOR]:
            bound = AT_MOST
        if self.ply or len(self.roots) == frames[END]:
            key = self.position.board[mg.HASH]
            self.table.store(key, frames[at + BEST_MOVE], max(depth, 0), bound, _to_table(best, self.ply))
        self._return(best)

    def _return(self, value: i64) -> None:
        self.value = value
        if self.ply == 0:
            self._end(value)
        else:
            self.ply -= 1
            self.entering = False


def _to_table(score: i64, ply: i64) -> i64:
    if score > LIMIT:
        return score + ply
    return score - ply if score < -LIMIT else score


def _from_table(score: i64, ply: i64) -> i64:
    if score > LIMIT:
        return score - ply
    return score + ply if score < -LIMIT else score
