"""Clients of the JSON lines: a session, which outlives its connections, and the connection it has at present."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

from msgspec import Struct
from msgspec.json import Decoder

from protocols.accounts import Account
from protocols.connection import Connection
from protocols.jsonl.codec import encode, error_of
from protocols.jsonl.messages import Answer, Gap, Hello, Id, Ping, Refusal, Request
from protocols.limits import MESSAGE_BYTES, GameLimits, TokenBucket

MINUTE: Final = 60.0
DEFAULT_NAME: Final = "guest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The preferences in a client's `hello`, with defaults."""

    name: str = DEFAULT_NAME
    role: Literal["player", "watcher", "director"] = "player"
    say: bool = False

    @classmethod
    def of(cls, hello: Hello) -> "Preferences":
        return cls(
            name=hello.name or DEFAULT_NAME,
            role=hello.role or "player",
            say=bool(hello.say),
        )


class ClientConnection(Connection):
    """A connection for JSON lines, with its session, its heartbeat and its limits."""

    def __init__(
        self,
        limits: GameLimits,
        now: float,
        *,
        is_trusted: bool,
        is_silent: bool,
        address: str = "",
        account: Account | None = None,
    ) -> None:
        """Open a connection without a session.

        A trusted one belongs to a program of this machine or has given the token; a silent one (standard input) is
        never pinged. The costs of a remote client are charged to its `account`.
        """
        bucket = TokenBucket(limits.messages_per_second, limits.messages_burst, now)
        super().__init__(limits.line_bytes, bucket, queue_lines=limits.queue_lines)
        self.is_trusted = is_trusted
        self.is_silent = is_silent
        self.address = address
        self.account = account
        self.jobs = 0  # running for requests of this connection, which is not read until they are done
        self.on_settled: Callable[[], object] = bool  # called when the last of these jobs is done
        self.session: Session | None = None
        self.max_line = limits.line_bytes  # of lines to the client
        self.latency_ms: float | None = None
        self.began = now
        self.last_received = now
        self.last_asked = now  # when the last message other than a ping or a pong was received
        self._limits = limits
        self.is_throttled = False  # ignores `rate_limited`, so is read no faster than the bucket allows
        self._refused = 0  # messages since the bucket was last full
        self._malformed: deque[float] = deque()
        self._pinged_at: float | None = None

    def reply(self, message: Struct) -> None:
        """Send a message to this connection, also if it has no session."""
        self.send(encode(message))

    def count_message(self, now: float, size: int) -> None:
        """Count a message of `size` bytes; for remote clients only. Raises Refusal if there are too many."""
        assert self.bucket is not None
        delay = self.bucket.delay(now)
        if self.bucket.is_full:
            self._refused = 0
            self.is_throttled = False
        if delay > 0.0:
            self._refused += 1
            self.is_throttled = self._refused >= self._limits.messages_burst
            # The error contains the ID of the message, so the whole line must be read.
            self.bucket.take(size // MESSAGE_BYTES)
            raise Refusal(
                "rate_limited",
                f"the limit of messages a second ({self._limits.messages_per_second}) is exceeded",
                data={"retry_ms": max(round(self.bucket.delay(now) * 1000), 1)},
            )
        self.bucket.take(1 + size // MESSAGE_BYTES)

    def end_job(self) -> None:
        """Count a finished job of this connection, and call on_settled() after the last one."""
        self.jobs -= 1
        if not self.jobs:
            self.on_settled()

    def count_malformed(self, now: float) -> bool:
        """Count a malformed line, and return whether there were too many within a minute."""
        self._malformed.append(now)
        while self._malformed[0] <= now - MINUTE:
            self._malformed.popleft()
        return len(self._malformed) >= self._limits.malformed_lines

    def ping(self, now: float) -> None:
        """Send a ping; the client's pong then gives the latency."""
        self._pinged_at = now
        self.reply(Ping(id="ping"))

    def receive_pong(self, now: float) -> None:
        if self._pinged_at is not None:
            self.latency_ms = round((now - self._pinged_at) * 1000, 1)
            self._pinged_at = None

    def gap_line(self, count: int) -> bytes:
        return encode(Gap(missed=count))


class Session:
    """A client, which may use several connections, one after the other."""

    def __init__(self, session_id: str, token_hash: str, preferences: Preferences, first_decide: int) -> None:
        self.id = session_id
        self.token_hash = token_hash
        self.preferences = preferences
        self.connection: ClientConnection | None = None
        self.address = ""  # of a remote client; empty for a trusted one
        self.account: Account | None = None  # that is charged; None for a trusted client
        self.lost_at: float | None = None  # when the connection was lost
        self.games: set[str] = set()  # IDs of games in which the session has a seat
        self.watched: set[str] = set()
        self.next_decide = first_decide

    @property
    def client_address(self) -> str:
        """The address of the client, also if the client has the server's token; "" for a program of this machine."""
        return self.connection.address if self.connection else self.address

    @property
    def max_line(self) -> int | None:
        """The size in bytes of the longest line that the client can receive; None without a connection."""
        return self.connection.max_line if self.connection else None

    def decide_id(self) -> int:
        """Return a new ID for a decide."""
        number = self.next_decide
        self.next_decide += 1
        return number

    def send(self, *lines: bytes) -> None:
        """Queue whole lines, if there is a connection. An error replaces a line that is too long for the client."""
        connection = self.connection
        if connection is not None:
            most = connection.max_line
            for line in lines:
                if len(line) > most:
                    lines = tuple(line if len(line) <= most else _too_long(line, most) for line in lines)
                    break
            connection.send(*lines)

    def say(self, message: Struct) -> None:
        self.send(encode(message))

    def answer(self, request: Request, answer: Answer) -> None:
        """Send the answer to a request."""
        answer.re = request.id
        self.say(answer)


def token_hash(token: str) -> str:
    """Return the digest of a token; the server keeps no tokens."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


class _Addressed(Struct):
    """The fields of a line to a client that an error in its place must repeat."""

    re: Id | None = None
    game_id: str | None = None


_ADDRESSED: Final = Decoder(_Addressed)


def _too_long(line: bytes, most: int) -> bytes:
    """Return the error that replaces a line which is too long for the client."""
    addressed = _ADDRESSED.decode(line)
    message = f"a line of {len(line)} bytes is longer than your max_line, {most}"
    refusal = Refusal("too_long", message, data={"bytes": len(line)}, re=addressed.re)
    return type(line)(encode(error_of(refusal, addressed.game_id)))
