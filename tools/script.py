"""The command `galapagos script`: runs scripted conversations in JSON lines with a server, by default a new process.

The exit status is 0 if every conversation went as its script says, otherwise 1; it is 2 if a script cannot be read.
"""

import asyncio
import shlex
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Protocol

from engines.storage import read_text
from protocols.jsonl.script import (
    Difference,
    ProcessTarget,
    ScriptTarget,
    Step,
    TcpTarget,
    parse,
    run_script,
)
from tools.broker import add_broker_arguments, broker_of
from tools.cli import CommandError


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="a script: the messages to send, and patterns of the answers",
    )
    add(
        "--tcp",
        metavar="HOST:PORT",
        help="connect to the server at this address (default: start `galapagos jsonl` for each script)",
    )
    add("--ws", metavar="URL", help="connect to a server by WebSocket, such as ws://127.0.0.1:1859/ws")
    add_broker_arguments(parser, "connect to a server through this MQTT broker")
    add(
        "--command",
        dest="program",
        metavar="COMMAND",
        help="start this program, and use its standard input and output",
    )
    add("--seconds", type=float, default=10.0, help="how long to wait for a line, in seconds (default: 10)")


def run(args: Namespace) -> int:
    try:
        scripts = [(path, _parsed(path)) for path in args.files]
        stage = _stage(args)
    except (OSError, ValueError) as error:
        raise CommandError(error) from None
    failures = 0
    for path, steps in scripts:
        problem = asyncio.run(_performed(steps, stage, args.seconds))
        print(f"{path}: {problem or 'as written'}")
        failures += bool(problem)
    return 1 if failures else 0


def _parsed(path: Path) -> list[Step]:
    """Return the steps of a script. Raises ValueError if the file is no script, OSError if it cannot be read."""
    text = read_text(path)
    try:
        return parse(text)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


class _Stage(ScriptTarget, Protocol):
    async def close(self) -> None: ...


async def _performed(steps: list[Step], stage: _Stage, seconds: float) -> str:
    """Run a script and return the first difference; empty if there is none."""
    try:
        await run_script(steps, stage, seconds)
    except (Difference, OSError) as error:
        return str(error)
    finally:
        await stage.close()
    return ""


def _stage(args: Namespace) -> _Stage:
    if args.ws:
        from protocols.web.client import WebSocketTarget

        return WebSocketTarget(args.ws)
    if broker := broker_of(args):
        from protocols.mqtt.client import MqttTarget

        return MqttTarget(broker)
    if args.tcp:
        host, _, port = args.tcp.rpartition(":")
        if not (host and port.isascii() and port.isdigit()):
            raise ValueError(f"--tcp takes HOST:PORT, not {args.tcp!r}")
        return TcpTarget(host, int(port))
    command = shlex.split(args.program) if args.program else [sys.executable, "-m", "tools", "jsonl"]
    return ProcessTarget(command)
