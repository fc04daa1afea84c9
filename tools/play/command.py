"""`galapagos play`: a game at the terminal; each game has a module, which knows its options."""

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import Final

MODULES: Final = {
    "chess": ("tools.play.duels", "chess, between any of people, evolved players and other engines"),
    "acquire": ("tools.play.acquire.command", "Acquire, against one to five evolved players"),
    "protection": ("tools.play.protection.command", "Advanced Protection, against Chaos, which learns"),
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "`galapagos play GAME --help` explains a game."
    games = parser.add_subparsers(dest="game", metavar="GAME", required=True)
    for name, (module, summary) in MODULES.items():
        chosen = import_module(module)
        game = games.add_parser(name, help=summary, description=f"galapagos play {name}: {summary}.")
        chosen.add_arguments(game)
        game.set_defaults(play=chosen.run)


def run(args: Namespace) -> int:
    return int(args.play(args))
