"""Scripted conversations: JSON lines with the messages to send and patterns of the expected answers.

{"type": ...}         send this message
{"raw": "text"}       send this line as it is
{"expect": pattern}   the next line must match
{"find": pattern}     some line from here on must match; the lines before it are skipped
{"reconnect": true}   cut the connection; the next step opens another
{"comment": "text"}   for people, like lines that begin with #

A pattern contains the parts of a value that matter. An object matches one that has at least the same fields, an array
matches one of the same length. `"..."` matches anything, a text that ends with `...` matches texts that begin with
the rest, and null matches a field that is missing. `"$name"` matches anything the first time and stands for the
matched value from then on.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from errno import ECONNREFUSED
from typing import Any, Final, Protocol

import msgspec

ANY: Final = "..."
LINE_BYTES: Final = 1 << 20


class ScriptError(ValueError):
    """An error in a script; the message contains the number of the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """A step that sends a message, in which names are replaced by their values."""

    line: int
    message: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SendRaw:
    """A step that sends a line, which need not be a message."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    """A step that waits for a line that matches; if `skips`, other lines may come first."""

    line: int
    pattern: dict[str, Any]
    skips: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconnect:
    """A step that cuts the connection; the next step opens another one."""

    line: int


Step = Send | SendRaw | Expect | Reconnect


def parse(text: str) -> list[Step]:
    """Return the steps of a script. Raises ScriptError if a line is not a step, or there is none."""
    steps = list(_steps(text))
    if not steps:
        raise ScriptError("the script has no step")
    return steps


class ScriptTarget(Protocol):
    """A server for scripts; send() and receive() open a connection if none is open, and may raise ConnectionError."""

    async def send(self, line: bytes) -> None: ...

    async def receive(self) -> bytes:
        """Return the next line with its break, or b"" if the server has closed the connection."""
        ...

    async def close(self) -> None:
        """Cut the connection."""
        ...


class Difference(AssertionError):
    """A difference between a line of the server and the script."""


async def run_script(steps: Sequence[Step], target: ScriptTarget, seconds: float) -> None:
    """Run the steps in order, and wait up to `seconds` for each line of the server.

    Raises Difference, with the expected and the received line, if they do not match.
    """
    known: dict[str, Any] = {}
    for step in steps:
        match step:
            case Send():
                try:
                    message = filled(step.message, known)
                except KeyError as name:
                    raise Difference(f"line {step.line}: the name {name} has no value yet") from None
                await target.send(msgspec.json.encode(message) + b"\n")
            case SendRaw():
                await target.send(step.text.encode("utf-8", "surrogateescape") + b"\n")
            case Expect():
                await _expect(step, target, seconds, known)
            case Reconnect():
                await target.close()


def mismatch(pattern: Any, value: Any, known: dict[str, Any], path: str = "$") -> str:
    """Return the first difference between a value and a pattern, in words; "" if the value matches.

    New names are added to `known`.
    """
    if isinstance(pattern, str):
        return _text_mismatch(pattern, value, known, path)
    if isinstance(pattern, dict):
        if not isinstance(value, dict):
            return f"{path} is {value!r}, but an object is expected"
        for key, part in pattern.items():
            if problem := mismatch(part, value.get(key), known, f"{path}.{key}"):
                return problem
        return ""
    if isinstance(pattern, list):
        if not isinstance(value, list) or len(value) != len(pattern):
            return f"{path} is {value!r}, but an array of length {len(pattern)} is expected"
        for index, part in enumerate(pattern):
            if problem := mismatch(part, value[index], known, f"{path}[{index}]"):
                return problem
        return ""
    if pattern != value or isinstance(pattern, bool) != isinstance(value, bool):
        return f"{path} is {value!r}, but {pattern!r} is expected"
    return ""


def filled(message: Any, known: dict[str, Any]) -> Any:
    """Return a message with the names in it replaced by their values. Raises KeyError if a name is unknown."""
    if isinstance(message, str) and message.startswith("$"):
        return known[message[1:]]
    if isinstance(message, dict):
        return {key: filled(value, known) for key, value in message.items()}
    if isinstance(message, list):
        return [filled(value, known) for value in message]
    return message


# -- Targets ----------------------------------------------------------------------------------------


class ProcessTarget(ScriptTarget):
    """A program that serves its standard input and output, started anew for every connection.

    A program that answers `greeting` with a line has started when that line arrives; until then send() waits.
    """

    def __init__(self, command: Sequence[str], greeting: bytes = b"") -> None:
        self._command = command
        self._greeting = greeting
        self._process: asyncio.subprocess.Process | None = None

    async def send(self, line: bytes) -> None:
        process = await self._connected()
        assert process.stdin is not None
        try:
            process.stdin.write(line)
            await process.stdin.drain()
        except ConnectionError:
            pass  # the lines that the program sent before its end can still be received

    async def receive(self) -> bytes:
        process = await self._connected()
        assert process.stdout is not None
        return await process.stdout.readline()

    async def close(self) -> None:
        """End the program: close its standard input, wait two seconds, and kill it if it still runs."""
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
            if self._greeting:
                await self.send(self._greeting)
                await self.receive()
        return self._process


class TcpTarget(ScriptTarget):
    """A server at a TCP address."""

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
            host, port = self._address
            try:
                self._streams = await asyncio.open_connection(host, port, limit=LINE_BYTES)
            except OSError as error:
                if error.errno not in (ECONNREFUSED, None):  # None: refused at several addresses of the host
                    raise
                raise ConnectionError(
                    f"no server listens at {host}:{port}; `galapagos serve --port {port}` starts one"
                ) from None
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
                    f"line {number}: a step must have type, expect, find, raw, reconnect or comment: "
                    f"{line.strip()[:80]!r}"
                )


async def _expect(step: Expect, target: ScriptTarget, seconds: float, known: dict[str, Any]) -> None:
    """Wait for a line that matches. A `ping` that is skipped is answered, and does not prolong the wait."""
    problem = ""  # of the last line
    clock = asyncio.get_running_loop().time
    until = clock() + seconds
    while True:
        received = await _receive(step, target, until, seconds, problem)
        attempt = dict(known)
        difference = mismatch(step.pattern, received, attempt)
        if not difference:
            known.update(attempt)
            return
        if step.skips and isinstance(received, dict) and received.get("type") == "ping":
            await target.send(msgspec.json.encode({"type": "pong", "re": received.get("id")}) + b"\n")
            continue
        problem = f"{difference}; received {msgspec.json.encode(received).decode()[:2000]}"
        if not step.skips:
            raise Difference(f"line {step.line}: {problem}")
        until = clock() + seconds


async def _receive(step: Expect, target: ScriptTarget, until: float, seconds: float, problem: str) -> Any:
    """Return the next line, decoded. `problem` is how the line before it differs; empty if there was none.

    Raises Difference if no line arrives until the time `until`, which ends a wait of `seconds`.
    """
    wanted = f"expected {msgspec.json.encode(step.pattern).decode()}"
    if problem:
        wanted = f"no line has matched; {wanted}; in the last line {problem}"
    try:
        async with asyncio.timeout_at(until):
            while (line := await target.receive()).isspace():
                pass
    except TimeoutError:
        what = f"no {'further ' if problem else ''}line was received within {seconds:g} s"
        raise Difference(f"line {step.line}: {what}; {wanted}") from None
    if not line:
        raise Difference(f"line {step.line}: the server has closed the connection; {wanted}")
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        raise Difference(f"line {step.line}: the received line is not JSON: {line[:200]!r}") from None


def _text_mismatch(pattern: str, value: Any, known: dict[str, Any], path: str) -> str:
    if pattern == ANY:
        return ""
    if pattern.startswith("$"):
        name = pattern[1:]
        if known.setdefault(name, value) != value:
            return f"{path} is {value!r}, but {pattern} stands for {known[name]!r}"
        return ""
    if pattern.endswith(ANY):
        begins = isinstance(value, str) and value.startswith(pattern.removesuffix(ANY))
        return "" if begins else f"{path} is {value!r}, but {pattern!r} is expected"
    return "" if pattern == value else f"{path} is {value!r}, but {pattern!r} is expected"
