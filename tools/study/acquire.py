"""The part of `galapagos study` on players of Acquire: compares runs by new games, and players with people.

Runs that evolve programs get a report with tables and figures. With --champions, runs of any kind get a shorter report,
on their champions against a panel of fixed opponents. `galapagos sweep` uses is_comparable() and compare().
`galapagos study acquire --thesis` evolves the twenty runs of "Evolving Board Evaluation Functions" and judges its
claims. `galapagos study acquire --people` measures how well players predict what people did in recorded games.
"""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.plot.canvas import FORMATS, check
from tools.study.acquire_runs import GAME, is_of_programs

RUNS: Final = (
    "folders of runs of Acquire's players, with any configurations, to compare; or the word acquire, with --thesis or "
    "--people"
)
PEOPLE: Final = (
    "Acquire: records, or folders of records, to measure how often players choose as these people did"
)
THESIS: Final = Path("thesis")  # the default of --out with --thesis
GAMES: Final = 1000  # the default of --games
PLAYERS: Final = (
    "composed",
    "mc-10",
    "evolved-seven",
    "evolved-four",
    "evolved-net-seven",
    "evolved-net-four",
)


def add_arguments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("for runs of Acquire's players")
    group.add_argument(
        "--champions",
        action="store_true",
        help="compare only the champions, in games against the panel; for runs of any kind",
    )
    group.add_argument(
        "--thesis",
        action="store_true",
        help=f"after the word {GAME}: repeat the twenty runs of Evolving Board Evaluation Functions and compare each of its "
        "figures with them; a command that was stopped continues when it is repeated",
    )
    group.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"the folder for the report, tables and figures (RUN/study), with --thesis also for the runs ({THESIS})",
    )
    group.add_argument(
        "--format", choices=FORMATS, default=FORMATS[0], help=f"the file format of the figures ({FORMATS[0]})"
    )
    group.add_argument(
        "--players",
        nargs="+",
        metavar="NAME",
        help=f"the players to compare with people, in addition to chance and heuristic ({' '.join(PLAYERS)})",
    )


def criteria() -> str:
    """Return the criteria by which the claims of the thesis are judged."""
    from tools.study import acquire_thesis_report

    return acquire_thesis_report.criteria()


def study(args: Namespace) -> None:
    """Compare runs by new games, or players with people, or repeat the thesis, and print the report.

    Raises ValueError or OSError if the runs, records or players cannot be used.
    """
    if args.runs == [Path(GAME)]:
        if args.thesis:
            _repeat_thesis(args)
        else:
            _predict(args)
        return
    if args.people or args.players or args.thesis:
        raise ValueError(f"--people, --players and --thesis belong to `galapagos study {GAME}`, without runs")
    if args.markdown or args.json:
        raise ValueError(
            "a study of Acquire's players takes neither --markdown nor --json; it writes text, CSV and figures"
        )
    if args.champions:
        from tools.study import acquire_report

        print(acquire_report.compare(args.runs, _games(args.games), args.workers or os.cpu_count() or 1))
    else:
        compare(args.runs, args.out or args.runs[0] / "study", args.format, args.games, args.workers)


def is_comparable(config: str) -> bool:
    """Return whether compare() can compare runs of a configuration.

    Raises ValueError if it can, but the package for the figures is not installed.
    """
    if not is_of_programs(config):
        return False
    check()
    return True


def compare(runs: Sequence[Path], out: Path, form: str, games: int | None, workers: int | None) -> None:
    """Print the report on runs, and write it with tables and figures to the folder `out`.

    Raises ValueError or OSError if the runs cannot be compared or the files cannot be written.
    """
    from tools.study import acquire_report

    print(acquire_report.study(runs, out, form, _games(games), workers or os.cpu_count() or 1))
    _name_files(out)


def _repeat_thesis(args: Namespace) -> None:
    from tools.study.acquire_thesis_report import repeat_thesis

    if args.champions or args.json or args.people or args.players:
        raise ValueError("--thesis takes none of --champions, --json, --people and --players")
    out, workers = args.out or THESIS, args.workers or os.cpu_count() or 1
    print(repeat_thesis(out, args.format, _games(args.games), workers, as_markdown=args.markdown))
    _name_files(out)


def _predict(args: Namespace) -> None:
    from tools.study.acquire_people import data, study, text

    if not args.people:
        raise ValueError(
            f"`galapagos study {GAME}` needs --thesis, or --people PATH, the records of games; or name runs"
        )
    if args.markdown or args.champions or args.out or args.games:
        raise ValueError("--people takes none of --markdown, --champions, --out and --games")
    found = study(args.people, args.players or PLAYERS, args.workers or os.cpu_count() or 1)
    print(json.dumps(data(found)) if args.json else text(found))


def _name_files(out: Path) -> None:
    """Print the names of the files of a study on standard error."""
    names = sorted(path.name for path in out.iterdir() if path.is_file())
    print(f"\n{out}: {', '.join(names)}", file=sys.stderr)


def _games(wanted: int | None) -> int:
    """Return the number of games for each comparison. Raises ValueError if the wanted number is below 2."""
    if wanted is not None and wanted < 2:
        raise ValueError("--games must be 2 or more")
    return GAMES if wanted is None else wanted
