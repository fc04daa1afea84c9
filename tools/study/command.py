"""`galapagos study`: which findings of Genetic Chess, section 6, show again in runs of one's own."""

import json
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from tools.study import report
from tools.study.history import Run, read
from tools.study.study import Study

USAGE: Final = 2


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="*",
        type=Path,
        metavar="RUN",
        help="folders of gene pool runs with one configuration and different seeds; 5 or more for verdicts",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    form.add_argument("--json", action="store_true", help="print JSON, with the numbers of each run")
    form.add_argument("--criteria", action="store_true", help="print what has to hold, and read no run")


def run(args: Namespace) -> int:
    if args.criteria:
        print(report.criteria())
        return 0
    if not args.runs:
        return _failed("name a run or more, or --criteria")
    try:
        study = Study.of([_read(folder) for folder in args.runs])
    except (ValueError, OSError, sqlite3.Error) as error:
        return _failed(str(error))
    if args.json:
        print(json.dumps(report.data(study)))
    else:
        print(report.markdown(study) if args.markdown else report.text(study))
    return 0


def _read(folder: Path) -> Run:
    if sys.stderr.isatty():  # 300,000 games take half a minute
        print(f"reading {folder}", file=sys.stderr)
    return read(folder)


def _failed(reason: str) -> int:
    print(f"galapagos study: {reason}", file=sys.stderr)
    return USAGE
