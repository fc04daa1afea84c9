"""Scripted conversations: JSON lines that say what to send and what must come back.

{"type": ...}         send this message
{"raw": "text"}       send this line as it is
{"expect": pattern}   the next line must match
{"find": pattern}     some line from here on must match; those before it are skipped
{"reconnect": true}   cut the connection and open another
{"comment": "text"}   for people; so are lines that begin with #

A pattern has what must be there; what does not matter is left out. An object matches one that has at least its
fields; an array one of its length. `"..."` matches anything, a text that ends with `...` any that begins so, null a
field that is missing. `"$name"` stands for the value that it has matched before; where it has not, it matches anything
and stands for that from then on.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

ANY: Final = "..."
LINE_BYTES: Final = 1 << 20


class ScriptError(ValueError):
    """A script that cannot be read; the text names the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """Send a message; names in it are replaced by their values."""

    line: int
    message: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SendRaw:
    """Send a line that need not be a message."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    """Wait for a line that matches; where it `skips`, others may come first."""

    line: int
    pattern: dict[str, Any]
    skips: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconnect:
    """Cut the connection and open another."""

    line: int


Step = Send | SendRaw | Expect | Reconnect


def parse(text: str) -> list[Step]:
    """The steps of a script. ScriptError."""
    return list(_steps(text))


class ScriptTarget(Protocol):
    """A server to talk to; send() and receive() open a connection where none is open. ConnectionError."""

    async def send(self, line: bytes) -> None: ...

    async def receive(self) -> bytes:
        """The next line with its break; empty when the server has closed."""
        ...

    async def close(self) -> None:
        """Cut the connection."""
        ...


class Difference(AssertionError):
    """The server does not send what the script expects."""


async def run_script(steps: Sequence[Step], target: ScriptTarget, seconds: float) -> None:
    """Every step in order. Difference, with what was expected and what came; `seconds` to wait for a line."""
    known: dict[str, Any] = {}
    for step in steps:
        match step:
            case Send():
                try:
                    message = filled(step.message, known)
                except KeyError as name:
                    raise Difference(f"line {step.line}: nothing has been called {name} yet") from None
                await target.send(msgspec.json.encode(message) + b"\n")
            case SendRaw():
                await target.send(step.text.encode("utf-8", "surrogateescape") + b"\n")
            case Expect():
                await _expect(step, target, seconds, known)
            case Reconnect():
                await target.close()


def mismatch(pattern: Any, value: Any, known: dict[str, Any], path: str = "$") -> str:
    """Where a value does not match, in words; empty if it does. New names are added to `known`."""
    if isinstance(pattern, str):
        return _text_mismatch(pattern, value, known, path)
    if isinstance(pattern, dict):
        if not isinstance(value, dict):
            return f"{path} is {value!r}, an object is expected"
        for key, part in pattern.items():
            if problem := mismatch(part, value.get(key), known, f"{path}.{key}"):
                return problem
        return ""
    if isinstance(pattern, list):
        if not isinstance(value, list) or len(value) != len(pattern):
            return f"{path} is {value!r}, an array of {len(pattern)} is expected"
        for index, part in enumerate(pattern):
            if problem := mismatch(part, value[index], known, f"{path}[{index}]"):
                return problem
        return ""
    if pattern != value or isinstance(pattern, bool) != isinstance(value, bool):
        return f"{path} is {value!r}, {pattern!r} is expected"
    return ""


def filled(message: Any, known: dict[str, Any]) -> Any:
    """A message with the names in it replaced by what they stand for. KeyError for an unknown one."""
    if isinstance(message, str) and message.startswith("$"):
        return known[message[1:]]
    if isinstance(message, dict):
        return {key: filled(value, known) for key, value in message.items()}
    if isinstance(message, list):
        return [filled(value, known) for value in message]
    return message


# -- Targets ----------------------------------------------------------------------------------------


class ProcessTarget(ScriptTarget):
    """A program that talks over its standard input and output; anew for every connection."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    async def send(self, line: bytes) -> None:
        process = await self._connected()
        assert process.stdin is not None
        try:
            process.stdin.write(line)
            await process.stdin.drain()
        except ConnectionError:
            pass  # what it sent before the end is still to be received

    async def receive(self) -> bytes:
        process = await self._connected()
        assert process.stdout is not None
        return await process.stdout.readline()

    async def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(2.0):
                await process.stdout.read()
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _connected(self) -> asyncio.subprocess.Process:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_BYTES,
            )
        return self._process


class TcpTarget(ScriptTarget):
    """A server at an address."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, line: bytes) -> None:
        _, writer = await self._connected()
        writer.write(line)
        await writer.drain()

    async def receive(self) -> bytes:
        reader, _ = await self._connected()
        try:
            return await reader.readline()
        except ConnectionError:
            return b""

    async def close(self) -> None:
        """Cut the connection."""
        streams, self._streams = self._streams, None
        if streams:
            streams[1].transport.abort()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._address, limit=LINE_BYTES)
        return self._streams


# -- Helpers ---------------------------------------------------------------------------------------


def _steps(text: str) -> Iterator[Step]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            entry = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ScriptError(f"line {number}: {error}") from None
        match entry:
            case {"type": str()}:
                yield Send(line=number, message=entry)
            case {"expect": dict(pattern)}:
                yield Expect(line=number, pattern=pattern, skips=False)
            case {"find": dict(pattern)}:
                yield Expect(line=number, pattern=pattern, skips=True)
            case {"raw": str(raw)}:
                yield SendRaw(line=number, text=raw)
            case {"reconnect": True}:
                yield Reconnect(line=number)
            case {"comment": str()}:
                pass
            case _:
                raise ScriptError(
                    f"line {number}: a message, an expect or the like, not {line.strip()[:80]!r}"
                )


async def _expect(step: Expect, target: ScriptTarget, seconds: float, known: dict[str, Any]) -> None:
    while True:
        received = await _receive(step, target, seconds)
        attempt = dict(known)
        problem = mismatch(step.pattern, received, attempt)
        if not problem:
            known.update(attempt)
            return
        if not step.skips:
            text = msgspec.json.encode(received).decode()
            raise Difference(f"line {step.line}: {problem}; received {text[:2000]}")


async def _receive(step: Expect, target: ScriptTarget, seconds: float) -> Any:
    wanted = msgspec.json.encode(step.pattern).decode()
    try:
        async with asyncio.timeout(seconds):
            while (line := await target.receive()).isspace():
                pass
    except TimeoutError:
        raise Difference(f"line {step.line}: nothing comes within {seconds:g} s; expected {wanted}") from None
    if not line:
        raise Difference(f"line {step.line}: the server has closed; expected {wanted}")
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        raise Difference(f"line {step.line}: no JSON: {line[:200]!r}") from None


def _text_mismatch(pattern: str, value: Any, known: dict[str, Any], path: str) -> str:
    if pattern == ANY:
        return ""
    if pattern.startswith("$"):
        name = pattern[1:]
        if known.setdefault(name, value) != value:
            return f"{path} is {value!r}, {pattern} stands for {known[name]!r}"
        return ""
    if pattern.endswith(ANY):
        begins = isinstance(value, str) and value.startswith(pattern.removesuffix(ANY))
        return "" if begins else f"{path} is {value!r}, {pattern!r} is expected"
    return "" if pattern == value else f"{path} is {value!r}, {pattern!r} is expected"
