"""Commands, halts, marks, macros and typed lines; slices, limits, interrupts; the display; access to the host."""

import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.dialect import Dialect
from core.corewar.rules import Rules
from protocols.cdb.console import Display, Host, Limits, Output, Yield
from protocols.cdb.debugger import QUIT, Debugger
from protocols.cdb.views import LineAssembler, matches
from protocols.redcode.listing import instruction_text
from tests.protocols.cdb.support import Picture, debugger, printed, transcript, warrior_text

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
    display: Display | None = None,
    limits: Limits | None = None,
) -> Debugger:
    """A debugger at its first prompt."""
    rules = Rules(cycles=cycles, processes=20)
    texts = map(warrior_text, warriors)
    built, _ = debugger(texts, rules, place=500, rounds=rounds, host=host, display=display, limits=limits)
    printed(built.start())
    return built


def said(built: Debugger, *lines: str) -> str:
    """The answer to the last of the lines."""
    return [printed(built.receive(line)) for line in lines][-1]


def test_a_prompt_follows_the_answer_to_each_line() -> None:
    built = begun("imp", "dwarf")
    assert said(built, "calc 2*3") == f"6\n{PROMPT}"
    assert said(built, "@calc c=4") == PROMPT
    assert said(built, "calc c") == f"4\n{PROMPT}"


def test_quit_ends_with_its_own_status_and_continue_with_zero() -> None:
    left = begun("imp", "dwarf")
    assert said(left, "quit") == ""
    assert (left.finished, left.status) == (True, QUIT)
    fought = begun("imp", "dwarf")
    assert said(fought, "continue") == "Exiting cdb to finish simulation\n"
    assert (fought.finished, fought.status) == (True, 0)


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["echo " + 100 * "x"], 80 * "x" + "\n"),
        (["calc 1", " calc 2", ""], "1\n"),  # a line that begins with a blank is not repeated
        (["calc 1+\\", "2"], "3\n"),
        (["rem".ljust(500, "x") + "calc 7"], PROMPT + "7\n"),  # a longer line is two
        (["@calc c=c+1~!2~@calc d=d+1~!3~calc c,d"], "2,3\n"),
        (["if 0~!!~!!~echo a~!2~echo b~!2~echo c"], "c\n"),
        (["!!~" * 12 + "calc 1" + "~!1" * 12], "1\n"),
        (["!!~" * 13 + "calc 1"], "Maximum loop nesting exceeded\n"),
        (["trace 7000~list 7000"], "07000   DAT.F  $     0, $     0    T\n"),
        (["list $+2"], "00001   \n"),
        (["@pspace 2~calc a"], "1\n"),
        (["@pspace~@edit 1~1/0"], "Division by zero\n"),
        (["@pspace~@edit 1~1+"], "Bad expression\n"),
        (["@pqueue~calc $"], "0\n"),
        (["@pspace~5", "step", "list"], "[   5]=0    \n"),
        (["@fill 3,6~nop 1", "list 5"], "00005   NOP.F  $     1, $     0     \n"),
        (["@wq~calc pc2"], "1\n"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_commands_print_the_expected_answers(lines: list[str], answer: str) -> None:
    assert said(begun("imp", "dwarf"), *lines) == answer + PROMPT


@pytest.mark.parametrize(
    ("warriors", "lines", "answer"),
    [
        (
            ["imp", "dies", "imp"],
            ["go"],
            "Warrior 1: Dies terminated\n06239   DAT.F  #     0, #     0     \n",
        ),
        (["imp", "dies", "imp"], ["go", "calc cycle"], "100\n"),
        (["paper", "imp"], ["@skip 21", "@step 300", "@pqueue 1~calc $"], "10\n"),
        (["paper", "imp"], ["@skip 21", "@execute 300", "@pqueue 1~calc $"], "1\n"),
    ],
)
def test_execution_halts_at_deaths_and_after_the_requested_steps(
    warriors: list[str], lines: list[str], answer: str
) -> None:
    assert said(begun(*warriors), *lines) == answer + PROMPT


def test_registers_omit_preceding_processes_that_wrap_around_the_queue() -> None:
    """The queues of two warriors, of 20 processes each, move through 41 places. Of seven processes before the next one
    none is shown when not all of them are before the end."""
    built = begun("paper", "paper", cycles=1000)
    said(built, "@skip 200")
    shown = [said(built, "@skip 1", "registers").count(".. [") for _ in range(41)]
    assert sum(shown) == 2 * 7


def test_warriors_with_the_same_pin_share_a_pspace() -> None:
    assert said(begun("pinned", "pinned"), "registers").count("P-space[0]") == 2
    assert said(begun("imp", "dwarf"), "registers").count("P-space[0]") == 1


# -- Halts and marks -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("warrior", "line", "is_traced"),
    [
        ("imp", "trace 0~@step~list 1", True),  # MOV.I copies a mark
        ("imp", "trace 1~@step~list 1", False),  # and its absence
        ("imp", "trace 5~@skip 20~list 5", False),
        ("imp", "moveable off~trace 1~@step~list 1", True),
        ("pinned", "trace 1~@step~list 1", True),  # MOV.AB does not
        ("imp", "trace 0,2~untrace 1~list 1", False),
        ("imp", "@edit 1~;trace~@edit 1~nop 0~list 1", True),
        ("imp", "@trace 0~edit 1~;debug static~@step~list 1", False),
    ],
)
def test_trace_marks_follow_copied_and_edited_instructions(warrior: str, line: str, is_traced: bool) -> None:
    *_, last, _ = said(begun(warrior, "dwarf"), line).split("\n")
    assert last.endswith("T") == is_traced


