"""Alpha-beta search: iterative deepening over the genome's evaluation.

None of it evolves in Genetic Chess (section 3): principal variation windows, a transposition table, quiescence,
pruning, reductions and extensions; methods as named on chessprogramming.org. The tree is walked on a stack of frames
instead of by recursion, so run(nodes) stops and goes on anywhere, and what it finds does not depend on how the nodes
were cut into slices.
"""

from math import log
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess.evaluation import INFINITE, LIMIT, MATE, Evaluator, is_mate
from core.chess.history import NO_PLACE, History, place_of
from core.chess.move_ordering import KILLER, MoveOrdering, is_quiet, see_at_least
from core.chess.position import Position, key_after
from core.chess.search_params import SearchParams
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
FRAME: Final = 24
ALPHA: Final = 0
BETA: Final = 1
DEPTH: Final = 2
BEST: Final = 3  # score
BEST_MOVE: Final = 4
STAGE: Final = 5
NEXT: Final = 6  # index of the next move to pick
END: Final = 7
CHECKED: Final = 8
STATIC: Final = 9  # evaluation, or NO_STATIC if CHECKED
TRIED: Final = 10  # moves searched
MOVE: Final = 11  # being searched
HASH_MOVE: Final = 12
FLOOR: Final = 13  # alpha on entering
MAY_PASS: Final = 14
FIRST: Final = 15  # index of the first move
REDUCED: Final = 16  # plies saved on the move being searched
PLACE: Final = 17  # where the move being searched brings what
SINGULAR_BETA: Final = 18  # if all other moves stay below, the table's is singular; INFINITE: not asked
EXCLUDED: Final = 19  # the table's move, while the others are searched
EXTENDED: Final = 20  # plies more for the table's move
OUTER_ALPHA: Final = 21  # the frame's own window and depth, meanwhile
OUTER_BETA: Final = 22
OUTER_DEPTH: Final = 23
NO_STATIC: Final = -INFINITE

# What the frame's child was searched for.
FULL: Final = 0
PASSED: Final = 1  # a null move
SCOUT: Final = 2  # a window of one unit, perhaps reduced


def _logs() -> vec[i64]:
    """[n]: 100 * log(n)."""
    return vec[i64]([0] + [round(100 * log(n)) for n in range(1, 256)])


