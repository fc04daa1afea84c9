"""The data that a study reads from runs of Acquire's players: generations as rows, the bests, and the champions."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from core.acquire.rules import Rules
from core.random import Random
from engines.acquire.experiment import configured
from engines.acquire.genome import Genome
from engines.acquire.gp_config import GpConfig
from engines.acquire.registry import PlayerSpec, load_genome
from engines.config import keys_of
from engines.evolution.population import derive_seed
from engines.evolution.run_store import RunStore
from engines.evolution.selection import shuffled
from engines.statistics import Estimate, mean

GAME: Final = "acquire"
SAMPLE: Final = 20  # individuals of a generation
QUANTITIES: Final[Mapping[str, Callable[[Mapping[str, Any]], float]]] = {
    "nodes": lambda facts: float(facts["nodes"]["mean"]),
    "levels": lambda facts: float(facts["levels"]["mean"]),
    "genotypes": lambda facts: float(facts["genotypes"]),
    "behaviours": lambda facts: float(facts["behaviours"]),
    "best": lambda facts: float(facts["fitness"]["best"]),
    "best_by_luck": lambda facts: float(facts["fitness"]["best_by_luck"]),
    "mean": lambda facts: float(facts["fitness"]["mean"]),
    "deviation": lambda facts: float(facts["fitness"]["deviation"]),
    "game_deviation": lambda facts: float(facts["fitness"]["game_deviation"]),
}

Settings = Mapping[str, str]  # the values of a configuration by key


def is_of_programs(config: str) -> bool:
    """Return whether a valid configuration evolves programs, as a Run requires, and not a league or nets."""
    return isinstance(configured(config), GpConfig)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of programs. `generations` are those that have played, from 0 on."""

    folder: str
    config: GpConfig
    seed: int
    hash: str
    games: int
    generations: Sequence[Mapping[str, float]]  # QUANTITIES of each
    bests: Sequence[Genome]  # the best of each generation, by its games there
    champion: Genome | None  # the last one that passed a new test
    samples: Mapping[
        int, Sequence[Genome]
    ]  # some individuals born in the first, the middle, the last generation

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the run of a folder. Raises ValueError if it is no run of programs, or no generation has played."""
        with _opened(folder) as store:
            try:
                config = GpConfig.loads(store.config)
            except ValueError as error:
                raise ValueError(f"{folder} is not a run that can be studied: {error}") from None
            past = [each.statistics for each in store.generations() if each.statistics]
            if not past:
                raise ValueError(f"{folder}: no generation has played yet")

            def genome(id: int) -> Genome:
                return Genome.loads(store.individual(id).genome)

            examined = [each["examined"] for each in past if "examined" in each]
            last = len(past) - 1
            return cls(
                folder=str(folder),
                config=replace(config, seed=store.seed),
                seed=store.seed,
                hash=store.hash,
                games=store.count("contest"),
                generations=[{name: number(facts) for name, number in QUANTITIES.items()} for facts in past],
                bests=[genome(each["best"]["id"]) for each in past],
                champion=genome(examined[-1]["champion"]) if examined else None,
                samples={
                    number: [genome(id) for id in _sample_ids(store, number)]
                    for number in sorted({0, last // 2, last})
                },
            )

    def entrant(self, genome: Genome, name: str) -> PlayerSpec:
        """Return a player of this run with the options under which it played there."""
        if self.config.other_decision == "same tree":
            genome = Genome(place=genome.place or genome.buy, buy=genome.buy or genome.place)
        return PlayerSpec(name=name, genome=genome, options=self.config.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Runs that differ only in the seed, under a name that is unique in the study."""

    name: str
    runs: tuple[Run, ...]

    @property
    def config(self) -> GpConfig:
        return self.runs[0].config

    @property
    def length(self) -> int:
        """The number of generations that all runs have."""
        return min(len(run.generations) for run in self.runs)

    @property
    def slug(self) -> str:
        """The name as a part of file names."""
        words = "".join(letter if letter.isalnum() else " " for letter in self.name).split()
        return "-".join(words)

    def curve(self, quantity: str) -> list[Estimate]:
        """Return the mean over the runs by generation, with Student's 95 % interval.

        For a single run it is the value itself.
        """
        return [
            _over_runs([run.generations[place][quantity] for run in self.runs])
            for place in range(self.length)
        ]


