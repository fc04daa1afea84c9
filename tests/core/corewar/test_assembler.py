"""Plain lines, and the cells that they become."""

import pytest

from core.corewar.assembler import LATER, NOT_PLAIN, Counter, Encoder, Names, is_plain_arithmetic, plain_line
from core.corewar.instruction import DAT, DIRECT, DJN, DOT_B, DOT_F, IMMEDIATE, MOV, pack


@pytest.mark.parametrize(
    ("text", "label", "written"),
    [
        ("mov 0, 1", "", "MOV 0,1"),
        ("\tloop: DJN.f  $ a+1 ,<b \t", "loop", "DJN.F $a+1,<b"),
        ("loop:jmp loop", "loop", "JMP loop"),
        ("data&i dat #&5, 1", "", ""),
        ("data&i dat 1, dist&j&i", "data&i", "DAT 1,dist&j&i"),
        ("x mov *-1, (2*y)%3", "x", "MOV *-1,(2*y)%3"),
    ],
)
def test_what_a_plain_line_says(text: str, label: str, written: str) -> None:
    line = plain_line(text)
    assert (line.label, line.text()) == (label, written) if line else not written


@pytest.mark.parametrize(
    "text",
    [
        "", "mov", "mov 1", "mov 0, 1, 2", "mov 0 1, 2", "mov.q 0, 1", "mov#1, 2", "5a mov 1, 2", "for mov 1, 2",
        "a b mov 1, 2", "mov 5a, 1", "mov a==1, 2", "mov 0, ", "x equ 1", "org 1", "mov\xa00, 1", "mov a&5, 1",
        "label", "mov !1, 2", "mov 0, 1 ; x",
    ],
)  # fmt: skip
def test_what_is_no_plain_line(text: str) -> None:
    assert plain_line(text) is None


@pytest.mark.parametrize("text", ["1", "(a+2)*-3", "x1", "a&i", "a+"])
def test_plain_arithmetic(text: str) -> None:
    assert is_plain_arithmetic(text)


@pytest.mark.parametrize("text", ["", "#1", "1, 2", "a b", "a=1", "*1"])
def test_more_than_plain_arithmetic(text: str) -> None:
    assert not is_plain_arithmetic(text)


def cell(text: str, names: Names | None = None, address: int = 0) -> int:
    line = plain_line(text)
    assert line
    return Encoder(names or {}, 8000, "0.9.2", 4, 4).cell(line, address)


def test_cells() -> None:
    names: Names = {"back": 3, "step": "back*2", "i": Counter(7), "x07": 5, "more": None}
    assert cell("djn back, #step", names, 10) == pack(DJN, DOT_B, DIRECT, 7993, IMMEDIATE, 7986)
    assert cell("djn.f x&i, i", names, 5) == pack(DJN, DOT_F, DIRECT, 0, DIRECT, 7)
    assert cell("dat -1") == pack(DAT, DOT_F, IMMEDIATE, 0, DIRECT, 7999)
    assert cell("mov 8-2*3-1, 1", names) == pack(MOV, 6, DIRECT, 3, DIRECT, 1)


@pytest.mark.parametrize("text", ["jmp ahead", "jmp a", "jmp 1/0", "jmp 1+", "jmp 9223372036854775807+1"])
def test_what_must_wait(text: str) -> None:
    assert cell(text) == LATER


@pytest.mark.parametrize(
    "text", ["jmp more", "jmp mov", "jmp curline", "jmp x&j", "jmp deep", "jmp long+long"]
)
def test_what_is_not_plain_after_all(text: str) -> None:
    assert cell(text, {"more": None, "deep": "deep", "long": "+" * 60}) == NOT_PLAIN


def test_a_line_that_waits_keeps_what_is_known() -> None:
    encoder = Encoder({"i": Counter(3), "here": 1}, 8000, "0.9.2", 4, 4)
    line = plain_line("mov here+x&i, ahead")
    assert line
    assert encoder.cell(line, 5) == LATER
    partly = encoder.partly(line)
    assert partly.text() == "MOV -4+x03,ahead"
    encoder.names.update(x03=7, ahead=9)
    assert encoder.cell(partly, 5) == pack(MOV, 6, DIRECT, 8000 - 2, DIRECT, 4)
