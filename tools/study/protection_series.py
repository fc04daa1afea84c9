"""A study of how Chaos adapts to scripted users: series of games of each user, rule of choice and seed.

`galapagos study protection` plays the series on worker processes; a file keeps finished series, so that an
interrupted study can continue.
"""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from core.protection.rules import RULES
from core.random import Random
from engines.protection import FIXED, MODES
from engines.protection.adaptation import PAPER_RULE, Calibration, Mode, fixed_string
from engines.protection.bot_plans import PLANS
from engines.protection.bots import create_bot, from_file
from engines.protection.chaos import Chaos, new_chaos
from engines.protection.defender import DIGITS
from engines.protection.genome import Genome
from engines.protection.pool import Pool, PoolError, bundled_pool
from engines.protection.series import Outcome, Series, play_games
from engines.storage import read_text, write_atomically
from engines.worker_pool import Workers
from tools.cli import counted, positive_int, progress_bar

STARTER: Final = "starter"  # always the starter string
CONTROLS: Final = (STARTER, "random")  # modes without adaptation
ADAPTING: Final = tuple(name for name in MODES if name not in CONTROLS)
COMPARED: Final = ("pilot", "calibrated", "seed")  # the default modes
SEEDS: Final = 5
USERS: Final = (
    "novice",
    "random",
    "drones",
    "farmers",
    "settlers",
    "turtle",
    "artillery",
    "mines",
    "mixed",
    "jammers",
    "fortress",
    "reactive",
)
# The users that a population is drawn from: the plans, and users who change, play at random, learn or skip turns.
DRAWN: Final = (*PLANS, "switcher", "random", "learner", "sleeper")
GAMES: Final = 60
SKILLS: Final = 1001  # possible skills of users drawn at random: 0.000 to 1.000

Finished = dict[str, list[Outcome]]  # series by the key of their task
Game = TypeVar("Game")  # the facts that a study keeps of a game, such as an Outcome
P = TypeVar("P", bound="Plan")


def add_arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("for `galapagos study protection`: how Chaos adapts to scripted users")
    add = group.add_argument
    add(
        "--users",
        metavar="NAME,...",
        help=f"the scripted users, or files .apd of defenders; mines:0.4 follows the plan mines with skill 0.4 ({','.join(USERS)})",
    )
    add(
        "--population",
        type=positive_int,
        metavar="N",
        help="in place of --users: N users with random plans and skills",
    )
    add(
        "--mode",
        metavar="MODE,...",
        help=f"modes in addition to the controls {' and '.join(CONTROLS)}: {', '.join(ADAPTING)}, {FIXED}0 to {FIXED}249 "
        f"({','.join(COMPARED)}; with --hybrids best)",
    )
    add(
        "--seeds",
        type=positive_int,
        metavar="N",
        help=f"the number of series of each user ({SEEDS}; 1 with --population)",
    )
    add(
        "--rules",
        default="improved",
        metavar="NAME",
        help="the rules of the game: improved or seed (improved)",
    )
    add("--pool", type=Path, metavar="FILE", help="the file of the 250 strings (the bundled pool)")
    add(
        "--aim",
        type=float,
        default=0.5,
        metavar="P",
        help="the share of games that the user should win (0.5)",
    )
    add(
        "--mercy", type=float, default=0.5, metavar="M", help="the mercy of the mode calibrated, 0 to 1 (0.5)"
    )
    add(
        "--replicates",
        type=positive_int,
        default=4,
        metavar="N",
        help="tests of each string in each turn (4)",
    )
    add(
        "--skill",
        type=float,
        default=1.0,
        metavar="Q",
        help="the share of purchases in which users follow their plan, 0 to 1 (1)",
    )
    add(
        "--save",
        type=Path,
        metavar="FILE",
        help="store finished series in FILE, and continue a study from it",
    )
    add(
        "--hybrids",
        action="store_true",
        help="measure by fresh tests what children of the best strings gain over the pool alone, and over controls "
        "(10 games, 1 series)",
    )


