"""Matches of whole games in worker processes: of the players of the JSON lines, and of warriors.

What is played is a Match (protocols.jsonl.match) with a function that plays a batch of its games. The table is the same for
any number of workers; so is it for an interrupted match that goes on with --save.
"""

import json
import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, cast

import msgspec

from engines.names import near
from engines.statistics import Sprt, score
from engines.tournament import Kind
from engines.worker_pool import Workers
from protocols.jsonl.adapter import OptionError
from protocols.jsonl.match import (
    BATCH_GAMES,
    GameOutcome,
    Match,
    MatchConfig,
    MatchPlan,
    Schedule,
    play_batch,
    sides_of,
)
from protocols.jsonl.match_source import has_slow_agent
from protocols.jsonl.messages import Row
from tools.cli import progress_bar
from tools.games import game_adapters
from tools.match.log import MatchLog, unused_name

GAMES: Final = 100  # of each pairing
PREFETCH: Final = 4  # batches a worker that are handed out at a time
PRELOAD: Final = ("protocols.jsonl.match",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A match, and what the command line says of it besides."""

    match: MatchPlan
    variant: str
    workers: int
    sprt: Sprt | None
    preload: Sequence[str]

    def settings(self) -> Mapping[str, object]:
        """Return everything that the games follow from."""
        schedule = self.match.schedule
        return {
            "game": self.match.game,
            "variant": self.variant,
            "players": schedule.players,
            "games": schedule.games,
            "pairing": schedule.pairing,
            "seed": schedule.seed,
        }


def prepare(args: Namespace) -> "Series":
    """Return a match of players of the JSON lines. Raises ValueError or OSError for arguments that make no match."""
    adapter = game_adapters()[args.game]
    variant = args.variant or adapter.variants[0]
    if variant not in adapter.variants:
        raise ValueError(f"no variant is called {variant[:40]!r}; {near(variant, adapter.variants)}")
    seats = 2 if args.seats is None else args.seats
    players = [player.removeprefix(f"{args.game}:") for player in args.players]
    sitting = [[adapter.has_agent(name, seat) for seat in range(seats)] for name in players]
    for name, able in zip(players, sitting, strict=True):
        if not any(able):
            raise ValueError(f"{args.game} has no player {name[:40]!r}; {near(name, adapter.agents)}")
    try:
        is_slow = has_slow_agent(adapter, variant, {}, players, seats)
    except OptionError as error:
        raise ValueError(str(error)) from None
    plan = MatchPlan(
        game=args.game,
        schedule=schedule_of(args, players, seats, sitting),
        config=MatchConfig(adapter=adapter, variant=variant, options={}, players=tuple(players)),
        play=play_batch,
        batch=1 if is_slow else BATCH_GAMES,
    )
    return series_of(args, variant, plan, PRELOAD)


def schedule_of(
    args: Namespace, players: Sequence[str], seats: int, sitting: Sequence[Sequence[bool]]
) -> Schedule:
    """Return which games there are, given for each player the seats that it can take. Raises ValueError if there are none."""
    sides = sides_of(sitting)
    if sides is not None and args.pairing != "round_robin":
        raise ValueError("players of two sides meet round robin: everybody of one all of the other")
    names: list[str] = []
    for player in players:
        names.append(unused_name(player, names, "{} ({})"))
    games = GAMES if args.games is None else args.games
    if sides is None and games % seats:
        raise ValueError(
            f"everybody sits in each of {seats} seats as often: --games {games} is no multiple of {seats}"
        )
    return Schedule(
        players=tuple(names),
        games=games,
        seats=seats,
        pairing=cast(Kind, args.pairing),
        seed=args.seed,
        sides=sides,
    )


def series_of(args: Namespace, variant: str, match: MatchPlan, preload: Sequence[str]) -> "Series":
    """Return a match. Raises ValueError or OSError for arguments that make none, or a file with another match."""
    if args.sprt and len(match.schedule.players) > 2:
        raise ValueError("--sprt compares two players")
    plan = Plan(
        match=match,
        variant=variant,
        workers=(os.cpu_count() or 1) if args.workers is None else args.workers,
        sprt=Sprt.parse(args.sprt) if args.sprt else None,
        preload=preload,
    )
    return Series(plan, MatchLog(args.save, plan.settings()))


class Series:
    """A match, with the games so far."""

    def __init__(self, plan: Plan, log: MatchLog) -> None:
        self._plan = plan
        self._log = log
        self._match = Match(plan.match)
        try:
            self._count(msgspec.convert(log.entries, list[GameOutcome]))
        except (msgspec.ValidationError, LookupError, ValueError) as error:
            raise ValueError(f"saved games cannot be read: {error}") from None

    async def play(self) -> None:
        """Play the games that are not played yet. Raises TaskError if a player ends its process."""
        plan, match = self._plan, self._match
        with progress_bar() as bar:
            task = bar.add_task("", total=match.of, completed=match.done)
            async with Workers(plan.workers, preload=plan.preload) as pool:
                while not match.is_over:
                    wanted = (match.next_batch() for _ in range(PREFETCH * pool.workers))
                    batches = [batch for batch in wanted if batch]
                    for outcomes in await pool.map(plan.match.play, batches):
                        for outcome in outcomes:
                            self._log.add(asdict(outcome))
                        self._count(outcomes)
                    bar.update(task, completed=match.done)

    def outcome(self, as_json: bool) -> str:
        """Return the result of the games so far; empty before any."""
        if not self._match.done:
            return ""
        rows = self._match.standings.rows()
        return json.dumps(self._data(rows)) if as_json else "\n".join(self._text(rows))

    def _count(self, outcomes: Sequence[GameOutcome]) -> None:
        self._match.running += len(outcomes)
        self._match.add(outcomes, self._is_decided)

    def _is_decided(self) -> bool:
        sprt = self._plan.sprt
        if sprt is None:
            return False
        return sprt.verdict(self._match.standings.rows()[0].against[1]).value != "continue"

    def _text(self, rows: Sequence[Row]) -> Iterator[str]:
        plan, match = self._plan, self._match
        yield f"{plan.match.game}, {plan.variant}: {match.done:,} games, seed {plan.match.schedule.seed}"
        width = max(len(row.player) for row in rows)
        yield f"{'':{width}} {'games':>7} {'wins':>7} {'draws':>7} {'losses':>7}  {'score [95 %]':20}  {'mean result':>12}"
        for row in sorted(rows, key=lambda row: -row.share):
            yield (
                f"{row.player:{width}} {row.games:7,} {row.wins:7,} {row.shared:7,} {row.losses:7,}  "
                f"{f'{row.share:.1%} [{100 * row.low:.1f}, {100 * row.high:.1f}]':20}  {row.mean_result:12,.4g}"
            )
        for first, second, counts in _met(rows):
            losses, draws, wins = counts
            yield f"{first.player} v {second.player}: {wins:,}-{losses:,}-{draws:,} (wins, losses, draws), {score(counts):.1%}"
        if forced := [f"{row.player} {row.forced}" for row in rows if row.forced]:
            yield f"decisions that failed: {', '.join(forced)}"
        if plan.sprt:
            counts = rows[0].against[1]
            yield (
                f"SPRT of {plan.sprt.elo0:g} against {plan.sprt.elo1:g} {plan.sprt.model} Elo: "
                f"{plan.sprt.verdict(counts).value}, LLR {plan.sprt.llr(counts):.2f} "
                f"in ({plan.sprt.lower:.2f}, {plan.sprt.upper:.2f})"
            )

    def _data(self, rows: Sequence[Row]) -> dict[str, object]:
        plan = self._plan
        data: dict[str, object] = {
            "game": plan.match.game,
            "variant": plan.variant,
            "games": self._match.done,
            "seed": plan.match.schedule.seed,
            "players": [
                {
                    "player": row.player,
                    "games": row.games,
                    "wins": row.wins,
                    "shared": row.shared,
                    "losses": row.losses,
                    "score": {"value": row.share, "low": row.low, "high": row.high},
                    "mean_result": row.mean_result,
                    "forced": row.forced,
                }
                for row in rows
            ],
            "against": [
                {
                    "first": first.player,
                    "second": second.player,
                    "wins": counts[2],
                    "losses": counts[0],
                    "shared": counts[1],
                    "score": asdict(score(counts)),
                }
                for first, second, counts in _met(rows)
            ],
        }
        if plan.sprt:
            counts = rows[0].against[1]
            verdict = {"llr": plan.sprt.llr(counts), "verdict": plan.sprt.verdict(counts).value}
            data["sprt"] = asdict(plan.sprt) | verdict
        return data


def _met(rows: Sequence[Row]) -> Iterator[tuple[Row, Row, list[int]]]:
    """Yield each pair of players that have played each other, with the losses, draws and wins of the first."""
    for number, first in enumerate(rows):
        for other in range(number + 1, len(rows)):
            if sum(first.against[other]):
                yield first, rows[other], first.against[other]
