"""Who decides what chance decides: the server, which commits itself, or a client that chooses, of which all are told."""

from pathlib import Path
from typing import Any

import pytest

from protocols.jsonl.adapter import GameConfig
from protocols.jsonl.journal import Journal
from protocols.jsonl.restore import restore
from tests.protocols.jsonl.fakes import SEED, FakeServer, FixedIds
from tests.protocols.jsonl.scripted import acquire

TABLE: dict[str, Any] = {"game": "acquire", "variant": "thesis-7", "seats": ["me", "open", "random"]}


def test_the_server_commits_to_the_seed_and_reveals_it_at_the_end() -> None:
    """`created` and `joined` have the hash of what `end` tells."""
    server = FakeServer(acquire())
    ann, bob = server.player(name="ann"), server.player(name="bob")
    (created,) = ann.create(**TABLE)
    bob.say(type="join", game_id="g-12")
    joined, *received = bob.received()
    assert created["seed_commit"] == joined["seed_commit"] == SEED.commitment("g-12")
    ann.say(type="resign", game_id="g-12")
    bob.say(type="resign", game_id="g-12")
    reveal = [line for line in [*received, *bob.received()] if line["type"] == "end"][-1]["reveal"]
    assert (reveal["seed"], reveal["salt"]) == (SEED.number, SEED.salt)


@pytest.mark.parametrize("choice", [{"seed": 7}, {"options": {"bag": None}}])
def test_a_seed_chosen_by_a_client_is_announced_to_all_clients(
    choice: dict[str, Any], tmp_path: Path
) -> None:
    server = FakeServer(acquire(), journal=Journal(tmp_path))
    if "options" in choice:
        state = acquire()["acquire"].open(GameConfig(variant="thesis-7", seats=3, options={}, streams=SEED))
        choice = {"options": {"bag": state.reveal().bag}}  # type: ignore[union-attr]
    ann, bob = server.player(name="ann"), server.player(name="bob")
    (created,) = ann.create(**TABLE, **choice)
    assert not created["rated"]
    assert bob.ask(type="list")["games"][0]["seed_chosen_by"] == "ann"
    bob.say(type="join", game_id="g-12")
    joined, start, *_ = bob.received()
    assert joined["seed_chosen_by"] == "ann"
    told = {"chosen_by": "ann", "hidden": "open", **({"number": 7} if "seed" in choice else choice)}
    assert start["seed"] == told == ann.received()[0]["seed"]
    server = FakeServer(acquire(), journal=Journal(tmp_path), ids=FixedIds(20, 20))
    restore(server.games)
    spectator = server.player()
    assert spectator.ask(type="list")["games"][0]["seed_chosen_by"] == "ann"
    spectator.say(type="watch", game_id="g-12", from_seq=0)
    assert next(line for line in spectator.received() if line["type"] == "start")["seed"] == told


def test_a_chosen_seed_is_not_announced_in_a_game_of_one_client() -> None:
    server = FakeServer(acquire())
    client = server.player()
    start = client.create(game="acquire", seats=["me", "random"], seed=7)[1]
    assert "seed" not in start
    assert "seed_chosen_by" not in client.ask(type="list")["games"][0]
