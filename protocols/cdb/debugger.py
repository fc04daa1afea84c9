"""The debugger of pMARS 0.9.2, cdb, without its input and output: text lines in, text and pauses out.

start() fights to the first halt, receive() obeys a line; of the events that they yield, Output is to be shown, and
Slice is a chance for others. Both end when a line is wanted, or when `finished`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from core.corewar.assembler import Assembly
from core.corewar.battle import Battle
from core.corewar.dialect import Dialect
from protocols.cdb.commands import Commands
from protocols.cdb.console import Console, Dialogue, Display, Event, Host, Limits, Slice, Wanted
from protocols.cdb.fight import Fight, Mode
from protocols.cdb.view.browser import Browser
from protocols.cdb.view.editing import LineAssembler

FAILED, QUIT = 3, 4  # pMARS's status after a typed line that does not assemble, and after `quit`


class Debugger:
    """A battle that has begun, and a dialogue about it.

    `mode` says when it comes up: at once (STEP), at a traced cell or a death (BREAK), or only when interrupted.
    `traced` are the marked cells of each warrior; `moveable` lets MOV.I copy such a mark. `progress` gives the
    results so far as text. Without a `host` there is no shell, no log and no file of macros; without a
    `display` no picture of the core. `limits` hold for
    each line received.
    """

    def __init__(
        self,
        battle: Battle,
        progress: Callable[[], str],
        *,
        mode: Mode = Mode.STEP,
        traced: Sequence[AbstractSet[int]] = (),
        moveable: bool = True,
        dialect: Dialect | None = None,
        host: Host | None = None,
        display: Display | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.finished = False
        self.status = 0
        self._limits = limits
        self._console = Console()
        self._fight = Fight(
            battle, mode, traced or [set()] * len(battle.warriors), moveable=moveable, display=display
        )
        self._assembler = LineAssembler(
            battle.rules, dialect or Dialect(), len(battle.warriors), battle.rounds
        )
        self._commands = Commands(
            self._fight,
            self._console,
            Browser(self._fight, self._console, self._assembler),
            progress,
            host=host,
            display=display,
        )
        self._dialogue = self._debug()

    def start(self) -> Iterator[Event]:
        """Fight to the first halt."""
        return self.receive(None)

    def receive(self, line: str | None) -> Iterator[Event]:
        """Obey a line without its end, None for the end of input, until the next one is wanted."""
        slices = 0
        self._console.characters = 0
        while not self.finished:
            event = self._advance(line)
            line = None
            yield from self._console.shown()
            if event is None or isinstance(event, Wanted):
                return
            yield event
            slices += 1
            if self._limits is not None and (
                slices > self._limits.slices or self._console.characters > self._limits.characters
            ):
                self._console.insist("\nToo much for one line, interrupted\n")
                yield from self.interrupt()
                return

    def interrupt(self) -> Iterator[Event]:
        """Give up the line that is being obeyed and come up before the next instruction."""
        self._commands.interrupt()
        if self._fight.halt is None:
            self._fight.mode, self._fight.skips = Mode.STEP, 0
        self._dialogue = self._debug()
        return self.receive(None)

    def _advance(self, line: str | None) -> Slice | Wanted | None:
        """The next event of the dialogue, None at its end."""
        try:
            return self._dialogue.send(line)
        except StopIteration:
            self.finished = True
            return None

    def _debug(self) -> Dialogue[None]:
        """Dialogues at the halts, to the end of the battle; first at the present halt, if there is one."""
        is_halted = self._fight.halt is not None
        while is_halted or (yield from self._fight.go_on()):
            is_halted = False
            yield from self._commands.converse()
            if self._commands.is_quitting:
                self.status = QUIT
                return
        self._console.close_log()
        self.status = FAILED if self._assembler.has_failed else 0


def mode_of(assemblies: Iterable[Assembly], *, at_once: bool) -> tuple[Mode, bool]:
    """(when the debugger comes up, whether MOV.I copies marks), by ;debug, ;trace and ;break in the warriors."""
    mode, moveable = Mode.STEP if at_once else Mode.FREE, True
    for assembly in assemblies:
        if assembly.marks.enter:
            moveable = assembly.marks.moveable
        if not at_once and (assembly.marks.enter or assembly.traced):
            mode = Mode.BREAK
    return mode, moveable
