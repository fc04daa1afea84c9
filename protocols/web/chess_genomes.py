"""The bundled genomes of chess, gene by gene, for the page of chess."""

import asyncio
from itertools import takewhile
from typing import Any, Final

from aiohttp import web

from engines.chess.genome_file import bundled, bundled_text, choose
from protocols.web.responses import Routes, error, json_response

NOTE: Final = "#"  # the first character of each line of the head of a genome's file


def genome_routes() -> Routes:
    """Return the routes GET /api/genomes/chess for the names of the bundled genomes, and .../NAME for one of them."""
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
    """Return the paragraphs of comments at the head of a genome's text, without line breaks."""
    head = takewhile(lambda line: line.startswith(NOTE), text.splitlines())
    notes = "\n".join(line.removeprefix(NOTE).strip() for line in head)
    return [paragraph.replace("\n", " ") for paragraph in notes.split("\n\n") if paragraph]
