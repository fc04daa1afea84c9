"""The games of a study of Acquire's players: new games that only measure the strength of players."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from engines.acquire.crossplay import Crossplay, duel, play_duel
from engines.acquire.match import MatchSpec, Score
from engines.acquire.registry import PlayerSpec
from engines.evolution.population import derive_seed
from engines.statistics import Estimate, mean
from engines.worker_pool import WorkerPool
from tools.study.acquire_pairs import MIN_PAIRS, Pairs
from tools.study.acquire_runs import Champion, Group, Run

PANEL: Final = ("random", "heuristic", "pair-1", "pair-2", "pair-3", "pair-4", "best-of-run")
YARDSTICKS: Final = PANEL[:2]  # the opponents of samples of a generation
CHAMPION: Final = "champion"
CONTROL: Final = "best of generation 0"
LAST_BEST: Final = "last best"
MAX_CHAMPIONS: Final = 26  # in a matrix
CELL: Final = 10  # a cell of a matrix has a tenth of the games
STRENGTH: Final = 0  # this and the next four: the purposes of games, in their seeds
SAMPLED: Final = 1
TOURNAMENT: Final = 2
ANCESTORS: Final = 3
PAIRS: Final = 4

PairsOfRuns = tuple[Run, Run, Pairs]  # the run of placing programs, the run of buying programs, their games


class Row(NamedTuple):
    """The key of a row of games in one of three tables.

    `panel`: the champion and the control against each member of the panel. `samples`: all players of a sample of a
    generation together, against the yardsticks. `tournament`: the last best against the best of each earlier
    generation, and the champion against the best of every generation.
    """

    table: str
    seed: int  # of the run
    player: str = ""
    generation: int = -1
    opponent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupGames:
    """The results of the games of all runs of a group, and the matrix of the first run."""

    group: Group
    scores: Mapping[Row, Score]
    matrix: Crossplay
    matrix_generations: tuple[int, ...]

    @classmethod
    async def played(cls, group: Group, games: int, pool: WorkerPool) -> Self:
        """Play `games` games for each row of all runs, and a tenth of that for each cell of the matrix."""
        planned = [each for run in group.runs for each in _planned(run, games)]
        scores: dict[Row, Score] = {}
        found = await pool.map(play_duel, [contest for _, contest in planned])
        for (row, _), score in zip(planned, found, strict=True):
            scores[row] = scores.get(row, Score()) + score
        first = group.runs[0]
        step = -(-len(first.bests) // MAX_CHAMPIONS)
        numbers = tuple(range(len(first.bests) - 1, -1, -step))[::-1]
        return cls(
            group=group,
            scores=scores,
            matrix=await Crossplay.played(
                first.config.game_rules,
                [first.entrant(first.bests[number], str(number)) for number in numbers],
                max(games // CELL, 2),
                derive_seed(first.seed, ANCESTORS),
                pool,
            ),
            matrix_generations=numbers,
        )

    def of_runs(
        self, table: str, player: str = "", *, generation: int = -1, opponent: str = ""
    ) -> list[Score]:
        """Return the scores of a row, one for each run that has the row."""
        rows = (Row(table, run.seed, player, generation, opponent) for run in self.group.runs)
        return [self.scores[row] for row in rows if row in self.scores]

    def strength(self, player: str, member: str) -> Estimate | None:
        """Return the win rate of the runs' champions or controls against a member; None if no run has one."""
        scores = self.of_runs("panel", player, opponent=member)
        return rate(scores) if scores else None


async def play_pairs(groups: Sequence[Group], games: int, pool: WorkerPool) -> PairsOfRuns | None:
    """Play all pairs of a best placing and a best buying program, each from the first run of its kind.

    Returns None if there are too few pairs.
    """
    halves = {group.config.evolve: group.runs[0] for group in reversed(groups)}
    places, buys = halves.get("place"), halves.get("buy")
    if not places or not buys or len(places.bests) * len(buys.bests) < MIN_PAIRS:
        return None
    seed = derive_seed(places.seed, buys.seed, PAIRS)
    pairs = await Pairs.played(places.config, places.bests, buys.bests, games, seed, pool)
    return places, buys, pairs


async def play_panel(champions: Sequence[Champion], games: int, pool: WorkerPool) -> dict[str, Estimate]:
    """Return the win rate of champions of one kind against each member of the panel."""
    found = {}
    for place, member in enumerate(PANEL):
        contests = [
            duel(each.rules, each.entrant, PlayerSpec.parse(member), games, derive_seed(each.seed, place))
            for each in champions
        ]
        found[member] = rate(await pool.map(play_duel, contests))
    return found


def rate(scores: Sequence[Score]) -> Estimate:
    """Return the win rate, the mean over the runs, with an interval no narrower than that of the games alone.

    A few runs that happen to agree must not look certain. The interval of a single run is Wilson's.
    """
    games = sum(scores, Score()).win_rate
    if len(scores) == 1:
        return games
    runs = mean([score.win_rate.value for score in scores])
    return Estimate(
        value=runs.value, low=max(min(runs.low, games.low), 0.0), high=min(max(runs.high, games.high), 1.0)
    )


def _planned(run: Run, games: int) -> Iterator[tuple[Row, MatchSpec]]:
    """Yield the matches of each row, of `games` games in all; the players of a sample share the games of its row."""
    rules = run.config.game_rules

    def against(one: PlayerSpec, other: PlayerSpec, count: int, *place: int) -> MatchSpec:
        return duel(rules, one, other, count, derive_seed(run.seed, *place))

    champion = run.entrant(run.champion, CHAMPION) if run.champion else None
    control = run.entrant(run.bests[0], CONTROL)
    for place, player in enumerate([champion, control] if champion else [control]):
        for number, member in enumerate(PANEL):
            row = Row("panel", run.seed, player.name, opponent=member)
            yield row, against(player, PlayerSpec.parse(member), games, STRENGTH, place, number)
    for generation, sample in run.samples.items():
        for place, genome in enumerate(sample):
            player = run.entrant(genome, str(place))
            for number, member in enumerate(YARDSTICKS):
                row = Row("samples", run.seed, generation=generation, opponent=member)
                seeds = SAMPLED, generation, place, number
                yield row, against(player, PlayerSpec.parse(member), games // len(sample), *seeds)
    bests = [run.entrant(genome, f"best of generation {g}") for g, genome in enumerate(run.bests)]
    for generation, best in enumerate(bests[:-1]):
        row = Row("tournament", run.seed, LAST_BEST, generation)
        yield row, against(run.entrant(run.bests[-1], LAST_BEST), best, games, TOURNAMENT, 0, generation)
    for generation, best in enumerate(bests if champion else ()):
        assert champion
        row = Row("tournament", run.seed, CHAMPION, generation)
        yield row, against(champion, best, games, TOURNAMENT, 1, generation)
