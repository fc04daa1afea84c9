"""Nobody can fill the site with waiting."""

import asyncio

import pytest

from tests.protocols.web.sites import Visit, visited

HEADER = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = b"POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"


async def connected(visit: Visit) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", int(visit.address.rpartition(":")[2]))


async def rest(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(5.0):
        try:
            return await reader.read()
        except ConnectionError:
            return b""


@pytest.mark.parametrize("said", [b"", HEADER, HEADER[:5]])
async def test_who_does_not_say_what_it_wants_is_shown_out(said: bytes) -> None:
    async with visited(first_line_seconds=0.2) as visit:
        reader, writer = await connected(visit)
        writer.write(said)
        assert await rest(reader) == b""
        async with visit.client.get(visit.address + "/healthz") as answer:
            assert answer.status == 200
        writer.close()


async def test_a_header_that_grows_and_never_ends() -> None:
    async with visited(first_line_seconds=0.5) as visit:
        reader, writer = await connected(visit)
        writer.write(HEADER)
        ended = asyncio.create_task(rest(reader))
        while not ended.done():
            writer.write(b"X: y\r\n")
            await asyncio.sleep(0.05)
        assert await ended == b""
        writer.close()


async def test_a_body_that_does_not_come() -> None:
    async with visited(request_seconds=0.2) as visit:
        reader, writer = await connected(visit)
        writer.write(BODY + b"x")
        assert b" 408 " in (await reader.readline())
        writer.close()


async def test_between_two_requests() -> None:
    async with visited(page_idle_seconds=0.2) as visit:
        reader, writer = await connected(visit)
        writer.write(HEADER + b"\r\n")
        answer = await rest(reader)  # until we are shown out
        assert b" 200 OK" in answer
        writer.close()


async def test_too_many_from_everywhere() -> None:
    async with visited(page_connections=3) as visit:
        guests = [await connected(visit) for _ in range(4)]
        assert b" 503 " in await rest(guests[3][0])
        for _, writer in guests:
            writer.close()


async def test_too_many_from_one_address() -> None:
    async with visited(page_connections_per_address=2) as visit:
        guests = [await connected(visit) for _ in range(5)]
        for reader, _ in guests[2:]:
            assert await rest(reader) == b""
        for _, writer in guests[:2]:
            writer.write(HEADER + b"\r\n")
        for reader, writer in guests:
            if not reader.at_eof():
                assert b" 200 " in await reader.readline()
            writer.close()


async def test_who_converses_is_not_shown_out() -> None:
    async with (
        visited(first_line_seconds=0.6, page_idle_seconds=0.1) as visit,
        visit.client.ws_connect(visit.address + "/ws") as socket,
    ):
        await socket.send_str('{"type":"hello","versions":[1]}')
        assert "welcome" in await socket.receive_str()
        await asyncio.sleep(1.2)
        await socket.send_str('{"type":"ping"}')
        assert "pong" in await socket.receive_str()


async def test_who_goes_in_the_middle_of_a_body_is_no_fault_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    async with visited() as visit:
        for _ in range(3):
            _, writer = await connected(visit)
            writer.write(BODY + b"x")
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.transport.abort()
        await asyncio.sleep(0.2)
        async with visit.client.get(visit.address + "/healthz") as answer:
            assert answer.status == 200
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]
