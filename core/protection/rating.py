"""Ratings: how good Chaos's strings are for the human, each tested in turns against one arrangement."""

from typing import Final, final

from mypy_extensions import i64

from core.protection.arrangement import Arrangement
from core.protection.battle.dice import Dice
from core.protection.policy import STRING_BYTES, Policy
from core.protection.setting import Setting
from core.protection.turn import Turn
from core.random import Random


@final
class Rater:
    """Rates strings against an arrangement on the map of a setting.

    A rating is the change of the human's value less the change of Chaos's over one turn, in dollars: negative
    ones are good for Chaos. A test's random source places the minions first and then rolls the dice.
    """

    def __init__(self, setting: Setting, arrangement: Arrangement) -> None:
        """ValueError if a unit cannot stand where it is arranged."""
        self.units_value: Final = arrangement.value(setting.rules)  # what Chaos may spend in a plain test
        self._turn = Turn(setting)
        self._turn.arrange(arrangement)
        self._policy = Policy(bytes(STRING_BYTES))

    def rate(self, strings: bytes, dollars: int, seeds: list[int], human_weight: int = 1) -> list[int]:
        """The ratings of all strings (132 bytes each, one after the other) where Chaos has so many dollars.

        `seeds` are those of the tests, as many for every string: its rating is their mean, truncated toward zero.
        The human's change counts `human_weight` times. Without a unit every rating is 0. ValueError for strings
        that are cut short, another number of seeds, or debts. Blocks for some 0.03 to 1 ms a test: call it in slices.
        """
        rows = len(strings) // STRING_BYTES
        if len(strings) % STRING_BYTES or not rows:
            raise ValueError(f"strings are {STRING_BYTES} bytes each, not {len(strings)} together")
        if dollars < 0:
            raise ValueError(f"Chaos cannot spend {dollars} dollars")
        if not seeds or len(seeds) % rows:
            raise ValueError(f"{len(seeds)} seeds cannot be shared by {rows} strings")
        tests = len(seeds) // rows
        if not self.units_value:
            return [0] * rows
        ratings = []
        for row in range(rows):
            self._policy.load(strings, row)
            total: i64 = 0
            for test in range(tests):
                total += self._test(dollars, Random(seeds[row * tests + test]), human_weight)
            ratings.append(int(total) // tests if total >= 0 else -(int(-total) // tests))
        return ratings

    def _test(self, dollars: i64, rng: Random, human_weight: i64) -> i64:
        turn = self._turn
        turn.deploy(self._policy, dollars, rng)
        turn.play(Dice(rng))
        rating = human_weight * turn.human_change() - turn.chaos_change()
        turn.again()
        return rating
