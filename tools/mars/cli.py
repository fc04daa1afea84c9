"""The manual that `galapagos-mars --help` prints."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Final, Protocol

from core.corewar.expression import Evaluator
from tools.mars.fight import Formula, by_score, exit_status, nothing_yet, standings_of
from tools.mars.streams import PIECE, SPACE, Text, native, say, standard_input

MANUAL: Final = """\
galapagos-mars [options] WARRIOR ...

Fights Redcode warriors against each other. It stands in for pMARS 0.9.2 (server variant): the same
options, scores, listings, messages and exit status.

  galapagos-mars imp.red dwarf.red               one round, with listings
  galapagos-mars -b -r 100 -f a.red b.red        100 rounds, the same places each time it is run
  galapagos-mars -b -P -s 80 -p 80 -c 800 -l 5 -d 5 a.red b.red
                                                 nano core, all places once: an exact score
  galapagos-mars -r 0 a.red                      assemble and list only
  galapagos-mars --core-view a.red b.red         watch them
  galapagos-mars -e a.red b.red                  with the debugger (type help)

A WARRIOR is a file; - takes one from standard input, 3- takes three that follow each other there.
Letters without a value combine (-bfk) and toggle: given twice they are off.

the fight
  -r #   rounds (1); 0 assembles only           -p #   processes a warrior may have (8000)
  -s #   cells of the core (8000)               -l #   instructions a warrior may have (100)
  -c #   cycles until a tie, a warrior (80000)  -d #   least distance of warriors (as -l)
  -S #   cells of P-space (core/16, or near)    -8     the rules of ICWS'88
where they stand and who begins
  -f     drawn from the warriors: repeatable    -F #   warrior 2 stands here in round 1
  -P     two warriors, every place and starter once (with -r: so many of them, at random)
what is printed
  -b     no listings                            -k     counts only, for scripts
  -o     by score, best first                   -V     how the assembly went, on standard error
  -= $   score formula in W warriors and S survivors, (W*W-1)/S: as '(W*W-1)/S' or 'S==1'
  -Q #   the exit status tells: 1.. score of warrior #, 101.. who has rank #-100, 1000 version,
         1001 variant, 1002 both, 1003 bytes of an address, 2000 how many share a P-space
other
  -e     enter the debugger at once; a warrior with ;debug, ;trace or ;break enters it at its first
         mark or at a death, unless -k; where there is no input the fight goes on by itself
  -@ $   read options from a file, - is standard input
  -v #   accepted for old scripts, without effect

not in pMARS 0.9.2
  --json         one JSON object in place of all that goes to standard output
  --core-view    a live film of the core; in a pipe, some pictures of the first round;
                 in the debugger a picture at each halt, and the command `display`
  --sane         repair comparisons: without it a+b*c==d is a bad expression, as in 0.9.2
  --pmars 0.9.4  answer as 0.9.4: --sane, VERSION is 94, \\ continues no comment, and behind it also
                   -A    print load files, do not fight
                   -R #  cells within which a warrior reads, half of them to each side (the core)
                   -W #  the same for what it writes; both divide the core
  --help         this text

Exit status: 0 fought or listed, 2 wrong command line, 3 a warrior does not assemble or cannot be
read, 4 quit from the debugger, 130 interrupted, 254 out of memory; or what -Q asks for.
"""


# Words: the command line and option files read word by word, as pMARS 0.9.2 reads them.
#
# An empty word ends a source, and so does a lone `$`.


class Words(Protocol):
    """A source of words."""

    def next(self) -> str:
        """The next word; empty at the end."""
        ...


class Arguments:
    """The words of a command line."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = iter(arguments)

    def next(self) -> str:
        word = next(self._arguments, "")
        return "" if word == "$" else word


