"""A script performed over a connection, until its end or its first difference."""

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from protocols.jsonl.script.pattern import Bindings, filled, mismatch
from protocols.jsonl.script.script import Expect, Reconnect, Send, SendRaw, Step


class Stage(Protocol):
    """A server that can be talked to."""

    async def send(self, line: bytes) -> None: ...

    async def receive(self) -> bytes:
        """The next line with its break; empty when the server has closed."""
        ...

    async def reconnect(self) -> None: ...


class Difference(AssertionError):
    """The server does not say what the script expects."""


async def perform(steps: Sequence[Step], stage: Stage, seconds: float) -> None:
    """Every step in order. Difference, with what was expected and heard; `seconds` to wait for a line."""
    known: Bindings = {}
    for step in steps:
        match step:
            case Send():
                try:
                    message = filled(step.message, known)
                except KeyError as name:
                    raise Difference(f"line {step.line}: nothing has been called {name} yet") from None
                await stage.send(msgspec.json.encode(message) + b"\n")
            case SendRaw():
                await stage.send(step.text.encode("utf-8", "surrogateescape") + b"\n")
            case Expect():
                await _expect(step, stage, seconds, known)
            case Reconnect():
                await stage.reconnect()


async def _expect(step: Expect, stage: Stage, seconds: float, known: Bindings) -> None:
    while True:
        heard = await _hear(step, stage, seconds)
        attempt = dict(known)
        problem = mismatch(step.pattern, heard, attempt)
        if not problem:
            known.update(attempt)
            return
        if not step.passes_over:
            said = msgspec.json.encode(heard).decode()
            raise Difference(f"line {step.line}: {problem}; heard {said[:2000]}")


async def _hear(step: Expect, stage: Stage, seconds: float) -> Any:
    wanted = msgspec.json.encode(step.pattern).decode()
    try:
        async with asyncio.timeout(seconds):
            while (line := await stage.receive()).isspace():
                pass
    except TimeoutError:
        raise Difference(f"line {step.line}: nothing comes within {seconds:g} s; expected {wanted}") from None
    if not line:
        raise Difference(f"line {step.line}: the server has closed; expected {wanted}")
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        raise Difference(f"line {step.line}: no JSON: {line[:200]!r}") from None
