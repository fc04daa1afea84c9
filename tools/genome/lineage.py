"""The ancestors of an individual of a run: the birth of each, and the changes in its genome."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import zip_longest
from typing import Final

from engines.evolution.run_history import Ancestor, RunHistory
from engines.evolution.run_store import RunStore
from tools.cli import counted

NAMED_FOUNDERS: Final = 8  # founders that the summary names
LONGEST_VALUE: Final = 30  # characters of a value that are shown
MAX_VALUES: Final = 5  # differences of a part that are shown
CONTEXT: Final = 8  # characters before the first difference that are shown
DEEPEST: Final = 400  # births that the tree can go back; trees are drawn by recursion
NEW_BLOOD: Final = "draw"  # an origin: if only one parent is on record, the other was new and has no ID


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A part of a genome that differs from the nearer parent: inherited from another parent, or new."""

    part: str
    inherited_from: int | None  # ID
    values: tuple[tuple[str, str, str], ...]  # the differences: name, value before, value after

    def __str__(self) -> str:
        if self.inherited_from is not None:
            return f"{self.part} from {self.inherited_from}"
        if len(self.values) > MAX_VALUES:
            name, before, after = max(self.values, key=_distance)
            change = " → ".join(_quoted(before, after))
            return f"{self.part} {len(self.values)} numbers, most of all {name} {change}"
        values = (
            f"{name} {' → '.join(_quoted(before, after))}".strip() for name, before, after in self.values
        )
        return f"{self.part} {', '.join(values)}"


