"""The load file, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.assembler import assemble
from core.corewar.instruction import EMPTY, MODES, MODIFIERS, OPERATIONS, pack, signed
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.load_file import LoadFileError, dumps, loads
from protocols.redcode.listing import listing

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
END
"""

NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1).filter(
    lambda name: name == name.lstrip()
)
WARRIORS = st.builds(
    Warrior,
    NAMES,
    NAMES,
    st.lists(
        st.builds(
            pack,
            st.integers(0, len(OPERATIONS) - 1),
            st.integers(0, len(MODIFIERS) - 1),
            st.integers(0, len(MODES) - 1),
            st.integers(0, RULES.size - 1),
            st.integers(0, len(MODES) - 1),
            st.integers(0, RULES.size - 1),
        ),
        min_size=1,
        max_size=RULES.length,
    ).map(tuple),
    st.just(0),
    st.none() | st.integers(-(2**63), 2**63 - 1),
).flatmap(
    lambda warrior: st.integers(0, len(warrior.cells) - 1).map(
        lambda start: Warrior(warrior.name, warrior.author, warrior.cells, start, warrior.pin)
    )
)


@given(WARRIORS)
def test_a_warrior_reads_back_from_its_load_file(warrior: Warrior) -> None:
    text = dumps(warrior, RULES)
    assert loads(text, RULES) == warrior
    assert dumps(loads(text, RULES), RULES) == text


@given(WARRIORS)
def test_the_assembler_reads_the_same_cells(warrior: Warrior) -> None:
    assembly = assemble(dumps(warrior, RULES), RULES)
    assert assembly.cells == warrior.cells
    assert assembly.start == warrior.start


@given(st.text(st.sampled_from("MOV.I$#0, 1-9\n;nameORGPINSTARTEND assertCORESIZE=\r\t"), max_size=80))
def test_any_text_is_a_warrior_or_has_an_error(text: str) -> None:
    try:
        warrior = loads(text, RULES)
    except LoadFileError as error:
        assert 1 <= error.line <= text.count("\n") + 1
    else:
        assert 1 <= len(warrior.cells) <= RULES.length


def test_a_load_file_has_the_documented_form() -> None:
    assert dumps(WARRIOR, RULES) == TEXT
    assert loads(TEXT, RULES) == WARRIOR


def test_the_assembler_reads_a_load_file_without_messages() -> None:
    assembly = assemble(TEXT, RULES)
    assert not assembly.messages
    assert assembly.warrior == WARRIOR


@given(st.integers(1, 2**24), st.data())
def test_a_signed_value_is_the_nearest_to_0(size: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(0, size - 1))
    number = int(signed(value, size))
    assert number % size == value
    assert abs(number) <= size // 2


@given(WARRIORS)
def test_a_listing_in_the_form_of_pmars_is_read(warrior: Warrior) -> None:
    lines = listing(warrior, RULES).split("\n\n")[1]
    read = loads(f"{lines}\n       END\n", RULES)
    assert (read.cells, read.start) == (warrior.cells, warrior.start)


def test_text_after_the_end_is_not_read() -> None:
    assert loads(f"{TEXT}\n;redcode\n;name The next\nMOV 0, 1\n", RULES) == WARRIOR


def test_hand_edited_load_files_are_read() -> None:
    text = "; Name Two words\n;author Me\n\n mov.i $ 800 ,$-801\r\ndat.f  $0, $ +0\n; all\norg 801\npin -3"
    assert loads(text, RULES) == WARRIOR


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no instructions"),
        (";name x\nMOV 0, 1\n", 2, "must be written like MOV"),
        ("MOV.I $0, $1+1\n", 1, "must be written like MOV"),
        ("FOO.I $0, $1\n", 1, "FOO is not one of MOV ADD"),
        ("\nORG START\nDAT.F $0, $0", 2, "no instruction has the label START: 'ORG START'"),
        ("END\nDAT.F $0, $0\n", 1, "no instructions"),
        ("END.I $0, $1\n", 1, "END is not one of"),
        ("MOV.Q $0, $1\n", 1, "Q is not one of A B AB"),
        ("MOV.I $0, $99999999999999999999\n", 1, "must be written like MOV"),
        ("DAT.F $0, $0\n" * 21, 21, "more than 20 instructions"),
        (";assert CORESIZE == 8000\nDAT.F $0, $0\n", 1, "not for a core of 800 cells"),
        ("\nORG 1\nDAT.F $0, $0\n", 2, "starts outside of the instructions: 'ORG 1'"),
        ("DAT.F $0, $0\nORG -1\n", 2, "starts outside of the instructions: 'ORG -1'"),
    ],
)
def test_an_error_names_the_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(LoadFileError, match=reason) as caught:
        loads(text, RULES)
    assert caught.value.line == line


@pytest.mark.parametrize("name", ["", " x", "x\n", "x\r", "two\nlines", "two\x85lines"])
def test_names_that_would_not_read_back_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="one line of text"):
        dumps(Warrior(name, "Me", (EMPTY,), 0), RULES)


def test_warriors_without_instructions_or_a_valid_start_are_refused() -> None:
    with pytest.raises(ValueError, match="without instructions"):
        dumps(Warrior("x", "y", (), 0), RULES)
    with pytest.raises(ValueError, match="outside of the instructions"):
        dumps(Warrior("x", "y", (EMPTY,), 1), RULES)
