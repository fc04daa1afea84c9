"""The players of the server for visitors: those of each game with their cards, and the genomes of chess."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final
from urllib.parse import quote

import msgspec
from aiohttp import web

from engines.catalogue import PlayerInfo
from engines.chess.genome_file import bundled, bundled_text, choose
from protocols.web.responses import Routes, error, json_response

MARKDOWN: Final = ".md"
NOTE: Final = "#"  # begins a line of the head of a genome's file


class ListedPlayer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A player in the listing."""

    game: str
    name: str
    title: str
    strength: str = ""
    is_evolved: bool = False
    card_url: str = ""


def player_routes(catalogues: Mapping[str, Sequence[PlayerInfo]]) -> Routes:
    """GET /api/players, and GET /api/cards/GAME/NAME of those who have a card."""
    players = {(game, player.name): player for game, catalogue in catalogues.items() for player in catalogue}
    listing = [_listed(game, player) for (game, _), player in players.items()]

    async def list_players(request: web.Request) -> web.Response:
        return json_response(listing)

    async def card(request: web.Request) -> web.Response:
        game, name = request.match_info["game"], request.match_info["name"]
        player = players.get((game, name))
        if player is None or player.card is None:
            raise error(web.HTTPNotFound, "nobody of that name has a card; see /api/players")
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


def genome_routes() -> Routes:
    """GET /api/genomes/chess for the names of the bundled genomes, /api/genomes/chess/NAME for one."""
    return [web.get("/api/genomes/chess", _genome_names), web.get("/api/genomes/chess/{name}", _genome)]


async def _genome_names(request: web.Request) -> web.Response:
    return json_response(bundled())


async def _genome(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    try:
        text = await asyncio.to_thread(bundled_text, name)
    except ValueError as problem:
        raise error(web.HTTPNotFound, str(problem)) from None
    return json_response(await asyncio.to_thread(_described, name, text))


def _described(name: str, text: str) -> dict[str, Any]:
    genome = choose(text)
    return {
        "name": name,
        "id": genome.id,
        "notes": _notes(text),
        "text": text,
        "genes": [
            {
                "name": gene.name,
                "active": gene.active,
                "values": [
                    {"name": rule.name, "value": value}
                    for rule, value in zip(gene.params, gene.values, strict=True)
                ],
            }
            for gene in genome.genes
        ],
    }


def _notes(text: str) -> list[str]:
    """The paragraphs above the first gene."""
    head = takewhile(lambda line: line.startswith(NOTE), text.splitlines())
    notes = "\n".join(line.removeprefix(NOTE).strip() for line in head)
    return [paragraph.replace("\n", " ") for paragraph in notes.split("\n\n") if paragraph]
