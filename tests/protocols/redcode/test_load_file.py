"""The load file, and back."""

import pytest

from core.corewar.instruction import EMPTY, pack
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from protocols.redcode.assemble import assemble
from protocols.redcode.load_file import LoadFileError, dumps, loads

RULES = Rules(size=800, length=20, distance=20)
WARRIOR = Warrior("Two words", "Me", (pack(0, 6, 1, 0, 1, 799), EMPTY), 1, -3)
TEXT = """\
;redcode
;name Two words
;author Me
;assert CORESIZE == 800
ORG 1
PIN -3
MOV.I  $0, $-1
DAT.F  $0, $0
"""


def test_the_form() -> None:
    assert dumps(WARRIOR, RULES) == TEXT
    assert loads(TEXT, RULES) == WARRIOR


def test_the_assembler_reads_it_too() -> None:
    assembly = assemble(TEXT, RULES)
    assert not assembly.messages
    assert assembly.warrior == WARRIOR


def test_a_person_may_edit_it() -> None:
    text = "; Name Two words\n;author Me\n\n mov.i $ 800 ,$-801\r\ndat.f  $0, $ +0\n; all\norg 801\npin -3"
    assert loads(text, RULES) == WARRIOR


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no instructions"),
        (";name x\nMOV 0, 1\n", 2, "no plain instruction"),
        ("MOV.I $0, $1+1\n", 1, "no plain instruction"),
        ("FOO.I $0, $1\n", 1, "no such operation"),
        ("END.I $0, $1\n", 1, "no such operation"),
        ("MOV.Q $0, $1\n", 1, "no such operation"),
        ("MOV.I $0, $9999999999999999999\n", 1, "no plain instruction"),
        ("DAT.F $0, $0\n" * 21, 21, "more than 20 instructions"),
        (";assert CORESIZE == 8000\nDAT.F $0, $0\n", 1, "not for a core of 800 cells"),
    ],
)
def test_an_error_names_the_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(LoadFileError, match=reason) as caught:
        loads(text, RULES)
    assert caught.value.line == line


@pytest.mark.parametrize("name", ["", " x", "two\nlines", "two\x85lines"])
def test_a_name_that_would_not_come_back(name: str) -> None:
    with pytest.raises(ValueError, match="one line of text"):
        dumps(Warrior(name, "Me", (EMPTY,), 0), RULES)
