"""Where one submission ends and the next begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.hill.letters import Letters
from protocols.hill.submission import MAX_BYTES, SubmissionError
from tests.protocols.hill.warriors import bomber


def received(text: str) -> list[str]:
    letters = Letters()
    found = [whole for line in text.split("\n") if (whole := letters.receive(line)) is not None]
    rest = letters.end()
    return found + ([rest] if rest else [])


@pytest.mark.parametrize("between", ["", ".\n", "\n\n", "END\nafterwards\n", ".\n.\nprose\n"])
def test_two_letters(between: str) -> None:
    first, second = bomber(3), bomber(7)
    assert received(f"{first}{between}{second}") == [first, second]


@pytest.mark.parametrize(
    "last", ["END", "end", "  end start", "foo END foo ; the end", "END start+1;", "foo: end", "."]
)
def test_ends(last: str) -> None:
    letters = Letters()
    assert letters.receive(";redcode") is None
    assert letters.receive("foo MOV 0, 1") is None
    whole = letters.receive(last)
    assert whole is not None and whole.startswith(";redcode\nfoo MOV 0, 1\n")
    assert letters.end() is None


@pytest.mark.parametrize("line", ["", "; END", "ender MOV 0, 1", "JMP end1", ";end", "MOV 0, 1 ; END", ". ."])
def test_no_ends(line: str) -> None:
    letters = Letters()
    assert letters.receive(";redcode") is None
    assert letters.receive(line) is None
    assert letters.end() == f";redcode\n{line}\n"


def test_prose_in_a_for_0_may_end() -> None:
    text = ";redcode\nFOR 0\nThe\nend\nROF\nMOV 0, 1\n"
    assert received(f"{text}END\n") == [f"{text}END\n"]


def test_the_next_letter_ends_one_without_an_end() -> None:
    assert received(";redcode\nMOV 0, 1\n;redcode-94\nDAT 0\n") == [
        ";redcode\nMOV 0, 1\n",
        ";redcode-94\nDAT 0\n\n",
    ]


def test_a_letter_too_large() -> None:
    letters = Letters()
    letters.receive(";redcode")
    with pytest.raises(SubmissionError, match="at most 65536 bytes"):
        for _ in range(MAX_BYTES // 100 + 1):
            letters.receive(";" * 99)


@given(
    st.lists(st.sampled_from([";redcode-94", "MOV 0, 1", "END", ".", "FOR 2", "ROF", "x", ""]), max_size=30)
)
def test_every_letter_begins_with_its_first_line(lines: list[str]) -> None:
    found = received("\n".join(lines))
    assert all(each.startswith(";redcode-94\n") for each in found)
    assert len(found) == lines.count(";redcode-94")
