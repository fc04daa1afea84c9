"""The published schema: it knows every message, and what is said follows it."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from protocols.jsonl import messages
from protocols.jsonl.codec import members, protocol_schema, tag_of
from tests.fifth_game.binding import tic_tac_toe
from tests.protocols.jsonl.scripted import acquire
from tools.schema import run

CATALOGUE = [
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
    "note",
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
TRANSCRIPT = Path(__file__).parent.parent / "transcripts" / "acquire_mini.txt"


def test_every_message_of_the_catalogue_is_there() -> None:
    kinds = {tag_of(each) for each in members(messages.ClientMessage) + members(messages.ServerMessage)}
    assert kinds == set(CATALOGUE)
    assert {*SCHEMA["client"], *SCHEMA["server"]} == set(CATALOGUE)
    assert set(SCHEMA["games"]) == {"tic-tac-toe", "acquire"}


def test_every_reference_leads_somewhere() -> None:
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


def test_the_schema_refuses_what_is_wrong() -> None:
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


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(Namespace(indent=0)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["title"] == "galapagos/1" and "acquire" in printed["games"]
    assert set(printed["client"]) == set(SCHEMA["client"])
