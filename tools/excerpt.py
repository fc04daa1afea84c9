"""The command `galapagos excerpt`: makes a small copy of a run with its curves, its champion and the ancestors."""

import sqlite3
from argparse import ArgumentParser, Namespace
from pathlib import Path

from engines.config import RUN_FILE
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore
from tools.cli import FAILED, CommandError, natural_int
from tools.games import GAMES


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "The copy can be plotted, and shown by `galapagos serve --runs`, but not resumed. It contains the statistics of all "
        "generations, the champion and its ancestors, but no games; its size is some hundred KB."
    )
    parser.add_argument("source", type=Path, metavar="RUN", help="the folder of a run")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder for the copy, new or empty")
    parser.add_argument(
        "--champion", type=natural_int, metavar="ID", help="the individual to show instead of the champion"
    )


def run(args: Namespace) -> int:
    try:
        with RunStore.open(args.source) as store:
            if store.game not in GAMES:
                raise CommandError(f"{args.source} is a run of {store.game}, a game that is not installed")
            statistics = GAMES[store.game].statistics
            if statistics is None:
                raise CommandError(
                    f"runs of {store.game} cannot be copied, because the game has no statistics"
                )
            if args.champion is not None and args.champion not in store.ids():
                raise CommandError(f"{args.source} has no individual with the ID {args.champion}")
            RunHistory(store).write_excerpt(args.folder, statistics(), args.champion)
    except FileExistsError:
        raise CommandError(f"{args.folder} holds a run already; name another folder") from None
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    except sqlite3.Error as error:
        raise CommandError(f"{args.folder}: {error}", FAILED) from None
    size = (args.folder / RUN_FILE).stat().st_size
    print(f"{args.folder / RUN_FILE}: {size / 1000:,.0f} KB")
    return 0