NAMES = st.sampled_from(["imp", "dwarf", "paper", "switch", "dies"])


@given(st.lists(NAMES, min_size=2, max_size=2), st.integers(0, 600))
def test_tracing_does_not_change_the_course_of_a_battle(warriors: list[str], ticks: int) -> None:
    """A mark that no process comes to makes the debugger look at every instruction."""
    lines = [f"skip {ticks}", "registers"]
    assert said(begun(*warriors, rounds=9), *lines) == said(begun(*warriors, rounds=9), "trace 7777", *lines)


@given(st.lists(NAMES, min_size=1, max_size=4), st.lists(st.integers(0, 60), min_size=1, max_size=6))
def test_consecutive_skips_equal_one_long_skip(warriors: list[str], parts: list[int]) -> None:
    """Each skip ends with the instruction that is shown."""
    whole = sum(parts) + len(parts) - 1
    lines = [f"skip {part}" for part in parts]
    assert said(begun(*warriors, rounds=9), *lines, "registers") == said(
        begun(*warriors, rounds=9), f"skip {whole}", "registers"
    )


@pytest.mark.parametrize("cycles", [1, 2, 3, 50])
def test_a_round_has_as_many_steps_as_instructions(cycles: int) -> None:
    answer = said(begun("imp", "imp", cycles=cycles, rounds=9), f"skip {2 * cycles}", "registers")
    assert answer.startswith(f"Round 2   of 9          Cycle {cycles}\n")


# -- Slices, limits, interrupts --------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["@go", "skip 4000000", "search xyz", "@list 1,0", "trace 7000~@go", "fill ,~mov c=c+1, <CURLINE"]
)
def test_no_slice_takes_longer_than_20_milliseconds(line: str) -> None:
    """No more than 20 ms; the best of three tries."""
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
def test_limits_stop_lines_that_would_not_end(line: str) -> None:
    built = begun("imp", "switch", cycles=10**9, limits=Limits(characters=20_000, slices=200))
    text = ""
    for part in line.split("\n"):
        text = said(built, part)
    assert len(text) < 40_000
    assert text.endswith(PROMPT)
    assert said(built, "calc 1") == f"1\n{PROMPT}"


def test_an_interrupt_returns_to_the_prompt_without_ending_the_fight() -> None:
    built = begun("imp", "switch", cycles=10**9)
    events = built.receive("@go~calc 1")
    while not isinstance(next(events), Yield):
        pass
    assert printed(built.interrupt()).endswith(PROMPT)
    assert not built.finished
    assert "Round 1" in said(built, "registers")


