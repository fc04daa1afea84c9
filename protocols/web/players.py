"""The players of the server for visitors: who there is in each game, and the card of each."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

import msgspec
from aiohttp import web

from engines.catalogue import PlayerInfo
from protocols.web.answer import Routes, answer, refusal

MARKDOWN: Final = ".md"


class Shown(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A player in the listing."""

    game: str
    name: str
    title: str
    strength: str = ""
    is_evolved: bool = False
    card_url: str = ""


class Card(msgspec.Struct, kw_only=True):
    """What is written of a player."""

    game: str
    name: str
    title: str
    form: str  # markdown or plain
    text: str


def players(shelves: Mapping[str, Sequence[PlayerInfo]]) -> Routes:
    """GET /api/players, and GET /api/cards/GAME/NAME of those who have a card."""
    shown = [_shown(game, exhibit) for game, shelf in shelves.items() for exhibit in shelf]
    exhibits = {(game, exhibit.name): exhibit for game, shelf in shelves.items() for exhibit in shelf}

    async def listed(request: web.Request) -> web.Response:
        return answer(shown)

    async def card(request: web.Request) -> web.Response:
        game, name = request.match_info["game"], request.match_info["name"]
        exhibit = exhibits.get((game, name))
        if exhibit is None or exhibit.card is None:
            return refusal("nobody of that name has a card; see /api/players", 404)
        text = await asyncio.to_thread(exhibit.card.read_text, encoding="utf-8")
        form = "markdown" if exhibit.card.suffix == MARKDOWN else "plain"
        return answer(Card(game=game, name=name, title=exhibit.title, form=form, text=text))

    return [web.get("/api/players", listed), web.get("/api/cards/{game}/{name}", card)]


def _shown(game: str, exhibit: PlayerInfo) -> Shown:
    return Shown(
        game=game,
        name=exhibit.name,
        title=exhibit.title,
        strength=exhibit.strength,
        is_evolved=exhibit.is_evolved,
        card_url=f"/api/cards/{game}/{quote(exhibit.name, safe='')}" if exhibit.card else "",
    )
