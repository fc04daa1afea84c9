"""The worked game of the protocol, section 23.1: every line of the server, byte for byte."""

import re
from pathlib import Path
from typing import Any

from protocols.jsonl.adapter import GameAdapter
from tests.protocols.jsonl.fakes import FixedNames, House
from tests.protocols.jsonl.scripted import acquire

TRANSCRIPT = Path(__file__).parent / "transcripts" / "acquire_mini.txt"
OPPONENT: list[dict[str, Any]] = [{"kind": "place", "tile": "1B"}, {"kind": "buy", "shares": []}]


class Named:
    """A game of which nothing but the variants is asked."""

    variants = ("improved", "seed")


def pattern_of(line: str) -> re.Pattern[str]:
    """A line of a transcript, in which `...` and `{"...":"cut"}` stand for what is left out."""
    text = re.escape(line)
    text = text.replace(re.escape('"...":"cut"'), ".*").replace(re.escape('..."'), '[^"]*"')
    return re.compile(text)


class WorkedNames(FixedNames):
    def session(self) -> str:
        return "s-7f3a"

    def token(self) -> str:
        return "r-5b1c09"


def test_every_line_of_the_worked_game() -> None:
    bindings: dict[str, GameAdapter] = acquire(*OPPONENT)
    bindings["protection"] = Named()  # type: ignore[assignment]
    features = ["resume", "watch", "matches", "check", "explain"]
    house = House(bindings, names=WorkedNames(), features=features)
    guest = house.guest()
    heard: list[str] = []
    checked = 0
    for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines():
        side, _, text = line.partition(" ")
        if side == "C":
            assert not heard, "the server says more than it should"
            guest.send(text.encode())
            heard = guest.lines()
        else:
            assert heard, f"missing: {text}"
            said = heard.pop(0)
            assert pattern_of(text).fullmatch(said), f"\nexpected {text}\nheard    {said}"
            checked += 1
    assert not heard and checked == 34
    assert guest.line.is_closing
