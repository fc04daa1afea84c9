"""Accounts of what each remote address costs the server, and the limits on these costs.

Each address has one account for all its connections and protocols. The account counts four costs:

    loop      processor seconds of the event loop's thread
    workers   seconds in worker processes: searches of engines, agents' games, records and replays
    sent      bytes written to its connections
    kept      bytes written to the server's disk on its behalf: records of games

The loop's time is measured around each step of the coroutines that serve the address (protocols.metering). It is
measured instead of declared, because no handler's cost is known in advance for every input.

Before each piece of its work of a few milliseconds, a client waits for `Account.turn`. An address that has used
little of the loop continues at once. An address that has used more than LIGHT_SECONDS queues with all such addresses
(the crowd): one of them at a time does a piece of work, and all together use at most `crowd_share` of the loop. An
address that is over its own share sleeps until it is below that share again. So a ping of an address that costs
little waits for a few pieces at most, however many other clients send all they can. Work that is left for later, such
as the rest of a long game, waits for a turn like a new line.

Each cost is a token bucket: a rate that an address may use for ever, and a burst for what people do at once, such as
loading a page or analysing a position. A cost that is known in advance is charged before it is spent; any other is
measured and charged afterwards, and the bucket then goes below zero. Until it is above zero again, the address waits
(loop, sent), its searches are short and its jobs wait (workers), or it may not start games (kept).

When the server is full, addresses are ranked by the share of their buckets that they have used (Account.load).
Programs of this machine and holders of the server's token have no account.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from protocols.limits import Limits, TokenBucket
from protocols.metering import metered

COSTS: Final = ("loop", "workers", "sent", "kept")
MAX_ACCOUNTS: Final = 4096  # the least recently used without a connection are forgotten first
LIGHT_SECONDS: Final = 0.02  # of the loop; an address that has used less waits for no other
CROWD_BURST_SECONDS: Final = 0.002
CONNECTION_SECONDS: Final = 0.0005  # of the loop for a new connection, charged before it is served
TLS_SECONDS: Final = 0.003  # of the loop for a TLS handshake

Outcome = TypeVar("Outcome")


class Crowd:
    """The part of the loop's time that all heavy addresses share, and their queue for it."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.clock = clock
        # The burst is one piece of work, so that heavy addresses never use more than their share for long.
        self.share = TokenBucket(limits.crowd_share, CROWD_BURST_SECONDS, clock())
        self.queue = asyncio.Lock()


class Account:
    """The costs of one address. Times are seconds on the clock of Accounts."""

    __slots__ = ("_crowd", "address", "connections", "kept", "loop", "sent", "workers")

    def __init__(self, address: str, limits: Limits, crowd: Crowd) -> None:
        """Open an account that has used nothing yet."""
        now = crowd.clock()
        self.address = address
        self._crowd = crowd
        self.connections = 0  # at present, over TCP and WebSockets
        self.loop = TokenBucket(limits.loop_share, limits.loop_burst_seconds, now)
        self.workers = TokenBucket(limits.worker_share, limits.worker_burst_seconds, now)
        self.sent = TokenBucket(limits.sent_bytes_per_second, limits.sent_burst_bytes, now)
        self.kept = TokenBucket(limits.kept_bytes_per_hour / 3600, limits.kept_bytes_per_hour, now)

    def spend_loop(self, seconds: float, now: float) -> None:
        """Charge seconds of the event loop's thread; those of a heavy address count for the crowd too."""
        self.loop.take(seconds)
        if not self.is_light(now):
            self._crowd.share.take(seconds)

    async def turn(self) -> bool:
        """Wait until the address may use the loop for a few milliseconds; return whether it was over its share."""
        crowd = self._crowd
        if delay := self.delay(crowd.clock()):
            await asyncio.sleep(delay)
        if not self.is_light(crowd.clock()):
            async with crowd.queue:
                await asyncio.sleep(crowd.share.delay(crowd.clock(), 0.0))
        return delay > 0.0

    async def meter(self, work: Coroutine[Any, Any, Outcome]) -> Outcome:
        """Do `work`, and charge each of its steps."""
        clock = self._crowd.clock
        return await metered(work, lambda seconds: self.spend_loop(seconds, clock()))

    def delay(self, now: float) -> float:
        """Return for how many seconds the address must wait before the loop serves it again."""
        return max(self.loop.delay(now, 0.0), self.sent.delay(now, 0.0))

    def is_light(self, now: float) -> bool:
        """Return whether the address has used so little of the loop that it need not wait for others."""
        return self.loop.used(now) < LIGHT_SECONDS

    def is_over(self, now: float) -> bool:
        """Return whether the address has spent more of any of the four costs than it may."""
        return any(bucket.delay(now, 0.0) > 0.0 for bucket in self._buckets())

    def load(self, now: float) -> float:
        """Return the largest part of a burst that is used; above 1.0 the address is over its share."""
        return max(self.shares(now).values())

    def shares(self, now: float) -> dict[str, float]:
        """Return the part of each cost's burst that is used."""
        return {
            name: bucket.used(now) / bucket.burst for name, bucket in zip(COSTS, self._buckets(), strict=True)
        }

    def _buckets(self) -> tuple[TokenBucket, ...]:
        return self.loop, self.workers, self.sent, self.kept


class Accounts:
    """The accounts of the remote addresses that were served recently, at most MAX_ACCOUNTS."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.clock = clock
        self.crowd = Crowd(limits, clock)
        self._accounts: OrderedDict[str, Account] = OrderedDict()  # the most recently used last

    def of(self, address: str) -> Account:
        """Return the account of an address, and open one if the address has none."""
        account = self._accounts.get(address)
        if account is None:
            account = self._accounts[address] = Account(address, self.limits, self.crowd)
            if len(self._accounts) > MAX_ACCOUNTS:
                self._forget_one()
        else:
            self._accounts.move_to_end(address)
        return account

    def all(self) -> list[Account]:
        """Return all accounts, the least recently used first."""
        return list(self._accounts.values())

    def _forget_one(self) -> None:
        """Forget the least recently used account, if possible one without a connection."""
        oldest = next((each for each in self._accounts.values() if not each.connections), None)
        self._accounts.pop(oldest.address if oldest else next(iter(self._accounts)))
