"""The process behind a Worker: hosts engines and obeys the messages of engines/worker/worker.py."""

import asyncio
import socket
import sys
from contextlib import aclosing
from importlib import import_module
from typing import Any

from core.game import State
from engines.engine import Engine, Limit
from engines.worker.worker import frame, receive


class Host:
    """The engines of this process and the requests under way."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._engines: dict[int, Engine] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}

    async def obey(self, number: int, verb: str, target: int, arguments: tuple[Any, ...]) -> None:
        if verb == "stop":
            if target in self._thinking:
                self._thinking[target].cancel()
        elif verb == "think":
            task = asyncio.create_task(self._think(number, target, *arguments))
            self._thinking[number] = task
            task.add_done_callback(lambda _: self._thinking.pop(number, None))
        else:
            try:
                self._answer(number, "done", await self._do(verb, target, *arguments))
            except ValueError as error:
                self._answer(number, "refused", str(error))
            except Exception as error:  # whatever it was, the caller must not wait for ever
                self._answer(number, "error", f"{type(error).__name__}: {error}")

    async def _do(self, verb: str, target: int, *arguments: Any) -> Any:
        if verb == "open":
            factory, made_with = arguments
            module, _, name = factory.partition(":")
            engine: Engine = getattr(import_module(module), name)(*made_with)
            self._engines[target] = engine
            return engine.name, engine.author, engine.options
        if verb == "configure":
            return await self._engines[target].configure(*arguments)
        if verb == "new_game":
            return await self._engines[target].new_game()
        if verb == "close":
            return await self._engines.pop(target).close()
        raise RuntimeError(f"unknown request {verb}")

    async def _think(self, number: int, target: int, state: State, limit: Limit) -> None:
        try:
            async with aclosing(self._engines[target].think(state, limit)) as thoughts:
                async for thought in thoughts:
                    self._answer(number, "thought", thought)
            self._answer(number, "done", None)
        except Exception as error:  # as above
            self._answer(number, "error", f"{type(error).__name__}: {error}")

    def _answer(self, number: int, kind: str, value: Any) -> None:
        self._writer.write(frame((number, kind, value)))


async def _main(descriptor: int) -> None:
    reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=descriptor))
    host = Host(writer)
    try:
        while True:
            await host.obey(*await receive(reader))
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # our owner has closed the line, or is gone


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1])))
