"""Calls that a worker process makes for a request, and their results and errors as values that can be pickled.

Reading a record or replaying a turn takes too long for the event loop.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from protocols.jsonl.adapter import Call
from protocols.jsonl.codec import ENCODER, join_objects
from protocols.jsonl.journal import Journal
from protocols.jsonl.messages import invalid
from protocols.jsonl.record import public_lines


@dataclass(frozen=True, slots=True)
class Result:
    """The return value of a call."""

    value: Any


@dataclass(frozen=True, slots=True)
class Failure:
    """The message of a ValueError that a call has raised."""

    message: str


def attempt(call: Call) -> Result | Failure:
    """Make a call, and return its value or its ValueError. Runs in a worker process."""
    try:
        return Result(call())
    except ValueError as error:
        return Failure(str(error))


def result_of(outcome: Result | Failure, path: str) -> Any:
    """Return the value of a call. Raises Refusal, for the field `path` of the request, if the call has failed."""
    if isinstance(outcome, Failure):
        raise invalid(path, outcome.message)
    return outcome.value


# -- The calls -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPage:
    """Some lines of a record."""

    first: int
    total: int
    lines: Sequence[bytes]


def page_of(read: Call, offset: int, room: int) -> RecordPage | None:
    """Return the lines of read() from `offset` on that fit into `room` bytes, or None if there is no record."""
    lines: Sequence[bytes] | None = read()
    if lines is None:
        return None
    first = last = min(offset, len(lines))
    while last < len(lines) and (room := room - len(lines[last]) - 1) >= 0:
        last += 1
    return RecordPage(first=first, total=len(lines), lines=lines[first:last])


def read_public_lines(folder: Path, game_id: str) -> Sequence[bytes] | None:
    """Return the public lines of a game's record in the folder of a journal, or None if there is none."""
    lines = Journal(folder).read(game_id)
    return None if lines is None else public_lines(lines)


def encoded_lines(export: Call) -> Sequence[bytes]:
    """Return the lines of text of an export as JSON strings."""
    return list(map(ENCODER.encode, export()))


def event_lines(head: bytes, events: Call) -> Sequence[bytes]:
    """Return events as whole lines, each of which begins with the fields of the object `head`."""
    return [join_objects(head, ENCODER.encode(event)) + b"\n" for event in events()]
