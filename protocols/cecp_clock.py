"""What level, st, sd, nps, time and otim of CECP add up to: the limit of the next move."""

import re
from typing import Final

from engines.engine import Clock, Limit
from protocols.session import ProtocolError

LEVEL: Final = re.compile(r"(\d{1,6}) +(\d{1,7})(?::(\d{1,2}))? +(\d{1,7}(?:\.\d{1,6})?)")
NUMBER: Final = re.compile(r"-?\d{1,12}(?:\.\d{1,9})?")


class GameClock:
    """The time control of a game and our clock in it, in seconds."""

    def __init__(self) -> None:
        self.moves = 0  # in a period; 0: all in one
        self.base = 300.0
        self.increment = 0.0
        self.seconds: float | None = None  # for each move, by st
        self.depth: int | None = None
        self.rate: float | None = None  # nodes counted as a second
        self.rate_is_new = False
        self.clock = self.base

    def new_game(self) -> None:
        self.depth = None
        self.clock = self.base

    def level(self, text: str) -> None:
        match = LEVEL.fullmatch(text)
        if match is None:
            raise ProtocolError(f"Error (level needs: moves minutes[:seconds] increment): level {text[:40]}")
        self.moves = int(match[1])
        self.base = self.clock = int(match[2]) * 60.0 + int(match[3] or 0)
        self.increment = float(match[4])
        self.seconds = None
        self._forget_old_rate()

    def fixed_time(self, text: str) -> None:
        self.seconds = max(_number("st", text), 0.0)
        self._forget_old_rate()

    def fixed_depth(self, text: str) -> None:
        self.depth = max(int(_number("sd", text)), 1)

    def node_rate(self, text: str) -> None:
        """nps R: R nodes are a second; 0 and below mean the wall clock again."""
        rate = _number("nps", text)
        self.rate = rate if rate > 0 else None
        self.rate_is_new = True

    def left(self, text: str) -> None:
        self.clock = _number("time", text) / 100

    def opponent_left(self, text: str) -> None:
        _number("otim", text)

    def moved(self, seconds: float) -> None:
        """We have used so much: keeps the clock true for GUIs that do not send `time`."""
        self.clock += self.increment - seconds

    def limit(self, moves_made: int) -> Limit:
        """For the next move, after `moves_made` of ours."""
        self.rate_is_new = False
        if self.seconds is not None:
            return Limit(seconds=self.seconds, depth=self.depth, nodes_per_second=self.rate)
        left = self.moves - moves_made % self.moves if self.moves else None
        clock = Clock(seconds=self.clock, increment=self.increment, moves_to_reset=left)
        return Limit(clock=clock, depth=self.depth, nodes_per_second=self.rate)

    def _forget_old_rate(self) -> None:
        """python-chess sends `nps 1` and `st N` for N nodes, and later a plain `st` in seconds; the
        others send nps after st or level. So a rate holds for the st that follows it, not for later ones."""
        if not self.rate_is_new:
            self.rate = None
        self.rate_is_new = False


def _number(command: str, text: str) -> float:
    if NUMBER.fullmatch(text) is None:
        raise ProtocolError(f"Error ({command} needs a number): {command} {text[:20]}")
    return float(text)
