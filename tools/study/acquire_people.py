"""The study of Acquire's players as predictions of people: their choices compared with those in recorded games."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from pathlib import Path
from typing import Any, Final, Self

from engines.acquire.prediction import (
    KINDS,
    SHARES,
    Agreement,
    Question,
    RecordedGame,
    expect_chance,
    predict,
)
from engines.acquire.registry import HEURISTIC, PlayerSpec
from engines.clusters import Cluster, clustered_mean, clustered_share
from engines.statistics import Estimate
from engines.worker_pool import Workers
from tools.cli import counted
from tools.study.acquire_records import read_games

PREFIX: Final = "acquire:"
CHANCE: Final = "chance"
ALL: Final = "all"
TITLES: Final[Mapping[str, str]] = {
    "place": "tile",
    "found": "chain to found",
    "survivor": "surviving chain",
    "order": "order of a merger",
    "dispose": "shares of a defunct chain",
    "buy": "purchase",
    "end": "end of the game",
    ALL: "all of these",
    SHARES: "purchase, shares in common",
}
NOTES: Final = (
    "The share of decisions with two options or more in which the player chooses as recorded. For purchases also\n"
    "the mean number of shares in common, divided by that of the larger purchase. Chance takes each option with\n"
    f"equal chances. The second figure is the difference to {HEURISTIC} in points. Intervals are 95 %, over games."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a player in a measure."""

    player: str
    share: Estimate
    difference: Estimate | None  # to the heuristic; None for the heuristic itself, and for a single game


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The results of all players in a measure."""

    name: str
    decisions: int
    games: int  # with such decisions
    chance: float
    results: tuple[Result, ...]

    @classmethod
    def of(cls, name: str, chance: Sequence[Agreement], players: Mapping[str, Sequence[Agreement]]) -> Self:
        """Compare players in a measure; `players` has their agreements, game by game, by name."""
        expected = _clusters(name, chance)
        usual = _clusters(name, players[HEURISTIC])
        decisions = sum(count for _, count in expected)
        results = []
        for player, games in players.items():
            own = _clusters(name, games)
            gains = [(ours - theirs, count) for (ours, count), (theirs, _) in zip(own, usual, strict=True)]
            is_compared = player != HEURISTIC and len(own) > 1
            difference = _bounded(clustered_mean(gains)) if is_compared else None
            results.append(Result(player=player, share=clustered_share(own), difference=difference))
        return cls(
            name=name,
            decisions=decisions,
            games=len(expected),
            chance=clustered_share(expected).value,
            results=tuple(results),
        )


def study(paths: Sequence[Path], players: Sequence[str], workers: int) -> list[Measured]:
    """Return how well players predict the decisions of people in records, by measure.

    Raises ValueError or OSError if a record or a player cannot be used, or no person has decided anything.
    """
    names = dict.fromkeys((HEURISTIC, *(name.removeprefix(PREFIX) for name in players)))
    specs = [PlayerSpec.parse(name) for name in names]
    games = read_games(paths)
    chance = [expect_chance(game) for game in games]
    measures = [name for name in (*KINDS, ALL, SHARES) if _clusters(name, chance)]
    if not measures:
        raise ValueError("these records have no decision of a person with two options or more")
    asked = asyncio.run(_asked(specs, games, workers))
    return [Measured.of(name, chance, asked) for name in measures]


def text(measured: Sequence[Measured]) -> str:
    """Return the results as a table for each measure."""
    width = max(len(CHANCE), *(len(result.player) for result in measured[0].results))
    lines = [NOTES]
    for each in measured:
        amount = f"{counted(each.decisions, 'decision')} in {counted(each.games, 'game')}"
        lines += ["", f"{TITLES[each.name]}: {amount}"]
        lines.append(f"  {CHANCE:{width}}  {100 * each.chance:5.1f} %")
        for result in each.results:
            share, _, interval = f"{result.share:.1%}".partition(" ")
            line = f"  {result.player:{width}}  {share:>5} {interval:16}"
            if result.difference:
                line += f"  {_points(result.difference):+z.1f}"
            lines.append(line.rstrip())
    return "\n".join(lines)


def data(measured: Sequence[Measured]) -> dict[str, Any]:
    """Return the results as JSON."""
    return {"measures": [asdict(each) for each in measured]}


async def _asked(
    specs: Sequence[PlayerSpec], games: Sequence[RecordedGame], workers: int
) -> dict[str, list[Agreement]]:
    """Return the agreements of each player, game by game, by name."""
    questions = [Question(game=game, player=spec) for spec in specs for game in games]
    async with Workers(workers, preload=[predict.__module__]) as pool:
        answers = iter(await pool.map(predict, questions))
    return {spec.name: [next(answers) for _ in games] for spec in specs}


def _clusters(name: str, games: Sequence[Agreement]) -> list[Cluster]:
    """Return the sums of a measure in each game that has it."""
    names = KINDS if name == ALL else (name,)
    sums = [[game[each] for each in names if each in game] for game in games]
    return [reduce(_added, parts) for parts in sums if parts]


def _added(one: Cluster, other: Cluster) -> Cluster:
    return one[0] + other[0], one[1] + other[1]


def _bounded(difference: Estimate) -> Estimate:
    """Return a difference of two shares with an interval within -1..1, which few games can exceed."""
    return Estimate(value=difference.value, low=max(difference.low, -1.0), high=min(difference.high, 1.0))


def _points(share: Estimate) -> Estimate:
    return Estimate(value=100 * share.value, low=100 * share.low, high=100 * share.high)
