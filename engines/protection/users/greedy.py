"""The user who looks one turn ahead: of many setups the one that does best against strings known to all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.protection.board import arrangement_of
from core.protection.evaluate import Evaluator
from core.random import Random
from engines.protection.game.setup import Setup
from engines.protection.users.seen import Seen
from engines.protection.users.user import Plan, Scripted

CANDIDATES: Final = 30
SEED_BITS: Final = 1 << 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Greedy:
    """Candidates follow random plans with random skill."""

    plans: Sequence[Plan]
    strings: bytes
    watches: bool = False

    def setup(self, seen: Seen, rng: Random) -> Setup:
        candidates = []
        for _ in range(CANDIDATES):
            plan = self.plans[rng.below(len(self.plans))]
            candidates.append(Scripted(plan=plan, skill=rng.uniform()).setup(seen, rng))
        seeds = [rng.below(SEED_BITS) for _ in range(len(self.strings) // 132)]  # one luck for all candidates
        return max(candidates, key=lambda candidate: self._worth(seen, candidate, seeds))

    def _worth(self, seen: Seen, setup: Setup, seeds: list[int]) -> int:
        units = {unit.square: unit.code for unit in seen.units}
        units |= {item.square: item.unit for item in setup.place}
        evaluator = Evaluator(seen.scenario, arrangement_of(units))
        return sum(
            human - chaos for human, chaos in evaluator.evaluate(self.strings, seen.chaos_value, seeds)
        )
