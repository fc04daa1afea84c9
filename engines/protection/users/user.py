"""A scripted user: a plan of what to buy next and where, followed with more or less skill and thrift."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from core.protection.rules import ARTILLERY, DRONE
from core.random import Random
from engines.protection.game.setup import Placement, Setup
from engines.protection.users.seen import Seen

Plan = Callable[[Seen, Random], Iterator[Placement]]  # wishes, the dearest to the heart first


class User(Protocol):
    """Who plays the human's side. `watches` says that turns are to be logged for it."""

    @property
    def watches(self) -> bool: ...

    def setup(self, seen: Seen, rng: Random) -> Setup:
        """Always one without a fault."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripted:
    """Follows a plan; with probability 1 - `skill` a purchase is a random one. It never salvages."""

    plan: Plan
    skill: float = 1.0
    spends: float = 1.0  # share of the treasury, a turn
    watches: bool = False

    def setup(self, seen: Seen, rng: Random) -> Setup:
        costs = [unit.cost for unit in seen.scenario.rules.units]
        budget = money = int(seen.treasury * self.spends)
        free = seen.free()
        wishes = self.plan(seen, rng)
        placed = []
        while money >= costs[DRONE] and free:
            if self.skill < 1 and not rng.chance(self.skill):
                unit = _affordable(costs, money, rng)
                square = free[rng.below(len(free))]
            else:
                wish = next(wishes, None)
                if wish is None:
                    break
                if wish.square not in free:
                    continue
                unit, square = wish.unit, wish.square
                if costs[unit] > budget:
                    unit = DRONE  # who is too poor for the plan farms what is left
            if costs[unit] > money:
                break
            free.remove(square)
            money -= costs[unit]
            placed.append(Placement(unit, square))
        return Setup(place=tuple(placed))


def _affordable(costs: list[int], money: int, rng: Random) -> int:
    units = [unit for unit in range(DRONE, ARTILLERY + 1) if costs[unit] <= money]
    return units[rng.below(len(units))]