class OptionFile:
    """The words of an option file: `;` begins a comment, "quotes" hold a word with blanks together."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def next(self) -> str:
        word = self._text.word()
        if word.startswith('"'):
            word = " " + word[1:]  # pMARS leaves a blank where the quote stood, so no option is quoted
            word = word[:-1] if word.endswith('"') else word + self._text.until_quote()
        while word.startswith(";"):
            self._text.line()
            word = self._text.word()
        return "" if word == "$" else word.partition("\0")[0]


# The switches of pMARS, one letter each, and the usage screen that lists them.


MODES: Final = ("0.9.2", "0.9.4")
WARRIORS: Final = 36  # at most
LARGEST_NUMBER: Final = 2**63 - 1
_INT, _CORE = 2**31 - 1, 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A one-letter option: `#` takes a number from low to high, `$` a text, a blank toggles."""

    letter: str
    kind: str
    text: str  # of the usage screen
    low: int = 0
    high: int = 0
    since: str = MODES[0]


SWITCHES: Final = (
    Switch(letter="r", kind="#", text="Rounds to play [1]", high=_INT),
    Switch(letter="e", kind=" ", text="(disabled in SERVER version)"),
    Switch(letter="s", kind="#", text="Size of core [8000]", low=1, high=_CORE),
    Switch(letter="b", kind=" ", text="Brief mode (no source listings)"),
    Switch(letter="c", kind="#", text="Cycles until tie [80000]", low=1, high=LARGEST_NUMBER),
    Switch(letter="V", kind=" ", text="Verbose assembly"),
    Switch(letter="p", kind="#", text="Max. processes [8000]", low=1, high=_INT),
    Switch(letter="k", kind=" ", text="Output in KotH format"),
    Switch(letter="l", kind="#", text="Max. warrior length [100]", low=1, high=1000),
    Switch(letter="8", kind=" ", text="Enforce ICWS'88 rules"),
    Switch(letter="d", kind="#", text="Min. warriors distance", low=1, high=_CORE // WARRIORS),
    Switch(letter="f", kind=" ", text="Fixed position series"),
    Switch(letter="F", kind="#", text="Fixed position of warrior #2", high=_CORE),
    Switch(letter="o", kind=" ", text="Sort result output by score"),
    Switch(letter="S", kind="#", text="Size of P-space [1/16th core]", low=1, high=_CORE),
    Switch(letter="P", kind=" ", text="Permutate starting positions"),
    Switch(letter="R", kind="#", text="Read limit size", low=1, high=_CORE, since="0.9.4"),
    Switch(letter="W", kind="#", text="Write limit size", low=1, high=_CORE, since="0.9.4"),
    Switch(letter="A", kind=" ", text="Assemble warriors only", since="0.9.4"),
    Switch(letter="=", kind="$", text="Score formula $ [(W*W-1)/S]"),
    Switch(letter="Q", kind="#", text="", low=-1, high=_INT),
    Switch(letter="v", kind="#", text="", high=2994),
)


def usage(mode: str) -> str:
    """The credits and options that pMARS prints before an error of the command line."""
    shown = [switch for switch in SWITCHES if switch.text and switch.since <= mode]
    cells = [f"  -{switch.letter} {switch.kind} {switch.text:30}" for switch in shown]
    table = "".join(cell + "\n" * (place % 2) for place, cell in enumerate(cells))
    return _CREDITS.format(mode, _DATES[mode]) + table + "  -@ $ Read options from file $\n"


_DATES: Final = {"0.9.2": "25/12/00", "0.9.4": "08/07/22"}
_CREDITS: Final = """\
pMARS v{}, {}, corewar simulator with ICWS'94 extensions
Copyright (C) 1993-95 Albert Ma, Na'ndor Sieben, Stefan Strack and Mintardjo Wangsaw
SERVER version without debugger
Usage:
   pmars [options] file1 [files ..]
   The special file - stands for standard input

Options:
"""


# Options: the command line of pMARS 0.9.2 understood, with what later versions and we add to it.


LONGEST_WORD: Final = 79  # characters; pMARS copies longer ones over its stack
DEEPEST: Final = 64  # option files that name option files
FORMULA: Final = "(W*W-1)/S"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """A command line, understood; 0 where a value is to be found from others."""

    mode: str = MODES[0]
    sane: bool = False
    json: bool = False
    core_view: bool = False
    help: bool = False
    rounds: int = 1
    core_size: int = 8000
    cycles: int = 80000
    processes: int = 8000
    length: int = 100
    distance: int = 100
    pspace: int = 0
    read_limit: int = 0
    write_limit: int = 0
    formula: str = FORMULA
    information: int | None = None  # what the exit status tells
    fixed_place: int = 0
    fixed_series: bool = False
    permute: bool = False
    icws88: bool = False
    brief: bool = False
    koth: bool = False
    sort: bool = False
    verbose: bool = False
    debug: bool = False
    load_file: bool = False
    files: tuple[str, ...] = ()  # an empty name is standard input

    @property
    def evaluator(self) -> Evaluator:
        return "sane" if self.sane else "0.9.2"

    @property
    def version(self) -> int:
        """As VERSION and -Q tell it."""
        return int(self.mode.replace(".", ""))

    def score_formula(self) -> Formula:
        """The formula, tried for these warriors: the registers are left as pMARS leaves them. ValueError."""
        formula = Formula(self.formula, self.evaluator)
        formula.try_all(len(self.files))
        return formula


_DEFAULT: Final = Options()


class CommandLineError(ValueError):
    """A command line that cannot be obeyed; `options` when only its values contradict each other."""

    def __init__(self, text: str, options: Options) -> None:
        super().__init__(text)
        self.options = options


def parse(words: Words, open_file: Callable[[str], Text]) -> Options:
    """The command line in `words`; CommandLineError.

    `open_file` opens an option file by name, `-` being standard input; it may raise OSError.
    """
    collected = _Collected(open_file=open_file)
    try:
        collected.read(words, 0)
    except _Wrong as wrong:
        text = usage(collected.mode) + "".join(map(str, wrong.args))
        raise CommandLineError(text, Options(mode=collected.mode, json=collected.json)) from None
    options = collected.options()
    if complaints := "" if options.help else "".join(_contradictions(options)):
        raise CommandLineError(usage(options.mode) + complaints, options)
    return options


# -- Words to values -------------------------------------------------------------------------------


class _Wrong(Exception):
    """The message about a word, and where each option file around it was named."""


@dataclass(slots=True, kw_only=True)
class _Collected:
    """What the words have said so far."""

    open_file: Callable[[str], Text]
    mode: str = MODES[0]
    sane: bool = False
    json: bool = False
    core_view: bool = False
    help: bool = False
    toggled: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)
    formula: str = FORMULA
    files: list[str] = field(default_factory=list)

    def read(self, words: Words, depth: int) -> None:
        while word := words.next():
            if word.startswith("--"):
                self._own(word, words)
            elif word.startswith("-") and word != "-":
                self._switches(word, words, depth)
            else:
                self._file(word)

    def _own(self, word: str, words: Words) -> None:
        """An option of ours; to pMARS every word with two hyphens is an unknown one."""
        name, equals, value = word.removeprefix("--").partition("=")
        if name == "pmars":
            self.mode = value if equals else words.next()
            if self.mode not in MODES:
                self.mode = MODES[0]
                raise _Wrong(f'\nOption "--pmars" value must be one of {", ".join(MODES)}\n')
        elif name in ("json", "core-view", "help", "sane") and not equals:
            setattr(self, name.replace("-", "_"), True)
        else:
            raise _Wrong(f'\nUnknown option "{word}"\n')

    def _switches(self, word: str, words: Words, depth: int) -> None:
        """A group of letters, of which the last may take the next word."""
        _short(word)
        for place, letter in enumerate(word[1:], 1):
            last = place == len(word) - 1
            if letter == "@":
                self._option_file(words.next() if last else "", depth)
                return
            switch = next((each for each in SWITCHES if each.letter == letter), None)
            if switch is None or switch.since > self.mode:
                raise _Wrong(f'\nUnknown option "{word}"\n')
            if switch.kind == " ":
                self.toggled ^= {letter}
                continue
            argument = words.next() if last else ""
            if not argument:
                raise _Wrong(f'\nBad argument for "-{letter}" switch\n')
            _short(argument)
            if switch.kind == "$":
                self.formula = argument
            else:
                self.numbers[letter] = _number(switch, argument)
            return

    def _option_file(self, name: str, depth: int) -> None:
        _short(name)
        try:
            if not name or depth == DEEPEST:
                raise OSError
            text = self.open_file(name)
        except OSError:
            raise _Wrong("\nCannot open parameter file\n") from None
        try:
            self.read(OptionFile(text), depth + 1)
        except _Wrong as wrong:
            place = "standard input" if name == "-" else name
            raise _Wrong(*wrong.args, f'The error is located in "{place}"\n') from None

    def _file(self, word: str) -> None:
        """A warrior's file, or as many warriors from standard input as stand before the hyphen."""
        count, name = 1, word
        if word.endswith("-"):
            before, name = word[:-1], ""
            count = _leading_number(before) if before else 1
            if count < 1:
                raise _Wrong(f'\nUnknown option "{before}"\n')
        if len(self.files) + count > WARRIORS:
            raise _Wrong(f'\nToo many parameters "{word}"\n')
        self.files += [name] * count

    def options(self) -> Options:
        number, given = self.numbers.get, self.toggled
        core_size, length = number("s", _DEFAULT.core_size), number("l", _DEFAULT.length)
        distance, permute = number("d", length), "P" in given
        every_place = 2 * core_size - 4 * distance + 2
        return Options(
            mode=self.mode,
            sane=self.sane or self.mode != MODES[0],
            json=self.json,
            core_view=self.core_view,
            help=self.help,
            rounds=number("r", every_place if permute and len(self.files) == 2 else 1),
            core_size=core_size,
            cycles=number("c", _DEFAULT.cycles),
            processes=number("p", _DEFAULT.processes),
            length=length,
            distance=distance,
            pspace=number("S", 0),
            read_limit=number("R", 0),
            write_limit=number("W", 0),
            formula=self.formula,
            information=self.numbers.get("Q"),
            fixed_place=number("F", 0),
            fixed_series="f" in given,
            permute=permute,
            icws88="8" in given,
            brief="b" in given,
            koth="k" in given,
            sort="o" in given,
            verbose="V" in given,
            debug="e" in given,
            load_file="A" in given,
            files=tuple(self.files),
        )


