"""Reports in the form of the mail hills."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engines.corewar.hill import ChallengeResult, HillRow, PairResult
from engines.corewar.presets import PRESETS
from protocols.hill.report import Style, report_data, report_text, standings_text

KOTH = replace(PRESETS["94nop"], places=2)


def row(name: str, score: float, age: int, **more: object) -> HillRow:
    facts = {"wins": 40.4, "losses": 41.6, "ties": 18.0} | more
    facts = {"id": 1} | facts
    return HillRow(name=name, author="Ann", score=score, age=age, **facts)  # type: ignore[arg-type]


CHALLENGE = ChallengeResult(
    number=7,
    seconds=1036238526.0,
    challenger=9,
    name="Newcomer",
    author="Ann",
    is_test=False,
    score=129 + 1 / 3,
    meetings=(
        PairResult(opponent="Old King", author="Bob", wins=30, losses=50, ties=20, score=110.0),
        PairResult(opponent="Lowest", author="Bob", wins=100, losses=0, ties=0, score=300.0),
    ),
    table=(
        row("Old King", 138.4, 6),
        row("Newcomer", 129.333, 1),
        row("Lowest", 7.0, 120, wins=2.0, losses=98.0, ties=0.0, fate="pushed off"),
    ),
)


@pytest.fixture(autouse=True)
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "EST5EDT")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_a_report_has_the_form_of_the_mail_hills() -> None:
    assert (
        report_text(KOTH, CHALLENGE, Style())
        == """\
Newcomer by Ann challenges the '94 No P-space hill.

100 rounds against each:
 Score  Wins/Losses/Ties  Opponent
 110.0    30/    50/  20  Old King by Bob
 300.0   100/     0/   0  Lowest by Bob

Your overall score: 129.333333

Lowest has been pushed off the '94 No P-space hill.

The current '94 No P-space hill:
Last battle concluded at : Sat Nov  2 07:02:06 EST 2002
 #  %W/ %L/ %T  Name      Author  Score  Age
 1  40/ 42/ 18  Old King  Ann       138    6
 2  40/ 42/ 18  Newcomer  Ann       129    1
 3   2/ 98/  0  Lowest    Ann         7  120
"""
    )


def test_quiet_omits_the_opponents_and_verbose_adds_the_listing() -> None:
    quiet = report_text(KOTH, CHALLENGE, Style(opponents=False))
    assert "Old King by Bob" not in quiet and "Your overall score: 129.333333\n" in quiet
    verbose = report_text(KOTH, CHALLENGE, Style(listing="\nProgram ...\n\n", warnings="Warning: ...\n"))
    assert "hill.\n\nWarning: ...\n\nProgram ...\n\n100 rounds" in verbose


def test_the_report_of_a_test_says_that_the_hill_is_unchanged() -> None:
    assert "This is a test: the hill stays as it was before.\n" in report_text(
        KOTH, replace(CHALLENGE, is_test=True), Style()
    )


def test_a_report_names_the_killed_warriors() -> None:
    killed = replace(CHALLENGE, table=(*CHALLENGE.table, row("Older", 0.0, 3, fate="killed")))
    text = report_text(KOTH, killed, Style())
    assert "Lowest has been pushed off the '94 No P-space hill.\nOlder has been killed" in text
    assert text.splitlines()[-1].startswith(" 4  40/ 42/ 18  Older")


def test_equal_names_in_a_table_are_told_apart_by_their_challenges() -> None:
    twins = replace(
        CHALLENGE,
        is_test=True,
        table=(row("Newcomer", 138.4, 6, id=4), row("Newcomer", 129.333, 1, id=9), row("Lowest", 7.0, 9)),
    )
    table = report_text(KOTH, twins, Style()).splitlines()[-4:]
    assert [line[16:] for line in table] == [
        "Name             Author  Score  Age",
        "Newcomer #4      Ann       138    6",
        "Newcomer (test)  Ann       129    1",
        "Lowest           Ann         7    9",
    ]


def test_the_report_of_a_melee_lists_no_opponents() -> None:
    melee = replace(CHALLENGE, meetings=())
    text = report_text(PRESETS["94m"], melee, Style())
    assert "All at once, 100 rounds.\n\nYour overall score" in text and "Opponent" not in text


def test_nano_standings_show_one_decimal() -> None:
    lines = standings_text(PRESETS["nano"], CHALLENGE).splitlines()
    assert lines[2] == " #    %W/   %L/   %T  Name      Author  Score  Age"
    assert lines[4] == " 2  40.4/ 41.6/ 18.0  Newcomer  Ann     129.3    1"


def test_the_standings_show_only_warriors_on_the_hill_and_those_just_removed() -> None:
    assert report_text(KOTH, CHALLENGE, Style()).endswith("\n 3   2/ 98/  0  Lowest    Ann         7  120\n")
    text = standings_text(KOTH, CHALLENGE)
    assert text.startswith("The current") and text.splitlines()[-3].startswith(" 2  40/ 42/ 18  Newcomer")
    assert text.splitlines()[-1] == f"Rules: {KOTH.summary}"
    assert standings_text(KOTH, CHALLENGE, [CHALLENGE.table[2].id]).startswith("Lowest has been pushed off")
    assert standings_text(KOTH, None).startswith("The '94 No P-space hill is empty.\n\nRules: core 8000,")


def test_a_report_shows_the_token_before_the_table() -> None:
    text = report_text(KOTH, CHALLENGE, Style(token="t0k-en"))
    assert 'Keep this: the line ";token t0k-en" lets a submission kill Newcomer.\n\nLowest has been' in text
    assert report_data(KOTH, CHALLENGE, "t0k-en") == report_data(KOTH, CHALLENGE) | {"token": "t0k-en"}


def test_report_data_is_json_with_score_fates_and_meetings() -> None:
    data = json.loads(json.dumps(report_data(KOTH, CHALLENGE)))
    assert data["hill"] == "94nop" and data["score"] == CHALLENGE.score
    assert [each["fate"] for each in data["table"]] == ["on the hill", "on the hill", "pushed off"]
    assert data["meetings"][0] == {
        "opponent": "Old King", "author": "Bob", "wins": 30, "losses": 50, "ties": 20, "score": 110.0,
    }  # fmt: skip
