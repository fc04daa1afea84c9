"""`galapagos study`: what the literature found, in runs of one's own: gene pools of chess, programs of Acquire.

`galapagos study protection` needs no run: it plays series of games itself.
"""

import json
import os
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from engines.evolution.run_store import RunStore
from tools.plot.canvas import FORMATS
from tools.study import report
from tools.study.protection import arguments as protection
from tools.study.run import Run, read
from tools.study.verdict import Study

USAGE: Final = 2
GAMES: Final = 1000  # of a comparison of programs


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="*",
        type=Path,
        metavar="RUN",
        help="folders: gene pools of chess with one configuration and different seeds, 5 or more for verdicts; "
        "or runs of Acquire's players, of any configurations, which are compared; "
        "or the word protection",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    form.add_argument("--json", action="store_true", help="print JSON, with the numbers of each run")
    form.add_argument("--criteria", action="store_true", help="print what has to hold, and read no run")
    acquire = parser.add_argument_group("for runs of Acquire's players")
    acquire.add_argument(
        "--champions", action="store_true", help="only their champions, against the panel: runs of any kind"
    )
    acquire.add_argument("--out", type=Path, metavar="DIR", help="for report, tables, figures (RUN/study)")
    acquire.add_argument("--format", choices=FORMATS, default=FORMATS[0], help=f"of figures ({FORMATS[0]})")
    acquire.add_argument(
        "--games",
        type=int,
        metavar="N",
        help="a comparison, fresh ones (1000); of a series of protection (60)",
    )
    acquire.add_argument("--workers", type=int, metavar="N", help="processes that play (one a core)")
    protection.add_arguments(parser)


def run(args: Namespace) -> int:
    if args.criteria:
        print(report.criteria())
        return 0
    if not args.runs:
        return _failed("name a run or more, or --criteria")
    try:
        if args.runs == [Path(protection.NAME)]:
            return _adaptation(args)
        if _game(args.runs[0]) == "acquire":
            return _programs(args)
        study = Study.of([_read(folder) for folder in args.runs])
    except (ValueError, OSError, sqlite3.Error) as error:
        return _failed(str(error))
    if args.json:
        print(json.dumps(report.data(study)))
    else:
        print(report.markdown(study) if args.markdown else report.text(study))
    return 0


def _game(folder: Path) -> str:
    with RunStore.open(folder) as store:
        return store.game


def _programs(args: Namespace) -> int:
    """ValueError or OSError where it cannot be."""
    from tools.study.acquire.command import compare, study

    games = GAMES if args.games is None else args.games
    if args.markdown or args.json:
        raise ValueError("a study of programs is text, CSV and figures; --markdown and --json are for chess")
    if games < 2 or (args.workers is not None and args.workers < 1):
        raise ValueError("--games must be 2 or more, --workers 1 or more")
    workers = args.workers or os.cpu_count() or 1
    if args.champions:
        print(compare(args.runs, games, workers))
        return 0
    out = args.out or args.runs[0] / "study"
    print(study(args.runs, out, args.format, games, workers))
    print(f"\n{out}: {', '.join(sorted(path.name for path in out.iterdir()))}", file=sys.stderr)
    return 0


def _adaptation(args: Namespace) -> int:
    """ValueError or OSError where it cannot be."""
    from tools.study.protection.command import study

    if args.markdown or args.champions:
        raise ValueError("a study of Advanced Protection is a table or, with --json, data")
    if args.workers is not None and args.workers < 1:
        raise ValueError("--workers must be 1 or more")
    print(study(args))
    return 0


def _read(folder: Path) -> Run:
    if sys.stderr.isatty():  # 300,000 games take half a minute
        print(f"reading {folder}", file=sys.stderr)
    return read(folder)


def _failed(reason: str) -> int:
    print(f"galapagos study: {reason}", file=sys.stderr)
    return USAGE
