"""The sessions of the chess protocols, chosen by the first line of a client: `uci`, `xboard` or UCI's `bench`."""

from typing import Final

from protocols.cecp import CecpSession
from protocols.engine_session import Session
from protocols.uci import UciSession

SESSIONS: Final[dict[str, type[Session]]] = {"xboard": CecpSession, "uci": UciSession, "bench": UciSession}
ADVICE: Final = "this is a chess engine, to be run by a chess program: the first line must be uci or xboard"


def first_line(line: bytes) -> str:
    """Return a first line as text, without the byte order mark that some editors and shells put before it."""
    return line.decode("utf-8-sig", "replace").strip()


def session_for(first: str) -> type[Session] | None:
    """Return the kind of session that a first line asks for, or None if it asks for none."""
    return SESSIONS.get(first.split(maxsplit=1)[0]) if first else None
