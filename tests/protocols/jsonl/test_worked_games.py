"""The worked games of the protocol, section 23: every line of the server that does not depend on dice, byte for byte."""

import json
import re
from pathlib import Path
from typing import Any

from engines.seeds import SeededStreams
from protocols.jsonl.adapter import GameAdapter
from tests.protocols.jsonl.fakes import FakeServer, FixedIds
from tests.protocols.jsonl.protection_games import COMMONS, protection_server
from tests.protocols.jsonl.scripted import acquire

TRANSCRIPTS = Path(__file__).parent / "transcripts"
OPPONENT: list[dict[str, Any]] = [{"kind": "place", "tile": "1B"}, {"kind": "buy", "shares": []}]
SEED = SeededStreams(7, "0b6d1f93c2a84e57b1907dd24f3a6c58")


class Named:
    """A game of which nothing but the variants is asked."""

    name = "protection"
    variants = ("improved", "seed")
    agents = ()


class WorkedNames(FixedIds):
    def session(self) -> str:
        return "s-7f3a"

    def token(self) -> str:
        return "r-5b1c09"


def test_the_worked_game_of_acquire_is_reproduced() -> None:
    game_adapters: dict[str, GameAdapter] = acquire(*OPPONENT)
    game_adapters["protection"] = Named()  # type: ignore[assignment]
    server = FakeServer(game_adapters, ids=WorkedNames())
    server.games.features = ["resume", "watch", "matches", "check", "explain"]
    client = server.client()
    received: list[str] = []
    checked = 0
    for line in (TRANSCRIPTS / "acquire_mini.txt").read_text(encoding="utf-8").splitlines():
        side, _, text = line.partition(" ")
        if side == "C":
            assert not received, "the server says more than it should"
            client.send(text.encode())
            received = client.lines()
        else:
            assert received, f"missing: {text}"
            said = received.pop(0)
            assert pattern_of(text).fullmatch(said), f"\nexpected {text}\nreceived {said}"
            checked += 1
    assert not received and checked == 34
    assert client.connection.is_closing


def test_the_worked_game_of_protection_is_reproduced() -> None:
    table = protection_server(ids=FixedIds(first_game=31, seed=SEED))
    table.games.ids.first_decide = 201
    client = table.client()
    client.say(type="hello", versions=[1], name="me")
    client.lines()
    received: list[dict[str, Any]] = []
    exact = 0
    for line in (TRANSCRIPTS / "protection_small.txt").read_text(encoding="utf-8").splitlines():
        side, _, text = line.partition(" ")
        expected = json.loads(text)
        if side == "C":
            assert not received, "the server says more than it should"
            client.send(text.encode())
            received = client.received()
            continue
        said = received.pop(0)
        if expected.get("turn") == 2 and expected.get("kind") == "turn_end":
            _check_sums(said)
            break
        _check(said, expected)
        exact += 1
    assert exact == 11
    if not any(line["type"] == "end" for line in received):
        client.say(type="resign", game_id="g-31")
        received = client.received()
    (end,) = [line for line in received if line["type"] == "end"]
    assert end["reveal"]["strings"] == [{"turn": turn, "index": 2, "hybrid": False} for turn in (1, 2)]
    assert (end["reveal"]["mode"], end["reveal"]["seed"], end["reveal"]["salt"]) == (
        "fixed:2", SEED.number, SEED.salt,
    )  # fmt: skip
    explained = client.ask(type="explain", id=5, game_id="g-31", turn=2)
    assert (explained["index"], explained["string"]) == (2, COMMONS)
    assert explained["text"][0] == "Chaos buys nothing but one kind of minion: common."
    assert explained["aim"]["mode"] == "fixed:2" and "target" not in explained["aim"]


def pattern_of(line: str) -> re.Pattern[str]:
    """A line of a transcript, in which `...` and `{"...":"cut"}` stand for what is left out."""
    text = re.escape(line)
    text = text.replace(re.escape('"...":"cut"'), ".*").replace(re.escape('..."'), '[^"]*"')
    return re.compile(text)


def _check(said: Any, expected: Any) -> None:
    """Equal, but for what is left out and the order of fields."""
    if isinstance(expected, dict):
        assert isinstance(said, dict) and set(said) == set(expected), f"{said} is no {expected}"
        for name, value in expected.items():
            _check(said[name], value)
    elif isinstance(expected, str) and expected.endswith("..."):
        assert said.startswith(expected[:-3])
    else:
        assert said == expected


def _check_sums(end: dict[str, Any]) -> None:
    """Turn 2: a drone on wetlands makes 3 a phase, a settler in the forest 4; all that a fallen one made is plundered."""
    human, chaos, yields, costs = end["human"], end["chaos"], {1: 3, 2: 4}, {1: 20, 2: 150}
    fallen = {each["id"]: each["phase"] for each in human["lost"]}
    made = {number: (fallen.get(number, 51) - 1) * rate for number, rate in yields.items()}
    assert human["produced"] == sum(made.values())
    assert human["treasury"] == human["produced"] - sum(made[number] for number in fallen)
    assert human["plundered"] == sum(made[number] for number in fallen)
    lost = chaos["lost"].get("common", 0)
    assert chaos["refund"] == (6 - lost) * 50
    assert chaos["treasury"] == chaos["value"] == chaos["refund"] + chaos["carried"]
    assert 0 <= chaos["carried"] <= human["plundered"]
    assert end["change"] == [human["value"] - 170, chaos["value"] - 300]
    assert human["value"] == human["treasury"] + sum(
        costs[number] for number in costs if number not in fallen
    )
