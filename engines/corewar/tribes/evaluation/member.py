"""A member of a tribe and its record, and the verdict of an evaluation.

Reference: Evolving Warriors, section Implementation: an evaluator says who are winners and who losers,
and all of them together need not be the whole tribe.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, Self

from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.tribes.evaluation.fight import Outcome
from engines.corewar.tribes.genes import Cells

LENT: Final = 200  # rounds, and as many points: a newcomer has no record yet


@dataclass(slots=True, kw_only=True)
class Member:
    """A living warrior; rounds, wins and ties are those of its life so far."""

    id: int
    warrior: Warrior
    genes: Cells = ()  # the warrior's cells unless said
    rounds: int = 0
    wins: int = 0
    ties: int = 0
    grade: float | None = None  # where a tribe has grades
    edition: int = -1  # of the opponents, when it was graded
    gradings: int = 0  # by this edition; the grade is their mean
    niche: int = 0  # by behaviour, where that counts

    def __post_init__(self) -> None:
        self.genes = self.genes or self.warrior.cells

    def graded(self, grade: float, edition: int, times: int = 1) -> None:
        """Another grading, or the mean of several: it joins those by the same edition."""
        if edition != self.edition or self.grade is None:
            self.grade, self.edition, self.gradings = 0.0, edition, 0
        self.grade = (self.grade * self.gradings + grade * times) / (self.gradings + times)
        self.gradings += times

    def met(self, outcome: Outcome) -> None:
        """Add a fight to its record."""
        self.rounds += outcome.rounds
        self.wins += outcome.wins
        self.ties += outcome.ties

    @property
    def merit(self) -> tuple[float, int]:
        """Sorts the best first: by grade, else by points a round, of which newcomers are lent some."""
        standing = (3 * self.wins + self.ties + LENT) / (self.rounds + LENT)
        return -(standing if self.grade is None else self.grade), self.id

    @property
    def record(self) -> str:
        """For people."""
        losses = self.rounds - self.wins - self.ties
        grade = "" if self.grade is None else f", grade {self.grade:.2f}"
        return f"{self.wins} won, {self.ties} tied, {losses} lost in its tribe{grade}"

    def data(self) -> list[Any]:
        """All but the warrior, which is on record."""
        return [
            self.id,
            self.rounds,
            self.wins,
            self.ties,
            self.grade,
            self.edition,
            self.gradings,
            self.niche,
        ]

    @classmethod
    def restored(cls, data: list[Any], warrior: Warrior, genes: Cells) -> Self:
        id, rounds, wins, ties, grade, edition, gradings, niche = data
        return cls(
            id=id,
            warrior=warrior,
            genes=genes,
            rounds=rounds,
            wins=wins,
            ties=ties,
            grade=grade,
            edition=edition,
            gradings=gradings,
            niche=niche,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Who breeds and who dies, by seats of the tribe; and the scrimmage to be logged, if it was one."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    fought: tuple[int, ...] = ()  # seats
    points: tuple[int, ...] = ()  # of these
    executed: int = 0  # instructions


class Evaluator(Protocol):
    """Says after some fighting who breeds."""

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        """Adds what was fought to the records of the members."""
        ...


def ranked(members: Sequence[Member]) -> list[int]:
    """Seats, the best grade first. Of equal ones the younger: the tribe may drift where no grade holds it."""
    return sorted(range(len(members)), key=lambda seat: (-(members[seat].grade or 0.0), -members[seat].id))
