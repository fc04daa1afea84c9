"""What the debugger looks at: a list, the entry that `.` stands for, and what shows, searches and edits them."""

from collections.abc import Iterable
from typing import Final

from core.corewar.expression import DivisionByZeroError, ExpressionError, evaluate
from protocols.cdb.console import LOUD, Console, Dialogue, Slice
from protocols.cdb.fight import Fight
from protocols.cdb.line.chain import Chain
from protocols.cdb.line.command import BLANKS, Range, upper
from protocols.cdb.view.editing import LineAssembler
from protocols.cdb.view.lists import CoreList, PSpaceList, QueueList, WarriorList, matches

PAGE: Final = 23  # lines, after which a long list asks whether to go on
PAGE_PROMPT: Final = " RET for more, q to quit, a for all "
MANY_ENTRIES: Final = 256  # are shown or searched in some milliseconds
FEW_ENTRIES: Final = 16  # are assembled in some milliseconds


class Browser:
    """`chain` is where its answers come from: pages, edits and fills ask for the next link."""

    def __init__(self, fight: Fight, console: Console, assembler: LineAssembler) -> None:
        self._fight = fight
        self._console = console
        self._assembler = assembler
        self.chain = Chain(console, self.value)
        self.list = self._core()
        self.here = 0
        self.range = Range(0, 0)  # of the last command that had one

    def use(self, entries: CoreList) -> None:
        """Look at this list from now on."""
        self.list = entries
        self.here = self._fight.seat if isinstance(entries, WarriorList) else 0

    def use_core(self) -> None:
        """Look at the core, where the entry is that was looked at."""
        self.here = self.list.address(self.here)
        self.list = self._core()

    def use_queue(self, seat: int) -> None:
        self.use(QueueList(self._fight, seat, icws88=self._icws88))

    def use_pspace(self, seat: int) -> None:
        self.use(PSpaceList(self._fight, seat, icws88=self._icws88))

    def use_warriors(self) -> None:
        self.use(WarriorList(self._fight, icws88=self._icws88))

    def show_halt(self) -> None:
        """Look at the warrior that is at the halt, in the same kind of list."""
        here = self.here
        match self.list:
            case QueueList():
                self.use_queue(self._fight.seat)
            case WarriorList():
                self.use_warriors()
            case PSpaceList():
                self.use_pspace(self._fight.seat)
                self.here = here
            case _:
                self.here = self._fight.address
        self._console.say(self._fight.message())
        self.show()

    # -- Numbers -----------------------------------------------------------------------------------

    def value(self, text: str) -> int | None:
        """Of an expression in capital letters; None if it has none."""
        try:
            value, is_overflow = evaluate(
                self._substituted(text), self._assembler.registers, self._assembler.dialect.evaluator
            )
        except ExpressionError:
            return None
        if is_overflow:
            self._console.say("Arithmetic overflow detected\n")
        return value

    def folded(self, number: int) -> int:
        return number % self.list.size

    def entries(self) -> list[int]:
        """Those of the range, around the end if need be."""
        first, last = self.folded(self.range.first), self.folded(self.range.last)
        size = self.list.size
        return [entry % size for entry in range(first, (last if first <= last else last + size) + 1)]

    def _substituted(self, text: str) -> str:
        """The text with numbers for the symbols, as text: nothing keeps them together."""
        if text[:1] in ("+", "-"):
            text = "." + text
        text = text.replace(".", str(self.here)).replace("$", str(self.list.end))
        if not any("A" <= letter <= "Z" for letter in text):
            return text
        a, b = self.list.values(self.here)
        text = text.replace("A", str(a)).replace("B", str(b))
        for seat in reversed(range(self._fight.warriors)):
            text = text.replace(f"PC{seat + 1}", str(self.list.place(seat)))
        text = text.replace("PC", str(self.list.place(self._fight.seat)))
        text = text.replace("CYCLE", str(self._fight.cycles_left))
        text = text.replace("ROUND", str(self._fight.battle.round + 1))
        return text.replace("LINES", str(PAGE))

    # -- Showing -----------------------------------------------------------------------------------

    def show(self) -> None:
        self._console.say(self.list.line(self.here))

    def show_range(self) -> Dialogue[None]:
        first, *others = self.entries()
        self.here = self.folded(self.range.last)
        self._console.say(self.list.line(first))
        if others and (yield from self.pages(map(self.list.line, others[:-1]))):
            self._console.say(self.list.line(others[-1]))

    def pages(self, lines: Iterable[str]) -> Dialogue[bool]:
        """Say lines, and ask after every page. False when the answer is to quit."""
        shown = 0
        for number, line in enumerate(lines, 1):
            if self._console.silence == LOUD:
                shown += 1
                if shown == PAGE:
                    answer = yield from self.chain.command(PAGE_PROMPT)
                    answer = upper(answer.lstrip(BLANKS))[:1]
                    if answer == "Q":
                        self._console.say("\n")
                        return False
                    if answer != "A":
                        shown = 0
            self._console.say(line)
            if number % MANY_ENTRIES == 0:
                yield Slice()
        return True

    def search(self, pattern: str) -> Dialogue[None]:
        """The next entry that matches becomes the one that `.` stands for."""
        size = self.list.size
        for step in range(1, size):
            entry = (self.here + step) % size
            if matches(pattern, self.list.line(entry)):
                self.here = entry
                break
            if step % MANY_ENTRIES == 0:
                yield Slice()
        self.show()

    # -- Editing -----------------------------------------------------------------------------------

    def edit(self) -> Dialogue[None]:
        """Show the entries of the range one after the other and take what is typed in their places."""
        self.here = self.folded(self.range.last)
        for entry in self.entries():
            self._console.say(self.list.line(entry) + self.list.heading(entry))
            text = (yield from self.chain.command("")).lstrip(BLANKS)
            if text and not self._store(entry, text):
                return
            self._console.say(self.list.line(entry))

    def fill(self) -> Dialogue[None]:
        """The same in all entries of the range."""
        self._console.say("Fill with: ")
        text = (yield from self.chain.command("")).lstrip(BLANKS)
        entries = self.entries()
        if isinstance(self.list, PSpaceList):
            value = self._number(text)
            for entry in entries if text and value is not None else ():
                self._fight.mars.set_pspace(self._fight.seat, entry, value or 0)
            return
        at = steps = 0
        while text and at < len(entries):
            written = self._write(entries[at], text)
            if not written:
                return
            at += written
            steps += 1
            if steps % FEW_ENTRIES == 0:
                yield Slice()

    def _store(self, entry: int, text: str) -> bool:
        """False when the text is no number, or no instruction."""
        if not isinstance(self.list, PSpaceList):
            return self._write(entry, text) is not None
        value = self._number(text)
        if value is not None:
            self._fight.mars.set_pspace(self.list.seat, entry, value)
        return value is not None

    def _number(self, text: str) -> int | None:
        """For a cell of a P-space: without the symbols."""
        try:
            value, is_overflow = evaluate(text, self._assembler.registers, self._assembler.dialect.evaluator)
        except DivisionByZeroError:
            self._console.insist("Division by zero\n")
            return None
        except ExpressionError:
            self._console.insist("Bad expression\n")
            return None
        if is_overflow:
            self._console.say("Arithmetic overflow detected\n")
        return value % self._fight.mars.rules.size

    def _write(self, entry: int, text: str) -> int | None:
        """How many cells were written from the one that an entry shows, None by an error."""
        address = self.list.address(entry)
        typed = self._assembler.assemble(text, address)
        if typed.complaints:
            self._console.complain(typed.complaints)
        if typed.moveable is not None:
            self._fight.moveable = typed.moveable
        if typed.cells is None:
            return None
        for offset, cell in enumerate(typed.cells):
            self._fight.set_cell((address + offset) % self._fight.mars.rules.size, cell, traced=typed.traced)
        return len(typed.cells)

    def _core(self) -> CoreList:
        return CoreList(self._fight, icws88=self._icws88)

    @property
    def _icws88(self) -> bool:
        return self._assembler.dialect.icws88
