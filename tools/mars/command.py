"""`galapagos-mars`: fights warriors and answers as pMARS 0.9.2 does, server variant."""

import os
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from tools.mars.command_line.options import CommandLineError, parse
from tools.mars.command_line.words import Arguments, Text
from tools.mars.output import say
from tools.mars.results import Formula, by_score, exit_status, nothing_yet, standings_of

FAILED, WRONG_COMMAND, INTERRUPTED, NO_MEMORY = 1, 2, 130, 254
PIECE: Final = 1 << 20  # bytes of an option file, or of standard input read at once: a line may have no end
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
    standard_input = _standard_input()

    def open_file(name: str) -> Text:
        if name == "-":
            say(READING, error=True)
            return standard_input
        with Path(os.fsdecode(name.encode("latin-1"))).open("rb") as file:
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

    return fight(options, standard_input)


def _standard_input() -> Text:
    if sys.stdin is None:  # closed
        return Text(bytes)
    return Text(lambda: sys.stdin.buffer.readline(PIECE), is_terminal=sys.stdin.isatty())


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
    return exit_status(options.information, options.mode, standings, ranking, pspaces=0)
