"""The games of a study: fresh ones, played for nothing else than to say how strong somebody is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Final, Self

from engines.acquire.crossplay import Crossplay, duel, play_duel
from engines.acquire.match import Score
from engines.acquire.registry import PlayerSpec
from engines.evolution.population import derive_seed
from engines.worker_pool import WorkerPool
from tools.study.acquire.pairs import Pairs
from tools.study.acquire.runs import Group, Run

PANEL: Final = ("random", "heuristic", "pair-1", "pair-2", "pair-3", "pair-4", "best-of-run")
YARDSTICKS: Final = PANEL[:2]  # for samples of a generation
CHAMPION: Final = "champion"
CONTROL: Final = "best of generation 0"
MOST_CHAMPIONS: Final = 26  # in a matrix
CELL: Final = 10  # a tenth of the games for each cell of a matrix
STRENGTH: Final = 0  # what games are for, in their seeds
SAMPLED: Final = 1
TOURNAMENT: Final = 2
ANCESTORS: Final = 3
PAIRS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGames:
    """What came of a run's games."""

    run: Run
    panel: Mapping[str, Mapping[str, Score]]  # of the champion and the control, against each member
    samples: Mapping[int, Mapping[str, Score]]  # by generation, all of a sample together
    tournament: Sequence[Score]  # of the last best against the best of each earlier generation
    champion: Sequence[Score]  # of the champion against the same, and against that last best

    @classmethod
    async def played(cls, run: Run, games: int, crew: WorkerPool) -> Self:
        """So many games of every two."""
        fighters = {CONTROL: run.bests[0]}
        if run.champion:
            fighters = {CHAMPION: run.champion[1], **fighters}
        last = run.entrant(run.bests[-1], "last best")
        ancestors = [run.entrant(genome, f"best of generation {g}") for g, genome in enumerate(run.bests)]
        return cls(
            run=run,
            panel={
                name: await _against_panel(run, run.entrant(genome, name), PANEL, games, place, crew)
                for place, (name, genome) in enumerate(fighters.items())
            },
            samples={number: await _sampled(run, number, games, crew) for number in sorted(run.samples)},
            tournament=await _against(run, last, ancestors[:-1], games, (TOURNAMENT, 0), crew),
            champion=(
                await _against(
                    run, run.entrant(run.champion[1], CHAMPION), ancestors, games, (TOURNAMENT, 1), crew
                )
                if run.champion
                else ()
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupGames:
    """Of all runs, with the matrix of the first."""

    group: Group
    runs: tuple[RunGames, ...]
    matrix: Crossplay
    matrix_generations: tuple[int, ...]

    @classmethod
    async def played(cls, group: Group, games: int, crew: WorkerPool) -> Self:
        first = group.runs[0]
        step = -(-len(first.bests) // MOST_CHAMPIONS)
        numbers = tuple(range(len(first.bests) - 1, -1, -step))[::-1]
        return cls(
            group=group,
            runs=tuple([await RunGames.played(run, games, crew) for run in group.runs]),
            matrix=await Crossplay.played(
                first.config.played(),
                [first.entrant(first.bests[number], str(number)) for number in numbers],
                max(games // CELL, 2),
                derive_seed(first.seed, ANCESTORS),
                crew,
            ),
            matrix_generations=numbers,
        )


async def all_pairs(places: Run, buys: Run, games: int, crew: WorkerPool) -> Pairs:
    """Of the bests of two runs. ValueError where those are too few."""
    seed = derive_seed(places.seed, buys.seed, PAIRS)
    return await Pairs.played(places.config, places.bests, buys.bests, games, seed, crew)


async def _against_panel(
    run: Run, player: PlayerSpec, members: Sequence[str], games: int, place: int, crew: WorkerPool
) -> dict[str, Score]:
    opponents = [PlayerSpec.parse(name) for name in members]
    scores = await _against(run, player, opponents, games, (STRENGTH, place), crew)
    return dict(zip(members, scores, strict=True))


async def _sampled(run: Run, generation: int, games: int, crew: WorkerPool) -> dict[str, Score]:
    """Each of the sample has its part of the games."""
    sample = run.samples[generation]
    every = [
        await _against(
            run,
            run.entrant(genome, str(place)),
            [PlayerSpec.parse(name) for name in YARDSTICKS],
            games // len(sample),
            (SAMPLED, generation, place),
            crew,
        )
        for place, genome in enumerate(sample)
    ]
    return {
        name: reduce(add, scores) for name, scores in zip(YARDSTICKS, zip(*every, strict=True), strict=True)
    }


async def _against(
    run: Run,
    player: PlayerSpec,
    others: Sequence[PlayerSpec],
    games: int,
    place: tuple[int, ...],
    crew: WorkerPool,
) -> list[Score]:
    rules = run.config.played()
    return await crew.map(
        play_duel,
        [
            duel(rules, player, other, games, derive_seed(run.seed, *place, number))
            for number, other in enumerate(others)
        ],
    )
