"""The addresses that an operator has banned, and the file that keeps them.

A ban covers a network: one address, an IPv4 network, or an IPv6 network that is at least as wide as what counts as
one address (protocols.addresses). Each line of the file is one ban, in a form that people can read and edit:

    192.0.2.7/32 2026-11-28T10:00:00+00:00 forever floods the lobby
    2001:db8:1:2::/64 2026-11-28T10:05:00+00:00 2026-11-29T10:05:00+00:00

The parts are the network, the start, the end and the reason. A line that is not a ban, such as a comment, stays in
the file and has no effect.
"""

import errno
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Final

from engines.storage import open_file
from protocols.addresses import Network, counted_network, has_loopback, network_of

FOREVER: Final = "forever"
HEAD: Final = "# Banned: network, since, until, why. Change it with `galapagos admin HOME ban` and `unban`, or while no server runs."
MAX_BANS: Final = 10_000
MAX_BYTES: Final = 4_000_000  # of the file
MAX_HOURS: Final = 876_000.0  # a century
MAX_REASON: Final = 200  # characters
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ban:
    """A network whose clients are refused. Times are seconds of the epoch."""

    network: Network
    since: float
    until: float | None  # None: for ever
    reason: str

    @classmethod
    def parse(cls, line: str, ipv6_prefix_bits: int) -> "Ban":
        """Return the ban in a line of the file. Raises ValueError if the line is not a ban."""
        network, since, until, *reason = line.split(maxsplit=3)
        return cls(
            network=_bannable(network, ipv6_prefix_bits),
            since=datetime.fromisoformat(since).timestamp(),
            until=None if until == FOREVER else datetime.fromisoformat(until).timestamp(),
            reason=reason[0] if reason else "",
        )

    def line(self) -> str:
        """Return the ban as a line of the file, without a break."""
        until = FOREVER if self.until is None else time_text(self.until)
        return f"{self.network} {time_text(self.since)} {until} {self.reason}".rstrip()


class BanList:
    """All bans of a server. `clock` returns the seconds of the epoch."""

    def __init__(self, ipv6_prefix_bits: int = 64, clock: Callable[[], float] = time.time) -> None:
        self._bits = ipv6_prefix_bits
        self._clock = clock
        self._bans: dict[Network, Ban] = {}
        self._widths: list[tuple[int, int]] = []  # (IP version, prefix bits) of all bans, each once
        self._other_lines = [HEAD]  # lines of the file that are not bans
        self.fault = ""  # why the file cannot be read; it then stays as it is

    @classmethod
    def read(
        cls, path: Path, ipv6_prefix_bits: int = 64, clock: Callable[[], float] = time.time
    ) -> "BanList":
        """Return the bans in a file, or no bans if there is no file.

        A line that cannot be read is logged and stays in the file. If the whole file cannot be read, `fault` says
        why, no address is banned, and the file stays as it is.
        """
        bans = cls(ipv6_prefix_bits, clock)
        try:
            with open_file(path) as file:
                data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise OSError(errno.EFBIG, f"it has more than {MAX_BYTES} bytes")
            text = data.decode()
        except FileNotFoundError:
            return bans
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            bans.fault = (
                f"{path} cannot be used ({reason}); repair it or move it away, and start the server again"
            )
            LOG.error("no address is banned: %s", bans.fault)
            return bans
        bans._other_lines = []
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                bans._put(Ban.parse(line, ipv6_prefix_bits))
            except (ValueError, OverflowError):
                bans._other_lines.append(line)
                if line.strip() and not line.startswith("#"):
                    LOG.warning("%s, line %d is not a valid ban and is ignored: %r", path, number, line[:80])
        return bans

    def text(self) -> str:
        """Return the content of the file."""
        return "".join(f"{line}\n" for line in (*self._other_lines, *(ban.line() for ban in self.all())))

    def all(self) -> list[Ban]:
        """Return the bans that have not expired, the oldest first, and drop the others."""
        now = self._clock()
        self._bans = {ban.network: ban for ban in self._bans.values() if ban.until is None or ban.until > now}
        self._widths = sorted({(network.version, network.prefixlen) for network in self._bans})
        return sorted(self._bans.values(), key=lambda ban: ban.since)

    def of(self, address: str) -> Ban | None:
        """Return a ban that covers an address, as limits count it, or None if no ban does."""
        if not self._bans or (network := network_of(address)) is None:
            return None
        for version, bits in self._widths:
            if version == network.version and bits <= network.prefixlen:
                ban = self._bans.get(network.supernet(new_prefix=bits))
                if ban and (ban.until is None or ban.until > self._clock()):
                    return ban
        return None

    def add(self, text: str, hours: float | None = None, reason: str = "") -> Ban:
        """Ban an address or a network, for ever if `hours` is None, and replace an earlier ban of the same network.

        Raises ValueError, with a sentence for the operator, if the text, hours or reason cannot be accepted.
        """
        network = _bannable(text, self._bits)
        if hours is not None and not (isfinite(hours) and 0.0 < hours <= MAX_HOURS):
            raise ValueError(f"hours must be above 0 and at most {MAX_HOURS:.0f}, not {hours:g}")
        if len(reason) > MAX_REASON or not reason.isprintable():
            raise ValueError(f"a reason must be one line of at most {MAX_REASON} characters")
        if len(self.all()) >= MAX_BANS and network not in self._bans:
            raise ValueError(f"there are {MAX_BANS} bans already; ban a wider network, or lift some")
        now = self._clock()
        until = None if hours is None else now + 3600.0 * hours
        return self._put(Ban(network=network, since=now, until=until, reason=reason.strip()))

    def remove(self, text: str) -> Ban:
        """Lift the ban of exactly this address or network. Raises ValueError, with a sentence, if there is none."""
        network = counted_network(text, self._bits)
        if network not in {ban.network for ban in self.all()}:
            wider = self.of(str(network))
            advice = f"; the ban of {wider.network} covers it" if wider else ""
            raise ValueError(f"{network} is not banned{advice}")
        ban = self._bans.pop(network)
        self.all()
        return ban

    def _put(self, ban: Ban) -> Ban:
        self._bans[ban.network] = ban
        width = (ban.network.version, ban.network.prefixlen)
        if width not in self._widths:
            self._widths.append(width)
        return ban


def time_text(seconds: float) -> str:
    """Return a time of the epoch as ISO 8601, in UTC and to the second."""
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()


def _bannable(text: str, ipv6_prefix_bits: int) -> Network:
    """Return the network to ban. Raises ValueError if the text is no network, or if it has loopback addresses."""
    network = counted_network(text, ipv6_prefix_bits)
    if has_loopback(network):
        raise ValueError(f"{network} has addresses of this machine's loopback interface; it cannot be banned")
    return network
