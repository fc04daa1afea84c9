"""The first line decides which protocol is spoken: `xboard`, `uci`, `;redcode...` (a warrior for a hill), `cdb`, `{...}` (JSON lines)."""

from typing import Final

from protocols.cecp import CecpSession
from protocols.engine_session import Session
from protocols.uci import UciSession

SESSIONS: Final[dict[str, type[Session]]] = {"xboard": CecpSession, "uci": UciSession}
ADVICE: Final = "say uci or xboard first: this is a chess engine, made to be run by a chess program"
SUBMISSION: Final = ";redcode"  # begins a warrior's text, in any case


def greeting(line: bytes) -> str:
    """A first line as text, without the byte order mark that some editors and shells put before it."""
    return line.decode("utf-8-sig", "replace").strip()


def session_for(greeting: str) -> type[Session] | None:
    """The kind of session that the first line asks for; None if it asks for none."""
    words = greeting.split()
    return SESSIONS.get(words[0]) if words else None


def is_submission(greeting: str) -> bool:
    """Whether the first line begins a warrior for a hill."""
    return greeting.lower().startswith(SUBMISSION)


def asks_for_debugger(greeting: str) -> bool:
    """Whether the first line is `cdb`, with or without a hill."""
    return greeting.lower().split()[:1] == ["cdb"]


def is_json(greeting: str) -> bool:
    """Whether the first line begins a conversation in JSON lines."""
    return greeting.startswith("{")
