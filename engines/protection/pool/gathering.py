"""A pool put together: the strings by hand, and from each of many finished runs its best that differ enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, Final, Self

from engines.config import RUN_FILE
from engines.evolution.population import derive_seed
from engines.evolution.run_store import RunStore
from engines.protection.ga import FreshTest
from engines.protection.ga_config import GaConfig, Target
from engines.protection.genome import Genome
from engines.protection.pool.handwritten import abouts, handwritten
from engines.protection.pool.pool import Entry, Pool
from engines.protection.profile.profile import STRINGS
from engines.protection.reading.difference import bits_apart
from engines.protection.reading.normal import normalised

APART: Final = 30  # bits that are used, between two of a run, as long as there are such
RANKED: Final = 4  # tests of each string of the pool on each arrangement, to find the starter
FRESH: Final = 4  # streams beside those of the run itself
RANKING: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """What a finished run has brought."""

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
            *_, last = store.generations()
            examined = last.statistics.get("examined")
            if examined is None or "trials" in last.statistics:
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
            for number, (genome, performance) in enumerate(spread(self.strings, count), 1)
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


def again(folder: Path) -> Path:
    """Where a second run on the arrangement of a run has its folder."""
    return folder.with_name(f"{folder.name}-again")


def harvested(folder: Path) -> Harvest:
    """Of a run, or of the second one where that has come further. ValueError if one of them is not over."""
    folders = [folder, *(path for path in (again(folder),) if (path / RUN_FILE).is_file())]
    return min(map(Harvest.read, folders), key=lambda harvest: harvest.rating)


def gathered(harvests: Sequence[Harvest]) -> Pool:
    """20 by hand, and as many of each run. ValueError if the runs do not share the rest evenly."""
    known = abouts()
    entries = [
        Entry(name=name, genome=genome, provenance={"origin": "by hand", "about": known[name]})
        for name, genome in handwritten().items()
    ]
    by_hand, count = len(entries), share(len(harvests))
    for harvest in harvests:
        entries += harvest.entries(count)
    return Pool(entries=tuple(entries), starter=_starter(entries, by_hand, harvests))


def share(runs: int) -> int:
    """How many strings each of so many runs gives. ValueError if they do not come out even."""
    wanted = STRINGS - len(handwritten())
    if not runs or wanted % runs:
        raise ValueError(f"{wanted} strings cannot be shared by {runs} runs")
    return wanted // runs


def spread(strings: Sequence[tuple[Genome, int]], count: int) -> list[tuple[Genome, int]]:
    """The best ones of which no two are much alike; if there are too few, the best of the others too."""
    normal = [normalised(genome) for genome, _ in strings]
    chosen: list[int] = []
    for apart in (APART, 1, 0):
        for place in range(len(strings)):
            if (
                len(chosen) < count
                and place not in chosen
                and all(bits_apart(normal[place], normal[other]) >= apart for other in chosen)
            ):
                chosen.append(place)
    return [strings[place] for place in chosen]


def _starter(entries: Sequence[Entry], by_hand: int, harvests: Sequence[Harvest]) -> int:
    """Of those by hand the one of average strength: its median rank over all arrangements is nearest the middle."""
    strings = b"".join(each.genome.code for each in entries)
    ranks: list[list[int]] = [[] for _ in range(by_hand)]
    for harvest in harvests:
        seed = derive_seed(harvest.seed, 0, RANKING)
        ratings = harvest.config.target().rated(strings, RANKED, seed, 1)
        order = sorted(range(len(entries)), key=lambda index: ratings[index])
        for index in range(by_hand):
            ranks[index].append(order.index(index) + 1)
    return min(range(by_hand), key=lambda index: abs(median(ranks[index]) - len(entries) / 2))
