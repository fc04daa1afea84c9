"""The numbers of the alpha-beta search: its margins and reductions, and the depths up to which it prunes."""

from typing import final

from mypy_extensions import i64


@final
class SearchParams:
    """Margins are in hundredths of a pawn, depths and reductions in plies unless they are in hundredths of one.

    Names of the methods: chessprogramming.org. What each was worth when it was measured: engines/chess/README.md.
    """

    def __init__(self) -> None:
        # Reverse futility: the evaluation is above beta by so much a ply.
        self.static_depth: i64 = 6
        self.static_margin: i64 = 71
        # Not where so many pieces, or more, attack the king or the squares around it.
        self.static_attackers: i64 = 2
        # Singular extension: from this depth on, if all others are so much a ply below the table's move.
        self.singular_depth: i64 = 8
        self.singular_margin: i64 = 2
        # Null move: reduced by so many hundredths of a ply, and so many more for each ply of depth, but so many plies
        # are left: one, and a quiet move that mates is seen.
        self.null_depth: i64 = 3
        self.null_reduction: i64 = 300
        self.null_slope: i64 = 25
        self.null_least: i64 = 1
        # Internal iterative reduction: without a move in the table, from this depth on.
        self.iir_depth: i64 = 4
        # Futility: the evaluation is below alpha by so much, and so much more a ply.
        self.futile_depth: i64 = 6
        self.futile_margin: i64 = 143
        self.futile_slope: i64 = 143
        # Late move pruning: after so many hundredths of a move, and so many more for each ply squared; half of it
        # where the side is not better off than at its last turn.
        self.late_depth: i64 = 8
        self.late_moves: i64 = 1000
        self.late_slope: i64 = 200
        # Static exchange: a quiet move may lose so much a ply squared, a capture so much a ply.
        self.see_depth: i64 = 7
        self.see_quiet: i64 = 30
        self.see_capture: i64 = 100
        # Late move reductions, in hundredths of a ply: so much, and log(depth) * log(moves tried) times so much; a ply
        # less for so much of history.
        self.lmr_depth: i64 = 3
        self.lmr_moves: i64 = 2
        self.lmr_base: i64 = 75
        self.lmr_slope: i64 = 50
        self.lmr_history: i64 = 8192
        # Quiescence: winning a piece and so much more does not reach alpha.
        self.delta_margin: i64 = 286
        # Aspiration: the window on either side of the last score.
        self.window: i64 = 29
        # Move ordering: so much of history for a move that gains a pawn by the Placement Gene.
        self.placement: i64 = 3000
        # History: a bonus a ply, and the largest one.
        self.bonus_slope: i64 = 150
        self.bonus_most: i64 = 1500
