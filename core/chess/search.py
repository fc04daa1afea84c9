"""Alpha-beta search: iterative deepening over the genome's evaluation.

The methods, named as on chessprogramming.org, are principal variation search with aspiration windows, a transposition
table, quiescence, pruning, reductions and extensions. None of them evolves in Genetic Chess (section 3). Their
numbers are in core.chess.search_params. The Elo of each method, and of those that were tried and left out, is in
engines/chess/RESULTS.md, with intervals. Left out are late move pruning after 3 + depth**2 moves (-230 Elo), move
ordering by pawns' attacks (-22), more reduction at expected cut nodes (-10), correction history (-6) and aspiration
windows that grow by half (-5).

Control. The tree is walked on a stack of frames instead of by recursion, one frame for each ply, so run(nodes) stops
and continues anywhere, and the result does not depend on how the nodes were cut into slices. The search is in one of
two states. If it is entering, _enter() counts a node and either answers the frame at once (a draw, the table, the
evaluation) or prepares its moves and opens the child frame of the first. Otherwise a child has returned `value`, and
_resume() takes its move back, repeats the search with more depth or a wider window where needed, or opens the child
of the next move. The frame's stage says what the child was searched for: a null move, a window of one unit, or the
full window. A frame without a move left stores its result in the table and returns. A singular extension searches the
moves of a frame twice: first at about half the depth, without the table's move.

Invariants. self.frame is frames[ply]. When a frame is entered, `ply` moves, null moves included, have been made since
the root. The moves of all frames lie on one stack, and those of a child start where those of its parent end. `line`
is never empty and always legal.

Lines. An iteration ranks the best `lines` moves of the root in one pass: alpha at the root is the score of the worst
ranked move, so each move is ranked once and every rank has an exact score. This needs 16 to 30 % fewer nodes for the
same depth than a pass for each line. Several lines are replaced together when an iteration is complete, never during
it, when their scores would come from two depths.

Mates. A mate is reported only if it is proved. Defenders' moves are never pruned while all moves searched so far are
mated, and a mate found in quiescence has been searched for every move out of check. A score by which the side to move
is mated is published only after all moves of the root have been searched. A table entry with a mate after the
hundredth half-move without progress is ignored, and near that limit an entry is found only at the same half-move
clock. A hunt proves that no mate is shorter: it is a search of 2n - 1 plies for a mate in n moves, by all moves,
without pruning or reductions. Its table entries have their own keys, since those of the usual search do not prove
that there is no mate. A hunt may take as many nodes as the search before it, and at least HUNT_NODES, or
FIRST_HUNT_NODES if no mate is known. A hunt that is given up is tried again when the search has taken twice as many
nodes.

Repetitions. A position that has occurred since the root counts as a draw when it occurs again, since the side that
wants to avoid the draw could have differed the first time. A position from before the root must have occurred twice
(FIDE Laws, 9.2). Such positions change all keys of the table, so that no entry leads through them to a mate.
"""

from math import log
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb
from core.chess import movegen as mg
from core.chess.evaluation import INFINITE, LIMIT, MATE, Evaluator, is_mate, moves_to_mate
from core.chess.history import NO_PLACE, History, place_of
from core.chess.move_ordering import HASH_MOVE, KILLER, MoveOrdering, is_quiet, see_at_least
from core.chess.position import Position, insufficient_material, key_after
from core.chess.search_params import SearchParams
from core.chess.search_task import ENDLESS, MATE_SEEN, MAX_DEPTH, SearchTask
from core.chess.transposition import (
    EXACT,
    LOWER_BOUND,
    MAX_PLY,
    UPPER_BOUND,
    PvTable,
    TranspositionTable,
    bound_of,
    depth_of,
    move_of,
    score_of,
)

NO_STATIC: Final = -0x20000000  # -INFINITE

# The stages of a frame: what its child is searched for.
FULL: Final = 0  # the full window
PASSED: Final = 1  # a null move
SCOUT: Final = 2  # a window of one unit, possibly at reduced depth

# The least nodes of a hunt. With a known mate the search can wait for a third of a second.
HUNT_NODES: Final = 200_000  # if a mate is known
FIRST_HUNT_NODES: Final = 10_000
UNBOUNDED: Final = 1_000_000_000_000_000_000  # nodes
LATE_CLOCK: Final = 80  # half-moves without progress from which on the table's keys include the clock


