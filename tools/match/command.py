"""The command `galapagos match`: plays players against each other and reports scores with intervals.

There are four kinds of matches: of engines that play move by move (tools/match/engines.py), of players of the JSON
lines (tools/match/agents.py), of players of Acquire at tables (tools/match/tables.py), and of warriors
(tools/match/battles.py). A match of any kind is a Series (tools/match/series.py) and is reported in the same table
(tools/match/report.py).
"""

import asyncio
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol, cast

from engines.engine import EngineError
from engines.match.pairing import KINDS
from engines.names import near
from engines.worker_pool import TaskError
from tools.cli import FAILED, INTERRUPTED, CommandError, positive_int, seconds_float, seed_int
from tools.files import visible
from tools.games import DEFAULT, GAMES
from tools.match.series import Series

MOVES: Final = "tools.match.engines"  # the default kind of games that are played move by move
GAMES_WHOLE: Final = "tools.match.agents"  # the default kind of other games
# The kinds of matches, each with the options that not all kinds have; an option that is not given is None.
OPTIONS: Final = {
    "tools.match.engines": (
        "tc",
        "nodes",
        "depth",
        "odds",
        "openings",
        "pgn",
        "concurrency",
        "max_moves",
        "margin",
    ),
    "tools.match.tables": ("variant", "seats", "workers", "records"),
    "tools.match.agents": ("variant", "seats", "workers", "records"),
    "tools.match.battles": ("variant", "seats", "workers"),
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos match chess:evolved 'uci:stockfish option.UCI_LimitStrength=true option.UCI_Elo=2000' --tc 10+0.1\n"
        "  galapagos match acquire:heuristic acquire:random --variant thesis-2002 --games 2000\n"
        "  galapagos match acquire:pair-1 acquire:heuristic --seats 4    against three copies of heuristic\n"
        "  galapagos match acquire:RUN acquire:pair-1,tie=last acquire:mc-10\n"
        "  galapagos match acquire:evolved-three acquire:pair-{1,2,3,4} acquire:heuristic --pairing gauntlet\n"
        "  galapagos match acquire:random acquire:pair-{1,2,3,4} acquire:heuristic --pairing swiss --save FILE\n"
        "  galapagos match corewar:mine.red corewar:dwarf --games 1000 --sprt 0,10    each game is one round in the core\n"
        "  galapagos match protection:user:mines protection:user:greedy protection:chaos:pilot --games 20"
    )
    add = parser.add_argument
    add(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="; ".join(
            [
                "two or more players of one game",
                *(game.named or f"{game.name}:NAME" for game in GAMES.values()),
            ]
        ),
    )
    add(
        "--game",
        help=f"the game to play (default: the game of the first player that names one, or {DEFAULT})",
    )
    add(
        "--games",
        type=positive_int,
        metavar="N",
        help="the games of each pairing (default: 100), or of each table, a multiple of its seats (default: 100 per seat)",
    )
    add("--seed", type=seed_int, default=1, metavar="S", help="the seed of everything random (default: 1)")
    add(
        "--pairing",
        choices=tuple(KINDS),
        default="round_robin",
        help="which players meet: round_robin, all (default); gauntlet, the first player and each of the others; swiss, players with "
        "equal scores, in as many rounds as an elimination; ladder, neighbours, of whom the winner stands above; elimination, "
        "neighbours, and then the winners, until one player is left",
    )
    add(
        "--save",
        type=Path,
        metavar="FILE",
        help="save the games to this file, from which the same command continues an interrupted match",
    )
    add(
        "--sprt",
        metavar="E0,E1",
        help="sequential test of two players: elo0,elo1[,alpha,beta][,logistic]; the match stops when one hypothesis is accepted",
    )
    add("--json", action="store_true", help="print the result as JSON")
    _add_engine_options(parser)
    _add_tables(parser)


def run(args: Namespace) -> int:
    """Play a match and print its outcome, also if it is interrupted; return 0, or 130 after Ctrl-C.

    Raises CommandError, with status 1 if a player fails, 2 for wrong arguments.
    """
    try:
        match = _prepare(args)
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    try:
        asyncio.run(match.play())
    except KeyboardInterrupt:
        return INTERRUPTED
    except ValueError as error:
        raise CommandError(error) from None
    except (OSError, EngineError, TaskError) as error:
        raise CommandError(error, FAILED) from None
    finally:
        if outcome := match.outcome(args.json):
            print(visible(outcome))
    return 0


class MatchKind(Protocol):
    """A module for one kind of matches."""

    __name__: str

    def prepare(self, args: Namespace) -> Series:
        """Return a match. Raises ValueError or OSError if the arguments describe none."""
        ...


# -- Helpers ---------------------------------------------------------------------------------------


def _add_engine_options(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("games that two engines play move by move").add_argument
    add(
        "--tc",
        help="the time control in seconds, such as 10+0.1 (default), 40/60+1, st=2 (per move) or 10+0.1,nps=20000 (nodes instead of seconds)",
    )
    add("--nodes", type=positive_int, metavar="N", help="the most nodes of a move")
    add("--depth", type=positive_int, metavar="D", help="the depth of the search, in plies")
    add(
        "--odds",
        metavar="SHARES",
        help="the shares of the time, or of --nodes, that the players have, in their order, such as 1,0.1",
    )
    add(
        "--openings",
        metavar="FILE",
        help="a file of FEN or EPD lines, or PGN; each opening is played twice (default: 58 bundled openings; 'start' for none)",
    )
    add("--pgn", type=Path, metavar="FILE", help="append the games to this file")
    add("--concurrency", type=positive_int, metavar="K", help="the number of games at a time (default: 1)")
    add("--max-moves", type=positive_int, metavar="N", help="end a game as a draw after N moves of each side")
    add(
        "--margin",
        type=seconds_float,
        metavar="SEC",
        help="the seconds by which an engine may exceed its time (default: 0.1)",
    )


def _add_tables(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("games that are played whole in worker processes").add_argument
    add(
        "--variant",
        metavar="NAME",
        help="the variant of the rules (default: the first of the game; for warriors, the hill of the first warrior)",
    )
    add(
        "--seats",
        type=positive_int,
        metavar="N",
        help="the seats of a table, 2 to 6 (default: 2). If there are fewer players, the last player takes all remaining seats",
    )
    add(
        "--workers",
        type=positive_int,
        metavar="K",
        help="the number of worker processes, on which the result does not depend (default: one per core)",
    )
    add("--records", type=Path, metavar="DIR", help="write every game to this folder, for `galapagos replay`")


def _prepare(args: Namespace) -> Series:
    args.game = args.game or next((game for game in map(_game_of, args.players) if game), DEFAULT)
    if args.game not in GAMES:
        raise ValueError(f"no game is called {args.game[:40]!r}; {near(args.game, GAMES)}")
    if len(args.players) < 2:
        raise ValueError("a match needs two players or more")
    kind = _kind(args.game)
    for option in sorted({option for options in OPTIONS.values() for option in options}):
        if option not in OPTIONS[kind.__name__] and getattr(args, option) is not None:
            raise ValueError(f"--{option.replace('_', '-')} cannot be used in matches of {args.game}")
    return kind.prepare(args)


def _kind(game: str) -> MatchKind:
    """Return the kind of a game's matches. Raises ValueError if it has none."""
    info = GAMES[game]
    return cast(MatchKind, import_module(info.match or (MOVES if info.rules else GAMES_WHOLE)))


def _game_of(player: str) -> str:
    kind = player.partition(":")[0]
    return kind if kind in GAMES else ""
