"""The part of `galapagos study` on gene pools of chess: compares their runs with section 6 of Genetic Chess."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from tools.study import chess_report
from tools.study.chess_findings import FINDINGS
from tools.study.chess_runs import Run, read_run
from tools.study.chess_verdicts import Study

RUNS: Final = (
    "folders of gene pools of chess with the same configuration and different seeds (5 or more for verdicts)"
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add nothing: this study has only the common arguments."""


def criteria() -> str:
    """Return the criteria by which the findings are judged."""
    return chess_report.criteria()


def study(args: Namespace) -> None:
    """Print the verdicts on runs. Raises ValueError or OSError if the runs cannot be studied."""
    found = Study.of([_read(folder) for folder in args.runs], FINDINGS)
    if args.json:
        print(json.dumps(chess_report.data(found)))
    else:
        print(chess_report.markdown(found) if args.markdown else chess_report.text(found))


def _read(folder: Path) -> Run:
    if sys.stderr.isatty():  # 300,000 games take half a minute
        print(f"reading {folder}", file=sys.stderr)
    return read_run(folder)
