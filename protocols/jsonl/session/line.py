"""One connection: what has been heard, what is to be said, and how much of either is allowed."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

from protocols.allowance import Allowance
from protocols.jsonl.codec import encode
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.messages import Gap, Ping, Refusal

if TYPE_CHECKING:
    from protocols.jsonl.session.session import Session

MINUTE = 60.0


class Passing(bytes):
    """A line for a watcher, which may be lost."""


class Line:
    """A connection without its socket: lines go in with their time, and wait in `outbox` to be sent."""

    def __init__(
        self, limits: JsonlLimits, now: float, *, is_trusted: bool, is_silent: bool, talking: set[Line]
    ) -> None:
        """A trusted line is of this machine; a silent one (stdio) is never asked whether it lives.

        Who has something to say, or is closing, puts itself among those who are `talking`.
        """
        self.is_trusted = is_trusted
        self.is_silent = is_silent
        self.max_line = limits.line_bytes
        self.outbox: list[bytes] = []
        self.is_closing = False  # once the outbox is sent
        self.session: Session | None = None
        self.latency_ms: float | None = None
        self.last_heard = now
        self._limits = limits
        self._allowance = Allowance(limits.messages_per_second, limits.messages_burst, now)
        self._refused = 0  # messages, since it had its whole allowance
        self._malformed: deque[float] = deque()
        self._asked_at: float | None = None
        self._missed = 0
        self._talking = talking

    def close(self) -> None:
        """Say what waits to be said, and nothing more."""
        self.is_closing = True
        self._talking.add(self)

    def send(self, *lines: bytes) -> None:
        """Queue whole lines."""
        self.outbox += lines
        self._talking.add(self)

    def take(self) -> bytes:
        """All that waits to be sent."""
        data = b"".join(self.outbox)
        self.outbox.clear()
        if self._missed:
            data += encode(Gap(missed=self._missed))
            self._missed = 0
        return data

    def make_room(self) -> bool:
        """Drop what watchers may lose, oldest first; whether few enough lines are left for a slow reader."""
        spare = len(self.outbox) - self._limits.queue_lines
        if spare <= 0:
            return True
        kept: list[bytes] = []
        for line in self.outbox:
            if spare and isinstance(line, Passing):
                spare -= 1
                self._missed += 1
            else:
                kept.append(line)
        self.outbox = kept
        return spare <= 0

    def spend(self, now: float) -> None:
        """Count a message. Refusal if a stranger sends too many."""
        wait = self._allowance.wait(now)
        if self._allowance.is_whole:
            self._refused = 0
        if wait > 0.0:
            self._refused += 1
            raise Refusal(
                "rate_limited",
                f"at most {self._limits.messages_per_second} messages a second",
                data={"retry_ms": max(round(wait * 1000), 1)},
            )
        self._allowance.spend()

    def pause(self, now: float) -> float:
        """Seconds before it is to be read again: who does not heed refusals is read no faster than allowed."""
        return self._allowance.wait(now) if self._refused >= self._limits.messages_burst else 0.0

    def is_hopeless(self, now: float) -> bool:
        """Count a malformed line; whether there were too many within a minute."""
        self._malformed.append(now)
        while self._malformed[0] <= now - MINUTE:
            self._malformed.popleft()
        return len(self._malformed) >= self._limits.malformed_lines

    def ask(self, now: float) -> None:
        """Send a ping, whose pong tells the latency."""
        self._asked_at = now
        self.send(encode(Ping(id="ping")))

    def ponged(self, now: float) -> None:
        if self._asked_at is not None:
            self.latency_ms = round((now - self._asked_at) * 1000, 1)
            self._asked_at = None

    def say(self, message: Struct) -> None:
        self.send(encode(message))