def _logs() -> vec[i64]:
    """Return the table [n] of 100 * log(n), rounded; its entry 0 is 0."""
    return vec[i64]([0] + [round(100 * log(n)) for n in range(1, 256)])


LOGS: Final = _logs()


def _exhaustive() -> SearchParams:
    """Return parameters with which no move is pruned, reduced or extended."""
    params = SearchParams()
    params.static_depth = params.futile_depth = params.late_depth = params.see_depth = -1
    params.singular_depth = params.null_depth = params.iir_depth = params.lmr_depth = 2 * MAX_DEPTH
    return params


EXHAUSTIVE: Final = _exhaustive()


@final
class Frame:
    """The search of one position on the path from the root to the current position."""

    child: "Frame"  # the frame one ply deeper; not set in the deepest frame

    def __init__(self) -> None:
        self.alpha: i64 = 0
        self.beta: i64 = 0
        self.depth: i64 = 0
        self.floor: i64 = 0  # alpha when the frame was entered
        self.best: i64 = 0  # the best score so far
        self.best_move: i64 = 0
        self.hash_move: i64 = 0
        self.static: i64 = 0  # the evaluation, or NO_STATIC if in check
        self.checked = False
        self.may_pass = False
        self.first: i64 = 0  # indices of the first move, of the next to pick, and after the last
        self.next: i64 = 0
        self.end: i64 = 0
        self.tried: i64 = 0  # the number of moves searched
        self.stage: i64 = 0
        self.move: i64 = 0  # the move being searched
        self.reduced: i64 = 0  # plies by which its search is reduced
        self.place: i64 = 0  # its place (core.chess.history)
        self.last: i64 = 0  # the place of the opponent's last move
        self.own_last: i64 = 0  # the place of the side's own last move
        # The table's move is singular if all other moves stay below this score; INFINITE: no test for singularity.
        self.singular_beta: i64 = 0
        self.excluded: i64 = 0  # the table's move, while the others are searched to test for singularity
        self.extended: i64 = 0  # plies by which the table's move is extended
        self.outer_alpha: i64 = 0  # the frame's own window and depth during that test
        self.outer_beta: i64 = 0
        self.outer_depth: i64 = 0


