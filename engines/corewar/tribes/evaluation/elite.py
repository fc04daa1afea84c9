"""Grades: every warrior of a tribe against last elite opponents and fixed ones; the best part breeds.

Reference: Evolving Warriors, section The Next Generation, after Miller and Cliff. A grade is the weighted
mean of the scores, from 0 to 300. With an early break a newcomer's fights end when its mean so far is so
many standard errors below the worst of those who are kept (V. Metcalf's TEV bred nano warriors so).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from math import sqrt
from typing import Final, Literal

from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.tribes.evaluation.fight import Ring
from engines.corewar.tribes.evaluation.member import Member, Verdict, ranked
from engines.corewar.tribes.evaluation.niche import niche

FEWEST: Final = 5  # opponents, before a mean tells anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """Somebody whom all meet."""

    warrior: Warrior
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Elite:
    """Members that this edition of the opponents has graded often enough keep their grade."""

    ring: Ring
    opponents: Sequence[Opponent]
    edition: int
    kept: int  # of all; they breed
    early_break: float | None
    gradings: int = 1
    race: int = 1  # gradings of a newcomer, one after the other until it is clear that it stays below the cut
    niches: Literal["none", "grades", "behaviour"] = (
        "none"  # equal grades are one behaviour too, if rounds are exact
    )
    solo_cycles: int = 0  # of the run that shows behaviour

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        for member in members:
            if member.edition == self.edition and member.gradings < self.gradings:
                member.graded(self._grade(member, None, 1, rng), self.edition)
        graded = [member for member in members if member.edition == self.edition]
        for member in members:
            if member.edition != self.edition:
                if self.niches == "behaviour":
                    member.niche = niche(member.warrior, self.ring.mars, self.solo_cycles)
                grade = self._grade(member, self._cut(graded, member.niche), self.race, rng)
                member.graded(grade, self.edition, self.race)
                graded.append(member)
        order = self._order(members)
        return Verdict(winners=tuple(order[: self.kept]), losers=tuple(order[self.kept :]))

    def _order(self, members: Sequence[Member]) -> list[int]:
        """Seats, the best first; where there are niches, the best of each before all others."""
        order = ranked(members)
        if self.niches == "none":
            return order
        niches = [member.niche if self.niches == "behaviour" else member.grade for member in members]
        first: dict[float | None, int] = {}
        for seat in order:
            first.setdefault(niches[seat], seat)
        return sorted(order, key=lambda seat: first[niches[seat]] != seat)

    def _cut(self, graded: Sequence[Member], niche: int) -> float | None:
        """The grade that a newcomer of this niche has to reach; None while there is room."""
        if len(graded) < self.kept:
            return None
        cut = sorted((each.grade or 0.0 for each in graded), reverse=True)[self.kept - 1]
        if self.niches != "behaviour":
            return cut
        return min(cut, max((each.grade or 0.0 for each in graded if each.niche == niche), default=0.0))

    def _grade(self, member: Member, cut: float | None, times: int, rng: Random) -> float:
        """By this edition, so many gradings; cut short once it is clear that it stays below the cut."""
        total = weights = squares = 0.0
        for count, opponent in enumerate(chain.from_iterable(repeat(self.opponents, times)), 1):
            outcome = self.ring.fight(member.warrior, opponent.warrior, rng)
            member.met(outcome)
            score = 100 * self.ring.points(outcome) / self.ring.rounds
            total += opponent.weight * score
            squares += opponent.weight * score * score
            weights += opponent.weight
            if cut is not None and self.early_break is not None and count >= FEWEST:
                mean = total / weights
                error = sqrt(max(squares / weights - mean * mean, 0.0) / count)
                if mean + self.early_break * error < cut:
                    break
        return total / weights
