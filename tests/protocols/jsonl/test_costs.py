"""What remote clients may have the server do, keep and send: games of agents, notes, options, records, replays."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from protocols.jsonl.acquire import AcquireGameState
from protocols.jsonl.adapter import Event, Move
from protocols.jsonl.calls import attempt
from protocols.jsonl.game import SLICE_SECONDS, Game
from protocols.jsonl.journal import Journal, Retention
from protocols.jsonl.record import replay_record
from protocols.jsonl.remote_end import play_to_end
from protocols.jsonl.restore import restore
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import Client, FakeServer, first_listed
from tests.protocols.jsonl.protection_games import NOTHING, act, begun, decide_of, protection_server
from tools.games import game_adapters as all_games

STRANGER = "192.0.2.1"
NETS = ["evolved-net-seven"] * 6


def acquire_server(**settings: Any) -> FakeServer:
    return FakeServer(all_games(), **settings)


def create_game_of_agents(client: Client, **fields: Any) -> dict[str, Any]:
    (created,) = client.create(game="acquire", **{"seats": NETS, "seed": 3, **fields})
    return created


def record_of(client: Client, game_id: str) -> list[bytes]:
    """The whole record of a game, page by page."""
    lines: list[bytes] = []
    while True:
        page = client.ask(type="record", game_id=game_id, offset=len(lines))
        lines += [
            json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() for line in page["lines"]
        ]
        if len(lines) == page["total"]:
            return lines


# -- Games of agents -------------------------------------------------------------------------------


def test_a_game_of_agents_is_played_in_another_process() -> None:
    server = acquire_server()
    client = server.player(STRANGER)
    game_id = create_game_of_agents(client)["game_id"]
    game = server.games.games.find(game_id)
    assert [job.function for job in server.jobs] == [play_to_end] and not game.is_over
    client.say(type="watch", game_id=game_id)
    server.work()
    watching, start, *events, end = client.received()
    assert start["seq"] == 1  # the first event is whose turn it is
    assert (watching["type"], start["type"], end["type"]) == ("watching", "start", "end")
    assert [event["seq"] for event in events] == list(range(2, len(events) + 2)) and len(events) > 100
    assert game.is_over and end["seq"] == game.seq == len(events) + 2
    replayed = replay_record(record_of(client, game_id), all_games(), GameLimits())
    assert replayed.game.is_over


def test_a_game_of_agents_has_the_same_record_in_any_process() -> None:
    """Played by a worker process, or by the server itself, which goes on where a worker has failed."""
    records = []
    for has_worker in (True, False):
        server = acquire_server()
        client = server.player(STRANGER)
        game_id = create_game_of_agents(client, seats=["random", *NETS[1:]])["game_id"]
        if has_worker:
            server.work()
        else:
            server.jobs.pop().on_done(None, 0.0)
            server.wait(5.0)
        assert server.games.games.find(game_id).is_over and not server.jobs
        records.append(record_of(client, game_id))
    assert records[0] == records[1] and len(records[0]) > 100


def test_a_game_left_to_agents_continues_in_another_process() -> None:
    server = acquire_server()
    client = server.player(STRANGER)
    received = client.create(game="acquire", seats=["me", *NETS[:3]], seed=3)
    game_id = received[0]["game_id"]
    decide = next(line for line in received if line["type"] == "decide")
    client.say(type="action", re=decide["id"], game_id=game_id, action=first_listed(decide))
    client.received()
    client.say(type="resign", id=1, game_id=game_id)
    ok, left = client.received()
    assert (ok["type"], left["kind"]) == ("ok", "left")
    server.work()
    *events, end = client.received()
    assert end["type"] == "end" and events[0]["seq"] == left["seq"] + 1
    replay_record(record_of(client, game_id), all_games(), GameLimits())


def test_a_restarted_server_plays_an_interrupted_game_of_agents_again(tmp_path: Path) -> None:
    server = acquire_server(journal=Journal(tmp_path))
    game_id = create_game_of_agents(server.player(STRANGER))["game_id"]
    assert server.jobs
    again = acquire_server(journal=Journal(tmp_path))
    assert restore(again.games) == 1
    again.work()
    assert again.games.games.find(game_id).is_over
    assert Journal(tmp_path).last_line(game_id).startswith(b'{"type":"end"')


def test_a_game_of_agents_is_finished_even_if_its_worker_fails() -> None:
    server = acquire_server()
    client = server.player(STRANGER)
    game_id = create_game_of_agents(client)["game_id"]
    server.jobs.pop().on_done(None, 0.0)
    server.settle()
    assert server.games.games.find(game_id).is_over


def test_a_game_of_agents_is_charged_before_it_is_played() -> None:
    server = acquire_server()
    client = server.player(STRANGER)
    account = server.accounts.of(STRANGER)
    account.workers.take(account.workers.burst - 0.01)
    create_game_of_agents(client)
    assert account.workers.delay(server.now, 0.0) > 0.0
    (refused,) = client.create(game="acquire", seats=NETS)
    assert refused["code"] == "rate_limited" and refused["data"]["retry_ms"] > 0
    trusted = server.player()
    assert create_game_of_agents(trusted)["type"] == "created"


def test_slow_agents_yield_the_event_loop_between_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    server = acquire_server()
    apply = AcquireGameState.apply

    def slow(state: AcquireGameState, moves: Mapping[int, Move]) -> Sequence[Event]:
        server.now += SLICE_SECONDS
        return apply(state, moves)

    monkeypatch.setattr(AcquireGameState, "apply", slow)
    client = server.player()
    received = client.create(game="acquire", seats=[*NETS[:5], "me"], seed=7)
    seen = [len(received)]
    while received[-1]["type"] != "decide":
        server.wait(0.0)
        received += client.received()
        seen.append(len(received))
    assert len(seen) > 5 and seen == sorted(set(seen))


def test_agents_left_alone_in_protection_yield_the_loop_after_each_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = protection_server()
    client = server.player(STRANGER)
    client.create(
        game="protection", seats=["me", "chaos:calibrated"], seed=3, on_gone="default_action",
        options={"turn_cap": 9, "max_minions": 100},
    )  # fmt: skip
    game = next(iter(server.games.games.values()))
    apply, turns = game.state.apply, []

    def slow(moves: Mapping[int, Move]) -> Sequence[Event]:
        server.now += SLICE_SECONDS
        return apply(moves)

    def noted(game: Game) -> None:
        turns.append(len(game.state.history.turns))  # type: ignore[attr-defined]

    monkeypatch.setattr(game.state, "apply", slow)
    monkeypatch.setattr(server.games.games.agents, "_update", noted)
    client.leave()
    server.wait(200_000.0)
    assert game.is_over and turns[-3:] == sorted(set(turns[-3:]))


# -- What a client puts into a game ----------------------------------------------------------------


def test_a_game_whose_record_grows_too_long_ends() -> None:
    server = FakeServer(limits=GameLimits(record_bytes=4000, session_seconds=1e6))
    client = server.player(STRANGER)
    client.create(seats=["me", "me"])
    token = client.welcome["resume"]
    for _ in range(100):
        client.leave()
        client = server.client(is_trusted=False, address=STRANGER)
        client.say(type="hello", versions=[1])
        client.say(type="resume", token=token)
        server.wait(1.0)
        if server.games.games.find("g-12").is_over:
            break
    errors = [line for line in client.received() if line["type"] == "error"]
    assert errors[0]["code"] == "too_long" and errors[0]["game_id"] == "g-12"
    assert server.games.games.find("g-12").is_over


@pytest.mark.parametrize(
    "options",
    [
        {"chains": [{"name": "x" * 9000, "letter": "A", "tier": 0}]},
        {"chains": [{"name": "x" * 21, "letter": "A", "tier": 0}]},
        {"chains": [{"name": "a b", "letter": "A", "tier": 0}]},
        {"bag": ["1A"] * 5000},
    ],
)
def test_too_long_texts_in_options_are_refused(options: dict[str, Any]) -> None:
    client = acquire_server().player(STRANGER)
    (error,) = client.create(game="acquire", seats=["me", "random"], options=options)
    assert error["code"] == "invalid_params" and error["data"]["path"].startswith("$.options")


@pytest.mark.parametrize(
    "options",
    [{"money": {"chaos": 10_001}}, {"max_minions": 1001}, {"farmer_rate": 9, "max_minions": 0}],
)
def test_a_remote_client_cannot_make_turns_long(options: dict[str, Any]) -> None:
    server = protection_server()
    create = {"game": "protection", "seats": ["me", "chaos:pilot"], "options": options}
    (error,) = server.player(STRANGER).create(**create)
    assert error["code"] == "invalid_params" and "remote clients" in error["message"]
    created, *_ = server.player().create(**create)
    assert created["type"] == "created"


# -- What is computed and sent ---------------------------------------------------------------------


def test_resume_names_each_game_once() -> None:
    server = FakeServer()
    client = server.player(STRANGER)
    client.create(seats=["me", "me"])
    token = client.welcome["resume"]
    client.say(type="resume", id=9, token=token, games=[{"game_id": "g-12", "from_seq": 0}] * 64)
    resumed, *lines = client.received()
    assert resumed["games"] == [{"game_id": "g-12", "seq": 0, "pending": 101}]
    assert [line["type"] for line in lines] == ["start", "start", "decide"]  # a start for each seat


def test_resumed_games_are_sent_one_per_turn_of_the_loop() -> None:
    server = FakeServer()
    client = server.player(STRANGER)
    for _ in range(4):
        client.create(seats=["me", "me"])
    client.received()
    server.wait = lambda seconds: None  # type: ignore[method-assign]  # no timer rings
    client.say(type="resume", token=client.welcome["resume"])
    assert [line["type"] for line in client.received()] == ["resumed", "observation", "observation", "decide"]
    assert client.connection.jobs == 1
    del server.wait
    server.settle()
    assert len(client.received()) == 9 and client.connection.jobs == 0


def test_replays_records_and_explanations_are_made_in_another_process() -> None:
    server = protection_server()
    client = server.player(STRANGER)
    received = begun(client, seed=9)
    act(client, decide_of(received), NOTHING)
    server.work()
    client.received()
    server.settle = lambda: None  # type: ignore[method-assign]  # no other process answers
    client.say(type="replay", id=1, game_id="g-31", turn=1)
    client.say(type="resign", id=2, game_id="g-31")
    client.say(type="record", id=3, game_id="g-31")
    client.say(type="explain", id=4, game_id="g-31")
    client.say(type="record", id=5, game_id="g-31", format="apu")
    assert [job.function for job in server.jobs] == [attempt] * 4
    assert client.connection.jobs == 4, "nothing more is read from the connection"
    assert {line.get("re") for line in client.received()} == {None, 2}
    del server.settle
    server.settle()
    answers = [line for line in client.received() if line["type"] != "event"]
    assert [(line["type"], line["re"]) for line in answers] == [
        ("ok", 1),
        ("recorded", 3),
        ("explained", 4),
        ("recorded", 5),
    ]
    assert client.connection.jobs == 0


def test_answers_for_closed_connections_are_dropped() -> None:
    server = FakeServer()
    client = server.player(STRANGER)
    client.create()
    client.say(type="resign", game_id="g-12")
    client.received()
    server.settle = lambda: None  # type: ignore[method-assign]
    client.say(type="record", game_id="g-12")
    client.leave()
    del server.settle
    server.settle()
    assert not server.jobs and not server.log


def test_a_job_of_an_address_that_is_over_its_share_waits() -> None:
    server = FakeServer()
    client = server.player(STRANGER)
    client.create()
    client.say(type="resign", game_id="g-12")
    account = server.accounts.of(STRANGER)
    account.workers.take(account.workers.burst + 1.0)
    client.received()
    client.say(type="record", id=1, game_id="g-12")
    assert not client.received() and not server.jobs
    server.wait(1000.0)
    server.settle()
    assert client.received()[-1]["type"] == "recorded"


# -- What is kept ----------------------------------------------------------------------------------


def test_record_bytes_are_charged_and_a_used_up_quota_refuses_new_games(tmp_path: Path) -> None:
    server = acquire_server(journal=Journal(tmp_path))
    client = server.player(STRANGER)
    game_id = create_game_of_agents(client)["game_id"]
    server.work()
    account = server.accounts.of(STRANGER)
    assert account.kept.used(server.now) == (tmp_path / f"{game_id}.jsonl").stat().st_size
    account.kept.take(account.kept.burst)
    (refused,) = client.create(game="acquire", seats=["me", "random"])
    assert refused["code"] == "rate_limited" and "disk" in refused["message"]


@pytest.mark.parametrize(
    ("retention", "kept"),
    [
        ({"records": 3}, 3),
        ({"bytes": 50}, 5),
        ({"seconds": 2.5}, 3),
        ({}, 8),
    ],
)
def test_the_oldest_records_are_deleted_first(tmp_path: Path, retention: dict[str, Any], kept: int) -> None:
    now = 0.0
    most = Retention(**{"records": 100, "bytes": 10**6, "seconds": 1e6, **retention})
    journal = Journal(tmp_path, retention=most, clock=lambda: now)
    journal.append("running", b"0123456789")
    for number in range(8):
        now = float(number)
        journal.append(f"g-{number}", b"012345678\n")
        journal.close(f"g-{number}")
    expected = [f"g-{number}" for number in range(8 - kept, 8)]
    assert list(journal.ids()) == [*expected, "running"]


def test_records_of_earlier_runs_are_counted(tmp_path: Path) -> None:
    first = acquire_server(journal=Journal(tmp_path))
    client = first.player()
    ids = [create_game_of_agents(client)["game_id"] for _ in range(4)]
    first.work()
    most = Retention(records=2, bytes=10**9, seconds=1e9)
    again = acquire_server(journal=Journal(tmp_path, retention=most))
    assert restore(again.games) == 0
    assert len(list(Journal(tmp_path).ids())) == 2 and set(Journal(tmp_path).ids()) < set(ids)
