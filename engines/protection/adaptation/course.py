"""The course of a game as both sides know it: the values turn by turn. The board is not in it."""

from dataclasses import dataclass
from math import log
from typing import Self

from core.protection.rules import START_DOLLARS
from engines.protection.adaptation.calibration import standing
from engines.protection.game.game import ProtectionGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The values as the setup of `turn` began, in dollars, and the standings after the turns before."""

    turn: int = 1
    human_value: int = START_DOLLARS
    chaos_value: int = START_DOLLARS
    standings: tuple[float, ...] = ()

    @classmethod
    def of(cls, game: ProtectionGame) -> Self:
        """That of a game under way, without what is set up for the turn: to salvage costs value."""
        if not game.turns:
            return cls(human_value=game.state.human_value(), chaos_value=game.state.chaos_value())
        last = game.turns[-1]
        return cls(
            turn=last.turn + 1,
            human_value=last.human_value,
            chaos_value=last.audit.after,
            standings=tuple(standing(each.human_value, each.chaos_value) for each in game.turns),
        )

    @property
    def lead(self) -> float:
        """The logarithm of the human's value over Chaos's; below 0 Chaos is ahead."""
        return log(max(self.human_value, 1) / max(self.chaos_value, 1))
