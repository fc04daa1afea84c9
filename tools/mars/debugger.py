"""The debugger of Core War on standard input and output."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from core.corewar.assembler import Assembly
from core.corewar.battle import Battle
from core.corewar.dialect import Dialect
from protocols.cdb.console import Event, Log, Output
from protocols.cdb.debugger import CLEAR_SCREEN, Debugger, mode_of
from protocols.cdb.execution import DebugRun
from tools.mars.film import Film, window
from tools.mars.options import Options
from tools.mars.streams import Text, native, say

PROMPT_LINES: Final = 4  # under the picture at a halt: the reason for the halt, the instruction, the prompt


def debug(
    options: Options,
    battle: Battle,
    assemblies: Sequence[Assembly],
    dialect: Dialect,
    standard_input: Text,
    progress: Callable[[], str],
) -> int:
    """Run the debugger until the battle ends or `quit` leaves it, and return the exit status.

    Ctrl-C returns to the prompt.
    """
    mode, moveable = mode_of(assemblies, at_once=options.debug)
    run = DebugRun(
        battle,
        mode,
        [set(assembly.traced) for assembly in assemblies],
        moveable=moveable,
        display=Film(battle, window(below=PROMPT_LINES)) if options.core_view else None,
    )
    debugger = Debugger(run, progress, dialect=dialect, host=_System())
    events = debugger.start()
    while True:
        try:
            for event in events:
                _show(event)
            if debugger.finished:
                return debugger.status
            line = standard_input.line()
            events = debugger.receive(line.removesuffix("\n") if line else None)
        except KeyboardInterrupt:
            say("\n")
            events = debugger.interrupt()


def _show(event: Event) -> None:
    if isinstance(event, Output):
        say(event.text, error=event.is_error, raw=event.text == CLEAR_SCREEN)


class _System:
    """The files and the shell of the system, for the debugger's commands."""

    def open_log(self, name: str) -> Log:
        return Path(native(name)).open("a", encoding="latin-1", errors="replace", buffering=1)

    def read_macros(self, name: str) -> str:
        return Path(native(name)).read_text(encoding="latin-1")

    def shell(self, command: str) -> None:
        subprocess.run(native(command), shell=True, check=False)
