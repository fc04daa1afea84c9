"""The players for visitors: the listing and the cards."""

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest_asyncio

from engines.catalogue import PlayerInfo
from engines.engine import Engine
from protocols.house import House
from protocols.limits import Limits
from protocols.web.players import players
from protocols.web.site import Site


@pytest_asyncio.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    card = tmp_path / "ann.md"
    card.write_text("# Ann\n", encoding="utf-8")
    shelf = [
        PlayerInfo(name="a:nn", title="clever", strength="9 of 10", is_evolved=True, card=card),
        PlayerInfo(name="bob", title="chance"),
    ]
    site = Site(House(_nobody, Limits()), rooms=players({"go": shelf}))
    host, port = await site.start("127.0.0.1", 0)
    yield f"http://{host}:{port}"
    await site.stop()


async def test_a_player_is_listed_with_its_card(address: str) -> None:
    async with aiohttp.ClientSession(address) as client:
        async with client.get("/api/players") as answer:
            ann, bob = await answer.json()
        assert bob == {"game": "go", "name": "bob", "title": "chance"}
        async with client.get(ann["card_url"]) as answer:
            card = await answer.json()
    assert card == {"game": "go", "name": "a:nn", "title": "clever", "form": "markdown", "text": "# Ann\n"}


async def test_there_is_no_other_card(address: str) -> None:
    async with aiohttp.ClientSession(address) as client:
        for path in ("/api/cards/go/bob", "/api/cards/go/x", "/api/cards/x/bob", "/api/cards/go/..%2fann.md"):
            async with client.get(path) as answer:
                assert answer.status == 404
                assert "error" in await answer.json()


async def _nobody() -> Engine:
    raise AssertionError("no engine is asked for")
