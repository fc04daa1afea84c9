"""The command `galapagos backup`: copies the home of a server into one file, also while the server runs."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from engines.backup import back_up
from tools.cli import FAILED, CommandError


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Whatever the server has acknowledged before is in the backup. Only its owner can read the file, which holds "
        "the sources of warriors. galapagos restore makes a home of it. Exit status 1 if something could not be copied."
    )
    parser.add_argument("home", type=Path, metavar="HOME", help="the folder that the server has as --home")
    parser.add_argument("file", type=Path, metavar="FILE", help="a new file, as in home.tar.gz")


def run(args: Namespace) -> int:
    warnings: list[str] = []
    try:
        count = back_up(args.home, args.file, warnings.append)
    except ValueError as error:
        raise CommandError(error) from None
    except OSError as error:
        raise CommandError(error, FAILED) from None
    for warning in warnings:
        print(f"galapagos backup: {warning}", file=sys.stderr)
    print(f"{args.file}: {count} files, {args.file.stat().st_size / 1000:,.0f} KB")
    return FAILED if warnings else 0
