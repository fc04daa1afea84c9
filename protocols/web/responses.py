"""Responses of the page's API: JSON, and errors as JSON, with a reason that says what to do."""

from typing import Any, Final, TypeAlias

import msgspec
from aiohttp import web

Routes: TypeAlias = list[web.RouteDef]

ADDRESS: Final = web.RequestKey("address", str)  # of the client, as the middleware finds it
NO_STORE: Final = {"Cache-Control": "no-store"}
JSON: Final = "application/json"


def json_response(data: Any, status: int = 200) -> web.Response:
    """Return a response with dataclasses, structs or plain values as JSON, which is not cached."""
    return web.Response(body=msgspec.json.encode(data), status=status, content_type=JSON, headers=NO_STORE)


def error(kind: type[web.HTTPException], reason: str) -> web.HTTPException:
    """Return an HTTP error to raise, with the body {"error": reason}."""
    return kind(text=msgspec.json.encode({"error": reason}).decode(), content_type=JSON, headers=NO_STORE)


def number(text: str) -> int | None:
    """Return the ID or the number in a path or query, or None if the text is not one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
