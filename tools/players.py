"""The command `galapagos players`: lists the players that come with the program, with their strengths."""

from argparse import ArgumentParser, Namespace

from engines.names import near
from tools.cli import CommandError
from tools.games import GAMES, catalogues


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"{', '.join(GAMES)} (default: all games)")


def run(args: Namespace) -> int:
    if args.game not in (None, *GAMES):
        raise CommandError(f"no game is called {args.game[:40]!r}; {near(args.game, GAMES)}")
    for game, players in catalogues().items():
        if args.game in (None, game):
            for player in players:
                print(f"{game}:{player.name:28} {player.title}{player.strength and f' ({player.strength})'}")
    return 0
