"""The command `galapagos-mars`: fights warriors like pMARS 0.9.2, and with -e like its build with the debugger."""

import os
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from engines.version import VERSION
from tools.files import discard_output, read_file
from tools.mars.fight import by_score, exit_status, fight, no_rounds, results_of
from tools.mars.options import Arguments, CommandLineError, Formula, parse
from tools.mars.streams import PIECE, Text, native, say, standard_input

FAILED, WRONG_COMMAND, INTERRUPTED, NO_MEMORY = 1, 2, 130, 254
READING: Final = '[Reading from standard input until EOF or "$"]\n'

MANUAL: Final = """\
galapagos-mars [options] WARRIOR ...

Fights Redcode warriors against each other. It stands in for pMARS 0.9.2: the same options, scores,
listings, messages and exit status. Without -e it is pMARS's server version, which has no debugger
and ignores ;debug, ;trace and ;break; with -e it is the version with the debugger.

  galapagos-mars imp.red dwarf.red               one round, with listings
  galapagos-mars -b -r 100 -f a.red b.red        100 rounds, with the same places in every run
  galapagos-mars -b -P -s 80 -p 80 -c 800 -l 5 -d 5 a.red b.red
                                                 nano core, all places once, for an exact score
  galapagos-mars -r 0 a.red                      assemble and list, without a fight
  galapagos-mars --core-view a.red b.red         watch the fight
  galapagos-mars -e a.red b.red                  with the debugger (type help)

A WARRIOR is a file; - reads one from standard input, 3- reads three in succession from there.
Letters without a value combine (-bfk) and toggle: an option that is given twice is off.

Fight
  -r #   rounds (1); 0 assembles only           -p #   processes a warrior may have (8000)
  -s #   cells of the core (8000)               -l #   instructions a warrior may have (100)
  -c #   cycles per warrior to a tie (80000)     -d #   least distance of warriors (as -l)
  -S #   cells of P-space (about core/16)       -8     the rules of ICWS'88
Starting positions
  -f     follow from the warriors: repeatable   -F #   place of warrior 2 in round 1
  -P     two warriors, every place and starter once (with -r: # of them, at random)
Output
  -b     no listings                            -k     counts only, for scripts
  -o     by score, best first                   -V     report on the assembly, on standard error
  -= $   score formula in W warriors and S survivors, (W*W-1)/S: as '(W*W-1)/S' or 'S==1'
  -Q #   the exit status is: 1.. score of warrior #, 101.. warrior of rank #-100, 1000 version,
         1001 variant, 1002 both, 1003 bytes of an address, 2000 warriors that share a P-space
Other options
  -e     the version with the debugger, entered at once; without input the fight continues
  -@ $   read options from a file; - is standard input
  -v #   accepted for old scripts, without effect

Not in pMARS 0.9.2
  --json         one JSON object in place of all other standard output
  --core-view    show the core during the fight; in a pipe, some pictures of the first round;
                 in the debugger, a picture at each halt and the command `display`
  --sane         evaluate all comparisons: without it a+b*c==d is a bad expression, as in pMARS
  --pmars 0.9.4  answer as 0.9.4, or as 0.9.5: 8-2*3-1 is 1 (3 in 0.9.2), VERSION is 94 or 95,
                 \\ continues no comment, an immediate B operand is read after the A operand, and
                 these options, which must follow, are allowed:
                   -A    print load files, do not fight
                   -R #  cells within which a warrior reads, half of them on each side (the core)
                   -W #  the same for writing; both numbers must divide the size of the core
  --version      the version of galapagos-mars, and the version of pMARS that it follows
  --help         print this text

Exit status: 0 fought or listed, 2 wrong command line, 3 a warrior does not assemble or cannot be
read, 4 quit from the debugger, 130 interrupted, 254 out of memory; or the status that -Q selects.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if sys.stdout is None or sys.stderr is None:
        return WRONG_COMMAND  # closed: nothing can be printed
    try:
        return _run([os.fsencode(word).decode("latin-1") for word in arguments])
    except BrokenPipeError:
        discard_output()
        return 0
    except OSError as error:  # standard input or output: errors of files are handled where they are read
        print(f"galapagos-mars: {error}", file=sys.stderr)
        return FAILED
    except MemoryError:
        print("Out of memory", file=sys.stderr)
        return NO_MEMORY
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(words: Sequence[str]) -> int:
    typed = standard_input()

    def open_file(name: str) -> Text:
        if name == "-":
            say(READING, error=True)
            return typed
        return Text(BytesIO(read_file(Path(native(name)), PIECE)).readline)

    try:
        options = parse(Arguments(words), open_file)
    except CommandLineError as error:
        return _refuse(error)
    if options.help:
        say(MANUAL)
        return 0
    if options.about:
        build = (
            "the version with the debugger" if options.debug else "the server version, without the debugger"
        )
        say(f"galapagos-mars {VERSION}: answers as pMARS {options.mode}, {build}\n")
        return 0
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
    results = results_of([("", "")] * count, no_rounds(count), Formula(options.formula, options.evaluator))
    ranking = by_score(results) if options.sort else range(count)
    return exit_status(options, results, ranking, pspaces=0)
