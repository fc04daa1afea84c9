"""The parser of the command line of pMARS 0.9.2, with the additions of 0.9.4, 0.9.5 and galapagos-mars."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from core.corewar.dialect import Evaluator
from core.corewar.expression import Registers, evaluate
from core.corewar.rules import Rules
from tools.mars.streams import SPACE, Text

MODES: Final = ("0.9.2", "0.9.4", "0.9.5")
WARRIORS: Final = 36  # at most
LONGEST_WORDS: Final = {"0.9.2": 79, "0.9.4": 7999, "0.9.5": 7999}  # pMARS copies longer ones over its stack
DEEPEST: Final = 64  # option files that name option files
LARGEST_NUMBER: Final = 2**63 - 1
_INT, _CORE = 2**31 - 1, 2**30
# The rules other than the size of the core, by their names in both Options and core.corewar.rules.Rules.
RULES: Final = ("cycles", "processes", "length", "distance", "pspace", "read_limit", "write_limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The values of a command line; 0 stands for a value that follows from others."""

    mode: str = MODES[0]
    sane: bool = False
    json: bool = False
    core_view: bool = False
    help: bool = False
    about: bool = False  # --version
    rounds: int = 1
    core_size: int = 8000
    cycles: int = 80000
    processes: int = 8000
    length: int = 100
    distance: int = 100
    pspace: int = 0
    read_limit: int = 0
    write_limit: int = 0
    formula: str = "(W*W-1)/S"
    information: int | None = None  # -Q: selects the exit status
    fixed_place: int | None = None  # the second warrior's
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
        return "sane" if self.sane else "0.9.4" if self.is_later else "0.9.2"

    @property
    def is_later(self) -> bool:
        """Whether the version has the MARS, the evaluator and the options of pMARS 0.9.4."""
        return self.mode != MODES[0]

    @property
    def variant(self) -> int:
        """The status of -Q 1001: 0 for the build without the debugger, 1 for the one with it."""
        return int(self.debug)

    @property
    def version(self) -> int:
        """The value of VERSION, and the status of -Q 1000."""
        return int(self.mode.replace(".", ""))

    def rules(self) -> Rules:
        """Return the rules of the fight. Raises ValueError if the core is too large."""
        values = {name: getattr(self, name) for name in RULES}
        return Rules(size=self.core_size, later=self.is_later, **values)

    def score_formula(self) -> "Formula":
        """Return the formula, after a trial for these warriors that leaves the registers as pMARS leaves them.

        Raises ValueError if the formula lacks a value for a number of survivors.
        """
        formula = Formula(self.formula, self.evaluator)
        formula.try_all(len(self.files))
        return formula


