"""Limits on TLS handshakes, which cost most of the processor time of a connection and precede all other limits.

asyncio's servers accept a connection and start its handshake, and call the application only when the handshake is
done. A client that never continues would hold a socket for a minute, and a thousand such clients would hold all
sockets of the process. Here a handshake occupies a slot of its address from the start, is charged to the address, and
must end within `first_line_seconds`.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from ssl import SSLContext
from time import monotonic
from typing import Final

from protocols.accounts import TLS_SECONDS, Accounts
from protocols.addresses import counted_address

MAX_EARLY_BYTES: Final = 65_536  # received after the handshake, before its protocol takes over


class TlsGate:
    """A protocol factory for loop.create_server(). Its protocols do the handshake; then one from `make` takes over."""

    def __init__(
        self,
        context: SSLContext,
        make: Callable[[], asyncio.BaseProtocol],
        accounts: Accounts,
        is_banned: Callable[[str], bool],
    ) -> None:
        self.context = context
        self.make = make
        self.accounts = accounts
        self.is_banned = is_banned
        self.handshakes: dict[Handshake, str] = {}  # the running ones with their addresses, oldest first

    def __call__(self) -> "Handshake":
        return Handshake(self)

    def begin(self, handshake: "Handshake", peer: str) -> bool:
        """Occupy a slot for a handshake, and charge its address.

        Return False if the address is banned, has too many handshakes, or is over its share. If all slots are taken,
        the oldest handshake of the address with the most handshakes is ended.
        """
        limits = self.accounts.limits
        address = counted_address(peer, limits.ipv6_prefix_bits)
        if self.is_banned(address):
            return False
        account, now = self.accounts.of(address), monotonic()
        counts = Counter(self.handshakes.values())
        if account.delay(now) > 0.0 or counts[address] >= limits.connections_per_address:
            return False
        account.spend_loop(TLS_SECONDS, now)
        if len(self.handshakes) >= limits.connections:
            next(iter(sorted(self.handshakes, key=lambda each: -counts[self.handshakes[each]]))).abort()
        self.handshakes[handshake] = address
        return True


class Handshake(asyncio.Protocol):
    """The protocol of a connection until its handshake is done; early data is kept for the protocol that follows."""

    def __init__(self, gate: TlsGate) -> None:
        self._gate = gate
        self._transport: asyncio.Transport | None = None
        self._early = bytearray()
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        if peer is None or not self._gate.begin(self, str(peer[0])):
            transport.abort()
            return
        transport.pause_reading()
        self._transport = transport
        self._task = asyncio.create_task(self._shake_hands(transport))

    def data_received(self, data: bytes) -> None:
        self._early += data
        if len(self._early) > MAX_EARLY_BYTES:
            self.abort()

    def abort(self) -> None:
        """End the connection at once."""
        self._gate.handshakes.pop(self, None)
        if self._transport is not None:
            self._transport.abort()

    async def _shake_hands(self, transport: asyncio.Transport) -> None:
        gate = self._gate
        seconds = gate.accounts.limits.first_line_seconds
        try:
            secured = await asyncio.get_running_loop().start_tls(
                transport, self, gate.context, server_side=True, ssl_handshake_timeout=seconds
            )
        except (OSError, ValueError):  # the handshake has failed or has timed out
            transport.abort()
            return
        finally:
            gate.handshakes.pop(self, None)
        if secured is None:  # the connection was lost at the end of the handshake
            transport.abort()
            return
        protocol = gate.make()
        self._transport = secured
        secured.set_protocol(protocol)
        protocol.connection_made(secured)
        protocol = secured.get_protocol()  # connection_made() may have set another protocol
        if self._early and isinstance(protocol, asyncio.Protocol):
            protocol.data_received(bytes(self._early))
