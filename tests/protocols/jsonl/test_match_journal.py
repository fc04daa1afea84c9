"""A match goes on after any end of the server: to the same table, and its director finds it again."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.protocols.jsonl.fakes import Client, FakeServer
from tests.protocols.jsonl.killed import Killed
from tests.protocols.jsonl.test_match_runner import table_of

REQUEST: dict[str, Any] = {
    "type": "match", "game": "tic-tac-toe", "players": ["random", "first", "slow"], "games": 30, "seed": 3,
}  # fmt: skip


def begun(killed: Killed, **changes: Any) -> tuple[FakeServer, Client]:
    server = killed.open()
    client = server.player(role="director")
    assert client.ask(**{**REQUEST, **changes})["type"] == "matched"
    return server, client


def ended(server: FakeServer, client: Client) -> dict[str, Any]:
    server.work()
    end = client.received()[-1]
    assert end["type"] == "match_end"
    return end


def told(client: Client) -> dict[str, Any]:
    """What its director is told of the match who comes back."""
    resumed, how_it_stands = client.received()
    assert [each["match_id"] for each in resumed["matches"]] == [how_it_stands["match_id"]] == ["m-1"]
    return how_it_stands


@pytest.mark.parametrize("pairing", ["round_robin", "swiss"])
@pytest.mark.parametrize("torn", [False, True])
def test_a_match_killed_at_any_time_ends_with_the_same_table(
    tmp_path: Path, pairing: str, torn: bool
) -> None:
    changes: dict[str, Any] = {"pairing": pairing, "mirror": True, "records": True}
    undisturbed = ended(*begun(Killed(tmp_path / "undisturbed"), **changes))
    killed, moments, done = Killed(tmp_path / "killed"), Random(1), 0
    server, client = begun(killed, **changes)
    token = client.welcome["resume"]
    for _ in range(8):
        server.work(moments.randrange(3), last_first=moments.random() < 0.5)
        done = max([done, *(line["done"] for line in client.received() if line["type"] == "match_event")])
        if torn:
            path = killed.folder / "m-1.match"
            path.write_bytes(path.read_bytes() + b'{"type":"match_games","outco')
        server, client = killed.restarted(token)
        assert told(client)["done"] >= done
    end = ended(server, client)
    assert table_of(end) == table_of(undisturbed)
    assert [end[name] for name in ("games", "seeds", "records")] == [
        undisturbed[name] for name in ("games", "seeds", "records")
    ]
    first = end["records"][0]
    assert client.ask(type="record", game_id=first)["lines"][-1]["type"] == "end"
    server, client = killed.restarted(token)
    assert table_of(told(client)) == table_of(end), "it is over, and still shown"
    server.wait(3601.0)
    assert not list(killed.folder.glob("*.match"))


def test_a_cancelled_match_stays_cancelled_after_a_restart(tmp_path: Path) -> None:
    killed = Killed(tmp_path)
    server, client = begun(killed)
    server.work(3)
    assert client.received()
    client.say(type="match_cancel", id=4, match_id="m-1")
    answer, end = client.received()
    assert answer["re"] == 4 and end["type"] == "match_end" and 0 < end["games"] < 90
    server.work()
    server, client = killed.restarted(client.welcome["resume"])
    again = told(client)
    assert again == end and not server.jobs


def test_stop_rules_hold_after_a_kill(tmp_path: Path) -> None:
    """Games are counted once, and so are the minutes while the server was up."""
    killed = Killed(tmp_path)
    server, client = begun(killed, stop={"games": 45, "minutes": 1e6})
    server.work(3)
    server, client = killed.restarted(client.welcome["resume"])
    assert ended(server, client)["games"] == 45
    killed = Killed(tmp_path / "late")
    server, client = begun(killed, stop={"minutes": 10})
    server.wait(500.0)
    server.work(2)
    server, client = killed.restarted(client.welcome["resume"])
    server.wait(90.0)
    server.work(1)
    assert not server.games.matches.runners["m-1"].match.is_over
    server.wait(11.0)
    assert 3 < ended(server, client)["games"] < 6


def test_a_match_ends_if_its_director_stays_away_after_a_restart(tmp_path: Path) -> None:
    """Then it ends, when the time for patient sessions is over."""
    killed = Killed(tmp_path)
    begun(killed)
    server = killed.open()
    server.work(1)
    server.wait(86_000.0)
    assert server.jobs
    server.wait(500.0)
    server.work()
    match = server.games.matches.runners["m-1"].match
    assert match.is_over and match.done < 90


def test_a_match_that_cannot_be_read_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    killed = Killed(tmp_path)
    begun(killed)
    (tmp_path / "m-1.match").rename(tmp_path / "m-2.match")
    text = (tmp_path / "m-2.match").read_text()
    (tmp_path / "m-2.match").write_text(text.replace('"slow"', '"gone"'))
    for name, data in (("m-3", b""), ("m-4", b"{}\n"), ("m-5", b'{"type":"match_over","games":1}\n')):
        (tmp_path / f"{name}.match").write_bytes(data)
    server = killed.open()
    assert not server.games.matches.runners and len(caplog.records) == 4
    assert len(list(tmp_path.glob("*.match"))) == 4


def test_games_of_a_match_played_on_a_full_disk_are_journaled_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = Killed(tmp_path)
    server, client = begun(killed)
    with monkeypatch.context() as patch:
        patch.setattr("os.write", full)
        server.work(3)
    assert server.games.incidents.failures == {"the records of matches": "No space left on device"}
    assert [line["kept"] for line in client.received() if line["type"] == "kept"] == [False]
    server.work(1)
    assert not server.games.incidents.failures
    assert client.received()[0] == {"type": "kept", "match_id": "m-1", "kept": True}
    server, client = killed.restarted(client.welcome["resume"])
    assert told(client)["done"] == 4


def full(*_: object) -> int:
    raise OSError(28, "No space left on device")
