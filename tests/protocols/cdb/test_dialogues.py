"""Recorded dialogues with pMARS 0.9.2, built with its debugger and without a display."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from core.corewar.rules import Rules
from tests.protocols.cdb.support import Picture, debugger, transcript, warrior_text


class Recorded(NamedTuple):
    """One dialogue of dialogues.txt: a title, warriors, options, lines typed, and all that pMARS printed."""

    title: str
    warriors: list[str]
    options: dict[str, int]
    lines: list[str]
    status: int
    printed: str


class NoFiles:
    """A host without files, as when pMARS was recorded."""

    def open_log(self, name: str) -> StringIO:
        raise OSError

    def read_macros(self, name: str) -> str:
        raise FileNotFoundError(name)

    def shell(self, command: str) -> None:
        raise AssertionError(command)


def options_of(words: list[str]) -> dict[str, int]:
    """`-F 500 -8`: a flag is 1."""
    options: dict[str, int] = {}
    for word, following in zip(words, [*words[1:], "-"], strict=True):
        if word.startswith("-"):
            options[word[1:]] = int(following) if following.isdecimal() else 1
    return options


def recordings() -> Iterator[Recorded]:
    text = Path(__file__).with_name("dialogues.txt").read_text(encoding="latin-1")
    for part in text.split("### ")[1:]:
        title, warriors, options, *rest = part.split("\n")
        typed = [line[2:] for line in rest if line.startswith("> ")]
        status, *printed = rest[len(typed) :]
        yield Recorded(
            title=title,
            warriors=warriors.split(),
            options=options_of(options.split()),
            lines=typed,
            status=int(status.split()[1]),
            printed="\n".join(printed).rstrip("\n"),
        )


@pytest.mark.parametrize("recorded", tuple(recordings()), ids=lambda recorded: recorded.title)
@pytest.mark.parametrize("has_display", [False, True])
def test_recorded_dialogues_of_pmars_are_reproduced(recorded: Recorded, has_display: bool) -> None:
    if has_display and "help" in "".join(recorded.lines):
        pytest.skip("help names the command display")
    built, battle = debugger(
        map(warrior_text, recorded.warriors),
        Rules(cycles=recorded.options["c"]),
        place=recorded.options.get("F", 0),
        rounds=recorded.options.get("r", 1),
        at_once="without -e" not in recorded.title,
        host=NoFiles(),
        display=Picture(is_blank=True) if has_display else None,
    )
    assert transcript(built, battle, recorded.lines).rstrip("\n") == recorded.printed
    assert built.status == recorded.status


def test_core_dumps_equal_those_of_pmars(shared_data: Path) -> None:
    """Registers, queue and core after so many steps, of warriors by others."""
    folder = shared_data / "corewar"
    dumps = map(
        json.loads, (folder / "expected" / "core_dumps.jsonl").read_text(encoding="utf-8").splitlines()
    )
    for dump in dumps:
        options = options_of([word for word in dump["args"] if not word.endswith(".red")])
        files = [word for word in dump["args"] if word.lower().endswith(".red")]
        rules = Rules(
            size=options.get("s", 8000),
            cycles=options.get("c", 80000),
            processes=options.get("p", 8000),
            length=options.get("l", 100),
            distance=options.get("d", 100),
        )
        texts = [(folder / file).read_text(encoding="latin-1") for file in files]
        built, battle = debugger(texts, rules, place=options["F"], icws88="8" in options, host=NoFiles())
        printed, expected = transcript(built, battle, dump["stdin"].split("\n")[:-1]), dump["stdout"]
        if "?" in expected:  # cells beyond the end of the P-space are not defined
            printed, expected = _masked(printed, rules.pspace), _masked(expected, rules.pspace)
        assert printed == expected, dump["id"]


def _masked(text: str, cells: int) -> str:
    return re.sub(rf"(P-space\[\d+\]:(?: \S+){{{cells}}}) .*", r"\1", text)
