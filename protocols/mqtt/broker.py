"""A broker: its address, the user and certificates for it, and new clients of it."""

import logging
import re
import socket
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

ROOT: Final = "galapagos/v1"  # the version of the schema is in the topic
LEVEL: Final = re.compile(r"[^/+#$\x00-\x20\x7f]+")
PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
FORM: Final = "mqtt[s]://[USER[:PASSWORD]@]HOST[:PORT][/ROOT]"
KEEP_ALIVE_SECONDS: Final = 20
# Without TCP_NODELAY a request and its answer take 88 ms instead of 3, measured on one machine.
SOCKET_OPTIONS: Final = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Files for TLS: an authority to trust instead of the system's, and the certificate and key of this side."""

    authority: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """The address of a broker and the user for it. Its text never shows the password."""

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    root: str = ROOT
    identity: Identity | None = None  # None: without TLS

    def __str__(self) -> str:
        return f"{'mqtts' if self.identity else 'mqtt'}://{self.host}:{self.port}/{self.root}"


def parse(url: str, password: str = "", identity: Identity | None = None) -> Broker:
    """Return a broker from its URL; `password` is used if the URL has none.

    Raises ValueError, whose text never shows a password, if the URL or the root in it is invalid.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"the broker's address must have the form {FORM}") from None
    root = unquote(parts.path).strip("/") or ROOT
    if parts.scheme not in PORTS or not host or parts.query or parts.fragment:
        raise ValueError(f"the broker's address must have the form {FORM}")
    if not all(LEVEL.fullmatch(level) for level in root.split("/")):
        raise ValueError(
            "the broker's root must be levels separated by single slashes, without spaces, +, # and $"
        )
    if identity and parts.scheme == "mqtt":
        raise ValueError("certificates can be used only with mqtts://, not with mqtt://")
    return Broker(
        host=host,
        port=port or PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or "") or password,
        root=root,
        identity=(identity or Identity()) if parts.scheme == "mqtts" else None,
    )


def tls_context(broker: Broker) -> ssl.SSLContext | None:
    """Return the TLS context for a broker, or None without TLS. Raises ValueError if the files cannot be used.

    The call reads files, so do not call it on an event loop.
    """
    identity = broker.identity
    if identity is None:
        return None
    try:
        context = ssl.create_default_context(cafile=identity.authority)
        if identity.certificate:
            context.load_cert_chain(identity.certificate, identity.key)
    except OSError as error:
        raise ValueError(f"the certificates for {broker} cannot be used: {error}") from None
    return context


def new_client(
    broker: Broker,
    identifier: str,
    context: ssl.SSLContext | None,
    will: aiomqtt.Will | None = None,
    session_seconds: int = 0,
) -> aiomqtt.Client:
    """Return a client that is not connected yet.

    The broker keeps the client's session, with messages that wait for it, for `session_seconds` after a connection
    ends.
    """
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = session_seconds
    return aiomqtt.Client(
        broker.host,
        broker.port,
        username=broker.user or None,
        password=broker.password or None,
        identifier=identifier,
        logger=logging.Logger("mqtt", logging.CRITICAL),  # the caller reports faults
        protocol=aiomqtt.ProtocolVersion.V5,
        will=will,
        keepalive=KEEP_ALIVE_SECONDS,
        clean_start=session_seconds == 0,
        properties=properties,
        tls_context=context,
        socket_options=SOCKET_OPTIONS,
    )
