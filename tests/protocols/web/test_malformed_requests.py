"""Malformed requests are their clients' faults: each is answered with a status of 4xx, and the log has no error."""

import asyncio

import pytest

from engines.events import Bus
from protocols.limits import Limits
from protocols.web.websocket import EventSocket
from tests.protocols.web.support import visited
from tests.waiting import PATIENCE_SECONDS

SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "A" * 22 + "==",
}


def request(line: str = "GET /healthz HTTP/1.1", host: str | None = "localhost", **headers: str) -> str:
    """A request's header; names of headers are written with `_`."""
    named = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([line, *([f"Host: {host}"] if host is not None else []), *named, "", ""])


def handshake(path: str, **headers: str) -> str:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return request(f"GET {path} HTTP/1.1", **(SOCKET | names))


ORIGINS = (
    "http://[", "http://[::1", "http://]", "http://[x]", "http://[v1.x]", "http://[::1%25]", "http://a:b", "://", "[",
    "http://localhost:99999999", "http://localhost:port", "http://localhost@evil", "http://\u2100.x", "http://\xff",
    "http://a\u2100b/", "null", "", "http://" + "[" * 1000,
)  # fmt: skip
HOSTS = (
    "[", "[::", "]", "[x]", "[v1.a]", "[::1]x", "a:b", "localhost:x", "localhost:-1", "localhost:99999999",
    "localhost:80:80", "localhost@x", "user:pw@localhost", "localhost, evil", "a b", "x/../", "", "\xff", "\u2100",
    "1.2.3.4.5", "localhost\x00",
)  # fmt: skip
LENGTHS = ("-1", "x", "1e3", "99999999999999999999999", "+5", "0x10", "1, 1", "1_0", "\u0663")
RANGES = (
    "bytes=-",
    "bytes=x-y",
    "bytes=5-1",
    "bytes=99999999-",
    "chars=1-2",
    "bytes=",
    "\xff",
    "bytes=\u0663-",
)
PATHS = (
    "/static/" + "a" * 300, "/static/" + "a" * 5000, "/static/" + "a/" * 2000, "/static/%ff", "/static/%00",
    "/static/%c0%ae", "/%", "/%zz", "//[", "/\xff", "http://[/", "http://[x]/healthz", "*", "/events?after=x",
    "/events?topics=" + "a" * 300,
)  # fmt: skip
METHODS = (
    "OPTIONS * HTTP/1.1",
    "CONNECT [ HTTP/1.1",
    "FOO /healthz HTTP/1.1",
    "GET /healthz HTTP/x",
    "GET /healthz ",
)
HANDSHAKES = {
    "Sec_WebSocket_Key": (
        "",
        "x",
        "=",
        "A" * 23,
        "!" * 22 + "==",
        "\xff" * 24,
        "A" * 22 + "=\u0663",
        "A" * 1000,
    ),
    "Sec_WebSocket_Version": ("", "x", "-1", "99", "\xff", "1" * 5000),
    "Sec_WebSocket_Protocol": ("", "x", ",", "\xff", "galapagos.v2", "a" * 5000),
    "Sec_WebSocket_Extensions": ("permessage-deflate; server_max_window_bits=" + "9" * 5000,),
    "Upgrade": ("", "x", "\xff"),
    "Origin": ("http://[", "http://evil.example"),
}
CASES = [
    *(request(Origin=origin) for origin in ORIGINS),
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://[\r\n\r\n",
    *(request(host=host) for host in HOSTS),
    request(host=None),
    request(host="localhost\r\nHost: evil.example"),
    *(request("POST /healthz HTTP/1.1", Content_Length=length) for length in LENGTHS),
    request("POST /healthz HTTP/1.1", Content_Length="1\r\nContent-Length: 2") + "ab",
    request("POST /healthz HTTP/1.1", Content_Length="1\r\nTransfer-Encoding: chunked") + "0\r\n\r\n",
    request("POST /healthz HTTP/1.1", Transfer_Encoding="chunked") + "zz\r\n",
    request("POST /healthz HTTP/1.1", Transfer_Encoding="gzip") + "abc",
    request("POST /healthz HTTP/1.1", Content_Encoding="gzip", Content_Length="3") + "abc",
    request("POST /healthz HTTP/1.1", Content_Encoding="deflate", Content_Length="3") + "abc",
    request("POST /healthz HTTP/1.1", Expect="nonsense"),
    *(request("GET /static/page.js HTTP/1.1", Range=each) for each in RANGES),
    *(request(f"GET {path} HTTP/1.1") for path in PATHS),
    *(request(line) for line in METHODS),
    *(handshake(path, **{name: value}) for path in ("/ws", "/events")
      for name, values in HANDSHAKES.items() for value in values),
    request(A="\x00"),
    request(A="x" * 9000),
    request() .replace("\r\n\r\n", "\r\na b: x\r\n\r\n"),
]  # fmt: skip


@pytest.mark.parametrize("is_proxied", [False, True])
async def test_malformed_requests_are_refused_without_an_error_in_the_log(
    is_proxied: bool, caplog: pytest.LogCaptureFixture
) -> None:
    routes = EventSocket(Bus(), Limits(), lambda address: True).routes()
    async with visited(routes=routes, is_proxied=is_proxied, page_requests_burst=10_000) as visit:
        for text in CASES:
            reader, writer = await visit.connect()
            writer.write(text.encode("utf-8" if any(letter > "\xff" for letter in text) else "iso-8859-1"))
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer = await reader.readline()
            assert answer.split()[1:2] and answer.split()[1].startswith(b"4"), (text[:200], answer)
            writer.transport.abort()
    errors = [record for record in caplog.records if record.levelname == "ERROR" or record.exc_info]
    assert not errors, [record.getMessage() for record in errors]


@pytest.mark.parametrize("body", [b"zz\r\n", b"-1\r\n", b"3\r\nabcd\r\n", b"f" * 40 + b"\r\n"])
async def test_a_malformed_chunked_body_is_refused_without_an_error_in_the_log(
    body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Its beginning is there when the request is handled, and no more of it is read."""
    async with visited(request_seconds=1.0, stop_seconds=0.1) as visit:
        reader, writer = await visit.connect()
        head = request("POST /healthz HTTP/1.1", Transfer_Encoding="chunked")
        writer.write(head.encode() + b"2\r\nab\r\n")
        await asyncio.sleep(0.05)
        writer.write(body)
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer = await reader.read(100)
        assert not answer or answer.split()[1].startswith(b"4"), answer
        writer.transport.abort()
    assert not [record for record in caplog.records if record.levelname == "ERROR" or record.exc_info]