def play(args: Namespace) -> tuple["Plan", Finished]:
    """Play every series that is not in the file. Raises ValueError or OSError if the plan cannot be played."""
    modes = list(dict.fromkeys([*(args.mode.split(",") if args.mode else COMPARED), *CONTROLS]))
    plan = read_plan(args, Plan, modes, GAMES, SEEDS)
    return plan, finish(args, plan, play_series, Outcome)


def read_plan(args: Namespace, kind: type[P], modes: Sequence[str], games: int, seeds: int) -> P:
    """Return the plan of the arguments; `games` and `seeds` are defaults. Raises ValueError or OSError if it is wrong."""
    strings, starter = _pool(args.pool)
    return kind(
        users=_users(args),
        modes=modes,
        games=games if args.games is None else args.games,
        seeds=(1 if args.population else seeds) if args.seeds is None else args.seeds,
        rules=args.rules,
        pool=strings,
        starter=starter,
        aim=args.aim,
        mercy=args.mercy,
        replicates=args.replicates,
        skill=args.skill,
    )


def finish(
    args: Namespace, plan: "Plan", play: Callable[["Task"], list[Game]], kind: type[Game]
) -> dict[str, list[Game]]:
    """Return all series of a plan, by the key of their task; play those that are not in the file.

    `play` plays a series in a worker process. Raises ValueError or OSError if the file is that of another study.
    """
    finished = load_finished(args.save, plan, kind) if args.save else {}
    if args.save:
        write_finished(args.save, plan, finished)
    asyncio.run(_finish(plan, play, finished, args.save, args.workers or os.cpu_count() or 1))
    return finished


def shown(user: str) -> str:
    """Return the name of a user for a report: a defender's digits are cut to the first six."""
    digits, colon, skill = user.partition(":")
    return f"defender-{digits[:6]}{colon}{skill}" if len(digits) == DIGITS else user


def random_users(count: int) -> list[str]:
    """Return `count` users drawn at random, each with a skill, always the same ones."""
    rng = Random(count)
    return [f"{DRAWN[rng.below(len(DRAWN))]}:{rng.below(SKILLS) / (SKILLS - 1):.3f}" for _ in range(count)]


def _users(args: Namespace) -> Sequence[str]:
    if args.population is None:
        return [from_file(name) for name in args.users.split(",")] if args.users else USERS
    if args.users or args.population < 2:
        raise ValueError("--population needs 2 users or more, and cannot be combined with --users")
    return random_users(args.population)


def _pool(path: Path | None) -> tuple[tuple[str, ...], int]:
    """Return the strings of a pool file, or of the bundled pool, and the number of the starter.

    Raises ValueError or OSError if the file cannot be read.
    """
    try:
        found = Pool.loads(read_text(path)) if path else bundled_pool()
    except PoolError as error:
        raise ValueError(f"{path}: {error}") from None
    return tuple(each.genome.hex for each in found.entries), found.starter


async def _finish(
    plan: "Plan",
    play: Callable[["Task"], list[Game]],
    finished: dict[str, list[Game]],
    path: Path | None,
    workers: int,
) -> None:
    """Play the missing series; add each to `finished` and to the file as soon as it is played."""
    tasks = [task for task in plan.tasks() if task.key not in finished]
    if tasks:
        print(
            f"playing {len(tasks):,} series of {plan.games} games with {counted(workers, 'worker')}",
            file=sys.stderr,
            flush=True,
        )
    with progress_bar() as bar:
        shown = bar.add_task("series", total=len(tasks) + len(finished), completed=len(finished))
        async with Workers(workers, preload=[__name__]) as pool:
            left = iter(tasks)

            async def play_some() -> None:
                for task in left:
                    finished[task.key] = games = await pool.do(play, task)
                    if path:
                        append_finished(path, task, games)
                    bar.advance(shown)

            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(workers):
                        group.create_task(play_some())
            except BaseExceptionGroup as failures:
                raise failures.exceptions[0] from None


