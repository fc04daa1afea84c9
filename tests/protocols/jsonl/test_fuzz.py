"""Whatever a client sends, the server goes on: no fault of ours, no closed game, bounded memory."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from protocols.jsonl.codec import tag_of
from protocols.jsonl.handlers import HANDLERS
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import FakeServer
from tests.protocols.jsonl.scripted import acquire

TYPES = [tag_of(kind) for kind in HANDLERS] + ["ping", "pong", "hello", "nonsense"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(
    ["g-12", "g-13", "m-1", "r-1", "tic-tac-toe", "acquire", "mini", "random", "me", "open"]
)
ACTIONS: st.SearchStrategy[Any] = st.one_of(
    JSON,
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["place", "found", "survivor", "order", "dispose", "buy", "pass"])},
        optional={
            "tile": st.sampled_from(["1A", "4C", "9Z", ""]) | JSON,
            "chain": st.sampled_from(["Luxor", "Imperial", "Tower"]) | JSON,
            "shares": st.lists(st.sampled_from(["Luxor", "Imperial", "x"]), max_size=70) | JSON,
            "trade": st.integers() | JSON,
            "sell": st.integers() | JSON,
            "end": st.booleans() | JSON,
        },
    ),
)
VALUES = KEYS | JSON | st.integers(0, 120) | st.lists(KEYS, max_size=4)
MESSAGES = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        **dict.fromkeys(("id", "seq", "seats", "variant", "seed", "options", "token", "games", "from_seq", "legal", "text", "turn", "offset", "what", "players", "match_id", "state", "clock", "rated"), VALUES),
        "re": st.integers(95, 110) | VALUES,
        "game": KEYS | VALUES,
        "game_id": KEYS | VALUES,
        "action": ACTIONS,
        "versions": st.just([1]) | VALUES,
    },
)  # fmt: skip


def server_with_a_game() -> FakeServer:
    server = FakeServer(acquire(), limits=GameLimits(malformed_lines=10**6))
    client = server.player()
    client.create(game="acquire", variant="mini", seats=["me", "random"])
    server.clients = [client]  # type: ignore[attr-defined]
    return server


def stands(server: FakeServer) -> None:
    """The first client is still served, or a new one if somebody came with its token or it said goodbye."""
    client = server.clients[0]  # type: ignore[attr-defined]
    if client.connection.is_closing:
        client = server.player()
    client.lines()
    assert client.ask(type="ping", id=1)["type"] == "pong"
    assert not server.log
    assert len(server.games.games) <= 1 + server.games.limits.games


@given(st.lists(st.binary(max_size=200), max_size=10))
def test_the_server_survives_random_bytes(lines: list[bytes]) -> None:
    server = server_with_a_game()
    for line in lines:
        for part in line.split(b"\n"):
            server.clients[0].send(part)  # type: ignore[attr-defined]
    stands(server)


@given(st.lists(JSON, max_size=10))
def test_the_server_survives_random_json(values: list[Any]) -> None:
    server = server_with_a_game()
    for value in values:
        server.clients[0].send(json.dumps(value).encode("utf-8", "surrogatepass"))  # type: ignore[attr-defined]
    stands(server)


@given(st.lists(MESSAGES, max_size=20))
def test_the_server_survives_random_messages_of_players_and_others(messages: list[dict[str, Any]]) -> None:
    """From the one who plays, and from one who does not."""
    server = server_with_a_game()
    other = server.player()
    for number, message in enumerate(messages):
        client = server.clients[0] if number % 2 else other  # type: ignore[attr-defined]
        client.send(json.dumps(message).encode("utf-8", "surrogatepass"))
    server.wait(1.0)
    stands(server)


@given(st.binary(max_size=12), st.integers(0, 200), st.integers(0, 20))
def test_the_server_survives_damaged_messages(damage: bytes, at: int, gone: int) -> None:
    server = server_with_a_game()
    line = b'{"type":"action","id":7,"re":101,"game_id":"g-12","seq":1,"action":{"kind":"place","tile":"1A"}}'
    server.clients[0].send((line[:at] + damage + line[at + gone :]).replace(b"\n", b""))  # type: ignore[attr-defined]
    stands(server)
