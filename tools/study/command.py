"""The command `galapagos study`: tests findings of the literature on given runs.

The study of a game is in the module that its GameInfo names. Such a module has RUNS, a text that says what it
studies; add_arguments(); and study(), which takes the arguments and prints a report, or raises ValueError or OSError
if the runs cannot be studied. A module may have PEOPLE, a text on what it reads of people; criteria(); and
is_comparable() and compare() for `galapagos sweep`.
"""

import sqlite3
from argparse import ArgumentParser, Namespace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from engines.evolution.run_store import RunStore
from tools.cli import CommandError, positive_int
from tools.games import GAMES


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="*",
        type=Path,
        metavar="RUN",
        help="; or ".join(module.RUNS for module in _modules().values()),
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    form.add_argument("--json", action="store_true", help="print JSON with the numbers of each run")
    form.add_argument(
        "--criteria", action="store_true", help="print the criteria for verdicts, without reading a run"
    )
    parser.add_argument(
        "--games",
        type=positive_int,
        metavar="N",
        help="the number of new games for each comparison (1000), or of games in each series (60)",
    )
    parser.add_argument(
        "--people",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="games of people; "
        + "; ".join(module.PEOPLE for module in _modules().values() if hasattr(module, "PEOPLE")),
    )
    parser.add_argument("--workers", type=positive_int, metavar="N", help="worker processes (one a core)")
    for module in _modules().values():
        module.add_arguments(parser)


def run(args: Namespace) -> int:
    if not (args.runs or args.criteria):
        raise CommandError("name at least one run, or give --criteria")
    try:
        if args.criteria:
            criteria = (module.criteria() for module in _modules().values() if hasattr(module, "criteria"))
            print("\n\n".join(criteria))
            return 0
        game = _game(args)
        if game not in _modules():
            raise ValueError(f"{args.runs[0]} is a run of {game}, which has no study")
        _modules()[game].study(args)
    except (ValueError, OSError, sqlite3.Error) as error:
        raise CommandError(error) from None
    return 0


@cache
def _modules() -> dict[str, ModuleType]:
    return {name: import_module(game.study) for name, game in GAMES.items() if game.study}


def _game(args: Namespace) -> str:
    """Return the game of the first run, or the game that is named instead of runs."""
    if len(args.runs) == 1 and str(args.runs[0]) in _modules():
        return str(args.runs[0])
    with RunStore.open(args.runs[0]) as store:
        return store.game
