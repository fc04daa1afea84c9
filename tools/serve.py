"""`galapagos serve`: the one process that shows every engine and hill, behind one TCP port."""

import asyncio
import os
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import fields, replace
from pathlib import Path
from typing import Final, TypeVar

from engines.corewar.hill.keeper import Arena
from engines.corewar.hill.store import HillStore
from engines.run.executor import processes
from engines.worker.worker import Workers
from protocols.hill.office import PRELOAD, Office
from protocols.hill.submission import first_line
from protocols.jsonl.host import Host
from protocols.jsonl.limits import JsonlLimits
from protocols.limits import Limits
from protocols.server import Server
from tools.games import GAMES
from tools.jsonl import open_host

DEFAULT_PORT = 1835  # the year in which HMS Beagle reached the islands
OF_TABLES: Final = "tables_"

Bounds = TypeVar("Bounds", Limits, JsonlLimits)


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1: this machine only)")
    add(
        "--port", type=_port, default=DEFAULT_PORT, help=f"the TCP port ({DEFAULT_PORT}; 0: any that is free)"
    )
    add("--workers", type=int, default=os.cpu_count() or 1, help="processes that search (one a core)")
    add(
        "--hill",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="take warriors for this hill (galapagos hill create makes one); may be repeated",
    )
    add("--records", type=Path, metavar="FOLDER", help="keep the records of games there, and go on with them")
    add("--profiles", type=Path, metavar="FOLDER", help="keep what Chaos knows of users there (NAME.apu)")
    add(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="who knows the text of this file may direct matches from afar",
    )
    add("--limits", action="store_true", help="show the limits for strangers and stop")
    add("--limit", action="append", default=[], metavar="NAME=VALUE", help="set one of them; may be repeated")


def run(args: Namespace) -> int:
    try:
        limits, bounds = _limits(args.limit)
    except ValueError as error:
        print(f"galapagos serve: {error}", file=sys.stderr)
        return 2
    if args.limits:
        for field in fields(limits):
            print(f"{field.name:32} {getattr(limits, field.name):g}")
        for field in fields(bounds):
            print(f"{OF_TABLES + field.name:32} {getattr(bounds, field.name):g}")
        return 0
    try:
        token = args.token_file.read_text(encoding="utf-8").strip() if args.token_file else ""
        tables = open_host(args.records, args.profiles, bounds, token)
    except (OSError, ValueError) as error:
        print(f"galapagos serve: {error}", file=sys.stderr)
        return 2
    try:
        stores = [HillStore.open(path) for path in args.hill]
        asyncio.run(_serve(args, limits, stores, tables))
    except ValueError as error:
        print(f"galapagos serve: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"galapagos serve: cannot listen on {args.host}:{args.port}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


async def _serve(args: Namespace, limits: Limits, stores: list[HillStore], tables: Host) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    workers = max(args.workers, 1)
    async with Workers(workers) as engines, processes(workers, preload=PRELOAD) as fighters, tables:
        office = Office(stores, Arena(fighters)) if stores else None
        tables.flush()  # games of an earlier run go on
        server = Server(lambda: engines.engine(GAMES["chess"].engine), limits, office, tables)
        host, port = await server.start(args.host, args.port)
        hills = "".join(f", {first_line(store.preset.tag)}" for store in stores)
        print(
            f"galapagos: listening on {host}:{port} for uci, xboard, JSON lines{hills}; Ctrl-C stops",
            flush=True,
        )
        print(f"galapagos: try it:  nc {host} {port}  and type uci, then go movetime 1000", flush=True)
        await stopped.wait()
        await server.stop()


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) < 65_536):
        raise ArgumentTypeError(f"a TCP port is a number from 0 to 65535, not {text[:20]!r}")
    return int(text)


def _limits(settings: list[str]) -> tuple[Limits, JsonlLimits]:
    """Those of the port, and those of the tables, whose names begin so."""
    limits, bounds = Limits(), JsonlLimits()
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.startswith(OF_TABLES):
            bounds = _changed(bounds, name.removeprefix(OF_TABLES), value)
        else:
            limits = _changed(limits, name, value)
    return limits, bounds


def _changed(limits: Bounds, name: str, value: str) -> Bounds:
    kinds = {field.name: type(getattr(limits, field.name)) for field in fields(limits)}
    if name not in kinds:
        raise ValueError(f"no limit is called {name!r}; see galapagos serve --limits")
    try:
        number = kinds[name](value)
    except ValueError:
        raise ValueError(f"{name} needs a number, not {value!r}") from None
    if number <= 0:
        raise ValueError(f"{name} must be above zero")
    return replace(limits, **{name: number})
