"""Champions of runs against the fixed panel: which way of evolving players is better, over several seeds each?

Any runs of Acquire can be compared so, of pairs, of programs for all decisions and of nets. Where both halves of a
pair were evolved apart, the champions of equal seeds are joined and stand beside those of pairs, as "Evolving
Board Evaluation Functions", section 5.3.2, asks which is better.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from core.acquire.rules import Rules
from engines.acquire.brain import loads
from engines.acquire.champions.matrix import duel, fought
from engines.acquire.entrant import Entrant
from engines.acquire.experiment import configured
from engines.acquire.genome import Genome
from engines.evolution.population import derive_seed
from engines.evolution.run_store import RunStore
from engines.worker_pool import WorkerPool
from tools.study.acquire.curves import rate
from tools.study.acquire.games import PANEL

GAME: Final = "acquire"
Settings = Mapping[str, str]  # of a configuration, by key


@dataclass(frozen=True, slots=True, kw_only=True)
class Champion:
    """The last one of a run that was tested anew; `games` were played to evolve it."""

    settings: Settings  # without the seed
    seed: int
    games: int
    rules: Rules
    entrant: Entrant

    @classmethod
    def read(cls, folder: Path) -> Self:
        """ValueError if there is no such run, or no champion in it yet."""
        with RunStore.open(folder) as store:
            if store.game != GAME:
                raise ValueError(f"{folder} holds a run of {store.game}, not of {GAME}")
            config = configured(store.config)
            said = [past.statistics for past in store.generations()]
            examined = [each["examined"] for each in said if "examined" in each]
            if not examined:
                raise ValueError(f"{folder}: no champion has been tested yet")
            genome = loads(store.individual(examined[-1]["champion"]).genome)
            lines = (line.split(" = ", 1) for line in config.dumps().splitlines())
            return cls(
                settings={key: value for key, value in lines if key != "seed"},
                seed=store.seed,
                games=store.count("contest"),
                rules=config.played(),
                entrant=Entrant(name=str(folder), genome=genome, conduct=config.conduct),
            )


def joined(champions: Sequence[Champion]) -> Iterator[Champion]:
    """Whoever places with whoever buys, of equal seeds, where two runs differ in nothing but what evolves."""
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


async def report(folders: Sequence[Path], games: int, crew: WorkerPool) -> str:
    """So many fresh games of each champion with each member of the panel. ValueError where a run has none."""
    champions = [Champion.read(folder) for folder in folders]
    champions += joined(champions)
    groups: dict[str, list[Champion]] = {}
    for champion in champions:
        groups.setdefault(_name(champion, champions), []).append(champion)
    lines = [
        f"Champions of Acquire, {games:,} fresh games each against each, two with each bag",
        "Intervals are 95 %: Student's over runs, of wins at least Wilson's over the games; a tie is half a win",
    ]
    for name, group in groups.items():
        lines += ["", *[line async for line in _group(name, group, games, crew)]]
    return "\n".join(lines)


async def _group(name: str, group: Sequence[Champion], games: int, crew: WorkerPool) -> AsyncIterator[str]:
    runs = "a single run, seed" if len(group) == 1 else f"{len(group)} runs, seeds"
    yield f"{name}: {runs} {', '.join(str(each.seed) for each in group)}"
    evolved = " to ".join(f"{count:,}" for count in _ends([each.games for each in group]))
    yield f"  {group[0].rules.name}, evolved in {evolved} games each; {group[0].entrant.customs()}"
    for place, member in enumerate(PANEL):
        contests = [
            duel(each.rules, each.entrant, Entrant.read(member), games, derive_seed(each.seed, place))
            for each in group
        ]
        found = rate(await crew.map(fought, contests))
        yield f"  against {member:12}{found.value:.1%} [{found.low:.1%}, {found.high:.1%}]"


def _name(champion: Champion, all: Sequence[Champion]) -> str:
    """What evolves, and the settings that tell its run from others of its kind."""
    alike = [each.settings for each in all if each.settings.keys() == champion.settings.keys()]
    varied = (
        f"{key} {value}"
        for key, value in champion.settings.items()
        if key == "evolve" or len({each[key] for each in alike}) > 1
    )
    return ", ".join(varied)


def _ends(counts: Sequence[int]) -> list[int]:
    """The least and the most; one where they are the same."""
    return sorted({min(counts), max(counts)})


def _half(champion: Champion) -> tuple[int, frozenset[tuple[str, str]]]:
    """Equal for the two that belong together."""
    return champion.seed, frozenset({**champion.settings, "evolve": ""}.items())
