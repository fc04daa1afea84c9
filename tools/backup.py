"""The command `galapagos backup`: copies the home of a server into one file, also while the server runs."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from engines.backup import back_up
from tools.cli import FAILED, CommandError, counted


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "The server may run meanwhile; the backup contains everything that it has acknowledged before the command started. "
        "Only your user can read the file, which contains the sources of warriors. `galapagos restore` creates a home from "
        "it. The exit status is 1 if a file could not be copied."
    )
    parser.add_argument(
        "home", type=Path, metavar="HOME", help="the folder that was given to the server as --home"
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup: a new file, such as home.tar.gz")


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
    print(f"{args.file}: {counted(count, 'file')}, {args.file.stat().st_size / 1000:,.0f} KB")
    return FAILED if warnings else 0
