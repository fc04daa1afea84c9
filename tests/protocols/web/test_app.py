"""The site: its guards of requests and connections, its metrics, and the libraries of others that it serves."""

import asyncio
import logging
import re
import sqlite3
from collections import Counter
from hashlib import sha256
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from yarl import URL

from protocols.incidents import Incidents
from protocols.limits import Limits
from protocols.web.app import guard_requests
from protocols.web.responses import ADDRESS
from protocols.web.static_files import STATIC
from tests.protocols.web.support import served, visited
from tests.waiting import PATIENCE_SECONDS

HEADER = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = b"POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"
VENDOR = STATIC / "vendor"
README = (VENDOR / "README.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def frequent_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.web.app.SWEEP_SECONDS", 0.05)


async def test_requests_for_another_host_are_refused() -> None:
    """Else another site's page could have its own name lead here (DNS rebinding)."""
    async with visited() as visit:
        for host in ("evil.example", "127.0.0.1.evil.example", "", "[::", "127.0.0"):
            for path in ("/", "/ws", "/healthz", "/static/page.js"):
                async with visit.client.get(visit.address + path, headers={"Host": host}) as answer:
                    assert answer.status in (400, 421), (host, path)


async def test_hosts_that_no_other_site_can_have_are_let_in() -> None:
    """A server of all addresses is called by any of them, and by the names of its machine."""
    async with visited(names=["my-machine"]) as visit:
        for host in ("192.168.1.5:1859", "[2001:db8::5]:1859", "127.0.0.2", "LOCALHOST", "my-machine:1859"):
            headers = {"Host": host, "Origin": f"http://{host}"}
            async with visit.client.get(visit.address + "/", headers=headers) as answer:
                assert answer.status == 200, host
        async with visit.client.get(visit.address + "/", headers={"Host": "other:1859"}) as answer:
            assert answer.status == 421
            assert "start galapagos serve with --name other" in await answer.text()


async def test_a_page_of_another_site_is_refused() -> None:
    async with visited() as visit:
        for origin in ("http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:1"):
            for path in ("/healthz", "/ws"):
                async with visit.client.get(visit.address + path, headers={"Origin": origin}) as answer:
                    assert answer.status == 403, (origin, path)
        async with visit.client.get(visit.address + "/healthz", headers={"Origin": visit.address}) as answer:
            assert answer.status == 200


async def test_what_a_page_of_another_site_embeds_is_not_computed() -> None:
    """A picture whose address is one of the API has no origin. Pages themselves can be linked from anywhere."""
    async with visited() as visit:
        for site, path, status in (
            ("cross-site", "/api/fights?warrior=imp.red", 403),
            ("same-site", "/api/players", 403),
            ("same-origin", "/api/nothing", 404),
            ("none", "/api/nothing", 404),
            ("cross-site", "/", 200),
        ):
            headers = {"Sec-Fetch-Site": site}
            async with visit.client.get(visit.address + path, headers=headers) as answer:
                assert answer.status == status, (site, path)


async def test_every_answer_has_security_headers() -> None:
    async with visited() as visit:
        for path in ("/", "/static/page.js", "/healthz", "/nowhere"):
            async with visit.client.get(visit.address + path) as answer:
                assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
                assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_paths_outside_the_static_folder_are_refused() -> None:
    async with visited() as visit:
        for path in (
            "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/vendor/../../app.py",
            "/static//etc/passwd", "/static/%00", "/static/", "/..%5c..%5cetc/passwd",
        ):  # fmt: skip
            async with visit.client.get(URL(visit.address + path, encoded=True)) as answer:
                assert answer.status in (400, 403, 404), path


async def test_an_unreadable_database_is_answered_with_503() -> None:
    async def full(request: web.Request) -> web.Response:
        raise sqlite3.OperationalError("database or disk is full")

    async with served([web.get("/full", full)]) as api:
        assert await api.get("/full") == (
            503,
            {"error": "the server's data cannot be read or written at present; try again later"},
        )


async def test_a_fault_is_reported_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def faulty(request: web.Request) -> web.Response:
        raise KeyError("of ours")

    async with (
        visited(routes=[web.get("/faulty", faulty)]) as visit,
        visit.client.get(visit.address + "/faulty") as answer,
    ):
        assert answer.status == 500
        assert "of ours" not in await answer.text()
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "of ours" in record.getMessage() and record.exc_info is None


