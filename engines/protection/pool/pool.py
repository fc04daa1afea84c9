"""A pool: the 250 strings among which Chaos chooses, each with where it comes from, and a hash of them all.

Its file is JSON lines: a head with the hash and the starter, then a line a string. What a rating in a profile
means depends on the strings and their order alone, and so does the hash.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self

from engines.protection.genome import Genome
from engines.protection.profile import STRINGS


class PoolError(ValueError):
    """A text that is no pool: the line and what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A string of a pool."""

    name: str
    genome: Genome
    provenance: Mapping[str, Any] = field(default_factory=dict)  # what JSON can hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Strings in their order; the starter is for a user of whom nothing is known."""

    entries: tuple[Entry, ...]
    starter: int

    def __post_init__(self) -> None:
        if len(self.entries) != STRINGS or not 0 <= self.starter < STRINGS:
            raise PoolError(f"a pool has {STRINGS} strings and one starter, not {len(self.entries)}")
        names = {each.name for each in self.entries}
        if len(names) < STRINGS or len({each.genome for each in self.entries}) < STRINGS:
            raise PoolError("the strings of a pool are all different, and so are their names")

    @property
    def hash(self) -> str:
        """SHA-256 of all strings one after the other, as hex digits."""
        return sha256(self.packed).hexdigest()

    @property
    def packed(self) -> bytes:
        """132 bytes a string."""
        return b"".join(each.genome.code for each in self.entries)

    @classmethod
    def loads(cls, text: str) -> Self:
        """PoolError names the line; also when the strings are not those of the hash."""
        lines = [line for line in text.splitlines() if line.strip()]
        head, *rest = [_object(number, line) for number, line in enumerate(lines, 1)] or [{}]
        entries = tuple(_entry(number, each) for number, each in enumerate(rest, 2))
        if not isinstance(head.get("starter"), int):
            raise PoolError("line 1: the head of a pool has its hash and its starter")
        pool = cls(entries=entries, starter=head["starter"])
        if pool.hash != head.get("pool"):
            raise PoolError(f"the strings are not those of the hash: theirs is {pool.hash}")
        return pool

    def dumps(self) -> str:
        rows: Sequence[Mapping[str, Any]] = [
            {"pool": self.hash, "starter": self.starter},
            *({"name": each.name, "string": each.genome.hex, **each.provenance} for each in self.entries),
        ]
        return "".join(f"{json.dumps(row)}\n" for row in rows)


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise PoolError(f"line {number}: no JSON: {error}") from None
    except RecursionError:
        raise PoolError(f"line {number}: too deep") from None
    if not isinstance(found, dict):
        raise PoolError(f"line {number}: an object is expected")
    return found


def _entry(number: int, facts: dict[str, Any]) -> Entry:
    name, string = facts.pop("name", None), facts.pop("string", None)
    if not isinstance(name, str) or not isinstance(string, str):
        raise PoolError(f"line {number}: a string has a name and its 264 hex digits")
    try:
        return Entry(name=name, genome=Genome.loads(string), provenance=facts)
    except ValueError as error:
        raise PoolError(f"line {number}: {error}") from None
