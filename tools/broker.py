"""The options of commands that connect to an MQTT broker."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engines.storage import read_text

if TYPE_CHECKING:
    from protocols.mqtt.broker import Broker

PASSWORD: Final = "GALAPAGOS_MQTT_PASSWORD"  # an environment variable


def add_broker_arguments(parser: ArgumentParser, purpose: str) -> None:
    """Add the options; `purpose` says in the help what the command does with the broker."""
    add = parser.add_argument
    add("--mqtt", metavar="URL", help=f"{purpose}: mqtt[s]://[USER[:PASSWORD]@]HOST[:PORT][/ROOT]")
    add(
        "--mqtt-password-file",
        type=Path,
        metavar="FILE",
        help=f"a file with the password for the broker; it may also be in the environment variable {PASSWORD}",
    )
    add(
        "--mqtt-ca",
        type=Path,
        metavar="FILE",
        help="the certificate of the authority that has signed the broker's certificate (default: those of the system)",
    )
    add("--mqtt-cert", type=Path, metavar="FILE", help="a client certificate, if the broker requires one")
    add(
        "--mqtt-key",
        type=Path,
        metavar="FILE",
        help="the key of the client certificate (default: in the same file)",
    )


def broker_of(args: Namespace) -> "Broker | None":
    """Return the broker that the arguments name, or None.

    Raises ValueError for a wrong URL and OSError for an unreadable file; their messages contain no password.
    """
    if args.mqtt is None:
        return None
    from protocols.mqtt.broker import Identity, parse

    password = os.environ.get(PASSWORD, "")
    if args.mqtt_password_file:
        password = read_text(args.mqtt_password_file).strip("\r\n")
    if args.mqtt_key and not args.mqtt_cert:
        raise ValueError("--mqtt-key needs --mqtt-cert")
    files = (args.mqtt_ca, args.mqtt_cert, args.mqtt_key)
    identity = Identity(authority=files[0], certificate=files[1], key=files[2]) if any(files) else None
    return parse(args.mqtt, password, identity)
