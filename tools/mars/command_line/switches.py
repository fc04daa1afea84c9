"""The switches of pMARS, one letter each, and the usage screen that lists them."""

from dataclasses import dataclass
from typing import Final

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
