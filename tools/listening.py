"""The addresses of `galapagos serve`: this machine's names, the lines that it prints, and errors of listening."""

import asyncio
import errno
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from protocols.addresses import is_address, is_loopback
from tools.cli import sentence

WILDCARD_HOSTS: Final = ("0.0.0.0", "::")  # hosts that stand for all addresses of a machine
LOOKUP_SECONDS: Final = 2.0  # for the machine's full name, which may need a request to a name server
# Addresses reserved for documentation, which no machine has: only the route to them is determined, nothing is sent.
PROBE_ADDRESSES: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


async def own_names(host: str) -> list[str]:
    """Return the names of this machine by which browsers may call a server that listens on `host`."""
    names = [socket.gethostname()]
    if not (is_address(host) and is_loopback(host)):  # otherwise no other machine can connect
        with suppress(TimeoutError, OSError):
            names.append(await asyncio.wait_for(asyncio.to_thread(socket.getfqdn), LOOKUP_SECONDS))
    return names


def own_addresses() -> list[str]:
    """Return the addresses by which other machines can reach this one, as found by its routes and its name."""
    found: list[str] = []
    for family, target in PROBE_ADDRESSES:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            found.append(probe.getsockname()[0])
    with suppress(OSError, UnicodeError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)]
    addresses = dict.fromkeys(ip_address(each) for each in found if "%" not in each)
    return [
        str(each) for each in addresses if not (each.is_loopback or each.is_link_local or each.is_unspecified)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """The addresses on which a server listens, and the names by which clients reach it."""

    host: str
    port: int  # of TCP
    page: int  # the port of the page
    names: Sequence[str] = ()  # given by the operator
    has_tls: bool = False
    is_proxied: bool = False

    def lines(self, spoken: str, hill: str = "") -> list[str]:
        """Return the lines for the operator.

        `spoken` names the protocols of the TCP port; `hill` is the first line of submissions to a hill, if there is one.
        """
        places = self._places()
        pages = [self._url(place) for place in places]
        shown = f"play and watch at {' or '.join(pages)}"
        if self.is_proxied and self.names:
            shown = (
                f"play and watch at {self._url(self._own)} or, through the proxy, at https://{self.names[0]}/"
            )
        elif self.host in WILDCARD_HOSTS:
            shown += f"; on this machine at {self._url('localhost')}"
        place = self._own if self.is_proxied else places[0]
        program = (
            f"openssl s_client -quiet -connect {_bracketed(place)}:{self.port}"
            if self.has_tls
            else f"nc {place} {self.port}"
        )
        return [
            f"listening on {_bracketed(self.host)}:{self.port} for {spoken}; Ctrl-C stops",
            shown,
            f"try it:  {program}  and type uci, then go movetime 1000",
            *(
                [f'         echo "{hill} standings" | nc -N {place} {self.port}']
                if hill and not self.has_tls
                else []
            ),
        ]

    @property
    def _own(self) -> str:
        """The address by which programs of this machine connect."""
        return "127.0.0.1" if self.host in WILDCARD_HOSTS else self.host

    def _places(self) -> list[str]:
        """Return the names or addresses that clients can use, the best first."""
        if self.names and not self.is_proxied:
            return list(self.names)
        if self.host not in WILDCARD_HOSTS:
            return [self.host]
        has_ipv6 = self.host == "::"
        return [each for each in own_addresses() if has_ipv6 or ":" not in each] or ["localhost"]

    def _url(self, place: str) -> str:
        return f"{'https' if self.has_tls else 'http'}://{_bracketed(place)}:{self.page}/"


def fault(error: Exception, host: str, port: int, option: str) -> str:
    """Return the reason why a server cannot listen, with advice; `option` is the option that sets the port."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, socket.gaierror | UnicodeError):
        return f"no machine is called {host[:80]!r}; give --host an address of this machine, or 0.0.0.0 for all addresses"
    if number == errno.EADDRINUSE:
        return (
            f"port {port} of {host} is in use by another program, perhaps a server like this one;"
            f" stop that program or choose another port with {option} ({option} 0 chooses a free port)"
        )
    if number in (errno.EACCES, errno.EPERM):
        return (
            f"you have no permission to use port {port}, as ports below 1024 belong to the system;"
            f" choose another port with {option} ({option} 0 chooses a free port)"
        )
    if number in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, None):
        own = ", ".join(["127.0.0.1", *own_addresses()])
        return f"{host} is not an address of this machine; give --host one of {own}, or 0.0.0.0 for all addresses"
    return sentence(error)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
