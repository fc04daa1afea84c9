"""The command `galapagos restore`: makes a new home from a backup."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from engines.backup import restore
from tools.cli import CommandError, counted


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Start a server on the new home with `galapagos serve --home HOME`. Only your user can read the new home."
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a backup that `galapagos backup` has written"
    )
    parser.add_argument(
        "home", type=Path, metavar="HOME", help="the new home: a folder that is missing or empty"
    )


def run(args: Namespace) -> int:
    try:
        count = restore(args.file, args.home)
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    print(f"{args.home}: {counted(count, 'file')}")
    return 0
