"""The views of the debugger: core, processes, warriors and P-space as lists to show and edit; registers; help."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.corewar.assembler import assemble_line
from core.corewar.diagnostics import Message, Problem
from core.corewar.dialect import Dialect
from core.corewar.expression import DivisionByZeroError, ExpressionError, Registers, evaluate
from core.corewar.instruction import EMPTY, a_of, b_of
from core.corewar.lexer import NO_WORD, SEMICOLON, Token, tokens_of
from core.corewar.preprocessor import Marks, predefined
from core.corewar.rules import Rules
from protocols.cdb.command_line import BLANKS, CommandLine, Range, upper
from protocols.cdb.console import LOUD, Console, Dialogue, Yield
from protocols.cdb.execution import DebugRun
from protocols.redcode.listing import instruction_text, messages_text

PAGE: Final = 23  # lines, after which a long list asks whether to continue
PAGE_PROMPT: Final = " RET for more, q to quit, a for all "
MANY_ENTRIES: Final = 256  # that are shown or searched in some milliseconds
FEW_ENTRIES: Final = 16  # that are assembled in some milliseconds
PSPACE_SHOWN: Final = 9  # cells after the first one; missing cells are shown as 0


class ListView:
    """The list that is shown, its current entry (`.`), and the commands that show, search and edit entries.

    `command_line` answers the questions of these commands; `range` is that of the last command that had one.
    """

    def __init__(self, run: DebugRun, console: Console, assembler: "LineAssembler") -> None:
        self._run = run
        self._console = console
        self._assembler = assembler
        self.command_line = CommandLine(console, self.value)
        self.list = CoreList(run, self._icws88)
        self.current = 0
        self.range = Range(0, 0)

    def use_core(self) -> None:
        """Show the core, at the cell of the current entry."""
        self.current = self.list.address(self.current)
        self.list = CoreList(self._run, self._icws88)

    def use_queue(self, seat: int) -> None:
        """Show the processes of a warrior."""
        self.list = QueueList(self._run, self._icws88, seat)
        self.current = 0

    def use_pspace(self, seat: int) -> None:
        """Show the P-space of a warrior."""
        self.list = PSpaceList(self._run, self._icws88, seat)
        self.current = 0

    def use_warriors(self) -> None:
        """Show the warriors; the warrior at the halt becomes the current entry."""
        self.list = WarriorList(self._run, self._icws88)
        self.current = self._run.seat

    def show_halt(self) -> None:
        """Show the warrior at the halt, in the same kind of list."""
        match self.list:
            case QueueList():
                self.use_queue(self._run.seat)
            case WarriorList():
                self.use_warriors()
            case PSpaceList():
                current = self.current
                self.use_pspace(self._run.seat)
                self.current = current
            case _:
                self.current = self._run.address
        self._console.say(self._run.message())
        self.show()

    # -- Numbers -----------------------------------------------------------------------------------

    def value(self, text: str) -> int | None:
        """Return the value of an expression in capital letters, or None if it has no value."""
        try:
            return self._evaluate(self._substituted(text))
        except ExpressionError:
            return None

    def folded(self, number: int) -> int:
        """Return a number modulo the size of the list, as an entry."""
        return number % self.list.size

    def entries(self) -> list[int]:
        """Return the entries of the range, which may continue around the end of the list."""
        first, last = self.folded(self.range.first), self.folded(self.range.last)
        size = self.list.size
        return [entry % size for entry in range(first, (last if first <= last else last + size) + 1)]

    def addresses(self) -> list[int]:
        """Return the addresses of the cells that the range shows."""
        return [self.list.address(entry) for entry in self.entries()]

    def _evaluate(self, text: str) -> int:
        """Return the value of an expression of numbers and registers. Raises ExpressionError if it has none."""
        value, is_overflow = evaluate(text, self._assembler.registers, self._assembler.dialect.evaluator)
        if is_overflow:
            self._console.say("Arithmetic overflow detected\n")
        return value

    def _substituted(self, text: str) -> str:
        """Return a text with its symbols replaced by numbers, letter by letter as in pMARS."""
        if text[:1] in ("+", "-"):
            text = "." + text
        text = text.replace(".", str(self.current)).replace("$", str(self.list.end))
        if not any("A" <= character <= "Z" for character in text):
            return text
        a, b = self.list.values(self.current)
        text = text.replace("A", str(a)).replace("B", str(b))
        for seat in reversed(range(self._run.warrior_count)):
            text = text.replace(f"PC{seat + 1}", str(self.list.pc(seat)))
        text = text.replace("PC", str(self.list.pc(self._run.seat)))
        text = text.replace("CYCLE", str(self._run.cycles_left))
        text = text.replace("ROUND", str(self._run.battle.round + 1))
        return text.replace("LINES", str(PAGE))

    # -- Showing -----------------------------------------------------------------------------------

    def show(self) -> None:
        """Print the current entry."""
        self._console.say(self.list.line(self.current))

    def show_range(self) -> Dialogue[None]:
        """Print the entries of the range; the last becomes the current one."""
        first, *others = self.entries()
        self.current = self.folded(self.range.last)
        self._console.say(self.list.line(first))
        if others and (yield from self.pages(map(self.list.line, others[:-1]))):
            self._console.say(self.list.line(others[-1]))

    def pages(self, lines: Iterable[str]) -> Dialogue[bool]:
        """Print lines, and ask after each page whether to continue. Return False if the answer is to quit."""
        shown = 0
        for number, line in enumerate(lines, 1):
            if self._console.silence == LOUD:
                shown += 1
                if shown == PAGE:
                    answer = yield from self.command_line.next_command(PAGE_PROMPT)
                    answer = upper(answer.lstrip(BLANKS))[:1]
                    if answer == "Q":
                        self._console.say("\n")
                        return False
                    if answer != "A":
                        shown = 0
            self._console.say(line)
            if number % MANY_ENTRIES == 0:
                yield Yield()
        return True

    def search(self, pattern: str) -> Dialogue[None]:
        """Make the next entry that matches `pattern` the current one, and print the current entry."""
        size = self.list.size
        for step in range(1, size):
            entry = (self.current + step) % size
            if matches(pattern, self.list.line(entry)):
                self.current = entry
                break
            if step % MANY_ENTRIES == 0:
                yield Yield()
        self.show()

    # -- Editing -----------------------------------------------------------------------------------

    def edit(self) -> Dialogue[None]:
        """Print the entries of the range one after the other, and replace each by the line that is typed."""
        self.current = self.folded(self.range.last)
        for entry in self.entries():
            self._console.say(self.list.line(entry) + self.list.heading(entry))
            text = (yield from self.command_line.next_command("")).lstrip(BLANKS)
            if text and not self._store(entry, text):
                return
            self._console.say(self.list.line(entry))

    def fill(self) -> Dialogue[None]:
        """Ask for a line, and write it into all entries of the range."""
        self._console.say("Fill with: ")
        text = (yield from self.command_line.next_command("")).lstrip(BLANKS)
        entries = self.entries()
        if isinstance(self.list, PSpaceList):
            value = self._number(text)
            for entry in entries if text and value is not None else ():
                self._run.mars.set_pspace(self._run.seat, entry, value or 0)
            return
        at = steps = 0
        while text and at < len(entries):
            written = self._write(entries[at], text)
            if not written:
                return
            at += written
            steps += 1
            if steps % FEW_ENTRIES == 0:
                yield Yield()

    def _store(self, entry: int, text: str) -> bool:
        """Write a typed text into an entry. Return False if it is no number of a P-space or no instruction."""
        if not isinstance(self.list, PSpaceList):
            return self._write(entry, text) is not None
        value = self._number(text)
        if value is not None:
            self._run.mars.set_pspace(self.list.seat, entry, value)
        return value is not None

    def _number(self, text: str) -> int | None:
        """Return the value typed for a cell of a P-space, which may not use symbols, or None after an error."""
        try:
            return self._evaluate(text) % self._run.mars.rules.size
        except DivisionByZeroError:
            self._console.say_always("Division by zero\n")
        except ExpressionError:
            self._console.say_always("Bad expression\n")
        return None

    def _write(self, entry: int, text: str) -> int | None:
        """Assemble a line at an entry, and return the number of cells written, or None after an error."""
        address = self.list.address(entry)
        typed = self._assembler.assemble(text, address)
        if typed.messages:
            self._console.say_error(typed.messages)
        if typed.moveable is not None:
            self._run.moveable = typed.moveable
        if typed.cells is None:
            return None
        for offset, cell in enumerate(typed.cells):
            self._run.set_cell((address + offset) % self._run.mars.rules.size, cell, traced=typed.traced)
        return len(typed.cells)

    @property
    def _icws88(self) -> bool:
        return self._assembler.dialect.icws88


# -- Lists ----------------------------------------------------------------------------------------


class CoreList:
    """A list of all cells of the core, as entries 0 to size-1; the base of the other lists."""

    def __init__(self, run: DebugRun, icws88: bool) -> None:
        self.run = run
        self.icws88 = icws88
        self.size = run.mars.rules.size

    @property
    def end(self) -> int:
        """The value of the symbol `$`, the number of the last entry."""
        return self.size - 1

    def address(self, entry: int) -> int:
        """Return the address of the cell that an entry shows."""
        return entry

    def heading(self, entry: int) -> str:
        """Return the part of a line before the content; it is also the prompt for a typed line."""
        return f"{entry:05}   "

    def content(self, entry: int) -> str:
        """Return the instruction, and a T if it is traced, or "" for an empty cell that is not traced."""
        address = self.address(entry)
        cell = self.run.mars.cell(address)
        is_traced = address in self.run.traced
        if cell == EMPTY and not is_traced:
            return ""
        text = instruction_text(cell, self.run.mars.rules.size, self.icws88)
        return f"{text} {'T' if is_traced else '':>4}"

    def line(self, entry: int) -> str:
        return f"{self.heading(entry)}{self.content(entry)}\n"

    def values(self, entry: int) -> tuple[int, int]:
        """Return the values of the symbols `A` and `B`."""
        cell = self.run.mars.cell(self.address(entry))
        return a_of(cell), b_of(cell)

    def pc(self, seat: int) -> int:
        """Return the value of a symbol `PC1`, `PC2` .., for a seat counted from 0."""
        return self.run.first_address(seat)


class QueueList(CoreList):
    """A list of a warrior's processes. The first is always that of the warrior at the halt, as in pMARS."""

    def __init__(self, run: DebugRun, icws88: bool, seat: int) -> None:
        super().__init__(run, icws88)
        self._addresses = [run.address, *run.queue(seat)]
        self._processes = run.mars.count(seat)
        self.size = max(self._processes, 1)

    @property
    def end(self) -> int:
        return self._processes - 1

    def address(self, entry: int) -> int:
        return self._addresses[entry] if entry < len(self._addresses) else 0

    def heading(self, entry: int) -> str:
        return f"{entry:<4}->{self.address(entry):05}   "

    def pc(self, seat: int) -> int:
        return 0


