"""The ways of text from clients of the server: addresses, JSON lines, connections, brokers and browsers."""

import asyncio
from contextlib import closing, suppress

from aiohttp.base_protocol import BaseProtocol
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.http_parser import HttpRequestParser

from engines.events import Bus
from engines.names import escaped
from protocols.addresses import counted_address, counted_network, is_address, is_loopback
from protocols.bans import Ban, BanList
from protocols.connection import Connection, LineTooLong
from protocols.jsonl import script
from protocols.jsonl.codec import decode, reference
from protocols.jsonl.journal import whole_lines
from protocols.jsonl.messages import Refusal
from protocols.jsonl.record import is_record, line_type
from protocols.mqtt import broker
from protocols.mqtt.requests import missed_events
from protocols.mqtt.topics import Topics
from protocols.proxy_header import split_header
from protocols.web.compression import accepts_gzip
from protocols.web.hosts import split_authority
from protocols.web.websocket import EventQuery
from tests.linear.way import Way
from tools.files import visible, visible_bytes


def _address(text: str) -> None:
    """Read an address or a network in each form that it can have."""
    bans = BanList()
    for read in (is_address, is_loopback, split_authority, bans.add, bans.remove):
        with suppress(ValueError):
            read(text)
    for count in (counted_address, counted_network):
        with suppress(ValueError):
            count(text, 64)


def _read_byte_by_byte(data: str) -> None:
    """A connection that gets its bytes one by one."""
    connection = Connection(1 << 30)
    for byte in data.encode():
        connection.receive_data(bytes([byte]))
    connection.receive_data(b"")
    while connection.next_line() is not None:
        pass


def _read_at_once(data: str) -> None:
    connection = Connection(2000)
    connection.receive_data(data.encode())
    while connection.next_line() is not None:
        pass


def _http(text: str) -> None:
    """The pure parser, which a build of aiohttp without its extension uses, is the slower one."""
    with closing(asyncio.new_event_loop()) as loop:
        HttpRequestParser(BaseProtocol(loop), loop, 1 << 16).feed_data(text.encode())


BUS = Bus()

