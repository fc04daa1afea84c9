"""Battles of a hill: a task for a worker process, and what came of it.

Positions come from the warriors' own code (pMARS's -f), in an order that their code decides, too: so a
battle is a function of rules, rounds and warriors, and a hill can be played again to the same scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from core.corewar.battle import Battle
from core.corewar.instruction import a_mode_of, a_of, b_mode_of, b_of, modifier_of, operation_of
from core.corewar.placement import from_checksum
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.seating import seated

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
