"""How good Chaos's strings are: each is tested in turns against one arrangement."""

from typing import Final, final

from mypy_extensions import i64

from core.protection.board import Arrangement, Scenario
from core.protection.policy import STRING_BYTES, Policy
from core.protection.turn import Dice, Turn
from core.random import Random


@final
class Evaluator:
    """Tests strings against an arrangement on the map of a scenario.

    A test's random source places the minions first and then rolls the dice.
    """

    def __init__(self, scenario: Scenario, arrangement: Arrangement) -> None:
        """ValueError if a unit cannot stand where it is arranged."""
        self.units_value: Final = arrangement.value(scenario.rules)  # what Chaos may spend in a plain test
        self._turn = Turn(scenario)
        self._turn.arrange(arrangement)
        self._policy = Policy(bytes(STRING_BYTES))

    def evaluate(self, strings: bytes, dollars: int, seeds: list[int]) -> list[tuple[int, int]]:
        """The changes of the human's and of Chaos's value, summed over the tests, for each string.

        The strings are 132 bytes each, one after the other; Chaos has so many dollars. `seeds` are those of the
        tests, as many for every string. Without a unit nothing changes. ValueError for strings that are cut short,
        another number of seeds, or debts. Blocks for some 0.03 to 1 ms a test: call it in slices.
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
            return [(0, 0)] * rows
        turn, policy = self._turn, self._policy
        changes = []
        for row in range(rows):
            policy.load(strings, row)
            human: i64 = 0
            chaos: i64 = 0
            for test in range(tests):
                rng = Random(seeds[row * tests + test])
                turn.deploy(policy, dollars, rng)
                turn.play(Dice(rng))
                human += turn.human_change()
                chaos += turn.chaos_change()
                turn.reset()
            changes.append((int(human), int(chaos)))
        return changes


def rating(change: tuple[int, int], tests: int, human_weight: int = 1) -> int:
    """The mean over the tests of the human's change less Chaos's, toward zero: below 0 is good for Chaos.

    The human's change counts `human_weight` times.
    """
    human, chaos = change
    return toward_zero(human_weight * human - chaos, tests)


def toward_zero(dividend: int, divisor: int) -> int:
    """The quotient without its fraction, as C++ divides; the divisor is above 0."""
    quotient = abs(dividend) // divisor
    return quotient if dividend >= 0 else -quotient
