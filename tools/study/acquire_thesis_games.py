"""The games of the repeated thesis: those of a study of both populations, and those of pairs for every seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from rich.progress import Progress

from engines.acquire.crossplay import duel, play_duel
from engines.acquire.match import Score
from engines.acquire.registry import PlayerSpec
from engines.evolution.population import derive_seed
from engines.worker_pool import WorkerPool
from tools.study.acquire_games import PANEL, GroupGames, PairsOfRuns, play_pairs
from tools.study.acquire_pairs import team
from tools.study.acquire_runs import Group

STRONGEST: Final = 5  # the purpose of the games of the strongest pairs, in their seeds


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedPairs:
    """All pairs of the two runs with one seed, and the scores of the strongest pair against the panel.

    The strongest pair is the one with the highest rating in the games of the top pairs against one another.
    """

    of_runs: PairsOfRuns
    panel: Mapping[str, Score]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """The results of repeated runs of both populations, in the order of their seeds, which are the same."""

    place: GroupGames
    buy: GroupGames
    pairs: Sequence[SeedPairs]  # one for each seed; none if the runs have too few generations

    @classmethod
    async def played(cls, place: Group, buy: Group, games: int, pool: WorkerPool, display: Progress) -> Self:
        """Play all games and display the progress; `games` are those of each comparison."""
        seeds = list(zip(place.runs, buy.runs, strict=True))
        task = display.add_task("", total=2 + len(seeds))
        halves, pairs = [], []
        for group in (place, buy):
            display.update(task, description=f"games of the study; {group.name}")
            halves.append(await GroupGames.played(group, games, pool))
            display.advance(task)
        for runs in seeds:
            display.update(task, description=f"games of the study; all pairs of seed {runs[0].seed}")
            of_runs = await play_pairs([replace(place, runs=(run,)) for run in runs], games, pool)
            if of_runs:
                pairs.append(SeedPairs(of_runs=of_runs, panel=await _panel(of_runs, games, pool)))
            display.advance(task)
        return cls(place=halves[0], buy=halves[1], pairs=pairs)

    def half(self, evolve: str) -> GroupGames:
        """Return the games of the population whose programs make this decision, `place` or `buy`."""
        return self.place if evolve == "place" else self.buy


async def _panel(of_runs: PairsOfRuns, games: int, pool: WorkerPool) -> dict[str, Score]:
    """Return the scores of the strongest pair against each member of the panel."""
    places, buys, pairs = of_runs
    place, buy = pairs.names[pairs.top[0]]
    genome = team(places.bests[place], buys.bests[buy])
    strongest = PlayerSpec(name="strongest pair", genome=genome, options=places.config.options)
    contests = [
        duel(
            places.config.game_rules,
            strongest,
            PlayerSpec.parse(member),
            games,
            derive_seed(places.seed, buys.seed, STRONGEST, number),
        )
        for number, member in enumerate(PANEL)
    ]
    return dict(zip(PANEL, await pool.map(play_duel, contests), strict=True))
