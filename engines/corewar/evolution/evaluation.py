"""Evaluation: the members of a tribe that breed and those that die, by fights or by how they live alone in the core.

Reference: Evolving Warriors, section Implementation: an evaluator names winners and losers, which together need not
be the whole tribe.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, repeat
from math import sqrt
from typing import Annotated, Any, Final, Literal, Protocol, Self

from msgspec import Meta, convert

from core.corewar.battle import SEEDS, Battle, seeded
from core.corewar.instruction import EMPTY
from core.corewar.mars import Mars
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar.battles import Tally
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.genome import Cells
from engines.corewar.presets import exact_rounds
from engines.evolution.selection import shuffled
from engines.statistics import ordered_sum

NEWBORN_CREDIT: Final = (
    200  # rounds, and as many points, added to each record, because an offspring has none yet
)
# The fields of a member that are stored: all but the warrior, which is on record. Scores exist only if fights are
# paired.
STORED: Final = ("id", "rounds", "wins", "ties", "grade", "edition", "gradings", "niche", "scores")
StoredMember = Annotated[tuple[int | float | tuple[float, ...] | None, ...], Meta(min_length=len(STORED) - 1)]
MIN_OPPONENTS: Final = 5  # opponents, before the mean of their scores can end the fights of an offspring

PARTS: Final = 64  # of the core
LEVELS: Final = 4  # of each measure of a niche: at most 1 part, at most 7, at most 31, more

# Looks of Solo before half of the core is emptied, and again after it, so that a warrior that spreads early gets
# more.
LOOKS_PER_HALF: Final = 2
SOLO_EDITION: Final = 0  # always the same, so that each member is graded once


@dataclass(slots=True, kw_only=True)
class Member:
    """A living warrior of a tribe; rounds, wins and ties are those of its life so far."""

    id: int
    warrior: Warrior
    genes: Cells = ()  # by default the warrior's cells
    rounds: int = 0
    wins: int = 0
    ties: int = 0
    grade: float | None = None  # None without grades, or before the first
    edition: int = -1  # of the opponents that graded the member last
    gradings: int = 0  # by this edition; the grade is the mean of all of them
    niche: int = 0  # by behaviour, with niches = behaviour only
    scores: list[float] = field(default_factory=list)  # against each opponent, summed over all gradings

    def __post_init__(self) -> None:
        self.genes = self.genes or self.warrior.cells

    def add_grade(self, grade: float, edition: int, times: int = 1, scores: Sequence[float] = ()) -> None:
        """Add a grading, or the mean of `times` gradings, to those by the same edition of the opponents.

        `scores` are the sums against each opponent, or nothing if they are not known for all opponents. Sums are kept
        only if every grading by this edition has them. A new edition discards the earlier gradings.
        """
        if edition != self.edition or self.grade is None:
            self.grade, self.edition, self.gradings = 0.0, edition, 0
            self.scores = [0.0] * len(scores)
        self.grade = (self.grade * self.gradings + grade * times) / (self.gradings + times)
        self.gradings += times
        self.scores = [old + new for old, new in zip(self.scores, scores, strict=False)]

    def add_fight(self, tally: Tally) -> None:
        """Add the rounds, wins and ties of a fight to this member's record."""
        self.rounds += tally.rounds
        self.wins += tally.wins
        self.ties += tally.ties

    @property
    def merit(self) -> tuple[float, int]:
        """A sort key that puts the best member first and, of equal ones, the older.

        The first value is the grade or, without grades, the points a round, with NEWBORN_CREDIT rounds of one point each added
        to the record.
        """
        points = (3 * self.wins + self.ties + NEWBORN_CREDIT) / (self.rounds + NEWBORN_CREDIT)
        return -(points if self.grade is None else self.grade), self.id

    @property
    def record(self) -> str:
        """A one-line summary of this member's record, for display."""
        losses = self.rounds - self.wins - self.ties
        grade = "" if self.grade is None else f", grade {self.grade:.2f}"
        return f"{self.wins} won, {self.ties} tied, {losses} lost in its tribe{grade}"

    @property
    def stored(self) -> StoredMember:
        """The values of the fields STORED; the scores are left out if there are none."""
        values = [getattr(self, name) for name in STORED[:-1]]
        return (*values, tuple(self.scores)) if self.scores else tuple(values)

    @classmethod
    def restored(cls, stored: StoredMember, express: Callable[[Any], tuple[Warrior, Cells]]) -> Self:
        """Return a member from its stored values. Raises ValueError for values of wrong types."""
        warrior, genes = express(stored[0])
        values = dict(zip(STORED, stored, strict=False))
        return convert(values | {"warrior": warrior, "genes": genes}, cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The seats of the members that breed and of those that die; for a scrimmage, also its log."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    fought: tuple[int, ...] = ()  # seats of the scrimmage
    points: tuple[int, ...] = ()  # of each of these seats
    executed: int = 0  # instructions in the scrimmage


class Evaluator(Protocol):
    """A rule that decides which members of a tribe breed and which die."""

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        """Let members fight, add the fights to their records, and return the verdict."""
        ...


def best(members: Sequence[Member]) -> Member:
    return min(members, key=lambda member: member.merit)


def ranked(members: Sequence[Member]) -> list[int]:
    """Return the seats of the members, the best grade first.

    Of equal grades the younger member comes first, so that a tribe may drift where grades do not differ.
    """
    return sorted(range(len(members)), key=lambda seat: (-(members[seat].grade or 0.0), -members[seat].id))


# -- Alone in the core -------------------------------------------------------------------------------


def begin_alone(warrior: Warrior, mars: Mars) -> None:
    """Start a round of this warrior alone in an empty core; the warriors loaded before are discarded."""
    mars.load_warriors([warrior])
    mars.begin([0], 0)


def is_viable(warrior: Warrior, mars: Mars, cycles: int) -> bool:
    """Return whether a warrior alone in the core lives after `cycles` cycles (section Tribes and Breeding)."""
    begin_alone(warrior, mars)
    mars.run(cycles)
    return mars.living > 0


def occupied_parts(mars: Mars) -> int:
    """Return in how many of the PARTS parts of the core the only warrior has processes.

    A process at an empty cell does not count, since it will die there.
    """
    core = mars.core
    return len({address * PARTS // mars.size for address in mars.processes(0) if core[address] != EMPTY})


def niche(warrior: Warrior, mars: Mars, cycles: int) -> int:
    """Return the niche of a warrior by its behaviour alone in the core: LEVELS x LEVELS cells, numbered from 0.

    The two measures, taken after `cycles` cycles, are the share of the core in which the warrior executes and the
    share that it has changed. The best of each niche is kept as in MAP-Elites (J.-B. Mouret and J. Clune,
    "Illuminating search spaces by mapping elites", 2015), which Digital Red Queen (2026) used for warriors, with
    other measures: so one kind of behaviour does not displace all others in a tribe.
    """
    begin_alone(warrior, mars)
    mars.run(cycles)
    changed = sum(cell != EMPTY for cell in mars.core) * PARTS // mars.size
    return _level(occupied_parts(mars)) * LEVELS + _level(changed)


def _level(parts: int) -> int:
    return min(parts.bit_length() // 2, LEVELS - 1)


# -- Fights ------------------------------------------------------------------------------------------

# A side of a fight may be a team of several warriors that share a P-space, each bred in a tribe of its own (section
# Future genetic work: "evolving teams of warriors that work together"). A member's partners are the best of the next
# tribes, as in M. A. Potter and K. A. De Jong, "A cooperative coevolutionary approach to function optimization"
# (1994). The other side consists of as many copies of the opponent. A side lives while one of its warriors lives.


@dataclass(slots=True, kw_only=True)
class Duel:
    """The conditions of a fight of two warriors: the core, the rounds and their positions, and the points of a round.

    The rounds start from positions drawn at random or, with `is_exact`, from each position once with each starter.
    """

    mars: Mars  # used for all fights
    rounds: int
    is_exact: bool
    alike: int | None  # if the first `alike` rounds end alike, the others are taken to end so too
    win: int  # points of a round for the only survivor
    tie: int  # points of a round for each of two survivors
    partners: tuple[Warrior, ...] = ()  # of the first warrior in every fight
    executed: int = 0  # instructions in all fights

    @classmethod
    def of(cls, config: TribesConfig, rounds: int | None, partners: Sequence[Warrior] = ()) -> Self:
        """Return the duel of a configuration; if `rounds` is None, each position is fought once with each starter."""
        rules = config.rules
        win, tie = config.points()
        return cls(
            mars=Mars(rules, [Warrior("", "", (), 0)]),
            rounds=exact_rounds(rules) if rounds is None else rounds,
            is_exact=rounds is None,
            alike=config.rounds_alike,
            win=win,
            tie=tie,
            partners=tuple(partners),
        )

    def fight(self, first: Warrior, second: Warrior, rng: Random) -> Tally:
        """Fight from positions and with starters that are drawn, and return the tally of the first warrior."""
        side = [first, *self.partners]
        warriors = line_up([side, [second] * len(side)]) if self.partners else [first, second]
        positions = seeded(self.mars.rules, len(warriors), rng.below(SEEDS), self.is_exact)
        battle = Battle(self.mars.rules, warriors, self.rounds, positions, self.mars)
        wins, ties, losses = fight_of_teams(battle) if self.partners else self._fight_of_two(battle)
        self.executed += battle.executed
        return Tally.of_two(wins=wins, losses=losses, ties=ties)

    def points(self, tally: Tally) -> int:
        return self.win * tally.wins + self.tie * tally.ties

    def _fight_of_two(self, battle: Battle) -> list[int]:
        """Return wins, ties and losses, scaled to all rounds if only the first, which ended alike, were fought."""
        is_over = self.alike is not None and battle.run_rounds(self.alike)
        if not is_over and (self.alike is None or self.alike not in battle.results[0]):
            battle.run_rounds(self.rounds)
        results = battle.results[0]
        return [result * self.rounds // sum(results) for result in results]


def line_up(sides: Sequence[Sequence[Warrior]]) -> list[Warrior]:
    """Return the warriors of all sides in one list, with a PIN for each side, which its warriors share."""
    return [
        Warrior(warrior.name, warrior.author, warrior.cells, warrior.start, pin)
        for pin, side in enumerate(sides)
        for warrior in side
    ]


def fight_of_teams(battle: Battle) -> list[int]:
    """Fight a battle of two sides of equal size, and return the rounds that the first side won, tied and lost."""
    results = [0, 0, 0]
    members = len(battle.warriors) // 2
    while True:
        battle.run_round()
        first, second = (
            any(battle.mars.is_alive(seat) for seat in range(side * members, (side + 1) * members))
            for side in range(2)
        )
        results[1 + second - first] += 1
        if not battle.next_round():
            return results


# -- Evaluators --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrimmage:
    """A round robin of a few members of a tribe: those with most points breed, the others die.

    Sections Recipe for primordial soup, and Selection and Evaluating. Members with equal points rank in the order in
    which they were picked, which is random. `stop_decided` skips the fights that can no longer change the winners;
    the only loss is that their points are missing from the log and the records.
    """

    duel: Duel
    picked: int
    winners: int
    stop_decided: bool

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        seats = shuffled(range(len(members)), rng)[: self.picked]
        points = [0] * len(seats)
        left = [len(seats) - 1] * len(seats)  # fights of each
        executed = self.duel.executed
        for one, other in combinations(range(len(seats)), 2):
            first, second = members[seats[one]], members[seats[other]]
            tally = self.duel.fight(first.warrior, second.warrior, rng)
            reversed_tally = tally.reversed()
            first.add_fight(tally)
            second.add_fight(reversed_tally)
            points[one] += self.duel.points(tally)
            points[other] += self.duel.points(reversed_tally)
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
            executed=self.duel.executed - executed,
        )

    def _is_decided(self, points: Sequence[int], left: Sequence[int]) -> bool:
        """Return whether no outcome of the remaining fights can lift a loser to the points of a winner."""
        values = (self.duel.win, self.duel.tie, 0)
        lowest, highest = (bound(values) * self.duel.rounds for bound in (min, max))
        order = sorted(range(len(points)), key=lambda place: -points[place])
        safe = min(points[place] + lowest * left[place] for place in order[: self.winners])
        return all(points[place] + highest * left[place] < safe for place in order[self.winners :])


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """A warrior against which all members of all tribes are graded."""

    number: int  # from 0, within the edition
    warrior: Warrior
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Elite:
    """Evaluation by grades against elites of earlier generations and fixed opponents: the best share breeds.

    Section The Next Generation, after Miller and Cliff. A grade is the weighted mean of the scores, from 0 to 300.
    With an early break an offspring's fights end when its mean so far is `early_break` standard errors below the
    worst of those that are kept (V. Metcalf's TEV bred nano warriors in this way). Members that this edition of the
    opponents has graded often enough keep their grade.

    If fights are paired, the mean is that of the differences from the scores of the kept members against the same
    opponents (a control variate): strong opponents are hard for every member, so differences vary less than scores,
    and decide sooner. Since the opponents are given and not drawn, the error vanishes with the last of them.
    """

    duel: Duel
    opponents: Sequence[Opponent]
    edition: int
    kept: int  # members that breed; the others die
    early_break: float | None
    is_paired: bool = False
    gradings: int = 1
    race: int = 1  # gradings of an offspring, which early break may cut short
    # With exact rounds, equal grades are taken as equal behaviour.
    niches: Literal["none", "grades", "behaviour"] = "none"
    parents: Literal["all", "niches"] = "all"  # of the kept members, those that breed
    solo_cycles: int = 0  # alone in the core, to find the niche by behaviour

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        for member in members:
            if member.edition == self.edition and member.gradings < self.gradings:
                self._grade(member, [], 1, rng)
        graded = [member for member in members if member.edition == self.edition]
        for member in members:
            if member.edition != self.edition:
                if self.niches == "behaviour":
                    member.niche = niche(member.warrior, self.duel.mars, self.solo_cycles)
                self._grade(member, graded, self.race, rng)
                graded.append(member)
        order, count = self._order(members)
        breed = min(count, self.kept) if self.parents == "niches" else self.kept
        return Verdict(winners=tuple(order[:breed]), losers=tuple(order[self.kept :]))

    def _order(self, members: Sequence[Member]) -> tuple[list[int], int]:
        """Return the seats, the best first, and the number of niches.

        The best member of each niche comes before all members that are not the best of theirs.
        """
        order = ranked(members)
        if self.niches == "none":
            return order, 1
        niches = [member.niche if self.niches == "behaviour" else member.grade for member in members]
        first: dict[float | None, int] = {}
        for seat in order:
            first.setdefault(niches[seat], seat)
        return sorted(order, key=lambda seat: first[niches[seat]] != seat), len(first)

    def _cut(self, graded: Sequence[Member], niche: int) -> float | None:
        """Return the grade that an offspring of this niche must reach to be kept, or None if there is room for it.

        The best grade of the niche suffices, since the best of each niche is kept first.
        """
        if len(graded) < self.kept:
            return None
        cut = sorted((member.grade or 0.0 for member in graded), reverse=True)[self.kept - 1]
        if self.niches != "behaviour":
            return cut
        return min(cut, max((member.grade or 0.0 for member in graded if member.niche == niche), default=0.0))

    def _grade(self, member: Member, graded: Sequence[Member], times: int, rng: Random) -> None:
        """Grade a member `times` times by this edition; early break ends it when the grade stays below the cut."""
        cut = self._cut(graded, member.niche)
        expected = self._expected(graded)
        start = ordered_sum(each.weight * expected[each.number] for each in self.opponents)
        start /= ordered_sum(each.weight for each in self.opponents)
        scores = [0.0] * len(self.opponents)
        fights = len(self.opponents) * times
        total = weights = squares = 0.0
        for count, opponent in enumerate(chain.from_iterable(repeat(self.opponents, times)), 1):
            tally = self.duel.fight(member.warrior, opponent.warrior, rng)
            member.add_fight(tally)
            score = 100 * self.duel.points(tally) / self.duel.rounds
            scores[opponent.number] += score
            difference = score - expected[opponent.number]
            total += opponent.weight * difference
            squares += opponent.weight * difference * difference
            weights += opponent.weight
            if cut is not None and self.early_break is not None and count >= MIN_OPPONENTS:
                mean = total / weights
                error = sqrt(max(squares / weights - mean * mean, 0.0) / count)
                if self.is_paired:
                    error *= sqrt(1 - count / fights)
                if start + mean + self.early_break * error < cut:
                    break
        is_known = self.is_paired and count == fights
        member.add_grade(start + total / weights, self.edition, times, scores if is_known else ())

    def _expected(self, graded: Sequence[Member]) -> list[float]:
        """Return the mean score of the kept members against each opponent; zeros if fights are not paired."""
        known = sorted((member for member in graded if member.scores), key=lambda member: member.merit)
        kept = known[: self.kept]
        if not kept:
            return [0.0] * len(self.opponents)
        return [
            ordered_sum(member.scores[number] / member.gradings for member in kept) / len(kept)
            for number in range(len(self.opponents))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Solo:
    """Evaluation by how far a warrior spreads alone in the core: it breeds ancestors that copy themselves.

    In a large core hardly any random warrior copies itself, and the first steps towards it win no fight; Tierra had
    to be inoculated with a replicator written by hand (T. S. Ray, "An approach to the synthesis of life", 1991). A
    grade is the mean percentage of the core's parts in which a warrior executes, measured at 2 * LOOKS_PER_HALF moments. After
    half of the time the half of the core around the warrior's load address is emptied: copies must be able to copy
    themselves.
    """

    mars: Mars
    cycles: int
    kept: int  # members that breed; the others die

    def judge(self, members: Sequence[Member], rng: Random) -> Verdict:
        for member in members:
            if member.edition != SOLO_EDITION:
                member.add_grade(self._grade(member.warrior), SOLO_EDITION)
        order = ranked(members)
        return Verdict(winners=tuple(order[: self.kept]), losers=tuple(order[self.kept :]))

    def _grade(self, warrior: Warrior) -> float:
        begin_alone(warrior, self.mars)
        occupied = self._looks()
        if occupied_parts(self.mars) > 1:  # a warrior in a single part would not survive
            self._empty_half()
            occupied += self._looks()
        return 100 * occupied / (2 * LOOKS_PER_HALF * PARTS)

    def _looks(self) -> int:
        occupied = 0
        for _ in range(LOOKS_PER_HALF):
            self.mars.run(self.cycles // (2 * LOOKS_PER_HALF))
            occupied += occupied_parts(self.mars)
        return occupied

    def _empty_half(self) -> None:
        size = self.mars.size
        for address in range(-(size // 4), size // 4):
            self.mars.set_cell(address % size, EMPTY)
