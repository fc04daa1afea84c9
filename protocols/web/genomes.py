"""The genomes that come with the program, as the page asks for them: their genes as numbers, and what is said of them."""

import asyncio
from typing import Final

from aiohttp import web

from engines.chess.genome_file import bundled, bundled_text, choose
from protocols.web.answer import Routes, answer, refusal

NOTE: Final = "#"  # begins a line of the head of a genome's file


def chess_genomes() -> Routes:
    """GET /api/genomes/chess for their names, /api/genomes/chess/NAME for one."""
    return [web.get("/api/genomes/chess", _names), web.get("/api/genomes/chess/{name}", _genome)]


async def _names(request: web.Request) -> web.Response:
    return answer(bundled())


async def _genome(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    try:
        return answer(await asyncio.to_thread(_told, name))
    except ValueError as error:
        return refusal(str(error), 404)


def _told(name: str) -> dict[str, object]:
    """What the page draws. ValueError if there is none of this name."""
    text = bundled_text(name)
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
    head = []
    for line in text.splitlines():
        if not line.startswith(NOTE):
            break
        head.append(line.removeprefix(NOTE).strip())
    return [paragraph.replace("\n", " ") for paragraph in "\n".join(head).split("\n\n") if paragraph]
