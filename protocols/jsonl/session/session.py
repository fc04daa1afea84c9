"""Who a client is, for as long as it may come back: its preferences, its games, its way to be told."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from msgspec import Struct

from protocols.jsonl.codec import encode
from protocols.jsonl.messages import Hello
from protocols.jsonl.session.line import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What a client has asked for in its hello."""

    name: str = "guest"
    role: Literal["player", "watcher", "director"] = "player"
    observe: Literal["full", "delta"] = "full"
    legal: Literal["list", "rules", "none"] = "list"
    say: bool = False

    @classmethod
    def of(cls, hello: Hello) -> "Preferences":
        return cls(
            name=hello.name or "guest",
            role=hello.role or "player",
            observe=hello.observe or "full",
            legal=hello.legal or "list",
            say=bool(hello.say),
        )


def fingerprint(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


class Session:
    """A client over one connection or several, one after the other."""

    def __init__(self, session_id: str, token_hash: str, preferences: Preferences, first_decide: int) -> None:
        self.id = session_id
        self.token_hash = token_hash
        self.preferences = preferences
        self.line: Line | None = None
        self.lost_at: float | None = None  # when its connection was
        self.games: set[str] = set()  # where it has a seat
        self.watched: set[str] = set()
        self.next_decide = first_decide

    def decide_id(self) -> int:
        """A new id for a decide."""
        number = self.next_decide
        self.next_decide += 1
        return number

    def send(self, *lines: bytes) -> None:
        """Queue whole lines, if anybody listens at present."""
        if self.line is not None:
            self.line.send(*lines)

    def say(self, message: Struct) -> None:
        self.send(encode(message))
