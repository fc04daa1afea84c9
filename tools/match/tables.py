"""Matches of Acquire: players of the panel and of files at tables of two to six, whole games inside the core.

A bag is an order in which the tiles are drawn: each is played once for every rotation of the players.
"""

import json
import os
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, Self, cast

from core.acquire.rules import PRESETS, Rules
from engines import tournament
from engines.acquire.match import MatchSpec, Played, Standings, play_match, scores
from engines.acquire.registry import PlayerSpec
from engines.names import near
from engines.statistics import Estimate, score
from engines.tournament import Group, Kind
from engines.worker_pool import WorkerPool, Workers
from tools.cli import progress_bar
from tools.match.log import LadderRow, MatchLog, ladder, ladder_text, unused_name

PREFIX: Final = "acquire:"
BAGS: Final = 100  # the default, for each group that meets
SEEDS: Final = 2**31
BATCH_BAGS: Final = 200  # a task for a worker
SLOW_BAGS: Final = 2  # of players that try tiles out
PARTS: Final = 20  # of a meeting at least, so that its progress shows
PRELOAD: Final = ("engines.acquire.match",)  # imported by workers when they start
PREFETCH: Final = 4  # batches a worker that are handed out at a time
PAIRINGS: Final[Mapping[Kind, str]] = {  # behind the number of bags
    "round_robin": "",
    "gauntlet": "",
    "swiss": " a table in each round, Swiss system",
    "ladder": " a table in each round, a ladder",
}


