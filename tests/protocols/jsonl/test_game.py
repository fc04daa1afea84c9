"""A game with the referee: legal and illegal actions, duplicates, stale numbers, check, resign, leave."""

from typing import Any

import pytest

from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import SEED, Client, FakeServer, FixedIds, first_listed


def begun(**hello: Any) -> Client:
    client = FakeServer().player(**hello)
    client.create()
    return client


def mark(client: Client, square: str, decide: int = 101, **more: Any) -> list[dict[str, Any]]:
    action = {"kind": "mark", "square": square}
    client.say(type="action", re=decide, game_id="g-12", action=action, **more)
    return client.received()


def test_a_whole_game_ends_with_its_result_and_reveals_the_seed() -> None:
    client = FakeServer().player()
    end = client.play_out(first_listed, client.create())
    assert end["result"] == {"score": [1.0, -1.0], "reason": "row"}
    assert end["reveal"] == {"seed": 42, "salt": "9f2c4e0b7d1a55c3a1e6b87f20d4c913"}


def test_an_action_with_an_id_gets_an_ok_first() -> None:
    received = mark(begun(), "b2", id="x")
    assert received[0] == {"type": "ok", "re": "x"}
    assert [each["seq"] for each in received[1:]] == [1, 2, 2]


def test_a_refused_action_may_be_tried_again() -> None:
    client = begun()
    (error,) = mark(client, "z9")
    assert error == {
        "type": "error", "re": 101, "game_id": "g-12", "code": "illegal_action", "number": -32010,
        "message": "no such square", "data": {"field": "square", "reason": "unknown"}, "fatal": False,
        "decide_again": True, "tries_left": 2,
    }  # fmt: skip
    client.say(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": 3})
    (error,) = client.received()
    assert (error["code"], error["tries_left"]) == ("invalid_params", 1)
    assert error["data"] == {"path": "$.action.square"}
    assert mark(client, "b2")[0]["kind"] == "marked"


def test_the_third_refused_action_forces_the_default_action() -> None:
    client = begun()
    mark(client, "z9")
    mark(client, "z9")
    error, forced, *others = mark(client, "z9")
    assert error["tries_left"] == 0 and "decide_again" not in error
    assert (forced["kind"], forced["reason"]) == ("forced", "illegal")
    assert others[0]["square"] == "a3" and others[-1]["type"] == "decide"


def test_too_many_forced_actions_forfeit() -> None:
    client = FakeServer(limits=GameLimits(forced_actions=1, tries=1)).player()
    client.create()
    mark(client, "z9")
    received = mark(client, "z9", 102)
    assert received[-1]["result"]["reason"] == "forfeit"


def test_a_duplicate_action_changes_nothing() -> None:
    client = begun()
    mark(client, "b2", id=1)
    assert mark(client, "b2", id=2) == [{"type": "ok", "re": 2, "duplicate": True}]
    assert mark(client, "b2") == [{"type": "ok", "re": 101, "duplicate": True}]
    assert mark(client, "c3", id=3)[0]["code"] == "stale_seq", "another action was not taken"
    assert client.ask(type="state", game_id="g-12")["seq"] == 2


@pytest.mark.parametrize(
    ("decide", "seq", "code"),
    [(999, 0, "stale_seq"), (999, 2, "not_your_turn"), (999, None, "not_your_turn"), (102, 1, "stale_seq")],
)
def test_actions_without_a_pending_decision_are_refused(decide: int, seq: int | None, code: str) -> None:
    client = begun()
    mark(client, "b2")
    (error,) = mark(client, "c3", decide, seq=seq)
    assert error["code"] == code and "tries_left" not in error
    assert mark(client, "c3", 102, seq=2)[0]["kind"] == "marked"


def test_check_changes_nothing() -> None:
    client = begun()
    for _ in range(5):
        checked = client.ask(
            type="check", id=1, re=101, game_id="g-12", action={"kind": "mark", "square": "q"}
        )
        assert checked == {
            "type": "checked", "re": 1, "ok": False, "problems": [{"field": "square", "reason": "unknown"}],
        }  # fmt: skip
    checked = client.ask(type="check", id=1, re=101, game_id="g-12", action={"kind": "mark", "square": "a1"})
    assert checked["ok"] is True
    assert mark(client, "a1")[0]["kind"] == "marked"


def test_resigning_ends_the_game_and_later_actions_are_refused() -> None:
    client = begun()
    client.say(type="resign", id=5, game_id="g-12")
    ok, left, end = client.received()
    assert ok == {"type": "ok", "re": 5} and left["kind"] == "left"
    assert end["result"] == {"score": [-1.0, 1.0], "reason": "resign"}
    assert client.ask(type="resign", game_id="g-12")["code"] == "game_over"
    assert mark(client, "a1")[0]["code"] == "game_over", "nothing was marked"
    assert mark(client, "a1", 999)[0]["code"] == "game_over"


def test_a_second_client_joins_an_open_seat_and_plays() -> None:
    server = FakeServer()
    ann, bob = server.player(name="ann"), server.player(name="bob")
    ann.create(seats=["me", "open"])
    assert bob.ask(type="list", state="open")["games"][0]["seats"] == ["ann", ""]
    assert bob.ask(type="leave", game_id="g-12")["code"] == "not_permitted"
    bob.say(type="join", id=1, game_id="g-12")
    joined, start = bob.received()
    commitment = SEED.commitment("g-12")
    assert joined == {"type": "joined", "re": 1, "game_id": "g-12", "seat": 1, "seed_commit": commitment}
    assert [seat["name"] for seat in start["seats"]] == ["ann", "me"]
    received = ann.received()
    assert [seat["name"] for seat in received[0]["seats"]] == ["me", "bob"]
    mark(ann, "b2", received[1]["id"])
    received = bob.received()
    assert received[0]["square"] == "b2" and received[1]["type"] == "decide"
    mark(bob, "a1", received[1]["id"])
    assert ann.received()[0]["square"] == "a1"


def test_leaving_before_the_start_removes_the_game() -> None:
    server = FakeServer()
    ann, bob = server.player(), server.player()
    ann.create(seats=["me", "open"])
    assert ann.ask(type="leave", id=1, game_id="g-12") == {"type": "ok", "re": 1}
    assert bob.ask(type="join", game_id="g-12")["code"] == "no_such_game"


def test_invalid_create_requests_are_refused() -> None:
    client = FakeServer().player()
    for message, code, path in (
        ({"game": "go"}, "no_such_game", None),
        ({"variant": "strange"}, "invalid_params", "$.variant"),
        ({"seats": ["me", "nobody"]}, "no_such_agent", "$.seats[1]"),
        ({"seats": ["me"]}, "invalid_params", "$.seats"),
        ({"options": {"size": 4}}, "invalid_params", "$.options.size"),
        ({"rated": True, "seed": 1}, "not_permitted", "$.seed"),
        ({"on_gone": "agent:nobody"}, "no_such_agent", None),
    ):
        (error,) = client.create(**message)
        assert error["code"] == code and (error.get("data") or {}).get("path") == path


def test_a_given_seed_has_no_salt() -> None:
    client = FakeServer(ids=FixedIds()).player()
    received = client.create(seed=5)
    assert client.play_out(first_listed, received)["reveal"] == {"seed": 5, "salt": ""}


def test_a_slow_agent_decides_in_another_process() -> None:
    server = FakeServer()
    client = server.player()
    client.create(seats=["me", "slow"])
    mark(client, "b2")
    (job,) = server.jobs
    assert not client.received()
    server.work()
    assert client.received()[0]["square"] == "a3"
    job.on_done(1, 0.5)  # an echo
    assert not client.received()


def test_the_default_action_is_played_for_an_agent_that_never_answers() -> None:
    server = FakeServer()
    client = server.player()
    client.create(seats=["me", "slow"])
    mark(client, "b2")
    server.wait(11.0)
    forced, marked, *_ = client.received()
    assert (forced["seat"], forced["reason"], marked["square"]) == (1, "timeout", "a3")
