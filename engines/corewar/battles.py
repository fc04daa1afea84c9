"""Seats in a battle as pMARS 0.9.2 gives them: a warrior without PIN joins an earlier one that has PIN 0."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from core.corewar.battle import Battle, CycleDetector, StartPositions, from_checksum, run_to_end, seeded
from core.corewar.instruction import a_mode_of, a_of, b_mode_of, b_of, modifier_of, operation_of
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.presets import exact_rounds
from engines.evolution.population import derive_seed


def seated(warriors: Iterable[Warrior]) -> list[Warrior]:
    """The warriors in their order, each with the PIN under which it shares its P-space."""
    seats: list[Warrior] = []
    for each in warriors:
        joins = each.pin is None and any(earlier.pin == 0 for earlier in seats)
        seats.append(Warrior(each.name, each.author, each.cells, each.start, 0) if joins else each)
    return seats


# Battles of a hill: a task for a worker process, and what came of it.
#
# Positions come from the warriors' own code (pMARS's -f), in an order that their code decides, too: so a
# battle is a function of rules, rounds and warriors, and a hill can be played again to the same scores.


SLICE_TICKS: Final = 1 << 40  # a worker has nothing else to do
WIN, TIE = 3, 1  # points


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Rounds from one warrior's view; `points` need not be whole where many fight at once."""

    wins: int
    losses: int
    ties: int
    points: float

    @classmethod
    def of_two(cls, wins: int, losses: int, ties: int) -> "Tally":
        return cls(wins=wins, losses=losses, ties=ties, points=WIN * wins + TIE * ties)

    @property
    def rounds(self) -> int:
        return self.wins + self.losses + self.ties

    @property
    def score(self) -> float:
        """300 for nothing but wins, 100 for nothing but ties."""
        return self.points * 100 / self.rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight:
    """A battle to be fought: a pair, or more at once."""

    rules: Rules
    warriors: tuple[Warrior, ...]
    rounds: int
    is_exact: bool

    @property
    def ticks(self) -> int:
        """Instructions, at most."""
        return self.rounds * len(self.warriors) * self.rules.cycles


def play(fight: Fight) -> list[Tally]:
    """Fight it; the tallies of its warriors in their order."""
    order = sorted(range(len(fight.warriors)), key=lambda seat: fingerprint(fight.warriors[seat]))
    warriors = seated(fight.warriors[seat] for seat in order)
    placement = from_checksum(fight.rules, warriors, permuted=fight.is_exact)
    battle = Battle(fight.rules, warriors, fight.rounds, placement)
    while not battle.run(SLICE_TICKS):
        pass
    tallies = [tally(cells) for cells in battle.results]
    return [tallies[order.index(seat)] for seat in range(len(order))]


def tally(cells: Sequence[int]) -> Tally:
    """What W warriors' cells of results say: rounds survived with 0, 1, ... W-1 others, then deaths.

    Points for each opponent: pMARS's (W*W-1)/S among S survivors, shared by W-1; so that one opponent
    gives 3 and 1, and the score of a melee runs to W+1 hundreds.
    """
    count = (len(cells) + 1) // 2
    points = sum(cells[alive - 1] * ((count * count - 1) // alive) for alive in range(1, count + 1))
    return Tally(
        wins=cells[0], ties=sum(cells[1:count]), losses=sum(cells[count:]), points=points / (count - 1)
    )


def fingerprint(warrior: Warrior) -> str:
    """Of the code alone: equal for warriors that play alike, whatever they are called."""
    code = [fields(cell) for cell in warrior.cells]
    return sha256(repr((code, warrior.start, warrior.pin)).encode()).hexdigest()


def fields(cell: int) -> tuple[int, int, int, int, int, int]:
    """The numbers that pack() makes a cell of, which outlive its way of packing."""
    return (
        operation_of(cell),
        modifier_of(cell),
        a_mode_of(cell),
        a_of(cell),
        b_mode_of(cell),
        b_of(cell),
    )


# Bouts: pairs of warriors that fight some rounds, in tasks for worker processes, and how their places are drawn.


TASK_TICKS: Final = 16_000_000  # instructions at most in a task, about: a tenth of a second
MOST_BOUTS: Final = 256  # in a task
SEEDS: Final = 2_147_483_647  # of the generator of places


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
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
    def every_place(cls, rules: Rules) -> "Draw":
        """The exact one of these rules."""
        return cls(rounds=exact_rounds(rules), exact=True)

    def placement(self, rules: Rules, pair: Sequence[Warrior], number: int) -> StartPositions:
        """For the bout of this number; no two bouts of a seed have the same places."""
        if self.seed is None:
            return from_checksum(rules, list(pair), self.exact)
        return seeded(rules, len(pair), derive_seed(self.seed, number) % SEEDS, self.exact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bouts:
    """A task: the pairs with the numbers `first`, `first` + 1, ..."""

    rules: Rules
    draw: Draw
    first: int
    pairs: tuple[tuple[Warrior, Warrior], ...]


def tasks(rules: Rules, draw: Draw, pairs: Sequence[tuple[Warrior, Warrior]]) -> Iterator[Bouts]:
    """All pairs, so many in a task that it is worth the way to a worker."""
    size = min(max(TASK_TICKS // (2 * rules.cycles * draw.rounds), 1), MOST_BOUTS)
    for first in range(0, len(pairs), size):
        yield Bouts(rules=rules, draw=draw, first=first, pairs=tuple(pairs[first : first + size]))


def fight(bouts: Bouts) -> list[Tally]:
    """What came of each pair, as its first warrior sees it; all fight in one core, one pair after the other."""
    mars = Mars(bouts.rules, list(bouts.pairs[0]))
    echo = CycleDetector(mars)
    tallies = []
    for number, pair in enumerate(bouts.pairs, bouts.first):
        placement = bouts.draw.placement(bouts.rules, pair, number)
        battle = Battle(bouts.rules, seated(pair), bouts.draw.rounds, placement, mars)
        run_to_end(mars, echo)
        while battle.next_round():
            run_to_end(mars, echo)
        tallies.append(tally(battle.results[0]))
    return tallies
