"""The command `galapagos plot`: writes the figures of a run, finished or not, as files."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from engines.evolution.run_store import RunStore
from tools.cli import FAILED, CommandError
from tools.games import GAMES
from tools.plot import charts, figures
from tools.plot.canvas import FORMATS, Figure, check
from tools.plot.history import History


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="RUN", help="the folder of a run, finished or not")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder for the figures (default: RUN/figures)"
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help=f"the format of the files (default: {FORMATS[0]})",
    )


def run(args: Namespace) -> int:
    """Write the figures, print their paths and return 0.

    Raises CommandError, with status 1 if a figure cannot be written, 2 if there is nothing to show.
    """
    try:
        check()
        with RunStore.open(args.folder) as store:
            history = History.of(store)
            if not history.individuals:
                raise ValueError(f"{args.folder} has no generation yet")
            _draw(history, args.out or args.folder / "figures", args.format)
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    return 0


def _draw(history: History, out: Path, form: str) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        for figure in _figures(history):
            print(figure.save(out, form), flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(error, FAILED) from None


def _figures(history: History) -> Iterator[Figure]:
    yield from charts.figures(history)
    yield from figures.figures(history)
    if history.game in GAMES and (own := GAMES[history.game].figures):
        yield from import_module(own).figures(history)