WAYS = (
    # -- Addresses and names of clients
    Way(
        name="an address, or a network to ban",
        read=_address,
        covers=(
            "protocols/addresses.py:is_address",
            "protocols/addresses.py:is_loopback",
            "protocols/addresses.py:counted_address",
            "protocols/addresses.py:counted_network",
            "protocols/bans.py:BanList.add",
            "protocols/bans.py:BanList.remove",
            "protocols/web/hosts.py:split_authority",
        ),
        starts=("", "2001:db8::", "192.0.2.1/", "[", "fe80::1%"),
        units=("0:", "::", "1.", "/1", "%a"),
    ),
    Way(
        name="the header Accept-Encoding of a request",
        read=accepts_gzip,
        covers=("protocols/web/compression.py:accepts_gzip",),
        starts=("", "gzip;q="),
        units=("gzip", ",", ";", " ", "0", "gzip;q=0,"),
    ),
    Way(
        name="a line of the bans' file",
        read=lambda text: Ban.parse(text, 64),
        covers=("protocols/bans.py:Ban.parse",),
        starts=("", "192.0.2.1 ", "192.0.2.1 2026-11-28T10:00:00+00:00 "),
        units=("1 ", "2026-11-28 "),
    ),
    Way(
        name="a text of others that is printed",
        read=lambda text: (escaped(text), visible(text), visible_bytes(text.encode())),
        covers=("engines/names.py:escaped", "tools/files.py:visible", "tools/files.py:visible_bytes"),
        units=("\x1b[", "\u202e"),
    ),
    # -- JSON lines
    Way(
        name="the reference of a line that is refused",
        read=lambda text: reference(text.encode()),
        covers=("protocols/jsonl/codec.py:reference",),
        starts=("", '{"type":"ping","id":"', '{"a":', '{"id":1,"a":['),
        units=('"a":1,', "[1,", '{"id":'),
    ),
    Way(
        name="a JSON line",
        read=lambda text: decode(text.encode()),
        covers=(
            "protocols/jsonl/codec.py:decode",
            "protocols/jsonl/faults.py:sentence",
            "protocols/jsonl/handlers.py:receive",
            "protocols/jsonl/runtime.py:serve_connection",
        ),
        starts=(
            "",
            "{" + "[" * 40 + '"',
            '{"type":"',
            '{"type":"create","id":',
            '{"type":"list","game":["',
            '{"type":"hello","versions":[1],"role":"',
            '{"type":"create","game":"x","seats":[],"clock":{"',
            '{"type":"action","re":1,"action":{"kind":"',
        ),
        units=('\\"', " - at `", "missing required field `", '"a":1,', "[1],", '"],["', "\\u0000"),
    ),
    Way(
        name="a JSON line with a word that no message has",
        read=lambda text: decode(
            b'{"type":"%b\\n"}' % text.replace("\\", "").replace('"', "").replace("\n", " ").encode()
        ),
        covers=(),
        units=(" - at `", "key in `", " - at `$", "`"),
    ),
    Way(
        name="a record of a game",
        read=lambda text: (
            is_record(text.encode()),
            [line_type(line) for line in whole_lines(text.encode())],
        ),
        covers=(
            "protocols/jsonl/record.py:is_record",
            "protocols/jsonl/record.py:line_type",
            "protocols/jsonl/journal.py:whole_lines",
            "protocols/jsonl/record.py:ReplayedGame.replay",
        ),
        starts=("", '{"type":"', '{"format":"'),
    ),
    Way(
        name="a script",
        read=script.parse,
        covers=("protocols/jsonl/script.py:parse",),
        starts=("", '{"expect":{"a":"'),
    ),
    # -- Connections
    Way(
        name="bytes one by one",
        read=_read_byte_by_byte,
        covers=("protocols/connection.py:Connection.receive_data",),
        size=30_000,
        is_deep=False,
    ),
    Way(name="bytes at once", read=_read_at_once, covers=(), refusals=(LineTooLong,)),
    Way(
        name="a PROXY header",
        read=lambda text: split_header(text.encode("latin-1", "replace")),
        covers=("protocols/proxy_header.py:split_header",),
        starts=("", "PROXY ", "PROXY TCP4 1", "\r\n\r\n\0\r\nQUIT\n!\x11\xff\xff"),
    ),
    # -- Brokers and browsers
    Way(
        name="a request for missed events",
        read=lambda text: missed_events(BUS, text.encode()),
        covers=("protocols/mqtt/requests.py:missed_events",),
        starts=("", '{"after":', '{"after":0,"topics":["'),
        units=('","', "a/"),
        refusals=(Refusal,),
    ),
    Way(
        name="a topic",
        read=Topics("galapagos/v1").purpose,
        covers=(),
        starts=("", "galapagos/v1/", "galapagos/v1/c/"),
        units=("a/", "/", "+/"),
    ),
    Way(
        name="a response topic",
        read=lambda text: Topics("g").response("a", text),
        covers=(),
        starts=("", "g/c/a/out/"),
        units=("a/", "#"),
    ),
    Way(
        name="the address of a broker",
        read=broker.parse,
        covers=(),
        starts=("", "mqtt://", "mqtt://a/", "mqtt://a:"),
        units=("a/", "%41", "@", "[::"),
    ),
    Way(
        name="a query for events",
        read=lambda text: EventQuery.parse(text, text),
        covers=(),
        units=("a,", "/,"),
    ),
    Way(
        name="an HTTP request",
        read=_http,
        covers=(),
        starts=(
            "",
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ),
        units=("a: b\r\n", "a:\r\n", "\r\n ", "1\r\na\r\n", "0;a\r\n", "GET / HTTP/1.1\r\n\r\n"),
        refusals=(HttpProcessingError,),
    ),
)
