"""A battle: the same warriors for many rounds, each from other positions."""

from typing import Final, final

from mypy_extensions import i64

from core.corewar.mars import Mars
from core.corewar.placement import Placement
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior


@final
class Battle:
    """The first round has begun; run() goes on from round to round. `mars` saves making a new core.

    ValueError for less than one round, for a `mars` of other rules, and for what Mars refuses.
    """

    def __init__(
        self,
        rules: Rules,
        warriors: list[Warrior],
        rounds: int,
        placement: Placement,
        mars: Mars | None = None,
    ) -> None:
        if rounds < 1:
            raise ValueError(f"a battle has one round or more, not {rounds}")
        if mars is None:
            mars = Mars(rules, warriors)
        elif mars.rules == rules:
            mars.enlist(warriors)
        else:
            raise ValueError("this core has other rules")
        self.rules: Final = rules
        self.warriors: Final = mars.warriors
        self.rounds: Final = rounds
        self.placement: Final = placement
        self.mars: Final = mars
        self.round: i64 = 0  # counted from 0
        self.executed_before: i64 = 0  # this round
        self._begin()

    def run(self, ticks: i64) -> bool:
        """Execute at most so many instructions more, over all rounds; True when the last round is over."""
        mars = self.mars
        while ticks > 0:
            if mars.over and not self.next_round():
                break
            before = mars.executed
            mars.run(ticks)
            ticks -= mars.executed - before
        return self.is_over()

    def next_round(self) -> bool:
        """Begin the next round, whether this one is over or not; False when there is none."""
        if self.round + 1 >= i64(self.rounds):
            return False
        self.executed_before += self.mars.executed
        self.round += 1
        self._begin()
        return True

    def is_over(self) -> bool:
        return self.mars.over and self.round + 1 >= i64(self.rounds)

    @property
    def results(self) -> list[list[int]]:
        """Mars.results, of all rounds."""
        return self.mars.results

    @property
    def executed(self) -> int:
        """Instructions in all rounds."""
        return int(self.executed_before + self.mars.executed)

    def _begin(self) -> None:
        positions, starter = self.placement.next()
        self.mars.begin(positions, starter)
