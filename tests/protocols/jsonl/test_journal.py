"""Journals: what a server that was killed goes on with, in this process; and their folder."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from engines.protection.profile import loads
from engines.seeds import SeededStreams
from protocols.jsonl.journal import Journal, JournalError, whole_lines
from protocols.jsonl.protection_agents import strategy_of
from protocols.jsonl.protection_explain import Strategy
from protocols.jsonl.protection_state import ProtectionGameState
from protocols.jsonl.record import replay_record
from protocols.jsonl.restore import restore
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import Client, FakeServer, FixedIds, first_listed, resumed
from tests.protocols.jsonl.killed import Killed, game_adapters
from tests.protocols.jsonl.protection_games import (
    act,
    adapters,
    begun,
    decide_of,
    drones,
    finished,
    protection_server,
)

TRIO: dict[str, Any] = {"game": "acquire", "variant": "classic", "seats": ["me", "open", "open"]}
CREATE: dict[str, Any] = {
    "game": "protection", "seed": 3, "options": {"profile": "ann", "turn_cap": 5},
}  # fmt: skip


def seats_of(server: FakeServer) -> list[str]:
    """As a listing names them; "" is open."""
    (game,) = server.player().ask(type="list", state="open")["games"]
    return list(game["seats"])


def emptied(client: Client) -> Client:
    """What it has received is of no interest."""
    client.lines()
    return client


def test_seats_survive_restarts_and_the_game_starts_when_all_are_taken(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    server = killed.open()
    ann = server.player(name="ann")
    (created,) = ann.create(**TRIO, seed=5)
    server, ann_again = killed.restarted(ann.welcome["resume"])
    assert ann_again.received()[0]["games"] == [{"game_id": "g-12", "seq": 0}]
    assert seats_of(server) == ["ann", "", ""]
    bob = server.player(name="bob")
    assert bob.ask(type="join", id=1, game_id="g-12") == {
        "type": "joined", "re": 1, "game_id": "g-12", "seat": 1,
        "seed_commit": SeededStreams(5).commitment("g-12"), "seed_chosen_by": "ann",
    }  # fmt: skip
    server = killed.open()
    assert seats_of(server) == ["ann", "bob", ""]
    ann_again, bob_again = (resumed(server, each.welcome["resume"]) for each in (ann, bob))
    players = [*map(emptied, (ann_again, bob_again)), server.player(name="eve")]
    players[-1].say(type="join", game_id="g-12")
    received = [player.received() for player in players]
    start = received[0][0]
    assert start["type"] == "start" and start["seat"] == created["seat"]
    assert [seat["name"] for seat in start["seats"]] == ["me", "bob", "eve"]
    assert [lines[-1]["type"] for lines in received].count("decide") == 1


def test_players_are_notified_while_their_game_is_not_journaled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, again after a resume, and when it is kept after all."""
    killed = Killed(tmp_path)
    server = killed.open()
    client = server.player()
    client.create()
    with monkeypatch.context() as patch:
        patch.setattr("os.write", no_space)
        for decide, square in ((101, "b2"), (102, "c3")):
            action = {"kind": "mark", "square": square}
            client.say(type="action", re=decide, game_id="g-12", action=action)
        server.wait(12.0)
        received = client.received()
        assert [line["kept"] for line in received if line["type"] == "kept"] == [False]
        other = resumed(server, client.welcome["resume"])
        assert [line["kept"] for line in other.received() if line["type"] == "kept"] == [False]
    server.wait(5.0)
    assert other.received() == [{"type": "kept", "game_id": "g-12", "kept": True}]
    _, again = killed.restarted(client.welcome["resume"])
    assert next(line for line in again.received() if line["type"] == "observation")["seq"] == 4


def no_space(*_: object) -> int:
    raise OSError(28, "No space left on device")