def test_end_of_input_lets_the_fight_end() -> None:
    built = begun("imp", "dwarf")
    assert printed(built.receive(None)) == "EOF reading command input\nExiting cdb to finish simulation\n"
    assert built.finished


# -- Host, macros, log -----------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["shell ls", "write x.log", "sh", "w"])
def test_shell_and_write_are_unknown_commands_without_a_host(line: str) -> None:
    built = begun("imp", "dwarf")
    assert said(built, line) == f'Unknown command "{line}"\n{PROMPT}'


def test_macros_from_the_keyboard_need_no_host() -> None:
    built = begun("imp", "dwarf")
    assert said(built, "macro a,secret") == (f'Cannot open macro file "secret"\nUnknown macro "A"\n{PROMPT}')
    assert said(built, "macro ,user") == '["." by itself ends keyboard input]\n'
    assert said(built, "twice = calc 2~") == ""
    assert said(built, ".") == f"TWICE= calc 2~\n{PROMPT}"
    assert said(built, "m twice") == f"2\n2\n{PROMPT}"


def test_macro_files_may_hold_remarks_redefinitions_and_continued_lines() -> None:
    """Remarks, later definitions, blanks in a name, continued lines, the end by a dot."""
    text = "a remark\r\none=calc 3\nt w o=calc \\\n2\none=calc 1\n.x=calc 4\n.\nlate=calc 5\n"
    built = begun("imp", "dwarf", host=Disk(pmars=text, other="one=calc 11"))
    assert said(built, "m one~m two~m .x") == f"1\n2\n4\n{PROMPT}"
    assert said(built, "m late") == f'Unknown macro "LATE"\n{PROMPT}'
    assert said(built, "m one,other.mac") == f"11\n{PROMPT}"
    assert said(built, "macro") == f"ONE=calc 11\nTWO=calc 2\n.X=calc 4\n{PROMPT}"


def test_too_many_or_too_long_macros_are_refused() -> None:
    """So many macros, so long; a defined one may still be replaced."""
    longest = "calc 1".ljust(251)  # 254 with its name
    text = "".join(f"m{number}=step\n" for number in range(200)) + f"m0={longest}\n"
    built = begun("imp", "dwarf", host=Disk(pmars=text, more="m2=calc 2\nextra=step\n"))
    assert said(built, "m m0") == f"1\n{PROMPT}"
    assert said(built, "m m2,more.mac") == f"Maximum number of macros exceeded\n2\n{PROMPT}"
    built = begun("imp", "dwarf", host=Disk(pmars=f"long={longest}~~~\n"))
    assert said(built, "m long~calc 1") == f"Macro LONG is too long (>= 255 chars)\n{PROMPT}"
    built = begun("imp", "dwarf", host=Disk(pmars=f"a=step{'~step' * 40}\n"))
    assert said(built, f"m a~{'step~' * 60}") == f"Macro string expansion too long\n{PROMPT}"


def test_write_logs_prompts_commands_and_answers() -> None:
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


def test_shell_runs_after_the_preceding_output_is_sent() -> None:
    disk = Disk()
    built = begun("imp", "dwarf", host=disk)
    events = built.receive("calc 1~shell ls -l")
    assert next(events) == Output(text="1\n")
    assert disk.commands == []
    printed(events)
    assert disk.commands == ["ls -l"]


def test_labels_and_registers_persist_between_edits() -> None:
    built = begun("imp", "dwarf")
    said(built, "@edit 10~here mov c=7, d")
    said(built, "@edit 13~jmp here, c")
    assert said(built, "list 13") == f"00013   JMP.B  $    -3, $     7     \n{PROMPT}"


def test_assembler_messages_are_written_to_standard_error() -> None:
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


