"""A turn of Advanced Protection: Chaos's minions are bought and placed, act for 50 phases, and are taken back.

"Advanced Protection, Appendix A". What units have made is reckoned at the end.
"""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.arrangement import Arrangement
from core.protection.battle.phases import Phases
from core.protection.buying import buy
from core.protection.policy import Policy
from core.protection.rules import AMPHIBIOUS, KINDS, MINIONS, NO_UNIT, PHASES, SQUARES
from core.protection.setting import CLOSED, OPEN, Setting
from core.random import Random


@final
class Turn(Phases):
    """The field of one map, on which turn after turn can be played.

    The order of calls: arrange(); deploy(), deploy_these(), or call_up() and station(); play(); then the figures, which are those
    of the whole turn; and arrange() or again(). Dollars everywhere.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.arrangement = Arrangement(bytes(SQUARES))
        self.counts = vec[i64]([0] * KINDS)  # [kind]: minions bought
        self.kept: i64 = 0  # of Chaos's money, unspent
        self._dry = vec[i64]([0] * SQUARES)  # squares where a minion may be placed
        self._dry_count: i64 = 0
        self._wet = vec[i64]([0] * SQUARES)  # and where an amphibious one may
        self._wet_count: i64 = 0
        self._farming: i64 = 0  # what all units make a phase
        self._occupy()

    # -- A turn ------------------------------------------------------------------------------------

    def arrange(self, arrangement: Arrangement) -> None:
        """Put up these units. ValueError for one on water or peaks."""
        super().arrange(arrangement)
        self.fallen_count = 0
        self.arrangement = arrangement
        self._occupy()

    def again(self) -> None:
        """Put up once more what has fallen: cheaper than to arrange."""
        self.raise_fallen(self.arrangement)

    def deploy(self, policy: Policy, dollars: i64, rng: Random) -> None:
        """Chaos buys with all its money; the minions are scattered."""
        kept = buy(
            policy.preferences, self.setting.minion_cost, dollars, self.setting.most_minions, self.counts
        )
        self.call_up(policy, self.counts, kept)
        self.scatter(rng)

    def deploy_these(self, policy: Policy, bought: list[int], dollars: int, rng: Random) -> None:
        """Chaos buys so many of each kind, which the string has no say in. ValueError if it cannot."""
        cost = sum([count * kind.cost for count, kind in zip(bought, MINIONS, strict=True)])
        if min(bought) < 0 or cost > dollars or sum(bought) > self.setting.most_minions:
            raise ValueError(f"{bought} minions cannot be bought with ${dollars}")
        self.call_up(policy, vec[i64]([i64(count) for count in bought]), i64(dollars - cost))
        self.scatter(rng)

    def scatter(self, rng: Random) -> None:
        """Each minion that was called up gets a random square and facing, if there is a free square."""
        for kind in range(i64(KINDS)):
            free, count = (self._wet, self._wet_count) if kind == AMPHIBIOUS else (self._dry, self._dry_count)
            if count:
                for number in range(self.begin[kind], self.begin[kind + 1]):
                    square = free[rng.below(count)]
                    self.station(number, square * 4 + rng.below(4))

    def call_up(self, policy: Policy, counts: vec[i64], kept: i64) -> None:
        """Chaos has bought so many of each kind; they wait to be stationed."""
        self.policy = policy
        self.counts = counts
        self.kept = kept
        self.muster(counts)

    # -- The figures of the turn -------------------------------------------------------------------

    def produced(self) -> i64:
        """What all units have made, also those that have fallen."""
        made = self.harvest()
        for place in range(self.fallen_count):
            square = self.fallen[place]
            made += (self.fallen_phase[square] - 1) * self._yield_of(square)
        return made

    def harvest(self) -> i64:
        """What the surviving units have made: it goes to the human's treasury."""
        farming = self._farming
        for place in range(self.fallen_count):
            farming -= self._yield_of(self.fallen[place])
        return farming * PHASES

    def units_lost(self) -> i64:
        """The cost of the units that have fallen."""
        lost: i64 = 0
        for place in range(self.fallen_count):
            lost += self.setting.unit_cost[self.arrangement.codes[self.fallen[place]]]
        return lost

    def carried_home(self) -> i64:
        """What the surviving minions carry: it goes to Chaos's treasury."""
        total: i64 = 0
        for number in range(self.begin[KINDS]):
            total += self.carried[number]
        return total

    def minions_lost(self) -> i64:
        """The cost of the minions that have been destroyed; all others are refunded."""
        lost: i64 = 0
        for kind in range(i64(KINDS)):
            lost += self.lost[kind] * self.setting.minion_cost[kind]
        return lost

    def human_change(self) -> i64:
        """How the human's value has changed."""
        return self.harvest() - self.units_lost()

    def chaos_change(self) -> i64:
        """How Chaos's value has changed. The rating of its string is the human's change less this."""
        return self.carried_home() - self.minions_lost()

    def survivors(self) -> Arrangement:
        """The units that stand."""
        return Arrangement(bytes([int(unit) for unit in self.units]))

    def _yield_of(self, square: i64) -> i64:
        return self.setting.yields[i64(self.arrangement.codes[square]) * SQUARES + square]

    def _occupy(self) -> None:
        """List the free squares, and sum what the units make."""
        setting = self.setting
        self._dry_count = 0
        self._wet_count = 0
        self._farming = 0
        for square in range(i64(SQUARES)):
            if self.units[square] != NO_UNIT:
                self._farming += setting.yields[self.units[square] * SQUARES + square]
            elif setting.ground[square] != CLOSED:
                self._wet[self._wet_count] = square
                self._wet_count += 1
                if setting.ground[square] == OPEN:
                    self._dry[self._dry_count] = square
                    self._dry_count += 1
