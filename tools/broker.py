"""The options of commands that reach an MQTT broker."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engines.storage import read_text

if TYPE_CHECKING:
    from protocols.mqtt.broker import Broker

PASSWORD: Final = "GALAPAGOS_MQTT_PASSWORD"


def add_broker_arguments(parser: ArgumentParser, purpose: str) -> None:
    add = parser.add_argument
    add("--mqtt", metavar="URL", help=f"{purpose}: mqtt[s]://[USER[:PASSWORD]@]HOST[:PORT][/ROOT]")
    add(
        "--mqtt-password-file",
        type=Path,
        metavar="FILE",
        help=f"its password, better there or in the environment ({PASSWORD}) than in the URL",
    )
    add("--mqtt-ca", type=Path, metavar="FILE", help="the authority that the broker's certificate is of")
    add("--mqtt-cert", type=Path, metavar="FILE", help="our certificate, if the broker wants one")
    add("--mqtt-key", type=Path, metavar="FILE", help="the key of that")


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
    files = (args.mqtt_ca, args.mqtt_cert, args.mqtt_key)
    identity = Identity(authority=files[0], certificate=files[1], key=files[2]) if any(files) else None
    return parse(args.mqtt, password, identity)
