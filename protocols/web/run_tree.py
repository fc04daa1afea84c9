"""The tree of life of a run on the page: its individuals as compressed columns, and the styles of some of them.

GET /api/runs/RUN/tree returns, for a bounded number of individuals, little-endian numbers:

    4 bytes     the length of the head in bytes, a multiple of 8 less 4
    head        JSON, filled up with blanks: `count`, `from`, `run` (another one, if a folder holds another run than before),
                `step`, `total`, `left_out`, `is_excerpt`, `origins`, `measure`, `champion`
    columns     of `count` numbers each: IDs (8 bytes), generations, first parents, second parents (4 bytes, signed),
                fitness, lanes (4 bytes, floating point), origins (1 byte)

A parent is a place in the columns of the whole tree, or -1. With ?from=N, the columns start at the place N, so that a
page can add what was born since; the server starts at 0 if it shows only every `step`-th individual.

The last trees are kept in memory, up to MAX_KEPT individuals, and extended when their runs grow; nothing is written to a store.
"""

import asyncio
import sys
import zlib
from array import array
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Final, Protocol, TypeVar

import msgspec
from aiohttp import web

from engines.config import RUN_FILE
from engines.evolution.life_tree import LifeTree
from engines.evolution.run_history import TRAIT_GENOMES, GameStatistics, RunHistory
from engines.evolution.run_store import RunStore
from engines.evolution.run_watcher import RunStatus
from engines.storage import Stamp, database_stamp
from protocols.web.responses import NO_STORE, Routes, json_response, number

MAX_KEPT: Final = 600_000  # individuals of all trees in memory, some 150 bytes each
ALIGNMENT: Final = 8  # bytes
LEVEL: Final = 1  # of the compression: the fastest, which halves the columns
MAX_STYLES: Final = 6  # that are told apart
MIN_GROUP: Final = 3  # traits
OTHER_STYLE: Final = "another trait"

Outcome = TypeVar("Outcome")


class ReadRun(Protocol):
    """A function that reads from the store of a run in a thread."""

    def __call__(self, run: RunStatus, read: Callable[[RunStore], Outcome]) -> Awaitable[Outcome]: ...


@dataclass(slots=True)
class KeptTree:
    """A tree, the stamp of its store when it was read, and the whole answer."""

    tree: LifeTree = field(default_factory=LifeTree)
    stamp: Stamp = ()
    answer: bytes = b""


class TreeApi:
    """The routes of the trees of life."""

    def __init__(
        self,
        find: Callable[[web.Request], RunStatus],
        read: ReadRun,
        statistics: Callable[[RunStore], GameStatistics],
    ) -> None:
        """Create the API. `find` returns the run that a request names; `read` reads from its store."""
        self._find = find
        self._read = read
        self._statistics = statistics
        self._lock = asyncio.Lock()  # trees are extended one at a time
        self._trees: OrderedDict[Path, KeptTree] = OrderedDict()

    def routes(self) -> Routes:
        return [
            web.get("/api/runs/{run}/tree", self._tree),
            web.get("/api/runs/{run}/tree/styles", self._styles),
        ]

    async def _tree(self, request: web.Request) -> web.Response:
        run = self._find(request)
        first = number(request.query.get("from", "")) or 0
        async with self._lock:
            answer = await self._read(run, lambda store: self._answer(run.folder, store, first))
        headers = dict(NO_STORE)
        if "deflate" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "deflate"
        else:
            answer = await asyncio.to_thread(zlib.decompress, answer)
        return web.Response(body=answer, content_type="application/octet-stream", headers=headers)

    def _answer(self, folder: Path, store: RunStore, first: int) -> bytes:
        """Return the compressed columns from a place on. Called in a thread, for one run at a time."""
        kept = self._trees.pop(folder, None) or KeptTree()
        stamp = database_stamp(folder / RUN_FILE)
        if stamp != kept.stamp:
            if not kept.tree.extend(store):
                kept = KeptTree()
                kept.tree.extend(store)
            kept.stamp, kept.answer = stamp, b""
        self._trees[folder] = kept
        while len(self._trees) > 1 and sum(len(each.tree.ids) for each in self._trees.values()) > MAX_KEPT:
            self._trees.popitem(last=False)
        champion = RunHistory(store).champion(self._statistics(store)) if first or not kept.answer else None
        if first:
            return packed_tree(kept.tree, store, champion, first)
        kept.answer = kept.answer or packed_tree(kept.tree, store, champion)
        return kept.answer

    async def _styles(self, request: web.Request) -> web.Response:
        def read(store: RunStore) -> dict[str, Any]:
            return styles(store, self._statistics(store))

        return json_response(await self._read(self._find(request), read))


def packed_tree(tree: LifeTree, store: RunStore, champion: int | None, first: int = 0) -> bytes:
    """Return the answer for a tree from a place on, compressed."""
    step, shown = tree.thinned(champion)
    first = min(first, len(shown)) if step == 1 else 0
    head = msgspec.json.encode({
        "count": len(shown) - first,
        "from": first,
        "run": f"{store.seed} {zlib.crc32(store.config.encode()):08x}",
        "step": step,
        "total": len(tree.ids) + tree.left_out,
        "left_out": tree.left_out,
        "is_excerpt": store.champion is not None,
        "origins": list(tree.names),
        "measure": store.measure,
        "champion": champion,
    })  # fmt: skip
    head += b" " * (-(len(head) + 4) % ALIGNMENT)
    packer = zlib.compressobj(LEVEL)
    parts = [packer.compress(len(head).to_bytes(4, "little") + head)]
    parts += [packer.compress(_little(column[first:])) for column in tree.columns(shown)]
    return b"".join((*parts, packer.flush()))


def _little(column: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def styles(store: RunStore, game: GameStatistics) -> dict[str, Any]:
    """Return the styles of some individuals: `names`, their `groups`, and `ids` with the number of the `style` of each.

    The style of a genome is the trait in which it exceeds the mean of these genomes most, in standard deviations. Only
    traits of a group of MIN_GROUP or more count, because those are comparable; the name of a group, such as "share of
    an operation", says what the names of its traits mean. The rarest styles are OTHER_STYLE.
    """
    born = list(RunHistory(store).individuals(TRAIT_GENOMES))
    found = [game.traits(each.genome) for each in born]
    columns: dict[str, list[float]] = {}
    for traits in found:
        for name, value in traits.items():
            columns.setdefault(name, []).append(value)
    sizes = Counter(map(_group, columns))
    scales = {
        name: (fmean(column), deviation)
        for name, column in columns.items()
        if sizes[_group(name)] >= MIN_GROUP and (deviation := pstdev(column))
    }
    chosen = {
        each.id: max(own, key=own.__getitem__).partition(": ")[2]
        for each, traits in zip(born, found, strict=True)
        if (
            own := {
                name: (value - scales[name][0]) / scales[name][1]
                for name, value in traits.items()
                if name in scales
            }
        )
    }
    common = [name for name, _ in Counter(chosen.values()).most_common()]
    if len(common) > MAX_STYLES:
        common[MAX_STYLES:] = [OTHER_STYLE]
    numbers = {name: index for index, name in enumerate(common)}
    return {
        "names": common,
        "groups": list(dict.fromkeys(map(_group, scales))),
        "ids": list(chosen),
        "style": [numbers.get(name, len(common) - 1) for name in chosen.values()],
    }


def _group(name: str) -> str:
    return name.partition(": ")[0]
