"""The address that counts for a client: one rule for every limit, quota and log.

A limit for each address is void if a client has many addresses or can choose one. So every peer's name and every
entry of a header becomes, before anything is counted,

    192.0.2.200                                  an IPv4 address, as it is
    ::ffff:192.0.2.200, ::ffff:c000:2c8          the IPv4 address that is mapped: 192.0.2.200
    2001:db8:1:2:3:4:5:6                         its network, 2001:db8:1:2::/64: a customer gets a /64 at least
    ::1                                          as it is: this machine
    unknown, _hidden, nonsense                   `unknown`, one address for all of them

A port, brackets, quotation marks and a zone (`%eth0`) are dropped.

A proxy appends the client's address to `X-Forwarded-For` or `Forwarded` (RFC 7239), or adds another line of that
header. All that precedes may be forged, so the last entry of the last line counts. A client can also forge the header
that the proxy does not set. Where both headers are present and their addresses differ, the client is `unknown`: a
forgery brings no new address, whichever header the proxy sets. So a proxy should remove the header that it does not
set.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network

THIS_MACHINE: Final = "this machine"  # stands for the addresses of its programs where operators read them
UNKNOWN: Final = "unknown"  # the address of all clients without a clear address; it never means this machine
LOOPBACK: Final = (ip_network("127.0.0.0/8"), ip_network("::1"))
MAPPED: Final = IPv6Network("::ffff:0:0/96")  # IPv4 addresses written as IPv6
MAX_ENTRY: Final = 100  # characters of an entry; an IPv6 address with zone and port has fewer than 80
# A pair of a Forwarded element, or nothing, up to the end of the pair. The parts exclude each other.
PAIR: Final = re.compile(
    r"""[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^ \t",;]*))[ \t]*)?([;,]|\Z)"""
)
QUOTED_PAIR: Final = re.compile(r"\\(.)")


def counted_address(text: str, ipv6_prefix_bits: int) -> str:
    """Return the address that limits count for a peer's name or an entry of a header, or UNKNOWN for other text."""
    address = _parse(text)
    if address is None:
        return UNKNOWN
    if isinstance(address, IPv4Address) or address.is_loopback:
        return str(address)
    return str(ip_network((int(address), ipv6_prefix_bits), strict=False))


def forwarded_address(x_forwarded_for: Sequence[str], forwarded: Sequence[str], ipv6_prefix_bits: int) -> str:
    """Return the address that counts for a client behind a proxy, from the lines of both headers.

    The address is UNKNOWN if no header gives one, or if both headers are present and differ.
    """
    found = set()
    if x_forwarded_for:
        found.add(counted_address(x_forwarded_for[-1].rpartition(",")[2], ipv6_prefix_bits))
    if forwarded:
        found.add(counted_address(_last_for(forwarded[-1]), ipv6_prefix_bits))
    return found.pop() if len(found) == 1 else UNKNOWN


def counted_network(text: str, ipv6_prefix_bits: int) -> Network:
    """Return the network of an address or of a prefix such as 192.0.2.0/24, in the form that limits count.

    An IPv6 network that is narrower than the network which counts as one address becomes that network. Raises
    ValueError with a sentence if the text is neither an address nor a prefix.
    """
    text = text.strip()
    try:
        address = None if "/" in text else _parse(text)
        network = ip_network(text, strict=False) if address is None else ip_network(address)
    except ValueError:
        raise ValueError(
            f"{text[:MAX_ENTRY]!r} is not an address or a network, "
            "such as 192.0.2.7, 192.0.2.0/24 or 2001:db8:1:2::/64"
        ) from None
    if isinstance(network, IPv4Network):
        return network
    if network.subnet_of(MAPPED):
        bits = network.prefixlen - MAPPED.prefixlen
        return IPv4Network((int(network.network_address) & 0xFFFF_FFFF, bits))
    if network.prefixlen > ipv6_prefix_bits and not network.is_loopback:
        return network.supernet(new_prefix=ipv6_prefix_bits)
    return network


@lru_cache(4096)
def network_of(address: str) -> Network | None:
    """Return the network of an address that limits count, or None if it is no IP address, such as UNKNOWN."""
    try:
        return ip_network(address)
    except ValueError:
        return None


def has_loopback(network: Network) -> bool:
    """Return whether a network has an address of the loopback interface."""
    return any(network.version == each.version and network.overlaps(each) for each in LOOPBACK)


def is_address(text: str) -> bool:
    """Return whether a text is an IP address, in any form that counted_address() reads."""
    return _parse(text) is not None


def is_loopback(text: str) -> bool:
    """Return whether an address is one of this machine's loopback interface."""
    address = _parse(text)
    return address is not None and address.is_loopback


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in a text, IPv4 where it is mapped, or None if there is none."""
    text = text.strip(' \t"')
    if len(text) > MAX_ENTRY:
        return None
    if text.startswith("["):
        text, end, port = text[1:].partition("]")
        if not end or (port and not port.startswith(":")):
            return None
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def _last_for(line: str) -> str:
    """Return the `for` of the last element of a Forwarded line, or "" if it has none or the line is malformed."""
    found: list[str] = []  # the `for` values of this element
    position = 0
    while match := PAIR.match(line, position):
        name, quoted, plain, separator = match.groups()
        if name and name.lower() == "for":
            found.append(plain if quoted is None else QUOTED_PAIR.sub(r"\1", quoted))
        if not separator:
            return found[0] if len(found) == 1 else ""
        if separator == ",":
            found = []
        position = match.end()
    return ""
