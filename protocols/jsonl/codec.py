"""Lines to messages and back, refusals of bad lines, and the JSON Schema of all messages.

Encoding has one field order and one number format, whatever the values.
"""

import pickle
import re
import zlib
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, Union

import msgspec
from msgspec import Struct

from protocols.jsonl import messages
from protocols.jsonl.adapter import GameAdapter, MessageTypes
from protocols.jsonl.messages import NUMBERS, ClientMessage, Error, Id, Key, MalformedLine, Message, Refusal

DEPTH: Final = 32  # of nesting
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
# Without a closing quote a string is all that follows: a pattern that needed one would try each quote in turn.
STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
AT: Final = " - at `"  # msgspec's, before the path of what is wrong
MISSING: Final = re.compile(r"missing required field `(\w+)`")

ENCODER: Final = msgspec.json.Encoder()
DECODER: Final = msgspec.json.Decoder(ClientMessage)


def encode(message: Struct) -> bytes:
    """A message as a line with its break."""
    return ENCODER.encode(message) + b"\n"


def decode(line: bytes) -> ClientMessage:
    """The message in a line. MalformedLine or Refusal says what is wrong with it."""
    try:
        if not line.isascii():
            line.decode()
        if line.count(b"[") + line.count(b"{") > DEPTH and _is_deep(line):
            raise MalformedLine("parse", f"nested deeper than {DEPTH}")
        message: ClientMessage = DECODER.decode(line)
        return message
    except msgspec.ValidationError as error:
        raise _refusal(line, str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise MalformedLine("parse", "not a JSON object") from None


class Reference(Struct):
    """The fields by which a client recognizes the message that an error is about."""

    id: Id | None = None
    type: str = ""
    re: Id | None = None  # of an action, the decide that it answers
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
    """One JSON object with the fields of several, in their order."""
    return b"{" + b",".join(each[1:-1] for each in objects if len(each) > 2) + b"}"


def pack(value: object) -> bytes:
    """What is kept of a game that is over, in a tenth of the room."""
    return zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)


def unpack(packed: bytes) -> Any:
    """The value of pack(), within a few milliseconds. Only for what this process has packed."""
    return pickle.loads(zlib.decompress(packed))


def error_of(refusal: Refusal, game_id: str | None = None) -> Error:
    """A refusal as a message."""
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
    """Every message by direction and type, and what each game puts into them."""
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
        "$defs": definitions,
    }


@cache
def game_schemas(types: MessageTypes) -> dict[str, Any]:
    """What `describe` answers for a game; made once, since it takes longer than a hundred other answers."""
    return {
        "observation": msgspec.json.schema(types.observation),
        "action": msgspec.json.schema(Union[types.actions]),  # noqa: UP007
        "event": msgspec.json.schema(Union[types.events]),  # noqa: UP007
    }


def members(union: Any) -> tuple[type[Message], ...]:
    """The types of a union, in order."""
    return tuple(union.__args__)


def tag_of(kind: Any) -> str:
    """The `type`, `kind` or `form` of an object on the wire."""
    return str(kind.__struct_config__.tag)


# -- Helpers ---------------------------------------------------------------------------------------


class _Envelope(Struct):
    """What is used of a message that is refused."""

    id: Any = None
    type: Any = None


ENVELOPE: Final = msgspec.json.Decoder(_Envelope)


def _is_deep(line: bytes) -> bool:
    """Return whether brackets outside of strings are nested deeper than DEPTH."""
    depth = 0
    for bracket in STRING.sub(b"", line).translate(None, NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEPTH:
            return True
    return False


def _refusal(line: bytes, problem: str) -> Refusal:
    """Why a line of JSON is no message."""
    try:
        envelope = ENVELOPE.decode(line)
    except msgspec.ValidationError as error:
        if "out of range" in str(error):  # an infinity, if it is written with digits
            return MalformedLine("parse", "not a JSON object")
        return MalformedLine("invalid_message", "not an object")
    except (msgspec.DecodeError, RecursionError):  # the rest of the line, which decode() has not come to
        return MalformedLine("parse", "not a JSON object")
    if not isinstance(envelope.type, str):
        return MalformedLine("invalid_message", "no `type`")
    try:
        number = msgspec.convert(envelope.id, Id | None)
    except msgspec.ValidationError:
        number = None
    reason, at, path = problem.rpartition(AT)
    # The path is the last thing that msgspec says: what looks like one before it was written by the client.
    if at and path.endswith("`"):
        path = path.removesuffix("`").removeprefix("key` in `")
    else:
        reason, path = problem, "$"
    missing = MISSING.search(problem)
    if missing:
        path += f".{missing[1]}"
    if path == "$.type":
        return Refusal("unknown_type", f"no message is of type {envelope.type[:40]!r}", re=number)
    return Refusal("invalid_params", reason[:200], data={"path": path}, re=number)
