"""Bouts: pairs of warriors that fight some rounds, in tasks for worker processes, and how their places are drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.corewar.battle import Battle
from core.corewar.echo import Echo, finish
from core.corewar.mars import Mars
from core.corewar.placement import Placement, from_checksum, seeded
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.battles import Tally, tally
from engines.corewar.presets import exact_rounds
from engines.corewar.seating import seated
from engines.evolution.evolution import seed_of

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

    def placement(self, rules: Rules, pair: Sequence[Warrior], number: int) -> Placement:
        """For the bout of this number; no two bouts of a seed have the same places."""
        if self.seed is None:
            return from_checksum(rules, list(pair), self.exact)
        return seeded(rules, len(pair), seed_of(self.seed, number) % SEEDS, self.exact)


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
    echo = Echo(mars)
    tallies = []
    for number, pair in enumerate(bouts.pairs, bouts.first):
        placement = bouts.draw.placement(bouts.rules, pair, number)
        battle = Battle(bouts.rules, seated(pair), bouts.draw.rounds, placement, mars)
        finish(mars, echo)
        while battle.next_round():
            finish(mars, echo)
        tallies.append(tally(battle.results[0]))
    return tallies
