"""The static files of the pages: compressed once, and kept by browsers.

A page names its files by a path with their version, such as /static/v0123456789ab/page.js. Scripts import each other
by relative paths, so these paths have the version too, and a browser may keep the files without asking again. When a
file changes, so does the version, and with it the paths. A file can also be read without the version,
/static/page.js, or with an older one: browsers then ask each time whether it has changed.

A file is read and compressed at its first request, in a thread, and is then kept in memory. Files that change while
the server runs are read again.
"""

import asyncio
import gzip
import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from math import inf
from mimetypes import guess_type
from pathlib import Path
from time import monotonic
from typing import Final

from aiohttp import web

from protocols.web.compression import MIN_BYTES, TEXTS, accepts_gzip

STATIC: Final = Path(str(files("protocols.web") / "static"))
CHECK_SECONDS: Final = 1.0  # between two looks for files that have changed
PREFIX: Final = "/static"
FOR_EVER: Final = "public, max-age=31536000, immutable"
EACH_TIME: Final = "no-cache"  # kept, but checked before each use
VERSION: Final = re.compile(r"v[0-9a-f]{12}")
IMPORT: Final = re.compile(r"""\b(?:from|import)\s*["'](\.{1,2}/[^"']+)["']""")  # of a script, not dynamic
SCRIPT: Final = ".js"


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """The content of a file, and its headers."""

    body: bytes
    compressed: bytes  # empty if the file is short, or is compressed already
    kind: str
    tag: str


class StaticFiles:
    """The files of a folder, by their paths in it."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._version = ""
        self._known: frozenset[str] = frozenset()  # paths
        self._files: dict[str, _File] = {}  # that have been asked for
        self._checked_at = -inf
        self._imports = lru_cache(maxsize=None)(self._read_imports)

    def routes(self) -> list[web.RouteDef]:
        return [web.get(PREFIX + "/{path:.*}", self._serve)]

    def address(self, path: str) -> str:
        """Return the address of a file, which browsers may keep."""
        return f"{PREFIX}/{self.version}/{path}"

    @property
    def version(self) -> str:
        """The version of all files: another one after any change."""
        if monotonic() - self._checked_at >= CHECK_SECONDS:
            self._check()
        return self._version

    def __contains__(self, path: str) -> bool:
        return path in self._known

    def text(self, path: str) -> str:
        """Return the content of a text file."""
        return (self._folder / path).read_text(encoding="utf-8")

    def modules(self, *scripts: str) -> list[str]:
        """Return scripts and all that they import, directly or not, each once."""
        found = dict.fromkeys(scripts)
        waiting = list(found)
        for script in waiting:  # grows meanwhile
            new = [each for each in self._imports(script) if each not in found]
            found |= dict.fromkeys(new)
            waiting.extend(new)
        return list(found)

    def _check(self) -> None:
        """Find all files, and forget the content of the old ones if any has changed."""
        self._checked_at = monotonic()
        states = {
            path.relative_to(self._folder).as_posix(): path.stat()
            for path in sorted(self._folder.rglob("*"))
            if path.is_file()
        }
        seen = [f"{path} {state.st_mtime_ns} {state.st_size}" for path, state in states.items()]
        version = "v" + sha256("\n".join(seen).encode()).hexdigest()[:12]
        if version != self._version:
            self._version, self._known = version, frozenset(states)
            self._files.clear()
            self._imports.cache_clear()

    def _read_imports(self, script: str) -> list[str]:
        """Return the scripts that a script imports."""
        if script not in self._known:
            return []
        folder = posixpath.dirname(script)
        paths = [
            posixpath.normpath(posixpath.join(folder, each)) for each in IMPORT.findall(self.text(script))
        ]
        return [each for each in paths if each in self._known]

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        current, path = self.version, request.match_info["path"]
        version, _, rest = path.partition("/")
        if VERSION.fullmatch(version):
            path = rest
        if path not in self._known:
            raise web.HTTPNotFound(text="there is no such file\n")
        keeping = FOR_EVER if version == current else EACH_TIME
        if "Range" in request.headers:  # of no use to a browser, but part of the protocol
            return web.FileResponse(self._folder / path, headers={"Cache-Control": keeping})
        file = self._files.get(path)
        if file is None:
            file = await asyncio.to_thread(_read, self._folder / path)
            if self._version == current:
                self._files[path] = file
        headers = {"Cache-Control": keeping, "ETag": file.tag, "Vary": "Accept-Encoding"}
        if file.tag in request.headers.get("If-None-Match", ""):
            return web.Response(status=304, headers=headers)
        headers["Content-Type"] = file.kind
        if file.compressed and accepts_gzip(request.headers.get("Accept-Encoding", "")):
            headers["Content-Encoding"] = "gzip"
            return web.Response(body=file.compressed, headers=headers)
        return web.Response(body=file.body, headers=headers)


def _read(path: Path) -> _File:
    body = path.read_bytes()
    kind = guess_type(path.name)[0] or "application/octet-stream"
    is_text = kind in TEXTS
    return _File(
        body=body,
        compressed=gzip.compress(body, mtime=0) if is_text and len(body) >= MIN_BYTES else b"",
        kind=f"{kind}; charset=utf-8" if is_text else kind,
        tag=f'"{sha256(body).hexdigest()[:16]}"',
    )