@final
class AlphaBetaSearch:
    """A search of one position; `line`, `score` (in units), `depth` and `nodes` hold the best result so far."""

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        table: TranspositionTable,
        task: SearchTask | None = None,
        history: History | None = None,
        params: SearchParams | None = None,
    ) -> None:
        """Start a search; raises ValueError if the task leaves no legal move.

        `history` holds the move statistics of earlier searches in the same game.
        """
        task = task or SearchTask()
        self.position: Final = position.clone()
        self.board: Final = self.position.board  # a short name: the position never replaces its board
        self.evaluator: Final = evaluator
        self.table: Final = table
        self.usual: Final = params or SearchParams()
        self.params = self.usual  # EXHAUSTIVE during a hunt
        self.history: Final = history or History()
        self.history.new_search()
        self.values: Final = vec[i64]([int(evaluator.material[kind]) for kind in range(6)])
        self.ordering: Final = MoveOrdering(self.values, self.history, self.usual, evaluator.pawn)
        self.frame = Frame()  # the frame of the current position
        self.frames: Final = [self.frame]  # one for each ply
        self.lines: Final = PvTable()
        self.pawn: Final[i64] = evaluator.pawn

        moves = position.legal_moves()
        self.roots: Final = [move for move in moves if not task.actions or move in task.actions]
        if not self.roots:
            raise ValueError("no legal move to search")
        self.has_all_roots: Final = len(self.roots) == len(moves)
        self.root_plies: Final[i64] = self.position.plies
        self.salt: Final[i64] = self.position.repeated_keys()
        self.line: list[int] = [self.roots[0]]
        self.score: i64 = evaluator.score(self.board)
        # (score, line) of the second best move, the third ...; and of the moves that this iteration has ranked so
        # far.
        self.alternatives: list[tuple[int, list[int]]] = []
        self.ranked: list[tuple[int, list[int]]] = []
        self.line_count: Final[i64] = min(task.lines, len(self.roots))
        self.ending: Final[i64] = task.ending
        self.mate: Final[i64] = task.mate
        self.hunting: i64 = 0  # moves to the mate that is hunted, or 0 outside a hunt
        self.refuted: i64 = 0  # it is proved that there is no mate in this number of moves or fewer
        self.is_defending = False  # whether the mates that are hunted are the opponent's
        self.hunt_from: i64 = 0  # nodes before which no hunt starts, since the last was given up
        self.max_hunt_nodes: i64 = UNBOUNDED  # the value of `nodes` at which the current hunt is given up
        self.depth: i64 = 0  # finished iterations
        self.seldepth: i64 = 0
        self.nodes: i64 = 0
        self.improved: i64 = 0  # counts changes of line and score
        self.finished = False
        self.max_depth: Final[i64] = min(task.depth, MAX_DEPTH)
        self.ply: i64 = 0
        self.entering = True
        self.value: i64 = 0
        table.new_search()
        self._recall(task.recalled)
        self._begin(-INFINITE, INFINITE, 1)

    def run(self, nodes: i64) -> bool:
        """Search `nodes` more nodes, and return whether the search is finished."""
        until = self.nodes + nodes
        while self.nodes < until and not self.finished:
            if self.entering:
                self._enter()
            else:
                self._resume()
        return self.finished

    def current_move(self) -> tuple[int, int]:
        """Return the root's move being searched and its number, counted from 1; both are 0 before the first."""
        return int(self.frames[0].move), int(self.frames[0].tried)

    def units(self, cents: i64) -> i64:
        """Return hundredths of a pawn as units of the evaluation."""
        return cents * self.pawn // 100

    # -- The root ----------------------------------------------------------------------------------

    def _recall(self, line: tuple[int, ...]) -> None:
        """Store the moves of an expected line in the table, as far as they are legal."""
        position = self.position
        made = 0
        for move in line:
            if move not in position.legal_moves():
                break
            if not self.table.find(self._key()):
                self.table.store(self._key(), move, 0, UPPER_BOUND, INFINITE - 1)
            position.make(move)
            made += 1
        for _undone in range(made):
            position.undo()

    def _begin(self, alpha: i64, beta: i64, depth: i64) -> None:
        self.ranked = []
        root = self.frames[0]
        root.alpha = alpha
        root.beta = beta
        root.depth = depth
        root.checked = self.position.in_check()
        root.may_pass = False
        root.first = 0
        root.last = NO_PLACE
        root.own_last = NO_PLACE
        self.frame = root
        self.ply = 0
        self.entering = True

    def _end(self, value: i64) -> None:
        """Continue after a pass over the root that returned `value`: with a wider window, one ply more, or a hunt."""
        root = self.frames[0]
        if self.hunting:
            self._end_hunt(value < root.beta and len(self.ranked) > 0)
        elif root.floor > -INFINITE and len(self.ranked) < self.line_count:
            self._begin(-INFINITE, root.beta, self.depth + 1)
            return
        elif value >= root.beta and root.beta < INFINITE:
            self._begin(root.floor, INFINITE, self.depth + 1)
            return
        else:
            self.depth += 1
            self._publish(self.ranked)
        self._go_on()

    def _go_on(self) -> None:
        """Finish the search, start a hunt for a mate, or search one ply deeper."""
        is_defending = self.score < -LIMIT
        if is_defending != self.is_defending:
            self.is_defending = is_defending
            self.refuted = 0
        if self._is_settled():
            self.finished = True
        elif self._can_hunt():
            self._begin_hunt(self.refuted + 1)
        elif self.depth >= self.max_depth:
            self.finished = True
        else:
            self._begin_iteration()

    def _begin_iteration(self) -> None:
        """Start an iteration with a window around the scores of the previous iteration."""
        window = self.units(self.usual.window)
        least = self.score
        if self.alternatives:
            least = self.alternatives[len(self.alternatives) - 1][0]
        if self.depth < 4 or is_mate(self.score) or is_mate(least):
            window = 2 * INFINITE
        self._begin(max(least - window, -INFINITE), min(self.score + window, INFINITE), self.depth + 1)

    def _take_root_move(self, frame: Frame, value: i64) -> None:
        """Rank the root's move that has just been searched, and search the next move."""
        if value > frame.best:
            frame.best = value
        if value > frame.alpha:
            self.lines.extend(0, frame.move)
            ranked = [*self.ranked, (int(value), self.lines.principal())]
            ranked.sort(key=_falling)  # stable: of equal scores the earlier move stays first
            self.ranked = ranked[: self._wanted()]
            frame.best_move = self.ranked[0][1][0]
            if len(self.ranked) == self._wanted():
                frame.alpha = self.ranked[len(self.ranked) - 1][0]
            if value >= frame.beta:
                self._learn(frame, frame.move)
            if value >= frame.beta or (self.hunting and value > LIMIT):
                self._finish(frame)
                return
            # A line that loses by force is published only when no other move is left that may save the game.
            if not self.hunting and value > -LIMIT and (self.line_count == 1 or not self.depth):
                self._publish(self.ranked[:1])
        self._next(frame)

    def _wanted(self) -> i64:
        """Return the number of the root's moves to rank."""
        return 1 if self.hunting else self.line_count

    def _publish(self, lines: list[tuple[int, list[int]]]) -> None:
        """Replace the published lines by `lines`, best first."""
        self.score = lines[0][0]
        self.line = lines[0][1]
        self.alternatives = lines[1:]
        self.improved += 1

    # -- Mates -------------------------------------------------------------------------------------

    def _is_settled(self) -> bool:
        """Return whether the mate found so far ends the search."""
        moves: i64 = moves_to_mate(self.score)
        if not moves or self.ending == ENDLESS or (self.mate and (moves < 0 or moves > self.mate)):
            return False
        if self.ending == MATE_SEEN:
            return MATE - abs_of(self.score) <= self.depth
        if self.mate:
            return self.refuted >= moves - 1 or self.nodes < self.hunt_from
        return self.line_count == 1 and self.refuted >= abs_of(moves) - 1

    def _can_hunt(self) -> bool:
        """Return whether to hunt for a mate that is shorter than the mate found, or within the task's limit."""
        if self.ending == MATE_SEEN or self.nodes < self.hunt_from:
            return False
        moves: i64 = moves_to_mate(self.score)
        if moves < 0 and self.line_count > 1:
            return False
        longest = abs_of(moves) - 1 if moves else self.mate
        return self.refuted < longest and 2 * self.refuted < self.max_depth

    def _begin_hunt(self, moves: i64) -> None:
        """Start a hunt for a mate in `moves` moves, knowing that none is shorter.

        The mate is the opponent's if the root is mated by the score so far.
        """
        self.hunting = moves
        self.params = EXHAUSTIVE
        self.max_hunt_nodes = self.nodes + max(
            self.nodes, HUNT_NODES if is_mate(self.score) else FIRST_HUNT_NODES
        )
        if self.is_defending:
            self._begin(-INFINITE, 2 * moves + 1 - MATE, 2 * moves)
        else:
            self._begin(MATE - 2 * moves, INFINITE, 2 * moves - 1)

    def _end_hunt(self, has_found: bool) -> None:
        if has_found:
            best = self.ranked[0]
            others = [line for line in self._lines() if line[1][0] != best[1][0]]
            self._publish([best, *others][: self.line_count])
        else:
            self.refuted = self.hunting
        self._leave_hunt()

    def _give_up(self) -> None:
        """End a hunt that takes too long, and continue the usual search."""
        while self.position.plies > self.root_plies:
            self.position.undo()
        self.hunt_from = 2 * self.nodes
        self._leave_hunt()
        self._go_on()

    def _leave_hunt(self) -> None:
        self.hunting = 0
        self.params = self.usual
        self.max_hunt_nodes = UNBOUNDED

    def _lines(self) -> list[tuple[int, list[int]]]:
        """Return the lines found so far, best first."""
        return [(int(self.score), self.line), *self.alternatives]

    def _key(self) -> i64:
        """Return the key of the position in the table."""
        board = self.board
        key = board[mg.HASH] ^ self.salt
        if self.hunting:
            key ^= bb.KEYS[bb.KEY_HUNT]
        halfmoves = board[mg.HALFMOVES]
        return (
            key if halfmoves < LATE_CLOCK else key ^ bb.KEYS[bb.KEY_CLOCK + min(halfmoves - LATE_CLOCK, 20)]
        )

    # -- Entering a frame --------------------------------------------------------------------------

    def _enter(self) -> None:
        """Enter a frame: return its value at once, or prepare its moves and search the first."""
        if self.nodes >= self.max_hunt_nodes:
            self._give_up()
            return
        self.nodes += 1
        ply = self.ply
        frame = self.frame
        board = self.board
        params = self.params
        alpha, beta, depth = frame.alpha, frame.beta, frame.depth
        scout = ply != 0 and beta - alpha == 1
        checked = frame.checked
        self.lines.clear(ply)
        if ply > self.seldepth:
            self.seldepth = ply
        if ply:
            if self._is_drawn(checked):
                self._return(0)
                return
            # No score below this frame can be worse than being mated now, or better than mating with the next move.
            if alpha < ply - MATE:
                alpha = ply - MATE
            if beta > MATE - ply - 1:
                beta = MATE - ply - 1
            if alpha >= beta:
                self._return(alpha)
                return
            if ply >= MAX_PLY - 1 or frame.first > mg.MAX_MOVES * 64:
                self._return(self.evaluator.score(board))
                return
        if checked and depth >= 0:
            depth += 1

        # The table comes after the evaluation, since its bucket takes so long to arrive from memory.
        static = i64(NO_STATIC) if checked else self.evaluator.score(board)
        key = self._key()
        known = self.table.find(key)
        hash_move = move_of(known)
        if (
            self.hunting and not hash_move
        ):  # the usual search's score proves nothing, but its move may be good
            hash_move = move_of(self.table.find(board[mg.HASH] ^ self.salt))
        score = _from_table(score_of(known), ply)
        bound = bound_of(known)
        if (
            known
            and scout
            and depth_of(known) >= depth
            and (not is_mate(score) or board[mg.HALFMOVES] + MATE - abs_of(score) - ply <= 100)
        ):
            if (
                bound == EXACT
                or (bound == LOWER_BOUND and score >= beta)
                or (bound == UPPER_BOUND and score <= alpha)
            ):
                self._return(score)
                return
        if depth >= params.iir_depth and not hash_move:
            depth -= 1
        frame.alpha = alpha
        frame.beta = beta
        frame.depth = depth
        frame.floor = alpha
        frame.best = -INFINITE
        frame.best_move = 0
        frame.hash_move = hash_move
        frame.tried = 0
        frame.place = NO_PLACE
        frame.singular_beta = INFINITE
        frame.excluded = 0
        frame.extended = 0
        if (
            depth >= params.singular_depth
            and ply
            and hash_move
            and bound != UPPER_BOUND
            and depth_of(known) >= depth - 3
            and not is_mate(score)
            and ply <= 2 * self.depth
        ):
            frame.singular_beta = score - self.units(params.singular_margin * depth)
        frame.static = static
        if checked:
            self._begin_moves(frame)
            return
        if known and not is_mate(score):  # the score of a search is better than the evaluation
            if (
                bound == EXACT
                or (bound == LOWER_BOUND and score > static)
                or (bound == UPPER_BOUND and score < static)
            ):
                static = score
        if depth <= 0:
            if static >= beta:
                self._return(static)
                return
            frame.best = static
            frame.alpha = max(alpha, static)
        elif scout and not is_mate(beta):
            if (
                depth <= params.static_depth
                and static - self.units(params.static_margin * depth) >= beta
                and mg.king_attackers(board, 1 - board[mg.TURN]) < params.static_attackers
            ):
                self._return(static)
                return
            if (
                frame.may_pass
                and depth >= params.null_depth
                and static >= beta
                and self._has_pieces()
                and not (known and bound == UPPER_BOUND and score < beta)
            ):
                self._pass(frame)
                return
        self._begin_moves(frame)

    def _is_improving(self, frame: Frame) -> bool:
        """Return whether the evaluation is better than at the side's last turn.

        If the side was in check then, the turn before counts.
        """
        ply, frames = self.ply, self.frames
        before = i64(NO_STATIC)
        if ply >= 2:
            before = frames[ply - 2].static
            if before == NO_STATIC and ply >= 4:
                before = frames[ply - 4].static
        return before != NO_STATIC and frame.static > before

    def _is_drawn(self, checked: bool) -> bool:
        board = self.board
        halfmoves = board[mg.HALFMOVES]
        if halfmoves >= 4 and self.position.is_repeated(self.root_plies):
            return True
        if halfmoves >= 100 and (not checked or mg.count_moves(board)):
            return True
        return insufficient_material(board)

    def _has_pieces(self) -> bool:
        """Return whether the side to move has more than king and pawns; without pieces zugzwang is likely."""
        board = self.board
        side = board[mg.TURN]
        return board[mg.SIDE + side] != board[side * 6 + mg.PAWNS] | board[side * 6 + mg.KINGS]

    def _pass(self, frame: Frame) -> None:
        """Search a null move: if the score is good even with the other side to move, the frame is cut off."""
        params = self.params
        depth = frame.depth
        reduction = (params.null_reduction + params.null_slope * depth) // 100
        frame.stage = PASSED
        frame.place = NO_PLACE
        self.position.make_null()
        self._touch(self.board[mg.HASH])
        child = self._child(frame)
        child.alpha = -frame.beta
        child.beta = 1 - frame.beta
        child.depth = max(depth - reduction, params.null_least)
        child.checked = False
        child.may_pass = False
        child.first = frame.first
        self._open(frame, child)

    # -- Singular extension ------------------------------------------------------------------------

    def _begin_moves(self, frame: Frame) -> None:
        """Start searching the frame's moves.

        If the table's move may be singular, all other moves are searched first, at about half the depth, to test
        whether the table's move is much better than any of them.
        """
        beta = frame.singular_beta
        if beta < INFINITE:
            frame.outer_alpha = frame.alpha
            frame.outer_beta = frame.beta
            frame.outer_depth = frame.depth
            frame.alpha = beta - 1
            frame.floor = beta - 1
            frame.beta = beta
            frame.depth = (frame.depth - 1) // 2
            frame.excluded = frame.hash_move
        self._prepare(frame)
        self._next(frame)

    def _end_exclusion(self, frame: Frame) -> None:
        """End the search without the table's move: extend that move if no other comes near it.

        If another move reaches the singular beta, and that is at least beta, two moves are good enough and the frame
        is cut off.
        """
        best, singular_beta = frame.best, frame.beta
        frame.singular_beta = INFINITE
        frame.excluded = 0
        frame.alpha = frame.outer_alpha
        frame.floor = frame.outer_alpha
        frame.beta = frame.outer_beta
        frame.depth = frame.outer_depth
        frame.best = -INFINITE
        frame.best_move = 0
        frame.tried = 0
        self.lines.clear(self.ply)
        if best < singular_beta:
            frame.extended = 1
        elif singular_beta >= frame.beta:
            self._return(singular_beta)
            return
        self._begin_moves(frame)

    # -- The moves of a frame ----------------------------------------------------------------------

    def _prepare(self, frame: Frame) -> None:
        """Generate and order the moves of the frame.

        In quiescence these are captures and promotions, and at its first ply checks.
        """
        board = self.board
        moves = self.ordering.moves
        first = frame.first
        if self.ply == 0:
            end = first
            for move in self.roots:
                moves[end] = move
                end += 1
        elif frame.depth > 0 or frame.checked:
            self.history.touch(board[mg.TURN], frame.last, frame.own_last)
            end = mg.generate(board, moves, first, bb.ALL)
        elif frame.depth == 0:
            end = self._captures_and_checks(first)
        else:
            end = mg.generate(board, moves, first, board[mg.SIDE + 1 - board[mg.TURN]])
        frame.next = first
        frame.end = end
        self.ordering.score_moves(
            board,
            first,
            end,
            frame.hash_move,
            self.ply,
            frame.last,
            frame.own_last,
            self.evaluator.places(board),
        )
        if self.ply == 0 and self.line_count > 1:
            self._put_lines_first(end)

    def _put_lines_first(self, end: i64) -> None:
        """Put the first moves of the lines found so far first among the root's moves."""
        ordering = self.ordering
        for rank, (_, line) in enumerate(self._lines()):
            for index in range(end):
                if ordering.moves[index] == line[0]:
                    ordering.orders[index] = HASH_MOVE - rank
        ordering.pick(0, end)

    def _captures_and_checks(self, first: i64) -> i64:
        """Write captures, promotions and quiet checks that lose no material to moves[first:]; return the end."""
        board = self.board
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

    def _next(self, frame: Frame) -> None:
        """Search the frame's next move, or finish the frame if no move is left."""
        ordering = self.ordering
        while frame.next < frame.end:
            next = frame.next
            if next > frame.first:  # score_moves() has put the first move in place
                ordering.pick(next, frame.end)
            move, order = ordering.moves[next], ordering.orders[next]
            frame.next = next + 1
            if frame.depth > 0:
                if move != frame.excluded and not self._is_pruned(frame, move, order):
                    self._try(frame, move, order)
                    return
            elif frame.checked or (order > -KILLER and not self._is_hopeless(frame, move)):
                self._try(frame, move, order)
                return
            elif order <= -KILLER:
                break  # moves come best first
            ordering.moves[next] = 0  # not tried
        self._finish(frame)

    def _try(self, frame: Frame, move: i64, order: i64) -> None:
        """Make a move and search it, with reduced depth if the move comes late."""
        params = self.params
        board = self.board
        depth = frame.depth
        tried = frame.tried
        self._touch(key_after(board, move))
        frame.move = move
        frame.place = place_of(board, move)
        frame.tried = tried + 1
        self._make(frame, move)
        reduced: i64 = 0
        if (
            depth >= params.lmr_depth
            and tried >= params.lmr_moves
            and order < KILLER
            and self.ply
            and not frame.checked
            and not frame.child.checked
        ):
            logs = LOGS[min(depth, 255)] * LOGS[min(tried, 255)]
            amount = params.lmr_base + logs * params.lmr_slope // 10_000
            if frame.beta - frame.floor > 1:
                amount -= 100
            if order > -KILLER:
                amount -= order * 100 // params.lmr_history
            reduced = max(min(amount // 100, depth - 2), 0)
        frame.reduced = reduced
        is_full = tried == 0 or depth <= 0 or (self.ply == 0 and tried < self._wanted())
        self._descend(frame, i64(FULL) if is_full else i64(SCOUT))

    def _touch(self, key: i64) -> None:
        """Prefetch the table's bucket and the score of the next position, while its move is being made.

        Prefetching gave 7 % more nodes a second.
        """
        self.table.touch(key ^ self.salt)
        self.evaluator.touch(key)

    def _make(self, frame: Frame, move: i64) -> None:
        """Make a move, and record in the child frame whether the move gives check."""
        child = self._child(frame)
        child.checked = mg.gives_check(self.board, move)
        self.position.make(move)
        kind = move >> 12
        if kind == mg.CASTLING or kind == mg.CAPTURE_EN_PASSANT:
            child.checked = self.position.in_check()

    def _is_pruned(self, frame: Frame, move: i64, order: i64) -> bool:
        """Return whether to skip a move, not the first, of a frame above quiescence."""
        params = self.params
        if frame.tried == 0 or frame.checked or self.ply == 0 or frame.best <= -LIMIT:
            return False
        depth = frame.depth
        if -KILLER < order < KILLER and (
            self._has_tried_enough(frame, depth) or self._is_futile(frame, depth)
        ):
            frame.end = self.ordering.drop_quiet(frame.next, frame.end)
            return True
        if order < KILLER and depth <= params.see_depth:
            loss = params.see_quiet * depth * depth if order > -KILLER else params.see_capture * depth
            board = self.board
            return not see_at_least(board, move, -self.units(loss), self.values) and not mg.gives_check(
                board, move
            )
        return False

    def _has_tried_enough(self, frame: Frame, depth: i64) -> bool:
        """Return whether the remaining quiet moves are unlikely to be better than the moves tried so far.

        Late moves are pruned sparingly. Pruning after (3 + depth * depth) / 2 moves, as many engines do, cost 230 Elo
        [177, 284] at 8,000 nodes a move: with so few nodes the order of quiet moves is not good enough.
        """
        params = self.params
        if depth > params.late_depth:
            return False
        most = params.late_moves + params.late_slope * depth * depth
        if not self._is_improving(frame):
            most //= 2
        return frame.tried * 100 >= most

    def _is_futile(self, frame: Frame, depth: i64) -> bool:
        """Return whether the evaluation is too far below alpha for a quiet move to raise the score to alpha."""
        params = self.params
        if depth > params.futile_depth:
            return False
        margin = self.units(params.futile_margin + params.futile_slope * depth)
        return frame.static + margin < frame.alpha

    def _is_hopeless(self, frame: Frame, move: i64) -> bool:
        """Return whether a move in quiescence cannot reach alpha, even by winning the piece on its target.

        Promotions and captures en passant are never hopeless, nor are checks at the first ply of quiescence.
        """
        if move >> 12 >= mg.CAPTURE_EN_PASSANT:
            return False
        victim = self.board[mg.MAILBOX + ((move >> 6) & 63)] % 6
        gain = self.values[victim] + self.units(self.params.delta_margin)
        if frame.static + gain > frame.alpha:
            return False
        return frame.depth < 0 or not mg.gives_check(self.board, move)

    def _descend(self, frame: Frame, stage: i64) -> None:
        """Open the child frame with the window of `stage`, after the move has been made."""
        child = frame.child
        frame.stage = stage
        alpha = frame.alpha
        child.alpha = -alpha - 1 if stage == SCOUT else -frame.beta
        child.beta = -alpha
        child.depth = frame.depth - 1 - (frame.reduced if stage == SCOUT else i64(0))
        if frame.move == frame.hash_move:
            child.depth += frame.extended
        child.may_pass = True
        child.first = frame.end
        self._open(frame, child)

    def _child(self, frame: Frame) -> Frame:
        """Return the child of the current frame, created if it does not exist yet."""
        if self.ply + 1 == len(self.frames):
            frame.child = Frame()
            self.frames.append(frame.child)
        return frame.child

    def _open(self, frame: Frame, child: Frame) -> None:
        """Make the child the current frame, to be entered next."""
        child.last = frame.place
        child.own_last = frame.last
        self.frame = child
        self.ply += 1
        self.entering = True

    # -- Coming back -------------------------------------------------------------------------------

    def _resume(self) -> None:
        """Continue a frame whose child has returned: take the move back or search it again, then search the next."""
        ply = self.ply
        frame = self.frame
        value = -self.value
        stage = frame.stage
        if stage == PASSED:
            self.position.undo_null()
            if value >= frame.beta:
                self._return(frame.beta)
                return
            self._begin_moves(frame)
            return
        alpha = frame.alpha
        if stage == SCOUT and value > alpha:
            if frame.reduced:
                frame.reduced = 0
                self._descend(frame, SCOUT)
                return
            if value < frame.beta:
                self._descend(frame, FULL)
                return
        self.position.undo()
        if ply == 0:
            self._take_root_move(frame, value)
            return
        move = frame.move
        if value > frame.best:
            frame.best = value
            if value > alpha:
                frame.best_move = move
                frame.alpha = value
                self.lines.extend(ply, move)
                if value >= frame.beta:
                    self._learn(frame, move)
                    self._finish(frame)
                    return
        self._next(frame)

    def _learn(self, frame: Frame, move: i64) -> None:
        """Update the move statistics after a move that caused a cutoff."""
        params = self.params
        depth = frame.depth
        bonus = max(min(params.bonus_slope * depth, params.bonus_most), 16)  # in quiescence depth is below 1
        self.ordering.learn(
            self.board,
            frame.first,
            frame.next,
            move,
            bonus,
            self.ply,
            frame.last,
            frame.own_last,
        )

    def _finish(self, frame: Frame) -> None:
        """Store the result of a frame in the table and return it; all moves are searched, or one caused a cutoff."""
        if frame.excluded:
            self._end_exclusion(frame)
            return
        best = frame.best
        depth = frame.depth
        if best == -INFINITE:  # no legal move
            self._return(self.ply - MATE if frame.checked else i64(0))
            return
        bound: i64 = EXACT
        if best >= frame.beta:
            bound = LOWER_BOUND
        elif best <= frame.floor:
            bound = UPPER_BOUND
        if self.ply or self.has_all_roots:
            self.table.store(self._key(), frame.best_move, max(depth, 0), bound, _to_table(best, self.ply))
        self._return(best)

    def _return(self, value: i64) -> None:
        self.value = value
        if self.ply == 0:
            self._end(value)
        else:
            self.ply -= 1
            self.frame = self.frames[self.ply]
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


def abs_of(number: i64) -> i64:
    """Return the absolute value; abs() would create a Python object."""
    return number if number >= 0 else -number
