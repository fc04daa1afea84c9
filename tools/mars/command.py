"""`galapagos-mars`: fights warriors and answers as pMARS 0.9.2 does, server variant."""

import os
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from tools.mars.command_line.options import CommandLineError, parse
from tools.mars.command_line.words import Arguments
from tools.mars.results import Formula, by_score, exit_status, nothing_yet, standings_of
from tools.mars.streams import PIECE, Text, native, say, standard_input

FAILED, WRONG_COMMAND, INTERRUPTED, NO_MEMORY = 1, 2, 130, 254
READING: Final = '[Reading from standard input until EOF or "$"]\n'


def main(arguments: Sequence[str] | None = None) -> int:
    """Obey a command line; the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if sys.stdout is None or sys.stderr is None:
        return WRONG_COMMAND  # closed: there is nowhere to answer
    try:
        return _obey([os.fsencode(word).decode("latin-1") for word in arguments])
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # its last flush has no reader either
        return 0
    except OSError as error:  # of standard input or output: files have their own answers
        print(f"galapagos-mars: {error}", file=sys.stderr)
        return FAILED
    except MemoryError:
        print("Out of memory", file=sys.stderr)
        return NO_MEMORY
    except KeyboardInterrupt:
        return INTERRUPTED


def _obey(words: Sequence[str]) -> int:
    typed = standard_input()

    def open_file(name: str) -> Text:
        if name == "-":
            say(READING, error=True)
            return typed
        with Path(native(name)).open("rb") as file:
            return Text(BytesIO(file.read(PIECE)).readline)

    try:
        options = parse(Arguments(words), open_file)
    except CommandLineError as error:
        return _refuse(error)
    if options.help:
        from tools.mars.command_line.manual import MANUAL

        say(MANUAL)
        return 0
    from tools.mars.fight import fight

    return fight(options, typed)


def _refuse(error: CommandLineError) -> int:
    say(str(error), error=True)
    options = error.options
    if options.json:
        import json

        say(json.dumps({"status": WRONG_COMMAND, "error": str(error).rpartition("\n\n")[2].strip()}) + "\n")
    if options.information is None:
        return WRONG_COMMAND
    count = len(options.files)
    standings = standings_of(
        [("", "")] * count, nothing_yet(count), Formula(options.formula, options.evaluator)
    )
    ranking = by_score(standings) if options.sort else range(count)
    return exit_status(options.information, options.version, standings, ranking, pspaces=0)
