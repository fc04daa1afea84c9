"""The compression of answers with gzip, for clients that accept it.

Static files are compressed once (static_files.py). Other answers are compressed here if they are texts of a useful
length. Only answers to GET are: an answer to POST may contain a token together with text of the client, and the length
of the compressed answer could then reveal the token (the attack is called BREACH). Short answers are compressed on the
event loop, where the time is charged to the client like all of its time; longer ones in a thread. Answers that are the same for
every visitor, such as documents, are found in a cache.
"""

import asyncio
import gzip
from functools import lru_cache
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

MIN_BYTES: Final = 1024  # shorter bodies are sent as they are
THREAD_BYTES: Final = 16_384  # longer bodies are compressed in a thread
CACHED_BYTES: Final = 131_072  # longer bodies are not cached
CACHED: Final = 32  # compressed bodies
LEVEL: Final = 4  # a third faster than level 6, and 4 % longer
TEXTS: Final = frozenset(
    {"application/json", "text/html", "text/plain", "text/css", "text/javascript", "image/svg+xml"}
)
REFUSED: Final = frozenset({"q=0", "q=0.0", "q=0.00", "q=0.000"})


def accepts_gzip(text: str) -> bool:
    """Return whether the text of an Accept-Encoding header allows gzip."""
    for part in text.lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() == "gzip":
            return quality.strip() not in REFUSED
    return False


@web.middleware
async def compress_answers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Compress the texts with which GET requests are answered."""
    response = await handler(request)
    if request.method != "GET" or not isinstance(response, web.Response) or response.prepared:
        return response
    body = response.body
    if not isinstance(body, bytes) or len(body) < MIN_BYTES or response.content_type not in TEXTS:
        return response
    if "Content-Encoding" in response.headers:
        return response
    response.headers["Vary"] = "Accept-Encoding"
    if accepts_gzip(request.headers.get("Accept-Encoding", "")):
        response.body = await _compressed(body)
        response.headers["Content-Encoding"] = "gzip"
    return response


async def _compressed(body: bytes) -> bytes:
    if len(body) <= THREAD_BYTES:
        return _cached(body)
    return await asyncio.to_thread(_cached if len(body) <= CACHED_BYTES else _compress, body)


def _compress(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)


_cached = lru_cache(CACHED)(_compress)
