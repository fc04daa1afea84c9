"""The players of each game with their cards, as the page lists them."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

import msgspec
from aiohttp import web

from engines.catalogue import PlayerInfo
from protocols.web.responses import Routes, error, json_response

MARKDOWN: Final = ".md"


class ListedPlayer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A player in the answer to GET /api/players."""

    game: str
    name: str
    title: str
    strength: str = ""
    is_evolved: bool = False
    card_url: str = ""


def player_routes(catalogues: Mapping[str, Sequence[PlayerInfo]]) -> Routes:
    """Return the routes GET /api/players, and GET /api/cards/GAME/NAME for the players that have a card."""
    players = {(game, player.name): player for game, catalogue in catalogues.items() for player in catalogue}
    listing = [_listed(game, player) for (game, _), player in players.items()]

    async def list_players(request: web.Request) -> web.Response:
        return json_response(listing)

    async def card(request: web.Request) -> web.Response:
        game, name = request.match_info["game"], request.match_info["name"]
        player = players.get((game, name))
        if player is None or player.card is None:
            raise error(web.HTTPNotFound, "no player of this name has a card; see /api/players")
        text = await asyncio.to_thread(player.card.read_text, encoding="utf-8")
        form = "markdown" if player.card.suffix == MARKDOWN else "plain"
        return json_response({"game": game, "name": name, "title": player.title, "form": form, "text": text})

    return [web.get("/api/players", list_players), web.get("/api/cards/{game}/{name}", card)]


def _listed(game: str, player: PlayerInfo) -> ListedPlayer:
    return ListedPlayer(
        game=game,
        name=player.name,
        title=player.title,
        strength=player.strength,
        is_evolved=player.is_evolved,
        card_url=f"/api/cards/{game}/{quote(player.name, safe='')}" if player.card else "",
    )
