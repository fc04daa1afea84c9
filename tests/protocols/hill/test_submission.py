"""Submissions: where one ends, what the first line says, which are accepted, and the reasons of the others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.corewar.hill import Kills
from engines.corewar.presets import PRESETS, Preset
from protocols.hill.submission import (
    MAX_BYTES,
    MAX_TOKENS,
    Assembled,
    Submission,
    SubmissionError,
    SubmissionReader,
    assemble_submission,
    token_digest,
)
from protocols.redcode.listing import NAME_CHARACTERS
from tests.protocols.hill.support import bomber

NANO = PRESETS["nano"]


def made(text: str, preset: Preset = NANO) -> Assembled:
    assembled = assemble_submission(Submission.read(text), preset)
    assert isinstance(assembled, Assembled)
    return assembled


@pytest.mark.parametrize(
    ("line", "tag", "words"),
    [
        (";redcode", "", ""),
        (";redcode-94nop", "94nop", ""),
        (";REDCODE-94NOP Quiet", "94nop", "quiet"),
        (";redcode-nano test verbose", "nano", "verbose test"),
        (";redcode-x json,test", "x", "json test"),
        (";redcode quiet json", "", "quiet json"),
    ],
)
def test_the_first_line_contains_the_tag_and_the_flags(line: str, tag: str, words: str) -> None:
    submission = Submission.read(f"{line}\nDAT 0\n")
    flags = {name: getattr(submission, f"is_{name}") for name in ("quiet", "verbose", "test", "json")}
    assert submission.tag == tag
    assert {name for name, is_set in flags.items() if is_set} == set(words.split())


def test_text_around_a_warrior_is_left_out() -> None:
    text = "From: ann\n\nHello\n;redcode-nano\nDAT 0\n;redcode-94\nMOV 0, 1\n"
    assert Submission.read(text).source == ";redcode-nano\nDAT 0\n"


@pytest.mark.parametrize(
    "text", ["", "MOV 0, 1\n", "; redcode\nMOV 0, 1\n", ";redcoder\n", "x" * (MAX_BYTES + 1)]
)
def test_texts_without_a_redcode_line_or_too_long_are_refused(text: str) -> None:
    with pytest.raises(SubmissionError):
        Submission.read(text)


def test_an_accepted_submission_yields_a_warrior_its_kills_and_a_listing() -> None:
    good = made(bomber(7, words=" test").replace(";assert", ";kill Old one\n;kill Older\n;assert"))
    challenger = good.challenger
    assert (challenger.warrior.name, challenger.warrior.author) == ("Every 7", "Ann")
    assert len(challenger.warrior.cells) == 4 and challenger.warrior.start == 0
    assert challenger.kills == Kills(author="Ann", names=("Old one", "Older"), tokens=())
    assert challenger.is_test
    assert good.warnings == "" and good.listing.startswith('Program "Every 7" (length 4) by "Ann"')


@pytest.mark.parametrize("line", [";token {}", "\t ; TOKEN\t{}  ", "\xa0;token\xa0{}"])
def test_tokens_are_kept_only_as_digests(line: str) -> None:
    secret = "s3-cret_S3CRET"
    text = f"{line.format('other')}\n" + bomber(7).replace(";assert", f"{line.format(secret)}\n;assert")
    submission = Submission.read(text)
    assert submission.tokens == (token_digest(secret),)
    good = made(text)
    assert good.challenger.kills.tokens == submission.tokens
    assert secret not in repr(submission) + repr(good)
    with pytest.raises(SubmissionError, match=r"Error in line 8: ' +MVO\.I"):  # the others keep their numbers
        made(text.replace("MOV.I", "MVO.I"))


def test_similar_comments_are_not_read_as_tokens() -> None:
    text = bomber(7).replace(
        ";assert", ";tokens a\n;nontoken b\nMOV 0, 1 ;token c\n;strategy token d\n;assert"
    )
    assert Submission.read(text).tokens == () and Submission.read(text).source == text


def test_more_than_100_tokens_are_refused() -> None:
    tokens = ";token x\n" * MAX_TOKENS
    assert Submission.read(f";redcode-nano\n{tokens}").tokens == (token_digest("x"),) * MAX_TOKENS
    with pytest.raises(SubmissionError, match="at most 100 lines with ;token"):
        Submission.read(f";redcode-nano\n{tokens};token y\n")


@pytest.mark.parametrize("end", ["", "END\n", "; and a word\n\n", "ORG 0\nEND 0\n"])
def test_kills_need_no_program(end: str) -> None:
    head, kills = ";redcode-nano\n", f";author Ann\n;kill Old\n;kill  Older \n;token x\n{end}"
    assert assemble_submission(Submission.read(head + kills), NANO) == Kills(
        author="Ann", names=("Old", "Older"), tokens=(token_digest("x"),)
    )
    for no_kills in (
        f";redcode-nano test\n{kills}",
        f"{head};assert 0\n{kills}",
        f"{head};author Ann\n{end}",
    ):
        with pytest.raises(SubmissionError, match="could not be assembled"):
            assemble_submission(Submission.read(no_kills), NANO)


def test_warnings_are_passed_on() -> None:
    assert "Missing ';assert'" in made(";redcode-nano\nMOV 0, 1\n").warnings


@pytest.mark.parametrize(
    ("preset", "text", "reason"),
    [
        ("nano", bomber(7).replace("nano", "94"), "this hill takes ;redcode-nano, not ;redcode-94"),
        ("88", ";redcode-94\nDAT #0\n", "this hill takes ;redcode, not ;redcode-94"),
        ("nano", ";redcode-nano\n;name Nothing\n", "No instructions"),
        ("nano", ";redcode-nano\nMOV 1\n", "Error in line 2: 'MOV 1'"),
        ("nano", ";redcode-nano\n" + "DAT 0\n" * 6, "Too many instructions"),
        ("nano", ";redcode-nano\n;assert CORESIZE == 8000\nDAT 0\n", "Assertion in this line fails"),
        ("94nop", ";redcode-94nop\nLDP #0, 1\n", "LDP and STP are refused"),
        ("94nop", ";redcode-94nop\nMOV 0, 1\nSTP.AB #0, #1\n", "LDP and STP are refused"),
        ("88", ";redcode\nMOV.I 0, 1\n", "'88 format"),
        ("88", ";redcode\nSEQ 0, 1\n", "'88 format"),
    ],
)
def test_submissions_that_break_the_rules_of_the_hill_are_refused(
    preset: str, text: str, reason: str
) -> None:
    with pytest.raises(SubmissionError) as error:
        made(text, PRESETS[preset])
    assert reason in str(error.value)


def test_instructions_refused_by_one_hill_are_accepted_by_another() -> None:
    assert made(";redcode-94\nLDP #0, 1\n", PRESETS["94"]).challenger.warrior.cells
    assert made(";redcode\nMOV 0, 1\n", PRESETS["88"]).challenger.warrior.cells


def test_assertions_see_the_constants_of_the_hill() -> None:
    for name, assertion in (
        ("nano", "WARRIORS == 2 && ROUNDS == 142 && MAXLENGTH == 5"),
        ("94m", "WARRIORS == 11 && ROUNDS == 100"),
        ("94x", "CORESIZE == 55440 && PSPACESIZE == 3465"),
    ):
        text = f";redcode-{PRESETS[name].tag}\n;assert {assertion}\nMOV 0, 1\n"
        assert made(text, PRESETS[name]).warnings == ""


def test_no_break_spaces_are_read_as_blanks() -> None:
    assert (
        made(bomber(7).replace("  ", "\xa0 ")).challenger.warrior.cells
        == made(bomber(7)).challenger.warrior.cells
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Imp", "Imp"),
        ("  two \t words ", "two ? words"),
        ("L\xe9on <b>", "L?on <b>"),
        ("x" * 100, "x" * NAME_CHARACTERS),
        ("../../etc/passwd\x7f\x1b[2J", "../../etc/passwd??[2J"),
        ("", "Unknown"),
    ],
)
def test_names_are_reduced_to_printable_text(name: str, shown: str) -> None:
    assert made(bomber(7).replace("Every 7", name)).challenger.warrior.name == shown
    author = made(bomber(7).replace("Ann", name)).challenger.warrior.author
    assert author == shown.replace("Unknown", "Anonymous")


@given(
    st.lists(
        st.text(alphabet=st.characters(max_codepoint=255), max_size=300)
        | st.sampled_from([";token 12345", ";kill x", ";author y", "\n"])
    ).map("\n".join)
)
def test_random_text_is_accepted_or_refused_with_a_message(text: str) -> None:
    try:
        submission = Submission.read(f";redcode-nano\n{text}")
        assert "\n;token 12345\n" not in submission.source
        assemble_submission(submission, NANO)
    except SubmissionError as error:
        assert str(error)


# -- Where one submission ends and the next begins --------------------------------------------------


def received(text: str) -> list[str]:
    reader = SubmissionReader()
    found = [whole for line in text.split("\n") if (whole := reader.receive(line)) is not None]
    rest = reader.end()
    return found + ([rest] if rest else [])


@pytest.mark.parametrize("between", ["", ".\n", "\n\n", "END\nafterwards\n", ".\n.\nprose\n"])
def test_text_between_two_submissions_is_dropped(between: str) -> None:
    first, second = bomber(3), bomber(7)
    assert received(f"{first}{between}{second}") == [first, second]


@pytest.mark.parametrize(
    "last", ["END", "end", "  end start", "foo END foo ; the end", "END start+1;", "foo: end", "."]
)
def test_end_in_any_spelling_ends_a_submission(last: str) -> None:
    reader = SubmissionReader()
    assert reader.receive(";redcode") is None
    assert reader.receive("foo MOV 0, 1") is None
    whole = reader.receive(last)
    assert whole is not None and whole.startswith(";redcode\nfoo MOV 0, 1\n")
    assert reader.end() is None


@pytest.mark.parametrize("line", ["", "; END", "ender MOV 0, 1", "JMP end1", ";end", "MOV 0, 1 ; END", ". ."])
def test_lines_that_resemble_end_do_not_end_a_submission(line: str) -> None:
    reader = SubmissionReader()
    assert reader.receive(";redcode") is None
    assert reader.receive(line) is None
    assert reader.end() == f";redcode\n{line}\n"


def test_an_end_inside_for_0_does_not_end_a_submission() -> None:
    text = ";redcode\nFOR 0\nThe\nend\nROF\nMOV 0, 1\n"
    assert received(f"{text}END\n") == [f"{text}END\n"]


def test_the_next_first_line_ends_an_unfinished_submission() -> None:
    assert received(";redcode\nMOV 0, 1\n;redcode-94\nDAT 0\n") == [
        ";redcode\nMOV 0, 1\n",
        ";redcode-94\nDAT 0\n\n",
    ]


def test_a_submission_of_more_than_65536_bytes_is_refused() -> None:
    reader = SubmissionReader()
    reader.receive(";redcode")
    with pytest.raises(SubmissionError, match="at most 65536 bytes"):
        for _ in range(MAX_BYTES // 100 + 1):
            reader.receive(";" * 99)


@given(
    st.lists(st.sampled_from([";redcode-94", "MOV 0, 1", "END", ".", "FOR 2", "ROF", "x", ""]), max_size=30)
)
def test_every_submission_begins_with_its_first_line(lines: list[str]) -> None:
    found = received("\n".join(lines))
    assert all(each.startswith(";redcode-94\n") for each in found)
    assert len(found) == lines.count(";redcode-94")
