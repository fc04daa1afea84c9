"""Events as JSON, and their log: every event a line, in order, within its bound, whatever was in the file before."""

import asyncio
import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engines.events import (
    BroadcastLine,
    Bus,
    Challenge,
    EngineStatus,
    Event,
    Generation,
    Payload,
    Retired,
    Standing,
    Standings,
)
from protocols.event_log import EventLog, encode_event
from tests.waiting import until


def as_data(news: Payload, *, is_state: bool = False) -> dict[str, object]:
    line = encode_event(Event(seq=7, topic="a/b", news=news, is_state=is_state))
    assert line.startswith(b'{"v":1,"seq":7,"topic":"a/b","type":"%b"' % news.type.encode())
    assert b"\n" not in line
    data: dict[str, object] = json.loads(line)
    for field in ("v", "seq", "topic", "type"):
        del data[field]
    return data


def test_every_payload_is_encoded_in_its_form() -> None:
    assert as_data(BroadcastLine(line=b'{"type":"end","seq":3}')) == {"line": {"type": "end", "seq": 3}}
    assert as_data(Retired()) == {}
    presence = EngineStatus(name="chess", status="playing", clients=2)
    assert as_data(presence, is_state=True) == {
        "is_state": True,
        "name": "chess",
        "status": "playing",
        "guests": 2,
    }
    challenge = Challenge(hill="nano", number=3, warrior="Imp", author="A. K.", place=None)
    assert as_data(challenge)["place"] is None
    row = Standing(place=1, warrior="Imp", author="\u00e9", score=1.5, age=2)
    table = as_data(Standings(hill="nano", challenges=3, table=(row,)))["table"]
    assert table == [{"place": 1, "warrior": "Imp", "author": "\u00e9", "score": 1.5, "age": 2}]
    generation = Generation(
        run="r", game="chess", generation=4, hash="ab", seconds=1.0, measures={"best": float("nan")}
    )
    assert as_data(generation)["measures"] == {"best": None}


def test_untrusted_names_stay_on_their_line() -> None:
    row = Standing(place=1, warrior='<img src=x>\n"', author="\u2028", score=1.0, age=2)
    data = as_data(Standings(hill="x", challenges=1, table=(row,)))["table"]
    assert data == [{"place": 1, "warrior": '<img src=x>\n"', "author": "\u2028", "score": 1.0, "age": 2}]


def numbers(path: Path) -> list[int]:
    return [json.loads(line)["seq"] for line in path.read_text().splitlines()]


async def test_every_event_is_logged_as_one_line(tmp_path: Path) -> None:
    path, bus = tmp_path / "events", Bus()
    async with EventLog(path, bus):
        for _ in range(2):
            for _ in range(1000):
                bus.publish("game/g-1/public", BroadcastLine(line=b'{"type":"event"}'))
            await asyncio.sleep(0.01)
    assert numbers(path) == list(range(1, 2001))
    bus.publish("a", BroadcastLine(line=b"{}"))
    async with EventLog(path, bus):
        bus.publish("a", BroadcastLine(line=b"{}"))
    assert numbers(path)[-2:] == [2000, 2002], "appended, and nothing was written in between"


async def test_each_line_has_the_time_of_its_event(tmp_path: Path) -> None:
    path, bus = tmp_path / "events", Bus(clock=lambda: 1_795_945_503.25)
    async with EventLog(path, bus):
        bus.publish("a", BroadcastLine(line=b"{}"))
    line = json.loads(path.read_text())
    assert line == {
        "time": "2026-11-29T09:45:03.250+00:00", "v": 1, "seq": 1, "topic": "a", "type": "line", "line": {}
    }  # fmt: skip


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="create it first") as raised:
        EventLog(tmp_path / "none" / "events", Bus())
    assert raised.value.filename == str(tmp_path / "none")


async def test_a_torn_line_is_left_alone(tmp_path: Path) -> None:
    path, bus = tmp_path / "events", Bus()
    path.write_bytes(b'{"v":1,"seq":7,"top')
    async with EventLog(path, bus):
        bus.publish("a", BroadcastLine(line=b"{}"))
    torn, whole = path.read_text().splitlines()
    assert torn == '{"v":1,"seq":7,"top' and json.loads(whole)["seq"] == 1


async def test_the_log_is_rotated_and_never_exceeds_its_size(tmp_path: Path) -> None:
    path, bus = tmp_path / "events", Bus()
    for _ in range(40):
        async with EventLog(path, bus, max_bytes=1000):
            bus.publish("a", BroadcastLine(line=b"{}"))
    sizes = {each.name: each.stat().st_size for each in files(tmp_path)}
    assert set(sizes) == {"events", "events.1"} and max(sizes.values()) <= 1000
    both = numbers(tmp_path / "events.1") + numbers(path)
    assert both == list(range(41 - len(both), 41))


async def test_events_that_cannot_be_written_are_written_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, bus = tmp_path / "events", Bus()
    with pytest.raises(OSError):
        EventLog(tmp_path, bus)
    async with EventLog(path, bus):
        bus.publish("a", BroadcastLine(line=b"{}"))
        await until(path.read_bytes)
        path.rename(tmp_path / "first")
        path.mkdir()
        for _ in range(3):
            bus.publish("a", BroadcastLine(line=b"{}"))
            await until(lambda: "events cannot be written" in caplog.text)
        path.rmdir()
        bus.publish("a", BroadcastLine(line=b"{}"))
    assert numbers(tmp_path / "first") == [1] and numbers(path) == [2, 3, 4, 5]
    assert caplog.text.count("events cannot be written") == 1


async def test_half_of_a_batch_is_not_written_twice(tmp_path: Path) -> None:
    """The disk is full in the middle of it."""
    path, bus = tmp_path / "events", Bus()
    log = EventLog(path, bus)
    with file_size_limit(1000):
        async with log:
            for _ in range(40):
                bus.publish("a", BroadcastLine(line=b"{}"))
    assert path.read_bytes() == b""
    async with log:
        pass
    assert numbers(path) == list(range(1, 41))


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
