"""A game with the referee: legal and illegal actions, duplicates, stale numbers, check, resign, leave."""

from typing import Any

import pytest

from protocols.jsonl.limits import JsonlLimits
from tests.protocols.jsonl.fakes import FixedNames, Guest, House, first_listed


def begun(**hello: Any) -> Guest:
    guest = House().player(**hello)
    guest.create()
    return guest


def mark(guest: Guest, square: str, decide: int = 101, **more: Any) -> list[dict[str, Any]]:
    action = {"kind": "mark", "square": square}
    guest.say(type="action", re=decide, game_id="g-12", action=action, **more)
    return guest.heard()


def test_a_whole_game() -> None:
    guest = House().player()
    end = guest.play_out(first_listed, guest.create())
    assert end["result"] == {"score": [1.0, -1.0], "reason": "row"}
    assert end["reveal"] == {"seed": 42, "salt": "9f2c4e0b7d1a55c3a1e6b87f20d4c913"}


def test_an_action_with_an_id_gets_an_ok_first() -> None:
    heard = mark(begun(), "b2", id="x")
    assert heard[0] == {"type": "ok", "re": "x"}
    assert [each["seq"] for each in heard[1:]] == [1, 2, 2]


def test_a_refused_action_may_be_tried_again() -> None:
    guest = begun()
    (error,) = mark(guest, "z9")
    assert error == {
        "type": "error", "re": 101, "game_id": "g-12", "code": "illegal_action", "number": -32010,
        "message": "no such square", "data": {"field": "square", "reason": "unknown"}, "fatal": False,
        "decide_again": True, "tries_left": 2,
    }  # fmt: skip
    guest.say(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": 3})
    (error,) = guest.heard()
    assert (error["code"], error["tries_left"]) == ("invalid_params", 1)
    assert error["data"] == {"path": "$.action.square"}
    assert mark(guest, "b2")[0]["kind"] == "marked"


def test_the_third_refusal_is_the_last() -> None:
    guest = begun()
    mark(guest, "z9")
    mark(guest, "z9")
    error, forced, *others = mark(guest, "z9")
    assert error["tries_left"] == 0 and "decide_again" not in error
    assert (forced["kind"], forced["reason"]) == ("forced", "illegal")
    assert others[0]["square"] == "a3" and others[-1]["type"] == "decide"


def test_too_many_forced_actions_forfeit() -> None:
    guest = House(limits=JsonlLimits(forced_actions=1, tries=1)).player()
    guest.create()
    mark(guest, "z9")
    heard = mark(guest, "z9", 102)
    assert heard[-1]["result"]["reason"] == "forfeit"


def test_a_duplicate_changes_nothing() -> None:
    guest = begun()
    mark(guest, "b2", id=1)
    assert mark(guest, "c3", id=2) == [{"type": "ok", "re": 2, "duplicate": True}]
    assert mark(guest, "c3") == [{"type": "ok", "re": 101, "duplicate": True}]
    assert guest.ask(type="state", game_id="g-12")["seq"] == 2


@pytest.mark.parametrize(
    ("decide", "seq", "code"),
    [(999, 0, "stale_seq"), (999, 2, "not_your_turn"), (999, None, "not_your_turn"), (102, 1, "stale_seq")],
)
def test_what_was_not_asked(decide: int, seq: int | None, code: str) -> None:
    guest = begun()
    mark(guest, "b2")
    (error,) = mark(guest, "c3", decide, seq=seq)
    assert error["code"] == code and "tries_left" not in error
    assert mark(guest, "c3", 102, seq=2)[0]["kind"] == "marked"


def test_check_changes_nothing() -> None:
    guest = begun()
    for _ in range(5):
        checked = guest.ask(
            type="check", id=1, re=101, game_id="g-12", action={"kind": "mark", "square": "q"}
        )
        assert checked == {
            "type": "checked", "re": 1, "ok": False, "problems": [{"field": "square", "reason": "unknown"}],
        }  # fmt: skip
    checked = guest.ask(type="check", id=1, re=101, game_id="g-12", action={"kind": "mark", "square": "a1"})
    assert checked["ok"] is True
    assert mark(guest, "a1")[0]["kind"] == "marked"


def test_resigning() -> None:
    guest = begun()
    guest.say(type="resign", id=5, game_id="g-12")
    ok, left, end = guest.heard()
    assert ok == {"type": "ok", "re": 5} and left["kind"] == "left"
    assert end["result"] == {"score": [-1.0, 1.0], "reason": "resign"}
    assert guest.ask(type="resign", game_id="g-12")["code"] == "game_over"
    assert mark(guest, "a1")[0]["duplicate"]
    assert mark(guest, "a1", 999)[0]["code"] == "game_over"


def test_two_clients_at_a_table() -> None:
    house = House()
    ann, bob = house.player(name="ann"), house.player(name="bob")
    ann.create(seats=["me", "open"])
    assert bob.ask(type="list", state="open")["games"][0]["seats"] == ["ann", ""]
    assert bob.ask(type="leave", game_id="g-12")["code"] == "not_permitted"
    bob.say(type="join", id=1, game_id="g-12")
    joined, start = bob.heard()
    assert joined == {"type": "joined", "re": 1, "game_id": "g-12", "seat": 1}
    assert [seat["name"] for seat in start["seats"]] == ["ann", "me"]
    heard = ann.heard()
    assert [seat["name"] for seat in heard[0]["seats"]] == ["me", "bob"]
    mark(ann, "b2", heard[1]["id"])
    heard = bob.heard()
    assert heard[0]["square"] == "b2" and heard[1]["type"] == "decide"
    mark(bob, "a1", heard[1]["id"])
    assert ann.heard()[0]["square"] == "a1"


def test_leaving_before_the_start() -> None:
    house = House()
    ann, bob = house.player(), house.player()
    ann.create(seats=["me", "open"])
    assert ann.ask(type="leave", id=1, game_id="g-12") == {"type": "ok", "re": 1}
    assert bob.ask(type="join", game_id="g-12")["code"] == "no_such_game"


def test_what_cannot_be_created() -> None:
    guest = House().player()
    for message, code, path in (
        ({"game": "go"}, "no_such_game", None),
        ({"variant": "strange"}, "invalid_params", "$.variant"),
        ({"seats": ["me", "nobody"]}, "no_such_agent", "$.seats[1]"),
        ({"seats": ["me"]}, "invalid_params", "$.seats"),
        ({"options": {"size": 4}}, "invalid_params", "$.options.size"),
        ({"rated": True, "seed": 1}, "not_permitted", "$.seed"),
        ({"on_gone": "agent:nobody"}, "no_such_agent", None),
    ):
        (error,) = guest.create(**message)
        assert error["code"] == code and (error.get("data") or {}).get("path") == path


def test_a_given_seed_has_no_salt() -> None:
    guest = House(names=FixedNames()).player()
    heard = guest.create(seed=5)
    assert guest.play_out(first_listed, heard)["reveal"] == {"seed": 5, "salt": ""}


def test_a_note_is_in_the_record_alone() -> None:
    guest = begun()
    assert guest.ask(type="note", id=1, game_id="g-12", text="I like b2") == {"type": "ok", "re": 1}
    assert guest.ask(type="record", game_id="g-12")["code"] == "not_permitted"
    guest.say(type="resign", game_id="g-12")
    guest.lines()
    lines = guest.ask(type="record", game_id="g-12")["lines"]
    assert {"type": "note", "game_id": "g-12", "seq": 0, "seat": 0, "text": "I like b2"} in lines


def test_a_slow_agent_is_asked_elsewhere() -> None:
    house = House()
    guest = house.player()
    guest.create(seats=["me", "slow"])
    mark(guest, "b2")
    (errand,) = house.hall.errands
    assert not guest.heard()
    house.work()
    assert guest.heard()[0]["square"] == "a3"
    errand.done(1, house.now)  # an echo
    assert not guest.heard()


def test_an_agent_that_never_answers_is_played_for() -> None:
    house = House()
    guest = house.player()
    guest.create(seats=["me", "slow"])
    mark(guest, "b2")
    house.wait(11.0)
    forced, marked, *_ = guest.heard()
    assert (forced["seat"], forced["reason"], marked["square"]) == (1, "timeout", "a3")
