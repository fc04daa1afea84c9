"""cdb, the debugger of pMARS 0.9.2, without I/O: lines of text in, text and pauses out.

start() runs the battle to the first halt, and receive() executes a line of commands. Of the events that they yield,
Output must be printed, and Yield is the moment to let other tasks run. Both methods end when a line is needed or when
the debugger has `finished`. The names, texts and effects of the commands are those of pMARS, which recognizes a
command by the first three letters of its name.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from core.corewar.assembler import Assembly
from core.corewar.dialect import Dialect
from protocols.cdb.command_line import BLANKS, Command, Macros, Range, parse, range_of, upper
from protocols.cdb.console import Console, Dialogue, Display, Event, Host, Limits, NeedLine, Yield
from protocols.cdb.execution import DebugRun, Mode
from protocols.cdb.views import LineAssembler, ListView, help_text, registers_text

FAILED, QUIT = 3, 4  # pMARS's exit status after a typed line that does not assemble, and after `quit`
PROMPT: Final = "(cdb) "
CLEAR_SCREEN: Final = "\033[;H\033[2J"
MACRO_FILE: Final = "pmars.mac"
SEPARATOR: Final = re.compile(r"[,\s]", re.ASCII)  # between a macro and its file


class Debugger:
    """A running battle, and a dialogue about it.

    `progress` returns the results so far as text. Without a `host` there is no shell, no log and no file of macros.
    `limits` apply to each line received.
    """

    def __init__(
        self,
        run: DebugRun,
        progress: Callable[[], str],
        *,
        dialect: Dialect | None = None,
        host: Host | None = None,
        limits: Limits | None = None,
    ) -> None:
        battle = run.battle
        self.finished = False
        self.status = 0
        self._limits = limits
        self._console = Console()
        self._run = run
        self._assembler = LineAssembler(
            battle.rules, dialect or Dialect(), len(battle.warriors), battle.rounds
        )
        view = ListView(self._run, self._console, self._assembler)
        self._commands = _Commands(run, self._console, view, progress, host)
        self._dialogue = self._debug()

    def start(self) -> Iterator[Event]:
        """Run to the first halt."""
        return self.receive(None)

    def receive(self, line: str | None) -> Iterator[Event]:
        """Execute a line, given without its end, until the next line is needed; None means the end of input."""
        slices = 0
        self._console.characters = 0
        while not self.finished:
            event = self._advance(line)
            line = None
            yield from self._console.take_output()
            if event is None or isinstance(event, NeedLine):
                return
            yield event
            slices += 1
            if self._limits is not None and (
                slices > self._limits.slices or self._console.characters > self._limits.characters
            ):
                self._console.say_always("\nThe line takes too long and is interrupted\n")
                yield from self.interrupt()
                return

    def interrupt(self) -> Iterator[Event]:
        """Drop the rest of the present line, and halt before the next instruction."""
        self._commands.interrupt()
        if self._run.halt is None:
            self._run.mode, self._run.skips = Mode.STEP, 0
        self._dialogue = self._debug()
        return self.receive(None)

    def _advance(self, line: str | None) -> Yield | NeedLine | None:
        """Return the next event of the dialogue, or None at its end."""
        try:
            return self._dialogue.send(line)
        except StopIteration:
            self.finished = True
            return None

    def _debug(self) -> Dialogue[None]:
        """Run the dialogue from the present halt, or from the next one, to the end of the battle."""
        is_halted = self._run.halt is not None
        while is_halted or (yield from self._run.resume()):
            is_halted = False
            yield from self._commands.run_halt()
            if self._commands.is_quitting:
                self.status = QUIT
                return
        self._console.close_log()
        self.status = FAILED if self._assembler.has_failed else 0


def mode_of(assemblies: Iterable[Assembly], *, at_once: bool) -> tuple[Mode, bool]:
    """Return when the debugger halts, and whether MOV.I copies marks, by the warriors' ;debug, ;trace and ;break."""
    mode, moveable = Mode.STEP if at_once else Mode.FREE, True
    for assembly in assemblies:
        if assembly.marks.enter:
            moveable = assembly.marks.moveable
        if not at_once and (assembly.marks.enter or assembly.traced):
            mode = Mode.BREAK
    return mode, moveable