# -- Display ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "rounds", "shown"),
    [
        (["step", "skip 10", "go"], 1, ["0 seen", "1 seen", "12 seen", "200 seen"]),
        (["go", "go"], 2, ["0 seen", "200 seen", "200 seen"]),
        (["display off", "step", "step", "d", "display on", "step"], 1, ["0 seen", "2 seen", "3 seen"]),
        (["display off", "@display"], 1, ["0 seen"]),
        (["skip 5", "display clear", "display", "step"], 1, ["0 seen", "6 seen", "0 seen", "1 seen"]),
        (["close", "step", "switch", "step", "sw", "step"], 1, ["0 seen", "1 seen", "2 seen"]),
        (["display 3"], 1, ["0 seen", "Usage: display [clear|on|off]"]),
    ],
)
def test_display_commands_show_clear_and_switch_the_display(
    lines: list[str], rounds: int, shown: list[str]
) -> None:
    texts = map(warrior_text, ("imp", "dwarf"))
    built, battle = debugger(texts, Rules(cycles=100), place=4000, rounds=rounds, display=Picture())
    answers = transcript(built, battle, lines).replace(PROMPT, "").splitlines()
    assert [line for line in answers if "seen" in line or "Usage" in line] == shown


def test_help_lists_display_commands_only_if_there_is_a_display() -> None:
    for display in (None, Picture()):
        text = said(begun("imp", display=display), "help~a")
        for command in ("(clo)se", "(d)isplay", "(sw)itch"):
            assert (command in text) == (display is not None)


# -- Patterns, typed lines -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern", [",", "DAT*,?7T", "dat", "00?2", "#0,$7", "D*F*7", "", "*", 5 * "? " + "D"]
)
def test_search_patterns_match_as_in_pmars(pattern: str) -> None:
    """With the case, and the one flaw that they have in pMARS: 00?2 is in 00012, and not found."""
    line = "00012   DAT.F  #     0, $     7    T\n"
    assert matches(pattern, line) == (pattern not in ("dat", "00?2"))


@pytest.fixture
def assembler() -> LineAssembler:
    return LineAssembler(Rules(), Dialect(version=94), 2, 1)


def typed(assembler: LineAssembler, text: str, address: int = 0) -> list[str]:
    """The instructions of a line, with a T behind those that are traced."""
    line = assembler.assemble(text, address)
    return [instruction_text(cell, 8000) + ("T" if line.traced else "") for cell in line.cells or ()]


def test_a_label_on_its_own_line_names_the_next_instruction(assembler: LineAssembler) -> None:
    assert typed(assembler, "one") == typed(assembler, "two:") == []
    assert typed(assembler, "three nop 0 ; a comment", 10) == ["NOP.F  $     0, $     0"]
    assert typed(assembler, "dat one, two+three", 20) == ["DAT.F  $   -10, $   -20"]


def test_a_trace_comment_marks_later_lines_and_a_break_comment_does_not(assembler: LineAssembler) -> None:
    assert typed(assembler, ";break") + typed(assembler, "dat 1") == ["DAT.F  #     0, $     1"]
    assert typed(assembler, ";trace") + typed(assembler, "dat 1") == ["DAT.F  #     0, $     1T"]
    assert typed(assembler, "; trace off") + typed(assembler, "dat 1") == ["DAT.F  #     0, $     1"]


def test_debug_comments_set_whether_marks_move_with_copies(assembler: LineAssembler) -> None:
    remarks = (";debug static", ";trace", ";debug", ";debug off", ";")
    found = [assembler.assemble(text, 0).moveable for text in remarks]
    assert found == [False, None, True, None, None]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("7, 8", "Error:\n        Unrecognized or improper placement of token: '7'\n"),
        ("@step", "Error:\n        Unrecognized or improper placement of token: '@'\n"),
        ("dat x:", "Error in line 5: 'dat x:'\n        Improper placement of ':'\n"),
        (";trace it", "Warning in line 5: ';trace it'\n        Ignored, extra tokens in line ';trace it'\n"),
    ],
)
def test_lines_that_do_not_assemble_yield_messages(
    assembler: LineAssembler, text: str, messages: str
) -> None:
    assert assembler.assemble(text, 5).messages == messages
    assert assembler.has_failed


def test_an_assembled_instruction_clears_the_failure_status(assembler: LineAssembler) -> None:
    texts = ("?", "x equ 5", "label", "dat VERSION", ";")
    found = []
    for text in texts:
        assembler.assemble(text, 0)
        found.append(assembler.has_failed)
    assert found == [True, True, True, False, False]
