"""The command `galapagos restore`: makes a new home from a backup."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from engines.backup import restore
from tools.cli import CommandError


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Then: galapagos serve --home HOME. Nothing is overwritten; only its owner can read the new home."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a file that galapagos backup has made")
    parser.add_argument("home", type=Path, metavar="HOME", help="a folder that is new or empty")


def run(args: Namespace) -> int:
    try:
        count = restore(args.file, args.home)
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    print(f"{args.home}: {count} files")
    return 0
