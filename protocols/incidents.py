"""Incidents for operators: clients that were refused, slowed or ended by limits, and data that cannot be written.

Everything is counted for /metrics and /healthz. The log gets a line for the first case of a kind, and then one line a
minute at most, with the number of cases since then and the addresses that had most of them. So an attack is visible
in the log and cannot fill it.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Final, Literal

from protocols.addresses import THIS_MACHINE, is_loopback

Kind = Literal[
    "connections", "connections_per_address", "ended_connections", "lines", "messages", "busy", "ended_games",
    "hill_submissions", "page_connections", "page_connections_per_address", "page_requests", "page_slowed",
    "page_busy", "hosts", "origins", "client_addresses", "banned",
]  # fmt: skip
TEXTS: Final[dict[Kind, str]] = {
    "connections": "connections refused, the server is full",
    "connections_per_address": "connections refused, their address has too many",
    "ended_connections": "connections ended to make room for others, the server is full",
    "lines": "connections slowed, too many lines",
    "messages": "messages refused, too many a second",
    "busy": "games, sessions or matches refused, there are too many",
    "ended_games": "games ended to make room for others, the server is full",
    "hill_submissions": "hill submissions refused, too many an hour",
    "page_connections": "browsers' connections refused or ended, the page is full",
    "page_connections_per_address": "browsers' connections ended, their address has too many",
    "page_requests": "browsers' requests refused, too many",
    "page_slowed": "browsers' requests slowed, too many a second",
    "page_busy": "browsers' requests refused, the server is busy",
    "hosts": "browsers' requests refused, the host is not allowed (see galapagos serve --name)",
    "origins": "browsers' requests refused, the page is another site's (a proxy must pass on the header Host)",
    "client_addresses": "requests from the proxy that name no single client address, counted as one client",
    "banned": "connections and requests refused, the address is banned",
}
REPORT_SECONDS: Final = 60.0  # at least, between two lines of a kind
WATCH_SECONDS: Final = 5.0
MAX_ADDRESSES: Final = 1000  # that are counted for a line; all others count as OTHER_ADDRESSES
OTHER_ADDRESSES: Final = "others"
SHOWN_ADDRESSES: Final = 3
LOG: Final = logging.getLogger(__name__)


class Incidents:
    """The incidents of one server. The task watch() logs the cases that follow the first one of a kind."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, warn: Callable[[str], object] = LOG.warning
    ) -> None:
        self.counts: Counter[Kind] = Counter()  # since the start
        self.failures: dict[str, str] = {}  # what cannot be written at present, and why
        self._clock = clock
        self._warn = warn
        self._reported: dict[Kind, float] = {}  # when the last line was logged
        self._unreported: dict[Kind, Counter[str]] = {}  # cases since that line, by address

    # -- Clients ------------------------------------------------------------------------------------

    def add(self, kind: Kind, address: str = "", note: str = "") -> None:
        """Count a case, and log it with the note if it is the first.

        A program of this machine, whose address is empty or a loopback address, is called THIS_MACHINE.
        """
        if not address or is_loopback(address):
            address = THIS_MACHINE
        self.counts[kind] += 1
        cases = self._unreported.get(kind)
        if cases is None:
            self._unreported[kind] = Counter()
            self._reported[kind] = self._clock()
            self._warn(f"{TEXTS[kind]}: {address}{note and f', {note}'}")
        else:
            is_counted = address in cases or len(cases) < MAX_ADDRESSES
            cases[address if is_counted else OTHER_ADDRESSES] += 1

    def report(self, *, is_last: bool = False) -> None:
        """Log the cases of every kind whose last line is REPORT_SECONDS old, or of all kinds if `is_last`."""
        now = self._clock()
        for kind, cases in list(self._unreported.items()):
            if not is_last and now - self._reported[kind] < REPORT_SECONDS:
                continue
            if cases:
                seconds = round(now - self._reported[kind])
                self._warn(f"{TEXTS[kind]}: {cases.total()} more in {seconds} s, {_shown(cases)}")
                self._unreported[kind] = Counter()
                self._reported[kind] = now
            else:
                del self._unreported[kind]  # the next case gets a line at once

    async def watch(self) -> None:
        """Report every WATCH_SECONDS until this task is cancelled, and once more then."""
        try:
            while True:
                await asyncio.sleep(WATCH_SECONDS)
                self.report()
        finally:
            self.report(is_last=True)

    # -- The disk -----------------------------------------------------------------------------------

    def fail(self, what: str, error: Exception) -> None:
        """Record that `what` cannot be written, and log that unless it is recorded already."""
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        if what not in self.failures:
            LOG.error("%s cannot be written: %s; free some disk space, or repair the disk", what, reason)
        self.failures[what] = reason

    def recover(self, what: str) -> None:
        """Record that `what` was written, and log that if it could not be written before."""
        if self.failures.pop(what, None) is not None:
            LOG.info("%s can be written again", what)


def _shown(cases: Counter[str]) -> str:
    """Return the addresses with the most cases, as `192.0.2.7 (30), 2001:db8::/64 (7) and 12 other addresses`."""
    shown = ", ".join(f"{address} ({count})" for address, count in cases.most_common(SHOWN_ADDRESSES))
    rest = len(cases) - SHOWN_ADDRESSES
    return f"{shown} and {rest} other address{'es' if rest > 1 else ''}" if rest > 0 else shown
