"""The random games of the engines played by clients of the JSON lines, in this process and over TCP: the same digest."""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol

import pytest

from core.protection.board import Scenario
from core.protection.rules import RULES
from core.protection.state import PlacedUnit
from engines.protection.bot_plans import Observation
from protocols.jsonl.codec import ENCODER
from protocols.jsonl.local import local_clients
from protocols.jsonl.protection import ProtectionAdapter
from protocols.jsonl.protection_actions import format_setup
from protocols.jsonl.protection_messages import CODES, map_of, square_at
from tests.engines.protection.random_games import (
    GAMES,
    GOLDEN,
    MANY_GAMES,
    MANY_GOLDEN,
    Board,
    Facts,
    Wish,
    digest,
    together,
)
from tests.servers import served_sync

Message = dict[str, Any]
HELLO: Final[Message] = {"type": "hello", "versions": [1]}
PATIENCE_SECONDS: Final = 60.0


class Client(Protocol):
    def ask(self, *messages: Message) -> list[Message]:
        """Say them, and hear everything until both sides are to decide, or the game is over."""
        ...


class LocalClient:
    """A client of a server of its own."""

    def __init__(self) -> None:
        self._connection = local_clients({"protection": ProtectionAdapter()})[0]
        self._connection.say(**HELLO)

    def ask(self, *messages: Message) -> list[Message]:
        return [line for message in messages for line in self._connection.say(**message)]


class TcpClient:
    """A client over TCP."""

    def __init__(self, line: socket.socket) -> None:
        self._file = line.makefile("rw", encoding="utf-8")
        self._say(HELLO)
        self._file.flush()
        assert json.loads(self._file.readline())["type"] == "welcome"

    def ask(self, *messages: Message) -> list[Message]:
        for message in messages:
            self._say(message)
        self._file.flush()
        received: list[Message] = []
        while not is_whole(received):
            received.append(json.loads(self._file.readline()))
            assert received[-1]["type"] != "error", received[-1]
        return received

    def _say(self, message: Message) -> None:
        self._file.write(json.dumps(message) + "\n")


class ClientBoard:
    """One client sits in both seats."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def begin(self, rules: str, seed: int) -> Observation:
        received = self._client.ask(
            {
                "type": "create", "game": "protection", "variant": rules, "seats": ["me", "me"], "seed": seed,
                "options": {"detail": "phases"},
            }
        )  # fmt: skip
        start = of_type(received, "start")[0]
        self._setting = Scenario(RULES[rules], map_of(start["map"], start["gold"]))
        self._decides = of_type(received, "decide")
        return self._seen()

    def play(self, wish: Wish) -> tuple[Facts, Observation | None]:
        actions = (
            json.loads(ENCODER.encode(format_setup(wish.setup))),
            {"kind": "strategy", "string": wish.string.hex},
        )
        received = self._client.ask(*(
            {"type": "action", "re": each["id"], "game_id": each["game_id"], "action": actions[each["seat"]]}
            for each in self._decides
        ))  # fmt: skip
        ends, self._decides = of_type(received, "end"), of_type(received, "decide")
        over = ends[0]["result"]["reason"] if ends else ""
        return turn_facts(received) | {"over": over}, None if ends else self._seen()

    def leave(self) -> None:
        self._client.ask({"type": "resign", "game_id": self._decides[0]["game_id"]})

    def _seen(self) -> Observation:
        (view,) = (each["observation"] for each in self._decides if each["seat"] == 0)
        return Observation(
            scenario=self._setting,
            turn=view["turn"],
            treasury=view["treasury"],
            chaos_value=view["chaos_value"],
            units=tuple(
                PlacedUnit(unit["id"], CODES[unit["unit"]], square_at(*unit["at"]), False)
                for unit in view["units"]
            ),
            losses=(),
        )


def test_random_games_of_a_local_client_have_the_golden_digest() -> None:
    assert together(played(ClientBoard(LocalClient()), GAMES)) == GOLDEN


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_thousand_turns_of_local_and_tcp_clients_match_the_digest() -> None:
    assert together(played(ClientBoard(LocalClient()), MANY_GAMES)) == MANY_GOLDEN
    with board_over_tcp() as board:
        assert together(played(board, MANY_GAMES)) == MANY_GOLDEN


# -- Helpers ---------------------------------------------------------------------------------------


def played(board: Board, games: int) -> Iterator[tuple[int, str]]:
    return (digest(board, number) for number in range(games))


@contextmanager
def board_over_tcp() -> Iterator[ClientBoard]:
    with served_sync() as server, server.open_socket() as line:
        yield ClientBoard(TcpClient(line))


def is_whole(received: Sequence[Message]) -> bool:
    """Whether it is the client's turn to speak, or the game is over."""
    return len(of_type(received, "decide")) == 2 or bool(of_type(received, "end"))


def of_type(received: Sequence[Message], name: str) -> list[Message]:
    return [line for line in received if line["type"] == name]


def turn_facts(received: Sequence[Message]) -> Facts:
    """A turn in plain words, as `facts_of` has them."""
    kinds: dict[str, list[Message]] = {}
    for event in of_type(received, "event"):
        kinds.setdefault(event["kind"], []).append(event)
    (start,), (end,) = kinds["turn_start"], kinds["turn_end"]
    phases, rosters = kinds.get("phases", []), [start, *kinds.get("roster", [])]
    human, chaos = end["human"], end["chaos"]
    return {
        "turn": end["turn"],
        "placed": [[unit["id"], unit["unit"], *unit["at"]] for unit in start["placed"]],
        "salvaged": [[unit["id"], unit["unit"], *unit["at"]] for unit in start["salvaged"]],
        "bought": start["bought"],
        "kept": start["kept"],
        "left_off": start["left_off"],
        "guard": start.get("guard", False),
        "roster": [minion for each in rosters for minion in each["roster"]],
        "acts": [acts for each in phases for acts in each["acts"]],
        "fights": [
            [fight["phase"], fight["by"], *fight["at"], fight["kind"], fight["n"], fight["of"], fight["win"],
             fight.get("plunder", 0)]
            for each in phases
            for fight in each["fights"]
        ],
        "produced": human["produced"],
        "plundered": human["plundered"],
        "treasury": human["treasury"],
        "lost": [[unit["id"], unit["unit"], unit["phase"]] for unit in human["lost"]],
        "carried": chaos["carried"],
        "refund": chaos["refund"],
        "destroyed": chaos["lost"],
        "values": [human["value"], chaos["value"]],
        "change": end["change"],
        "grant": sum(each["amount"] for each in kinds.get("grant", [])),
    }  # fmt: skip