async def test_forwarded_addresses_count_only_behind_a_proxy() -> None:
    async def asked(request: web.Request) -> web.Response:
        return web.Response(text=request[ADDRESS])

    routes = [web.get("/from", asked)]
    async with visited(routes=routes) as visit:
        headers = {"X-Forwarded-For": "8.8.8.8"}  # anybody can say so
        async with visit.client.get(visit.address + "/from", headers=headers) as answer:
            assert await answer.text() == "127.0.0.1"
    async with visited(routes=routes, is_proxied=True) as visit:
        for lines, address in (
            ([("X-Forwarded-For", "127.0.0.1, 8.8.8.8")], "8.8.8.8"),
            ([("X-Forwarded-For", "")], "unknown"),
            ([], "unknown"),
            ([("X-Forwarded-For", "6.6.6.6"), ("X-Forwarded-For", "::ffff:192.0.2.200")], "192.0.2.200"),
            ([("Forwarded", "for=6.6.6.6"), ("Forwarded", 'for="[2001:db8::1]:4711"')], "2001:db8::/64"),
            ([("Forwarded", "for=6.6.6.6"), ("X-Forwarded-For", "192.0.2.200")], "unknown"),
        ):
            async with visit.client.get(visit.address + "/from", headers=lines) as answer:
                assert await answer.text() == address


async def test_headers_of_a_client_that_is_no_proxy_do_not_count() -> None:
    """A server behind a proxy may be reached without the proxy, too."""

    async def asked(request: web.BaseRequest) -> web.Response:
        return web.Response(text=request[ADDRESS])

    guarded = guard_requests((), Limits(), Incidents(), is_proxied=True)
    for remote, address in (("2001:db8::1", "2001:db8::/64"), ("::ffff:127.0.0.1", "192.0.2.7")):
        headers = {"Host": "localhost", "X-Forwarded-For": "192.0.2.7"}
        answer = await guarded(make_mocked_request("GET", "/", headers).clone(remote=remote), asked)
        assert isinstance(answer, web.Response) and answer.text == address


async def test_metrics_are_shown_only_to_this_machine_or_with_the_token() -> None:
    async with visited() as visit, visit.client.get(visit.address + "/metrics") as answer:
        text = await answer.text()
        assert "galapagos_connections 0.0" in text and "galapagos_games 0.0" in text
        assert "galapagos_loop_lag_seconds_bucket" in text
    async with visited(is_proxied=True) as visit:
        for token, status in (("", 403), ("geospizä", 403), ("geospiza", 200)):
            headers = {"X-Forwarded-For": "127.0.0.1", "Authorization": f"Bearer {token}"}
            async with visit.client.get(visit.address + "/metrics", headers=headers) as answer:
                assert answer.status == status


async def test_refusals_and_a_full_disk_show_in_health_and_metrics() -> None:
    async with visited(is_proxied=True, page_requests_burst=1, page_requests_per_second=0.01) as visit:
        client, address = visit.client, visit.address
        headers = {"X-Forwarded-For": "192.0.2.1", "Authorization": "Bearer geospiza"}
        async with client.get(address + "/healthz", headers=headers) as answer:
            assert (answer.status, await answer.json()) == (
                200,
                {"status": "ok", "failures": [], "refusals": {}},
            )
        async with client.get(address + "/healthz", headers=headers) as answer:
            assert answer.status == 429
        visit.server.incidents.fail("the hill nano", OSError(28, "No space left on device"))
        async with client.get(
            address + "/healthz", headers=headers | {"X-Forwarded-For": "192.0.2.2"}
        ) as answer:
            assert answer.status == 503
            assert await answer.json() == {
                "status": "cannot write",
                "failures": ["No space left on device"],
                "refusals": {"page_requests": 1},
            }
        async with client.get(
            address + "/metrics", headers=headers | {"X-Forwarded-For": "192.0.2.3"}
        ) as answer:
            text = await answer.text()
    assert 'galapagos_refusals_total{kind="page_requests"} 1.0' in text
    assert "galapagos_unwritable 1.0" in text
    for status in (200, 429, 503):
        assert f'galapagos_http_request_seconds_count{{status="{status}"}} 1.0' in text
    assert 'galapagos_http_request_seconds_bucket{le="10.0",status="200"} 1.0' in text


async def test_requests_of_a_remote_address_are_rate_limited() -> None:
    """Those of another do not; and of this machine none does."""
    limits: dict[str, Any] = {
        "page_requests_per_second": 2.0,
        "page_requests_burst": 5,
        "request_seconds": 1.0,
    }

    async def asked(visit: Any, address: str) -> int:
        headers = {"X-Forwarded-For": address}
        async with visit.client.get(visit.address + "/healthz", headers=headers) as answer:
            return int(answer.status)

    async with visited(is_proxied=True, **limits) as visit:
        statuses = Counter(await asyncio.gather(*(asked(visit, "192.0.2.1") for _ in range(30))))
        assert statuses[200] >= 7, (
            "the burst, and those that may come within the second for which requests wait"
        )
        assert statuses[429] >= 10
        assert await asked(visit, "192.0.2.2") == 200
    async with visited(**limits) as visit:
        assert {await asked(visit, "192.0.2.1") for _ in range(30)} == {200}


