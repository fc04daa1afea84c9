"""The search of Genetic Chess: depth first, with the time for a move divided among the moves of each node.

Reference: Genetic Chess, sections 3.1 to 3.4 and 4.1.2. The Look Ahead Gene decides how much of the clock a move gets
and when to search one move deeper. Time is counted in nodes, `rate` of them a second, so the result of a search
depends only on position, genes, seconds, rate and seed. Like the alpha-beta search, this search walks the tree on a
stack of frames and stops wherever run(nodes) ends. The formula of section 4.1.2 for the moves left lacks the "- n"
that its text asks for, and its prose has the two cases of k swapped; both are corrected here.
"""

from math import inf
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess.bitboard import ALL
from core.chess.evaluation import INFINITE, LIMIT, MATE, Evaluator
from core.chess.movegen import MAX_MOVES, count_moves, generate
from core.chess.position import Position
from core.chess.search_task import SearchTask
from core.chess.transposition import MAX_PLY, PvTable
from core.random import Random

ENOUGH: Final = 1e30  # a tail above this no longer changes the mean, within the precision of a float
NEGLIGIBLE: Final = 1e-18  # a term below this fraction of the tail changes no bit of it


@final
class LookAhead:
    """The Look Ahead Gene's four numbers; a gene that is switched off gives no time and never looks ahead."""

    def __init__(
        self,
        mean_game_length: float,
        minimum_moves: float,
        positions_per_second: float,
        speculation: float,
        active: bool = True,
    ) -> None:
        """Create a gene; lengths are in moves of one side, their mean at least 1; `speculation` is k in 0..1."""
        self.mean_game_length = mean_game_length
        self.minimum_moves = minimum_moves
        self.positions_per_second = positions_per_second
        self.speculation = speculation
        self.active = active

    def expected_moves_left(self, moves_made: int) -> float:
        """Return the number of moves this side expects to make after `moves_made` >= 0 of its own; at least 1.

        Section 4.1.2 takes the length i of a game as Poisson distributed with mean N. Its formula is
        E[i | i > n], the game's whole length; n is subtracted here, as "moves left" demands. With
        E[i | i > n] = N (1 + P(n) / P(i > n)), only ratios of neighbouring terms are needed, so
        nothing under- or overflows.
        """
        made: i64 = moves_made
        mean = self.mean_game_length
        term = 1.0  # P(i) / P(n) for i = n, n + 1, ...
        tail = 0.0  # P(i > n) / P(n)
        i = made
        while tail < ENOUGH and (i <= made or term > tail * NEGLIGIBLE):
            i += 1
            term *= mean / float(i)
            tail += term
        return max(mean - float(made) + mean / tail, 1.0)

    def horizon(self, moves_made: int, moves_to_reset: int | None) -> float:
        """Return the number of moves among which to divide the time on the clock; infinite if the gene is inactive.

        The number is at least 1, whatever the clock says about its reset, since one move cannot have more than all
        time.
        """
        if not self.active:
            return inf
        moves = max(self.expected_moves_left(moves_made), self.minimum_moves)
        if moves_to_reset is not None and moves_to_reset < moves:
            moves = max(float(moves_to_reset), 1.0)
        return moves

    def chance(self, given: float, needed: float) -> float:
        """Return the probability of looking ahead with `given` seconds where `needed` seconds are required.

        The formula is (given / needed) ** ((1 - k) / k), section 4.1.2. By this formula k < 0.5 is careful and k >
        0.5 daring; the section's prose says the opposite. With k = 0 the search never gambles, with k = 1 always.
        """
        if not self.active:
            return 0.0
        if given >= needed:
            return 1.0
        k = self.speculation
        if k >= 1.0:
            return 1.0
        if k <= 0.0 or given <= 0.0:
            return 0.0
        return float((given / needed) ** ((1.0 - k) / k))


# -- The search ------------------------------------------------------------------------------------

# The words of a frame; there is one frame for each ply.
FRAME: Final = 8
ALPHA: Final = 0
BETA: Final = 1
BEST: Final = 2
MOVE: Final = 3  # the move being examined
NEXT: Final = 4
END: Final = 5
STARTED: Final = 6  # nodes spent when the frame was entered
RECALLED: Final = 7  # 1 while all moves so far are those of the recalled line


