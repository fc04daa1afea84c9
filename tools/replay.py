"""The command `galapagos replay`: plays recorded games again by the rules and prints the first difference.

A record has the format galapagos-record/1, which holds events of any game of the JSON lines, or a format of its game.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from engines.evolution.run_store import UNUSABLE
from engines.storage import LOCK, open_file
from tools.cli import FAILED, USAGE, counted, sentence
from tools.files import visible
from tools.games import GAMES
from tools.games.info import RecordDiffers


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "A record is a file of the JSON lines (galapagos-record/1), a PGN file, or a file of the format "
        "galapagos-acquire-record/1, which earlier versions wrote. The exit status is 1 if a game differs from its record, "
        "and 2 if a file is not a record. Of several files, "
        "the lock of a server's folder and the journals of its matches are skipped."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="the records to replay")
    parser.add_argument(
        "--convert",
        type=Path,
        metavar="DIR",
        help="convert records of earlier versions to the present format, and write them to this folder",
    )


def run(args: Namespace) -> int:
    """Replay all files and return 0, or 1 if a game differs from its record, or 2 if a file is no record."""
    from protocols.jsonl.journal import MATCHES

    status = replayed = 0
    for path in args.files:
        if len(args.files) > 1 and (path.name == LOCK or path.suffix == MATCHES):  # as `FOLDER/*` names them
            print(visible(f"{path}: skipped, because it is not the record of a game"))
            continue
        replayed += 1
        try:
            with open_file(path) as file:
                data = file.read()
            result = _checked(path.name, data)
            if args.convert:
                result += _converted(data, args.convert / path.name)
        except RecordDiffers as difference:
            result, status = str(difference), max(status, FAILED)
        except OSError as error:
            print(visible(f"galapagos replay: {sentence(error)}"), file=sys.stderr)
            status = USAGE
            continue
        except (ValueError, *UNUSABLE) as error:
            text = f"{path}: {error if isinstance(error, ValueError) else unusable(error)}"
            print(visible(f"galapagos replay: {text}"), file=sys.stderr)
            status = USAGE
            continue
        print(visible(f"{path}: {result}"))
    if replayed > 1 and not status:
        print(f"{replayed} files as recorded")
    return status


def unusable(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "this is not a record: its JSON is nested too deeply"
    return f"this is not a record: its content cannot be used ({type(error).__name__}: {error})"[:300]


def _checked(name: str, data: bytes) -> str:
    """Replay a record and return the result in words.

    Raises RecordDiffers if the rules disagree with the record, and ValueError if the data is no record.
    """
    from protocols.jsonl.journal import whole_lines
    from protocols.jsonl.record import RecordError, is_record, replay_record
    from protocols.limits import GameLimits
    from tools.games import game_adapters

    if not is_record(data):
        for game in GAMES.values():
            if game.check_record and (result := game.check_record(name, data)) is not None:
                return result
        raise ValueError("line 1: this is not the start of a record")
    try:
        replayed = replay_record(whole_lines(data), game_adapters(), GameLimits())
    except RecordError as error:
        raise RecordDiffers(error) from None
    end = "" if replayed.game.end_line else "; the record stops before the end of the game"
    return f"{counted(replayed.events, 'event')} as recorded{end}"


def _converted(data: bytes, path: Path) -> str:
    """Convert a record of an earlier version, write it to `path`, and return the result in words.

    Raises OSError if the file cannot be written, and ValueError if the data is no record.
    """
    for game in GAMES.values():
        if game.convert_record and (lines := game.convert_record(data)) is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"".join(lines))
            return f"; written to {path}"
    return "; nothing to convert"
