"""A match of the command line, which shows its progress and saves its games, so that an interrupted one can continue.

What is played is a Match (engines.match); how, is a function of the kind of players (Play). The outcome is the same
however many games are played at a time, and for an interrupted match that continues with --save.
"""

import json
import os
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from engines.match.log import MatchLog
from engines.match.match import Add, Match, MatchPlan
from engines.match.pairing import Kind
from engines.match.schedule import Schedule, sides_of
from engines.match.standings import GameOutcome
from engines.match.worker_games import play_in_workers
from engines.statistics import Sprt
from tools.cli import progress_bar
from tools.match.report import Terms, match_data, match_text

GAMES: Final = 100  # of each pairing

Play = Callable[[Match, Add], Awaitable[None]]  # plays a match to its end


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A match, and what the command line says of it besides."""

    schedule: Schedule
    play: Play
    terms: Terms
    settings: Mapping[str, object]  # everything that the games follow from
    names: list[str]  # of the players, which engines may change when they start
    keep: Callable[[GameOutcome], object] = lambda outcome: None  # writes the record of a game, if it has one


def schedule_of(
    args: Namespace,
    players: Sequence[str],
    seats: int,
    *,
    sitting: Sequence[Sequence[bool]] = (),
    usual: int = GAMES,
    **more: Any,
) -> Schedule:
    """Return which games there are. Raises ValueError if there are none.

    `sitting` says for each player which seats it can take, if not all; `more` are further fields of the schedule.
    """
    sides = sides_of(sitting)
    if sides is not None and args.pairing != "round_robin":
        raise ValueError("players of two sides meet round robin: everybody of one all of the other")
    games = usual if args.games is None else args.games
    if sides is None and games % seats:
        raise ValueError(
            f"everybody sits in each of {seats} seats as often: --games {games} is no multiple of {seats}"
        )
    return Schedule(
        players=tuple(players),
        games=games,
        seats=seats,
        pairing=cast(Kind, args.pairing),
        seed=args.seed,
        sides=sides,
        **more,
    )


def own_names(players: Sequence[str], twin: str = "{} ({})") -> list[str]:
    """Return a name for each player that no other has: `twin` is formatted with a name and 2, 3 and so on."""
    names: list[str] = []
    for player in players:
        candidates = (player if number == 1 else twin.format(player, number) for number in count(1))
        names.append(next(name for name in candidates if name not in names))
    return names


def sprt_of(args: Namespace) -> Sprt | None:
    """Return the sequential test that is asked for. Raises ValueError if it is none, or compares more than two."""
    if args.sprt and len(args.players) > 2:
        raise ValueError("--sprt compares two players")
    return Sprt.parse(args.sprt) if args.sprt else None


def in_workers(args: Namespace, plan: MatchPlan, preload: Sequence[str]) -> Play:
    """Return how the games of a plan are played in worker processes."""
    workers = (os.cpu_count() or 1) if args.workers is None else args.workers
    return partial(play_in_workers, plan, workers=workers, preload=preload)


def series_of(args: Namespace, variant: str, plan: MatchPlan, preload: Sequence[str]) -> "Series":
    """Return a match in worker processes whose players have no more to tell. Raises ValueError or OSError if it cannot be."""
    schedule = plan.schedule
    return Series(
        args,
        Plan(
            schedule=schedule,
            play=in_workers(args, plan, preload),
            terms=Terms(game=plan.game, by=variant, facts={"variant": variant}, sprt=sprt_of(args)),
            settings={
                "game": plan.game,
                "variant": variant,
                "players": schedule.players,
                "games": schedule.games,
                "pairing": schedule.pairing,
                "seed": schedule.seed,
            },
            names=list(schedule.players),
            keep=keep_in(args.records, schedule.players),
        ),
    )


def keep_in(folder: Path | None, names: Sequence[str]) -> Callable[[GameOutcome], object]:
    """Return what writes the record of each game to a file of its own in a folder, or nothing. Raises OSError if it cannot."""
    if folder is None:
        return lambda outcome: None
    folder.mkdir(parents=True, exist_ok=True)
    return partial(_write_record, folder, names)


def _write_record(folder: Path, names: Sequence[str], outcome: GameOutcome) -> None:
    """Write the record of a game to a file that is named after the players in their seats."""
    stems = [Path(names[player].split(",")[0]).stem for player in outcome.game.players]
    title = "-".join("".join(letter if letter.isalnum() else "_" for letter in stem) for stem in stems)
    (folder / f"{outcome.game.number + 1:06}-{title}.jsonl").write_bytes(b"".join(outcome.record))


class Series:
    """A match, with the games so far."""

    def __init__(self, args: Namespace, plan: Plan) -> None:
        """ValueError or OSError for a file that holds another match."""
        self._plan = plan
        self._log = MatchLog(args.save, plan.settings)
        self._match = Match(plan.schedule, keeps_tables=True)
        try:
            saved = msgspec.convert(self._log.entries, list[GameOutcome])
            self._match.restore(saved, self._is_decided)
        except (msgspec.ValidationError, LookupError, ValueError) as error:
            raise ValueError(f"saved games cannot be read: {error}") from None

    async def play(self) -> None:
        """Play the games that are not played yet. Whatever the players raise passes."""
        match = self._match
        with progress_bar() as bar:
            task = bar.add_task("", total=match.of, completed=match.done)

            def add(outcomes: Sequence[GameOutcome]) -> None:
                """Count games as soon as they are played, and save them, so that an interrupt loses none."""
                counted = match.add(outcomes, self._is_decided)
                for outcome in counted:
                    self._plan.keep(outcome)
                match.records.clear()  # they are on disk
                self._log.add([replace(outcome, record=()) for outcome in counted])
                bar.update(task, completed=match.done, description=self._so_far())

            await self._plan.play(match, add)  # also if all are played: engines tell their names

    def outcome(self, as_json: bool) -> str:
        """Return the result of the games so far; empty before any."""
        plan, match = self._plan, self._match
        if not match.done:
            return ""
        if as_json:
            return json.dumps(match_data(plan.terms, match, plan.names))
        return "\n".join(match_text(plan.terms, match, plan.names))

    def _is_decided(self) -> bool:
        sprt, standings = self._plan.terms.sprt, self._match.standings
        return sprt is not None and sprt.verdict(standings.test_counts(0, 1)).value != "continue"

    def _so_far(self) -> str:
        if len(self._plan.names) > 2 or self._match.schedule.seats > 2:
            return ""
        losses, draws, wins = self._match.standings.against(0, 1)
        return f"{self._plan.names[0]} {wins}-{losses}-{draws}"
