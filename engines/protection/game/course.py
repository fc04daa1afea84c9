"""The course of the game under way as both sides know it: the values turn by turn. The board is not in it."""

from dataclasses import dataclass, replace
from math import log
from typing import Self

from core.protection.rules import START_DOLLARS
from engines.protection.adaptation.calibration import standing
from engines.protection.game.game import Played


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The values at the setup of `turn`, in dollars, and the standings after the turns before."""

    turn: int = 1
    human_value: int = START_DOLLARS
    chaos_value: int = START_DOLLARS
    standings: tuple[float, ...] = ()

    @property
    def lead(self) -> float:
        """The logarithm of the human's value over Chaos's; below 0 Chaos is ahead."""
        return log(max(self.human_value, 1) / max(self.chaos_value, 1))

    def turned(self, played: Played) -> Self:
        """After a turn, with the grant in it."""
        return replace(
            self,
            turn=played.turn + 1,
            human_value=played.human_value,
            chaos_value=played.audit.after,
            standings=(*self.standings, standing(played.human_value, played.chaos_value)),
        )
