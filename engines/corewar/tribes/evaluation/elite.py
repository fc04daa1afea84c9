"""Grades: every warrior of a tribe against last elite opponents and fixed ones; the best part breeds.

Reference: Evolving Warriors, section The Next Generation, after Miller and Cliff. A grade is the weighted
mean of the scores, from 0 to 300. With an early break a newcomer's fights end when its mean so far is so
many standard errors below the worst of those who are kept (V. Metcalf's TEV bred nano warriors so).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.tribes.evaluation.fight import Ring
from engines.corewar.tribes.evaluation.member import Member, Verdict

FEWEST: Final = 5  # opponents, before a mean tells anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """Somebody whom all meet."""

    warrior: Warrior
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Elite:
    """Members that were graded by this edition of the opponents keep their grade. `kept` of all breed."""

    ring: Ring
    opponents: Sequence[Opponent]
    edition: int
    kept: int
    early_break: float | None

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        grades = sorted((each.grade or 0.0 for each in members if each.edition == self.edition), reverse=True)
        for member in members:
            if member.edition != self.edition:
                cut = grades[self.kept - 1] if len(grades) >= self.kept else None
                member.grade = self._grade(member, cut, rng)
                member.edition = self.edition
                grades.append(member.grade)
                grades.sort(reverse=True)
        # Of equal ones the younger stays: the tribe may drift where no grade holds it.
        order = sorted(
            range(len(members)), key=lambda seat: (-(members[seat].grade or 0.0), -members[seat].id)
        )
        return Verdict(winners=tuple(order[: self.kept]), losers=tuple(order[self.kept :]))

    def _grade(self, member: Member, cut: float | None, rng: Random) -> float:
        total = weights = squares = 0.0
        for count, opponent in enumerate(self.opponents, 1):
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
