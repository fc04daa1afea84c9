"""Connections that are lost: at every line of a game, within a line, for too long, and taken over."""

import json
from typing import Any

import pytest

from protocols.jsonl.adapter import GameAdapter
from protocols.limits import GameLimits
from tests.fifth_game.adapter import tic_tac_toe
from tests.protocols.jsonl.fakes import Client, FakeServer, FixedIds, first_listed
from tests.protocols.jsonl.scripted import acquire

FIRST_MOVES = {"tic-tac-toe": "marked", "acquire": "placed"}  # kinds of events
GAMES = [("tic-tac-toe", "plain", "random"), ("acquire", "mini", "random")]


def game_adapters() -> dict[str, GameAdapter]:
    return {**tic_tac_toe(), **acquire()}


class Follower:
    """A client that may lose its connection before any line, and knows only what it has read."""

    def __init__(self, server: FakeServer, cut_at: int) -> None:
        self.server = server
        self.client = server.player()
        self.token = self.client.welcome["resume"]
        self.seen: list[dict[str, Any]] = []  # numbered lines, each once
        self.read = 0
        self.cuts = 0
        self.cut_at = cut_at
        self.done: set[int] = set()

    def play(self, game: str, variant: str, opponent: str) -> list[dict[str, Any]]:
        self.client.say(type="create", game=game, variant=variant, seats=["me", opponent], seed=9)
        while not self.seen or self.seen[-1]["type"] != "end":
            lines = self.client.lines()
            assert lines, "nobody says anything"
            for line in lines:
                if self.read == self.cut_at:
                    self.cut_at = -1
                    self.reconnect()
                    break
                self.read += 1
                self.hear(json.loads(line))
        return self.seen

    def hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("start", "event", "end") and message.get("kind") not in ("left", "rejoined"):
            self.seen.append(message)
        if kind == "decide" and message["id"] not in self.done:
            self.done.add(message["id"])
            self.client.say(
                type="action", re=message["id"], game_id=message["game_id"], seq=message["seq"],
                action=first_listed(message),
            )  # fmt: skip

    def reconnect(self) -> None:
        self.cuts += 1
        self.client.leave()
        self.client = self.server.player()
        games = [{"game_id": "g-12", "from_seq": self.last + 1}] if self.seen else None
        self.client.say(type="resume", token=self.token, games=games)

    @property
    def last(self) -> int:
        return max((message["seq"] for message in self.seen), default=-1)


def without_numbers(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "seq"} for line in lines]


@pytest.mark.parametrize(("game", "variant", "opponent"), GAMES)
def test_a_game_resumed_after_a_cut_at_any_line_ends_as_without_it(
    game: str, variant: str, opponent: str
) -> None:
    """The game ends as without the cut; what was not read is told again, what was read is not."""
    whole = Follower(FakeServer(game_adapters()), -1)
    expected = without_numbers(whole.play(game, variant, opponent))
    assert whole.read > 8
    for cut_at in range(whole.read):
        follower = Follower(FakeServer(game_adapters()), cut_at)
        seen = follower.play(game, variant, opponent)
        assert follower.cuts == 1
        missed = 0
        if (
            cut_at < 2
        ):  # the client knows no game yet: an observation takes the place of what came before its decision
            missed = [line.get("kind") for line in expected].index(FIRST_MOVES[game])
        assert without_numbers(seen) == expected[missed:], f"cut at line {cut_at}"


def test_the_pending_decide_comes_again_with_its_clock() -> None:
    server = FakeServer()
    client = server.player()
    clock = {"bank_ms": 5000, "move_ms": 1000, "init_ms": 0}
    received = client.create(clock=clock)
    client.leave()
    server.wait(3.0)
    other = server.player()
    other.say(type="resume", id=2, token=client.welcome["resume"], games=[{"game_id": "g-12", "from_seq": 1}])
    resumed, *events, decide = other.received()
    assert resumed == {
        "type": "resumed", "re": 2, "session": "s-1",
        "games": [{"game_id": "g-12", "seq": 1, "pending": received[-1]["id"]}],
    }  # fmt: skip
    assert [event["kind"] for event in events] == ["left", "rejoined"]
    assert decide["id"] == received[-1]["id"] and decide["clock"] == {"bank_ms": 3000, "move_ms": 0}
    assert decide["observation"] == received[1]["observation"]


def test_resume_sends_a_full_observation_on_request() -> None:
    server = FakeServer()
    client = server.player()
    client.create()
    client.leave()
    other = server.player()
    other.say(type="resume", token="r-1", games=[{"game_id": "g-12", "from_seq": 0, "full": True}])
    assert [line["type"] for line in other.received()] == ["resumed", "observation", "event", "decide"]


