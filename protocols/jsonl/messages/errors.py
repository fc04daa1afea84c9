"""What can be wrong, with the codes for programs and their JSON-RPC numbers.

Refusal
  MalformedLine    a line that is no message at all; the connection counts these
"""

from typing import Any, Final

NUMBERS: Final[dict[str, int]] = {
    "parse": -32700,
    "invalid_message": -32600,
    "unknown_type": -32601,
    "invalid_params": -32602,
    "internal": -32603,
    "version": -32000,
    "not_ready": -32001,
    "not_your_turn": -32002,
    "stale_seq": -32003,
    "timeout": -32004,
    "no_such_game": -32005,
    "no_such_agent": -32006,
    "seat_taken": -32007,
    "not_permitted": -32008,
    "game_over": -32009,
    "illegal_action": -32010,
    "too_long": -32011,
    "rate_limited": -32012,
    "busy": -32013,
    "resume_expired": -32014,
}


class Refusal(ValueError):
    """A request that is not done; the fields are those of the error message."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        data: dict[str, Any] | None = None,
        fatal: bool = False,
        re: int | str | None = None,
        tries_left: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.fatal = fatal
        self.re = re
        self.tries_left = tries_left  # None: there is nothing to decide again


class MalformedLine(Refusal):
    """Neither a message nor nearly one."""


def missing(code: str, kind: str, name: str, path: str = "") -> Refusal:
    """A refusal for something that is not there, as much of its name as may be repeated."""
    return Refusal(code, f"there is no {kind} {name[:40]!r}", data={"path": path} if path else None)


def invalid(path: str, message: str) -> Refusal:
    """A refusal for a field, `path` as in `$.seats[1]`."""
    return Refusal("invalid_params", message, data={"path": path})
