"""The worked game of the protocol, section 23.1: every line of the server, byte for byte."""

import re
from pathlib import Path
from typing import Any

from protocols.jsonl.binding.binding import Binding
from tests.protocols.jsonl.fakes import FakeServer, FixedIds
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


class WorkedIds(FixedIds):
    def session(self) -> str:
        return "s-7f3a"

    def token(self) -> str:
        return "r-5b1c09"


def test_every_line_of_the_worked_game() -> None:
    bindings: dict[str, Binding] = acquire(*OPPONENT)
    bindings["protection"] = Named()  # type: ignore[assignment]
    features = ["resume", "watch", "matches", "check", "explain"]
    server = FakeServer(bindings, ids=WorkedIds(), features=features)
    client = server.client()
    received: list[str] = []
    checked = 0
    for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines():
        side, _, text = line.partition(" ")
        if side == "C":
            assert not received, "the server says more than it should"
            client.send(text.encode())
            received = client.lines()
        else:
            assert received, f"missing: {text}"
            said = received.pop(0)
            assert pattern_of(text).fullmatch(said), f"\nexpected {text}\nheard    {said}"
            checked += 1
    assert not received and checked == 34
    assert client.connection.is_closing
