"""Answers of the page's rooms: JSON, and a refusal in words that say what to do."""

from typing import Any, TypeAlias

import msgspec
from aiohttp import web

Routes: TypeAlias = list[web.RouteDef]  # of a room


def answer(data: Any, status: int = 200) -> web.Response:
    """Dataclasses, structs and plain values."""
    return web.Response(
        body=msgspec.json.encode(data),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def refusal(words: str, status: int = 400) -> web.Response:
    return answer({"error": words}, status)


def number(text: str) -> int | None:
    """Of somebody or something; None if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
