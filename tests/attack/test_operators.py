"""What operators do wrong costs one clear sentence, and nothing that is kept."""

import asyncio
import os
import re
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.attack.disk import small_disk
from tests.servers import CHECKOUT, command, served
from tests.waiting import PATIENCE_SECONDS


async def outcome(*words: object, given: bytes = b"") -> tuple[int | None, str]:
    """The exit status of a command and its errors."""
    process = await asyncio.create_subprocess_exec(
        *command(*words), cwd=CHECKOUT,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            _, errors = await process.communicate(given)
    except TimeoutError:
        process.terminate()
        await process.wait()
        return None, "it goes on"
    return process.returncode, errors.decode()


@pytest.mark.parametrize(
    "again", ["home", *(pytest.param(each, marks=pytest.mark.slow) for each in ("records", "hill", "jsonl"))]
)
async def test_a_second_server_on_the_same_home_is_refused(tmp_path: Path, again: str) -> None:
    """The second says who is there, and ends; the first goes on, and so does a game after it."""
    home = tmp_path / "home"
    words = {
        "home": ("serve", "--port", 0, "--page", 0, "--home", home),
        "records": ("serve", "--port", 0, "--page", 0, "--records", home / "records"),
        "hill": ("serve", "--port", 0, "--page", 0, "--hill", home / "hills" / "nano.hill"),
        "jsonl": ("jsonl", "--records", home / "records"),
    }
    async with served("--proxied", "--home", home) as server:
        status, errors = await outcome(*words[again])
        assert status == 1 and errors.count("\n") == 1, errors
        assert re.search(f"in use by .*process {server.process.pid}", errors)
        client = await server.connect()
        await client.hello()
        client.say(type="create", game="acquire", seats=["me", "heuristic"])
        await client.message("decide")
    async with served("--proxied", "--home", home) as server:
        assert await (await server.connect()).hello()


@asynccontextmanager
async def broker(folder: Path) -> AsyncIterator[str]:
    """The address of a mosquitto that lets everybody in; the test is skipped where there is none."""
    program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip("needs the broker mosquitto")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    (folder / "conf").write_text(f"user root\nallow_anonymous true\nlistener {port} 127.0.0.1\n")
    process = await asyncio.create_subprocess_exec(
        program, "-c", str(folder / "conf"), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    break
        yield f"mqtt://127.0.0.1:{port}/islands"
    finally:
        process.kill()
        await process.wait()


async def test_a_second_server_on_the_same_mqtt_root_is_refused(tmp_path: Path) -> None:
    """The second says who is there, and ends; a server that was killed keeps nobody out."""
    async with broker(tmp_path) as address:
        words = ("serve", "--port", 0, "--page", 0, "--mqtt", address)
        async with served("--proxied", "--mqtt", address) as first:
            status, errors = await outcome(*words)
            assert status == 1 and errors.count("\n") == 1, errors
            assert f"islands at 127.0.0.1 is in use by process {first.process.pid} on " in errors
            first.process.kill()
            await first.process.wait()
            async with served("--proxied", "--mqtt", address) as second:
                status, errors = await outcome(*words)
                assert status == 1 and f"in use by process {second.process.pid} on " in errors


async def test_malformed_requests_cause_no_traceback_or_flood_in_the_log() -> None:
    """Malformed requests, and clients that go while they are answered, cause no traceback and no flood."""
    async with served("--proxied", stderr=asyncio.subprocess.PIPE) as server:
        for text in (b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01 \r\n\r\n", b"GET / HTTP/1.1\r\nA\r\n\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.page)
            writer.write(text)
            answer = await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
            assert b"aiohttp" not in answer and b"Python" not in answer, answer
            writer.close()
        for _ in range(70):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.page)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + b"\x89\x80\0\0\0\0" * 2000)
            assert b"400 Bad Request" in await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
            writer.close()
        for _ in range(20):
            client = await server.connect()
            client.say("uci", *["isready"] * 2000)
            await client.line()
            client.writer.transport.abort()
        await asyncio.sleep(1)
        server.process.terminate()
        assert server.process.stderr
        lines = (await server.process.stderr.read()).decode().splitlines()
    assert len(lines) <= 5, lines  # with the two of the end
    assert all(line.startswith(("INFO: ", "WARNING: ", "ERROR: ")) for line in lines), lines


async def test_a_full_disk_or_a_file_as_home_gives_a_one_line_error(tmp_path: Path) -> None:
    """And so is a file in the place of a folder."""
    async with small_disk(tmp_path / "full", "64k") as disk:
        disk.fill()
        status, errors = await outcome("serve", "--port", 0, "--page", 0, "--home", disk.folder / "home")
    assert status in (1, 2) and errors.count("\n") == 1 and "Traceback" not in errors, errors
    (tmp_path / "file").write_text("")
    status, errors = await outcome("serve", "--port", 0, "--page", 0, "--home", tmp_path / "file")
    assert status in (1, 2) and errors.count("\n") == 1 and "file" in errors, errors
