"""The host names by which browsers may call the site, and the pages whose requests it answers.

Another site can make its own name resolve to this machine (DNS rebinding); a browser then treats the answers of this
server as that site's own. So a request must name a host that no other site can have: an IP address, which is no name
that DNS resolves, `localhost`, or a name that belongs to this machine or that its operator allows. A request from a
page must come from a page of the same host and port.
"""

import re
from collections.abc import Iterable
from typing import Final

from protocols.addresses import is_address

LOCALHOST: Final = "localhost"
MAX_PORT: Final = 65_535
AUTHORITY: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)(?:%[\w.~-]+)?\]|([\w.-]+))(?::(\d{0,5}))?", re.ASCII)
ORIGIN: Final = re.compile(r"(https?)://(.*)")
DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def split_authority(text: str) -> tuple[str, int | None] | None:
    """Return the host, in lower case, and the port of a `Host` header, or None if the text is malformed."""
    found = AUTHORITY.fullmatch(text)
    if not found:
        return None
    network_address, name, port = found.groups()
    if network_address and not is_address(network_address):
        return None
    if port and int(port) > MAX_PORT:
        return None
    return normalized(network_address or name), int(port) if port else None


def normalized(name: str) -> str:
    """Return a host's name as browsers send it: in lower case, in ASCII, without a full stop at its end."""
    name = name.lower().removesuffix(".")
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return name  # no browser sends such a name


def allowed_names(names: Iterable[str]) -> frozenset[str]:
    """Return the names by which browsers may call the site, from those of this machine and its operator."""
    return frozenset({LOCALHOST, *map(normalized, names)})


def is_allowed(host: str, names: frozenset[str]) -> bool:
    """Return whether browsers may call the site by a host's name."""
    return host in names or is_address(host)


def is_same_origin(origin: str, authority: tuple[str, int | None]) -> bool:
    """Return whether an origin has the host and port that its request names; a malformed origin has none."""
    found = ORIGIN.fullmatch(origin)
    of_page = found and split_authority(found[2])
    if not found or not of_page:
        return False
    default = DEFAULT_PORTS[found[1]]
    return (of_page[0], of_page[1] or default) == (authority[0], authority[1] or default)
