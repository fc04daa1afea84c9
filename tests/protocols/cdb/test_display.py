"""The command `display`, and that who looks on changes nothing."""

from collections.abc import Iterator

import pytest

from core.corewar.rules import Rules
from tests.protocols.cdb.fights import debugger, played, warrior_text
from tests.protocols.cdb.test_dialogues import Files, Recorded, recordings

RULES = Rules(cycles=100)


class Picture:
    """Counts what it sees."""

    def __init__(self, *, is_blank: bool = False) -> None:
        self.begun = 0
        self.seen = 0
        self._is_blank = is_blank

    def begin(self) -> None:
        self.begun += 1
        self.seen = 0

    def look(self, word: int) -> None:
        self.seen += 1

    def lines(self) -> Iterator[str]:
        if not self._is_blank:
            yield f"{self.seen} seen"


def dialogue(*lines: str, rounds: int = 1) -> list[str]:
    built, battle = debugger(
        map(warrior_text, ("imp", "dwarf")), RULES, place=4000, rounds=rounds, display=Picture()
    )
    text = played(built, battle, lines).replace("(cdb) ", "")
    return [line for line in text.splitlines() if "seen" in line or "Usage" in line]


def test_the_core_is_shown_at_each_halt() -> None:
    assert dialogue("step", "skip 10", "go") == ["0 seen", "1 seen", "12 seen", "200 seen"]
    assert dialogue("go", "go", rounds=2) == ["0 seen", "200 seen", "200 seen"]


def test_it_may_be_asked_for_or_switched_off() -> None:
    assert dialogue("display off", "step", "step", "d", "display on", "step") == [
        "0 seen",
        "2 seen",
        "3 seen",
    ]
    assert dialogue("display off", "@display") == ["0 seen"]


def test_what_was_seen_is_forgotten() -> None:
    assert dialogue("skip 5", "display clear", "display", "step") == [
        "0 seen",
        "6 seen",
        "0 seen",
        "1 seen",
    ]


def test_wrong_words() -> None:
    assert dialogue("display 3")[1:] == ["Usage: display [clear|on|off]"]


def test_help_names_it_where_it_is() -> None:
    for display in (None, Picture()):
        built, battle = debugger(map(warrior_text, ("imp", "dwarf")), RULES, place=4000, display=display)
        assert ("(d)isplay" in played(built, battle, ["help", "a"])) == (display is not None)


@pytest.mark.parametrize(
    "recorded",
    [each for each in recordings() if "help" not in "".join(each.lines)],
    ids=lambda recorded: recorded.title,
)
def test_who_looks_on_changes_nothing(recorded: Recorded) -> None:
    built, battle = debugger(
        map(warrior_text, recorded.warriors),
        Rules(cycles=recorded.options["c"]),
        place=recorded.options.get("F", 0),
        rounds=recorded.options.get("r", 1),
        at_once="without -e" not in recorded.title,
        host=Files(),
        display=Picture(is_blank=True),
    )
    assert played(built, battle, recorded.lines).rstrip("\n") == recorded.printed
    assert built.status == recorded.status
