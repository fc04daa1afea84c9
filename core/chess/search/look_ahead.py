"""The Look Ahead Gene at work: how much of the clock a move gets, and when to look one move further.

Reference: Genetic Chess, section 4.1.2. Its formula for the moves left lacks the "- n" that its text
asks for, and its prose has the two cases of k swapped; both are corrected here.
"""

from math import inf
from typing import Final, final

from mypy_extensions import i64

ENOUGH: Final = 1e30  # a tail beyond it adds nothing to the mean that a float could hold
NEGLIGIBLE: Final = 1e-18  # a term below this part of the tail changes no bit of it


@final
class LookAhead:
    """The four numbers of the gene; one that is switched off gives no time and never looks ahead."""

    def __init__(
        self,
        mean_game_length: float,
        minimum_moves: float,
        positions_per_second: float,
        speculation: float,
        active: bool = True,
    ) -> None:
        """Lengths are in moves of one side, 1 or more on the mean; `speculation` is k in 0..1."""
        self.mean_game_length = mean_game_length
        self.minimum_moves = minimum_moves
        self.positions_per_second = positions_per_second
        self.speculation = speculation
        self.active = active

    def expected_moves_left(self, moves_made: int) -> float:
        """Moves that this side still expects to make after `moves_made` >= 0 of its own; at least 1.

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

    def moves_to_plan(self, moves_made: int, moves_to_reset: int | None) -> float:
        """The number of moves among which to divide the time on the clock; infinite when inactive.

        Never below 1, whatever a clock says about its reset: one move cannot have more than all.
        """
        if not self.active:
            return inf
        moves = max(self.expected_moves_left(moves_made), self.minimum_moves)
        if moves_to_reset is not None and moves_to_reset < moves:
            moves = max(float(moves_to_reset), 1.0)
        return moves

    def chance(self, given: float, needed: float) -> float:
        """The probability of looking ahead with `given` seconds where `needed` would do it.

        (given / needed) ** ((1 - k) / k), section 4.1.2. By this formula k < 0.5 is careful and
        k > 0.5 daring; the section's prose says the opposite. k = 0 never gambles, k = 1 always.
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
