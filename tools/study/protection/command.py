"""`galapagos study protection`: how near the share of games comes to the aim, user by user, beside controls."""

import asyncio
import json
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from engines.protection.series import Outcome
from engines.worker_pool import process_pool
from tools.study.protection import kept
from tools.study.protection.arguments import CONTROLS, SEEDS, USERS
from tools.study.protection.kept import Finished
from tools.study.protection.measures import measured, summaries
from tools.study.protection.plan import Plan, Task, outcomes, pool
from tools.study.protection.population import people, spreads
from tools.study.protection.recovery import recoveries
from tools.study.protection.report import Study, data, text

GAMES: Final = 60
AT_A_TIME: Final = 4  # series a worker between two looks at the file


def study(args: Namespace) -> str:
    """The report. ValueError or OSError where that cannot be."""
    strings, starter = pool(args.pool)
    plan = Plan(
        users=_users(args),
        modes=list(dict.fromkeys([*args.mode.split(","), *CONTROLS])),
        games=GAMES if args.games is None else args.games,
        seeds=(1 if args.population else SEEDS) if args.seeds is None else args.seeds,
        rules=args.rules,
        pool=strings,
        starter=starter,
        aim=args.aim,
        mercy=args.mercy,
        replicates=args.replicates,
        skill=args.skill,
    )
    finished = kept.read(args.save, plan) if args.save else {}
    if args.save:
        kept.begin(args.save, plan, finished)
    asyncio.run(_play(plan, finished, args.save, args.workers or os.cpu_count() or 1))
    measures = measured(plan, finished)
    found = Study(
        plan=plan,
        measures=measures,
        summaries=summaries(plan, measures),
        spreads=spreads(plan.modes, measures, plan.aim) if args.population else (),
        recoveries=recoveries(plan, finished),
    )
    return json.dumps(data(found)) if args.json else text(found)


def _users(args: Namespace) -> Sequence[str]:
    if args.population is None:
        return args.users.split(",") if args.users else USERS
    if args.users or args.population < 2:
        raise ValueError("a population is 2 users or more, and has no users that are named")
    return people(args.population)


async def _play(plan: Plan, finished: Finished, path: Path | None, workers: int) -> None:
    """Every series that is not finished yet; `finished` grows."""
    tasks = [task for task in plan.tasks() if task.key not in finished]
    step = AT_A_TIME * workers
    with _bar() as bar:
        shown = bar.add_task("", total=len(tasks) + len(finished), completed=len(finished))
        async with process_pool(workers, preload=["tools.study.protection.plan"]) as crew:
            for first in range(0, len(tasks), step):
                some = tasks[first : first + step]
                for task, games in zip(some, await crew.map(outcomes, some), strict=True):
                    _keep(task, games, finished, path)
                bar.advance(shown, len(some))


def _keep(task: Task, games: list[Outcome], finished: Finished, path: Path | None) -> None:
    finished[task.key] = games
    if path:
        kept.add(path, task, games)


def _bar() -> Progress:
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        "series",
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
