"""The command `galapagos script`: runs scripted conversations in JSON lines with a server, by default a new process.

The exit status is 0 if every conversation went as its script says, otherwise 1; it is 2 if a script cannot be read.
"""

import asyncio
import shlex
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Final, Protocol

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
from tools.cli import CommandError, seconds_float

PING: Final = b'{"type":"ping","id":"started"}\n'  # `galapagos jsonl` answers when it has started
EPILOG: Final = """\
Each line of a script is a step, and steps run in order:
  {"type":...}         send this message
  {"expect":PATTERN}   take the next line of the server, which must match
  {"find":PATTERN}     skip lines until one matches
  {"raw":"text"}       send this text as a line
  {"reconnect":true}   cut the connection; the next step opens another
  {"comment":"text"}   do nothing, as for an empty line or one that starts with #

A pattern ignores the fields that it does not name. Arrays match element by element. "$name" matches anything
the first time and stores it; later, also in messages, it stands for that value. "..." matches anything,
"text..." a text that starts so, and null a missing field. For example, a move of Acquire:
  {"type":"hello","versions":[1]}
  {"expect":{"type":"welcome"}}
  {"type":"create","id":1,"game":"acquire","variant":"mini","seats":["me","random"]}
  {"expect":{"type":"created","re":1,"game_id":"$game"}}
  {"find":{"type":"decide","id":"$decide","legal":{"actions":["$first","$second"]}}}
  {"type":"action","id":2,"re":"$decide","game_id":"$game","action":"$first"}
  {"expect":{"type":"ok","re":2}}
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = EPILOG
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
    add(
        "--seconds",
        type=seconds_float,
        default=10.0,
        help="how long to wait for each line, in seconds (default: 10)",
    )


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
    if args.program:
        return ProcessTarget(shlex.split(args.program))
    return ProcessTarget([sys.executable, "-m", "tools", "jsonl"], PING)
