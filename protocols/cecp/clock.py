"""What level, st, sd, nps, time and otim of CECP add up to: the limit of the next move."""

import re
from typing import Final

from engines.engine import Clock, Limit
from protocols.session import ProtocolError

COMMANDS: Final = frozenset(("level", "st", "sd", "nps", "time", "otim"))
LEVEL: Final = re.compile(r"([0-9]{1,6})\s+([0-9]{1,7})(?::([0-9]{1,2}))?\s+(\S{1,40})")
NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")  # as Python writes them
MOST: Final = 1e9  # seconds and nodes are cut to it


class GameClock:
    """The time control of a game and our clock in it, in seconds."""

    def __init__(self) -> None:
        self.moves = 0  # in a period; 0: all in one
        self.first_move = 0  # our own moves made when the first period began
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
        self.first_move = 0

    def new_position(self) -> None:
        """Moves are counted from here."""
        self.first_move = 0

    def obey(self, command: str, argument: str, moves_made: int) -> None:
        """One of COMMANDS, after `moves_made` of ours. ProtocolError says what is wrong with it."""
        if command == "level":
            self._level(argument, moves_made)
            return
        if len(argument) > 40 or NUMBER.fullmatch(argument) is None:
            raise ProtocolError(f"Error ({command} needs a number): {command} {argument[:20]}")
        number = min(max(float(argument), -MOST), MOST)
        if command == "st":
            self.seconds = max(number, 0.0)
            self._forget_old_rate()
        elif command == "sd":
            self.depth = max(int(number), 1)
        elif command == "nps":  # 0 and below mean the wall clock again
            self.rate = number if number > 0 else None
            self.rate_is_new = True
        elif command == "time":
            self.clock = number / 100

    def moved(self, seconds: float) -> None:
        """We have used so much: keeps the clock true for GUIs that do not send `time`."""
        self.clock += self.increment - seconds

    def limit(self, moves_made: int) -> Limit:
        """For the next move, after `moves_made` of ours."""
        self.rate_is_new = False
        if self.seconds is not None:
            return Limit(seconds=self.seconds, depth=self.depth, nodes_per_second=self.rate)
        left = self.moves - (moves_made - self.first_move) % self.moves if self.moves else None
        clock = Clock(seconds=self.clock, increment=self.increment, moves_to_reset=left)
        return Limit(clock=clock, depth=self.depth, nodes_per_second=self.rate)

    def _level(self, text: str, moves_made: int) -> None:
        match = LEVEL.fullmatch(text)
        if match is None or NUMBER.fullmatch(match[4]) is None:
            raise ProtocolError(f"Error (level needs: moves minutes[:seconds] increment): level {text[:40]}")
        self.moves = int(match[1])
        self.first_move = moves_made
        self.base = self.clock = int(match[2]) * 60.0 + int(match[3] or 0)
        self.increment = min(max(float(match[4]), 0.0), MOST)
        self.seconds = None
        self._forget_old_rate()

    def _forget_old_rate(self) -> None:
        """python-chess sends `nps 1` and `st N` for N nodes, and later a plain `st` in seconds; the
        others send nps after st or level. So a rate holds for the st that follows it, not for later ones."""
        if not self.rate_is_new:
            self.rate = None
        self.rate_is_new = False
