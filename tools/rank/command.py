"""`galapagos rank`: warriors of Core War in order of their score: among themselves, against a fixed set, or of a run."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from engines.corewar.presets import PRESETS
from engines.run.executor import TaskError, processes
from engines.run.store import NAME
from tools.rank.contest import USUAL, Contest, Fought
from tools.rank.crew import PRELOAD
from tools.rank.finale import Finale, Finished

FAILED, USAGE, INTERRUPTED = 1, 2, 130


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = (
        "examples:\n"
        "  galapagos rank a.red b.red c.red             each against each, 100 rounds\n"
        "  galapagos rank evolved/ --rules nano         folders; a nano score is exact\n"
        "  galapagos rank mine.red --against wilkies/   a benchmark: (3W+T)*100/rounds, the mean over the set\n"
        "  galapagos rank a.red --against wilkies/ --rules 94 --fights 20    for warriors that learn in P-space\n"
        "  galapagos rank RUN                           the end of an evolution: each tribe, each against each, and\n"
        "                                               an elimination tournament of the best of all tribes"
    )
    add = parser.add_argument
    add(
        "warriors",
        nargs="+",
        type=Path,
        metavar="WARRIOR",
        help="a file of Redcode, a folder of them, or a run's",
    )
    add("--against", nargs="+", type=Path, metavar="SET", help="warriors that the others are measured by")
    add("--rules", choices=list(PRESETS), help=f"the hill whose rules hold ({USUAL}; a run's own)")
    add("--rounds", type=int, metavar="N", help="of each pair (100; nano: all places)")
    places = parser.add_mutually_exclusive_group()
    places.add_argument("--seed", type=int, default=1, metavar="S", help="of the places (1)")
    places.add_argument(
        "--checksum", action="store_true", help="places from the warriors' own code, as pMARS's -f"
    )
    places.add_argument(
        "--exact", action="store_true", help="every place and starter once, as pMARS's -P: no chance left"
    )
    add(
        "--fights",
        type=int,
        default=1,
        metavar="N",
        help="of each pair; P-space is empty before each (1)",
    )
    add(
        "--entrants",
        type=int,
        default=1,
        metavar="N",
        help="of a run: the best N of each tribe are eliminated (1)",
    )
    add("--workers", type=int, default=os.cpu_count() or 1, metavar="K", help="processes (one a processor)")
    add("--json", action="store_true", help="print JSON, with each pair")


def run(args: Namespace) -> int:
    """0 when all have fought, 1 for what fails on the way, 2 for wrong arguments."""
    skipped: list[str] = []
    try:
        contest = _prepared(args, skipped)
    except (ValueError, OSError) as error:
        return _failed(error, USAGE)
    for line in skipped:
        print(f"galapagos rank: {line}", file=sys.stderr)
    try:
        fought = asyncio.run(_fought(contest, args.workers))
    except (TaskError, OSError) as error:
        return _failed(error, FAILED)
    except KeyboardInterrupt:
        return INTERRUPTED
    print(json.dumps(fought.data()) if args.json else fought.text())
    return 0


def _prepared(args: Namespace, skipped: list[str]) -> Contest | Finale:
    """ValueError or OSError for arguments that make no contest."""
    if args.workers < 1 or args.seed < 0:
        raise ValueError("--workers must be 1 or more, --seed 0 or more")
    if args.fights < 1:
        raise ValueError("--fights must be 1 or more")
    if any((path / NAME).is_file() for path in args.warriors):
        return Finale.of(args)
    contest = Contest.of(args, skipped)
    contest.pairs()
    return contest


async def _fought(contest: Contest | Finale, workers: int) -> Fought | Finished:
    async with processes(workers, preload=PRELOAD) as crew:
        return await contest.fight(crew)


def _failed(error: Exception, status: int) -> int:
    print(f"galapagos rank: {error}", file=sys.stderr)
    return status
