"""Solo: how far a warrior spreads when nobody else is there. It breeds ancestors that copy themselves, before any fight.

In a large core hardly any warrior of the soup does, and the first steps towards it win no fight; Tierra had to be
inoculated with a replicator written by hand (T. S. Ray, "An approach to the synthesis of life", 1991).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.corewar.instruction import EMPTY
from core.corewar.mars import Mars
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.tribes.evaluation.member import Member, Verdict, ranked
from engines.corewar.tribes.evaluation.niche import PARTS, begin_alone, homes

LOOKS: Final = 2  # before the catastrophe, and as many after it: who spreads early has more in them
EDITION: Final = 0  # nothing changes, so a grade holds for good


@dataclass(frozen=True, slots=True, kw_only=True)
class Solo:
    """A grade is the mean percentage of the core's parts in which a warrior executes, looked at a few times.

    When half of the time has passed, the half of the core around its first instruction is emptied: copies must be
    able to copy themselves.
    """

    mars: Mars
    cycles: int
    kept: int  # of all; they breed

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        for member in members:
            if member.edition != EDITION:
                member.graded(self._grade(member.warrior), EDITION)
        order = ranked(members)
        return Verdict(winners=tuple(order[: self.kept]), losers=tuple(order[self.kept :]))

    def _grade(self, warrior: Warrior) -> float:
        begin_alone(warrior, self.mars)
        lived_in = self._looks()
        if homes(self.mars) > 1:  # in one part nobody survives that
            self._empty_half()
            lived_in += self._looks()
        return 100 * lived_in / (2 * LOOKS * PARTS)

    def _looks(self) -> int:
        lived_in = 0
        for _ in range(LOOKS):
            self.mars.run(self.cycles // (2 * LOOKS))
            lived_in += homes(self.mars)
        return lived_in

    def _empty_half(self) -> None:
        size = self.mars.size
        for address in range(-(size // 4), size // 4):
            self.mars.set_cell(address % size, EMPTY)
