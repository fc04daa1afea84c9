"""The house over a WebSocket: a frame is a line."""

import asyncio
import json
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from aiohttp import ClientWebSocketResponse, WSCloseCode, WSMsgType

from tests.protocols.web.sites import visited

HELLO = '{"type":"hello","versions":[1]}'


async def heard(socket: ClientWebSocketResponse) -> dict[str, object]:
    answer: dict[str, object] = json.loads(await socket.receive_str(timeout=5))
    return answer


async def test_a_game() -> None:
    async with visited() as visit, visit.client.ws_connect(visit.address + "/ws") as socket:
        await socket.send_str(HELLO)
        assert (await heard(socket))["type"] == "welcome"
        await socket.send_str(
            '{"type":"create","game":"acquire","variant":"mini","seats":["random","random"]}'
        )
        kinds = []
        await socket.send_str('{"type":"ping","id":7}')
        while (line := await heard(socket))["type"] != "pong":
            kinds.append(line["type"])
        assert "created" in kinds
    assert visit.house.guests == 0


async def test_the_protocol_by_name() -> None:
    async with (
        visited() as visit,
        visit.client.ws_connect(visit.address + "/ws", protocols=["galapagos.v1"]) as socket,
    ):
        assert socket.protocol == "galapagos.v1"


async def test_a_line_that_names_no_protocol() -> None:
    async with visited() as visit, visit.client.ws_connect(visit.address + "/ws") as socket:
        await socket.send_str("good morning")
        assert "uci" in await socket.receive_str()
        assert (await socket.receive()).type is WSMsgType.CLOSE


async def test_frames_that_are_no_text() -> None:
    async with visited() as visit, visit.client.ws_connect(visit.address + "/ws") as socket:
        await socket.send_bytes(HELLO.encode())
        message = await socket.receive()
        assert (message.type, message.data) == (WSMsgType.CLOSE, WSCloseCode.UNSUPPORTED_DATA)


async def test_a_frame_too_long() -> None:
    async with visited() as visit, visit.client.ws_connect(visit.address + "/ws") as socket:
        await socket.send_str(HELLO)
        await heard(socket)
        await socket.send_str("x" * 70_000)
        message = await socket.receive()
        assert (message.type, message.data) == (WSMsgType.CLOSE, WSCloseCode.MESSAGE_TOO_BIG)
        await asyncio.sleep(0)
    assert visit.house.guests == 0


async def test_a_silent_one_is_not_waited_for() -> None:
    async with (
        visited(first_line_seconds=0.1) as visit,
        visit.client.ws_connect(visit.address + "/ws") as socket,
    ):
        assert (await socket.receive(timeout=5)).type in (WSMsgType.CLOSE, WSMsgType.CLOSED)


async def test_guests_are_counted() -> None:
    async with visited(connections_per_address=2) as visit:
        sockets = [await visit.client.ws_connect(visit.address + "/ws") for _ in range(3)]
        assert "your address" in await sockets[2].receive_str(timeout=5)
        for socket in sockets:
            await socket.close()


async def test_goodbye_when_the_site_stops() -> None:
    async with visited() as visit:
        socket = await visit.client.ws_connect(visit.address + "/ws")
        await socket.send_str(HELLO)
        await heard(socket)
        leaving = asyncio.create_task(_last(socket))
        await visit.house.stop()
        assert await leaving == {"type": "bye", "reason": "closing"}


async def _last(socket: ClientWebSocketResponse) -> object:
    lines = [json.loads(message.data) async for message in socket if message.type is WSMsgType.TEXT]
    return lines[-1]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """One for this machine, with its key in the same file."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed: no certificate can be made")
    path = tmp_path / "certificate.pem"
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path, "-out", tmp_path / "public.pem",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_text(path.read_text() + (tmp_path / "public.pem").read_text())
    return path


async def test_tls(certificate: Path) -> None:
    ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.load_cert_chain(certificate)
    theirs = ssl.create_default_context(cafile=str(certificate))
    async with (
        visited(tls=ours, trusted=theirs) as visit,
        visit.client.ws_connect(visit.address + "/ws") as socket,
    ):
        await socket.send_str(HELLO)
        assert (await heard(socket))["type"] == "welcome"
