"""The commands of the debugger: one dialogue from a halt of the fight until it is to go on.

Their names, their texts and what they do are those of pMARS 0.9.2; a name is known by its first three letters.
"""

import re
from collections.abc import Callable
from typing import Final

from protocols.cdb.console import Console, Dialogue, Display, Host, Slice
from protocols.cdb.fight import Fight, Mode
from protocols.cdb.line.command import BLANKS, Command, Range, parse, range_of, upper
from protocols.cdb.line.macros import Macros
from protocols.cdb.view.browser import Browser
from protocols.cdb.view.screens import help_text, registers_text

PROMPT: Final = "(cdb) "
CLEAR_SCREEN: Final = "\033[;H\033[2J"
MACRO_FILE: Final = "pmars.mac"
SEPARATOR: Final = re.compile(r"[,\s]", re.ASCII)  # between a macro and its file


class Commands:
    """`progress` gives the results so far. Without a `host`, no command touches files or the shell.

    With a `display` the core is shown at each halt, and `display` is a command, as in pMARS for a text terminal;
    `switch` and `close` are those of its two panels, which a dialogue of lines has not.
    """

    def __init__(
        self,
        fight: Fight,
        console: Console,
        browser: Browser,
        progress: Callable[[], str],
        *,
        host: Host | None,
        display: Display | None,
    ) -> None:
        self._fight = fight
        self._console = console
        self._browser = browser
        self._chain = browser.chain
        self._progress = progress
        self._host = host
        self._display = display
        self._is_displaying = display is not None  # at each halt
        self._macros = Macros(console, host)
        self._is_skipping = False  # the next link, after an `if` that does not hold
        self._is_going = False
        self.is_quitting = False

    def interrupt(self) -> None:
        """Forget the rest of the line."""
        self._chain.clear()
        self._is_skipping = False
        self._console.forget()

    def converse(self) -> Dialogue[None]:
        """From a halt until a command that lets the fight go on."""
        if self._display is not None and self._is_displaying:
            self._show_display(self._display)
        self._browser.show_halt()
        self._is_going = False
        while not self._is_going:
            text = yield from self._chain.command(PROMPT, skipping=self._is_skipping)
            self._is_skipping = False
            command = parse(text)
            self._console.silence = command.silence
            span = range_of(command, self._browser.value, self._browser.here, self._browser.range)
            self._browser.range = span or self._browser.range
            yield from self._obey(command, text, has_range=span is not None)
            yield Slice()

    def _obey(self, command: Command, text: str, *, has_range: bool) -> Dialogue[None]:
        browser, argument = self._browser, command.argument
        match upper(command.verb)[:3]:
            case "CAL" | "CA" if has_range:
                last = f",{browser.range.last}" if command.has_comma else ""
                self._console.say(f"{browser.range.first}{last}\n")
            case "CLS" | "CLE" | "CL":
                self._console.say(CLEAR_SCREEN)
            case "CON" | "CO" | "C":
                self._console.say("Exiting cdb to finish simulation\n")
                self._console.close_log()
                self._go(argument, Mode.FREE)
            case "DIS" | "DI" | "D" if self._display is not None:
                self._set_display(self._display, upper(argument))
            case "ECH" | "EC":
                self._console.say(f"{argument}\n")
            case "EDI" | "ED" | "E":
                yield from browser.edit()
            case "EXE" | "EX" | "XEC" | "XE" | "X":
                self._execute()
            case "FIL" | "FI" | "F":
                yield from browser.fill()
            case "GO" | "G":
                self._go(argument, Mode.BREAK)
            case "HEL" | "HE" | "H":
                yield from browser.pages(
                    help_text(has_host=self._host is not None, has_display=self._display is not None)
                )
            case "IF" if has_range:
                self._is_skipping = browser.range.first == 0
            case "LIS" | "LI" | "L" | "" if has_range:
                yield from browser.show_range()
            case "LIS" | "LI" | "L" | "" if argument[:1] == "!" or argument[1:2] == "!":
                pass  # the begin of a loop in a loop
            case "MAC" | "MA" | "M":
                yield from self._macro(argument)
            case "MOV" | "MO":
                self._set_moveable(argument)
            case "PRO" | "PR" | "P":
                self._console.insist(self._progress())
            case "PQU" | "PQ" | "PSP" | "PS" | "WQU" | "WQ":
                self._look_at(upper(command.verb)[:2], argument)
            case "QUI" | "QU" | "Q":
                self._console.close_log()
                self.is_quitting = self._is_going = True
            case "REM":
                pass
            case "REG" | "RE" | "R":
                self._console.say(registers_text(self._fight))
            case "RES":
                self._chain.clear()
            case "SEA" | "SE":
                yield from browser.search(upper(argument))
            case "SHE" | "SH" if self._host is not None:
                yield Slice()  # what was said is shown before the shell says something
                self._host.shell(argument)
            case "SKI" | "SK":
                self._skip()
            case "STE" | "ST" | "S":
                self._go(argument, Mode.STEP)
            case "THR" | "TH":
                self._go(argument, Mode.STEP, self._fight.count(self._fight.seat) * self._fight.warriors - 1)
            case "TRA" | "TR" | "T" if has_range:
                self._fight.traced.update(map(browser.list.address, browser.entries()))
            case "UNT" | "UN" | "U" if has_range:
                self._fight.traced.difference_update(map(browser.list.address, browser.entries()))
            case "WRI" | "WR" | "W" if self._host is not None:
                self._write(self._host, argument)
            case "CAL" | "CA" | "IF" | "LIS" | "LI" | "L" | "" | "TRA" | "TR" | "T" | "UNT" | "UN" | "U":
                self._console.insist(f'Bad argument "{argument}"\n')
            case _:
                self._console.insist(f'Unknown command "{text}"\n')

    # -- Going on ----------------------------------------------------------------------------------

    def _go(self, argument: str, mode: Mode, skips: int = 0) -> None:
        """Let the fight go on, from the address if there is an argument."""
        if argument and self._is_one_entry():
            self._fight.address = self._browser.range.first
        self._leave(mode, skips)

    def _execute(self) -> None:
        if self._is_one_entry():
            self._fight.forget_others(self._browser.range.first)
            self._leave(Mode.STEP, 0)
        else:
            self._console.insist("Usage: execute [address]\n")

    def _skip(self) -> None:
        if self._browser.range.first == self._browser.range.last:
            self._leave(Mode.STEP, self._browser.range.first)
        else:
            self._console.insist("Usage: skip [count]\n")

    def _is_one_entry(self) -> bool:
        """Whether the range is but an entry; its first end is folded by the question, which later ones see."""
        browser = self._browser
        browser.range = Range(browser.folded(browser.range.first), browser.range.last)
        return browser.range.first == browser.folded(browser.range.last)

    def _leave(self, mode: Mode, skips: int) -> None:
        self._fight.mode = mode
        self._fight.skips = skips
        self._is_going = True

    # -- Looking -----------------------------------------------------------------------------------

    def _look_at(self, verb: str, argument: str) -> None:
        """At a queue, a P-space or the warriors; `off` is back to the core."""
        browser = self._browser
        first, last = browser.range.first, browser.range.last
        names_one = argument and first == last and 1 <= first <= self._fight.warriors
        seat = first - 1 if names_one else self._fight.seat
        if upper(argument[:2]) == "OF":
            browser.use_core()
        elif verb == "PQ":
            browser.use_queue(seat)
        elif verb == "PS":
            browser.use_pspace(seat)
        else:
            browser.use_warriors()
        browser.show()

    def _show_display(self, display: Display) -> None:
        self._console.say("".join(f"{line}\n" for line in display.lines()))

    def _set_display(self, display: Display, what: str) -> None:
        if what[:2] in ("ON", "OF"):
            self._is_displaying = what[:2] == "ON"
        elif what[:3] in ("CLE", "CLS"):
            display.begin()
        elif not what:
            self._show_display(display)
        else:
            self._console.insist("Usage: display [clear|on|off]\n")

    # -- Settings, files ---------------------------------------------------------------------------

    def _set_moveable(self, argument: str) -> None:
        what = upper(argument[:2])
        if what in ("ON", "OF"):
            self._fight.moveable = what == "ON"
        else:
            self._console.insist("Usage: moveable on|off\n")

    def _write(self, host: Host, name: str) -> None:
        """Open a log, or close it."""
        if not name and self._console.log is None:
            self._console.insist("Usage: write logfile\n")
        if self._console.log is not None:
            self._console.say("Closing logfile\n")
            self._console.close_log()
        if name:
            try:
                self._console.log = host.open_log(name)
            except OSError:
                self._console.insist("Cannot open logfile\n")
            else:
                self._console.say("Opening logfile\n")

    def _macro(self, argument: str) -> Dialogue[None]:
        """`name,file`, `name` or nothing: read, execute, or list."""
        name = SEPARATOR.split(argument, maxsplit=1)[0]
        file = argument[len(name) :].lstrip(BLANKS + ",")
        if file == "user":
            yield from self._macros.read()
        elif file or not self._macros:
            self._macros.load(file or MACRO_FILE)
        if not name:
            yield from self._browser.pages(f"{macro}\n" for macro in self._macros)
            return
        chain = self._macros.get(upper(name))
        if chain is None:
            self._console.insist(f'Unknown macro "{upper(name)}"\n')
        elif not self._chain.expand(chain):
            self._console.insist("Macro string expansion too long\n")
