"""A disk that is full stops no game, and nobody believes that what cannot be written is kept (case 5.5)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.attack.disk import small_disk
from tests.protocols.wire import Wire
from tests.servers import served


async def play_until(client: Wire, is_enough: Any) -> dict[str, Any]:
    """Take the first action that is listed, again and again; the message that is enough."""
    while True:
        message: dict[str, Any] = json.loads(await client.line())
        if is_enough(message):
            return message
        if message["type"] == "decide":
            client.say(
                type="action", re=message["id"], game_id=message["game_id"], seq=message["seq"],
                action=message["legal"]["actions"][0],
            )  # fmt: skip
            await asyncio.sleep(0.02)
        elif message["type"] == "end":
            client.say(type="create", game="acquire", seats=["me", "heuristic"])


async def test_players_are_notified_while_records_cannot_be_written(tmp_path: Path) -> None:
    async with (
        small_disk(tmp_path / "disk") as disk,
        served("--proxied", "--records", disk.folder / "games") as server,
    ):
        client = await server.connect()
        token = (await client.hello())["resume"]
        client.say(type="create", game="acquire", seats=["me", "heuristic"])
        game = (await client.message("created"))["game_id"]
        await client.message("start")
        disk.fill()
        told = await play_until(client, lambda message: message["type"] == "kept")
        assert told == {"type": "kept", "game_id": told["game_id"], "kept": False}
        other = await server.connect()
        await other.hello()
        other.say(type="resume", token=token)
        assert (await other.message("kept", "observation"))["type"] == "kept", game
        disk.empty()
        assert (await play_until(other, lambda message: message["type"] == "kept"))["kept"]


async def test_starting_on_a_full_disk_reports_that_the_disk_is_full(tmp_path: Path) -> None:
    """SQLite needs room to open the hills; none of them is damaged, and none is left out."""
    async with small_disk(tmp_path / "disk", "3m") as disk:
        home = disk.folder / "home"
        async with served("--proxied", "--home", home) as server:
            author = await server.connect()
            author.say(";redcode-nano quiet", ";name Imp", ";author Ann", "MOV 0, 1", "END")
            await author.hear(r"\.")
            server.process.kill()
            await server.process.wait()
        disk.fill()
        with pytest.raises(AssertionError) as caught:
            async with served("--proxied", "--home", home, stderr=asyncio.subprocess.PIPE):
                pass
        complaint = str(caught.value)
        assert "disk is full" in complaint and "damaged" not in complaint
        disk.empty()
        async with served("--proxied", "--home", home) as server:
            author = await server.connect()
            author.say(";redcode-nano standings json", ".")
            assert '"Imp"' in await author.line()
