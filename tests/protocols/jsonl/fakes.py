"""A hall with fixed names and a clock that only tests move, and clients that talk to it."""

import json
import pickle
from collections.abc import Callable, Mapping
from typing import Any

from engines.seeds import SeededStreams
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.presence import connect, disconnect
from protocols.jsonl.names import Names
from protocols.jsonl.requests.dispatch import receive
from protocols.jsonl.session.line import Line
from tests.fifth_game.binding import tic_tac_toe

SEED = SeededStreams(42, "9f2c4e0b7d1a55c3a1e6b87f20d4c913")  # of the protocol's examples


class FixedNames(Names):
    """Ids counted from where a test begins."""

    def __init__(self, first_game: int = 12, first_session: int = 1, seed: SeededStreams = SEED) -> None:
        self.first_decide = 101
        self._game = first_game - 1
        self._session = first_session - 1
        self._token = first_session - 1
        self._match = 0
        self._seed = seed

    def session(self) -> str:
        self._session += 1
        return f"s-{self._session}"

    def token(self) -> str:
        self._token += 1
        return f"r-{self._token}"

    def game(self) -> str:
        self._game += 1
        return f"g-{self._game}"

    def match(self) -> str:
        self._match += 1
        return f"m-{self._match}"

    def seed(self) -> SeededStreams:
        return self._seed


class House:
    """A hall at work, without sockets."""

    def __init__(self, bindings: Mapping[str, GameAdapter] | None = None, **settings: Any) -> None:
        self.now = 100.0
        self.expects_trouble = False
        settings.setdefault("names", FixedNames())
        self.hall = Hall(bindings or tic_tac_toe(), server="galapagos 1.0.0", **settings)

    def guest(self, *, is_trusted: bool = True, is_silent: bool = False) -> "Guest":
        return Guest(self, connect(self.hall, self.now, is_trusted=is_trusted, is_silent=is_silent))

    def player(self, **hello: Any) -> "Guest":
        """A guest who has been welcomed."""
        guest = self.guest()
        guest.say(type="hello", versions=[1], **hello)
        (guest.welcome,) = guest.heard()
        assert guest.welcome["type"] == "welcome"
        return guest

    def work(self, most: int = 1_000_000, *, last_first: bool = False) -> None:
        """Do the errands, or some, as another process would; they may come back in any order."""
        while self.hall.errands and most:
            errand = self.hall.errands.pop(-1 if last_first else 0)
            function, task = pickle.loads(pickle.dumps((errand.function, errand.task)))
            errand.done(function(task), self.now)
            most -= 1

    def wait(self, seconds: float) -> None:
        """Let time pass; everything is done when it is due."""
        until = self.now + seconds
        while self.hall.alarms.next <= until:
            self.now = max(self.now, self.hall.alarms.next)
            self.hall.alarms.ring(self.now)
        self.now = until


class Guest:
    """One connection; what was heard is kept as lines."""

    def __init__(self, house: House, line: Line) -> None:
        self.house = house
        self.line = line
        self.welcome: dict[str, Any] = {}

    def send(self, data: bytes) -> None:
        receive(self.house.hall, self.line, data, self.house.now)
        assert self.house.expects_trouble or not self.house.hall.troubles, self.house.hall.troubles[0]

    def say(self, **message: Any) -> None:
        self.send(json.dumps(message).encode())

    def lines(self) -> list[str]:
        """What has come since the last time."""
        return self.line.take().decode().splitlines()

    def heard(self) -> list[dict[str, Any]]:
        """The messages that have come since the last time, without pings."""
        messages = [json.loads(line) for line in self.lines()]
        return [message for message in messages if message["type"] != "ping"]

    def ask(self, **message: Any) -> dict[str, Any]:
        """The one answer to a request."""
        self.say(**message)
        (answer,) = self.heard()
        return dict(answer)

    def leave(self) -> None:
        disconnect(self.house.hall, self.line, self.house.now)

    def create(self, **message: Any) -> list[dict[str, Any]]:
        self.say(type="create", **{"game": "tic-tac-toe", "seats": ["me", "first"], **message})
        return self.heard()

    def play_out(
        self, choose: Callable[[dict[str, Any]], Any], heard: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Answer every decide until the end comes; the end."""
        while True:
            for message in heard:
                if message["type"] == "end":
                    return message
                if message["type"] == "decide":
                    self.say(
                        type="action", re=message["id"], game_id=message["game_id"], seq=message["seq"],
                        action=choose(message),
                    )  # fmt: skip
            heard = self.heard()
            assert heard, "nobody says anything"


def first_listed(decide: dict[str, Any]) -> Any:
    """The first legal action."""
    return decide["legal"]["actions"][0]


def returned(house: House, token: str) -> Guest:
    """A guest who has taken up a session again; what follows is still to be heard."""
    guest = house.guest()
    guest.say(type="hello", versions=[1])
    guest.lines()
    guest.say(type="resume", token=token)
    return guest
