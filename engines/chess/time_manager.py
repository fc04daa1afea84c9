"""The time for one move: the part of the clock that the Look Ahead Gene allows, and a timer that ends the move.

Reference: Genetic Chess, section 4.1.2. The time left is divided by the moves to plan for. The section's gamble with
k decides whether the alpha-beta search starts one more iteration that it may not finish.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Final, Self

from core.chess.genetic_search import LookAhead
from core.random import Random
from engines.engine import Clock, Limit

UNLIMITED: Final = float("inf")
SLICE_SECONDS: Final = 0.002  # a message takes three turns of the event loop, each after a slice
FIRST_SLICE_NODES: Final = 256
FIXED_SLICE_NODES: Final = 2_048  # on a clock of nodes, because nothing may depend on the machine
FINEST_SLICE_NODES: Final = 32  # small enough to keep small budgets
# Shares of the planned time: after an iteration with a new best move; less for each iteration in which that move has
# stayed the best, down to the least; more if the score has fallen by a pawn.
NEWEST_SHARE: Final = 1.8
UNCHANGED_SHARE: Final = 0.2
MIN_SHARE: Final = 0.7
FALL_SHARE: Final = 0.8
# Lags of the clock that are kept in reserve. With two, five games of sixty at 1 s + 0.01 s were lost on a machine
# with three times too much load.
LAGS_KEPT: Final = 4
ROUNDING: Final = 0.02  # seconds: CECP reports hundredths


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """The seconds for one move: `planned` by the gene, `most` at the latest, and all that are `left`."""

    planned: float = UNLIMITED
    most: float = UNLIMITED
    left: float = UNLIMITED

    @classmethod
    def for_move(cls, look_ahead: LookAhead, limit: Limit, moves_made: int, lag_seconds: float) -> Self:
        """Return the budget after `moves_made` own moves, with up to `lag_seconds` lost between the clock and us.

        An increment below 0 is the time that each move loses without a search, in all moves to plan for.
        """
        planned = most = left = UNLIMITED
        if limit.clock is not None:
            clock = limit.clock
            horizon = look_ahead.horizon(moves_made, clock.moves_to_reset)
            gained, lost = max(clock.increment, 0.0), max(-clock.increment, 0.0)
            kept = LAGS_KEPT * lag_seconds + (horizon * lost if lost else 0.0)
            left = max(clock.seconds - kept, 0.0)
            planned = left / horizon + 0.75 * gained
            most = left if clock.moves_to_reset == 1 else min(4 * planned, left / 3 + gained, left)
            planned = min(planned, most)
        if limit.seconds is not None:
            # An exact time should be used up, but a late move loses.
            most = min(most, max(limit.seconds - lag_seconds, limit.seconds / 2))
            planned = min(planned, most)
            left = min(left, most)
        return cls(planned, most, left)


class MoveTimer:
    """A timer from its creation to the move; seconds are real, or counted in nodes if the limit says so."""

    def __init__(self, look_ahead: LookAhead, limit: Limit, budget: TimeBudget, rng: Random) -> None:
        self._look_ahead = look_ahead
        self._limit = limit
        self._budget = budget
        self._rng = rng
        self._started = perf_counter()
        self._depth = 0
        self._depth_reached = 0.0  # seconds until that depth was reached
        self._move = 0  # the best move after the last iteration
        self._cents = 0
        self._unchanged = 0  # iterations in a row with the same best move

    def elapsed(self) -> float:
        """Return the real seconds since the search started."""
        return perf_counter() - self._started

    def spent(self, nodes: int) -> float:
        """Return the seconds used, as the limit counts them."""
        if self._limit.nodes_per_second is not None:
            return nodes / self._limit.nodes_per_second
        return self.elapsed()

    def slice(self, nodes: int) -> int:
        """Return how many nodes to search before the next check of the time, after `nodes`; 0 if none are left."""
        rate, most = self._limit.nodes_per_second, self._limit.nodes
        if rate is None:
            size = max(FIRST_SLICE_NODES, int(SLICE_SECONDS * nodes / max(self.elapsed(), 1e-6)))
        else:
            size = FIXED_SLICE_NODES
            planned, latest = self._budget.planned, self._budget.most
            if latest < UNLIMITED:
                size = min(size, int(latest * rate) - nodes)
            if planned < latest:
                size = min(size, max(FINEST_SLICE_NODES, int(planned * rate / 8)))
        return max(0, size if most is None else min(size, most - nodes))

    def is_up(self, nodes: int, depth: int, mate: int, move: int = 0, cents: int = 0) -> bool:
        """Return whether to move now, after `nodes` nodes and `depth` finished iterations.

        `mate` is the number of moves to a mate that was found, `move` the best move so far, and `cents` its score.
        """
        limit, spent = self._limit, self.spent(nodes)
        if spent >= self._budget.most or (limit.nodes is not None and nodes >= limit.nodes):
            return True
        if limit.mate is not None and 0 < mate <= limit.mate:
            return True
        if depth == self._depth:
            return False
        latest = spent - self._depth_reached
        self._depth, self._depth_reached = depth, spent
        self._unchanged = self._unchanged + 1 if move == self._move else 0
        fall = self._cents - cents
        self._move, self._cents = move, cents
        return not self._goes_deeper(spent, latest, fall)

    def _goes_deeper(self, spent: float, latest: float, fall: int) -> bool:
        """Return whether to start another iteration, which takes about twice as long as the latest one.

        It is started if there is enough time, else with the section's probability; an exact time is used up. There is
        more time if the best move has changed, or if its score has fallen by `fall` hundredths of a pawn.
        """
        if self._budget.planned == self._budget.most:
            return True
        share = max(NEWEST_SHARE - UNCHANGED_SHARE * self._unchanged, MIN_SHARE)
        share += FALL_SHARE * min(max(fall, 0), 100) / 100
        given = self._budget.planned * share - spent
        return given > 0.0 and self._rng.chance(self._look_ahead.chance(given, 2 * latest))


class LagEstimator:
    """An estimator of the lag: the time that our clock loses in a move beyond our own use, by the GUI's next report.

    `seconds` is the recent maximum, for which a move must be prepared; `average` is the expected lag of many moves.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.average = 0.0
        self._expected: float | None = None

    def report(self, clock: Clock | None) -> None:
        """Compare our clock at the start of a move with its expected time, and update the estimates."""
        if clock is not None and self._expected is not None:
            lag = self._expected - clock.seconds
            if -ROUNDING < lag < 2.0:  # any other value comes from another game, or from a clock that was set
                self.seconds = max(lag, 0.8 * self.seconds)
                self.average += 0.2 * (lag - self.average)
        self._expected = None

    def moved(self, clock: Clock | None, spent: float) -> None:
        """Record that we have used `spent` seconds of our clock for a move."""
        if clock is not None and clock.moves_to_reset != 1:
            self._expected = clock.seconds - spent + clock.increment
