"""Lines to messages and back. Encoding has one field order and one number format, whatever the values."""

import re
from typing import Any, Final

import msgspec
from msgspec import Struct

from protocols.jsonl.messages.answers import Error
from protocols.jsonl.messages.client import ClientMessage
from protocols.jsonl.messages.errors import NUMBERS, MalformedLine, Refusal
from protocols.jsonl.messages.values import Id

DEPTH: Final = 32
NESTING: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])', re.DOTALL)
PATH: Final = re.compile(r" - at `(?:key in )?(.*)`$")
MISSING: Final = re.compile(r"missing required field `(\w+)`")

ENCODER: Final = msgspec.json.Encoder()
DECODER: Final = msgspec.json.Decoder(ClientMessage)
ANYTHING: Final = msgspec.json.Decoder(Any)


class _Envelope(Struct):
    """As much of a message as can be told of a bad one."""

    id: Any = None
    type: Any = None


ENVELOPE: Final = msgspec.json.Decoder(_Envelope)


def encode(message: Struct) -> bytes:
    """A message as a line with its break."""
    return ENCODER.encode(message) + b"\n"


def decode(line: bytes) -> ClientMessage:
    """The message in a line. MalformedLine or Refusal says what is wrong with it."""
    try:
        if not line.isascii():
            line.decode()
        if line.count(b"[") + line.count(b"{") > DEPTH and _depth(line) > DEPTH:
            raise MalformedLine("parse", f"nested deeper than {DEPTH}")
        message: ClientMessage = DECODER.decode(line)
        return message
    except msgspec.ValidationError as error:
        raise _refusal(line, str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise MalformedLine("parse", "not a JSON object") from None


def joined(*objects: bytes) -> bytes:
    """One JSON object with the fields of several, in their order."""
    return b"{" + b",".join(each[1:-1] for each in objects if len(each) > 2) + b"}"


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


# -- Helpers ---------------------------------------------------------------------------------------


def _depth(line: bytes) -> int:
    depth = deepest = 0
    for found in NESTING.finditer(line):
        if found[1]:
            depth += 1
            deepest = max(deepest, depth)
        elif found[2]:
            depth -= 1
    return deepest


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
    found = PATH.search(problem)
    path = found[1] if found else "$"
    missing = MISSING.search(problem)
    if missing:
        path += f".{missing[1]}"
    if path == "$.type":
        return Refusal("unknown_type", f"no message is of type {envelope.type[:40]!r}", re=number)
    message = PATH.sub("", problem)[:200]
    return Refusal("invalid_params", message, data={"path": path}, re=number)
