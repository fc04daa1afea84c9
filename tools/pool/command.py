"""`galapagos pool`: a pool of 250 strings for Advanced Protection, from many small runs of its own.

Each run has another map, user and sum of money, or another arrangement of a log. Where its champion does not beat the
user, a second run by another configuration may try again. The command goes on where it was left, run by run.
"""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import Final

from engines.config import RUN_FILE, folded
from engines.protection.boards import arrangement_log
from engines.protection.experiment import RUNS
from engines.protection.ga_config import GaConfig
from engines.protection.pool.gathering import Harvest, again, gathered, harvested, share
from engines.protection.users.first import BUILDERS
from engines.storage import write_atomically
from tools import evolve
from tools.pool.table import table

USAGE: Final = 2
MONEY: Final = (2000, 4000, 9000, 18_000)  # dollars
FILE: Final = "pool.jsonl"


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help=f"for the runs, and {FILE}")
    add("--config", default="pool", metavar="CONFIG", help="a file, or NAME of the program's own (pool)")
    add("--again", metavar="CONFIG", help="for a second run where the first one has beaten nobody")
    add(
        "--runs",
        type=_count,
        default=46,
        metavar="N",
        help="a divisor of 230: so many, 230/N strings each (46)",
    )
    add(
        "--arrangements",
        type=Path,
        metavar="FILE",
        help="a log: its arrangements, not those of scripted users",
    )
    add("--table", action="store_true", help="nothing is run: which arrangements the runs there have beaten")
    add(
        "--beside",
        type=Path,
        metavar="FILE",
        help="for --table: a table of others, run,user,scout,... a line",
    )
    add("--json", action="store_true", help="for --table: print JSON")
    add("--workers", type=_count, metavar="N", help="processes that play (one a core)")


def run(args: Namespace) -> int:
    """Every configuration is known to be good before the first run begins."""
    try:
        if args.table:
            print(table(args.folder, args.beside, args.json))
            return 0
        base = _text(args.config)
        log = len(arrangement_log.read(args.arrangements)) if args.arrangements else 0
        configs = [_varied(base, number, args, log) for number in range(args.runs)]
        rules = GaConfig.loads(base).rules
        seconds = [
            _varied(_text(args.again), number, args, log, rules) for number in range(args.runs) if args.again
        ]
        for loaded in map(GaConfig.loads, [*configs, *seconds]):
            loaded.target()
            if loaded.saved < share(args.runs):
                raise ValueError(f"{share(args.runs)} strings a run are wanted, and {loaded.saved} saved")
    except (ValueError, OSError) as error:
        return _failed(error)
    harvests = []
    for number, config in enumerate(configs, 1):
        folder = args.folder / f"run-{number:02}"
        status = _evolved(args, config, folder, number)
        if not status and seconds and Harvest.read(folder).rating >= 0:
            status = _evolved(args, seconds[number - 1], again(folder), number)
        if status:
            return status
        harvests.append(harvested(folder))
    try:
        pool = gathered(harvests)
        write_atomically(args.folder / FILE, pool.dumps())
    except (ValueError, OSError) as error:
        return _failed(error)
    print(f"{args.folder / FILE}: {pool.hash}, starter {pool.entries[pool.starter].name}")
    return 0


def _varied(base: str, number: int, args: Namespace, log: int, rules: str = "") -> str:
    """The configuration of one run; of a log with so many lines every run has one, as far apart as can be."""
    settings = {
        **({"rules": rules} if rules else {}),
        "arrangement": BUILDERS[number % len(BUILDERS)],
        "money": str(MONEY[number // len(BUILDERS) % len(MONEY)]),
        "ground": str(number + 1),
    }
    if args.arrangements:
        settings["arrangement"] = f"{args.arrangements}:{1 + number * log // args.runs}"
    kept = [line for line in base.splitlines() if folded(line.partition("=")[0]) not in settings]
    return "\n".join([*kept, *(f"{key} = {value}" for key, value in settings.items()), ""])


def _evolved(args: Namespace, config: str, folder: Path, seed: int) -> int:
    """Begin the run, or go on with it; its exit status."""
    print(folder, flush=True)
    words = ["protection", "--run", str(folder), "--quiet"]
    words += ["--workers", str(args.workers)] if args.workers else []
    if (folder / RUN_FILE).exists():
        words.append("--resume")
    else:
        path = folder.with_suffix(".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(config, encoding="utf-8")
        words[1:1] = [str(path)]
        words += ["--seed", str(seed)]
    parser = ArgumentParser()
    evolve.add_arguments(parser)
    return evolve.run(parser.parse_args(words))


def _text(name: str) -> str:
    path = Path(name)
    return (path if path.exists() else RUNS / f"{name}.txt").read_text(encoding="utf-8")


def _failed(error: Exception) -> int:
    print(f"galapagos pool: {error}", file=sys.stderr)
    return USAGE


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise ArgumentTypeError(f"a whole number above 0, not {text[:20]!r}")
    return int(text)
