"""SIGHUP: a closed terminal ends the server as SIGTERM does; an operator has its secrets read again."""

import asyncio
import fcntl
import json
import os
import signal
import subprocess
import termios
from pathlib import Path
from typing import Any

from tests.servers import served
from tests.waiting import PATIENCE_SECONDS


def respect_hangup() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # these tests may run under nohup, which servers respect


async def test_a_closed_terminal_ends_the_server_with_moves_and_byes() -> None:
    ours, theirs = os.openpty()

    def take_terminal() -> None:
        respect_hangup()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    async with served(start_new_session=True, preexec_fn=take_terminal, pass_fds=[theirs]) as server:
        player, client = await server.connect("127.0.0.1"), await server.connect("127.0.0.1")
        assert (await client.hello())["type"] == "welcome"
        player.say("uci", "go movetime 600000")
        await player.hear("info depth")
        os.close(theirs)
        os.close(ours)  # the terminal is closed
        assert json.loads((await client.rest())[-1]) == {"type": "bye", "reason": "closing"}
        assert any(line.startswith("bestmove ") for line in await player.rest())
        assert await asyncio.wait_for(server.process.wait(), PATIENCE_SECONDS) == 0


async def test_sighup_without_a_terminal_reloads_the_token(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("geospiza")
    token.chmod(0o644)
    session: dict[str, Any] = {"start_new_session": True, "preexec_fn": respect_hangup}
    async with served("--token-file", token, stderr=subprocess.PIPE, **session) as server:
        process = server.process
        assert process.stderr
        warning = (await asyncio.wait_for(process.stderr.readline(), PATIENCE_SECONDS)).decode()
        assert f"{token} is secret" in warning and "mode 0644" in warning and "chmod 600" in warning
        for text, report in (("camarhynchus", "are reloaded"), ("", "is empty")):
            token.write_text(text)
            process.send_signal(signal.SIGHUP)
            assert report in (await asyncio.wait_for(process.stderr.readline(), PATIENCE_SECONDS)).decode()
        client = await server.connect("127.0.0.1")
        assert (await client.hello())["type"] == "welcome"
    assert process.returncode == 0
