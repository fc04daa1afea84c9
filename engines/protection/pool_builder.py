"""Pools from finished runs: of each its best strings that differ enough, and what it has beaten.

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
from engines.protection.pool import Entry, Pool, abouts, handwritten
from engines.protection.profile import STRINGS
from engines.statistics import Z_95, Estimate, score

MIN_DISTANCE: Final = 30  # bits that are used, between two strings of a run, as long as there are such
RANKING_TESTS: Final = 4  # of each string of the pool on each arrangement, to find the starter
REPORT_TESTS: Final = 1000  # of a champion
FRESH: Final = 4  # streams of random numbers beside those of the run itself
RANKING: Final = 5
REPORT: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What a finished run has found."""

    name: str
    config: GaConfig
    seed: int
    trials: int
    champion: Genome  # of the last examination
    rating: float  # its mean there
    strings: tuple[tuple[Genome, int], ...]  # with their performances, the best first

    @classmethod
    def read(cls, folder: Path) -> Self:
        """ValueError if the run is not over."""
        with RunStore.open(folder) as store:
            count = store.count("generation")
            last = store.generation(count - 1).statistics if count else {}
            examined = last.get("examined")
            if examined is None or "trials" in last:
                raise ValueError(f"{folder} is not over yet")
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
        """The best that differ, each tested anew."""
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
    """The folder of a second run on the arrangement of a run."""
    return folder.with_name(f"{folder.name}-again")


def better_result(folder: Path) -> RunResult:
    """Of a run, or of the second one if that has come further. ValueError if one of them is not over."""
    second = second_run(folder)
    folders = [folder, second] if (second / RUN_FILE).is_file() else [folder]
    return min(map(RunResult.read, folders), key=lambda result: result.rating)


# -- The pool --------------------------------------------------------------------------------------


def build_pool(results: Sequence[RunResult]) -> Pool:
    """The hand-written strings, and as many of each run. ValueError if the runs do not share the rest evenly."""
    known = abouts()
    entries = [
        Entry(name=name, genome=genome, provenance={"origin": "by hand", "about": known[name]})
        for name, genome in handwritten().items()
    ]
    by_hand, count = len(entries), strings_per_run(len(results))
    for result in results:
        entries += result.entries(count)
    return Pool(entries=tuple(entries), starter=_starter(entries, by_hand, results))


def strings_per_run(runs: int) -> int:
    """ValueError if the strings cannot be divided evenly among so many runs."""
    wanted = STRINGS - len(handwritten())
    if not runs or wanted % runs:
        raise ValueError(f"{wanted} strings cannot be shared by {runs} runs")
    return wanted // runs


def select_diverse(strings: Sequence[tuple[Genome, int]], count: int) -> list[tuple[Genome, int]]:
    """The best ones of which no two are much alike; if there are too few, the best of the others too."""
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
    """The hand-written string of average strength: its median rank over all arrangements is nearest the middle."""
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
    """What a finished run has beaten, and what its best strings buy."""

    run: str
    against: str  # whose arrangement
    rules: str
    map: str
    budget: int  # Chaos's, dollars
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
        """With all of its interval."""
        return self.rating.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceSummary:
    """The preferences of several runs."""

    runs: int
    tops: tuple[int, ...]  # runs that want a kind of minion most, the first of equals
    means: tuple[float, ...]
    with_scouts: int  # runs

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Self:
        """Of the preferences of each run."""
        tops = Counter(row.index(max(row)) for row in rows)
        return cls(
            runs=len(rows),
            tops=tuple(tops[kind] for kind in range(len(MINIONS))),
            means=tuple(map(fmean, zip(*rows, strict=True))),
            with_scouts=sum(row[SCOUT] > 0 for row in rows),
        )


def negative_share(reports: Sequence[RunReport]) -> Estimate:
    """Of the arrangements for which a string with a negative mean was found. ValueError for none at all."""
    negative = sum(each.is_negative for each in reports)
    return score([len(reports) - negative, negative])