class WarriorList(CoreList):
    """A list of the warriors, each at its next instruction."""

    def __init__(self, run: DebugRun, icws88: bool) -> None:
        super().__init__(run, icws88)
        self.size = run.warrior_count

    def address(self, entry: int) -> int:
        return self.run.first_address(entry % self.size)

    def heading(self, entry: int) -> str:
        return f"#{entry:<2}:  {self.address(entry):05}   "

    def pc(self, seat: int) -> int:
        return seat


class PSpaceList(CoreList):
    """A list of the cells of a warrior's P-space. For `trace`, its entries are cells of the core, as in pMARS."""

    def __init__(self, run: DebugRun, icws88: bool, seat: int) -> None:
        super().__init__(run, icws88)
        self.seat = seat
        self.size = run.mars.rules.pspace

    def heading(self, entry: int) -> str:
        return f"[{entry:4}]="

    def content(self, entry: int) -> str:
        return f"{self.run.mars.pspace(self.seat)[entry % self.size]:<5}"

    def values(self, entry: int) -> tuple[int, int]:
        index = self.run.pspace_index(self.seat)
        return index, index

    def pc(self, seat: int) -> int:
        return 0


def matches(pattern: str, text: str) -> bool:
    """Return whether a text contains a pattern: `?` is any character, `*` any number of them, blanks do not count.

    After a mismatch within a part, matching restarts after the mismatch, not one character after the start of the
    attempt: pMARS does not find 00?2 in 00012.
    """
    pattern, text = ("".join(each for each in string if each not in BLANKS) for string in (pattern, text))
    at = 0
    for part in pattern.split("*"):
        matched = 0
        while matched < len(part):
            if at == len(text):
                return False
            matched = matched + 1 if part[matched] in (text[at], "?") else 0
            at += 1
    return True


