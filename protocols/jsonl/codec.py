"""Decoding of lines into messages, encoding, refusals of bad lines, and the JSON Schema of all messages.

The order of fields and the format of numbers do not depend on the values.
"""

import pickle
import re
import zlib
from collections.abc import Iterable
from functools import cache
from inspect import cleandoc
from typing import Any, Final, TypeVar, Union

import msgspec
from msgspec import Struct

from engines.names import near
from protocols.jsonl import faults, messages
from protocols.jsonl.adapter import GameAdapter, MessageTypes
from protocols.jsonl.messages import NUMBERS, ClientMessage, Error, Id, Key, MalformedLine, Message, Refusal

DEPTH: Final = 32  # of nested objects and arrays
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
# A string without a closing quote extends to the end: a pattern that required one would try each quote in turn.
STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
BAD_JSON: Final = "the line is not a JSON object"

T = TypeVar("T")

ENCODER: Final = msgspec.json.Encoder()
DECODER: Final = msgspec.json.Decoder(ClientMessage)


def encode(message: Struct) -> bytes:
    """Return a message as a line with its break."""
    return ENCODER.encode(message) + b"\n"


def decode(line: bytes) -> ClientMessage:
    """Return the message in a line. Raises MalformedLine or another Refusal, with the reason, if it has none."""
    try:
        if not line.isascii():
            line.decode()
        if line.count(b"[") + line.count(b"{") > DEPTH and _is_deep(line):
            raise MalformedLine("parse", f"the line is nested deeper than {DEPTH} levels")
        message: ClientMessage = DECODER.decode(line)
        return message
    except msgspec.ValidationError as error:
        raise _refusal(line, str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _malformed(error) from None


def decode_action(decoder: msgspec.json.Decoder[T], action: bytes) -> T:
    """Return an action in JSON. Raises msgspec.ValidationError, with a sentence and the path, if it is none."""
    try:
        return decoder.decode(action)
    except msgspec.ValidationError as error:
        reason, path = faults.sentence(str(error), action, decoder.type, "the action")
        raise msgspec.ValidationError(f"{reason}{faults.PATH_PREFIX}{path}`") from None


class Reference(Struct):
    """The fields by which a client recognizes the message that an error is about."""

    id: Id | None = None
    type: str = ""
    re: Id | None = None  # of an action: the ID of the decide
    game_id: Key | None = None

    def __post_init__(self) -> None:
        if self.id is None and self.type == ACTION:
            self.id = self.re


ACTION: Final = "action"
REFERENCE: Final = msgspec.json.Decoder(Reference)


def reference(line: bytes) -> Reference | None:
    """Return the reference of a message that is refused unread, or None if the line has no valid one.

    All other fields are skipped: nothing of them is kept or checked but the syntax, in one pass.
    """
    try:
        return REFERENCE.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def join_objects(*objects: bytes) -> bytes:
    """Return one JSON object with the fields of all given ones, in their order."""
    return b"{" + b",".join(each[1:-1] for each in objects if len(each) > 2) + b"}"


def pack(value: object) -> bytes:
    """Return a value in compressed form, for games that are over; events take a tenth of their size."""
    return zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)


def unpack(packed: bytes) -> Any:
    """Return the value that pack() has compressed, within a few milliseconds. Only for data of the server itself."""
    return pickle.loads(zlib.decompress(packed))


def error_of(refusal: Refusal, game_id: str | None = None) -> Error:
    """Return a refusal as a message."""
    return Error(
        re=refusal.re,
        game_id=game_id,
        code=refusal.code,
        number=NUMBERS[refusal.code],
        message=refusal.message,
        data=refusal.data,
        fatal=refusal.fatal,
        decide_again=bool(refusal.tries_left),
        tries_left=refusal.tries_left,
    )


