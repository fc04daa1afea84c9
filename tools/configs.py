"""The command `galapagos configs`: lists the configurations of evolutions that come with the program."""

from argparse import ArgumentParser, Namespace

from engines.catalogue import first_sentence
from engines.storage import read_text
from tools.cli import CommandError
from tools.evolve import bundled_configs, find_evolution
from tools.games import GAMES


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"{', '.join(GAMES)} (default: all games)")


def run(args: Namespace) -> int:
    for game in GAMES if args.game is None else [args.game]:
        try:
            configs = bundled_configs(find_evolution(game))
        except ValueError as error:
            raise CommandError(error) from None
        for name, path in configs.items():
            print(f"galapagos evolve {game:10} {name:14} {first_sentence(read_text(path))}")
    return 0
