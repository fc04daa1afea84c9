"""The command `galapagos pool`: makes a pool of 250 strings for Advanced Protection from many small runs.

Each run has its own combination of map, user and sum of money, or its own arrangement of a log. If its champion does
not beat the user, a second run with another configuration may follow. An interrupted command continues with the first
run that is not finished.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from engines.config import RUN_FILE
from engines.protection import boardfiles, experiment
from engines.protection.bots import BUILDERS
from engines.protection.ga_config import GaConfig
from engines.protection.genome import MINIONS
from engines.protection.pool_builder import (
    PreferenceSummary,
    RunReport,
    RunResult,
    better_result,
    build_pool,
    negative_share,
    second_run,
    strings_per_run,
)
from engines.statistics import Estimate
from engines.storage import write_atomically
from tools import evolve
from tools.cli import FAILED, CommandError, counted, positive_int
from tools.evolve_views import Goal
from tools.new_run import with_settings

MONEY: Final = (2000, 4000, 9000, 18_000)  # dollars
FILE: Final = "pool.jsonl"


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help=f"the folder for the runs and the pool, {FILE}")
    add(
        "--config",
        default="pool",
        metavar="CONFIG",
        help="the configuration of the runs: its name in `galapagos configs protection`, or a file (default: pool)",
    )
    add(
        "--again",
        metavar="CONFIG",
        help="the configuration of a second run wherever the champion of the first run does not beat its user (default: no second run)",
    )
    add(
        "--runs",
        type=positive_int,
        default=46,
        metavar="N",
        help="the number of runs, a divisor of 230; each yields 230/N strings (default: 46)",
    )
    add(
        "--arrangements",
        type=Path,
        metavar="FILE",
        help="evolve against the arrangements in this log instead of those of scripted users",
    )
    add(
        "--table",
        action="store_true",
        help="run nothing; print which arrangements the finished runs have beaten",
    )
    add("--json", action="store_true", help="print the table of --table as JSON")
    add(
        "--workers",
        type=positive_int,
        metavar="N",
        help="the number of worker processes (default: one per core)",
    )


def run(args: Namespace) -> int:
    """Validate all configurations, run all evolutions, and write the pool."""
    try:
        if args.table:
            print(table(args.folder, args.json))
            return 0
        firsts, seconds = _configs(args)
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    harvests = []
    for number, config in enumerate(firsts, 1):
        folder = args.folder / f"run-{number:02}"
        try:
            status = _evolve(args, config, folder, number)
            if not status and seconds and RunResult.read(folder).rating >= 0:
                status = _evolve(args, seconds[number - 1], second_run(folder), number)
            if status:
                return status
            harvests.append(better_result(folder))
        except ValueError as error:  # the run stopped early
            raise CommandError(error, FAILED) from None
    try:
        pool = build_pool(harvests)
        write_atomically(args.folder / FILE, pool.dumps())
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    print(
        f"{args.folder / FILE}: {len(pool.entries)} strings, starter {pool.entries[pool.starter].name}, hash {pool.hash}"
    )
    return 0


def _configs(args: Namespace) -> tuple[list[str], list[str]]:
    """Return the configuration of each run, and of each second run if --again is given.

    Raises ValueError for a wrong configuration, and OSError for an unreadable file.
    """
    base = evolve.read_config(args.config, experiment)
    log = len(boardfiles.read_arrangement_log(args.arrangements)) if args.arrangements else 0
    firsts = [_varied(base, number, args, log) for number in range(args.runs)]
    seconds = []
    if args.again:
        rules = {"rules": GaConfig.loads(base).rules}
        other = with_settings(evolve.read_config(args.again, experiment), rules)
        seconds = [_varied(other, number, args, log) for number in range(args.runs)]
    wanted = strings_per_run(args.runs)
    for number, text in enumerate([*firsts, *seconds]):
        name = args.config if number < len(firsts) else args.again
        try:
            config = GaConfig.loads(text)
            config.target()
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        if config.saved < wanted:
            raise ValueError(
                f"{name}: a pool from {counted(args.runs, 'run')} needs {wanted} strings of each, but `saved` is {config.saved}; "
                "choose more runs or a larger `saved`"
            )
    return firsts, seconds


def _varied(base: str, number: int, args: Namespace, log: int) -> str:
    """Return the configuration of one run; the runs take evenly spaced lines of a log with `log` lines."""
    arrangement = BUILDERS[number % len(BUILDERS)]
    if args.arrangements:
        arrangement = f"{args.arrangements}:{1 + number * log // args.runs}"
    money = str(MONEY[number // len(BUILDERS) % len(MONEY)])
    settings = {"arrangement": arrangement, "money": money, "ground": str(number + 1)}
    return with_settings(base, settings)


def _evolve(args: Namespace, config: str, folder: Path, seed: int) -> int:
    """Start or resume a run and return its exit status. Raises CommandError if the run cannot be started or fails."""
    print(folder, flush=True)
    processes = evolve.Processes(workers=args.workers)
    if (folder / RUN_FILE).exists():
        return evolve.start(
            "protection", folder, resume=True, processes=processes, goal=Goal(), output="quiet"
        )
    path = folder.with_suffix(".txt")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(config, encoding="utf-8")
    return evolve.start(
        "protection", folder, path, seed=seed, processes=processes, goal=Goal(), output="quiet"
    )


# -- The table of the arrangements that the runs have beaten ----------------------------------------


def table(folder: Path, as_json: bool) -> str:
    """Return the table of the finished runs in a folder, and list the others on standard error.

    Raises ValueError if no run is finished, and OSError if a run cannot be read.
    """
    rows = [RunReport.of(harvest) for harvest in _finished(folder)]
    if not rows:
        raise ValueError(f"{folder} contains no finished run")
    if as_json:
        return json.dumps(_data(rows))
    return "\n".join([*_beaten(rows), "", *_averages(rows), "", *_kinds(rows)])


def _finished(folder: Path) -> Iterator[RunResult]:
    paths = [path for path in folder.glob("run-*[0-9]") if (path / RUN_FILE).is_file()]
    for path in sorted(paths, key=lambda path: (len(path.name), path.name)):
        try:
            yield better_result(path)
        except ValueError as error:
            print(f"galapagos pool: {error}", file=sys.stderr)


def _beaten(rows: Sequence[RunReport]) -> Iterator[str]:
    yield "Rating of each run's champion in fresh tests, with its 95 % interval; a negative rating is good for Chaos"
    yield f"{'Run':14}{'Against':34}{'Map':>12}{'Budget':>9}{'Rating':>10}{'From':>9}{'To':>9}  Negative"
    for row in rows:
        is_negative = "surely" if row.is_surely_negative else "yes" if row.is_negative else "no"
        yield (
            f"{row.run:14}{row.against[-33:]:34}{row.map[-11:]:>12}{row.budget:9,}"
            f"{row.rating.value:10,.0f}{row.rating.low:9,.0f}{row.rating.high:9,.0f}  {is_negative}"
        )
    negative, surely = (
        sum(getattr(row, name) for row in rows) for name in ("is_negative", "is_surely_negative")
    )
    yield (
        f"The mean is negative for {negative} of {counted(len(rows), 'arrangement')}: {_shared(negative_share(rows))}; the whole "
        f"interval is negative for {surely}"
    )


def _averages(rows: Sequence[RunReport]) -> Iterator[str]:
    yield "Averages of the preferences of each run's best strings"
    yield f"{'Run':14}{'Against':34}" + "".join(f"{name:>11}" for name in MINIONS)
    for row in rows:
        yield f"{row.run:14}{row.against[-33:]:34}" + _numbers(row.preferences)


def _kinds(rows: Sequence[RunReport]) -> Iterator[str]:
    kinds = PreferenceSummary.of([row.preferences for row in rows])
    yield f"{'':48}" + "".join(f"{name:>11}" for name in MINIONS)
    yield f"{f'Runs, of {kinds.runs}, in which it is wanted most':48}" + _numbers(kinds.tops)
    yield f"{'Mean preference':48}" + _numbers([round(mean, 1) for mean in kinds.means])
    yield f"Scouts are wanted in {kinds.with_scouts} of {counted(kinds.runs, 'run')}"


def _numbers(numbers: Sequence[float]) -> str:
    return "".join(f"{number:>11}" for number in numbers)


def _shared(estimate: Estimate) -> str:
    return f"{estimate:.0%}"


def _data(rows: Sequence[RunReport]) -> dict[str, Any]:
    kinds = PreferenceSummary.of([row.preferences for row in rows])
    return {
        "runs": [
            {
                "run": row.run,
                "against": row.against,
                "rules": row.rules,
                "map": row.map,
                "budget": row.budget,
                "trials": row.trials,
                "rating": asdict(row.rating),
                "preferences": _by_kind(row.preferences),
            }
            for row in rows
        ],
        "negative": asdict(negative_share(rows)),
        "kinds": {
            "runs": kinds.runs,
            "wanted_most": _by_kind(kinds.tops),
            "means": _by_kind(kinds.means),
            "with_scouts": kinds.with_scouts,
        },
    }


def _by_kind(numbers: Sequence[float]) -> dict[str, float]:
    return dict(zip(MINIONS, numbers, strict=True))
