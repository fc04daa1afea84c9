"""Battles as tasks for worker processes: pairs of warriors, or all warriors of a melee, and their tallies.

A warrior without a PIN that comes after one with PIN 0 shares its P-space, as in pMARS 0.9.2.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from core.corewar import instruction as ins
from core.corewar.battle import SEEDS, Battle, StartPositions, from_checksum, seeded
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.presets import exact_rounds
from engines.evolution.population import derive_seed

WIN, TIE = 3, 1  # points of a round
ROUNDS_A_CALL: Final = 10  # of a battle in one compiled call, between which signals are handled
TASK_INSTRUCTIONS: Final = 16_000_000  # in a task of several pairs, at most; about a tenth of a second
TASK_PAIRS: Final = 256  # in a task, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The results of a battle's rounds for one warrior; in a melee `points` need not be whole."""

    wins: int
    losses: int
    ties: int
    points: float

    @classmethod
    def of_two(cls, wins: int, losses: int, ties: int) -> Self:
        return cls(wins=wins, losses=losses, ties=ties, points=WIN * wins + TIE * ties)

    @classmethod
    def of_results(cls, cells: Sequence[int]) -> Self:
        """Return the tally of a row of Mars.results for W warriors.

        The row has the rounds survived with 0, 1, ... W-1 others, then the deaths. The points of a round are pMARS's
        (W*W-1)/S among S survivors, divided by W-1: 3 and 1 against one opponent, and in a melee a score of up to
        (W+1) * 100.
        """
        count = (len(cells) + 1) // 2
        points = sum(cells[alive - 1] * ((count * count - 1) // alive) for alive in range(1, count + 1))
        return cls(
            wins=cells[0], ties=sum(cells[1:count]), losses=sum(cells[count:]), points=points / (count - 1)
        )

    @property
    def rounds(self) -> int:
        return self.wins + self.losses + self.ties

    @property
    def score(self) -> float:
        """100 times the points a round: against one opponent 300 for wins only, 100 for ties only."""
        return self.points * 100 / self.rounds

    def reversed(self) -> Self:
        """Return the tally of the other of two warriors."""
        return self.of_two(wins=self.losses, losses=self.wins, ties=self.ties)


def fight(
    rules: Rules,
    warriors: Iterable[Warrior],
    rounds: int,
    positions: StartPositions,
    mars: Mars | None = None,
) -> list[Tally]:
    """Fight a battle, and return the tallies of its warriors in their order; a given `mars` is used again."""
    battle = Battle(rules, with_shared_pspace(warriors), rounds, positions, mars)
    while not battle.run_rounds(ROUNDS_A_CALL):
        pass  # signals are handled here, not in the core
    return [Tally.of_results(cells) for cells in battle.results]


def with_shared_pspace(warriors: Iterable[Warrior]) -> list[Warrior]:
    """Return the warriors in their order; one without a PIN that comes after one with PIN 0 gets PIN 0, too."""
    seats: list[Warrior] = []
    for warrior in warriors:
        shares = warrior.pin is None and any(earlier.pin == 0 for earlier in seats)
        seats.append(
            Warrior(warrior.name, warrior.author, warrior.cells, warrior.start, 0) if shares else warrior
        )
    return seats


# -- Battles of a hill -------------------------------------------------------------------------------

# Positions follow from the code of the warriors (pMARS's -f), and so does the order of the warriors: a battle is a
# function of rules, rounds and warriors, and a hill can be replayed to the same scores.


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleTask:
    """A battle of a hill, of two warriors or, in a melee, of more, as a task for a worker."""

    rules: Rules
    warriors: tuple[Warrior, ...]
    rounds: int
    is_exact: bool

    @property
    def instructions(self) -> int:
        """The maximum number of instructions of the battle."""
        return self.rounds * len(self.warriors) * self.rules.cycles


def fight_battle(task: BattleTask) -> list[Tally]:
    """Fight the battle of a task, and return the tallies of its warriors in their order."""
    warriors, positions, seats = seated(task)
    tallies = fight(task.rules, warriors, task.rounds, positions)
    return [tallies[seat] for seat in seats]


def lost_rounds(task: BattleTask) -> list[int]:
    """Return the numbers of the rounds, from 1, that the first warrior of a battle loses."""
    warriors, positions, seats = seated(task)
    battle = Battle(task.rules, warriors, task.rounds, positions)
    lost = []
    for round in range(1, task.rounds + 1):
        battle.run_round()
        if not battle.mars.is_alive(seats[0]):
            lost.append(round)
        battle.next_round()
    return lost


def seated(task: BattleTask) -> tuple[list[Warrior], StartPositions, list[int]]:
    """Return the warriors in an order that their code decides, the positions, and the seat of each warrior in it."""
    order = sorted(range(len(task.warriors)), key=lambda number: fingerprint(task.warriors[number]))
    warriors = with_shared_pspace(task.warriors[number] for number in order)
    positions = from_checksum(task.rules, warriors, permuted=task.is_exact)
    return warriors, positions, [order.index(number) for number in range(len(order))]


def fingerprint(warrior: Warrior) -> str:
    """Return a hash of a warrior's cells, start and PIN, which does not depend on its name and author."""
    code = [fields(cell) for cell in warrior.cells]
    return sha256(repr((code, warrior.start, warrior.pin)).encode()).hexdigest()


def fields(cell: int) -> tuple[int, int, int, int, int, int]:
    """Return the numbers that pack() makes a cell of; unlike a cell, they do not depend on how it packs them."""
    return (
        ins.operation_of(cell),
        ins.modifier_of(cell),
        ins.a_mode_of(cell),
        ins.a_of(cell),
        ins.b_mode_of(cell),
        ins.b_of(cell),
    )


# -- Pairs -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The number of rounds of a pair, and their positions: from a seed, or without one from the code (pMARS's -f).

    `exact` asks for each position once with each starter (-P): the result is exact, except for warriors with P-space.
    """

    rounds: int = 100
    seed: int | None = 1
    exact: bool = False

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"a pair fights one round or more, not {self.rounds}")

    @classmethod
    def every_place(cls, rules: Rules) -> Self:
        """Return the exact sampling for these rules."""
        return cls(rounds=exact_rounds(rules), exact=True)

    def positions(self, rules: Rules, pair: Sequence[Warrior], number: int) -> StartPositions:
        """Return the positions of the pair with this number; each pair of a seed has its own."""
        if self.seed is None:
            return from_checksum(rules, list(pair), self.exact)
        return seeded(rules, len(pair), derive_seed(self.seed, number) % SEEDS, self.exact)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsTask:
    """The pairs with the numbers `first`, `first` + 1, ..., as a task for a worker."""

    rules: Rules
    sampling: Sampling
    first: int
    pairs: tuple[tuple[Warrior, Warrior], ...]


def pair_tasks(
    rules: Rules, sampling: Sampling, pairs: Sequence[tuple[Warrior, Warrior]]
) -> Iterator[PairsTask]:
    """Yield tasks for all pairs, each with enough pairs to be worth sending to a worker."""
    size = min(max(TASK_INSTRUCTIONS // (2 * rules.cycles * sampling.rounds), 1), TASK_PAIRS)
    for first in range(0, len(pairs), size):
        yield PairsTask(rules=rules, sampling=sampling, first=first, pairs=tuple(pairs[first : first + size]))


def fight_pairs(task: PairsTask) -> list[Tally]:
    """Return the tally of the first warrior of each pair; the pairs fight in one core, one after the other."""
    mars = Mars(task.rules, list(task.pairs[0]))
    return [
        fight(
            task.rules, pair, task.sampling.rounds, task.sampling.positions(task.rules, pair, number), mars
        )[0]
        for number, pair in enumerate(task.pairs, task.first)
    ]
