"""Headers of the PROXY protocol: whose connection it is, what follows, in any pieces; what is none, and what is damaged."""

import ipaddress
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.proxy_header import SIGNATURE_2, split_header

LINE = b'{"type":"hello"}\n'


def version_2(address: str, *, command: int = 0x21, extra: bytes = b"") -> bytes:
    packed = ipaddress.ip_address(address).packed
    body = packed + packed + struct.pack("!HH", 50000, 1835) + extra
    return SIGNATURE_2 + struct.pack("!BBH", command, 0x11 if len(packed) == 4 else 0x21, len(body)) + body


HEADERS = [
    (b"PROXY TCP4 192.0.2.7 198.51.100.1 50000 1835\r\n", "192.0.2.7"),
    (b"PROXY TCP6 2001:db8::7 2001:db8::1 50000 1835\r\n", "2001:db8::7"),
    (b"PROXY UNKNOWN\r\n", ""),
    (b"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n", ""),
    (version_2("192.0.2.7"), "192.0.2.7"),
    (version_2("2001:db8::7", extra=b"\x03\x00\x04abcd"), "2001:db8::7"),
    (version_2("192.0.2.7", command=0x20), ""),
]


@pytest.mark.parametrize(("header", "address"), HEADERS)
def test_a_whole_header_yields_the_address_and_the_data_after_it(header: bytes, address: str) -> None:
    assert split_header(header + LINE) == (address, LINE)
    for length in range(1, len(header)):
        assert split_header(header[:length]) is None


@pytest.mark.parametrize("data", [LINE, b"uci\n", b"P\n", b"PROXY1", b"proxy ", b"\r\n\r\nuci\n", b"\r\nx"])
def test_data_without_a_header_is_returned_unchanged(data: bytes) -> None:
    assert split_header(data) == ("", data)


@pytest.mark.parametrize("data", [b"P", b"PROX", b"PROXY", b"\r\n", SIGNATURE_2[:-1]])
def test_the_beginning_of_a_signature_waits_for_more_and_may_be_no_header(data: bytes) -> None:
    assert split_header(data) is None
    assert split_header(data + b"123456789012") == ("", data + b"123456789012")


@pytest.mark.parametrize(
    "data",
    [
        b"PROXY TCP4 192.0.2.7 198.51.100.1 50000\r\n",
        b"PROXY TCP4 999.0.2.7 198.51.100.1 50000 1835\r\n",
        b"PROXY UDP4 192.0.2.7 198.51.100.1 50000 1835\r\n",
        b"PROXY \r\n",
        b"PROXY " + b"x" * 200,
        version_2("192.0.2.7", command=0x22),
        SIGNATURE_2 + struct.pack("!BBH", 0x21, 0x11, 4) + b"abcd",
        SIGNATURE_2 + struct.pack("!BBH", 0x21, 0x31, 0),
    ],
)
def test_damaged_headers_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        split_header(data)


@given(
    st.sampled_from([b"", b"PROXY ", b"PROXY TCP4 ", SIGNATURE_2, version_2("192.0.2.7")[:16]]),
    st.binary(max_size=150),
)
def test_random_bytes_are_split_or_refused(start: bytes, rest: bytes) -> None:
    try:
        parts = split_header(start + rest)
    except ValueError:
        return
    assert parts is None or (start + rest).endswith(parts[1])
