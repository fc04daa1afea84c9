"""`galapagos record`: recorded games (galapagos-record/1) played again by the rules, with the first difference.

The exit status is 0 if every event of every record came out as it is written, else 1.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.record.journal import whole_lines
from protocols.jsonl.record.relive import RecordError, relive
from tools.games import bindings


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="records, one game each")


def run(args: Namespace) -> int:
    houses, failures = bindings(), 0
    for path in args.files:
        try:
            relived = relive(whole_lines(path.read_bytes()), houses, JsonlLimits())
        except (OSError, RecordError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failures += 1
            continue
        how = "to its end" if relived.table.end_line else "as far as it goes"
        print(f"{path}: {relived.events} events as recorded, {how}")
    return 1 if failures else 0
