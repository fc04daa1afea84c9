"""The log of the bus: every event a line, in order, within its bound, whatever was in the file before."""

import asyncio
import json
from pathlib import Path

import pytest

from engines.events import BroadcastLine, Bus
from protocols.event_log import EventLog


def numbers(path: Path) -> list[int]:
    return [json.loads(line)["seq"] for line in path.read_text().splitlines()]


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_every_event_is_a_line(tmp_path: Path) -> None:
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
    assert numbers(path)[-2:] == [2000, 2002], "appended, and nobody wrote in between"


async def test_a_torn_line_is_left_alone(tmp_path: Path) -> None:
    path, bus = tmp_path / "events", Bus()
    path.write_bytes(b'{"v":1,"seq":7,"top')
    async with EventLog(path, bus):
        bus.publish("a", BroadcastLine(line=b"{}"))
    torn, whole = path.read_text().splitlines()
    assert torn == '{"v":1,"seq":7,"top' and json.loads(whole)["seq"] == 1


async def test_it_never_fills_the_disk(tmp_path: Path) -> None:
    path, bus = tmp_path / "events", Bus()
    for _ in range(40):
        async with EventLog(path, bus, most_bytes=1000):
            bus.publish("a", BroadcastLine(line=b"{}"))
    sizes = {each.name: each.stat().st_size for each in files(tmp_path)}
    assert set(sizes) == {"events", "events.1"} and max(sizes.values()) <= 1000
    both = numbers(tmp_path / "events.1") + numbers(path)
    assert both == list(range(41 - len(both), 41))


async def test_a_file_that_cannot_be_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    bus = Bus()
    with pytest.raises(OSError):
        EventLog(tmp_path, bus)
    path = tmp_path / "events"
    async with EventLog(path, bus):
        path.unlink()
        path.mkdir()
        bus.publish("a", BroadcastLine(line=b"{}"))
    assert caplog.text.count("events are lost") == 1
