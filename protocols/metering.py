"""Charges the event loop's time to the addresses that cause it, and lets heavy ones take turns.

`metered` runs a coroutine and measures each of its steps in processor time of this thread: a step is what happens between
two waits, so what others do meanwhile is not counted. `Turns` is asked before each piece of a client's work. An address
that has used little goes on at once. One that has used more than LIGHT_SECONDS queues with all such addresses: one of them
at a time does a piece of work of a few milliseconds, and all together use at most `crowd_share` of the loop. One that is
over its own share sleeps until it is not. So a ping of an address that costs little waits for a few pieces at most,
however many others send all they can.

Measured instead of declared, because no handler's cost is known in advance for every input. Processor time, because on a
busy machine a client would pay for other programs; a measurement takes a microsecond or two.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import aclosing
from time import thread_time
from types import coroutine
from typing import Any, Final, TypeVar

from core.game import State
from engines.engine import Engine, Info, Limit, explain
from protocols.accounts import Account, Accounts

MIN_SEARCH_SECONDS: Final = 1.0

Outcome = TypeVar("Outcome")


class Turns:
    """The queue of heavy addresses for the event loop."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._queue = asyncio.Lock()

    async def wait(self, account: Account) -> bool:
        """Return when an address may use the loop for a few milliseconds; return whether it was over its share."""
        clock = self._accounts.clock
        if delay := account.delay(clock()):
            await asyncio.sleep(delay)
        if not account.is_light(clock()):
            async with self._queue:
                await asyncio.sleep(self._accounts.crowd.delay(clock(), 0.0))
        return delay > 0.0

    async def meter(self, account: Account, work: Coroutine[Any, Any, Outcome]) -> Outcome:
        """Do `work`, and charge each of its steps to an address."""
        clock = self._accounts.clock
        return await metered(work, lambda seconds: account.spend_loop(seconds, clock()))


class ChargedEngine(Engine):
    """An engine whose searches end after `max_seconds`, and are charged to an address while they run.

    The searches of an address that is over its share of the workers are MIN_SEARCH_SECONDS long.
    """

    def __init__(
        self,
        engine: Engine,
        account: Account,
        turns: Turns,
        max_seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self.name, self.author, self.options = engine.name, engine.author, engine.options
        self._engine = engine
        self._account = account
        self._turns = turns
        self._max_seconds = max_seconds
        self._clock = clock

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        workers, began = self._account.workers, self._clock()
        left = workers.burst - workers.used(began)
        seconds = min(self._max_seconds, max(left, MIN_SEARCH_SECONDS))
        charged_until = began
        async with aclosing(self._engine.think(state, limit)) as infos:
            try:
                yield await anext(infos)  # at once, as Engine.think demands
                until = asyncio.get_running_loop().time() + seconds
                while True:
                    async with asyncio.timeout_at(until):
                        info = await anext(infos)
                    await self._turns.wait(self._account)  # a process tells the news of many searches at once
                    yield info
                    now = self._clock()
                    workers.take(now - charged_until)
                    charged_until = now
            except (StopAsyncIteration, TimeoutError):
                pass  # the search has ended, or has taken as long as it may
            finally:
                workers.take(self._clock() - charged_until)

    async def configure(self, name: str, value: str) -> None:
        await self._engine.configure(name, value)

    async def new_game(self) -> None:
        await self._engine.new_game()

    async def explain(self, state: State) -> list[str]:
        return await explain(self._engine, state)

    async def close(self) -> None:
        await self._engine.close()


async def metered(work: Coroutine[Any, Any, Outcome], charge: Callable[[float], object]) -> Outcome:
    """Do `work`; call `charge` with the seconds of this thread that each step of it took."""
    return await _steps(work, charge)


@coroutine
def _steps(
    work: Coroutine[Any, Any, Outcome], charge: Callable[[float], object]
) -> Generator[Any, Any, Outcome]:
    """Drive a coroutine as `await` does, with a clock around each step."""
    sent: Any = None
    failure: BaseException | None = None
    while True:
        began = thread_time()
        try:
            waited_for = work.send(sent) if failure is None else work.throw(failure)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        finally:
            charge(thread_time() - began)
        failure = None
        try:
            sent = yield waited_for
        except BaseException as error:  # the task is cancelled, or what it waits for has failed
            failure = error
