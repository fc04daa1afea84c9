"""An engine that works for a remote address: its searches are charged to the address and limited in time."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final

from core.game import State
from engines.engine import Engine, Info, Limit, explain
from protocols.accounts import Account

MIN_SEARCH_SECONDS: Final = 1.0


class ChargedEngine(Engine):
    """An engine whose searches end after `max_seconds`, and are charged to an address while they run.

    A search of an address that has used its share of the workers ends after MIN_SEARCH_SECONDS.
    """

    def __init__(
        self,
        engine: Engine,
        account: Account,
        max_seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self.name, self.author, self.options = engine.name, engine.author, engine.options
        self._engine = engine
        self._account = account
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
                    await self._account.turn()  # a worker process can report many searches at once
                    yield info
                    now = self._clock()
                    workers.take(now - charged_until)
                    charged_until = now
            except (StopAsyncIteration, TimeoutError):
                pass  # the search has ended, or has used the time that it may take
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
