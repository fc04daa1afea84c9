"""Battles as tasks for worker processes: pairs of warriors, or the crowd of a melee, and the tallies that come of them.

A warrior without PIN that joins one with PIN 0 shares its P-space, as in pMARS 0.9.2.
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
ROUNDS_A_CALL: Final = 10  # of a battle, before a signal is looked for
TASK_INSTRUCTIONS: Final = 16_000_000  # at most in a task of pairs, about: a tenth of a second
TASK_PAIRS: Final = 256  # at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Rounds as one warrior sees them; `points` need not be whole where many fight at once."""

    wins: int
    losses: int
    ties: int
    points: float

    @classmethod
    def of_two(cls, wins: int, losses: int, ties: int) -> Self:
        return cls(wins=wins, losses=losses, ties=ties, points=WIN * wins + TIE * ties)

    @classmethod
    def of_results(cls, cells: Sequence[int]) -> Self:
        """From a row of Mars.results for W warriors: rounds survived with 0, 1, ... W-1 others, then deaths.

        Points for each opponent: pMARS's (W*W-1)/S among S survivors, shared by W-1; so that one opponent
        gives 3 and 1, and the score of a melee runs to W+1 hundreds.
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
        """300 for nothing but wins, 100 for nothing but ties."""
        return self.points * 100 / self.rounds

    def reversed(self) -> Self:
        """The same rounds, as the other of two warriors sees them."""
        return self.of_two(wins=self.losses, losses=self.wins, ties=self.ties)


def fight(
    rules: Rules,
    warriors: Iterable[Warrior],
    rounds: int,
    positions: StartPositions,
    mars: Mars | None = None,
) -> list[Tally]:
    """Fight a battle; the tallies of its warriors in their order. `mars` saves making a new core."""
    battle = Battle(rules, with_shared_pspace(warriors), rounds, positions, mars)
    while not battle.run_rounds(ROUNDS_A_CALL):
        pass  # signals are handled here, not in the core
    return [Tally.of_results(cells) for cells in battle.results]


def with_shared_pspace(warriors: Iterable[Warrior]) -> list[Warrior]:
    """The warriors in their order; who has no PIN and comes after one with PIN 0 gets PIN 0, too."""
    seats: list[Warrior] = []
    for warrior in warriors:
        shares = warrior.pin is None and any(earlier.pin == 0 for earlier in seats)
        seats.append(
            Warrior(warrior.name, warrior.author, warrior.cells, warrior.start, 0) if shares else warrior
        )
    return seats


# -- Battles of a hill -------------------------------------------------------------------------------

# Positions come from the warriors' own code (pMARS's -f), in an order that their code decides, too: so a
# battle is a function of rules, rounds and warriors, and a hill can be played again to the same scores.


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleTask:
    """A battle of a hill: a pair, or more at once."""

    rules: Rules
    warriors: tuple[Warrior, ...]
    rounds: int
    is_exact: bool

    @property
    def instructions(self) -> int:
        """At most."""
        return self.rounds * len(self.warriors) * self.rules.cycles


def fight_battle(task: BattleTask) -> list[Tally]:
    """The tallies of its warriors in their order."""
    warriors, positions, seats = seated(task)
    tallies = fight(task.rules, warriors, task.rounds, positions)
    return [tallies[seat] for seat in seats]


def lost_rounds(task: BattleTask) -> list[int]:
    """Those that its first warrior has lost, counted from 1."""
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
    """The warriors by their seats, which follow from their code; where they stand; and the seat of each."""
    order = sorted(range(len(task.warriors)), key=lambda number: fingerprint(task.warriors[number]))
    warriors = with_shared_pspace(task.warriors[number] for number in order)
    positions = from_checksum(task.rules, warriors, permuted=task.is_exact)
    return warriors, positions, [order.index(number) for number in range(len(order))]


def fingerprint(warrior: Warrior) -> str:
    """Of the code alone: equal for warriors that play alike, whatever they are called."""
    code = [fields(cell) for cell in warrior.cells]
    return sha256(repr((code, warrior.start, warrior.pin)).encode()).hexdigest()


def fields(cell: int) -> tuple[int, int, int, int, int, int]:
    """The numbers that pack() makes a cell of, which outlive its way of packing."""
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
    """How many rounds a pair fights, and where: from a seed, or without one from the warriors' code (pMARS's -f).

    `exact` asks for each place and starter once (-P): no chance is left, but to warriors that use P-space.
    """

    rounds: int = 100
    seed: int | None = 1
    exact: bool = False

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"a pair fights one round or more, not {self.rounds}")

    @classmethod
    def every_place(cls, rules: Rules) -> Self:
        """The exact one of these rules."""
        return cls(rounds=exact_rounds(rules), exact=True)

    def positions(self, rules: Rules, pair: Sequence[Warrior], number: int) -> StartPositions:
        """For the pair of this number; no two pairs of a seed have the same positions."""
        if self.seed is None:
            return from_checksum(rules, list(pair), self.exact)
        return seeded(rules, len(pair), derive_seed(self.seed, number) % SEEDS, self.exact)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsTask:
    """The pairs with the numbers `first`, `first` + 1, ..."""

    rules: Rules
    sampling: Sampling
    first: int
    pairs: tuple[tuple[Warrior, Warrior], ...]


def pair_tasks(
    rules: Rules, sampling: Sampling, pairs: Sequence[tuple[Warrior, Warrior]]
) -> Iterator[PairsTask]:
    """All pairs, so many in a task that it is worth the way to a worker."""
    size = min(max(TASK_INSTRUCTIONS // (2 * rules.cycles * sampling.rounds), 1), TASK_PAIRS)
    for first in range(0, len(pairs), size):
        yield PairsTask(rules=rules, sampling=sampling, first=first, pairs=tuple(pairs[first : first + size]))


def fight_pairs(task: PairsTask) -> list[Tally]:
    """The tally of each pair, as its first warrior sees it; all fight in one core, one pair after the other."""
    mars = Mars(task.rules, list(task.pairs[0]))
    return [
        fight(
            task.rules, pair, task.sampling.rounds, task.sampling.positions(task.rules, pair, number), mars
        )[0]
        for number, pair in enumerate(task.pairs, task.first)
    ]
