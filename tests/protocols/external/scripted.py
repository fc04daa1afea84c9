"""External engines by script: a table says what one answers to each command, and a record what it was sent."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from core.chess.notation import START, position_from_fen
from core.chess.position import Position, move_text
from engines.engine import EngineError, Info, Limit
from protocols.external.engine import ExternalEngine
from protocols.external.process import EngineProcess, Timeouts

FAST: Final = Timeouts(
    introduction=5.0, first_line=0.05, features=0.05, ready=0.05, stop=0.05, quiet=0.01, quit=0.1
)

Answers = Mapping[str, Sequence[str | float]]  # pattern of a command: lines, after pauses in seconds
UCI: Final[Answers] = {
    "uci": ("id name Script", "id author a test", "uciok"),
    "isready": ("readyok",),
    "go .*": ("bestmove e2e4",),
}
CECP: Final[Answers] = {
    "protover 2": ('feature ping=1 setboard=1 usermove=1 myname="Script" done=1',),
    r"ping (\d+)": (r"pong \1",),
    "go": ("move e2e4",),
}
E_ = TypeVar("E_", bound=ExternalEngine)


class ScriptedProcess(EngineProcess):
    """An EngineProcess without a process."""

    def __init__(self, answers: Answers) -> None:
        self.program = "script"
        self.received: list[str] = []
        self._answers = answers
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._failure = ""

    def send(self, *lines: str) -> None:
        self._check()
        for line in lines:
            self.received.append(line)
            delay = 0.0
            for pattern, answers in self._answers.items():
                match = re.fullmatch(pattern, line)
                for answer in answers if match else ():
                    if isinstance(answer, float):
                        delay += answer
                    elif delay:
                        asyncio.get_running_loop().call_later(delay, self._lines.put_nowait, answer)
                    else:
                        self._lines.put_nowait(match.expand(answer) if match else answer)

    async def line(self) -> str:
        self._check()
        return (await self._lines.get()).strip()

    def fail(self, failure: str) -> EngineError:
        self._failure = self._failure or f"{self.program} {failure}"
        return EngineError(self._failure)

    async def close(self, seconds: float) -> None:
        self._failure = self._failure or f"{self.program} was closed"


async def opened(kind: type[E_], answers: Answers) -> tuple[E_, list[str]]:
    """(an engine that answers by the table, the lines that it was sent)."""
    process = ScriptedProcess(answers)
    engine = kind(process, FAST)
    await engine.initialize()
    return engine, process.received


def position(*moves: str, fen: str = START) -> Position:
    """The position after some moves."""
    reached = position_from_fen(fen)
    for text in moves:
        reached.apply(reached.action_from(text))
    return reached


async def infos(engine: ExternalEngine, state: Position, limit: Limit | None = None) -> list[Info]:
    """All infos of a search; the first one is ours, the last one the engine's move."""
    return [info async for info in engine.think(state, limit or Limit(depth=1))]


async def answer(engine: ExternalEngine, state: Position, limit: Limit | None = None) -> str:
    """Its move, or what it said instead."""
    last = (await infos(engine, state, limit))[-1]
    return "resigns" if last.resign else last.text if last.action < 0 else move_text(last.action)
