"""The debugger as a machine: slices, limits, interrupts, and what a dialogue may do to its host."""

import io
import time

import pytest

from core.corewar.rules import Rules
from protocols.cdb.console import Host, Limits, Output, Yield
from protocols.cdb.debugger import QUIT, Debugger
from tests.protocols.cdb.fights import debugger, heard, warrior_text

PROMPT = "(cdb) "


class Disk:
    """A host with files in memory."""

    def __init__(self, **macros: str) -> None:
        self.macros = macros
        self.logs: dict[str, io.StringIO] = {}
        self.commands: list[str] = []

    def open_log(self, name: str) -> "Disk.Log":
        if name == "forbidden":
            raise PermissionError(name)
        self.logs[name] = self.Log()
        return self.Log(self.logs[name])

    class Log(io.StringIO):
        """A file whose text outlives its closing."""

        def __init__(self, kept: io.StringIO | None = None) -> None:
            super().__init__()
            self.kept = kept

        def write(self, text: str, /) -> int:
            return self.kept.write(text) if self.kept is not None else super().write(text)

    def read_macros(self, name: str) -> str:
        try:
            return self.macros[name.removesuffix(".mac")]
        except KeyError:
            raise FileNotFoundError(name) from None

    def shell(self, command: str) -> None:
        self.commands.append(command)


def begun(
    *warriors: str,
    cycles: int = 100,
    rounds: int = 1,
    host: Host | None = None,
    limits: Limits | None = None,
) -> Debugger:
    built, _ = debugger(
        map(warrior_text, warriors),
        Rules(cycles=cycles),
        place=500,
        rounds=rounds,
        host=host,
        limits=limits,
    )
    heard(built.start())
    return built


def said(built: Debugger, line: str) -> str:
    return heard(built.receive(line))


def test_a_prompt_after_each_line() -> None:
    built = begun("imp", "dwarf")
    assert said(built, "calc 2*3") == f"6\n{PROMPT}"
    assert said(built, "@calc c=4") == PROMPT
    assert said(built, "calc c") == f"4\n{PROMPT}"


def test_quit_and_continue() -> None:
    left = begun("imp", "dwarf")
    assert said(left, "quit") == ""
    assert (left.finished, left.status) == (True, QUIT)
    fought = begun("imp", "dwarf")
    assert said(fought, "continue") == "Exiting cdb to finish simulation\n"
    assert (fought.finished, fought.status) == (True, 0)


@pytest.mark.parametrize(
    "line", ["@go", "skip 4000000", "search xyz", "@list 1,0", "trace 7000~@go", "fill ,~mov c=c+1, <CURLINE"]
)
def test_no_slice_takes_long(line: str) -> None:
    """20 ms are the law of the house; the best of three tries."""
    longest = []
    for _ in range(3):
        built = begun("imp", "switch", cycles=2_000_000)
        began, gaps = time.process_time(), [0.0]
        for event in built.receive(line):
            if isinstance(event, Yield):
                gaps.append(time.process_time() - began)
                began = time.process_time()
            if len(gaps) > 40:
                break
        longest.append(max(gaps))
    assert min(longest) < 0.02


@pytest.mark.parametrize(
    "line", ["!!~ca .~!", "!!~@ca .~!", "@go", "search x~list ,$~a", "macro user\na=m a~m a\n.\nm a"]
)
def test_limits_end_any_line(line: str) -> None:
    built = begun("imp", "switch", cycles=10**9, limits=Limits(characters=20_000, slices=200))
    text = ""
    for part in line.split("\n"):
        text = said(built, part)
    assert len(text) < 40_000
    assert text.endswith(PROMPT)
    assert said(built, "calc 1") == f"1\n{PROMPT}"


def test_interrupt_comes_up_before_the_next_instruction() -> None:
    built = begun("imp", "switch", cycles=10**9)
    events = built.receive("@go~calc 1")
    while not isinstance(next(events), Yield):
        pass
    assert heard(built.interrupt()).endswith(PROMPT)
    assert not built.finished
    assert "Round 1" in said(built, "registers")


def test_end_of_input_lets_the_fight_end() -> None:
    built = begun("imp", "dwarf")
    assert heard(built.receive(None)) == "EOF reading command input\nExiting cdb to finish simulation\n"
    assert built.finished


@pytest.mark.parametrize("line", ["shell ls", "write x.log", "sh", "w"])
def test_no_host_no_files(line: str) -> None:
    built = begun("imp", "dwarf")
    assert said(built, line) == f'Unknown command "{line}"\n{PROMPT}'


def test_macros_from_the_keyboard_need_no_host() -> None:
    built = begun("imp", "dwarf")
    assert said(built, "macro a,secret") == (f'Cannot open macro file "secret"\nUnknown macro "A"\n{PROMPT}')
    assert said(built, "macro ,user") == '["." by itself ends keyboard input]\n'
    assert said(built, "twice = calc 2~") == ""
    assert said(built, ".") == f"TWICE= calc 2~\n{PROMPT}"
    assert said(built, "m twice") == f"2\n2\n{PROMPT}"


def test_macro_files() -> None:
    built = begun("imp", "dwarf", host=Disk(pmars="one=calc 1\nlong=calc \\\n2\n", other="one=calc 11"))
    assert said(built, "m one~m long") == f"1\n2\n{PROMPT}"
    assert said(built, "m one,other.mac") == f"11\n{PROMPT}"
    assert said(built, "macro") == f"ONE=calc 11\nLONG=calc 2\n{PROMPT}"


def test_log() -> None:
    disk = Disk()
    built = begun("imp", "dwarf", host=disk)
    assert said(built, "write") == f"Usage: write logfile\n{PROMPT}"
    assert said(built, "write forbidden") == f"Cannot open logfile\n{PROMPT}"
    said(built, "write a.log")
    for line in ("calc 1", "@calc 2", "&calc 3", "write"):
        said(built, line)
    assert disk.logs["a.log"].getvalue() == (
        f"Opening logfile\n{PROMPT}calc 1\n1\n{PROMPT}@calc 2\n2\n{PROMPT}&calc 3\n{PROMPT}write\nClosing logfile\n"
    )


def test_shell_runs_after_what_was_said() -> None:
    disk = Disk()
    built = begun("imp", "dwarf", host=disk)
    events = built.receive("calc 1~shell ls -l")
    assert next(events) == Output(text="1\n")
    assert disk.commands == []
    heard(events)
    assert disk.commands == ["ls -l"]


def test_names_and_registers_stay_known() -> None:
    built = begun("imp", "dwarf")
    said(built, "@edit 10~here mov c=7, d")
    said(built, "@edit 13~jmp here, c")
    assert said(built, "list 13") == f"00013   JMP.B  $    -3, $     7     \n{PROMPT}"


def test_a_complaint_of_the_assembler_is_an_error() -> None:
    built = begun("imp", "dwarf")
    errors = [
        event.text
        for event in built.receive("edit 10~mov nowhere, 1")
        if isinstance(event, Output) and event.is_error
    ]
    assert errors == [
        "Error in line 10: 'mov nowhere, 1'\n        Undefined label or symbol: 'nowhere'\n"
        "Error in line 10: 'mov nowhere, 1'\n        Incomplete operand at instruction 'MOV'\n"
    ]