# -- Typed instructions ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledLine:
    """The cells of a typed line and the messages about the line.

    Most lines have one cell, a line with FOR may have several, and `cells` is None after an error. `moveable` is the
    setting of a ;debug for copies of marks, or None.
    """

    cells: tuple[int, ...] | None
    messages: str = ""
    traced: bool = False
    moveable: bool | None = None


class LineAssembler:
    """An assembler of Redcode line by line, each line at its address.

    Names, labels without an instruction, registers and a ;trace last from one line to the next. The debugger's
    expressions use the same `registers`. `has_failed` says whether the last line that had cells or messages had
    messages.
    """

    def __init__(self, rules: Rules, dialect: Dialect, warriors: int, rounds: int) -> None:
        self.registers = Registers()
        self.dialect = dialect
        self.has_failed = False
        self._marks = Marks()
        self._rules = rules
        self._symbols = predefined(rules, warriors, rounds, dialect.version)
        self._labels = ""

    def assemble(self, text: str, address: int) -> AssembledLine:
        """Assemble a line that is not blank."""
        tokens = tokens_of(text)
        first = tokens[0]
        if first.first == SEMICOLON:
            return self._remark(tokens, text, address)
        if first.word != NO_WORD:
            return self._instruction(text.partition(";")[0], address)
        self.has_failed = True
        return AssembledLine(cells=None, messages=_text(Message(Problem.TOKEN, first.text)))

    def _instruction(self, text: str, address: int) -> AssembledLine:
        cells, found = assemble_line(
            f"{self._labels}{text}",
            self._rules,
            self.dialect,
            address=address,
            symbols=self._symbols,
            registers=self.registers,
        )
        self._labels = ""
        messages = []
        for message in found:
            if message.problem is Problem.DISCARDED_LABELS:  # these labels name the next instruction
                self._labels = "".join(f"{label} " for label in reversed(message.argument.split()))
            else:
                messages.append(
                    Message(message.problem, message.argument, message.line, message.column, text)
                )
        if messages or cells:
            self.has_failed = bool(messages)
        return AssembledLine(
            cells=None if any(message.is_error for message in messages) else cells,
            messages=_text(*messages),
            traced=self._marks.tracing and not self._marks.once,  # a ;break ends before it marks a cell
        )

    def _remark(self, tokens: list[Token], text: str, address: int) -> AssembledLine:
        """Obey a remark; only ;debug, ;trace and ;break have an effect."""
        if len(tokens) < 2:
            return AssembledLine(cells=())
        messages = ""
        if not self._marks.obey(tokens):
            self.has_failed = True
            messages = _text(Message(Problem.EXTRA_TOKENS, text, address, source=text))
        is_about_copies = tokens[1].text.upper() == "DEBUG" and self._marks.enabled
        moveable = self._marks.moveable if is_about_copies else None
        return AssembledLine(cells=(), messages=messages, moveable=moveable)


