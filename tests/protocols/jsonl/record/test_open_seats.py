"""Games that wait for players outlive a kill: who sat down sits there still, what was open is open."""

from pathlib import Path
from typing import Any

from tests.protocols.jsonl.fakes import Guest, House, returned
from tests.protocols.jsonl.killed import Killed

TRIO: dict[str, Any] = {"game": "acquire", "variant": "classic", "seats": ["me", "open", "open"]}


def seats_of(house: House) -> list[str]:
    """As a listing names them; "" is open."""
    (game,) = house.player().ask(type="list", state="open")["games"]
    return list(game["seats"])


def emptied(guest: Guest) -> Guest:
    """What it has heard is of no interest."""
    guest.lines()
    return guest


def test_seats_are_kept_and_the_game_begins_when_all_are_taken(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    house = killed.open()
    ann = house.player(name="ann")
    (created,) = ann.create(**TRIO, seed=5)
    house, ann_again = killed.restarted(ann.welcome["resume"])
    assert ann_again.heard()[0]["games"] == [{"game_id": "g-12", "seq": 0}]
    assert seats_of(house) == ["ann", "", ""]
    bob = house.player(name="bob")
    assert bob.ask(type="join", id=1, game_id="g-12") == {
        "type": "joined", "re": 1, "game_id": "g-12", "seat": 1,
    }  # fmt: skip
    house = killed.open()
    assert seats_of(house) == ["ann", "bob", ""]
    ann_again, bob_again = (returned(house, each.welcome["resume"]) for each in (ann, bob))
    players = [*map(emptied, (ann_again, bob_again)), house.player(name="eve")]
    players[-1].say(type="join", game_id="g-12")
    heard = [player.heard() for player in players]
    start = heard[0][0]
    assert start["type"] == "start" and start["seat"] == created["seat"]
    assert [seat["name"] for seat in start["seats"]] == ["me", "bob", "eve"]
    assert [lines[-1]["type"] for lines in heard].count("decide") == 1


def test_a_seat_that_was_given_back_is_open(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    house = killed.open()
    ann, bob = house.player(name="ann"), house.player(name="bob")
    ann.create(**TRIO)
    bob.ask(type="join", game_id="g-12")
    bob.ask(type="leave", game_id="g-12")
    house, ann = killed.restarted(ann.welcome["resume"])
    assert seats_of(house) == ["ann", "", ""]
    ann.heard()
    assert ann.ask(type="leave", id=3, game_id="g-12") == {"type": "ok", "re": 3}
    assert not killed.open().hall.tables and not list(tmp_path.iterdir()), "nobody sat there any more"


def test_a_game_that_was_about_to_begin_begins(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    house = killed.open()
    ann, bob = house.player(), house.player()
    ann.create(seats=["me", "open"])
    bob.say(type="join", game_id="g-12")
    path = tmp_path / "g-12.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))  # its header and two seats
    _, ann = killed.restarted(ann.welcome["resume"])
    assert ann.heard()[-1]["type"] == "decide"


def test_the_start_is_told_as_it_was(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    guest = killed.open().player()
    _, start, *_ = guest.create(seats=["me", "random"])
    house = killed.open()
    again = house.player()
    again.say(type="resume", token=guest.welcome["resume"], games=[{"game_id": "g-12", "from_seq": 0}])
    assert again.heard()[1] == start


def test_nobody_comes_back(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    killed.open().player().create(**TRIO)
    house = killed.open()
    assert seats_of(house) == ["guest", "", ""]
    house.wait(house.hall.limits.patient_session_seconds + 1.0)
    assert not house.hall.tables and not list(tmp_path.iterdir())


def test_an_agent_that_plays_on_for_somebody_plays_on(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    house = killed.open()
    ann, bob = house.player(name="ann"), house.player(name="bob")
    ann.create(seats=["me", "open"], on_gone="agent:first")
    bob.say(type="join", game_id="g-12")
    bob.leave()
    house.wait(house.hall.limits.patient_session_seconds + 1.0)
    house, ann = killed.restarted(ann.welcome["resume"])
    decide = ann.heard()[-1]
    assert decide["type"] == "decide"
    ann.say(type="action", re=decide["id"], game_id="g-12", action={"kind": "mark", "square": "b2"})
    marked = [event for event in ann.heard() if event.get("kind") == "marked"]
    assert [event["seat"] for event in marked] == [0, 1]
