"""The command `galapagos play`: a game at the terminal."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from importlib import import_module
from typing import Final

from tools.cli import add_verb, seed_int
from tools.games import GAMES
from tools.games.info import GameInfo

MOVES: Final = "tools.play.move_by_move"  # the module for any game that is played move by move


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "`galapagos play GAME --help` explains the options and commands of a game."
    games = parser.add_subparsers(dest="game", metavar="GAME", required=True)
    for info in GAMES.values():
        if info.rules is None and not info.play:
            continue
        game = add_verb(games, info.name, info.about)
        game.formatter_class = RawDescriptionHelpFormatter
        game.set_defaults(module=info.play or MOVES, fen=None, pgn=None, unicode=False)
        if info.play_arguments:
            info.play_arguments(game)
        else:
            _add_arguments(game, info)


def run(args: Namespace) -> int:
    return int(import_module(args.module).run(args))


def _add_arguments(parser: ArgumentParser, info: GameInfo) -> None:
    """Add the arguments of a game that has none of its own."""
    parser.usage = "%(prog)s [PLAYER ...] [--tc TC] [--seed S]"
    names = ", ".join(f"{info.name}:{name}" for name in info.players)
    parser.epilog = (
        f"A player is human, random, or one of {names or 'none'}.\nAt the prompt type a move, or help."
    )
    add = parser.add_argument
    add(
        "players",
        nargs="*",
        metavar="PLAYER",
        help=f"the players, in the order of the seats (default: a human against {info.opponent})",
    )
    add(
        "--tc",
        default="st=3",
        help="the time control: 5:00+3 is a clock for all players; st=3, seconds per move, limits only engines (default: st=3)",
    )
    add("--seed", type=seed_int, default=1, metavar="S", help="the seed of everything random (default: 1)")
