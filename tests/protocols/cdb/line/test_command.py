"""A command taken apart, and the range in its argument."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.cdb.command_line import MAX_ARGUMENT, Range, parse, range_of
from protocols.cdb.console import LOUD, MUTE, SILENT

BEFORE = Range(7, 8)


def value(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


@pytest.mark.parametrize(
    ("text", "silence", "verb", "argument"),
    [
        ("list 1,2", LOUD, "list", "1,2"),
        ("  @ sTeP  ", SILENT, "sTeP", ""),
        ("&l5", MUTE, "l", "5"),
        ("!!", LOUD, "", "!!"),
        ("echo  a  b ", LOUD, "echo", "a  b"),
    ],
)
def test_parse(text: str, silence: int, verb: str, argument: str) -> None:
    command = parse(text)
    assert (command.silence, command.verb, command.argument) == (silence, verb, argument)


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("3", Range(3, 3)),
        ("3,4", Range(3, 4)),
        ("3,", Range(3, 50)),
        (",4", Range(50, 4)),
        (",", BEFORE),
        ("", BEFORE),
        ("x", None),
        ("3,x", None),
    ],
)
def test_range(argument: str, expected: Range | None) -> None:
    assert range_of(parse(f"list {argument}"), value, 50, BEFORE) == expected


@given(st.text(st.characters(codec="latin-1")))
def test_any_text_is_a_command(text: str) -> None:
    command = parse(text)
    assert len(command.argument) <= MAX_ARGUMENT
    assert command.verb.isalpha() or not command.verb
