"""The pool that comes with the program, `strings.jsonl`: what Chaos plays unless another one is given."""

from functools import cache
from pathlib import Path
from typing import Final

from engines.protection.pool.pool import Entry, Pool

FILE: Final = Path(__file__).with_name("strings.jsonl")
CARD: Final = FILE.with_name("pool.md")
PREFIX: Final = "pool:"  # of what its strings are called where there are others, too


@cache
def bundled() -> Pool:
    """With its hash, and the starter that was measured when it was gathered."""
    return Pool.loads(FILE.read_text(encoding="utf-8"))


def named(source: str) -> Entry:
    """`pool:17` is the string of index 17, `pool:NAME` that of this name. ValueError if there is none."""
    word, entries = source.removeprefix(PREFIX), bundled().entries
    if word.isascii() and word.isdigit() and len(word) < 10 and int(word) < len(entries):
        return entries[int(word)]
    for entry in entries:
        if entry.name == word:
            return entry
    raise ValueError(
        f"the pool has strings {PREFIX}0 to {PREFIX}{len(entries) - 1}, and none called {word[:40]!r}"
    )
