"""The command `galapagos study protection`: plays series of games to measure how Chaos adapts to scripted users."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Final

from tools.study import protection_report
from tools.study.protection_series import add_arguments, play

GAME: Final = "protection"
RUNS: Final = "the word protection, which plays new games"
__all__ = ["RUNS", "add_arguments", "study"]


def study(args: Namespace) -> None:
    """Play the series and print the report. Raises ValueError or OSError if the arguments make no series."""
    if args.runs != [Path(GAME)]:
        raise ValueError(
            f"{args.runs[0]} is a run of {GAME}, which has no study of runs; `galapagos study {GAME}` plays new games"
        )
    if args.markdown or args.champions or args.thesis:
        raise ValueError("a study of Advanced Protection takes none of --markdown, --champions and --thesis")
    plan, finished = play(args)
    found = protection_report.Study.of(plan, finished, is_population=bool(args.population))
    print(json.dumps(protection_report.data(found)) if args.json else protection_report.text(found))