def test_a_seat_that_was_left_is_open_after_a_restart(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    server = killed.open()
    ann, bob = server.player(name="ann"), server.player(name="bob")
    ann.create(**TRIO)
    bob.ask(type="join", game_id="g-12")
    bob.ask(type="leave", game_id="g-12")
    server, ann = killed.restarted(ann.welcome["resume"])
    assert seats_of(server) == ["ann", "", ""]
    ann.received()
    assert ann.ask(type="leave", id=3, game_id="g-12") == {"type": "ok", "re": 3}
    assert not killed.open().games.games and not list(tmp_path.iterdir()), "nobody sat there any more"


def test_a_game_killed_just_before_its_start_starts_after_a_restart(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    server = killed.open()
    ann, bob = server.player(), server.player()
    ann.create(seats=["me", "open"])
    bob.say(type="join", game_id="g-12")
    path = tmp_path / "g-12.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))  # its header and two seats
    _, ann = killed.restarted(ann.welcome["resume"])
    assert ann.received()[-1]["type"] == "decide"


def test_the_start_message_is_the_same_after_a_restart(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    client = killed.open().player()
    _, start, *_ = client.create(seats=["me", "random"])
    server = killed.open()
    again = server.player()
    again.say(type="resume", token=client.welcome["resume"], games=[{"game_id": "g-12", "from_seq": 0}])
    assert again.received()[1] == start


def test_an_open_game_is_deleted_if_no_player_returns_after_a_restart(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    killed.open().player().create(**TRIO)
    server = killed.open()
    assert seats_of(server) == ["guest", "", ""]
    server.wait(server.games.limits.patient_session_seconds + 1.0)
    assert not server.games.games and not list(tmp_path.iterdir())


def test_a_substitute_agent_plays_on_after_a_restart(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    server = killed.open()
    ann, bob = server.player(name="ann"), server.player(name="bob")
    ann.create(seats=["me", "open"], on_gone="agent:first")
    bob.say(type="join", game_id="g-12")
    bob.leave()
    server.wait(server.games.limits.patient_session_seconds + 1.0)
    server, ann = killed.restarted(ann.welcome["resume"])
    decide = ann.received()[-1]
    assert decide["type"] == "decide"
    ann.say(type="action", re=decide["id"], game_id="g-12", action={"kind": "mark", "square": "b2"})
    marked = [event for event in ann.received() if event.get("kind") == "marked"]
    assert [event["seat"] for event in marked] == [0, 1]


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize(
    ("game", "variant", "clock"),
    [("tic-tac-toe", "plain", None), ("acquire", "mini", {"bank_ms": 60_000, "move_ms": 1000})],
)
def test_a_game_killed_after_every_action_ends_as_without_kills(
    tmp_path: Path, game: str, variant: str, clock: dict[str, int] | None, torn: bool
) -> None:
    """The server is killed after each action of a game: the game ends as without, and clocks show what was left."""
    create = {"game": game, "variant": variant, "seats": ["me", "random"], "clock": clock}
    whole = FakeServer(game_adapters()).player()
    expected = whole.play_out(first_listed, whole.create(**create))
    killed = Killed(tmp_path, torn)
    server = killed.open()
    client = server.player()
    token = client.welcome["resume"]
    received = client.create(**create)
    kills = 0
    while received[-1]["type"] != "end":
        decide = received[-1]
        assert decide["type"] == "decide"
        killed.tear()
        server, client = killed.restarted(token)
        kills += 1
        received = client.received()
        again = received[-1]
        for field in ("id", "legal", "phase", "clock"):
            assert again.get(field) == decide.get(field)
        server.wait(1.5)
        client.say(
            type="action", re=again["id"], game_id="g-12", seq=again["seq"], action=first_listed(again)
        )
        received = client.received()
    assert kills > 2
    assert clock is None or again["clock"]["bank_ms"] == 60_000 - 500 * (kills - 2), "the first move is free"
    assert (received[-1]["result"], received[-1]["reveal"]) == (expected["result"], expected["reveal"])
    lines = Journal(tmp_path).read("g-12") or []
    assert replay_record(lines, game_adapters(), GameLimits()).game.end_line


def test_duplicate_actions_are_recognized_after_a_kill(tmp_path: Path) -> None:
    killed = Killed(tmp_path, torn=False)
    client = killed.open().player()
    client.create()
    client.say(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": "b2"})
    _, client = killed.restarted(client.welcome["resume"])
    client.lines()
    answer = client.ask(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": "c3"})
    assert answer == {"type": "ok", "re": 101, "duplicate": True}


def test_a_finished_game_is_not_restored_but_its_record_is_shown(tmp_path: Path) -> None:
    killed = Killed(tmp_path, torn=False)
    client = killed.open().player()
    client.play_out(first_listed, client.create())
    server = killed.open()
    assert not server.games.games
    recorded = server.player().ask(type="record", game_id="g-12")
    assert recorded["lines"][0]["type"] == "record_header" and recorded["lines"][-1]["type"] == "end"
    assert not any(line["type"].startswith("journal") for line in recorded["lines"])


def test_invalid_journal_folders_and_game_ids_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError):
        Journal(tmp_path / "file")
    journal = Journal(tmp_path / "new")
    assert journal.read("../file") is None and journal.read("g-1") is None
    with pytest.raises(JournalError):
        journal.append("../x", b"")


def test_a_finished_game_is_known_by_its_last_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever the order of its fields, and a torn line after it does not count."""
    killed = Killed(tmp_path)
    client = killed.open().player()
    client.play_out(first_listed, client.create())
    path = tmp_path / "g-12.jsonl"
    *lines, end = path.read_bytes().splitlines()
    end = json.dumps(dict(sorted(json.loads(end).items()))).encode()
    path.write_bytes(b"\n".join([*lines, end, b'{"type":"ev']))
    with caplog.at_level(logging.WARNING):
        assert not killed.open().games.games
    assert not caplog.records


# -- Advanced Protection ---------------------------------------------------------------------------


def test_a_protection_game_continues_after_a_kill_at_any_line(tmp_path: Path) -> None:
    """The same setups end it as it ended without the kill; Chaos plays fixed strings, which nothing has to teach."""
    _, whole = finished(tmp_path / "whole", ["me", "chaos:fixed:2"], "summary")
    count_resumed = 0
    for cut in range(2, len(whole)):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / "g-31.jsonl").write_bytes(b"\n".join(whole[:cut]) + b'\n{"type":"ev')
        journal = Journal(folder)
        table = protection_server(journal=journal, ids=FixedIds(first_game=31, first_session=1000))
        assert restore(table.games) == 1
        client = resumed(table, "r-1")
        while not table.games.games["g-31"].is_over:
            received = client.received()
            decides = [line for line in received if line["type"] == "decide"]
            if not decides:
                break
            decide = decides[-1]
            client.say(type="state", game_id="g-31")
            turn = client.received()[-1]["observation"]["turn"]
            action = drones(decide, 10 - turn)
            client.say(type="action", re=decide["id"], game_id="g-31", seq=decide["seq"], action=action)
        lines = whole_lines((folder / "g-31.jsonl").read_bytes())
        ends = [line for line in lines if b'"kind":"turn_end"' in line]
        expected = [line for line in whole if b'"kind":"turn_end"' in line]
        assert [_without_seq(line) for line in ends] == [_without_seq(line) for line in expected], (
            f"cut at {cut}"
        )
        count_resumed += 1
    assert count_resumed > 10


def test_the_reactive_bot_plays_the_same_setups_after_a_kill(tmp_path: Path) -> None:
    """The last turn before the kill is logged when the record is played again: the bot rebuilds by what destroyed its units."""
    options = {"detail": "none", "money": {"human": 2000, "chaos": 2000}, "turn_cap": 4}
    seats = ["user:reactive", "chaos:fixed:2"]
    table = protection_server(journal=Journal(tmp_path / "whole"))
    begun(table.player(), seats=seats, options=options)
    table.work()
    whole = whole_lines((tmp_path / "whole" / "g-31.jsonl").read_bytes())
    setups = [line for line in whole if b'"kind":"setup"' in line]
    assert len(setups) == 4
    cuts = [number for number, line in enumerate(whole) if b'"kind":"turn_end"' in line]
    for cut in cuts[:-1]:
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / "g-31.jsonl").write_bytes(b"".join(line + b"\n" for line in whole[: cut + 1]))
        again = protection_server(journal=Journal(folder), ids=FixedIds(first_game=31, first_session=1000))
        assert restore(again.games) == 1
        again.work()
        lines = whole_lines((folder / "g-31.jsonl").read_bytes())
        assert [line for line in lines if b'"kind":"setup"' in line] == setups, f"cut at {cut}"


def test_the_last_arrangement_is_rated_again_after_a_restart(tmp_path: Path) -> None:
    """After a kill the profile is that of its file, and the last arrangement is rated once more."""
    table = protection_server(tmp_path / "profiles", journal=Journal(tmp_path / "games"))
    client = table.player()
    received = begun(client, "chaos:calibrated", options={"profile": "ann"})
    act(client, decide_of(received), drones(decide_of(received), 20))
    journal = Journal(tmp_path / "games")
    again = protection_server(
        tmp_path / "profiles", journal=journal, ids=FixedIds(first_game=31, first_session=1000)
    )
    assert restore(again.games) == 1
    assert again.games.adapters["protection"].profiles.names() == []  # type: ignore[union-attr]
    again.work()
    assert again.games.adapters["protection"].profiles.names() == ["ann"]  # type: ignore[union-attr]
    client = resumed(again, "r-1")
    assert decide_of(client.received())["phase"] == "setup"


@pytest.mark.parametrize("profile", ["ann", None])
def test_the_pilot_chooses_the_same_string_after_a_restart(profile: str | None, tmp_path: Path) -> None:
    """The course of the game and what each string did on the last arrangement come back: the same string, for the same reason."""
    table = protection_server(tmp_path / "profiles", journal=Journal(tmp_path / "games"))
    client = table.player()
    received = begun(client, "chaos:pilot", seed=3, options={"profile": profile})
    for count in (10, 15, 20):
        received = act(client, decide_of(received), drones(decide_of(received), count))
        table.work()
    journal = Journal(tmp_path / "games")
    again = protection_server(
        tmp_path / "profiles", journal=journal, ids=FixedIds(first_game=31, first_session=1000)
    )
    assert restore(again.games) == 1
    unlearnt = next_strategy(again)
    again.work()
    before, after = next_strategy(table), next_strategy(again)
    assert before.aim and after.aim and unlearnt.aim
    assert (unlearnt.aim.done, unlearnt.aim.expected) == (0, None)
    assert (after.aim.done, after.aim.due, after.aim.ratio) == (250, before.aim.due, before.aim.ratio)
    assert after.aim.expected is not None
    assert (after.index, after.aim.expected) == (before.index, before.aim.expected)


@pytest.mark.parametrize(
    ("batches", "mode"), [(0, "pilot"), (3, "calibrated"), (1000, "pilot"), (1000, "seed")]
)
def test_no_arrangement_is_learnt_twice(tmp_path: Path, batches: int, mode: str) -> None:
    """After each turn the server is killed before, amid or after the ratings: the profile is that of one that is not."""
    quiet = Killed(tmp_path / "quiet", games=lambda: adapters(tmp_path / "calm"))
    killed = Killed(tmp_path / "killed", games=lambda: adapters(tmp_path / "shaken"))
    servers = [quiet.open(), killed.open()]
    clients = [each.player() for each in servers]
    token = clients[1].welcome["resume"]
    received = [client.create(**CREATE | {"seats": ["me", f"chaos:{mode}"]}) for client in clients]
    files = [tmp_path / folder / "ann.apu" for folder in ("calm", "shaken")]
    for number in range(3):
        received = [
            act(client, decide_of(lines), drones(decide_of(lines), 10 + number))
            for client, lines in zip(clients, received, strict=True)
        ]
        servers[0].work()
        servers[1].work(batches)
        servers[1], clients[1] = killed.restarted(token)
        servers[1].work()
        received[1] = clients[1].received()
        for server in servers:
            server.flush_profiles()
        assert files[0].read_text() == files[1].read_text()
    for server, client in zip(servers, clients, strict=True):
        game = next(iter(server.games.games))
        client.say(type="resign", game_id=game)
        assert client.received()[-1]["reveal"]
        server.flush_profiles()
    profile = loads(files[1].read_text())
    assert files[0].read_text() == files[1].read_text()
    assert profile.games == 1 and any(profile.ratings) and not profile.learnt


def next_strategy(table: FakeServer) -> Strategy:
    """What Chaos would play now."""
    play = table.games.games["g-31"].state
    assert isinstance(play, ProtectionGameState) and play.opponent_model
    return strategy_of(play.opponent_model.mode.name, play.opponent_model.choose(play.game))


def _without_seq(line: bytes) -> bytes:
    return line.partition(b'"kind"')[2]
