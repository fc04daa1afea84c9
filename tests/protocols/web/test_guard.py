"""What every request meets first."""

import logging

import pytest
from aiohttp import web

from protocols.web.guard import ADDRESS
from tests.protocols.web.sites import visited


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::", "127.0.0.2"])
async def test_a_name_that_is_not_ours(host: str) -> None:
    """Else another site's page could have its own name lead here (DNS rebinding)."""
    async with visited() as visit:
        for path in ("/", "/ws", "/healthz", "/static/page.js"):
            async with visit.client.get(visit.address + path, headers={"Host": host}) as answer:
                assert answer.status in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:1"])
async def test_a_page_of_another_site(origin: str) -> None:
    async with visited() as visit:
        for path in ("/healthz", "/ws"):
            async with visit.client.get(visit.address + path, headers={"Origin": origin}) as answer:
                assert answer.status == 403
        async with visit.client.get(visit.address + "/healthz", headers={"Origin": visit.address}) as answer:
            assert answer.status == 200


async def test_nothing_from_elsewhere_is_run() -> None:
    async with visited() as visit:
        for path in ("/", "/static/page.js", "/healthz", "/nowhere"):
            async with visit.client.get(visit.address + path) as answer:
                assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
                assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../site.py",
        "/static/%2e%2e/site.py",
        "/static/..%2fsite.py",
        "/static/vendor/../../site.py",
        "/static//etc/passwd",
        "/static/%00",
        "/static/",
        "/..%5c..%5cetc/passwd",
    ],
)
async def test_ways_out_of_the_folder(path: str) -> None:
    from yarl import URL

    async with visited() as visit, visit.client.get(URL(visit.address + path, encoded=True)) as answer:
        assert answer.status in (400, 403, 404)


async def test_a_fault_of_ours_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async def faulty(request: web.Request) -> web.Response:
        raise KeyError("of ours")

    async with (
        visited(rooms=[web.get("/faulty", faulty)]) as visit,
        visit.client.get(visit.address + "/faulty") as answer,
    ):
        assert answer.status == 500
        assert "of ours" not in await answer.text()
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "of ours" in record.getMessage() and record.exc_info is None


async def test_from_where_somebody_asks() -> None:
    async def asked(request: web.Request) -> web.Response:
        return web.Response(text=request[ADDRESS])

    rooms = [web.get("/from", asked)]
    async with visited(rooms=rooms) as visit:
        headers = {"X-Forwarded-For": "8.8.8.8"}  # anybody can say so
        async with visit.client.get(visit.address + "/from", headers=headers) as answer:
            assert await answer.text() == "127.0.0.1"
    async with visited(rooms=rooms, is_proxied=True) as visit:
        for told, address in (("127.0.0.1, 8.8.8.8", "8.8.8.8"), ("", "0.0.0.0"), ("x, y", "0.0.0.0")):
            async with visit.client.get(visit.address + "/from", headers={"X-Forwarded-For": told}) as answer:
                assert await answer.text() == address


async def test_figures_are_for_this_machine() -> None:
    async with visited() as visit, visit.client.get(visit.address + "/metrics") as answer:
        text = await answer.text()
        assert "galapagos_connections 0.0" in text and "galapagos_games 0.0" in text
        assert "galapagos_loop_lag_seconds_bucket" in text
    async with visited(is_proxied=True) as visit:
        for token, status in (("", 403), ("geospizä", 403), ("geospiza", 200)):
            headers = {"X-Forwarded-For": "127.0.0.1", "Authorization": f"Bearer {token}"}
            async with visit.client.get(visit.address + "/metrics", headers=headers) as answer:
                assert answer.status == status
