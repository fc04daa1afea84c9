"""A scrimmage: a few warriors of a tribe, each against each; who has most points breeds.

Reference: Evolving Warriors, sections Recipe for primordial soup, and Selection and Evaluating. Equal
points are told apart by the order in which they were picked, which is random.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.random import Random
from engines.corewar.tribes.evaluation.fight import Ring
from engines.corewar.tribes.evaluation.member import Member, Verdict
from engines.evolution.selection import shuffled


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrimmage:
    """`stop_decided` leaves out the fights that can no longer change who breeds: only points are lost."""

    ring: Ring
    picked: int
    winners: int
    stop_decided: bool

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        seats = shuffled(range(len(members)), rng)[: self.picked]
        points = [0] * len(seats)
        left = [len(seats) - 1] * len(seats)  # fights of each
        executed = 0
        for one, other in combinations(range(len(seats)), 2):
            first, second = members[seats[one]], members[seats[other]]
            outcome = self.ring.fight(first.warrior, second.warrior, rng)
            first.met(outcome)
            second.met(outcome.reversed)
            points[one] += self.ring.points(outcome)
            points[other] += self.ring.points(outcome.reversed)
            executed += outcome.executed
            left[one] -= 1
            left[other] -= 1
            if self.stop_decided and self._is_decided(points, left):
                break
        order = sorted(range(len(seats)), key=lambda place: -points[place])
        return Verdict(
            winners=tuple(seats[place] for place in order[: self.winners]),
            losers=tuple(seats[place] for place in order[self.winners :]),
            fought=tuple(seats),
            points=tuple(points),
            executed=executed,
        )

    def _is_decided(self, points: Sequence[int], left: Sequence[int]) -> bool:
        """Whether even the luckiest loser would stay behind the unluckiest winner."""
        values = (self.ring.win, self.ring.tie, 0)
        lowest, highest = (bound(values) * self.ring.rounds for bound in (min, max))
        order = sorted(range(len(points)), key=lambda place: -points[place])
        safe = min(points[place] + lowest * left[place] for place in order[: self.winners])
        return all(points[place] + highest * left[place] < safe for place in order[self.winners :])
