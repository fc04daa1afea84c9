"""Viability: a warrior that survives alone in an empty core.

Reference: Evolving Warriors, section Tribes and Breeding.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, repeat
from math import sqrt
from typing import Any, Final, Literal, Protocol, Self

from core.corewar.battle import Battle, CycleDetector, run_to_end, seeded
from core.corewar.instruction import EMPTY
from core.corewar.mars import Mars
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.genome import Cells
from engines.corewar.presets import exact_rounds
from engines.evolution.selection import shuffled


def is_viable(warrior: Warrior, mars: Mars, cycles: int) -> bool:
    """Whether it lives after so many cycles. Whatever fought in this core is gone."""
    begin_alone(warrior, mars)
    mars.run(cycles)
    return mars.living > 0


# A fight of two warriors: so many rounds from random places, or each place and starter once.


SEEDS: Final = 2_147_483_647  # of the generator of places


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Rounds as the first warrior sees them."""

    wins: int
    ties: int
    losses: int
    executed: int = 0  # instructions

    @property
    def rounds(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def reversed(self) -> "Outcome":
        return replace(self, wins=self.losses, losses=self.wins)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A core for many fights, how long they are, and what a round is worth."""

    mars: Mars
    echo: CycleDetector
    rounds: int
    is_exact: bool
    alike: int | None  # a fight whose first rounds, so many, end alike is taken to go on so
    win: int  # points of a round for the only survivor
    tie: int  # and for each of two
    partners: tuple[Warrior, ...] = ()  # of the first warrior in every fight

    @classmethod
    def of(cls, config: TribesConfig, rounds: int | None, partners: Sequence[Warrior] = ()) -> Self:
        """`rounds` is None for every place and starter once."""
        rules = config.rules
        win, tie = config.points()
        mars = Mars(rules, [Warrior("", "", (), 0)])
        return cls(
            mars=mars,
            echo=CycleDetector(mars),
            rounds=exact_rounds(rules) if rounds is None else rounds,
            is_exact=rounds is None,
            alike=config.rounds_alike,
            win=win,
            tie=tie,
            partners=tuple(partners),
        )

    def fight(self, first: Warrior, second: Warrior, rng: Random) -> Outcome:
        """Fight it out. Places and starters are drawn."""
        if self.partners:
            return self._fight_of_teams(first, second, rng)
        rules = self.mars.rules
        placement = seeded(rules, 2, rng.below(SEEDS), self.is_exact)
        battle = Battle(rules, [first, second], self.rounds, placement, self.mars)
        run_to_end(self.mars, self.echo)
        while battle.next_round():
            if battle.round == self.alike and self.alike in battle.results[0]:
                break
            run_to_end(self.mars, self.echo)
        wins, ties, losses = self._in_full(battle.results[0])
        return Outcome(wins=wins, ties=ties, losses=losses, executed=battle.executed)

    def _fight_of_teams(self, first: Warrior, second: Warrior, rng: Random) -> Outcome:
        side = [first, *self.partners]
        warriors = line_up([side, [second] * len(side)])
        placement = seeded(self.mars.rules, len(warriors), rng.below(SEEDS))
        battle = Battle(self.mars.rules, warriors, self.rounds, placement, self.mars)
        wins, ties, losses = fought(battle, self.echo)
        return Outcome(wins=wins, ties=ties, losses=losses, executed=battle.executed)

    def _in_full(self, results: list[int]) -> list[int]:
        """As if all rounds had been fought."""
        return [result * self.rounds // sum(results) for result in results]

    def points(self, outcome: Outcome) -> int:
        """Of the first warrior."""
        return self.win * outcome.wins + self.tie * outcome.ties


# A member of a tribe and its record, and the verdict of an evaluation.
#
# Reference: Evolving Warriors, section Implementation: an evaluator says who are winners and who losers,
# and all of them together need not be the whole tribe.


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


# The niche of a warrior: how it lives alone, so that one way of life does not displace all others in a tribe.
#
# The best of each niche is kept as in MAP-Elites (J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping
# elites", 2015), which Digital Red Queen (2026) used for warriors, with other measures.


PARTS: Final = 64  # of the core
LEVELS: Final = 4  # of each measure: one part at most, up to seven, up to thirty-one, more


def niche(warrior: Warrior, mars: Mars, cycles: int) -> int:
    """After so many cycles: in how much of the core it executes, and how much it has changed."""
    begin_alone(warrior, mars)
    mars.run(cycles)
    changed = sum(cell != EMPTY for cell in mars.core) * PARTS // mars.size
    return _level(homes(mars)) * LEVELS + _level(changed)


def begin_alone(warrior: Warrior, mars: Mars) -> None:
    """In an empty core. Whatever fought there is gone."""
    mars.load_warriors([warrior])
    mars.begin([0], 0)


def homes(mars: Mars) -> int:
    """In how many of the parts the only warrior executes now, other than to die in an empty cell."""
    core = mars.core
    lived_in = {address * PARTS // mars.size for address in mars.processes(0) if core[address] != EMPTY}
    return len(lived_in)


def _level(parts: int) -> int:
    return min(parts.bit_length() // 2, LEVELS - 1)


# A scrimmage: a few warriors of a tribe, each against each; who has most points breeds.
#
# Reference: Evolving Warriors, sections Recipe for primordial soup, and Selection and Evaluating. Equal
# points are told apart by the order in which they were picked, which is random.


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


# Solo: how far a warrior spreads when nobody else is there. It breeds ancestors that copy themselves, before any fight.
#
# In a large core hardly any warrior of the soup does, and the first steps towards it win no fight; Tierra had to be
# inoculated with a replicator written by hand (T. S. Ray, "An approach to the synthesis of life", 1991).


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


# Teams: a side of a fight is several warriors that share a P-space, each bred in a tribe of its own.
#
# Reference: Evolving Warriors, section Future genetic work: "evolving teams of warriors that work together". A member's
# partners are the best of the next tribes, as in M. A. Potter and K. A. De Jong, "A cooperative coevolutionary approach
# to function optimization" (1994); an opponent comes as often as the side has members. A side lives while one of it does.


def line_up(sides: Sequence[Sequence[Warrior]]) -> list[Warrior]:
    """One behind the other, each side with a PIN of its own."""
    return [
        Warrior(warrior.name, warrior.author, warrior.cells, warrior.start, pin)
        for pin, side in enumerate(sides)
        for warrior in side
    ]


def fought(battle: Battle, echo: CycleDetector) -> list[int]:
    """Fight a battle of two sides of equal size; the rounds that the first one won, tied and lost."""
    results = [0, 0, 0]
    members = len(battle.warriors) // 2
    while True:
        run_to_end(battle.mars, echo)
        first, second = (
            any(battle.mars.is_alive(seat) for seat in range(side * members, (side + 1) * members))
            for side in range(2)
        )
        results[1 + second - first] += 1
        if not battle.next_round():
            return results


# Grades: every warrior of a tribe against last elite opponents and fixed ones; the best part breeds.
#
# Reference: Evolving Warriors, section The Next Generation, after Miller and Cliff. A grade is the weighted
# mean of the scores, from 0 to 300. With an early break a newcomer's fights end when its mean so far is so
# many standard errors below the worst of those who are kept (V. Metcalf's TEV bred nano warriors so).


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
