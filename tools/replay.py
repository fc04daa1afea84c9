"""`galapagos replay`: recorded games played again by the rules, with the first difference.

The header of a file says what it is: galapagos-record/1, events of any game that the JSON lines show, or
galapagos-acquire-record/1, every decision of a game of Acquire with the state before it.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from engines.evolution.run_store import UNUSABLE
from engines.storage import open_file
from tools.cli import FAILED, USAGE, sentence
from tools.files import visible


class DifferenceError(Exception):
    """What is recorded is not what the rules make of it."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Exit status 1 if a game differs from its record; the first difference is printed. 2 for a file that is no "
        f"record. Formats: {', '.join(FORMATS)}."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="records, one game each")


def run(args: Namespace) -> int:
    status = 0
    for path in args.files:
        try:
            with open_file(path) as file:
                data = file.read()
            result = FORMATS[_format(data)](data)
        except DifferenceError as difference:
            result, status = str(difference), max(status, FAILED)
        except OSError as error:
            print(visible(f"galapagos replay: {sentence(error)}"), file=sys.stderr)
            status = USAGE
            continue
        except (ValueError, *UNUSABLE) as error:
            text = f"{path}: {error if isinstance(error, ValueError) else _unusable(error)}"
            print(visible(f"galapagos replay: {text}"), file=sys.stderr)
            status = USAGE
            continue
        print(visible(f"{path}: {result}"))
    if len(args.files) > 1 and not status:
        print(f"{len(args.files)} games as recorded")
    return status


def _unusable(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "this is no record: its JSON is nested too deeply"
    return f"this is no record: its content cannot be used ({type(error).__name__}: {error})"[:300]


# -- Formats: each gives what to say of a game that is as recorded; ValueError for what is no record ----------


def _format(data: bytes) -> str:
    """What the first line says."""
    try:
        header = json.loads(data.partition(b"\n")[0])
    except RecursionError:
        raise ValueError("line 1: its JSON is nested too deeply") from None
    except ValueError:
        raise ValueError("line 1: no JSON") from None
    name = header.get("format") if isinstance(header, dict) else None
    if name not in FORMATS:
        raise ValueError(f"line 1: no header with a format among {', '.join(FORMATS)}")
    return str(name)


def _events(data: bytes) -> str:
    from protocols.jsonl.journal import whole_lines
    from protocols.jsonl.record import RecordError, replay_record
    from protocols.limits import GameLimits
    from tools.games import game_adapters

    try:
        relived = replay_record(whole_lines(data), game_adapters(), GameLimits())
    except RecordError as error:
        raise DifferenceError(error) from None
    end = "" if relived.game.end_line else "; it stops before its end"
    return f"{relived.events} events as recorded{end}"


def _decisions(data: bytes) -> str:
    from engines.acquire.record import MismatchError, replay

    try:
        return f"{replay(data.decode().splitlines(keepends=True))} decisions as recorded"
    except MismatchError as difference:
        raise DifferenceError(difference) from None


FORMATS: Final[dict[str, Callable[[bytes], str]]] = {
    "galapagos-record/1": _events,
    "galapagos-acquire-record/1": _decisions,
}
