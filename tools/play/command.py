"""`galapagos play`: a game at the terminal; each game has a room, which knows its options."""

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import Final

ROOMS: Final = {
    "chess": ("tools.play.duels", "chess, between any of people, evolved players and other engines"),
    "acquire": ("tools.play.acquire.command", "Acquire, against one to five players of the house"),
    "protection": ("tools.play.protection.command", "Advanced Protection, against Chaos, which learns"),
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "`galapagos play GAME --help` explains a game."
    games = parser.add_subparsers(dest="game", metavar="GAME", required=True)
    for name, (module, summary) in ROOMS.items():
        room = import_module(module)
        game = games.add_parser(name, help=summary, description=f"galapagos play {name}: {summary}.")
        room.add_arguments(game)
        game.set_defaults(play=room.run)


def run(args: Namespace) -> int:
    return int(args.play(args))