def _short(word: str) -> None:
    if len(word) > LONGEST_WORD:
        raise _Wrong(f'\nWord is longer than {LONGEST_WORD} characters "{word[:20]}..."\n')


def _number(switch: Switch, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise _Wrong(f'\nBad argument for "-{switch.letter}" switch\n')
    value = min(int(text), LARGEST_NUMBER)
    if not switch.low <= value <= switch.high:
        bounds = f"{switch.low} - {switch.high}"
        raise _Wrong(f'\nOption "-{switch.letter}" value must be in the range {bounds}\n')
    return value


def _leading_number(text: str) -> int:
    """The number that a text begins with, as C's atoi finds it; 0 without one."""
    text = text.lstrip(SPACE)
    sign = text[:1] if text[:1] in ("+", "-") else ""
    digits = text[len(sign) :]
    ends = next((place for place, letter in enumerate(digits) if letter not in "0123456789"), len(digits))
    return int(sign + digits[:ends]) if ends else 0


# -- Values that contradict each other -------------------------------------------------------------


def _contradictions(options: Options) -> list[str]:
    """What pMARS says about values that do not fit together, in its order."""
    core, distance, warriors = options.core_size, options.distance, len(options.files)
    limits = [limit for limit in (options.read_limit, options.write_limit) if limit]
    wrong = [
        (options.fixed_series and options.fixed_place > 0, "Only one of -f and -F can be given"),
        (distance < options.length, "Warrior distance cannot be smaller than warrior length"),
        (core < warriors * distance, "Core size is too small"),
        (
            0 < options.fixed_place < distance,
            "Position of warrior #2 cannot be smaller than warrior distance",
        ),
        (not _is_formula(options), "Bad score formula"),
        (options.pspace > core, "P-space is bigger than core"),
        (options.permute and warriors != 2, "Permutation cannot be used in multiwarrior battles"),
        (
            any(limit > core or core % limit for limit in limits),
            "Read/Write limit must be a positive divisor of core size",
        ),
        (warriors == 0, "No warrior file specified"),
    ]
    return [f"\n{message}\n" for is_so, message in wrong if is_so]


def _is_formula(options: Options) -> bool:
    try:
        options.score_formula()
    except ValueError:
        return False
    return True


# `galapagos-mars`: fights warriors and answers as pMARS 0.9.2 does, server variant.


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