# A function that compares a child with a parent: takes the texts of parent and child, and the other parents' by ID.
Changes = Callable[[str, str, Mapping[int, str]], tuple[Change, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative(Ancestor):
    """An ancestor in the tree, and the changes in its genome."""

    nearer_parent: int | None  # the parent with fewer changes
    changes: tuple[Change, ...]

    @property
    def birth(self) -> str:
        """A line with the ID, the generation, the origin and the parents."""
        parents = f" of {' and '.join(map(str, self.parents))}" if self.parents else ""
        return f"{self.id}  generation {self.generation:,}, {self.origin}{parents}"

    @property
    def change_line(self) -> str:
        """A line with the changes; empty for an individual without parents."""
        if self.nearer_parent is None:
            return ""
        changes = "; ".join(map(str, self.changes))
        return f"like {self.nearer_parent}, but {changes}" if changes else f"equal to {self.nearer_parent}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """The counts and shares of all ancestors, and a tree of the nearest ones, each once."""

    id: int
    ancestors: int
    generations: int  # from the earliest ancestor
    founders: Mapping[int, float]  # the share of each ancestor without parents, largest first
    newcomers: float  # the share of ancestors that are not on record
    tree: tuple[Relative, ...]  # in the order of their depth
    has_parents: bool = True  # whether any individual of the run has parents on record

    @classmethod
    def of(cls, store: RunStore, id: int, depth: int, compared: Changes) -> "Lineage":
        """Return the lineage of an individual, with a tree of `depth` births.

        `compared` finds the changes between parent and child. Raises ValueError if the run has no such individual.
        """
        try:
            family = RunHistory(store).ancestors(id).relatives
        except KeyError:
            count = store.count("individual")
            raise ValueError(
                f"{store.folder} has no individual with the ID {id}; it has {count:,} individuals, numbered from 0"
            ) from None
        founders, newcomers = _shares(family)
        return cls(
            id=id,
            ancestors=len(family) - 1,
            generations=family[0].generation - min(ancestor.generation for ancestor in family),
            founders=founders,
            newcomers=newcomers,
            tree=tuple(_tree(store, family, min(depth, DEEPEST), compared)),
            has_parents=len(family) > 1 or store.has_parents,
        )

    def data(self) -> dict[str, object]:
        """Return the lineage as an object for JSON."""
        return asdict(self)

    def text(self) -> str:
        """Return a tree that describes each ancestor once, as near to the root as possible, and a summary."""
        return "\n".join([*self._lines(), "", *self._summary()])

    def _lines(self) -> Iterator[str]:
        tree = {ancestor.id: ancestor for ancestor in self.tree}
        described: set[int] = set()

        def branch(id: int, depth: int, first: str, later: str) -> Iterator[str]:
            ancestor = tree.get(id)
            if ancestor is None:
                yield f"{first}{id} …"
                return
            if ancestor.depth < depth or id in described:
                yield f"{first}{id} (see elsewhere in this tree)"
                return
            described.add(id)
            yield first + ancestor.birth
            if ancestor.change_line:
                yield f"{later}│    {ancestor.change_line}"
            parents = dict.fromkeys(ancestor.parents)
            for number, parent in enumerate(parents, 1):
                fork, beside = ("└─ ", "   ") if number == len(parents) else ("├─ ", "│  ")
                yield from branch(parent, depth + 1, later + fork, later + beside)

        yield from branch(self.id, 0, "", "")

    def _summary(self) -> Iterator[str]:
        if not self.ancestors:
            reason = "" if self.has_parents else ": no individual of this run has its parents on record"
            yield f"{self.id} has no ancestors on record{reason}."
            return
        yield f"Ancestors: {self.ancestors:,}, the earliest {counted(self.generations, 'generation')} before it."
        named = [f"{id} {share:.1%}" for id, share in list(self.founders.items())[:NAMED_FOUNDERS]]
        if others := list(self.founders.values())[NAMED_FOUNDERS:]:
            named.append(f"{len(others)} others {sum(others):.1%}")
        if self.newcomers:
            named.append(f"new genomes without an ID {self.newcomers:.1%}")
        yield f"Founders: {len(self.founders):,}, with these shares in it: {', '.join(named)}."


# -- All ancestors ---------------------------------------------------------------------------------


def _shares(family: Sequence[Ancestor]) -> tuple[dict[int, float], float]:
    """Return the share that each founder has in the first individual, and the share of unrecorded ancestors.

    A parent has a share of a half, a grandparent of a quarter.
    """
    shares = {ancestor.id: 0.0 for ancestor in family}
    shares[family[0].id] = 1.0
    newcomers = 0.0
    for ancestor in sorted(family, key=lambda ancestor: -ancestor.id):  # children have higher IDs
        parents = len(ancestor.parents)
        if ancestor.origin == NEW_BLOOD and parents == 1:
            newcomers += shares[ancestor.id] / 2
            parents = 2
        for parent in ancestor.parents:
            shares[parent] += shares[ancestor.id] / parents
    founders = [(ancestor.id, shares[ancestor.id]) for ancestor in family if not ancestor.parents]
    return dict(sorted(founders, key=lambda founder: (-founder[1], founder[0]))), newcomers


# -- The nearest ancestors -------------------------------------------------------------------------


def _tree(store: RunStore, family: Sequence[Ancestor], depth: int, compared: Changes) -> Iterator[Relative]:
    @cache
    def text(id: int) -> str:
        return store.individual(id).genome

    for ancestor in family:
        if ancestor.depth > depth:
            break
        changes = {
            parent: compared(
                text(parent),
                text(ancestor.id),
                {other: text(other) for other in ancestor.parents if other != parent},
            )
            for parent in ancestor.parents
        }
        nearer = min(changes, key=lambda parent: (len(changes[parent]), parent), default=None)
        yield Relative(
            id=ancestor.id,
            depth=ancestor.depth,
            generation=ancestor.generation,
            origin=ancestor.origin,
            parents=ancestor.parents,
            nearer_parent=nearer,
            changes=() if nearer is None else changes[nearer],
        )


def changed_lines(
    before: str, after: str, others: Mapping[int, str], name: str = "line"
) -> tuple[Change, ...]:
    """Return the lines that a child changed, added or removed, with their numbers after `name`.

    A removed line has its number in the parent, any other line its number in the child.
    """
    old, new = before.splitlines(), after.splitlines()
    changes = []
    for kind, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for place, (gone, come) in enumerate(zip_longest(old[first:last], new[begin:end])):
            giver = next((id for id, text in others.items() if come in text.splitlines()), None)
            number = begin + place if come is not None else first + place
            values = (("", "none" if gone is None else gone, "none" if come is None else come),)
            changes.append(Change(part=f"{name} {number + 1}", inherited_from=giver, values=values))
    return tuple(changes)


def _distance(values: tuple[str, str, str]) -> float:
    """Return the distance between two numbers, given as name, before and after; 0 for other values."""
    try:
        return abs(float(values[2]) - float(values[1]))
    except ValueError:
        return 0.0


def _quoted(before: str, after: str) -> tuple[str, str]:
    """Return two values, both from shortly before their first difference if one is longer than LONGEST_VALUE."""
    start = 0
    if max(len(before), len(after)) > LONGEST_VALUE:
        pairs = enumerate(zip_longest(before, after))
        start = max(next((place for place, (old, new) in pairs if old != new), 0) - CONTEXT, 0)
    return _cut(before, start), _cut(after, start)


def _cut(value: str, start: int) -> str:
    """Return at most LONGEST_VALUE characters of a value from `start`, with … for parts that are left out."""
    shown = f"…{value[start + 1 :]}" if start else value
    return shown if len(shown) <= LONGEST_VALUE else f"{shown[: LONGEST_VALUE - 1]}…"
