"""Which arrangements evolution has beaten, run by run, and which minions its best strings buy.

"Advanced Protection, part Search Space" says of its runs that "in every case" they found strings of a negative
rating; its part Appendix C has a table of the averages of their preferences, which Average is a row of.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Final, Self

from core.protection.rules import SCOUT
from engines.evolution.population import derive_seed
from engines.protection.ga import FreshTest
from engines.protection.pool.gathering import Harvest
from engines.protection.words import MINIONS
from engines.statistics import Z_95, Estimate, score

TESTS: Final = 1000  # of a champion, on dice that have never rolled for it
STREAM: Final = 6  # beside those of the run and of the pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Beaten:
    """What a finished run has come to."""

    run: str
    against: str  # whose arrangement
    rules: str
    map: str
    budget: int  # Chaos's, dollars
    trials: int
    rating: Estimate  # the champion's mean over fresh tests; below 0 Chaos does better than the user
    average: "Average"

    @classmethod
    def of(cls, harvest: Harvest) -> Self:
        config, target = harvest.config, harvest.config.target()
        seed = derive_seed(harvest.seed, 0, STREAM)
        tests = FreshTest(target=target, string=harvest.champion.code, tests=TESTS, seed=seed).play()
        mean, half = fmean(tests), Z_95 * stdev(tests) / TESTS**0.5
        return cls(
            run=harvest.name,
            against=config.against,
            rules=config.rules,
            map=config.ground_name,
            budget=target.budget,
            trials=harvest.trials,
            rating=Estimate(value=mean, low=mean - half, high=mean + half),
            average=Average.of(harvest),
        )

    @property
    def is_negative(self) -> bool:
        return self.rating.value < 0

    @property
    def is_surely_negative(self) -> bool:
        """With all of its interval."""
        return self.rating.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Average:
    """The mean preferences of the best strings of a run, rounded as in Appendix C."""

    run: str
    user: str
    preferences: tuple[int, ...]  # by kind of minion

    @classmethod
    def of(cls, harvest: Harvest) -> Self:
        columns = zip(*(genome.preferences for genome, _ in harvest.strings), strict=True)
        return cls(
            run=harvest.name,
            user=harvest.config.arrangement,
            preferences=tuple(round(fmean(each)) for each in columns),
        )

    @property
    def top(self) -> int:
        """The kind that is wanted most, the first of equals."""
        return self.preferences.index(max(self.preferences))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """What a table of averages says as a whole."""

    runs: int
    tops: tuple[int, ...]  # runs in which a kind is wanted most
    means: tuple[float, ...]
    with_scouts: int  # runs

    @classmethod
    def of(cls, averages: Sequence[Average]) -> Self:
        tops = Counter(each.top for each in averages)
        return cls(
            runs=len(averages),
            tops=tuple(tops[kind] for kind in range(len(MINIONS))),
            means=tuple(map(fmean, zip(*(each.preferences for each in averages), strict=True))),
            with_scouts=sum(each.preferences[SCOUT] > 0 for each in averages),
        )


def share(rows: Sequence[Beaten]) -> Estimate:
    """Of the arrangements for which a string with a negative mean was found. ValueError for none at all."""
    negative = sum(each.is_negative for each in rows)
    return score([len(rows) - negative, negative])


def averages(text: str) -> list[Average]:
    """A table of others, with commas: run, user, and a column a kind of minion. ValueError names the line."""
    return list(_averages(text.splitlines()))


def read_averages(path: Path) -> list[Average]:
    """ValueError or OSError."""
    try:
        return averages(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _averages(lines: Sequence[str]) -> Iterator[Average]:
    head = ["run", "user", *MINIONS]
    for number, row in enumerate(csv.reader(lines), 1):
        cells = [cell.strip() for cell in row]
        if number == 1 and cells == head:
            continue
        run, user, *preferences = cells if len(cells) == len(head) else ["", "", "?"]
        if not all(cell.isascii() and cell.isdigit() and int(cell) < 16 for cell in preferences):
            raise ValueError(f"line {number}: a run, a user and {len(MINIONS)} preferences are expected")
        yield Average(run=run, user=user, preferences=tuple(map(int, preferences)))
