"""The ratings of Chaos's strings: each string is tested in turns against one arrangement."""

from typing import Final, final

from mypy_extensions import i64

from core.protection.board import Arrangement, Scenario
from core.protection.policy import STRING_BYTES, Policy
from core.protection.turn import Dice, Turn
from core.random import Random


@final
class Evaluator:
    """A test bench for strings: plays turns against one arrangement on the map of a scenario.

    The random source of a test first places the minions and then rolls the dice.
    """

    def __init__(self, scenario: Scenario, arrangement: Arrangement) -> None:
        """Set up the arrangement. Raises ValueError if a unit is on water or peaks."""
        self.units_value: Final = arrangement.value(scenario.rules)  # what Chaos may spend in a plain test
        self._turn = Turn(scenario)
        self._turn.arrange(arrangement)
        self._policy = Policy(bytes(STRING_BYTES))

    def evaluate(self, strings: bytes, dollars: int, seeds: list[int]) -> list[tuple[int, int]]:
        """Return for each string the changes of the human's and of Chaos's value, summed over the tests.

        `strings` holds strings of 132 bytes each, one after the other. Chaos spends at most `dollars` in a test.
        `seeds` has one seed per test: first those of the first string, then those of the second, and so on, with
        the same number for every string. An arrangement without units changes nothing. Raises ValueError if a
        string is cut short, if the seeds cannot be shared evenly, or if `dollars` is negative. A test blocks for
        0.03 to 1 ms: evaluate long lists in slices.
        """
        rows = len(strings) // STRING_BYTES
        if len(strings) % STRING_BYTES or not rows:
            raise ValueError(f"strings of {STRING_BYTES} bytes each are expected, not {len(strings)} bytes")
        if dollars < 0:
            raise ValueError(f"Chaos cannot spend {dollars} dollars")
        if not seeds or len(seeds) % rows:
            raise ValueError(
                f"the number of seeds must be a multiple of {rows}, the number of strings, not {len(seeds)}"
            )
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
    """Return the mean over the tests of the human's change less Chaos's, rounded toward zero.

    A rating below 0 is good for Chaos. The human's change counts `human_weight` times.
    """
    human, chaos = change
    return toward_zero(human_weight * human - chaos, tests)


def toward_zero(dividend: int, divisor: int) -> int:
    """Return the quotient without its fraction, as C++ divides; the divisor must be above 0."""
    quotient = abs(dividend) // divisor
    return quotient if dividend >= 0 else -quotient
