"""Who has a part in the seed of a game: the server and the seats that commit themselves, or somebody who chooses it."""

from pathlib import Path
from typing import Any

import pytest

from engines.seeds import secret_commitment
from protocols.jsonl.adapter import GameConfig
from protocols.jsonl.journal import Journal
from protocols.jsonl.record import RecordError, replay_record
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import SEED, Client, FakeServer, FixedIds, first_listed, resumed
from tests.protocols.jsonl.scripted import acquire

SECRETS = ("a" * 32, "b" * 32)
COMMITS = [secret_commitment(secret) for secret in SECRETS]
TABLE: dict[str, Any] = {"game": "acquire", "variant": "thesis-7", "seats": ["me", "open", "random"]}


def table(server: FakeServer, **wanted: Any) -> list[Client]:
    """Ann has opened a table and Bob has joined; nothing is read of what follows."""
    ann, bob = server.player(name="ann"), server.player(name="bob")
    (created,) = ann.create(**TABLE, seed_commit=COMMITS[0], **wanted)
    assert created["seed_commit"] == SEED.commitment(created["game_id"])
    bob.say(type="join", game_id=created["game_id"], seed_commit=COMMITS[1])
    return [ann, bob]


def played(server: FakeServer, players: list[Client]) -> dict[str, Any]:
    """The game, played to its end; the end."""
    while True:
        for player in players:
            for message in player.received():
                if message["type"] == "end":
                    return message
                if message["type"] == "decide":
                    wanted = {name: message[name] for name in ("game_id", "seq")}
                    player.say(type="action", re=message["id"], action=first_listed(message), **wanted)


def hands(players: list[Client]) -> list[Any]:
    starts = [message for player in players for message in player.received() if message["type"] == "start"]
    return [start["observation"]["hand"] for start in starts]


def test_seats_have_a_part_in_the_seed() -> None:
    server = FakeServer(acquire())
    ann, bob = players = table(server)
    for player in players:
        due = next(message for message in player.received() if message["type"] == "seed_due")
        assert set(due.pop("commits")) == {*COMMITS, None}
        assert due == {
            "type": "seed_due", "game_id": "g-12", "seed_commit": SEED.commitment("g-12"), "ms": 10_000
        }  # fmt: skip
    assert bob.ask(type="seed_reveal", game_id="g-12", secret=SECRETS[0])["data"]["path"] == "$.secret"
    assert ann.ask(type="seed_reveal", game_id="g-12", secret=SECRETS[0]) == {"type": "ok"}
    assert ann.ask(type="list")["games"][0]["state"] == "open"
    bob.say(type="seed_reveal", game_id="g-12", secret=SECRETS[1])
    end = played(server, players)
    seats = server.games.games["g-12"].seats
    secrets = [{"ann": SECRETS[0], "bob": SECRETS[1]}.get(seat.name) for seat in seats]
    assert end["reveal"]["secrets"] == secrets
    assert (end["reveal"]["seed"], end["reveal"]["salt"]) == (SEED.number, SEED.salt)
    assert ann.ask(type="seed_reveal", game_id="g-12", secret=SECRETS[0])["code"] == "not_permitted"
    lines = [line.rstrip() for line in server.games.games["g-12"].lines.record]
    assert replay_record(lines, acquire(), GameLimits()).game.end_line
    forged = [line.replace(b"aaaaaaaa", b"aaaaaaac") if b'"secrets"' in line else line for line in lines]
    with pytest.raises(RecordError, match=r"line \d+: a+c"):
        replay_record(forged, acquire(), GameLimits())


@pytest.mark.parametrize("told", [(), (0,), (1,), (0, 1)])
def test_the_game_begins_without_secrets_that_do_not_come(told: tuple[int, ...]) -> None:
    """And each part makes it another game; who sits where is settled before."""
    server, others = FakeServer(acquire()), FakeServer(acquire())
    players = table(server)
    for index in told:
        players[index].say(type="seed_reveal", game_id="g-12", secret=SECRETS[index])
    server.wait(9.9)
    assert (server.games.games["g-12"].is_started) == (len(told) == 2)
    server.wait(0.2)
    assert server.games.games["g-12"].is_started
    plain = [others.player(name="ann"), others.player(name="bob")]
    plain[0].create(**TABLE)
    plain[1].say(type="join", game_id="g-12")
    assert [seat.name for seat in server.games.games["g-12"].seats] == [
        seat.name for seat in others.games.games["g-12"].seats
    ]
    assert (hands(players) == hands(plain)) == (not told)


def test_somebody_who_leaves_takes_his_part_along() -> None:
    server = FakeServer(acquire())
    ann, bob = players = table(server)
    ann.say(type="seed_reveal", game_id="g-12", secret=SECRETS[0])
    bob.say(type="leave", game_id="g-12")
    server.wait(20)
    assert not server.games.games["g-12"].is_started
    bob.say(type="join", game_id="g-12")
    assert server.games.games["g-12"].is_started
    assert [secret for secret in played(server, players)["reveal"]["secrets"] if secret] == [SECRETS[0]]


def test_a_game_that_waits_is_kept(tmp_path: Path) -> None:
    server = FakeServer(acquire(), journal=Journal(tmp_path))
    tokens = [player.welcome["resume"] for player in table(server)]
    server = FakeServer(acquire(), journal=Journal(tmp_path), ids=FixedIds(20, 20))
    assert server.games.restore() == 1
    players = [resumed(server, token) for token in tokens]
    for player, secret in zip(players, SECRETS, strict=True):
        assert player.received()[-1]["type"] == "seed_due"
        player.say(type="seed_reveal", game_id="g-12", secret=secret)
    before = hands(players)
    assert len(before) == 2
    server = FakeServer(acquire(), journal=Journal(tmp_path), ids=FixedIds(30, 30))
    assert server.games.restore() == 1
    again = [resumed(server, token) for token in tokens]
    for player, hand in zip(again, before, strict=True):
        seen = next(message for message in player.received() if message["type"] == "observation")
        assert seen["observation"]["hand"] == hand


@pytest.mark.parametrize("choice", [{"seed": 7}, {"options": {"bag": None}}])
def test_a_seed_that_somebody_chose_is_told_to_all(choice: dict[str, Any], tmp_path: Path) -> None:
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
    server.games.restore()
    spectator = server.player()
    assert spectator.ask(type="list")["games"][0]["seed_chosen_by"] == "ann"
    spectator.say(type="watch", game_id="g-12", from_seq=0)
    assert next(line for line in spectator.received() if line["type"] == "start")["seed"] == told


def test_what_concerns_nobody_else_is_not_told() -> None:
    server = FakeServer(acquire())
    client = server.player()
    start = client.create(game="acquire", seats=["me", "random"], seed=7)[1]
    assert "seed" not in start
    assert "seed_chosen_by" not in client.ask(type="list")["games"][0]