# -- The plan ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The plan of a study. Raises ValueError if it cannot be played."""

    users: Sequence[str]
    modes: Sequence[str]
    games: int
    seeds: int
    rules: str
    pool: tuple[str, ...]  # strings as hex digits
    starter: int
    aim: float
    mercy: float
    replicates: int
    skill: float

    def __post_init__(self) -> None:
        for name in self.users:
            create_bot(name, 0)
        for mode in self.modes:
            if mode != STARTER:
                fixed_string(mode)  # raises for a wrong mode
        if self.rules not in RULES:
            raise ValueError(f"the rules must be one of {', '.join(RULES)}, not {self.rules[:40]!r}")
        if min(self.games, self.seeds, self.replicates) < 1 or not 0 <= self.skill <= 1:
            raise ValueError("games, seeds and replicates must be 1 or more, and a skill must be from 0 to 1")
        Calibration(aim=self.aim, mercy=self.mercy)

    @property
    def hash(self) -> str:
        """The hash of all values that decide the outcome of a series; users, modes and seeds are not among them."""
        facts = asdict(self) | {"users": None, "modes": None, "seeds": None}
        return sha256(json.dumps(facts).encode()).hexdigest()

    def tasks(self) -> list["Task"]:
        return [
            Task(plan=self, user=name, mode=mode, seed=seed)
            for name, mode, seed in product(self.users, self.modes, range(1, self.seeds + 1))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A series to be played; can be pickled."""

    plan: Plan
    user: str
    mode: str
    seed: int

    @property
    def key(self) -> str:
        return f"{self.user} {self.mode} {self.seed}"


def play_series(task: Task) -> list[Outcome]:
    """Play the games of a series, which depend on nothing but the task."""
    return list(play_games(*series_of(task)))


def series_of(task: Task) -> tuple[Series, Chaos]:
    """Return the series of a task, and the player of Chaos at its beginning."""
    plan = task.plan
    series = Series(user=task.user, skill=plan.skill, rules=plan.rules, games=plan.games, seed=task.seed)
    name = f"{FIXED}{plan.starter}" if task.mode == STARTER else task.mode
    mode = Mode(name, plan.starter, Calibration(aim=plan.aim, mercy=plan.mercy))
    tests = None if name == PAPER_RULE else plan.replicates
    return series, new_chaos(tuple(Genome.loads(string) for string in plan.pool), mode, tests)


# -- The file: a line of JSON for the plan, then one for each finished series -----------------------------


def load_finished(path: Path, plan: Plan, kind: type[Game]) -> dict[str, list[Game]]:
    """Read the finished series of a file, without a last line that was cut off; `kind` is the type of their games.

    Raises ValueError if the file belongs to another plan.
    """
    try:
        lines = read_text(path).split("\n")
    except FileNotFoundError:
        return {}
    try:
        if json.loads(lines[0])["plan"] != plan.hash:
            raise ValueError(f"{path} belongs to another study, with other rules, pool, games or aim")
        rows = [json.loads(line) for line in lines[1:-1]]
        return {row["series"]: msgspec.convert(row["games"], list[kind]) for row in rows}  # type: ignore[valid-type]
    except (KeyError, TypeError, RecursionError, json.JSONDecodeError, msgspec.ValidationError) as error:
        raise ValueError(f"{path} is not a file of a study: {error!r}") from None


def write_finished(path: Path, plan: Plan, finished: Mapping[str, Sequence[object]]) -> None:
    """Write the plan and the finished series to a file; this removes a last line that was cut off."""
    rows = [json.dumps({"plan": plan.hash}), *(_row(key, games) for key, games in finished.items())]
    write_atomically(path, "".join(f"{row}\n" for row in rows))


def append_finished(path: Path, task: Task, games: Sequence[object]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{_row(task.key, games)}\n")
        file.flush()
        os.fsync(file.fileno())


def _row(key: str, games: Sequence[object]) -> str:
    return json.dumps({"series": key, "games": msgspec.to_builtins(games)})
