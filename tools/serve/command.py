"""The command: its arguments, and what is wrong with them."""

import asyncio
import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from ssl import Purpose, SSLContext, SSLError, create_default_context
from typing import Final

from protocols.limits import limit_lines, parse_limits
from tools.broker import add_broker_arguments, broker_of
from tools.serve import rooms
from tools.serve.home import add_home_arguments, open_home
from tools.serve.logs import FORMATS, start_log
from tools.serve.opening import Plan, serve

FAILED, USAGE = 1, 2
DEFAULT_PORT: Final = 1835  # the year in which HMS Beagle reached the islands
DEFAULT_PAGE: Final = 1859  # and that of the book


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1: this machine only)")
    add(
        "--port", type=_port, default=DEFAULT_PORT, help=f"the TCP port ({DEFAULT_PORT}; 0: any that is free)"
    )
    add(
        "--page",
        type=_port,
        default=DEFAULT_PAGE,
        metavar="PORT",
        help=f"the port of the page, for browsers ({DEFAULT_PAGE}; 0: any that is free)",
    )
    add("--name", action="append", default=[], help="a name by which browsers may call it, beside localhost")
    add("--workers", type=int, default=os.cpu_count() or 1, help="processes that search (one a core)")
    add_home_arguments(parser)
    add_broker_arguments(parser, "show the house at this broker, too")
    add(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="who knows the text of this file may direct matches from afar",
    )
    add("--tls-cert", type=Path, metavar="FILE", help="a certificate: both ports then speak TLS only")
    add("--tls-key", type=Path, metavar="FILE", help="its key, if that is not in the same file")
    add(
        "--proxied",
        action="store_true",
        help="a proxy on this machine hands requests on, and tells from where in X-Forwarded-For",
    )
    add("--log", choices=FORMATS, default="text", help="how troubles are told on standard error (text)")
    add("--events", type=Path, metavar="FILE", help="append to this file all that happens, as JSON lines")
    rooms.add_arguments(parser)
    add("--limits", action="store_true", help="show the limits for strangers and stop")
    add("--limit", action="append", default=[], metavar="NAME=VALUE", help="set one of them; may be repeated")


def run(args: Namespace) -> int:
    """0 when it was stopped, 1 when it cannot be opened, 2 for wrong arguments."""
    try:
        limits, bounds = parse_limits(args.limit)
        if args.limits:
            print(*limit_lines(limits, bounds), sep="\n")
            return 0
        start_log(args.log)
        plan = Plan(
            host=args.host,
            port=args.port,
            page=args.page,
            names=frozenset({*args.name, args.host}),
            workers=max(args.workers, 1),
            limits=limits,
            bounds=bounds,
            home=open_home(args),
            evolving=tuple(args.evolve),
            token=args.token_file.read_text(encoding="utf-8").strip() if args.token_file else "",
            tls=_tls(args.tls_cert, args.tls_key) if args.tls_cert else None,
            is_proxied=args.proxied,
            broker=broker_of(args),
            events=args.events,
        )
    except (OSError, ValueError) as error:
        return _failed(error, USAGE)
    try:
        asyncio.run(serve(plan))
    except ValueError as error:
        return _failed(error, USAGE)
    except OSError as error:
        return _failed(error, FAILED)
    return 0


def _failed(error: Exception, status: int) -> int:
    print(f"galapagos serve: {error}", file=sys.stderr)
    return status


def _tls(certificate: Path, key: Path | None) -> SSLContext:
    """OSError or ValueError if they are no good."""
    context = create_default_context(Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except SSLError as error:
        raise ValueError(f"{certificate} holds no certificate with its key: {error.reason}") from None
    return context


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) < 65_536):
        raise ArgumentTypeError(f"a TCP port is a number from 0 to 65535, not {text[:20]!r}")
    return int(text)