LOGS: Final = _logs()


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
        history: History | None = None,
        lines: int = 1,
        ends_at_mate: bool = True,
        params: SearchParams | None = None,
    ) -> None:
        """Search `actions` (all legal moves if empty; ValueError if there is none) to `depth` plies.

        `recalled` is a line expected earlier: its moves are tried first (section 3.4). `history` is what the searches
        before have learnt. Of the best moves `lines` are searched; a mate that cannot be shorter ends the search,
        unless it is to go on.
        """
        self.position = position.clone()
        self.evaluator = evaluator
        self.table = table
        self.params = params or SearchParams()
        self.history = history or History()
        self.history.new_search()
        self.values = vec[i64]([int(evaluator.material[kind]) for kind in range(6)])
        self.ordering = MoveOrdering(self.values, self.history, self.params, evaluator.pawn)
        self.frames = vec[i64]([0] * int(FRAME * (MAX_PLY + 2)))
        self.lines = PvTable()
        self.pawn: i64 = evaluator.pawn

        self.roots = [move for move in position.legal_moves() if not actions or move in actions]
        if not self.roots:
            raise ValueError("no legal move to search")
        self.line: list[int] = [self.roots[0]]
        self.score: i64 = 0
        # Score and line: of the second best move, the third ...; and in this iteration of the best, the second ...
        self.alternatives: list[tuple[int, list[int]]] = []
        self.ends_at_mate = ends_at_mate
        self.line_count = min(lines, len(self.roots))
        self.found: list[tuple[int, list[int]]] = []
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

    def current_move(self) -> tuple[int, int]:
        """The root's move that is being searched, and its number from 1; 0 before the first."""
        return int(self.frames[MOVE]), int(self.frames[TRIED])

    def units(self, cents: i64) -> i64:
        """Hundredths of a pawn as units of the evaluation."""
        return cents * self.pawn // 100

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
        if not self.found:
            self.score = value
        self.found.append((int(value), self.lines.principal()))
        if len(self.found) < self.line_count:
            before = self.alternatives[len(self.found) - 1][0] if self.alternatives else -int(INFINITE)
            self._begin_around(before)
            return
        self.alternatives = sorted(self.found[1:], key=_falling)
        self.found = []
        value = self.score
        self.depth += 1
        self.improved += 1
        proven = is_mate(value) and MATE - (value if value > 0 else -value) <= self.depth
        if self.depth >= self.max_depth or (proven and self.ends_at_mate):
            self.finished = True
            return
        self._begin_around(self.score)

    def _begin_around(self, score: i64) -> None:
        """Begin an iteration with a window around what the one before came to."""
        window = self.units(self.params.window)
        if self.depth < 4 or is_mate(score):
            window = 2 * INFINITE
        self._begin(max(score - window, -INFINITE), min(score + window, INFINITE))

    # -- Entering a frame --------------------------------------------------------------------------

    def _enter(self) -> None:
        """A new frame: answer it at once, or prepare its moves and search the first."""
        self.nodes += 1
        ply = self.ply
        frames = self.frames
        at = ply * FRAME
        position = self.position
        board = position.board
        params = self.params
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
        frames[at + FLOOR] = alpha
        frames[at + BEST] = -INFINITE
        frames[at + BEST_MOVE] = 0
        frames[at + TRIED] = 0
        frames[at + PLACE] = NO_PLACE
        frames[at + SINGULAR_BETA] = INFINITE
        frames[at + EXCLUDED] = 0
        frames[at + EXTENDED] = 0

        known = self.table.find(board[mg.HASH])
        frames[at + HASH_MOVE] = move_of(known)
        score = _from_table(score_of(known), ply)
        bound = bound_of(known)
        scout = ply != 0 and beta - alpha == 1
        if known and scout and depth_of(known) >= depth:
            if (
                bound == EXACT
                or (bound == AT_LEAST and score >= beta)
                or (bound == AT_MOST and score <= alpha)
            ):
                self._return(score)
                return
        if depth >= params.iir_depth and not frames[at + HASH_MOVE]:
            depth -= 1
        frames[at + DEPTH] = depth
        if (
            depth >= params.singular_depth
            and ply
            and frames[at + HASH_MOVE]
            and bound != AT_MOST
            and depth_of(known) >= depth - 3
            and not is_mate(score)
            and ply <= 2 * self.depth
        ):
            frames[at + SINGULAR_BETA] = score - self.units(params.singular_margin * depth)
        if checked:
            frames[at + STATIC] = NO_STATIC
            self._begin_moves(at)
            return
        static = self.evaluator.score(board)
        frames[at + STATIC] = static
        if known and not is_mate(score):  # what a search has found is better than the evaluation
            if (
                bound == EXACT
                or (bound == AT_LEAST and score > static)
                or (bound == AT_MOST and score < static)
            ):
                static = score
        if depth <= 0:
            if static >= beta:
                self._return(static)
                return
            frames[at + BEST] = static
            frames[at + ALPHA] = max(alpha, static)
        elif scout and not is_mate(beta):
            if (
                depth <= params.static_depth
                and static - self.units(params.static_margin * depth) >= beta
                and mg.king_attackers(board, 1 - board[mg.TURN]) < params.static_attackers
            ):
                self._return(static)
                return
            if (
                frames[at + MAY_PASS]
                and depth >= params.null_depth
                and static >= beta
                and self._has_pieces()
                and not (known and bound == AT_MOST and score < beta)
            ):
                self._pass()
                return
        self._begin_moves(at)

    def _is_improving(self, at: i64) -> bool:
        """Whether the side to move is better off than at its last turn without a check."""
        frames = self.frames
        before = i64(NO_STATIC)
        if self.ply >= 2:
            before = frames[at - 2 * FRAME + STATIC]
            if before == NO_STATIC and self.ply >= 4:
                before = frames[at - 4 * FRAME + STATIC]
        return before != NO_STATIC and frames[at + STATIC] > before

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
        """Search the position with the other side to move: if even that is good, it is good."""
        frames = self.frames
        params = self.params
        at = self.ply * FRAME
        depth = frames[at + DEPTH]
        reduction = (params.null_reduction + params.null_slope * depth) // 100
        frames[at + STAGE] = PASSED
        frames[at + PLACE] = NO_PLACE
        self.position.make_null()
        self._touch(self.position.board[mg.HASH])
        child = at + FRAME
        frames[child + ALPHA] = -frames[at + BETA]
        frames[child + BETA] = 1 - frames[at + BETA]
        frames[child + DEPTH] = max(depth - reduction, params.null_least)
        frames[child + CHECKED] = 0
        frames[child + MAY_PASS] = 0
        frames[child + FIRST] = frames[at + FIRST]
        self.ply += 1
        self.entering = True

    # -- Singular extension ------------------------------------------------------------------------

    def _begin_moves(self, at: i64) -> None:
        """Search the frame's moves, or at first, and less deep, all but the table's: is it much better than they are?"""
        frames = self.frames
        beta = frames[at + SINGULAR_BETA]
        if beta < INFINITE:
            frames[at + OUTER_ALPHA] = frames[at + ALPHA]
            frames[at + OUTER_BETA] = frames[at + BETA]
            frames[at + OUTER_DEPTH] = frames[at + DEPTH]
            frames[at + ALPHA] = beta - 1
            frames[at + FLOOR] = beta - 1
            frames[at + BETA] = beta
            frames[at + DEPTH] = (frames[at + DEPTH] - 1) // 2
            frames[at + EXCLUDED] = frames[at + HASH_MOVE]
        self._prepare()
        self._next()

    def _end_exclusion(self, at: i64) -> None:
        """The others are searched: extend the table's move if none comes near; two moves above beta are a cut."""
        frames = self.frames
        best, singular_beta = frames[at + BEST], frames[at + BETA]
        frames[at + SINGULAR_BETA] = INFINITE
        frames[at + EXCLUDED] = 0
        frames[at + ALPHA] = frames[at + OUTER_ALPHA]
        frames[at + FLOOR] = frames[at + OUTER_ALPHA]
        frames[at + BETA] = frames[at + OUTER_BETA]
        frames[at + DEPTH] = frames[at + OUTER_DEPTH]
        frames[at + BEST] = -INFINITE
        frames[at + BEST_MOVE] = 0
        frames[at + TRIED] = 0
        self.lines.clear(self.ply)
        if best < singular_beta:
            frames[at + EXTENDED] = 1
        elif singular_beta >= frames[at + BETA]:
            self._return(singular_beta)
            return
        self._begin_moves(at)

    # -- The moves of a frame ----------------------------------------------------------------------

    def _prepare(self) -> None:
        """Generate and order the moves of the frame; in quiescence captures, promotions, and at first checks."""
        frames = self.frames
        at = self.ply * FRAME
        board = self.position.board
        moves = self.ordering.moves
        first = frames[at + FIRST]
        if self.ply == 0:
            end = first
            better = [line[0] for _, line in self.found]
            for move in self.roots:
                if move not in better:
                    moves[end] = move
                    end += 1
        else:
            if frames[at + DEPTH] > 0 or frames[at + CHECKED]:
                end = mg.generate(board, moves, first, bb.ALL)
            elif frames[at + DEPTH] == 0:
                end = self._captures_and_checks(first)
            else:
                end = mg.generate(board, moves, first, board[mg.SIDE + 1 - board[mg.TURN]])
        frames[at + NEXT] = first
        frames[at + END] = end
        self.ordering.score_moves(
            board,
            first,
            end,
            frames[at + HASH_MOVE],
            self.ply,
            self._last(at, 1),
            self._last(at, 2),
            self.evaluator.phase_weights(board).places,
        )

    def _captures_and_checks(self, first: i64) -> i64:
        """Captures, promotions, and quiet moves to give check that lose nothing, from moves[first] on; the end."""
        board = self.position.board
        moves = self.ordering.moves
        other = 1 - board[mg.TURN]
        king = bb.lowest(board[other * 6 + mg.KINGS])
        occupied = board[mg.SIDE] | board[mg.SIDE + 1]
        checks = bb.KNIGHT[king] | bb.bishop_attacks(king, occupied) | bb.rook_attacks(king, occupied)
        end = first
        for index in range(first, mg.generate(board, moves, first, board[mg.SIDE + other] | checks)):
            move = moves[index]
            if not is_quiet(board, move) or (
                mg.gives_check(board, move) and see_at_least(board, move, 0, self.values)
            ):
                moves[end] = move
                end += 1
        return end

    def _last(self, at: i64, plies: i64) -> i64:
        """Where the move so many plies ago brought what."""
        return self.frames[at - plies * FRAME + PLACE] if self.ply >= plies else i64(NO_PLACE)

    def _pick(self, at: i64) -> i64:
        """The best-ordered move that is left, or 0; its order stays in orders[NEXT - 1]."""
        frames = self.frames
        next = frames[at + NEXT]
        if next >= frames[at + END]:
            return 0
        frames[at + NEXT] = next + 1
        return self.ordering.pick(next, frames[at + END])

    def _next(self) -> None:
        """Search the frame's next move, or finish the frame when none is left."""
        frames = self.frames
        at = self.ply * FRAME
        depth = frames[at + DEPTH]
        move = self._pick(at)
        if move and move == frames[at + EXCLUDED]:
            self.ordering.moves[frames[at + NEXT] - 1] = 0
            move = self._pick(at)
        while move:
            order = self.ordering.orders[frames[at + NEXT] - 1]
            if depth > 0:
                if not self._is_pruned(at, move, order):
                    break
            elif frames[at + CHECKED]:
                break
            elif order <= -KILLER:  # moves come best first
                move = 0
                break
            elif not self._is_hopeless(at, move):
                break
            self.ordering.moves[frames[at + NEXT] - 1] = 0
            move = self._pick(at)
        if not move:
            self._finish(at)
            return
        self._try(at, move)

    def _try(self, at: i64, move: i64) -> None:
        """Make the move and search it, reduced if it comes late."""
        frames = self.frames
        params = self.params
        board = self.position.board
        depth = frames[at + DEPTH]
        tried = frames[at + TRIED]
        order = self.ordering.orders[frames[at + NEXT] - 1]
        self._touch(key_after(board, move))
        frames[at + MOVE] = move
        frames[at + PLACE] = place_of(board, move)
        frames[at + TRIED] = tried + 1
        self._make(at, move)
        reduced: i64 = 0
        if (
            depth >= params.lmr_depth
            and tried >= params.lmr_moves
            and order < KILLER
            and self.ply
            and not frames[at + CHECKED]
            and not frames[at + FRAME + CHECKED]
        ):
            logs = LOGS[min(depth, 255)] * LOGS[min(tried, 255)]
            amount = params.lmr_base + logs * params.lmr_slope // 10_000
            if frames[at + BETA] - frames[at + FLOOR] > 1:
                amount -= 100
            if order > -KILLER:
                amount -= order * 100 // params.lmr_history
            reduced = max(min(amount // 100, depth - 2), 0)
        frames[at + REDUCED] = reduced
        self._descend(at, i64(FULL) if tried == 0 or depth <= 0 else i64(SCOUT))

    def _touch(self, key: i64) -> None:
        """Have what is known of the position to come brought near, while its move is made."""
        self.table.touch(key)
        self.evaluator.touch(key)

    def _make(self, at: i64, move: i64) -> None:
        """Make the move; the child frame knows whether it gives check."""
        position = self.position
        position.make(move)
        board = position.board
        side = board[mg.TURN]
        king = bb.lowest(board[side * 6 + mg.KINGS])
        gives_check = mg.attackers(board, king, 1 - side, board[mg.SIDE] | board[mg.SIDE + 1]) != 0
        self.frames[at + FRAME + CHECKED] = i64(1) if gives_check else i64(0)

    def _is_pruned(self, at: i64, move: i64, order: i64) -> bool:
        """Whether a later move of a frame above quiescence is not worth a look."""
        frames = self.frames
        params = self.params
        if frames[at + TRIED] == 0 or frames[at + CHECKED] or self.ply == 0 or frames[at + BEST] <= -LIMIT:
            return False
        depth = frames[at + DEPTH]
        if -KILLER < order < KILLER and (self._has_tried_enough(at, depth) or self._is_futile(at, depth)):
            frames[at + END] = self.ordering.drop_quiet(frames[at + NEXT], frames[at + END])
            return True
        if order < KILLER and depth <= params.see_depth:
            loss = params.see_quiet * depth * depth if order > -KILLER else params.see_capture * depth
            board = self.position.board
            return not see_at_least(board, move, -self.units(loss), self.values) and not mg.gives_check(
                board, move
            )
        return False

    def _has_tried_enough(self, at: i64, depth: i64) -> bool:
        """Whether no quiet move that is left is likely to be better than those before it.

        Moves are left out sparingly. After (3 + depth * depth) / 2 of them, as many engines do, it cost 230 Elo
        [177, 284] at 8,000 nodes a move: with so few nodes the order of quiet moves is not good enough.
        """
        params = self.params
        if depth > params.late_depth:
            return False
        most = params.late_moves + params.late_slope * depth * depth
        if not self._is_improving(at):
            most //= 2
        return self.frames[at + TRIED] * 100 >= most

    def _is_futile(self, at: i64, depth: i64) -> bool:
        """Whether the position is too far below alpha for a quiet move to help."""
        params = self.params
        margin = self.units(params.futile_margin + params.futile_slope * depth)
        return depth <= params.futile_depth and self.frames[at + STATIC] + margin < self.frames[at + ALPHA]

    def _is_hopeless(self, at: i64, move: i64) -> bool:
        """Whether even winning the piece leaves quiescence below alpha; quiet moves, at its first ply, give check."""
        if move >> 12 >= mg.CAPTURE_EN_PASSANT:
            return False
        victim = self.position.board[mg.MAILBOX + ((move >> 6) & 63)] % 6
        gain = self.values[victim] + self.units(self.params.delta_margin)
        if self.frames[at + STATIC] + gain > self.frames[at + ALPHA]:
            return False
        return self.frames[at + DEPTH] < 0 or not mg.gives_check(self.position.board, move)

    def _descend(self, at: i64, stage: i64) -> None:
        """Open the child frame, after the move was made, with the window of `stage`."""
        frames = self.frames
        child = at + FRAME
        frames[at + STAGE] = stage
        alpha = frames[at + ALPHA]
        frames[child + ALPHA] = -alpha - 1 if stage == SCOUT else -frames[at + BETA]
        frames[child + BETA] = -alpha
        frames[child + DEPTH] = frames[at + DEPTH] - 1 - (frames[at + REDUCED] if stage == SCOUT else i64(0))
        if frames[at + MOVE] == frames[at + HASH_MOVE]:
            frames[child + DEPTH] += frames[at + EXTENDED]
        frames[child + MAY_PASS] = 1
        frames[child + FIRST] = frames[at + END]
        self.ply += 1
        self.entering = True

    # -- Coming back -------------------------------------------------------------------------------

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
            self._begin_moves(at)
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
                    self._learn(at, move)
                    self._finish(at)
                    return
                if ply == 0:
                    self._report(value)
        self._next()

    def _learn(self, at: i64, move: i64) -> None:
        """The move was too good."""
        frames = self.frames
        params = self.params
        depth = frames[at + DEPTH]
        bonus = max(min(params.bonus_slope * depth, params.bonus_most), 16)  # in quiescence depth is below 1
        self.ordering.learn(
            self.position.board,
            frames[at + FIRST],
            frames[at + NEXT],
            move,
            bonus,
            self.ply,
            self._last(at, 1),
            self._last(at, 2),
        )

    def _report(self, value: i64) -> None:
        """A better move at the root, or a better score for it; of the second best move it is told when all are found."""
        if self.found:
            return
        self.line = self.lines.principal()
        self.score = value
        self.improved += 1

    def _finish(self, at: i64) -> None:
        """All moves of the frame are searched, or one was too good: keep the result and return it."""
        frames = self.frames
        if frames[at + EXCLUDED]:
            self._end_exclusion(at)
            return
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


def _falling(line: tuple[int, list[int]]) -> int:
    return -line[0]


def _to_table(score: i64, ply: i64) -> i64:
    if score > LIMIT:
        return score + ply
    return score - ply if score < -LIMIT else score


def _from_table(score: i64, ply: i64) -> i64:
    if score > LIMIT:
        return score - ply
    return score + ply if score < -LIMIT else score
