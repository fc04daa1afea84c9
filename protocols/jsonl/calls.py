"""Calls that another process makes for a request, and their results and refusals as values that travel.

A record is read, and a turn is played again, where neither can hold up the event loop.
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
    """What a call has returned."""

    value: Any


@dataclass(frozen=True, slots=True)
class Failure:
    """The ValueError that a call has raised."""

    message: str


def attempt(call: Call) -> Result | Failure:
    """Make a call. Runs in a worker process."""
    try:
        return Result(call())
    except ValueError as error:
        return Failure(str(error))


def result_of(outcome: Result | Failure, path: str) -> Any:
    """Return what a call has returned. Raises Refusal for the field `path` of the request if it has failed."""
    if isinstance(outcome, Failure):
        raise invalid(path, outcome.message)
    return outcome.value


# -- What is called --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPage:
    """Some lines of a record."""

    first: int
    total: int
    lines: Sequence[bytes]


def page_of(read: Call, offset: int, room: int) -> RecordPage | None:
    """Return the lines from `offset` on that fit into `room` bytes; None if there is no record to read."""
    lines: Sequence[bytes] | None = read()
    if lines is None:
        return None
    first = last = min(offset, len(lines))
    while last < len(lines) and (room := room - len(lines[last]) - 1) >= 0:
        last += 1
    return RecordPage(first=first, total=len(lines), lines=lines[first:last])


def read_public_lines(folder: Path, game_id: str) -> Sequence[bytes] | None:
    """Return the public lines of a record in a journal's folder; None if there is none of this game."""
    lines = Journal(folder).read(game_id)
    return None if lines is None else public_lines(lines)


def encoded_lines(export: Call) -> Sequence[bytes]:
    """Return the lines of text of an export as JSON strings."""
    return list(map(ENCODER.encode, export()))


def event_lines(head: bytes, events: Call) -> Sequence[bytes]:
    """Return events as whole lines; each begins with the fields of `head`, an object."""
    return [join_objects(head, ENCODER.encode(event)) + b"\n" for event in events()]