def protocol_schema(adapters: Iterable[GameAdapter]) -> dict[str, Any]:
    """Return the JSON Schema of every message by direction and type, and of each game's objects in messages."""
    types = [*members(messages.ClientMessage), *members(messages.ServerMessage)]
    games = {adapter.name: adapter.message_types for adapter in adapters}
    parts = [
        part
        for each in games.values()
        for part in (each.observation, *each.actions, *each.events, *each.others)
    ]
    names = list(dict.fromkeys([*types, *parts]))
    schemas, definitions = msgspec.json.schema_components(names, ref_template="#/$defs/{name}")
    by_type = dict(zip(names, schemas, strict=True))
    return {
        "$schema": DRAFT,
        "title": "galapagos/1",
        "client": {tag_of(each): by_type[each] for each in members(messages.ClientMessage)},
        "server": {tag_of(each): by_type[each] for each in members(messages.ServerMessage)},
        "games": {
            name: {
                "observation": by_type[each.observation],
                "actions": {tag_of(action): by_type[action] for action in each.actions},
                "events": {tag_of(event): by_type[event] for event in each.events},
                "others": {other.__name__.lower(): by_type[other] for other in each.others},
            }
            for name, each in games.items()
        },
        "$defs": _with_clean_descriptions(definitions),
    }


@cache
def game_schemas(types: MessageTypes) -> dict[str, Any]:
    """Return the schemas in a `description`; they are cached, since they take longer than a hundred other answers."""
    schemas = {
        "observation": msgspec.json.schema(types.observation),
        "action": msgspec.json.schema(Union[types.actions]),  # noqa: UP007
        "event": msgspec.json.schema(Union[types.events]),  # noqa: UP007
    }
    for schema in schemas.values():
        _with_clean_descriptions(schema.get("$defs", {}))
    return schemas


def _with_clean_descriptions(definitions: dict[str, Any]) -> dict[str, Any]:
    """Remove the indentation of docstrings from the descriptions of types, in place, and return the types."""
    for definition in definitions.values():
        if "description" in definition:
            definition["description"] = cleandoc(definition["description"])
    return definitions


def members(union: Any) -> tuple[type[Message], ...]:
    """Return the types of a union, in order."""
    return tuple(union.__args__)


def tag_of(kind: Any) -> str:
    """Return the tag of a message type: its `type`, `kind` or `form` on the wire."""
    return str(kind.__struct_config__.tag)


# -- Helpers ---------------------------------------------------------------------------------------


class _Envelope(Struct):
    """The fields of a refused message that its refusal needs."""

    id: Any = None
    type: Any = None


ENVELOPE: Final = msgspec.json.Decoder(_Envelope)
TYPES: Final = {tag_of(kind): kind for kind in members(ClientMessage)}


def _is_deep(line: bytes) -> bool:
    """Return whether brackets outside of strings are nested deeper than DEPTH."""
    depth = 0
    for bracket in STRING.sub(b"", line).translate(None, NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEPTH:
            return True
    return False


def _refusal(line: bytes, problem: str) -> Refusal:
    """Return the refusal of a line that is not a valid message; `problem` is msgspec's."""
    try:
        envelope = ENVELOPE.decode(line)
    except msgspec.ValidationError as error:
        if "out of range" in str(error):  # an infinity, if it is written with digits
            return _malformed(error)
        return MalformedLine("invalid_message", "the line is JSON, but not an object")
    except (
        msgspec.DecodeError,
        RecursionError,
    ) as error:  # in the rest of the line, which decode() had not reached
        return _malformed(error)
    try:
        number = msgspec.convert(envelope.id, Id | None)
    except msgspec.ValidationError:
        number = None
    if not isinstance(envelope.type, str):
        return MalformedLine("invalid_message", "the message needs a `type`, which must be text", re=number)
    if (kind := TYPES.get(envelope.type)) is None:
        text = f"there is no message of type {envelope.type[:40]!r}; {near(envelope.type, TYPES)}"
        return Refusal("unknown_type", text, re=number)
    reason, path = faults.sentence(problem, line, kind, "the message")
    return Refusal("invalid_params", reason, data={"path": path}, re=number)


def _malformed(error: Exception) -> MalformedLine:
    """Return the refusal of a line that is not JSON, with the parser's reason and place."""
    if isinstance(error, RecursionError):
        reason = "it is nested too deeply"
    elif isinstance(error, UnicodeDecodeError):
        reason = f"not UTF-8 (byte {error.start})"
    else:
        reason = faults.path_of(str(error))[0].removeprefix("JSON is malformed: ")
        reason = "it ends too early" if "truncated" in reason else reason[:1].lower() + reason[1:]
    return MalformedLine("parse", f"{BAD_JSON}: {reason[:100]}")