def _text(*messages: Message) -> str:
    """Return the messages as pMARS prints them for one line, without the counts that follow a whole warrior's."""
    return "".join(messages_text([message]).partition("Number of")[0] for message in messages)


# -- Registers and help ---------------------------------------------------------------------------


def registers_text(run: DebugRun) -> str:
    """Return the output of `registers`: the warrior at the halt in full, then the other warriors.

    Of two warriors the other one is shown in full too; of more, each has one line.
    """
    text = [
        f"Round {run.battle.round + 1:<3} of {run.battle.rounds:<10} Cycle {run.cycles_left}\n",
        f"Currently executing warrior {run.seat}: {run.name(run.seat):<30}\n",
        _processes_text(run, run.seat),
        _pspace_text(run, run.seat),
    ]
    if run.warrior_count == 2:
        other = 1 - run.seat
        text.append(f"Other warrior: {run.name(other):<30}\n")
        text.append(_processes_text(run, other))
        text.append(_pspace_text(run, other))
    elif run.warrior_count > 2:
        for seat in range(run.warrior_count):
            if seat != run.seat:
                text.append(_warrior_text(run, seat))
        text.append(f"{run.mars.living} of {run.warrior_count} warriors are alive\n")
    return "".join(text)


def help_text(*, has_host: bool, has_display: bool) -> Sequence[str]:
    """Return the lines of `help`: commands, ranges, expressions and macros."""
    exists = {"": True, "h": has_host, "-h": not has_host, "d": has_display, "-d": not has_display}
    return [f"{line}\n" for condition, line in _HELP if exists[condition]]