def grouped(runs: Sequence[Run]) -> list[Group]:
    """Group runs by configuration, in the order of the groups' first runs.

    Raises ValueError if two runs of one configuration have the same seed.
    """
    by_config: dict[GpConfig, list[Run]] = {}
    for run in runs:
        by_config.setdefault(replace(run.config, seed=0), []).append(run)
    for same in by_config.values():
        seeds = {run.seed: run.folder for run in same}
        if len(seeds) < len(same):
            raise ValueError(
                f"{same[0].folder}: two runs have the same configuration and the same seed, so they are the same run"
            )
    varied = [
        key for key in keys_of(GpConfig) if len({getattr(config, key.field) for config in by_config}) > 1
    ]
    return [
        Group(
            name=", ".join(f"{key.name} {key.write(getattr(config, key.field))}" for key in varied)
            or f"evolve {config.evolve}",
            runs=tuple(same),
        )
        for config, same in by_config.items()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Champion:
    """The last champion that a run of any kind tested anew; `games` were played to evolve it."""

    settings: Settings  # without the seed
    seed: int
    games: int
    rules: Rules
    entrant: PlayerSpec

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the champion of a folder. Raises ValueError if there is no such run, or it has no champion yet."""
        with _opened(folder) as store:
            config = configured(store.config)
            record = [past.statistics for past in store.generations()]
            examined = [each["examined"] for each in record if "examined" in each]
            if not examined:
                raise ValueError(f"{folder}: no champion has been tested yet")
            genome = load_genome(store.individual(examined[-1]["champion"]).genome)
            lines = (line.split(" = ", 1) for line in config.dumps().splitlines())
            return cls(
                settings={key: value for key, value in lines if key != "seed"},
                seed=store.seed,
                games=store.count("contest"),
                rules=config.game_rules,
                entrant=PlayerSpec(name=str(folder), genome=genome, options=config.options),
            )


def joined(champions: Sequence[Champion]) -> Iterator[Champion]:
    """Yield pairs of a placing and a buying program from runs with equal seeds that differ in nothing else.

    Reference: "Evolving Board Evaluation Functions", section 5.3.2, compares them with pairs that evolved together.
    """
    buyers = {_half(each): each for each in champions if each.settings["evolve"] == "buy"}
    for each in champions:
        if each.settings["evolve"] == "place" and _half(each) in buyers:
            other = buyers[_half(each)]
            placing, buying = each.entrant.genome, other.entrant.genome
            assert isinstance(placing, Genome) and isinstance(buying, Genome)
            both = Genome(place=placing.place, buy=buying.buy)
            yield replace(
                each,
                settings={**each.settings, "evolve": "place and buy apart"},
                games=each.games + other.games,
                entrant=replace(each.entrant, genome=both),
            )


# -- Helpers ---------------------------------------------------------------------------------------


@contextmanager
def _opened(folder: Path) -> Iterator[RunStore]:
    """Yield the record of a run of Acquire. Raises ValueError for a run of another game."""
    with RunStore.open(folder) as store:
        if store.game != GAME:
            raise ValueError(f"{folder} holds a run of {store.game}, not of {GAME}")
        yield store


def _sample_ids(store: RunStore, generation: int) -> list[int]:
    """Return the IDs of up to SAMPLE individuals born in a generation; IDs are in the order of birth."""
    ids = store.ids()
    first, end = (
        bisect_left(ids, number, key=lambda id: store.individual(id).generation)
        for number in (generation, generation + 1)
    )
    return shuffled(ids[first:end], Random(derive_seed(store.seed, generation)))[:SAMPLE]


def _over_runs(values: Sequence[float]) -> Estimate:
    if len(values) == 1:
        return Estimate(value=values[0], low=values[0], high=values[0])
    return mean(values)


def _half(champion: Champion) -> tuple[int, frozenset[tuple[str, str]]]:
    """Return a key that is equal for a placing and a buying program that joined() combines."""
    return champion.seed, frozenset({**champion.settings, "evolve": ""}.items())
