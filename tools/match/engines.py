"""Matches of engines that play move by move, with a PGN file of the games if the game has such a record."""

import re
from argparse import Namespace
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from core.game import State
from engines.match.engine_games import DrawnSeeds, EngineGames
from engines.match.match import Add, Match
from engines.match.referee import Result
from engines.match.schedule import MatchGame
from engines.match.standings import GameOutcome
from engines.time_control import TimeControl
from protocols.external.engine import check_variant
from tools.cli import check_writable
from tools.games import GAMES, find_game, open_engine
from tools.match.report import Terms
from tools.match.series import Plan, Series, own_names, schedule_of, sprt_of

CONTROL: Final = "10+0.1"  # this and the next are defaults of options
MARGIN_SECONDS: Final = 0.1


def prepare(args: Namespace) -> Series:
    """Return a match of engines. Raises ValueError or OSError if the arguments describe none."""
    find_game(args.game)
    info = GAMES[args.game]
    if (args.openings and not info.openings) or (args.pgn and not info.match_record):
        raise ValueError(f"--openings and --pgn cannot be used in matches of {args.game}")
    bounds = [("", args.tc), ("nodes=", args.nodes), ("depth=", args.depth)]
    words = ",".join(f"{name}{value}" for name, value in bounds if value is not None)
    control = TimeControl.parse(words or CONTROL)
    odds = [] if args.odds is None else _odds(args.odds, len(args.players))
    controls = [control.scaled(share) for share in odds] or [control] * len(args.players)
    if args.pgn:
        check_writable(args.pgn)
    openings: Sequence[State] = ()
    if info.openings and args.openings != "start":
        openings = info.openings(args.openings)
    seeds, names = DrawnSeeds(args.seed), list(args.players)
    schedule = schedule_of(args, args.players, 2, mirror=True, block=2, seeds=seeds)
    games = EngineGames(
        game=find_game(args.game),
        engines=[partial(open_engine, args.game, player, args.seed) for player in args.players],
        seeds=seeds,
        controls=controls,
        openings=openings,
        concurrency=1 if args.concurrency is None else args.concurrency,
        margin_seconds=MARGIN_SECONDS if args.margin is None else args.margin,
        max_actions=2 * args.max_moves if args.max_moves else None,
        record=partial(_pgn, args.game, controls, args.seed, names) if args.pgn else None,
    )
    return Series(
        args,
        Plan(
            schedule=schedule,
            play=partial(_play, games, names),
            terms=Terms(
                game=args.game,
                by=f"{control}, odds {args.odds}" if odds else str(control),
                facts={"control": str(control)} | ({"odds": odds} if odds else {}),
                sprt=sprt_of(args),
            ),
            settings={
                "game": args.game,
                "players": args.players,
                "control": str(control),
                "openings": args.openings,
                "games": schedule.games,
                "pairing": schedule.pairing,
                "seed": schedule.seed,
                "margin_seconds": games.margin_seconds,
                "max_actions": games.max_actions,
            }
            | ({"odds": odds} if odds else {}),
            names=names,
            keep=partial(_append, args.pgn) if args.pgn else lambda outcome: None,
        ),
    )


def _odds(text: str, count: int) -> list[float]:
    """Return the shares of the time control, one for each player. Raises ValueError if the text has others."""
    words = text.split(",")
    if len(words) != count:
        raise ValueError(f"--odds needs a number for each of the {count} players, such as 1,0.1")
    if not all(re.fullmatch(r"\d{1,4}(\.\d{1,6})?", word, re.ASCII) and float(word) > 0 for word in words):
        raise ValueError(f"--odds: the shares are numbers above 0, such as 1,0.1, not {text[:40]!r}")
    return [float(word) for word in words]


async def _play(games: EngineGames, names: list[str], match: Match, add: Add) -> None:
    """Ask the engines for their names, and play.

    Raises ValueError, OSError or EngineError if an engine fails to start.
    """
    found: list[str] = []
    for factory in games.engines:
        engine = await factory()
        found.append(engine.name)
        try:
            check_variant(engine, games.openings)
        finally:
            await engine.close()
    names[:] = own_names(found, "{} {}")
    await games.play(match, add)


def _pgn(
    game: str,
    controls: Sequence[TimeControl],
    seed: int,
    names: Sequence[str],
    played: MatchGame,
    start: State | None,
    result: Result,
) -> bytes:
    match_record = GAMES[game].match_record
    assert match_record
    return match_record(
        result,
        start,
        [names[player] for player in played.players],
        [controls[player] for player in played.players],
        event=f"galapagos match, seed {seed}",
        date=date.today().strftime("%Y.%m.%d"),
        round_text=f"{played.deal + 1}.{played.turn + 1}",
    ).encode()


def _append(path: Path, outcome: GameOutcome) -> None:
    """Append the record of a game in one write, so that the file always holds whole games."""
    with path.open("ab", buffering=0) as file:
        file.write(b"".join(outcome.record))
