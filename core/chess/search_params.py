"""The parameters of the alpha-beta search: margins, reductions, and the depths up to which it prunes."""

from typing import final

from mypy_extensions import i64


@final
class SearchParams:
    """The margins, reductions and depths of an alpha-beta search.

    Margins are in hundredths of a pawn; depths and reductions are in plies, or in hundredths of a ply where the
    comments say so. The methods are named as on chessprogramming.org; engines/chess/RESULTS.md has their measured
    values.
    """

    def __init__(self) -> None:
        # Reverse futility: up to this depth, if the evaluation is above beta by the margin for each ply.
        self.static_depth: i64 = 6
        self.static_margin: i64 = 71
        # Not if this number of pieces, or more, attack the king or the squares around it.
        self.static_attackers: i64 = 2
        # Singular extension: from this depth on, if all others are below the table's move by the margin for each ply.
        self.singular_depth: i64 = 8
        self.singular_margin: i64 = 2
        # Null move: from this depth on, reduced by hundredths of a ply, and by `null_slope` more for each ply of
        # depth, but to no less than `null_least` plies: with one ply left, a quiet move that mates is seen.
        self.null_depth: i64 = 3
        self.null_reduction: i64 = 300
        self.null_slope: i64 = 25
        self.null_least: i64 = 1
        # Internal iterative reduction: from this depth on, if the table has no move.
        self.iir_depth: i64 = 4
        # Futility: up to this depth, if the evaluation is below alpha by the margin, and the slope more for each ply.
        self.futile_depth: i64 = 6
        self.futile_margin: i64 = 143
        self.futile_slope: i64 = 143
        # Late move pruning: up to this depth, after hundredths of moves, and the slope more for each ply squared;
        # after half of these if the side is not better off than at its last turn.
        self.late_depth: i64 = 8
        self.late_moves: i64 = 1000
        self.late_slope: i64 = 200
        # Static exchange: up to this depth, a quiet move may lose this much for each ply squared, a capture for each
        # ply.
        self.see_depth: i64 = 7
        self.see_quiet: i64 = 30
        self.see_capture: i64 = 100
        # Late move reductions, in hundredths of a ply: the base, and log(depth) * log(moves tried) times the slope;
        # one ply less for each `lmr_history` points of history. They start at this depth and after this number of
        # moves.
        self.lmr_depth: i64 = 3
        self.lmr_moves: i64 = 2
        self.lmr_base: i64 = 75
        self.lmr_slope: i64 = 50
        self.lmr_history: i64 = 8192
        # Quiescence: a capture is skipped if the captured piece and this margin do not raise the evaluation above
        # alpha.
        self.delta_margin: i64 = 286
        # Aspiration: the window on either side of the last score.
        self.window: i64 = 29
        # Move ordering: points of history for a move that gains a pawn by the bonuses for squares.
        self.placement: i64 = 3000
        # History: the bonus for each ply of depth, and the largest bonus.
        self.bonus_slope: i64 = 150
        self.bonus_most: i64 = 1500