def _processes_text(run: DebugRun, seat: int) -> str:
    """Return a text of the processes executed last, the next one in brackets, and those that follow.

    Of a long queue the text has 7 executed processes and 7 from the next one on, or 5 of each in a core of more than
    10,000 cells.
    """
    half = 7 if run.mars.rules.size <= 10000 else 5
    count = run.mars.count(seat)
    is_other = seat != run.seat
    is_long = count > 2 * half
    is_cut = is_long or (is_other and count == 2 * half)
    past, future = (half, half) if is_cut else (count // 2, -(-count // 2))
    queue = run.queue(seat)[is_other:]
    shown = [".."] if is_cut else []
    if past <= run.layout.end(seat, count):  # pMARS loses a part that goes around the end of its array
        shown += map(str, queue[len(queue) - past :])
    if count or is_other:
        shown.append(f"[{run.first_address(seat)}]->")
        shown += map(str, queue[: max(future - 1, 0)])
    text = "".join(f"{each} " for each in shown)
    return f"Processes active {count:<6} Process queue:\n{text}{'..' if is_long else ''}\n"


def _pspace_text(run: DebugRun, seat: int) -> str:
    last, *cells = run.mars.pspace(seat)[: PSPACE_SHOWN + 1]
    cells += [0] * (PSPACE_SHOWN - len(cells))
    return f"P-space[{run.pspace_index(seat)}]: <{last}> {''.join(f'{cell} ' for cell in cells)}..\n"


def _warrior_text(run: DebugRun, seat: int) -> str:
    count = run.mars.count(seat)
    return (
        f"Warrior {seat}: {run.name(seat)} at address [{run.first_address(seat)}]"
        f" has {count} active process{'' if count == 1 else 'es'}\n"
    )


# With the condition of each line: h with a host, -h without one; d with a display, -d without one.
_HELP: Final = (
    ("", "Command groups:"),
    ("", "Executing:    continue execute  go       quit     skip     step     thread"),
    ("", "Listing:      list     search"),
    ("", "Tracing:      trace    untrace  moveable"),
    ("", "Editing:      edit     fill"),
    ("", "Information:  help     progress registers"),
    ("", "Macro:        calc     echo     if       macro    remark   reset"),
    ("-d", "Display:      clear"),
    ("d", "Display:      clear    close    display  switch"),
    ("h", "Others:       pqueue   wqueue   pspace   shell    write"),
    ("-h", "Others:       pqueue   wqueue   pspace"),
    ("", ""),
    ("", "Command description, shortest abbreviation in ():"),
    ("", "(ca)lc expr1[,expr2]   calculate expression(s) and echo result(s)"),
    ("", "(cl)ear                clear cdb screen"),
    ("d", "(clo)se                no longer show the core at each halt"),
    ("", "(c)ontinue *           exit cdb and finish simulation"),
    ("d", "(d)isplay              show the core"),
    ("d", "(d)isplay clear|on|off forget what was seen in the core, show it at each halt or not"),
    ("", "(ec)ho string          print string (for commenting macros)"),
    ("", "(e)dit [range]         edit core addresses"),
    ("", "(e(x))ecute [address]  reset process queue to [address] and step"),
    ("", "(f)ill [range]         fill core addresses with instruction"),
    ("", "(g)o *                 execute until next trace"),
    ("", "(h)elp                 show this command summary"),
    ("", "(if) expression        execute next command in chain if expression is not 0"),
    ("", "(l)ist [range]         list core addresses"),
    ("h", "(m)acro [name][,file]  execute macro [name] (from [file], [user]=keyboard)"),
    ("-h", "(m)acro [name][,user]  execute macro [name] ([user]: read macros from keyboard)"),
    ("", "(m)acro                list macros"),
    ("", "(mo)veable on|off      enable/disable copying debug info"),
    ("", "(pq)ueue [1|2|off]     enter/exit process queue debug mode"),
    ("", "(ps)pace [1|2|off]     enter/exit pspace debug mode"),
    ("", "(p)rogress             show result of simulation so far"),
    ("", "(q)uit                 quit program"),
    ("", "(r)egisters            show simulator state"),
    ("", "(rem)ark string        macro comment"),
    ("", "(res)et                terminate macro/command chain processing"),
    ("", "(se)arch pattern       search for wildcarded pattern in core"),
    ("h", "(sh)ell [command]      execute OS command"),
    ("", "(sk)ip [count]         execute [count] steps silently"),
    ("", "(s)tep *               execute next queued instruction"),
    ("d", "(sw)itch               show the core at each halt, or no longer"),
    ("", "(th)read *             step through current thread"),
    ("", "(t)race [range]        set trace of core addresses"),
    ("", "(u)ntrace [range]      clear trace of core addresses"),
    ("h", "(w)rite logfile        write all following output to logfile"),
    ("h", "(w)rite                close logfile"),
    ("", "(wq)ueue [off]         enter/exit warrior queue debug mode"),
    ("", "* [address]            set PC to [address], then continue|go|.."),
    ("", "range: { e | e,e | e, | ,e | , }"),
    ("", "    e: { [0-9]* | . | $ | A | B | PC | PC1 | PC2 | LINES |"),
    ("", "         +e | -e | e+e | e-e | e*e | e/e | e%e | !e | e==e | e!=e |"),
    ("", "         e<e | e>e | e<=e | e>=e | e&&e | e||e | [C-Z] | [C-Z]=e | (e) }"),
    ("", "macro definition: macro-name=command-chain"),
    ("", "command-chain: link[~link]*        link: command | !! | ![e]"),
    ("", "!!: loop start, ![e]: loop end, e: iterations"),
)
