"""The command `galapagos study protection`: measures how Chaos adapts to scripted users, or to people on record.

With --hybrids it measures what children of the best strings gain.
"""

import json
from argparse import Namespace
from pathlib import Path
from typing import Final

from tools.cli import print_notes
from tools.study import protection_hybrids, protection_people, protection_report
from tools.study.protection_series import add_arguments, play

GAME: Final = "protection"
RUNS: Final = "the word protection, which plays new games"
PEOPLE: Final = (
    "Advanced Protection: the home of a server, to measure how well the difficulty holds for users who agreed"
)
__all__ = ["PEOPLE", "RUNS", "add_arguments", "study"]


def study(args: Namespace) -> None:
    """Play the series, or read the games of people, and print the report.

    Raises ValueError or OSError if the arguments make no series, or the folder has no games.
    """
    if args.runs != [Path(GAME)]:
        raise ValueError(
            f"{args.runs[0]} is a run of {GAME}, which has no study of runs; `galapagos study {GAME}` plays new games"
        )
    if args.markdown or args.champions or args.thesis:
        raise ValueError("a study of Advanced Protection takes none of --markdown, --champions and --thesis")
    if args.people:
        if args.users or args.population or args.save or args.hybrids:
            raise ValueError(
                "--people reads stored games, so it takes none of --users, --population, --save and --hybrids"
            )
        if len(args.people) > 1:
            raise ValueError("--people takes one folder for Advanced Protection, the home of a server")
        stored = protection_people.read_people(args.people[0])
        print_notes("study", stored.faults)
        print(json.dumps(protection_people.data(stored)) if args.json else protection_people.text(stored))
        return
    if args.hybrids:
        hybrids = protection_hybrids.play(args)
        print(
            json.dumps(protection_hybrids.data(*hybrids)) if args.json else protection_hybrids.text(*hybrids)
        )
        return
    plan, finished = play(args)
    found = protection_report.Study.of(plan, finished, is_population=bool(args.population))
    print(json.dumps(protection_report.data(found)) if args.json else protection_report.text(found))
