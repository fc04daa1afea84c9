"""The topics of the server, all below one root (galapagos/v1 unless the broker's address has another).

| topic | who | retained | content |
|---|---|---|---|
| `server` | server | yes; will | a `welcome` without `re`, `session` and `resume`; `bye` when the server is gone |
| `c/{client}/in` | client | | its side of a conversation in JSON lines; its will is `{"type":"bye"}` |
| `c/{client}/out` | server | | the other side; and answers to its requests, there or in a Response Topic below it |
| `g/{game}/public` | server | | public lines: `start`, `event`, `end` |
| `g/{game}/state` | server | yes | the public `start` as the game stands, once a second at most; at last its `end` |
| `g/{game}/seat/{n}/{client}` | server | | lines of one game to one seat, for who asks for them here instead of in `out` |
| `m/{match}/table` | server | yes | the last `match_event`, then `match_end` |
| `hill/{hill}/battle` | server | | a `challenge` |
| `hill/{hill}/standings` | server | yes | the table |
| `hill/{hill}/submit/{client}` | client | | a warrior's text; answered by the hill's report |
| `engine/{id}/status` | server | yes | a `presence`: whether it plays, and for how many |
| `engine/{id}/request/{client}` | client | | a position and bounds; answered by a `bestmove` |
| `run/{run}/generation` | server | | a `generation` |
| `history/{client}` | client | | `{"after":N,"topics":[..]}`; answered by events that were missed |

Whatever belongs to one client has its name in the topic: an access list of the broker can then tell with one
pattern whose it is, and the server knows who asks, which no message says. An answer goes nowhere but below the
`out` of who has asked. Every message of the server has the user property `seq`, the number of the event on the
house's bus, if it is one; messages of games and matches are the lines themselves, all others
`{"v":1,"seq":..,"topic":..,"type":..}` with the fields of their type.
"""

from dataclasses import dataclass
from typing import Final

SHORT: Final = {"game": "g", "match": "m"}  # on the bus, and here


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Into a client's conversation."""

    client: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """A warrior for a hill."""

    client: str
    hill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question for an engine."""

    client: str
    engine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A question for events."""

    client: str


Purpose = Said | Submitted | Asked | Missed


@dataclass(frozen=True, slots=True)
class Topics:
    """Those below a root."""

    root: str

    @property
    def server(self) -> str:
        return f"{self.root}/server"

    @property
    def incoming(self) -> tuple[str, ...]:
        """What the server listens to."""
        own = ("c/+/in", "hill/+/submit/+", "engine/+/request/+", "history/+")
        return tuple(f"{self.root}/{each}" for each in own)

    def said(self, client: str) -> str:
        """Where a client speaks."""
        return f"{self.root}/c/{client}/in"

    def out(self, client: str) -> str:
        """Where a client is spoken to."""
        return f"{self.root}/c/{client}/out"

    def seat(self, game_id: str, seat: int, client: str) -> str:
        """Where a seat is told of its game, if its client wants so."""
        return f"{self.root}/g/{game_id}/seat/{seat}/{client}"

    def of_event(self, topic: str) -> str:
        """For what the bus tells under this topic."""
        first, _, rest = topic.partition("/")
        return f"{self.root}/{SHORT.get(first, first)}/{rest}"

    def purpose(self, topic: str) -> Purpose | None:
        """What a message under this topic is for; None if it is not for the server."""
        if not topic.startswith(f"{self.root}/"):
            return None
        match topic.removeprefix(f"{self.root}/").split("/"):
            case ["c", client, "in"]:
                return Said(client=client)
            case ["hill", hill, "submit", client]:
                return Submitted(client=client, hill=hill)
            case ["engine", engine, "request", client]:
                return Asked(client=client, engine=engine)
            case ["history", client]:
                return Missed(client=client)
        return None

    def response(self, client: str, wanted: str | None) -> str:
        """Where the answer to a client goes: where it wants, if that is its own."""
        own = self.out(client)
        return wanted if wanted and wanted.startswith(f"{own}/") and not set("+#") & set(wanted) else own
