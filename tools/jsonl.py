"""The command `galapagos jsonl`: plays games as JSON lines on standard input and output."""

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from engines.events import Bus
from engines.storage import hold
from protocols.incidents import Incidents
from protocols.jsonl.jobs import Runtime
from protocols.jsonl.journal import Journal, JournalError, Retention
from protocols.jsonl.restore import restore
from protocols.jsonl.runtime import AsyncRuntime, serve_connection
from protocols.jsonl.server import Environment, GameServer
from protocols.limits import GameLimits
from protocols.stdio import ConversationLog, StandardStream
from tools.cli import FAILED, CommandError
from tools.games import contests, game_adapters


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--records",
        type=Path,
        metavar="FOLDER",
        help="keep the records of all games in this folder, and continue unfinished games",
    )
    add(
        "--profiles",
        type=Path,
        metavar="FOLDER",
        help="keep what Chaos knows of its users in this folder, as NAME.apu",
    )
    add("--log", metavar="FILE", type=Path, help="append the conversation to this file")


def run(args: Namespace) -> int:
    try:
        log = ConversationLog(args.log) if args.log else None
    except OSError as error:
        raise CommandError(error) from None
    try:
        return asyncio.run(_converse(args.records, args.profiles, log))
    except (OSError, JournalError) as error:
        raise CommandError(error, FAILED) from None


@contextmanager
def open_server(
    records: Path | None,
    profiles: Path | None,
    runtime: Runtime,
    limits: GameLimits | None = None,
    token: str = "",
    bus: Bus | None = None,
    incidents: Incidents | None = None,
) -> Iterator[GameServer]:
    """Yield a server of all games, which continues the games in the folder of records.

    Raises JournalError if `records` is no folder, InUseError if another process uses a folder, and OSError if a
    folder cannot be created or read.
    """
    with ExitStack() as stack:
        kept = limits or GameLimits()
        retention = Retention(
            records=kept.kept_records, bytes=kept.kept_record_bytes, seconds=kept.kept_record_days * 86_400
        )
        journal = Journal(records, retention=retention) if records else None
        for folder in (records, profiles):
            if folder:
                folder.mkdir(parents=True, exist_ok=True)
                stack.enter_context(hold(folder))
        server = GameServer(
            game_adapters(profiles),
            Environment(runtime=runtime, journal=journal, bus=bus, incidents=incidents or Incidents()),
            limits=limits,
            token=token,
            contests=contests(),
        )
        if journal:
            restore(server)
        yield server


async def _converse(records: Path | None, profiles: Path | None, log: ConversationLog | None) -> int:
    async with AsyncRuntime(GameLimits().workers) as runtime:
        with open_server(records, profiles, runtime) as server:
            await serve_connection(server, StandardStream(log), is_silent=True)
    return 0
