"""`galapagos study`: findings of the literature tested on runs of one's own.

Gene pools of chess are tested against section 6 of Genetic Chess, programs of Acquire are compared with each other;
`galapagos study protection` needs no run, it plays series of games itself.
"""

import json
import os
import sqlite3
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engines.evolution.run_store import RunStore
from tools.cli import CommandError, positive_int
from tools.plot.canvas import FORMATS
from tools.study import chess_report, protection, protection_report
from tools.study.chess_findings import FINDINGS
from tools.study.chess_runs import Run, read_run
from tools.study.chess_verdicts import Study

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
    form.add_argument("--criteria", action="store_true", help="print the criteria, without reading a run")
    acquire = parser.add_argument_group("for runs of Acquire's players")
    acquire.add_argument(
        "--champions", action="store_true", help="only their champions, against the panel: runs of any kind"
    )
    acquire.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder of report, tables and figures (RUN/study)"
    )
    acquire.add_argument("--format", choices=FORMATS, default=FORMATS[0], help=f"of figures ({FORMATS[0]})")
    acquire.add_argument(
        "--games",
        type=positive_int,
        metavar="N",
        help="new games for each comparison (1000), or games of a series of protection (60)",
    )
    acquire.add_argument("--workers", type=positive_int, metavar="N", help="worker processes (one a core)")
    protection.add_arguments(parser)


def run(args: Namespace) -> int:
    if args.criteria:
        print(chess_report.criteria())
        return 0
    if not args.runs:
        raise CommandError("name a run or more, or --criteria")
    try:
        if args.runs == [Path(protection.GAME)]:
            _study_protection(args)
        elif _game(args.runs[0]) == "acquire":
            _study_acquire(args)
        else:
            _study_chess(args)
    except (ValueError, OSError, sqlite3.Error) as error:
        raise CommandError(error) from None
    return 0


def study_programs(
    runs: Sequence[Path], out: Path, form: str, games: int | None, workers: int | None
) -> None:
    """Compare runs of Acquire's players: print the report, write it with tables and figures. ValueError, OSError."""
    from tools.study.acquire_report import study

    print(study(runs, out, form, _games(games), workers or os.cpu_count() or 1))
    print(f"\n{out}: {', '.join(sorted(path.name for path in out.iterdir()))}", file=sys.stderr)


# -- Helpers: ValueError or OSError for what cannot be studied ---------------------------------------


def _study_chess(args: Namespace) -> None:
    study = Study.of([_read(folder) for folder in args.runs], FINDINGS)
    if args.json:
        print(json.dumps(chess_report.data(study)))
    else:
        print(chess_report.markdown(study) if args.markdown else chess_report.text(study))


def _study_acquire(args: Namespace) -> None:
    if args.markdown or args.json:
        raise ValueError("a study of programs is text, CSV and figures; --markdown and --json are for chess")
    if args.champions:
        from tools.study.acquire_report import compare

        print(compare(args.runs, _games(args.games), args.workers or os.cpu_count() or 1))
    else:
        study_programs(args.runs, args.out or args.runs[0] / "study", args.format, args.games, args.workers)


def _study_protection(args: Namespace) -> None:
    if args.markdown or args.champions:
        raise ValueError("a study of Advanced Protection is a table or, with --json, data")
    plan, finished = protection.play(args)
    study = protection_report.Study.of(plan, finished, is_population=bool(args.population))
    print(json.dumps(protection_report.data(study)) if args.json else protection_report.text(study))


def _games(wanted: int | None) -> int:
    if wanted is not None and wanted < 2:
        raise ValueError("--games must be 2 or more")
    return GAMES if wanted is None else wanted


def _game(folder: Path) -> str:
    with RunStore.open(folder) as store:
        return store.game


def _read(folder: Path) -> Run:
    if sys.stderr.isatty():  # 300,000 games take half a minute
        print(f"reading {folder}", file=sys.stderr)
    return read_run(folder)
