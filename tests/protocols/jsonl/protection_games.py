"""A server with Advanced Protection alone, and a simple player."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from core.random import Random
from engines.protection import MODES
from engines.protection.genome import Genome
from engines.protection.pool import Entry, Pool, handwritten
from engines.protection.profile import STRINGS
from protocols.jsonl.journal import Journal, whole_lines
from protocols.jsonl.protection import ProtectionAdapter
from tests.protocols.jsonl.fakes import Client, FakeServer, FixedIds

Message = dict[str, Any]
NOTHING: Final[Message] = {"kind": "setup", "place": [], "salvage": []}
COMMONS: Final = "4110333385547777c998bbbb0ddcffff" * 8 + "00f00000"  # buys only common barbarians
SMALL: Final = {"human": 400, "chaos": 300}


@cache
def pool(third: str = COMMONS) -> Pool:
    """The strings by hand with another one at index 2, and children of theirs: games with them last some turns."""
    strings, rng = list(handwritten().values()), Random(250)
    while len(strings) < STRINGS:
        one, other = (strings[int(rng.below(20))] for _ in range(2))
        strings.append(one.mate(other, rng).mutate(rng))
    strings[2] = Genome.loads(third)
    entries = [Entry(name=f"string-{number}", genome=genome) for number, genome in enumerate(strings)]
    return Pool(entries=tuple(entries), starter=list(handwritten()).index("militia"))


def adapters(profiles: Path | None = None) -> dict[str, ProtectionAdapter]:
    names = [f"chaos:{mode}" for mode in MODES]
    return {"protection": ProtectionAdapter(profiles, names, pool())}


def protection_server(profiles: Path | None = None, **settings: Any) -> FakeServer:
    settings.setdefault("ids", FixedIds(first_game=31))
    return FakeServer(adapters(profiles), **settings)


def begun(client: Client, chaos: str = "chaos:fixed:2", **message: Any) -> list[Message]:
    """A new game of theirs against Chaos, with its first lines."""
    return client.create(**{"game": "protection", "seats": ["me", chaos], **message})


def drones(decide: Message, count: int) -> Message:
    """A setup of so many drones on the first free squares, or as many as can be paid."""
    rules = decide["legal"]["rules"]
    many = min(count, rules["treasury"] // rules["units"]["drone"]["cost"])
    squares = list(free(decide))[:many]
    return {"kind": "setup", "place": [{"unit": "drone", "at": list(at)} for at in squares], "salvage": []}


def free(decide: Message) -> Iterator[tuple[int, int]]:
    """The squares where the mask says that a unit may be placed."""
    bits = f"{int(decide['legal']['rules']['free'], 16):0576b}"
    return ((square % 24, square // 24) for square, bit in enumerate(bits) if bit == "1")


def of_kind(lines: Sequence[Message], kind: str) -> list[Message]:
    return [line for line in lines if line.get("kind") == kind]


def decide_of(lines: Sequence[Message], seat: int = 0) -> Message:
    """The one decision that a seat owes."""
    (found,) = [line for line in lines if line["type"] == "decide" and line["seat"] == seat]
    return found


def act(client: Client, decide: Message, action: Message) -> list[Message]:
    """Play it, and receive what follows; what others have to compute is not done yet."""
    client.say(type="action", re=decide["id"], game_id=decide["game_id"], seq=decide["seq"], action=action)
    return client.received()


def finished(path: Path, seats: list[str], detail: str = "phases") -> tuple[FakeServer, list[bytes]]:
    """A whole game, and its journal."""
    table = protection_server(journal=Journal(path))
    client = table.player()
    received = begun(
        client,
        seats=seats,
        options={"detail": detail, "money": {"human": 200, "chaos": 600}, "turn_cap": 5, "profile": "ann"},
    )
    table.work()
    count = 9
    while "me" in seats and not any(line["type"] == "end" for line in received):
        received = act(client, decide_of(received), drones(decide_of(received), count))
        table.work()
        count -= 1
    return table, whole_lines((path / "g-31.jsonl").read_bytes())
