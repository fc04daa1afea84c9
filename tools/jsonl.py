"""`galapagos jsonl`: the tables on standard input and output, as JSON lines."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from engines.events import Bus
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.host import Host
from protocols.jsonl.journal import Journal, JournalError, restore
from protocols.jsonl.limits import JsonlLimits
from protocols.stdio import Log, StandardInput, StandardOutput
from tools.games import bindings


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--records",
        type=Path,
        metavar="FOLDER",
        help="keep the records of all games there, and go on with them",
    )
    add("--profiles", type=Path, metavar="FOLDER", help="keep what Chaos knows of users there (NAME.apu)")
    add("--log", metavar="FILE", type=Path, help="append the conversation to a file")


def run(args: Namespace) -> int:
    try:
        return asyncio.run(_converse(args.records, args.profiles, args.log))
    except (OSError, JournalError) as error:
        print(f"galapagos jsonl: {error}", file=sys.stderr)
        return 1


def open_host(
    records: Path | None,
    profiles: Path | None,
    limits: JsonlLimits | None = None,
    token: str = "",
    bus: Bus | None = None,
) -> Host:
    """All games of the house; those in the folder of records go on. JournalError, OSError."""
    journal = Journal(records) if records else None
    hall = Hall(bindings(profiles), limits=limits, journal=journal, token=token, bus=bus)
    host = Host(hall)
    if journal:
        restore(hall, journal, host.now())
    return host


async def _converse(records: Path | None, profiles: Path | None, log_path: Path | None) -> int:
    host = open_host(records, profiles)
    log = Log(log_path) if log_path else None
    async with host:
        await host.converse(_StandardStream(log), is_trusted=True, is_silent=True)
    return 0


class _StandardStream:
    """Standard input and output (protocols.stream.Stream), which whoever started us closes."""

    def __init__(self, log: Log | None) -> None:
        output = StandardOutput(log)
        self.readline = self.read = StandardInput(log).readline
        self.write = output.write
        self.drain = output.drain

    def waiting(self) -> int:
        return 0

    def is_gone(self) -> bool:
        return False

    def close(self) -> None: ...

    def abort(self) -> None: ...
