"""The evolution of placement policies against strings of Chaos: a small genetic algorithm."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.protection.board import Scenario, arrangement_of, generate_map
from core.protection.evaluate import Evaluator
from core.protection.policy import STRING_BYTES
from core.protection.rules import RULES
from core.random import Random
from engines.protection.game.chance import Seeded
from engines.protection.game.game import ProtectionGame
from engines.protection.users.placement import PlacementPolicy
from engines.protection.users.seen import seen
from engines.protection.users.user import Scripted


@dataclass(frozen=True, slots=True, kw_only=True)
class Breeding:
    """How it is done. The strings are 132 bytes each, one after the other."""

    strings: bytes
    size: int = 24
    generations: int = 20
    maps: int = 2  # new ones in every generation, the same for all
    dollars: tuple[int, ...] = (2000, 6000)  # of either side, on each map

    def bred(self, rng: Random) -> PlacementPolicy:
        """The best of the last generation. Half of each survives; the others are children of survivors."""
        policies = [PlacementPolicy.random(rng) for _ in range(self.size)]
        for _ in range(self.generations):
            policies = self._ranked(policies, rng)[: (self.size + 1) // 2]
            parents = list(policies)
            while len(policies) < self.size:
                one, other = (parents[rng.below(len(parents))] for _ in range(2))
                policies.append(one.mate(other, rng).mutate(rng))
        return self._ranked(policies, rng)[0]

    def rating(self, policy: PlacementPolicy, setting: Scenario, seeds: list[int]) -> float:
        """The mean rating, as a share of the money."""
        total = 0.0
        for dollars in self.dollars:
            game = ProtectionGame(setting, Seeded(0), dollars, dollars)
            wishes = Scripted(plan=policy.plan).setup(seen(game), Random(0))
            units = arrangement_of({item.square: item.unit for item in wishes.place})
            total += (
                sum(
                    human - chaos
                    for human, chaos in Evaluator(setting, units).evaluate(self.strings, dollars, seeds)
                )
                / dollars
            )
        return total / len(seeds)

    def _ranked(self, policies: Sequence[PlacementPolicy], rng: Random) -> list[PlacementPolicy]:
        settings = [Scenario(RULES["improved"], generate_map(rng)) for _ in range(self.maps)]
        seeds = [rng.below(1 << 60) for _ in range(len(self.strings) // STRING_BYTES)]
        worth = [sum(self.rating(policy, setting, seeds) for setting in settings) for policy in policies]
        order = sorted(range(len(policies)), key=lambda index: -worth[index])
        return [policies[index] for index in order]
