"""The words in which CECP tells an engine how far to think."""

from collections.abc import Iterator
from math import ceil
from typing import Final

from engines.engine import Clock, Limit
from protocols.client.cecp_features import Features

# Not more: Fairy-Max and HoiChess cannot be stopped, and would outlive us by so long; and above 17 days
# Fairy-Max takes legal moves for illegal.
UNBOUNDED_SECONDS: Final = 3_600
UNBOUNDED_DEPTH: Final = 50  # engines have arrays of 64 and more


class Told:
    """What an engine was told of its limits, which hold until it is told otherwise."""

    def __init__(self) -> None:
        self._pace = ""
        self._moves = 0  # of the longest period that it knows
        self._rate = 0  # nodes that it counts as a second; 0: it looks at the clock
        self._depth = UNBOUNDED_DEPTH

    def new_game(self) -> None:
        """Engines forget some of it at `new`, and do not agree on what."""
        self._pace = ""
        if self._depth != UNBOUNDED_DEPTH:
            self._depth = 0

    def news(self, limit: Limit, features: Features) -> Iterator[str]:
        """The commands that put `limit` in force, to be followed by `go`."""
        pace, rate = _pace(limit, features)
        moves = 0
        if isinstance(pace, Clock):
            left = pace.seconds
            moves = pace.moves_to_reset or 0
            increment = f"{pace.increment:.3f}".rstrip("0").rstrip(".")
            command = f"level {moves} {_minutes(left)} {increment}"
            kind = f"level {increment} {'by moves' if moves else ''}"  # what is left goes by `time`
        else:
            left = pace
            whole = left >= 1 and left == int(left)
            # Many engines read a whole number and take 0 for no bound: fractions go as one move a period.
            kind = command = f"st {int(left)}" if whole else f"level 1 {_minutes(left)} 0"
        anew = kind != self._pace or moves > self._moves
        if anew:
            self._pace, self._moves = kind, moves
            yield command
        if rate != self._rate or (anew and rate):  # some engines drop the rate at each st or level
            self._rate = rate
            yield f"nps {rate or -1}"
        depth = min(limit.depth or UNBOUNDED_DEPTH, 2 * (limit.mate or UNBOUNDED_DEPTH))
        if depth != self._depth:
            self._depth = depth
            yield f"sd {depth}"
        if features.has("time"):
            centiseconds = max(int(left * 100), 1)
            yield f"time {centiseconds}"
            yield f"otim {centiseconds}"  # we know one clock only


def _pace(limit: Limit, features: Features) -> tuple[Clock | float, int]:
    """(a clock or the seconds of one move, the nodes that count as a second or 0)."""
    if features.has("nps") and limit.nodes is not None:
        return 1.0, limit.nodes
    if limit.nodes_per_second and not features.has("nps"):
        return UNBOUNDED_SECONDS, 0  # Question.is_overdue will stop it
    rate = int(limit.nodes_per_second or 0)
    if limit.clock is not None:
        return limit.clock, rate
    return UNBOUNDED_SECONDS if limit.seconds is None else limit.seconds, rate


def _minutes(seconds: float) -> str:
    """Minutes and seconds as `level` has them, rounded up; at least a second."""
    whole = max(ceil(seconds), 1)
    return f"{whole // 60}:{whole % 60:02d}" if whole % 60 else f"{whole // 60}"