# -- Commands --------------------------------------------------------------------------------------


class _Commands:
    """The commands of the debugger; `display`, `switch` and `close` exist only with a display."""

    def __init__(
        self,
        run: DebugRun,
        console: Console,
        view: ListView,
        progress: Callable[[], str],
        host: Host | None,
    ) -> None:
        self._run = run
        self._console = console
        self._view = view
        self._progress = progress
        self._host = host
        self._display = run.display
        self._is_displaying = run.display is not None  # at each halt
        self._macros = Macros(console, host)
        self._is_skipping = False  # whether to skip the next link, after an `if` that does not hold
        self._is_going = False
        self.is_quitting = False

    def interrupt(self) -> None:
        """Drop the rest of the line."""
        self._view.command_line.clear()
        self._is_skipping = False
        self._console.reset()

    def run_halt(self) -> Dialogue[None]:
        """Show the halt and execute commands until one resumes the battle."""
        if self._display is not None and self._is_displaying:
            self._show_display(self._display)
        self._view.show_halt()
        self._is_going = False
        while not self._is_going:
            text = yield from self._view.command_line.next_command(PROMPT, skipping=self._is_skipping)
            self._is_skipping = False
            command = parse(text)
            self._console.silence = command.silence
            span = range_of(command, self._view.value, self._view.current, self._view.range)
            self._view.range = span or self._view.range
            yield from self._execute(command, text, has_range=span is not None)
            yield Yield()

    def _execute(self, command: Command, text: str, *, has_range: bool) -> Dialogue[None]:
        view, argument = self._view, command.argument
        match upper(command.verb)[:3]:
            case "CAL" | "CA" if has_range:
                last = f",{view.range.last}" if command.has_comma else ""
                self._console.say(f"{view.range.first}{last}\n")
            case "CLS" | "CLE" | "CL":
                self._console.say(CLEAR_SCREEN)
            case "CLO" if self._display is not None:
                self._is_displaying = False
            case "CON" | "CO" | "C":
                self._console.say("Exiting cdb to finish simulation\n")
                self._console.close_log()
                self._go(argument, Mode.FREE)
            case "DIS" | "DI" | "D" if self._display is not None:
                self._set_display(self._display, upper(argument))
            case "ECH" | "EC":
                self._console.say(f"{argument}\n")
            case "EDI" | "ED" | "E":
                yield from view.edit()
            case "EXE" | "EX" | "XEC" | "XE" | "X":
                self._restart_warrior()
            case "FIL" | "FI" | "F":
                yield from view.fill()
            case "GO" | "G":
                self._go(argument, Mode.BREAK)
            case "HEL" | "HE" | "H":
                lines = help_text(has_host=self._host is not None, has_display=self._display is not None)
                yield from view.pages(lines)
            case "IF" if has_range:
                self._is_skipping = view.range.first == 0
            case "LIS" | "LI" | "L" | "" if has_range:
                yield from view.show_range()
            case "LIS" | "LI" | "L" | "" if argument[:1] == "!" or argument[1:2] == "!":
                pass  # the start of a loop in a loop
            case "MAC" | "MA" | "M":
                yield from self._macro(argument)
            case "MOV" | "MO":
                self._set_moveable(argument)
            case "PRO" | "PR" | "P":
                self._console.say_always(self._progress())
            case "PQU" | "PQ" | "PSP" | "PS" | "WQU" | "WQ":
                self._change_list(upper(command.verb)[:2], argument)
            case "QUI" | "QU" | "Q":
                self._console.close_log()
                self.is_quitting = self._is_going = True
            case "REM":
                pass
            case "REG" | "RE" | "R":
                self._console.say(registers_text(self._run))
            case "RES":
                view.command_line.clear()
            case "SEA" | "SE":
                yield from view.search(upper(argument))
            case "SHE" | "SH" if self._host is not None:
                yield Yield()  # the output so far is printed before that of the shell
                self._host.shell(argument)
            case "SKI" | "SK":
                self._skip()
            case "STE" | "ST" | "S":
                self._go(argument, Mode.STEP)
            case "SWI" | "SW" if self._display is not None:
                self._is_displaying = not self._is_displaying
                if self._is_displaying:
                    self._show_display(self._display)
            case "THR" | "TH":
                processes = self._run.mars.count(self._run.seat)
                self._go(argument, Mode.STEP, processes * self._run.warrior_count - 1)
            case "TRA" | "TR" | "T" if has_range:
                self._run.traced.update(view.addresses())
            case "UNT" | "UN" | "U" if has_range:
                self._run.traced.difference_update(view.addresses())
            case "WRI" | "WR" | "W" if self._host is not None:
                self._write(self._host, argument)
            case "CAL" | "CA" | "IF" | "LIS" | "LI" | "L" | "" | "TRA" | "TR" | "T" | "UNT" | "UN" | "U":
                self._console.say_always(f'Bad argument "{argument}"\n')
            case _:
                self._console.say_always(f'Unknown command "{text}"\n')

    # -- Resuming the battle -----------------------------------------------------------------------

    def _go(self, argument: str, mode: Mode, skips: int = 0) -> None:
        """Resume the battle, from the address of the range if there is an argument."""
        if argument and self._is_one_entry():
            self._run.address = self._view.range.first
        self._resume(mode, skips)

    def _restart_warrior(self) -> None:
        if self._is_one_entry():
            self._run.keep_one_process(self._view.range.first)
            self._resume(Mode.STEP, 0)
        else:
            self._console.say_always("Usage: execute [address]\n")

    def _skip(self) -> None:
        if self._view.range.first == self._view.range.last:
            self._resume(Mode.STEP, self._view.range.first)
        else:
            self._console.say_always("Usage: skip [count]\n")

    def _is_one_entry(self) -> bool:
        """Return whether the range is a single entry.

        The first end of the range is folded into the list, which later commands see, as in pMARS.
        """
        view = self._view
        view.range = Range(view.folded(view.range.first), view.range.last)
        return view.range.first == view.folded(view.range.last)

    def _resume(self, mode: Mode, skips: int) -> None:
        self._run.mode = mode
        self._run.skips = skips
        self._is_going = True

    # -- Lists, display ----------------------------------------------------------------------------

    def _change_list(self, verb: str, argument: str) -> None:
        """Show a queue, a P-space or the warriors; after `off`, the core."""
        view = self._view
        first, last = view.range.first, view.range.last
        names_one = argument and first == last and 1 <= first <= self._run.warrior_count
        seat = first - 1 if names_one else self._run.seat
        if upper(argument[:2]) == "OF":
            view.use_core()
        elif verb == "PQ":
            view.use_queue(seat)
        elif verb == "PS":
            view.use_pspace(seat)
        else:
            view.use_warriors()
        view.show()

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
            self._console.say_always("Usage: display [clear|on|off]\n")

    # -- Settings, files ---------------------------------------------------------------------------

    def _set_moveable(self, argument: str) -> None:
        what = upper(argument[:2])
        if what in ("ON", "OF"):
            self._run.moveable = what == "ON"
        else:
            self._console.say_always("Usage: moveable on|off\n")

    def _write(self, host: Host, name: str) -> None:
        """Close the log if one is open, and open the log `name` if a name is given."""
        if not name and self._console.log is None:
            self._console.say_always("Usage: write logfile\n")
        if self._console.log is not None:
            self._console.say("Closing logfile\n")
            self._console.close_log()
        if name:
            try:
                self._console.log = host.open_log(name)
            except OSError:
                self._console.say_always("Cannot open logfile\n")
            else:
                self._console.say("Opening logfile\n")

    def _macro(self, argument: str) -> Dialogue[None]:
        """Execute `macro name,file`: read macros from the file, if one is given, and execute the named macro.

        Without a name the macros are listed. The file `user` means the keyboard; MACRO_FILE is read if no macro is
        known.
        """
        name = SEPARATOR.split(argument, maxsplit=1)[0]
        file = argument[len(name) :].lstrip(BLANKS + ",")
        if file == "user":
            yield from self._macros.read()
        elif file or not self._macros:
            self._macros.load(file or MACRO_FILE)
        if not name:
            yield from self._view.pages(f"{macro}\n" for macro in self._macros)
            return
        chain = self._macros.get(upper(name))
        if chain is None:
            self._console.say_always(f'Unknown macro "{upper(name)}"\n')
        elif not self._view.command_line.expand(chain):
            self._console.say_always("Macro string expansion too long\n")
