"""The codec: which lines are refused with which code, what survives the way, and the published JSON Schema."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from protocols.jsonl import messages
from protocols.jsonl.adapter import Event
from protocols.jsonl.broadcast import History
from protocols.jsonl.codec import DEPTH, decode, encode, join_objects, members, protocol_schema, tag_of
from protocols.jsonl.messages import MEANINGS, NUMBERS, Forced, MalformedLine, Refusal
from tests.fifth_game.adapter import tic_tac_toe
from tests.protocols.jsonl.fakes import FakeServer
from tests.protocols.jsonl.scripted import acquire
from tools.schema import run


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "parse"),
        (b"hello", "parse"),
        (b'{"type":"ping"', "parse"),
        (b'{"type":"ping"}}', "parse"),
        (b'{"type":"ping","id":NaN}', "parse"),
        (b'{"type":"ping","id":Infinity}', "parse"),
        (b'{"type":"ping","id":1e400}', "parse"),
        (b'{"type":"ping","id":"\xff"}', "parse"),
        (b'{"type":"ping","id":"\\ud800"}', "parse"),
        (b'{"x":' * 33 + b"1" + b"}" * 33, "parse"),
        (b'{"type":"ping","x":' + b"[" * 5000 + b"]" * 5000 + b"}", "parse"),
        (b"[]", "invalid_message"),
        (b"3", "invalid_message"),
        (b'"ping"', "invalid_message"),
        (b"{}", "invalid_message"),
        (b'{"id":1}', "invalid_message"),
        (b'{"type":3}', "invalid_message"),
        (b'{"type":"pingpong"}', "unknown_type"),
        (b'{"type":"welcome","id":1}', "unknown_type"),
        (b'{"type":"hello"}', "invalid_params"),
        (b'{"type":"ping","id":-1}', "invalid_params"),
        (b'{"type":"ping","id":1.5}', "invalid_params"),
        (b'{"type":"ping","id":9007199254740992}', "invalid_params"),
        (b'{"type":"ping","id":"' + b"x" * 65 + b'"}', "invalid_params"),
        (b'{"type":"hello","versions":[1],"name":"a/b"}', "invalid_params"),
        (b'{"type":"hello","versions":[1],"name":""}', "invalid_params"),
        (b'{"type":"hello","versions":[1],"name":"\\n"}', "invalid_params"),
    ],
)
def test_malformed_lines_are_refused_with_their_code(line: bytes, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        decode(line)
    assert caught.value.code == code
    assert isinstance(caught.value, MalformedLine) == (code in ("parse", "invalid_message"))


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b'{"type":"create","id":7,"game":"x","seats":["me",3]}', "$.seats[1]"),
        (b'{"type":"create","id":7,"seats":["me"]}', "$.game"),
        (b'{"type":"create","id":7,"game":"x","seats":["me"],"clock":{"bank_ms":"1"}}', "$.clock.bank_ms"),
    ],
)
def test_an_error_contains_the_path_and_the_id_of_the_request(line: bytes, path: str) -> None:
    with pytest.raises(Refusal) as caught:
        decode(line)
    assert caught.value.data == {"path": path} and caught.value.re == 7


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b'{"type":"hello","versions":[1],"role":"boss"}',
         'role must be director, player or watcher, not "boss"'),
        (b'{"type":"hello"}', "versions is missing"),
        (b'{"type":"list","limit":101}', "limit must be at most 100, not 101"),
        (b'{"type":"create","game":"x","seats":[]}', "seats must have at least 1 entry, not []"),
        (b'{"type":"create","game":"x","seats":["me"],"seed":1.5}', "seed must be a whole number, not 1.5"),
        (b'{"type":"create","game":"x","seats":["me"],"clock":{"bank":1}}',
         "clock has no field 'bank'; did you mean bank_ms?"),
        (b'{"type":"create","game":"x","seats":["me"],"clock":{"on_timeout":"lose"}}',
         'clock.on_timeout must be default_action or forfeit, not "lose"'),
        (b'{"type":"resume","token":"a","games":[{"game_id":"a"},{}]}', "games[1].game_id is missing"),
        (b'{"type":"ping","id":"%b"}' % (b"x" * 65), f'id must have at most 64 characters, not "{"x" * 39}…'),
        (b'{"type":"hello","versions":[1],"name":"a/b"}',
         'name must have no control characters, `/` or `\\`, not "a/b"'),
        (b'{"type":"ping","x":1e400,"id":true}', "Expected `int | str | null`, got `bool`"),
        (b'{"type":"creat"}', "there is no message of type 'creat'; did you mean create?"),
        (b"hello", "the line is not a JSON object: invalid character (byte 0)"),
        (b'{"type":"ping"', "the line is not a JSON object: it ends too early"),
        (b'{"type":"ping","id":1,}', "the line is not a JSON object: trailing comma in object (byte 22)"),
        (b'{"type":"\xff"}', "the line is not a JSON object: not UTF-8 (byte 9)"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_wrong_in_a_sentence(line: bytes, sentence: str) -> None:
    with pytest.raises(Refusal) as caught:
        decode(line)
    assert caught.value.message == sentence


def test_a_message_without_a_type_is_answered_under_its_id() -> None:
    with pytest.raises(MalformedLine) as caught:
        decode(b'{"id":5}')
    assert caught.value.re == 5


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":1,"type":"ping"}',
        b' {"type" : "ping" , "id" : 1 } \r',
        b'{"type":"ping","id":1,"unknown":{"deep":[1,2,{"er":null}]}}',
        b'{"type":"ping","id":2,"id":1}',
        b'{"type":"ping","id":1,"x":' + b"[" * (DEPTH - 1) + b"]" * (DEPTH - 1) + b"}",
        b'{"type":"ping","id":1,"x":"' + b"[" * 100 + b'"}',
    ],
)
def test_unusual_but_valid_lines_are_decoded(line: bytes) -> None:
    assert decode(line).id == 1  # type: ignore[union-attr]


def test_null_equals_an_absent_field() -> None:
    nothing = decode(b'{"type":"hello","versions":[1]}')
    fields = {name: None for name in type(nothing).__struct_fields__ if name != "versions"}
    assert decode(json.dumps({"type": "hello", "versions": [1], **fields}).encode()) == nothing


def test_events_are_encoded_as_numbered_lines() -> None:
    history = History("g-1", kept=1)
    history.seq = 6
    line = history.add(Event(public=Forced(seat=1, reason="timeout"))).public
    assert line == b'{"type":"event","game_id":"g-1","seq":7,"kind":"forced","seat":1,"reason":"timeout"}\n'
    assert join_objects(b"{}", b'{"a":1}', b"{}", b'{"b":2}') == b'{"a":1,"b":2}'


def test_every_error_code_has_a_unique_number() -> None:
    assert len(set(NUMBERS.values())) == len(NUMBERS) == 20
    assert MEANINGS.keys() == NUMBERS.keys()


def test_every_client_message_is_obeyed_or_refused() -> None:
    """Nothing of the catalogue is unknown, and nothing is answered by a fault of ours."""
    requests: list[dict[str, Any]] = [
        {"type": "ping"},
        {"type": "pong", "re": "ping"},
        {"type": "list"},
        {"type": "list", "what": "agents"},
        {"type": "list", "what": "matches"},
        {"type": "describe", "game": "tic-tac-toe"},
        {"type": "join", "game_id": "g-1"},
        {"type": "check", "re": 1, "game_id": "g-1", "action": {}},
        {"type": "action", "re": 1, "game_id": "g-1", "seq": 1, "action": {}},
        {"type": "resign", "game_id": "g-1"},
        {"type": "leave", "game_id": "g-1"},
        {"type": "resume", "token": "x"},
        {"type": "watch", "game_id": "g-1"},
        {"type": "unwatch", "game_id": "g-1"},
        {"type": "state", "game_id": "g-1"},
        {"type": "replay", "game_id": "g-1", "turn": 1},
        {"type": "record", "game_id": "g-1"},
        {"type": "explain", "game_id": "g-1"},
        {"type": "match", "game": "tic-tac-toe", "players": ["first", "random"], "games": 1},
        {"type": "match_cancel", "match_id": "m-9"},
        {"type": "limits"},
        {"type": "create", "game": "tic-tac-toe", "seats": ["me", "open"]},
    ]
    client = FakeServer().player(role="director")
    for number, request in enumerate(requests):
        client.say(**request, id=number)
        answers = client.received()
        if request["type"] == "pong":
            assert not answers
            continue
        assert answers[0]["re"] == number, request
        assert answers[0].get("code") not in ("unknown_type", "invalid_params", "internal"), request


def test_encoding_and_decoding_preserve_a_message() -> None:
    for line in (
        b'{"type":"create","id":1,"game":"a","seats":["me","open"],"seed":3,"rated":true}',
        b'{"type":"watch","game_id":"g","from_seq":3}',
        b'{"type":"replay","game_id":"g","turn":1,"from":2,"to":3}',
    ):
        message = decode(line)
        assert decode(encode(message).strip()) == message
        assert msgspec.json.decode(encode(message)) == msgspec.json.decode(line)


CATALOGUE = [
    "kept",
    "hello",
    "welcome",
    "ping",
    "pong",
    "bye",
    "ok",
    "error",
    "list",
    "listing",
    "describe",
    "description",
    "create",
    "created",
    "join",
    "joined",
    "start",
    "decide",
    "check",
    "checked",
    "action",
    "event",
    "end",
    "resign",
    "leave",
    "resume",
    "resumed",
    "watch",
    "watching",
    "unwatch",
    "gap",
    "state",
    "observation",
    "replay",
    "record",
    "recorded",
    "explain",
    "explained",
    "match",
    "matched",
    "match_event",
    "match_end",
    "match_cancel",
    "limits",
    "limited",
]
SCHEMA = protocol_schema([*tic_tac_toe().values(), *acquire().values()])
TRANSCRIPT = Path(__file__).parent / "transcripts" / "acquire_mini.txt"


def test_the_schema_contains_exactly_the_messages_of_the_catalogue() -> None:
    kinds = {tag_of(each) for each in members(messages.ClientMessage) + members(messages.ServerMessage)}
    assert kinds == set(CATALOGUE)
    assert {*SCHEMA["client"], *SCHEMA["server"]} == set(CATALOGUE)
    assert set(SCHEMA["games"]) == {"tic-tac-toe", "acquire"}


def test_every_reference_of_the_schema_is_defined() -> None:
    for reference in references(SCHEMA):
        assert reference.removeprefix("#/$defs/") in SCHEMA["$defs"], reference


def test_the_worked_game_follows_the_schema() -> None:
    """Every line of both sides, and what Acquire puts into them."""
    checked = 0
    for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines():
        side, _, text = line.partition(" ")
        message = json.loads(text)
        schema = SCHEMA["client" if side == "C" else "server"][message["type"]]
        assert follows(message, schema) == "", text
        game = SCHEMA["games"]["acquire"]
        if message["type"] == "event":
            assert follows(message, game["events"][message["kind"]]) == "", text
        if message["type"] == "action":
            assert follows(message["action"], game["actions"][message["action"]["kind"]]) == "", text
        if message["type"] == "start":
            assert follows(message["observation"], game["observation"]) == "", text
        if message["type"] == "decide":
            assert follows(message["legal"], game["others"]["legal"]) == "", text
        checked += 1
    assert checked > 40


def test_the_schema_rejects_wrong_messages() -> None:
    create = {"type": "create", "game": "acquire", "seats": ["me"]}
    assert follows(create, SCHEMA["client"]["create"]) == ""
    changes: list[dict[str, Any]] = [
        {"seats": []}, {"seats": "me"}, {"seed": -1}, {"seed": 1.5}, {"rated": 1}, {"type": "join"},
    ]  # fmt: skip
    for change in changes:
        assert follows({**create, **change}, SCHEMA["client"]["create"]) != "", change
    assert follows({"type": "create", "game": "acquire"}, SCHEMA["client"]["create"]) != ""


def references(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
        return own + [found for part in schema.values() for found in references(part)]
    return [found for part in schema for found in references(part)] if isinstance(schema, list) else []


TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float),
    "integer": int,
}  # fmt: skip


def follows(value: Any, schema: dict[str, Any]) -> str:
    """Why a value does not follow a schema, by the words of JSON Schema that ours uses; empty if it does."""
    if "$ref" in schema:
        return follows(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "anyOf" in schema:
        problems = [follows(value, part) for part in schema["anyOf"]]
        return "" if "" in problems else problems[0]
    if "enum" in schema and value not in schema["enum"]:
        return f"{value!r} is none of {schema['enum']}"
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean")):
        return f"{value!r} is no {kind}"
    if kind in ("integer", "number"):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            return f"{value} is out of range"
    if kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return f"{len(value)} items"
        parts = schema.get("prefixItems", [])
        each = schema.get("items") or {}
        for index, item in enumerate(value):
            if problem := follows(item, parts[index] if index < len(parts) else each):
                return problem
    if kind == "object":
        for name in schema.get("required", []):
            if name not in value:
                return f"{name} is missing"
        for name, part in schema.get("properties", {}).items():
            if name in value and (problem := follows(value[name], part)):
                return f"{name}: {problem}"
    return ""


def test_the_schema_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(Namespace(indent=0)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["title"] == "galapagos/1" and "acquire" in printed["games"]
    assert set(printed["client"]) == set(SCHEMA["client"])


@pytest.mark.parametrize("quoted", ["", " - at `$.id`", " - at `", "key in `"])
def test_the_path_of_an_error_never_comes_from_the_text_of_the_client(quoted: str) -> None:
    with pytest.raises(Refusal) as unknown:
        decode(json.dumps({"type": f"nothing{quoted}"}).encode())
    assert unknown.value.code == "unknown_type"
    with pytest.raises(Refusal) as wrong:
        decode(json.dumps({"type": "list", "game": 3, f"x{quoted}": quoted}).encode())
    assert wrong.value.data == {"path": "$.game"}


@pytest.mark.parametrize("deep", ['{"a":' * 33, "[" * 33 + '"', "[" * 33 + '"' + '\\"' * 99])
def test_a_line_nested_too_deep_is_refused_whatever_follows(deep: str) -> None:
    with pytest.raises(Refusal, match="nested deeper than 32"):
        decode(deep.encode())


def test_brackets_in_strings_do_not_count_as_nesting() -> None:
    assert decode(json.dumps({"type": "ping", "note": '\\"' + "[{" * 99}).encode())


@pytest.mark.parametrize(
    ("action", "path", "sentence"),
    [
        ({"kind": "plcae"}, "$.action.kind",
         'kind must be place, found, survivor, order, dispose, buy or pass, not "plcae"'),
        ({"tile": "1A"}, "$.action.kind",
         "kind is missing; it must be place, found, survivor, order, dispose, buy or pass"),
        ({"kind": "place"}, "$.action.tile", "tile is missing"),
        ({"kind": "place", "tile": 3}, "$.action.tile", "tile must be a text, not 3"),
        ({"kind": "buy", "shares": ["Luxor", None]}, "$.action.shares[1]",
         "shares[1] must be a text, not null"),
        (7, "$.action", "the action must be an object, not 7"),
    ],
)  # fmt: skip
def test_a_malformed_action_is_refused_in_a_sentence(action: object, path: str, sentence: str) -> None:
    client = FakeServer(acquire()).player()
    client.say(type="create", game="acquire", variant="mini", seats=["me", "random"])
    decide = next(line for line in client.received() if line["type"] == "decide")
    client.say(type="check", re=decide["id"], game_id=decide["game_id"], action=action)
    assert client.received()[0]["problems"][0]["message"] == sentence
    client.say(type="action", re=decide["id"], game_id=decide["game_id"], action=action)
    error = client.received()[0]
    assert (error["code"], error["message"], error["data"]) == ("invalid_params", sentence, {"path": path})


def test_a_wrong_re_is_answered_with_the_decisions_that_are_open() -> None:
    client = FakeServer(acquire()).player()
    client.say(type="create", game="acquire", variant="mini", seats=["me", "random"])
    decide = next(line for line in client.received() if line["type"] == "decide")
    error = client.ask(type="check", id=1, re=999, game_id=decide["game_id"], action={"kind": "pass"})
    assert error["code"] == "not_your_turn" and error["data"] == {"open": [decide["id"]]}
    assert error["message"] == f"you have no open decision 999; {decide['id']} is open"
