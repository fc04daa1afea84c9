"""`-e`: the debugger on standard input and output."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from core.corewar.battle import Battle
from protocols.cdb.console import Log, Output
from protocols.cdb.debugger import Debugger, Event
from protocols.redcode.dialect import Dialect
from tools.mars.command_line.options import Options
from tools.mars.command_line.words import Text
from tools.mars.output import say
from tools.mars.roster import Entry


def debug(
    options: Options,
    battle: Battle,
    entries: Sequence[Entry],
    standard_input: Text,
    progress: Callable[[], str],
) -> bool:
    """Converse until the battle is over; False when it was left by `quit`. Ctrl-C comes back to the prompt."""
    assemblies = [entry.assembly for entry in entries if entry.assembly]
    debugger = Debugger(
        battle,
        progress,
        traced=[set(assembly.traced) for assembly in assemblies],
        moveable=all(assembly.marks.moveable for assembly in assemblies),
        dialect=Dialect(icws88=options.icws88, evaluator=options.evaluator),
        host=_Machine(),
        has_display=False,
    )
    events = debugger.start()
    while True:
        try:
            for event in events:
                _show(event)
            if debugger.finished:
                return debugger.status == 0
            line = standard_input.line()
            events = debugger.receive(line.removesuffix("\n") if line else None)
        except KeyboardInterrupt:
            say("\n")
            events = debugger.interrupt()


def _show(event: Event) -> None:
    if isinstance(event, Output):
        say(event.text, error=event.is_error)


class _Machine:
    """The computer that the debugger may use: its files and its shell."""

    def open_log(self, name: str) -> Log:
        return Path(name).open("a", encoding="latin-1", errors="replace")

    def read_macros(self, name: str) -> str:
        return Path(name).read_text(encoding="latin-1")

    def shell(self, command: str) -> None:
        subprocess.run(command, shell=True, check=False)
