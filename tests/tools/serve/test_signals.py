"""SIGHUP: a closed terminal ends the server as SIGTERM does; an operator has its secrets read again."""

import asyncio
import fcntl
import json
import os
import signal
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.protocols.wire import Wire

SECONDS = 60.0  # for a busy machine


@asynccontextmanager
async def served(*words: str, terminal: int | None = None) -> AsyncIterator[tuple[Any, Any]]:
    """A server in a session of its own, and how to connect to it."""

    def take_terminal() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # these tests may run under nohup, which servers respect
        if terminal is not None:
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", "serve", "--port", "0", "--page", "0", "--workers", "1", *words,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, start_new_session=True,
        preexec_fn=take_terminal, pass_fds=[] if terminal is None else [terminal],
    )  # fmt: skip
    assert process.stdout is not None
    greeting = (await asyncio.wait_for(process.stdout.readline(), SECONDS)).decode()
    port = int(greeting.partition("127.0.0.1:")[2].split()[0])

    wires: list[Wire] = []

    async def connect() -> Wire:
        wires.append(Wire(*await asyncio.open_connection("127.0.0.1", port)))
        return wires[-1]

    try:
        yield process, connect
    finally:
        if process.returncode is None:
            process.terminate()
        for wire in wires:
            await wire.close()
        await asyncio.wait_for(process.communicate(), SECONDS)


async def test_a_closed_terminal_ends_the_server_with_moves_and_byes() -> None:
    ours, theirs = os.openpty()
    async with served(terminal=theirs) as (process, connect):
        player, client = await connect(), await connect()
        client.say('{"type":"hello","versions":[1]}')
        await client.hear(".*welcome", SECONDS)
        player.say("uci", "go movetime 600000")
        await player.hear("info depth", SECONDS)
        os.close(theirs)
        os.close(ours)  # the terminal is closed
        assert json.loads((await client.rest(SECONDS))[-1]) == {"type": "bye", "reason": "closing"}
        assert any(line.startswith("bestmove ") for line in await player.rest(SECONDS))
        assert await asyncio.wait_for(process.wait(), SECONDS) == 0


async def test_hangup_without_a_terminal_has_the_token_read_again(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("geospiza")
    token.chmod(0o644)
    async with served("--token-file", str(token)) as (process, connect):
        warning = (await asyncio.wait_for(process.stderr.readline(), SECONDS)).decode()
        assert f"{token} is secret" in warning and "mode 0644" in warning and "chmod 600" in warning
        for text, report in (("camarhynchus", "are read again"), ("", "is empty")):
            token.write_text(text)
            process.send_signal(signal.SIGHUP)
            assert report in (await asyncio.wait_for(process.stderr.readline(), SECONDS)).decode()
        client = await connect()
        client.say('{"type":"hello","versions":[1]}')
        await client.hear(".*welcome", SECONDS)
    assert process.returncode == 0
