"""A match of the command line, which shows its progress and saves its games, so that it can continue if interrupted.

A Match (engines.match) defines the games; a function of the kind of players (Play) plays them. The outcome does not
depend on the number of games at a time, nor on interruptions of a match that continues with --save.
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
    """A match: its schedule, the function that plays it, and the facts for its report and its file."""

    schedule: Schedule
    play: Play
    terms: Terms
    settings: Mapping[str, object]  # everything that determines the games
    names: list[str]  # of the players; engines may change theirs when they start
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
    """Return the schedule of the games. Raises ValueError if the arguments describe none.

    `sitting` has for each player whether it can take each of the seats; empty if every player can take every seat.
    `more` are further fields of the schedule.
    """
    sides = sides_of(sitting)
    if sides is not None and args.pairing != "round_robin":
        raise ValueError(
            "players that take different sides can only be paired by round_robin: each of one side meets all of the other"
        )
    games = usual if args.games is None else args.games
    if sides is None and games % seats:
        raise ValueError(
            f"--games must be a multiple of the {seats} seats, so that each player takes each seat equally often; {games} is not"
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
    """Return unique names for the players; `twin` formats a repeated name and its number, from 2."""
    names: list[str] = []
    for player in players:
        candidates = (player if number == 1 else twin.format(player, number) for number in count(1))
        names.append(next(name for name in candidates if name not in names))
    return names


def sprt_of(args: Namespace) -> Sprt | None:
    """Return the sequential test of --sprt, or None. Raises ValueError for a wrong test or more than two players."""
    if args.sprt and len(args.players) > 2:
        raise ValueError("--sprt compares two players")
    return Sprt.parse(args.sprt) if args.sprt else None


def in_workers(args: Namespace, plan: MatchPlan, preload: Sequence[str]) -> Play:
    """Return a function that plays the games of a plan in worker processes."""
    workers = (os.cpu_count() or 1) if args.workers is None else args.workers
    return partial(play_in_workers, plan, workers=workers, preload=preload)


def series_of(args: Namespace, variant: str, plan: MatchPlan, preload: Sequence[str]) -> "Series":
    """Return a match in worker processes whose report needs nothing but the plan and the variant.

    Raises ValueError or OSError for a wrong --sprt or a file of another match.
    """
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
    """Return a function that writes the record of each game to its own file in `folder`, or does nothing without one.

    Raises OSError if the folder cannot be created.
    """
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
    """A match and its games so far."""

    def __init__(self, args: Namespace, plan: Plan) -> None:
        """Read the saved games. Raises ValueError or OSError if the file cannot be read or holds another match."""
        self._plan = plan
        self._log = MatchLog(args.save, plan.settings)
        self._match = Match(plan.schedule, keeps_tables=True)
        try:
            saved = msgspec.convert(self._log.entries, list[GameOutcome])
            self._match.restore(saved, self._is_decided)
        except LookupError:
            raise ValueError(f"the saved games in {args.save} are of other players or groups") from None
        except (msgspec.ValidationError, ValueError) as error:
            raise ValueError(f"the saved games in {args.save} cannot be read: {error}") from None

    async def play(self) -> None:
        """Play the games that are not played yet. Exceptions of the players propagate."""
        match = self._match
        with progress_bar() as bar:
            task = bar.add_task("", total=match.planned_games, completed=match.done)

            def add(outcomes: Sequence[GameOutcome]) -> None:
                """Count and save games as soon as they are played, so that an interrupt loses none."""
                counted = match.add(outcomes, self._is_decided)
                for outcome in counted:
                    self._plan.keep(outcome)
                match.records.clear()  # the records are on disk
                self._log.add([replace(outcome, record=()) for outcome in counted])
                bar.update(task, completed=match.done, description=self._interim_score())

            await self._plan.play(match, add)  # also if all games are played: engines report their names

    def outcome(self, as_json: bool) -> str:
        """Return the report on the games so far; empty if there are none."""
        plan, match = self._plan, self._match
        if not match.done:
            return ""
        if as_json:
            return json.dumps(match_data(plan.terms, match, plan.names))
        return "\n".join(match_text(plan.terms, match, plan.names))

    def _is_decided(self) -> bool:
        sprt, standings = self._plan.terms.sprt, self._match.standings
        return sprt is not None and sprt.verdict(standings.test_counts(0, 1)).value != "continue"

    def _interim_score(self) -> str:
        if len(self._plan.names) > 2 or self._match.schedule.seats > 2:
            return ""
        losses, draws, wins = self._match.standings.against(0, 1)
        return f"{self._plan.names[0]} {wins}-{losses}-{draws}"
