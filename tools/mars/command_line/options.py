"""Options: the command line of pMARS 0.9.2 understood, with what later versions and we add to it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from core.corewar.redcode.expression import Evaluator
from tools.mars.command_line.switches import LARGEST_NUMBER, MODES, SWITCHES, WARRIORS, Switch, usage
from tools.mars.command_line.words import OptionFile, Words
from tools.mars.results import Formula
from tools.mars.streams import SPACE, Text

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
