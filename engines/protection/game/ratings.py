"""The ratings of all strings against the arrangement of a turn: work for another process, or done at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from core.protection.board import Arrangement, Scenario
from core.protection.evaluate import Evaluator, rating, toward_zero
from core.protection.policy import STRING_BYTES
from core.protection.state import ProtectionState
from engines.protection.game.chance import Chance
from engines.protection.game.chance import rating as rating_stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is to be rated: the strings one after the other, in `tests` turns each. It can be pickled."""

    scenario: Scenario
    arrangement: Arrangement
    strings: bytes
    dollars: int  # that Chaos has in the tests
    seeds: tuple[int, ...]

    @property
    def mark(self) -> str:
        """16 hex digits that tell this arrangement, in this game and turn, from any other."""
        facts = self.arrangement.codes, self.dollars, self.seeds[0]
        return sha256(repr(facts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """What the tests have shown, string by string: means in dollars, toward zero.

    A rating is the human's change of value less Chaos's; `human` has the human's alone.
    """

    ratings: tuple[int, ...]
    human: tuple[int, ...]

    def of(self, rows: Iterable[int]) -> Self:
        """Those of some strings, in this order."""
        order = list(rows)
        return type(self)(
            ratings=tuple(self.ratings[row] for row in order), human=tuple(self.human[row] for row in order)
        )


def trial(state: ProtectionState, strings: bytes, chance: Chance, tests: int, real_money: bool) -> Trial:
    """After a setup: with the money that Chaos really has, or with as much as the human's units have cost."""
    rows = len(strings) // STRING_BYTES
    return Trial(
        scenario=state.scenario,
        arrangement=state.arrangement(),
        strings=strings,
        dollars=state.chaos_treasury if real_money else state.units_value(),
        seeds=tuple(
            chance.stream_seed(rating_stream(state.turn, row, replicate))
            for row in range(rows)
            for replicate in range(tests)
        ),
    )


def rated(trial: Trial) -> Ratings:
    """All of them, in the order of the strings. Blocks for some 0.05 to 1 ms a test."""
    evaluator = Evaluator(trial.scenario, trial.arrangement)
    tests = len(trial.seeds) * STRING_BYTES // len(trial.strings)
    changes = evaluator.evaluate(trial.strings, trial.dollars, list(trial.seeds))
    return Ratings(
        ratings=tuple(rating(change, tests) for change in changes),
        human=tuple(toward_zero(human, tests) for human, _ in changes),
    )
