"""The command `galapagos admin`: lets the operator watch and control a running server over the socket in its home.

The server's side, with the requests and answers in JSON, is protocols/admin.py.
"""

import json
import os
import socket
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

from protocols.admin import LONGEST_PATH, SOCKET
from protocols.bans import MAX_HOURS
from tools.cli import FAILED, USAGE, CommandError, add_verb, counted, print_notes
from tools.files import visible

PATIENCE_SECONDS: Final = 60.0  # for an answer
ADDRESS: Final = "an address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8:1:2::/64"
VERBS: Final = {
    "clients": "list the addresses of clients, with their connections, games and load",
    "ban": "refuse an address or a network, and end its connections and games",
    "unban": "lift a ban",
    "bans": "list the bans",
    "end": "end the connections and games of an address or a network, without a ban",
    "status": "show the server's uptime, connections and games, what it has refused, and its use of the disk",
}
LISTING: Final = ("clients", "bans", "status")  # the verbs that change nothing and take --json
Table = Sequence[Sequence[object]]


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "The server must have been started with --home. Only its user and root can use this command. `ban` takes --hours "
        "and --reason; `clients`, `bans` and `status` take --json. An IPv6 address stands for its network of 64 bits."
    )
    parser.add_argument(
        "home", type=Path, metavar="HOME", help="the folder that was given to the server as --home"
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb, summary in VERBS.items():
        command = add_verb(verbs, verb, summary)
        if verb in LISTING:
            command.add_argument("--json", action="store_true", help="print the answer as JSON")
            continue
        also = ", or another name that `clients` shows" if verb == "end" else ""
        command.add_argument("address", metavar="ADDRESS", help=f"{ADDRESS}{also}")
        if verb == "ban":
            command.add_argument(
                "--hours", type=_hours, help="how long the ban lasts, in hours (default: until it is lifted)"
            )
            command.add_argument(
                "--reason", default="", help="the reason, for the list of bans; clients never see it"
            )


def run(args: Namespace) -> int:
    """Send a request to the server, print the answer and return 0, or 1 if the server adds a warning.

    Raises CommandError with status 2 if no server runs on the home or the server refuses the request, and with status
    1 if the socket cannot be used or the server does not answer.
    """
    fields = ("address", "hours", "reason")
    request = {name: getattr(args, name) for name in fields if getattr(args, name, None) is not None}
    answer = ask(args.home, {"verb": args.verb, **request})
    if "error" in answer:
        raise CommandError(answer["error"], USAGE)
    if getattr(args, "json", False):
        print(json.dumps(answer, indent=2))
        return 0
    print(visible("\n".join(SHOWN[args.verb](answer))))
    if answer.get("warning"):
        print_notes("admin", [visible(answer["warning"])])
        return FAILED
    return 0


def ask(home: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of the server on `home` to a request. Raises CommandError if there is none."""
    path = home / SOCKET
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise CommandError(
            f"the path {path} has more than {LONGEST_PATH} bytes; change to the folder, and give . as HOME"
        )
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE_SECONDS)
        try:
            if not home.is_dir():
                raise CommandError(f"{home} is not a folder; give the one that the server has as --home")
            connection.connect(os.fspath(path))
            connection.sendall(json.dumps(request).encode() + b"\n")
            line = connection.makefile("rb").readline()
            answer = json.loads(line)
        except (FileNotFoundError, ConnectionRefusedError):
            advice = f"start one with galapagos serve --home {home}"
            raise CommandError(f"no server runs on {home}; {advice}") from None
        except PermissionError:
            reason = f"{path} belongs to another user; use this command as the user of the server, or as root"
            raise CommandError(reason, FAILED) from None
        except TimeoutError:
            reason = f"the server on {home} does not answer within {PATIENCE_SECONDS:.0f} seconds"
            raise CommandError(reason, FAILED) from None
        except (OSError, ValueError) as error:
            raise CommandError(
                f"{path} is not the socket of a server, or the server has ended: {error}", FAILED
            ) from None
    if not isinstance(answer, dict):
        raise CommandError(f"{path} is the socket of another program", FAILED)
    return answer


# -- Output ----------------------------------------------------------------------------------------


def _clients(answer: dict[str, Any]) -> Iterator[str]:
    head = ("address", "connections", "speaks", "games", "since", "loop", "workers", "sent", "kept", "")
    rows = [
        (
            client["address"],
            client["connections"],
            ",".join(client["speaks"]) or "-",
            client["games"],
            client["since"] or "-",
            *(_percent(client["load"].get(cost)) for cost in ("loop", "workers", "sent", "kept")),
            "banned" if client["banned"] else "",
        )
        for client in answer["clients"]
    ]
    return _table([head, *rows]) if rows else iter(["there are no clients"])


def _bans(answer: dict[str, Any]) -> Iterator[str]:
    head = ("network", "since", "until", "reason")
    rows = [(ban["network"], ban["since"], ban["until"] or "-", ban["reason"]) for ban in answer["bans"]]
    return _table([head, *rows]) if rows else iter(["no address is banned"])


def _status(answer: dict[str, Any]) -> Iterator[str]:
    minutes, seconds = divmod(answer["uptime_seconds"], 60)
    hours, minutes = divmod(minutes, 60)
    rows: list[tuple[object, object]] = [
        ("version", answer["version"]),
        ("uptime", f"{hours}:{minutes:02}:{seconds:02}"),
        (
            "connections",
            f"{answer['connections']} from {counted(answer['addresses'], 'address', 'addresses')}",
        ),
        *((name, answer[name]) for name in ("engines", "sessions", "games", "matches", "bans")),
        *((f"refused, {kind}", count) for kind, count in answer["refusals"].items()),
        *(("cannot be written", failure) for failure in answer["failures"]),
        *((f"disk, {name}", _megabytes(size)) for name, size in answer["bytes"].items()),
        ("disk, free", _megabytes(answer["free_bytes"])),
    ]
    return _table(rows)


def _changed(done: str) -> Callable[[dict[str, Any]], Iterator[str]]:
    """Return a function that shows the answer to a change; `done` is the participle of the change."""

    def lines(answer: dict[str, Any]) -> Iterator[str]:
        if done == "ended" and not (answer.get("connections") or answer.get("games")):
            yield f"no client has the address {answer['address']}"
            return
        until = f" until {answer['until']}" if answer.get("until") else ""
        connections, games = answer.get("connections", 0), answer.get("games", 0)
        ended = "" if done == "unbanned" else f"; connections ended: {connections}, games ended: {games}"
        yield f"{answer['address']} is {done}{until}{ended}"

    return lines


SHOWN: Final[dict[str, Callable[[dict[str, Any]], Iterator[str]]]] = {
    "clients": _clients,
    "ban": _changed("banned"),
    "unban": _changed("unbanned"),
    "bans": _bans,
    "end": _changed("ended"),
    "status": _status,
}


def _table(rows: Table) -> Iterator[str]:
    """Yield the rows as lines with aligned columns, without trailing blanks."""
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(f"{cell!s:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


def _hours(text: str) -> float:
    """Convert a number of hours above 0; an argparse type."""
    try:
        hours = float(text)
    except ValueError:
        hours = -1.0
    if not (isfinite(hours) and 0.0 < hours <= MAX_HOURS):
        raise ArgumentTypeError(f"hours are a number above 0 and at most {MAX_HOURS:.0f}, not {text[:20]!r}")
    return hours