def prepare(args: Namespace) -> "Tables":
    """ValueError or OSError for arguments that make no match."""
    plan = Plan.of(args)
    if plan.records:
        plan.records.mkdir(parents=True, exist_ok=True)
    return Tables(plan, MatchLog(args.save, plan.settings()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be played, from the arguments: `bags` bags by each group of `seats` players that meets."""

    rules: Rules
    entrants: tuple[PlayerSpec, ...]
    seats: int
    bags: int
    pairing: Kind
    seed: int
    workers: int
    records: Path | None

    @classmethod
    def of(cls, args: Namespace) -> Self:
        """ValueError or OSError for arguments that make no match."""
        variant = "classic" if args.variant is None else args.variant
        if variant not in PRESETS:
            raise ValueError(f"no variant is called {variant[:40]!r}; {near(variant, PRESETS)}")
        rules = PRESETS[variant]
        fewest, most = rules.seats
        seats = 2 if args.seats is None else args.seats
        if not max(fewest, 2) <= seats <= most:
            raise ValueError(f"{rules.name} is for {fewest} to {most} players, not {seats}")
        games = BAGS * seats if args.games is None else args.games
        if games < seats or games % seats:
            raise ValueError(
                f"every bag is played once for every seat: --games {games} is no multiple of {seats}"
            )
        workers = (os.cpu_count() or 1) if args.workers is None else args.workers
        if args.seed >= SEEDS:
            raise ValueError(f"--seed must be below 2^31, not {args.seed}")
        players = [PlayerSpec.parse(player.removeprefix(PREFIX)) for player in args.players]
        players += players[-1:] * (seats - len(players))
        return cls(
            rules=rules,
            entrants=tuple(players),
            seats=seats,
            bags=games // seats,
            pairing=cast(Kind, args.pairing),
            seed=args.seed,
            workers=workers,
            records=args.records,
        )

    def settings(self) -> Mapping[str, object]:
        """Everything that the games follow from."""
        return {
            "game": "acquire",
            "variant": self.rules.name,
            "players": [entrant.name for entrant in self.entrants],
            "seats": self.seats,
            "bags": self.bags,
            "pairing": self.pairing,
            "seed": self.seed,
        }

    def batches(self, groups: Sequence[Group], number: int) -> Iterator[tuple[Group, MatchSpec]]:
        """The games of round `number`, over bags that no other round has.

        The groups take turns, so that an interrupted match has as many games of each.
        """
        is_slow = any(entrant.name.startswith("mc-") for entrant in self.entrants)
        bags = max(1, min(SLOW_BAGS if is_slow else BATCH_BAGS, self.bags // PARTS))
        by_group = [
            MatchSpec(
                rules=self.rules,
                players=tuple(self.entrants[index] for index in group),
                bags=self.bags,
                seed=self.seed,
                first=number * self.bags,
                records=self.records,
            ).batches(bags)
            for group in groups
        ]
        for contests in zip(*by_group, strict=True):
            yield from zip(groups, contests, strict=True)


class Tables:
    """A match, with the games so far."""

    def __init__(self, plan: Plan, log: MatchLog) -> None:
        self._plan = plan
        self._log = log
        self._played = [_loaded(entry) for entry in log.entries]
        self._order: list[int] = []  # of the entrants, best first, once all is played

    async def play(self) -> None:
        """OSError for records that cannot be written, TaskError for players that end their process."""
        plan = self._plan
        schedule = tournament.rounds(plan.pairing, len(plan.entrants), plan.seats)
        groups, first = next(schedule), 0  # of the batches of the round
        meetings = tournament.count(plan.pairing, len(plan.entrants), plan.seats)
        with progress_bar() as bar:
            task = bar.add_task("", total=meetings * plan.bags * plan.seats)
            bar.advance(task, sum(len(batch.games) for batch in self._played))
            async with Workers(plan.workers, preload=PRELOAD) as pool:
                for number in count():
                    batches = list(plan.batches(groups, number))
                    async for games in self._rest(pool, batches[max(len(self._played) - first, 0) :]):
                        bar.advance(task, games)
                    end = first + len(batches)
                    results = [_shares(group, self._played[first:end]) for group in groups]
                    try:
                        groups, first = schedule.send(results), end
                    except StopIteration as stop:
                        self._order = stop.value
                        return

    def outcome(self, as_json: bool) -> str:
        """Empty before any game."""
        if not self._played:
            return ""
        names: list[str] = []
        for entrant in self._plan.entrants:
            names.append(unused_name(entrant.name, names, "{} ({})"))
        standings = Standings.of(names, self._plan.seats, self._played)
        rungs = ladder(
            self._order if self._plan.pairing == "ladder" else (),
            names,
            [score.games for score in standings.scores],
            self._plan.bags * self._plan.seats,
        )
        if as_json:
            return json.dumps(_data(self._plan, standings, rungs))
        return "\n".join(_text(self._plan, standings, rungs))

    async def _rest(self, pool: WorkerPool, batches: Sequence[tuple[Group, MatchSpec]]) -> AsyncIterator[int]:
        """Play what is not played yet of a round; yields the number of games of each batch."""
        step = PREFETCH * pool.workers
        for start in range(0, len(batches), step):
            some = batches[start : start + step]
            worths = await pool.map(play_match, [contest for _, contest in some])
            for (players, _), games in zip(some, worths, strict=True):
                self._played.append(Played(players=players, games=games))
                self._log.add([players, games])
                yield len(games)


def _shares(group: Group, played: Sequence[Played]) -> list[float]:
    """The share of first places of each member."""
    games = [worths for batch in played if batch.players == group for worths in batch.games]
    return [score.win_rate.value for score in scores(games)]


def _loaded(entry: Any) -> Played:
    """A batch of the log. ValueError for what is none."""
    try:
        players, games = entry
        return Played(players=tuple(map(int, players)), games=[list(map(int, worths)) for worths in games])
    except TypeError as error:
        raise ValueError(f"saved games cannot be read: {error}") from None


# -- The outcome -------------------------------------------------------------------------------------


def _text(plan: Plan, standings: Standings, rungs: Sequence[LadderRow]) -> Iterator[str]:
    seats, ratings = plan.seats, standings.ratings
    yield (
        f"{plan.rules.name}, {standings.games:,} games of {seats}, seed {plan.seed}: "
        f"{plan.bags:,} bags{PAIRINGS[plan.pairing]}, each played once for every seat"
    )
    width = max(map(len, standings.names))
    kind = "" if ratings is None else "Elo [95 %]" if seats == 2 else "rating"
    head = f"{'':{width}} {'games':>7} {'wins':>7} {'shared':>6} {'rank':>5} {'mean worth':>10}  {'first [95 %]':^20}"
    yield f"{head}  {kind}".rstrip()
    for index in sorted(
        range(len(standings.names)), key=lambda index: -standings.scores[index].win_rate.value
    ):
        own = standings.scores[index]
        rating = "" if ratings is None else _rating(ratings[index], seats)
        line = (
            f"{standings.names[index]:{width}} {own.games:7,} {own.wins:7,} {own.ties:6,} "
            f"{own.ranks / own.games:5.2f} {_money(own.dollars / own.games):>10}  {f'{own.win_rate:4.1%}':20}"
        )
        yield f"{line}  {rating}".rstrip()
    yield from ladder_text(rungs)
    if len(standings.names) > 2 and seats == 2:
        for (one, other), (losses, ties, wins) in standings.against.items():
            yield (
                f"{standings.names[one]} v {standings.names[other]}: {wins:,}-{losses:,}-{ties:,} "
                f"(wins, losses, shared), {score((losses, ties, wins)):4.1%}"
            )
    yield (
        f"first: the share of first places, a shared one counting half; equal players have {1 / seats:.1%}. "
        "Intervals are Wilson's, 95 %."
    )
    if ratings and seats > 2:
        yield "rating: Plackett-Luce (openskill), from 25 on, with two deviations to either side."
    for customs, names in _customs(plan.entrants).items():
        yield f"{', '.join(names)}: {customs}"


def _customs(entrants: Sequence[PlayerSpec]) -> dict[str, list[str]]:
    """The names of the players by their customs."""
    by_customs: dict[str, list[str]] = {}
    for entrant in dict.fromkeys(entrants):
        by_customs.setdefault(entrant.describe_options(), []).append(entrant.name)
    return by_customs


def _data(plan: Plan, standings: Standings, rungs: Sequence[LadderRow]) -> dict[str, object]:
    ratings = standings.ratings
    rows: list[dict[str, object]] = []
    for index, (name, own) in enumerate(zip(standings.names, standings.scores, strict=True)):
        row: dict[str, object] = {
            "player": name,
            "customs": plan.entrants[index].describe_options(),
            "games": own.games,
            "wins": own.wins,
            "shared": own.ties,
            "losses": own.losses,
            "first": asdict(own.win_rate),
            "mean_rank": own.ranks / own.games,
            "mean_worth": own.dollars / own.games,
            "mean_share": own.mean_share,
        }
        if ratings is not None:
            row["rating"] = asdict(ratings[index])
        rows.append(row)
    return {
        "game": "acquire",
        "variant": plan.rules.name,
        "rules": plan.rules.options(),
        "seats": plan.seats,
        "games": standings.games,
        "seed": plan.seed,
        "rating": None if ratings is None else "elo" if plan.seats == 2 else "plackett-luce",
        "players": rows,
        "rungs": [asdict(row) for row in rungs],
        "against": [
            {
                "first": standings.names[one],
                "second": standings.names[other],
                "wins": wins,
                "losses": losses,
                "shared": ties,
                "score": asdict(score((losses, ties, wins))),
            }
            for (one, other), (losses, ties, wins) in standings.against.items()
        ],
    }


def _rating(estimate: Estimate, seats: int) -> str:
    if seats == 2:
        return f"{estimate:+.0f}"
    return f"{estimate:.1f}"


def _money(dollars: float) -> str:
    return f"${dollars:,.0f}"