class Formula:
    """The points of a survivor by the number of survivors. Registers keep their values from one call to the next."""

    def __init__(self, text: str, evaluator: Evaluator) -> None:
        self.registers = Registers()
        self._text = text
        self._evaluator = evaluator

    def __call__(self, survivors: int) -> int:
        """Return the points of one of `survivors`. Raises ValueError if the formula has no value."""
        self.registers["S"] = survivors
        return evaluate(self._text, self.registers, self._evaluator)[0]

    def try_all(self, warriors: int) -> None:
        """Raise ValueError if the formula lacks a value for a number of survivors."""
        self.registers["W"] = warriors
        for survivors in range(1, warriors + 1):
            self(survivors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A one-letter option; its kind is `#` for a number from low to high, `$` for a text, a blank for a toggle."""

    letter: str
    name: str  # the field of Options; empty: without effect
    kind: str
    text: str  # for the usage screen; empty: not listed
    low: int = 0
    high: int = 0
    since: str = MODES[0]


_DISABLED: Final = "(disabled in SERVER version)"
SWITCHES: Final = (
    Switch(letter="r", name="rounds", kind="#", text="Rounds to play [1]", high=_INT),
    Switch(letter="e", name="debug", kind=" ", text=_DISABLED),
    Switch(letter="s", name="core_size", kind="#", text="Size of core [8000]", low=1, high=_CORE),
    Switch(letter="b", name="brief", kind=" ", text="Brief mode (no source listings)"),
    Switch(letter="c", name="cycles", kind="#", text="Cycles until tie [80000]", low=1, high=LARGEST_NUMBER),
    Switch(letter="V", name="verbose", kind=" ", text="Verbose assembly"),
    Switch(letter="p", name="processes", kind="#", text="Max. processes [8000]", low=1, high=_INT),
    Switch(letter="k", name="koth", kind=" ", text="Output in KotH format"),
    Switch(letter="l", name="length", kind="#", text="Max. warrior length [100]", low=1, high=1000),
    Switch(letter="8", name="icws88", kind=" ", text="Enforce ICWS'88 rules"),
    Switch(letter="d", name="distance", kind="#", text="Min. warriors distance", low=1, high=_CORE // WARRIORS),
    Switch(letter="f", name="fixed_series", kind=" ", text="Fixed position series"),
    Switch(letter="F", name="fixed_place", kind="#", text="Fixed position of warrior #2", high=_CORE),
    Switch(letter="o", name="sort", kind=" ", text="Sort result output by score"),
    Switch(letter="S", name="pspace", kind="#", text="Size of P-space [1/16th core]", low=1, high=_CORE),
    Switch(letter="P", name="permute", kind=" ", text="Permutate starting positions"),
    Switch(letter="R", name="read_limit", kind="#", text="Read limit size", low=1, high=_CORE, since="0.9.4"),
    Switch(letter="W", name="write_limit", kind="#", text="Read limit size", low=1, high=_CORE, since="0.9.4"),
    Switch(letter="A", name="load_file", kind=" ", text="Assemble warriors only", since="0.9.4"),
    Switch(letter="=", name="formula", kind="$", text="Score formula $ [(W*W-1)/S]"),
    Switch(letter="Q", name="information", kind="#", text="", low=-1, high=_INT),
    Switch(letter="v", name="", kind="#", text="", high=2994),
)  # fmt: skip
# Options that only galapagos-mars has, in addition to --pmars MODE, and their fields.
LONG: Final = {"json": "json", "core-view": "core_view", "help": "help", "sane": "sane", "version": "about"}


class CommandLineError(ValueError):
    """A wrong command line.

    `options` has all values if the error is that they contradict each other, otherwise only mode, json and debug.
    """

    def __init__(self, text: str, options: Options) -> None:
        super().__init__(text)
        self.options = options


def parse(words: "Words", open_file: Callable[[str], Text]) -> Options:
    """Parse a command line. Raises CommandLineError if the command line is wrong.

    `open_file` opens an option file by name, `-` being standard input, and may raise OSError.
    """
    parser = _Parser(open_file)
    try:
        parser.read(words, 0)
    except _Wrong as wrong:
        options = Options(
            mode=parser.mode,
            json=bool(parser.values.get("json")),
            debug=bool(parser.values.get("debug")),
        )
        text = usage(options.mode, debug=options.debug) + "".join(map(str, wrong.args))
        raise CommandLineError(text, options) from None
    options = parser.options()
    if complaints := "" if options.help or options.about else "".join(_contradictions(options)):
        raise CommandLineError(usage(options.mode, debug=options.debug) + complaints, options)
    return options


def usage(mode: str, *, debug: bool = False) -> str:
    """Return the credits and options that a build of pMARS, with or without debugger, prints before an error."""
    shown = [switch for switch in SWITCHES if switch.text and switch.since <= mode]
    cells = [
        f"  -{switch.letter} {_kind(switch, mode)} {_ENABLED if debug and switch.text == _DISABLED else switch.text:30}"
        for switch in shown
    ]
    table = "".join(cell + "\n" * (place % 2) for place, cell in enumerate(cells))
    date, years = _RELEASES[mode]
    credits = _CREDITS.format(mode, date, years, "" if debug else "SERVER version without debugger\n")
    return credits + table + "  -@ $ Read options from file $\n"


def _kind(switch: Switch, mode: str) -> str:
    """Return the kind of a switch on the usage screen: from 0.9.4 on, -F takes a text, which need not be a number."""
    return "$" if switch.name == "fixed_place" and mode != MODES[0] else switch.kind


_ENABLED: Final = "Enter debugger"
_RELEASES: Final = {
    "0.9.2": ("25/12/00", "1993-95"),
    "0.9.4": ("04/07/22", "1993-95"),
    "0.9.5": ("03/01/2026", "1993-2025"),
}
_CREDITS: Final = """\
pMARS v{}, {}, corewar simulator with ICWS'94 extensions
Copyright (C) {} Albert Ma, Na'ndor Sieben, Stefan Strack and Mintardjo Wangsaw
{}Usage:
   pmars [options] file1 [files ..]
   The special file - stands for standard input

Options:
"""


# -- Words ------------------------------------------------------------------------------------------
#
# An empty word ends a source, and so does a lone `$`.


class Words(Protocol):
    """A source of the words of a command line."""

    def next(self) -> str:
        """Return the next word; empty at the end."""
        ...


class Arguments:
    """The words of a command line."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = iter(arguments)

    def next(self) -> str:
        word = next(self._arguments, "")
        return "" if word == "$" else word


class OptionFile:
    """The words of an option file: `;` starts a comment, and a word in "quotes" may contain blanks."""

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


# -- Words to values --------------------------------------------------------------------------------


class _Wrong(Exception):
    """A wrong word: the message, and a line for each option file that contains the word."""


class _Parser:
    """A parser that collects the values of words by the fields of Options."""

    def __init__(self, open_file: Callable[[str], Text]) -> None:
        self._open_file: Final = open_file
        self._files: list[str] = []
        self.mode = MODES[0]
        self.values: Final[dict[str, Any]] = {}

    def read(self, words: Words, depth: int) -> None:
        """Read all words of a source, `depth` option files deep. Raises _Wrong at the first wrong word."""
        while word := words.next():
            if word.startswith("--"):
                self._long(word, words)
            elif word.startswith("-") and word != "-":
                self._switches(word, words, depth)
            else:
                self._file(word)

    def options(self) -> Options:
        """Return the options; distance and rounds that were not given follow from other values."""
        options = Options(mode=self.mode, files=tuple(self._files), **self.values)
        distance = self.values.get("distance", options.length)
        every_place = 2 * options.core_size - 4 * distance + 2
        rounds = every_place if options.permute and len(options.files) == 2 else 1
        return replace(
            options,
            distance=distance,
            rounds=self.values.get("rounds", rounds),
        )

    def _long(self, word: str, words: Words) -> None:
        """Read an option of galapagos-mars; pMARS has no options with two hyphens."""
        name, equals, value = word.removeprefix("--").partition("=")
        if name == "pmars":
            self.mode = value if equals else words.next()
            if self.mode not in MODES:
                self.mode = MODES[0]
                raise _Wrong(f'\nOption "--pmars" value must be one of {", ".join(MODES)}\n')
        elif name in LONG and not equals:
            self.values[LONG[name]] = True
        else:
            raise _Wrong(f'\nUnknown option "{word}"\n')

    def _switches(self, word: str, words: Words, depth: int) -> None:
        """Read a group of letters, of which the last may take the next word as its value."""
        self._check_length(word)
        for place, letter in enumerate(word[1:], 1):
            is_last = place == len(word) - 1
            if letter == "@":
                self._option_file(words.next() if is_last else "", depth)
                return
            switch = next((switch for switch in SWITCHES if switch.letter == letter), None)
            if switch is None or switch.since > self.mode:
                raise _Wrong(f'\nUnknown option "{word}"\n')
            if switch.kind == " ":
                self.values[switch.name] = not self.values.get(switch.name, False)
                continue
            argument = words.next() if is_last else ""
            if not argument:
                raise _Wrong(f'\nBad argument for "-{letter}" switch\n')
            self._check_length(argument)
            value = argument if switch.kind == "$" else self._number(switch, argument)
            if switch.name:
                self.values[switch.name] = value
            return

    def _option_file(self, name: str, depth: int) -> None:
        self._check_length(name)
        try:
            if not name or depth == DEEPEST:
                raise OSError
            text = self._open_file(name)
        except OSError:
            raise _Wrong("\nCannot open parameter file\n") from None
        try:
            self.read(OptionFile(text), depth + 1)
        except _Wrong as wrong:
            place = "standard input" if name == "-" else name
            raise _Wrong(*wrong.args, f'The error is located in "{place}"\n') from None

    def _file(self, word: str) -> None:
        """Read the name of a warrior's file, or a number and a hyphen: that many warriors from standard input."""
        count, name = 1, word
        if word.endswith("-"):
            before, name = word[:-1], ""
            count = _leading_number(before) if before else 1
            if count < 1:
                raise _Wrong(f'\nUnknown option "{before}"\n')
        if len(self._files) + count > WARRIORS:
            raise _Wrong(f'\nToo many parameters "{word}"\n')
        self._files += [name] * count

    def _check_length(self, word: str) -> None:
        longest = LONGEST_WORDS[self.mode]
        if len(word) > longest:
            raise _Wrong(f'\nWord is longer than {longest} characters "{word[:20]}..."\n')

    def _number(self, switch: Switch, text: str) -> int:
        """Return the value of a switch. From 0.9.4 on pMARS reads that of -F in 32 bits without checking bounds."""
        if switch.name == "fixed_place" and self.mode != MODES[0] and text.isascii() and text.isdigit():
            return (int(text) + 2**31) % 2**32 - 2**31
        return _number(switch, text)


def _number(switch: Switch, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise _Wrong(f'\nBad argument for "-{switch.letter}" switch\n')
    value = min(int(text), LARGEST_NUMBER)
    if not switch.low <= value <= switch.high:
        bounds = f"{switch.low} - {switch.high}"
        raise _Wrong(f'\nOption "-{switch.letter}" value must be in the range {bounds}\n')
    return value


def _leading_number(text: str) -> int:
    """Return the number at the start of a text as C's atoi does; 0 if there is none."""
    text = text.lstrip(SPACE)
    sign = text[:1] if text[:1] in ("+", "-") else ""
    digits = text[len(sign) :]
    ends = next((place for place, letter in enumerate(digits) if letter not in "0123456789"), len(digits))
    return int(sign + digits[:ends]) if ends else 0


# -- Values that contradict each other --------------------------------------------------------------


def _contradictions(options: Options) -> Iterator[str]:
    """Return the messages of pMARS about values that contradict each other, in its order."""
    core, distance, warriors = options.core_size, options.distance, len(options.files)
    place = options.fixed_place
    if not options.is_later and place == 0:
        place = None  # -F 0 means no fixed place
    limits = [limit for limit in (options.read_limit, options.write_limit) if limit]
    wrong = [
        (options.fixed_series and place is not None, "Only one of -f and -F can be given"),
        (distance < options.length, "Warrior distance cannot be smaller than warrior length"),
        (core < warriors * distance, "Core size is too small"),
        (
            place is not None and place < distance,
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
    return (f"\n{message}\n" for is_wrong, message in wrong if is_wrong)


def _is_formula(options: Options) -> bool:
    try:
        options.score_formula()
    except ValueError:
        return False
    return True