# -- Connections -------------------------------------------------------------------------------------


async def rest(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(PATIENCE_SECONDS):
        try:
            return await reader.read()
        except ConnectionError:
            return b""


async def test_an_unfinished_request_is_closed() -> None:
    async with visited(first_line_seconds=0.1) as visit:
        connections = [await visit.connect() for _ in range(3)]
        for (_, writer), start in zip(connections, (b"", HEADER, HEADER[:5]), strict=True):
            writer.write(start)
        for reader, _ in connections:
            assert await rest(reader) == b""
        async with visit.client.get(visit.address + "/healthz") as answer:
            assert answer.status == 200
        for _, writer in connections:
            writer.close()


async def test_a_header_that_never_ends_closes_the_connection() -> None:
    async with visited(first_line_seconds=0.2) as visit:
        reader, writer = await visit.connect()
        writer.write(HEADER)
        ended = asyncio.create_task(rest(reader))
        while not ended.done():
            writer.write(b"X: y\r\n")
            await asyncio.sleep(0.02)
        assert await ended == b""
        writer.close()


async def test_a_request_whose_body_does_not_arrive_is_answered_with_408() -> None:
    async with visited(request_seconds=0.1, stop_seconds=0.1) as visit:
        reader, writer = await visit.connect()
        writer.write(BODY + b"x")
        assert b" 408 " in (await reader.readline())
        writer.close()


async def test_an_idle_connection_is_closed_after_a_request() -> None:
    async with visited(page_idle_seconds=0.1) as visit:
        reader, writer = await visit.connect()
        writer.write(HEADER + b"\r\n")
        answer = await rest(reader)  # until it is closed
        assert b" 200 OK" in answer
        writer.close()


async def test_a_full_site_closes_idle_connections_and_keeps_busy_ones(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Who only waits makes room; those with a request under way stay. The log names the address of each."""
    async with visited(page_connections=3) as visit:
        connections = [await visit.connect() for _ in range(4)]
        assert await rest(connections[0][0]) == b""
        for _, writer in connections[1:]:
            writer.write(BODY + b"x")
        await asyncio.sleep(0.1)
        connections.append(await visit.connect())
        assert b" 503 " in await rest(connections[4][0])
        visit.server.incidents.report(is_last=True)
        assert "the page is full: this machine" in caplog.text
        assert "1 more in 0 s, this machine (1)" in caplog.text
        for _, writer in connections:
            writer.close()


async def test_connections_of_one_address_above_the_limit_are_closed() -> None:
    async with visited(page_connections_per_address=2) as visit:
        connections = [await visit.connect() for _ in range(5)]
        for reader, _ in connections[2:]:
            assert await rest(reader) == b""
        for _, writer in connections[:2]:
            writer.write(HEADER + b"\r\n")
        for reader, writer in connections:
            if not reader.at_eof():
                assert b" 200 " in await reader.readline()
            writer.close()


async def test_an_open_websocket_is_not_closed_as_idle() -> None:
    async with (
        visited(first_line_seconds=0.2, page_idle_seconds=0.1) as visit,
        visit.client.ws_connect(visit.address + "/ws") as socket,
    ):
        await socket.send_str('{"type":"hello","versions":[1]}')
        assert "welcome" in await socket.receive_str()
        await asyncio.sleep(0.4)
        await socket.send_str('{"type":"ping"}')
        assert "pong" in await socket.receive_str()


async def test_a_client_that_disconnects_amid_a_body_logs_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with visited() as visit:
        for _ in range(3):
            _, writer = await visit.connect()
            writer.write(BODY + b"x")
            await writer.drain()
            await asyncio.sleep(0.02)
            writer.transport.abort()
        await asyncio.sleep(0.1)
        async with visit.client.get(visit.address + "/healthz") as answer:
            assert answer.status == 200
    assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]


# -- Libraries of others -----------------------------------------------------------------------------


def test_every_vendored_file_has_its_hash_in_the_readme() -> None:
    written = dict(re.findall(r"^\| (\S+) \| ([0-9a-f]{64}) \|$", README, re.MULTILINE))
    found = {
        path.relative_to(VENDOR).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "README.md"
    }
    assert written == found


def test_every_vendored_library_has_its_licence_and_its_origin() -> None:
    named = set(re.findall(r"^\| (\S+) \| \d+(?:\.\d+)+ \| npm ", README, re.MULTILINE))
    assert named == {path.name for path in VENDOR.iterdir() if path.is_dir()}
    assert all((VENDOR / name / "LICENSE").is_file() for name in named)
