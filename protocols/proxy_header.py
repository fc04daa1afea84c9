"""The PROXY protocol, versions 1 and 2, by which a proxy before the TCP port names the client of a connection.

Reference: "The PROXY protocol, versions 1 & 2", haproxy.org, sections 2.1 and 2.2.
"""

import ipaddress
import struct
from typing import Final

SIGNATURE_1: Final = b"PROXY "
SIGNATURE_2: Final = b"\r\n\r\n\0\r\nQUIT\n"
LONGEST_1: Final = 107  # bytes of a header of version 1, with its break
HEAD_2: Final = struct.Struct(
    "!12sBBH"
)  # signature, version and command, family and transport, bytes that follow
LOCAL_2, PROXY_2 = 0x20, 0x21
ADDRESS_BYTES: Final = {0x11: 4, 0x21: 16}  # TCP over IPv4 and IPv6


def split_header(data: bytes) -> tuple[str, bytes] | None:
    """Return the client's address and the data after the header, or None if more data must be read to know.

    The address is "" if there is no header or if the header has no address. Raises ValueError for a damaged header.
    """
    if data.startswith(SIGNATURE_1):
        return _version_1(data)
    if data.startswith(SIGNATURE_2):
        return _version_2(data)
    if data and (SIGNATURE_1.startswith(data) or SIGNATURE_2.startswith(data)):
        return None
    return "", data


def _version_1(data: bytes) -> tuple[str, bytes] | None:
    line, end, rest = data[:LONGEST_1].partition(b"\r\n")
    if not end:
        if len(data) >= LONGEST_1:
            raise ValueError("a PROXY header without an end")
        return None
    words = line.decode("ascii", "replace").split(" ")
    rest += data[LONGEST_1:]
    if words[1] == "UNKNOWN":
        return "", rest
    if len(words) != 6 or words[1] not in ("TCP4", "TCP6"):
        raise ValueError("a PROXY header of another form")
    return str(ipaddress.ip_address(words[2])), rest


def _version_2(data: bytes) -> tuple[str, bytes] | None:
    if len(data) < HEAD_2.size:
        return None
    _, command, family, size = HEAD_2.unpack_from(data)
    body, rest = data[HEAD_2.size : HEAD_2.size + size], data[HEAD_2.size + size :]
    if len(body) < size:
        return None
    if command == LOCAL_2:
        return "", rest
    width = ADDRESS_BYTES.get(family, 0)
    if command != PROXY_2 or not width or size < 2 * width + 4:
        raise ValueError("a PROXY header of another form")
    return str(ipaddress.ip_address(body[:width])), rest
