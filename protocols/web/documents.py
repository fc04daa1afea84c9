"""The documents of the program, as the page shows them."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from aiohttp import web

from protocols.web.responses import Routes, error, json_response


def document_routes(documents: Mapping[str, Path]) -> Routes:
    """Return the routes GET /api/documents (the names, in order) and /api/documents/NAME (the Markdown of one)."""

    async def names(request: web.Request) -> web.Response:
        return json_response(list(documents))

    async def document(request: web.Request) -> web.Response:
        path = documents.get(request.match_info["name"])
        if path is None:
            raise error(web.HTTPNotFound, "there is no such document; see /api/documents")
        return json_response({"text": await asyncio.to_thread(path.read_text, encoding="utf-8")})

    return [web.get("/api/documents", names), web.get("/api/documents/{name}", document)]
