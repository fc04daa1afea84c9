"""Pools from finished runs: the best strings of each run that differ enough, and reports on the runs.

"Advanced Protection, part Search Space" says of its runs that "in every case" they found strings of a
negative rating; its part Appendix C has a table of the averages of their preferences.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, Final, Self

from core.protection.rules import SCOUT
from engines.config import RUN_FILE
from engines.evolution.population import derive_seed
from engines.evolution.run_store import RunStore
from engines.protection.automata import hamming_distance, normalised
from engines.protection.ga import FreshTest
from engines.protection.ga_config import GaConfig, Target
from engines.protection.genome import MINIONS, Genome
from engines.protection.pool import Entry, Pool, descriptions, handwritten
from engines.protection.profile import STRINGS
from engines.statistics import Z_95, Estimate, score

MIN_DISTANCE: Final = 30  # used bits in which two strings of a run differ, as long as such strings are left
RANKING_TESTS: Final = 4  # of each string of the pool on each arrangement, to find the starter
REPORT_TESTS: Final = 1000  # of a champion
FRESH: Final = 4  # FRESH, RANKING and REPORT: streams of random numbers, in addition to the run's own
RANKING: Final = 5
REPORT: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The result of a finished run."""

    name: str
    config: GaConfig
    seed: int
    trials: int
    champion: Genome  # of the last examination
    rating: float  # the champion's mean in that examination
    strings: tuple[tuple[Genome, int], ...]  # with their performances, the best first

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Return the result of the run in a folder. Raises ValueError if the run has not ended."""
        with RunStore.open(folder) as store:
            count = store.count("generation")
            last = store.generation(count - 1).statistics if count else {}
            examined = last.get("examined")
            if examined is None or "trials" in last:
                raise ValueError(f"the run in {folder} has not ended yet")
            return cls(
                name=folder.name,
                config=GaConfig.loads(store.config),
                seed=store.seed,
                trials=examined["trials"],
                champion=Genome.loads(store.individual(examined["champion"]).genome),
                rating=examined["mean"],
                strings=tuple(
                    (Genome.loads(store.individual(id).genome), performance)
                    for id, performance in examined["saved"]
                ),
            )

    def entries(self, count: int) -> list[Entry]:
        """Return the best `count` strings that differ, each with its mean in fresh tests."""
        target = self.config.target()
        return [
            Entry(
                name=f"{self.name}-{number}",
                genome=genome,
                provenance=self._provenance(target, genome, performance),
            )
            for number, (genome, performance) in enumerate(select_diverse(self.strings, count), 1)
        ]

    def _provenance(self, target: Target, genome: Genome, performance: int) -> dict[str, Any]:
        config = self.config
        seed = derive_seed(self.seed, 0, FRESH)
        ratings = FreshTest(target=target, string=genome.code, tests=config.fresh_tests, seed=seed).play()
        return {
            "origin": "evolved",
            "rules": config.rules,
            "arrangement": config.arrangement,
            "map": config.map,
            "ground": config.ground,
            "money": config.money,
            "budget": target.budget,
            "seed": self.seed,
            "trials": self.trials,
            "performance": performance,
            "fresh": round(fmean(ratings), 1),
            "fresh_error": round(stdev(ratings) / len(ratings) ** 0.5, 1),
        }


def second_run(folder: Path) -> Path:
    """Return the folder of a second run on the arrangement of a run."""
    return folder.with_name(f"{folder.name}-again")


def better_result(folder: Path) -> RunResult:
    """Return the result of a run, or of its second run if that champion has a lower rating.

    Raises ValueError if one of the runs has not ended.
    """
    second = second_run(folder)
    folders = [folder, second] if (second / RUN_FILE).is_file() else [folder]
    return min(map(RunResult.read, folders), key=lambda result: result.rating)


# -- The pool --------------------------------------------------------------------------------------


def build_pool(results: Sequence[RunResult]) -> Pool:
    """Return a pool of the hand-written strings and the same number of strings from each run.

    Raises ValueError if the strings cannot be divided evenly among the runs.
    """
    known = descriptions()
    entries = [
        Entry(name=name, genome=genome, provenance={"origin": "by hand", "about": known[name]})
        for name, genome in handwritten().items()
    ]
    by_hand, count = len(entries), strings_per_run(len(results))
    for result in results:
        entries += result.entries(count)
    return Pool(entries=tuple(entries), starter=_starter(entries, by_hand, results))


def strings_per_run(runs: int) -> int:
    """Return the number of strings from each run. Raises ValueError if they cannot be divided evenly."""
    wanted = STRINGS - len(handwritten())
    if not runs or wanted % runs:
        raise ValueError(f"{wanted} strings cannot be divided evenly among {runs} runs")
    return wanted // runs


def select_diverse(strings: Sequence[tuple[Genome, int]], count: int) -> list[tuple[Genome, int]]:
    """Return the best strings that differ in MIN_DISTANCE used bits; similar ones only if there are too few.

    `strings` are in order, the best first.
    """
    normal = [normalised(genome) for genome, _ in strings]
    chosen: list[int] = []
    for distance in (MIN_DISTANCE, 1, 0):
        for place in range(len(strings)):
            if (
                len(chosen) < count
                and place not in chosen
                and all(hamming_distance(normal[place], normal[other]) >= distance for other in chosen)
            ):
                chosen.append(place)
    return [strings[place] for place in chosen]


def _starter(entries: Sequence[Entry], by_hand: int, results: Sequence[RunResult]) -> int:
    """Return the index of the hand-written string whose median rank over all arrangements is the most central."""
    strings = b"".join(each.genome.code for each in entries)
    ranks: list[list[int]] = [[] for _ in range(by_hand)]
    for result in results:
        seed = derive_seed(result.seed, 0, RANKING)
        ratings = result.config.target().rated(strings, RANKING_TESTS, seed, 1)
        order = sorted(range(len(entries)), key=lambda index: ratings[index])
        for index in range(by_hand):
            ranks[index].append(order.index(index) + 1)
    return min(range(by_hand), key=lambda index: abs(median(ranks[index]) - len(entries) / 2))


# -- The report ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """A finished run: its arrangement, the rating of its champion, and the preferences of its best strings."""

    run: str
    against: str  # the user or file of the arrangement
    rules: str
    map: str
    budget: int  # Chaos's money, dollars
    trials: int
    rating: Estimate  # the champion's mean over fresh tests; below 0 Chaos does better than the user
    preferences: tuple[int, ...]  # the mean of the best strings' by kind of minion, rounded as in Appendix C

    @classmethod
    def of(cls, result: RunResult) -> Self:
        config, target = result.config, result.config.target()
        seed = derive_seed(result.seed, 0, REPORT)
        tests = FreshTest(target=target, string=result.champion.code, tests=REPORT_TESTS, seed=seed).play()
        mean, half = fmean(tests), Z_95 * stdev(tests) / REPORT_TESTS**0.5
        columns = zip(*(genome.preferences for genome, _ in result.strings), strict=True)
        return cls(
            run=result.name,
            against=config.against,
            rules=config.rules,
            map=config.ground_name,
            budget=target.budget,
            trials=result.trials,
            rating=Estimate(value=mean, low=mean - half, high=mean + half),
            preferences=tuple(round(fmean(each)) for each in columns),
        )

    @property
    def is_negative(self) -> bool:
        return self.rating.value < 0

    @property
    def is_surely_negative(self) -> bool:
        """Whether the whole interval of the rating is below 0."""
        return self.rating.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceSummary:
    """A summary of the preferences of several runs."""

    runs: int
    tops: tuple[int, ...]  # by kind of minion, the runs that want it most; the first of equals counts
    means: tuple[float, ...]
    with_scouts: int  # runs that buy scouts

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Self:
        """Return the summary of rows of preferences, one for each run."""
        tops = Counter(row.index(max(row)) for row in rows)
        return cls(
            runs=len(rows),
            tops=tuple(tops[kind] for kind in range(len(MINIONS))),
            means=tuple(map(fmean, zip(*rows, strict=True))),
            with_scouts=sum(row[SCOUT] > 0 for row in rows),
        )


def negative_share(reports: Sequence[RunReport]) -> Estimate:
    """Return the share of arrangements for which a string with a negative mean was found.

    Raises ValueError if there are no reports.
    """
    negative = sum(each.is_negative for each in reports)
    return score([len(reports) - negative, negative])
