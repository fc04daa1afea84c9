"""Pools of 250 strings among which Chaos chooses, the bundled pool, and the hand-written strings.

A pool's file is JSON lines: a head with the hash and the starter, then a line for each string. The meaning of the
ratings in a profile depends on the strings and their order alone, and so does the hash.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from engines.catalogue import PlayerInfo, measured
from engines.protection import DEFAULT_MODE, MODES
from engines.protection.genome import Genome
from engines.protection.profile import STRINGS

FOLDER: Final = Path(__file__).with_name("strings")
POOL_FILE: Final = FOLDER / "pool.jsonl"
CARD: Final = FOLDER / "pool.md"
PREFIX: Final = "pool:"  # of the names of the bundled pool's strings, in lists that have others too
CHAOS_PREFIX: Final = "chaos:"


class PoolError(ValueError):
    """An invalid pool; the message names the fault, and the line if it is in one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A string of a pool."""

    name: str
    genome: Genome
    provenance: Mapping[str, Any] = field(default_factory=dict)  # JSON values


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """250 different strings in order; `starter` is the index of the string for a user without games and ratings."""

    entries: tuple[Entry, ...]
    starter: int

    def __post_init__(self) -> None:
        if len(self.entries) != STRINGS:
            raise PoolError(f"a pool has {STRINGS} strings, not {len(self.entries)}")
        if not 0 <= self.starter < STRINGS:
            raise PoolError(f"the starter must be 0 to {STRINGS - 1}, not {self.starter}")
        names = {each.name for each in self.entries}
        if len(names) < STRINGS or len({each.genome for each in self.entries}) < STRINGS:
            raise PoolError("the strings of a pool must all be different, and so must their names")

    @property
    def hash(self) -> str:
        """The SHA-256 of all strings one after the other, as hex digits."""
        return sha256(self.packed).hexdigest()

    @property
    def packed(self) -> bytes:
        """All strings one after the other, 132 bytes each."""
        return b"".join(each.genome.code for each in self.entries)

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the pool in a file's text. Raises PoolError if the text is invalid or the hash does not match."""
        lines = [line for line in text.splitlines() if line.strip()]
        head, *rest = [_object(number, line) for number, line in enumerate(lines, 1)] or [{}]
        entries = tuple(_entry(number, each) for number, each in enumerate(rest, 2))
        if not isinstance(head.get("starter"), int):
            raise PoolError("line 1: the first line of a pool must have its hash and its starter")
        pool = cls(entries=entries, starter=head["starter"])
        if pool.hash != head.get("pool"):
            raise PoolError(f"the hash of the strings is {pool.hash}, not that of the first line")
        return pool

    def dumps(self) -> str:
        rows: Sequence[Mapping[str, Any]] = [
            {"pool": self.hash, "starter": self.starter},
            *({"name": each.name, "string": each.genome.hex, **each.provenance} for each in self.entries),
        ]
        return "".join(f"{json.dumps(row)}\n" for row in rows)


# -- The bundled strings ---------------------------------------------------------------------------


@cache
def bundled_pool() -> Pool:
    return Pool.loads(POOL_FILE.read_text(encoding="utf-8"))


def find_entry(source: str) -> Entry:
    """Return a string of the bundled pool by number (`pool:17`) or name (`pool:NAME`).

    Raises ValueError if the pool has no such string.
    """
    word, entries = source.removeprefix(PREFIX), bundled_pool().entries
    if word.isascii() and word.isdigit() and len(word) < 10 and int(word) < len(entries):
        return entries[int(word)]
    for entry in entries:
        if entry.name == word:
            return entry
    raise ValueError(
        f"the pool has strings {PREFIX}0 to {PREFIX}{len(entries) - 1}, and none called {word[:40]!r}"
    )


def handwritten() -> dict[str, Genome]:
    """Return the twenty hand-written strings by name, in alphabetical order; a pool starts with them."""
    return {path.stem: Genome.loads(path.read_text(encoding="utf-8")) for path in _handwritten_files()}


def descriptions() -> dict[str, str]:
    """Return the author's description of each hand-written string: the comment in the first line of its file."""
    firsts = {path.stem: path.read_text(encoding="utf-8").partition("\n")[0] for path in _handwritten_files()}
    return {name: first.removeprefix("#").strip() for name, first in firsts.items()}


def catalogue() -> list[PlayerInfo]:
    """Return Chaos in each of its modes, with the strings of the bundled pool, as players."""
    share = f"{measured(CARD, DEFAULT_MODE, 'within .10 of one half')} scripted users kept within .10 of an even score"
    return [
        PlayerInfo(
            name=CHAOS_PREFIX + mode,
            title=title,
            strength=share if mode == DEFAULT_MODE else "",
            is_evolved=True,
            card=CARD,
        )
        for mode, title in MODES.items()
    ]


# -- Helpers ---------------------------------------------------------------------------------------


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise PoolError(f"line {number} is not JSON: {error}") from None
    except RecursionError:
        raise PoolError(f"line {number} is nested too deeply") from None
    if not isinstance(found, dict):
        raise PoolError(f"line {number}: an object is expected")
    return found


def _entry(number: int, facts: dict[str, Any]) -> Entry:
    name, string = facts.pop("name", None), facts.pop("string", None)
    if not isinstance(name, str) or not isinstance(string, str):
        raise PoolError(f"line {number}: a string must have a name and 264 hex digits")
    try:
        return Entry(name=name, genome=Genome.loads(string), provenance=facts)
    except ValueError as error:
        raise PoolError(f"line {number}: {error}") from None


def _handwritten_files() -> list[Path]:
    return sorted(FOLDER.glob("*.aps"))
