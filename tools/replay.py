"""`galapagos replay`: recorded games of Acquire played again, every decision compared with our rules."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="galapagos-acquire-record/1")
    parser.epilog = "Exit status 1 at the first difference, which is printed; 2 for what is no record."


def run(args: Namespace) -> int:
    from engines.acquire.record import MismatchError, replay

    total = 0
    for path in args.files:
        try:
            with path.open(encoding="utf-8") as lines:
                decisions = replay(lines)
        except MismatchError as difference:
            print(f"{path}: {difference}")
            return 1
        except (OSError, ValueError) as error:
            print(f"galapagos replay: {path}: {error}", file=sys.stderr)
            return 2
        print(f"{path}: {decisions} decisions as recorded")
        total += decisions
    if len(args.files) > 1:
        print(f"{len(args.files)} games, {total} decisions as recorded")
    return 0
