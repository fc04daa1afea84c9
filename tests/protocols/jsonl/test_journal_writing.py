"""Records when the disk is full for a while."""

import errno
import json
import os
from pathlib import Path

import pytest

from protocols.jsonl.game_journal import RETRY_SECONDS
from protocols.jsonl.journal import Journal
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import FakeServer, first_listed
from tests.protocols.jsonl.killed import game_adapters


class FullDisk(Journal):
    """A folder on a disk that is full whenever a test says so."""

    is_full = False

    def append(self, game_id: str, lines: bytes) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().append(game_id, lines)


def test_a_game_continues_on_a_full_disk_and_its_record_catches_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    journal = FullDisk(tmp_path)
    server = FakeServer(game_adapters(), journal=journal)
    client = server.player()
    received = client.create(game="acquire", variant="mini", seats=["me", "random"])
    before = journal.read("g-12")
    journal.is_full = True
    client.play_out(first_listed, received)
    assert journal.read("g-12") == before
    assert server.games.incidents.failures == {"the records of games": "No space left on device"}
    (record,) = caplog.records
    assert "No space left on device" in record.getMessage()
    journal.is_full = False
    server.wait(RETRY_SECONDS)
    assert not server.games.incidents.failures
    lines = journal.read("g-12")
    assert lines and lines[-1].startswith(b'{"type":"end"')
    assert replay_record(lines, game_adapters(), GameLimits()).game.is_over


def test_a_failed_write_leaves_no_torn_line_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path)
    journal.append("g-1", b"one\n")
    write = os.write

    def nearly_full(descriptor: int, data: bytes) -> int:
        if len(data) < 5:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data[:3])

    monkeypatch.setattr("protocols.jsonl.journal.os.write", nearly_full)
    with pytest.raises(OSError, match="No space"):
        journal.append("g-1", b"two two\n")
    monkeypatch.undo()
    journal.append("g-1", b"three\n")
    assert journal.read("g-1") == [b"one", b"three"]


def test_the_record_of_an_ended_game_is_not_held_in_memory(tmp_path: Path) -> None:
    server = FakeServer(game_adapters(), journal=Journal(tmp_path))
    client = server.player()
    client.play_out(first_listed, client.create(game="acquire", variant="mini", seats=["me", "random"]))
    assert not server.games.games["g-12"].lines.record
    told = client.ask(type="record", game_id="g-12")
    kept = [json.loads(line) for line in (tmp_path / "g-12.jsonl").read_bytes().splitlines()]
    assert told["lines"] == [line for line in kept if not line["type"].startswith("journal")]
    assert told["total"] == len(told["lines"]) > 10 and told["lines"][-1]["type"] == "end"
