"""The command `galapagos configs`: lists the configurations of evolutions that come with the program, or prints one."""

from argparse import ArgumentParser, Namespace

from engines.catalogue import first_sentence
from engines.names import near
from engines.storage import read_text
from tools.cli import CommandError
from tools.evolve import bundled_configs, find_evolution
from tools.games import GAMES


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"{', '.join(GAMES)} (default: all games)")
    parser.add_argument(
        "config", nargs="?", metavar="NAME", help="print the text of this configuration instead of the list"
    )


def run(args: Namespace) -> int:
    if args.config is not None:
        print(_text(args.game, args.config), end="")
        return 0
    for game in GAMES if args.game is None else [args.game]:
        try:
            configs = bundled_configs(find_evolution(game))
        except ValueError as error:
            raise CommandError(error) from None
        for name, path in configs.items():
            print(f"galapagos evolve {game:10} {name:14} {first_sentence(read_text(path))}")
    return 0


def _text(game: str, name: str) -> str:
    """Return the text of a bundled configuration. Raises CommandError if there is none of this name."""
    try:
        bundled = bundled_configs(find_evolution(game))
        if name not in bundled:
            listed = near(name, bundled, f"`galapagos configs {game}`")
            raise ValueError(f"{game} has no bundled configuration {name[:100]!r}; {listed}")
        return read_text(bundled[name])
    except ValueError as error:
        raise CommandError(error) from None