@final
class GeneticSearch:
    """A search of one position; `line`, `score` (in units), `depth` and `nodes` hold the best result so far."""

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        look_ahead: LookAhead,
        rng: Random,
        task: SearchTask | None = None,
        *,
        seconds: float,
        clock: float,
        rate: float,
    ) -> None:
        """Prepare a search that divides `seconds`, of `rate` nodes each, among the moves of the task.

        The search ends with what it has found when `clock` seconds are used up. Raises ValueError if the task leaves
        no legal move.
        """
        task = task or SearchTask()
        recalled = task.recalled
        self.position = position.clone()
        self.evaluator = evaluator
        self.look_ahead = look_ahead
        self.rng = rng
        self.rate = max(rate, 1.0)
        self.clock = clock
        self.recalled = recalled
        self.max_depth: i64 = min(task.depth, int(MAX_PLY) - 2)
        self.frames = vec[i64]([0] * int(FRAME * (MAX_PLY + 1)))
        self.budgets = vec[float]([0.0] * int(MAX_PLY + 1))  # seconds of each frame
        self.moves = vec[i64]([0] * (MAX_MOVES * 66))
        self.lines = PvTable()
        self.nodes: i64 = 0
        self.depth: i64 = 0  # plies in the line
        self.seldepth: i64 = 0
        self.improved: i64 = 0
        self.score: i64 = evaluator.score(position.board)
        self.ply: i64 = 0
        roots = [move for move in position.legal_moves() if not task.actions or move in task.actions]
        if not roots:
            raise ValueError("no legal move to search")
        self.line: list[int] = [roots[0]]
        self.finished = len(roots) == 1
        if self.finished and recalled and recalled[0] == roots[0]:
            self.line = list(recalled)
        for index, move in enumerate(roots):
            self.moves[index] = move
        self._open(0, len(roots), -INFINITE, INFINITE, seconds, 1 if recalled else 0)

    def run(self, nodes: i64) -> bool:
        """Search `nodes` more nodes, and return whether the search is finished."""
        until = self.nodes + nodes
        while self.nodes < until and not self.finished:
            self._step()
        return self.finished

    def _open(self, first: i64, end: i64, alpha: i64, beta: i64, seconds: float, recalled: i64) -> None:
        """Enter the frame of `ply`; on the recalled line, put the expected move first (section 3.4)."""
        frames = self.frames
        at = self.ply * FRAME
        frames[at + ALPHA] = alpha
        frames[at + BETA] = beta
        frames[at + BEST] = -INFINITE
        frames[at + NEXT] = first
        frames[at + END] = end
        frames[at + STARTED] = self.nodes
        frames[at + RECALLED] = 0
        self.budgets[self.ply] = seconds
        self.lines.clear(self.ply)
        if self.ply > self.seldepth:
            self.seldepth = self.ply
        if recalled and self.ply < len(self.recalled):
            expected: i64 = self.recalled[self.ply]
            moves = self.moves
            found = first
            while found < end and moves[found] != expected:
                found += 1
            if found < end:
                while found > first:
                    moves[found] = moves[found - 1]
                    found -= 1
                moves[first] = expected
                frames[at + RECALLED] = 1

    def _step(self) -> None:
        """Examine the next move of the frame, or return to the parent frame."""
        frames = self.frames
        ply = self.ply
        at = ply * FRAME
        index, end = frames[at + NEXT], frames[at + END]
        if index == end or self._is_settled(at) or self._out_of_time():
            self._close(at)
            return
        spent = float(self.nodes - frames[at + STARTED]) / self.rate
        given = (self.budgets[ply] - spent) / float(end - index)
        move = self.moves[index]
        recalled = frames[at + RECALLED] and move == self.recalled[ply]
        frames[at + MOVE] = move
        frames[at + NEXT] = index + 1
        self.position.make(move)
        self.nodes += 1
        value = self._verdict(given, end, 1 if recalled else 0)
        if value == INFINITE:  # look ahead
            self.ply = ply + 1
            replies = generate(self.position.board, self.moves, end, ALL)
            self._open(end, replies, -frames[at + BETA], -frames[at + ALPHA], given, 1 if recalled else 0)
            return
        self.position.undo()
        self.lines.clear(ply + 1)
        self._record_value(at, move, value)

    def _is_settled(self, at: i64) -> bool:
        """Return whether no further move of the frame can change the result."""
        frames = self.frames
        alpha = frames[at + ALPHA]
        if alpha >= frames[at + BETA]:
            return True
        if frames[at + BEST] == MATE - self.ply - 1:  # the best move mates
            return True
        # A win at this depth or earlier is known, so no move from here can win faster (section 3.3).
        return alpha > LIMIT and MATE - alpha <= self.ply + 2

    def _out_of_time(self) -> bool:
        """Return whether the clock has run out, in which case every frame closes with its best move so far."""
        return float(self.nodes) / self.rate >= self.clock

    def _verdict(self, given: float, at: i64, recalled: i64) -> i64:
        """Return the value for the mover of the position just reached, or INFINITE to look ahead."""
        position = self.position
        replies = count_moves(position.board)
        if not replies:
            return MATE - self.ply - 1 if position.in_check() else i64(0)
        if position.is_draw():
            return 0
        if self.ply + 1 < self.max_depth and at < MAX_MOVES * 64 and not self._out_of_time():
            if replies == 1 or recalled:
                return INFINITE
            needed = float(replies) / self.look_ahead.positions_per_second
            chance = self.look_ahead.chance(given, needed)
            if chance >= 1.0 or (chance > 0.0 and self.rng.chance(chance)):
                return INFINITE
        return -self.evaluator.score(position.board)

    def _record_value(self, at: i64, move: i64, value: i64) -> None:
        """Record that the frame's move has this value; of two moves with the same value the earlier is kept."""
        frames = self.frames
        if value <= frames[at + BEST]:
            return
        frames[at + BEST] = value
        frames[at + ALPHA] = max(frames[at + ALPHA], value)
        self.lines.extend(self.ply, move)
        if self.ply == 0:
            self.line = self.lines.principal()
            self.depth = len(self.line)
            if value > -LIMIT:  # else another move may still save the game
                self.score = value
            self.improved += 1

    def _close(self, at: i64) -> None:
        """Close the frame, whose moves are examined as far as needed, and pass its best value to the parent."""
        frames = self.frames
        best = frames[at + BEST]
        is_cut = frames[at + NEXT] < frames[at + END]
        if self.ply == 0:
            if best < -LIMIT and not is_cut:
                self.score = best
                self.improved += 1
            self.finished = True
            return
        # Time ran out before the first reply was examined, or before a reply that may save the game.
        if best == -INFINITE or (best < -LIMIT and is_cut and not self._is_settled(at)):
            best = self.evaluator.score(self.position.board)
        self.ply -= 1
        parent = at - FRAME
        self.position.undo()
        self._record_value(parent, self.frames[parent + MOVE], -best)
