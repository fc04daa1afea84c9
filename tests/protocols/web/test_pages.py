"""Addresses that do not exist, and the compression of answers."""

import gzip
import json
from collections.abc import Callable

from aiohttp import ClientSession, web

from protocols.web.compression import accepts_gzip
from protocols.web.responses import json_response
from protocols.web.source import source_routes
from tests.protocols.web.support import visited

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


async def test_an_unknown_address_shows_a_page_to_browsers_and_an_error_to_programs() -> None:
    async with visited() as visit:
        for path in ("/nowhere", "/chess/x", "/api/nothing", "//chess/x", "/%00", "/static.js"):
            async with visit.client.get(visit.address + path, headers=HTML) as answer:
                assert answer.status == 404 and "missing.js" in await answer.text()
                assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
            async with visit.client.get(visit.address + path) as answer:
                assert answer.status == 404 and "the pages start at /" in (await answer.json())["error"]
        async with visit.client.post(visit.address + "/nowhere", headers=HTML) as answer:
            assert answer.status == 404
        async with visit.client.post(visit.address + "/chess", headers=HTML) as answer:
            assert answer.status == 405


async def test_a_slash_behind_the_address_of_a_page_leads_to_the_page() -> None:
    async with visited() as visit:
        for path, target in (("/runs/", "/runs"), ("/chess//?genome=evolved", "/chess?genome=evolved")):
            async with visit.client.get(visit.address + path, allow_redirects=False) as answer:
                assert (answer.status, answer.headers["Location"]) == (308, target)
        for path in ("//evil.example/", "//evil.example/runs/", "/\\evil.example/"):
            async with visit.client.get(visit.address + path, allow_redirects=False) as answer:
                assert answer.status == 404


async def test_long_answers_to_get_are_compressed_and_answers_to_post_are_not() -> None:
    """An answer to POST may hold a token next to a text of the client."""

    def answering(length: int, status: int = 200) -> Callable[[web.Request], object]:
        async def answer(request: web.Request) -> web.Response:
            return json_response({"text": "abc" * length}, status)

        return answer

    routes = [
        web.get("/long", answering(1000)),  # type: ignore[arg-type]
        web.get("/longest", answering(100_000)),  # type: ignore[arg-type]
        web.get("/short", answering(10)),  # type: ignore[arg-type]
        web.post("/long", answering(1000)),  # type: ignore[arg-type]
    ]
    async with visited(routes=routes) as visit, ClientSession(auto_decompress=False) as session:
        for method, path, is_short in (
            ("GET", "/long", True), ("GET", "/longest", True), ("GET", "/short", False), ("POST", "/long", False),
        ):  # fmt: skip
            for accepted in ("gzip", "identity"):
                headers = {"Accept-Encoding": accepted}
                async with session.request(method, visit.address + path, headers=headers) as answer:
                    body = await answer.read()
                    assert int(answer.headers["Content-Length"]) == len(body)
                    is_compressed = answer.headers.get("Content-Encoding") == "gzip"
                    assert is_compressed == (is_short and accepted == "gzip"), (method, path)
                    assert "abcabc" in json.loads(gzip.decompress(body) if is_compressed else body)["text"]


def test_gzip_is_used_only_where_it_is_accepted() -> None:
    for accepted in ("gzip", "br;q=1.0, GZIP;q=0.5", "deflate,gzip"):
        assert accepts_gzip(accepted)
    for refused in ("", "identity", "gzip;q=0", "gzip; q=0.0", "xgzip", "*;q=0"):
        assert not accepts_gzip(refused)


async def test_the_source_is_an_archive_that_is_built_once_or_a_link() -> None:
    built = []

    def build() -> bytes:
        built.append(1)
        return b"archive"

    async with visited(routes=source_routes(build)) as visit:
        for _ in range(2):
            async with visit.client.get(visit.address + "/source.tar.gz") as answer:
                assert await answer.read() == b"archive"
                assert answer.headers["Content-Type"] == "application/gzip"
        assert len(built) == 1
    async with (
        visited(routes=source_routes(build, "https://code.example/mine")) as visit,
        visit.client.get(visit.address + "/source.tar.gz", allow_redirects=False) as answer,
    ):
        assert (answer.status, answer.headers["Location"]) == (302, "https://code.example/mine")