def test_a_session_can_be_taken_over() -> None:
    server = FakeServer()
    first = server.player()
    first.create()
    second = server.player()
    second.say(type="resume", token="r-1")
    assert first.received() == [{"type": "bye", "reason": "taken_over"}] and first.connection.is_closing
    assert second.received()[0]["type"] == "resumed"
    first.leave()
    second.say(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": "b2"})
    assert second.received()[0]["kind"] == "marked"


def test_resume_refuses_unknown_tokens_and_clients_with_a_game() -> None:
    server = FakeServer()
    client = server.player()
    assert client.ask(type="resume", token="r-99")["code"] == "resume_expired"
    client.create()
    other = server.player()
    other.create()
    assert other.ask(type="resume", token="r-1")["code"] == "not_permitted"


def test_a_refused_resume_attaches_nothing() -> None:
    """An unknown game, or one of another session, is found before the session changes its connection."""
    server = FakeServer()
    first = server.player()
    first.create()
    server.player().create()
    newcomer = server.player()
    for game_id, code in (("g-99", "no_such_game"), ("g-13", "not_permitted")):
        games = [{"game_id": "g-12"}, {"game_id": game_id}]
        assert newcomer.ask(type="resume", token="r-1", games=games)["code"] == code
        assert first.received() == [] and not first.connection.is_closing
        assert first.connection.session is not None and first.connection.session.id == "s-1"
        assert newcomer.connection.session is not None and newcomer.connection.session.id == "s-3"
    first.say(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": "b2"})
    assert first.received()[0]["kind"] == "marked"
    newcomer.say(type="resume", token="r-1")
    assert newcomer.received()[0]["type"] == "resumed"


def test_a_game_ends_if_its_player_does_not_return_in_time() -> None:
    """With a clock after two minutes, without one after a day."""
    for clock, seconds in (({"move_ms": 10**7, "bank_ms": 0}, 120.0), (None, 86_400.0)):
        server = FakeServer()
        client = server.player()
        client.create(clock=clock)
        client.leave()
        server.wait(seconds - 1.0)
        assert not server.games.games["g-12"].is_over
        server.wait(2.0)
        assert server.games.games["g-12"].is_over
        assert server.player().ask(type="resume", token="r-1")["code"] == "resume_expired"


def test_the_seat_of_an_absent_player_cannot_be_joined() -> None:
    server = FakeServer()
    ann, bob = server.player(), server.player()
    ann.create(seats=["me", "open"])
    bob.say(type="join", game_id="g-12")
    bob.leave()
    server.wait(server.games.limits.patient_session_seconds + 1.0)
    assert server.player().ask(type="join", game_id="g-12")["code"] == "seat_taken"


def test_an_absent_player_forfeits_a_rated_game() -> None:
    server = FakeServer()
    ann, bob = server.player(), server.player()
    ann.create(seats=["me", "open"], rated=True, clock={"move_ms": 10**7})
    bob.say(type="join", game_id="g-12")
    ann.leave()
    server.wait(121.0)
    assert bob.received()[-1]["result"] == {"score": [-1.0, 1.0], "reason": "forfeit"}


def test_an_agent_can_play_on_for_an_absent_player() -> None:
    server = FakeServer(limits=GameLimits(idle_seconds=1e9))
    ann, bob = server.player(), server.player()
    ann.create(seats=["me", "open"], on_gone="agent:random", clock={"move_ms": 10**7})
    bob.say(type="join", game_id="g-12")
    ann.leave()
    server.wait(121.0)
    decide = bob.received()[-1]
    assert decide["type"] == "decide" and "forced" not in json.dumps(decide)
    assert bob.play_out(first_listed, [decide])["result"]["reason"] in ("row", "full")


def test_each_seat_of_an_absent_player_gets_an_agent_of_its_own() -> None:
    """The game is that of two agents, and so also the one that a restarted server continues."""
    actions = []
    for seats in (["me", "me"], ["random", "random"]):
        server = FakeServer(limits=GameLimits(idle_seconds=1e9))
        ann, watcher = server.player(), server.player()
        ann.create(seats=seats, on_gone="agent:random", clock={"move_ms": 10**7})
        ann.leave()
        server.wait(121.0)
        watcher.say(type="watch", game_id="g-12")
        lines = watcher.received()
        assert lines[-1]["type"] == "end"
        actions.append([(line["seat"], line["square"]) for line in lines if line.get("kind") == "marked"])
    absent, agents = actions
    assert absent == agents


def test_resume_sends_an_observation_in_place_of_dropped_events() -> None:
    server = FakeServer(limits=GameLimits(kept_events=2), ids=FixedIds())
    client: Client = server.player()
    client.create()
    for decide, square in ((101, "b2"), (102, "c2")):
        client.say(type="action", re=decide, game_id="g-12", action={"kind": "mark", "square": square})
    client.leave()
    other = server.player()
    other.say(type="resume", token="r-1", games=[{"game_id": "g-12", "from_seq": 1}])
    assert [line["type"] for line in other.received()] == ["resumed", "observation", "event", "decide"]
