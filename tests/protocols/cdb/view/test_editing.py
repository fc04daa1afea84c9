"""Lines typed at the debugger: what one leaves to the next, and what it says about the exit status."""

import pytest

from core.corewar.dialect import Dialect
from core.corewar.rules import Rules
from protocols.cdb.views import LineAssembler
from protocols.redcode.listing import instruction_text


@pytest.fixture
def assembler() -> LineAssembler:
    return LineAssembler(Rules(), Dialect(version=94), 2, 1)


def typed(assembler: LineAssembler, text: str, address: int = 0) -> list[str]:
    """The instructions of a line, with a T behind those that are traced."""
    line = assembler.assemble(text, address)
    return [instruction_text(cell, 8000, False) + ("T" if line.traced else "") for cell in line.cells or ()]


def test_a_label_waits_for_an_instruction(assembler: LineAssembler) -> None:
    assert typed(assembler, "one") == typed(assembler, "two:") == []
    assert typed(assembler, "three nop 0 ; a comment", 10) == ["NOP.F  $     0, $     0"]
    assert typed(assembler, "dat one, two+three", 20) == ["DAT.F  $   -10, $   -20"]


def test_a_trace_holds_on_and_a_break_does_not(assembler: LineAssembler) -> None:
    assert typed(assembler, ";break") + typed(assembler, "dat 1") == ["DAT.F  #     0, $     1"]
    assert typed(assembler, ";trace") + typed(assembler, "dat 1") == ["DAT.F  #     0, $     1T"]
    assert typed(assembler, "; trace off") + typed(assembler, "dat 1") == ["DAT.F  #     0, $     1"]


def test_debug_is_about_copies(assembler: LineAssembler) -> None:
    said = [
        assembler.assemble(f";{words}", 0).moveable
        for words in ("debug static", "trace", "debug", "debug off", "")
    ]
    assert said == [False, None, True, None, None]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("7, 8", "Error:\n        Unrecognized or improper placement of token: '7'\n"),
        ("@step", "Error:\n        Unrecognized or improper placement of token: '@'\n"),
        ("dat x:", "Error in line 5: 'dat x:'\n        Improper placement of ':'\n"),
        (";trace it", "Warning in line 5: ';trace it'\n        Ignored, extra tokens in line ';trace it'\n"),
    ],
)
def test_complaints(assembler: LineAssembler, text: str, complaint: str) -> None:
    assert assembler.assemble(text, 5).messages == complaint
    assert assembler.has_failed


def test_an_instruction_that_assembles_makes_it_good_again(assembler: LineAssembler) -> None:
    for text, has_failed in (
        ("?", True),
        ("x equ 5", True),
        ("label", True),
        ("dat VERSION", False),
        (";", False),
    ):
        assembler.assemble(text, 0)
        assert assembler.has_failed == has_failed
