"""Foreign engines by script: a test writes a small program, which keeps a record of what it was told."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.chess.notation import START, position_from_fen
from core.chess.position import Position, move_text
from engines.engine import Info, Limit
from protocols.external.engine import ExternalEngine
from protocols.external.process import Timeouts

HURRY = Timeouts(introduction=5.0, first_line=0.3, features=0.15, ready=0.5, stop=0.3, quiet=0.05, quit=0.3)

HEAD = """
import sys, time
record = open(sys.argv[1], "a", buffering=1)
def say(*lines):
    sys.stdout.write("".join(f"{line}\\n" for line in lines))
    sys.stdout.flush()
def heard():
    for line in sys.stdin:
        record.write(line)
        yield line.strip()
"""

UCI = """
for line in heard():
    if line == "uci":
        say("id name Script", "id author a test", "uciok")
    elif line == "isready":
        say("readyok")
    elif line.startswith("go"):
        say("bestmove e2e4")
    elif line == "quit":
        break
"""

CECP = """
for line in heard():
    if line == "protover 2":
        say('feature ping=1 setboard=1 usermove=1 myname="Script" done=1')
    elif line.startswith("ping"):
        say(line.replace("ping", "pong"))
    elif line == "go":
        say("move e2e4")
    elif line == "quit":
        break
"""


@dataclass(frozen=True)
class Script:
    command: list[str]
    record: Path

    def told(self) -> list[str]:
        """The lines that the engine was sent so far, as far as it has read them."""
        return self.record.read_text().splitlines() if self.record.exists() else []


Write = Callable[[str], Script]


def write_script(folder: Path, body: str) -> Script:
    """A program of the functions say() and heard(), and `body`."""
    program, record = folder / "engine.py", folder / "told.txt"
    program.write_text(HEAD + body)
    return Script([sys.executable, "-I", "-S", str(program), str(record)], record)


def position(*moves: str, fen: str = START) -> Position:
    """The position after some moves."""
    reached = position_from_fen(fen)
    for text in moves:
        reached.apply(reached.action_from(text))
    return reached


async def thoughts(engine: ExternalEngine, state: Position, limit: Limit | None = None) -> list[Info]:
    """All that the engine thinks; the first one is ours, the last one its move."""
    return [thought async for thought in engine.think(state, limit or Limit(depth=1))]


async def answer(engine: ExternalEngine, state: Position, limit: Limit | None = None) -> str:
    """Its move, or what it said instead."""
    last = (await thoughts(engine, state, limit))[-1]
    return "resigns" if last.resign else last.text if last.action < 0 else move_text(last.action)
