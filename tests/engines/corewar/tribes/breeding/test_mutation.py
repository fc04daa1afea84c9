"""Point mutation: how much changes, and in which parts."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.corewar.tribes.breeding.mutation import Mutation
from engines.corewar.tribes.breeding.soup import Soup
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.keys import CHANGES, PARTS

STANDARD = TribesConfig()
SOUP = Soup.of(STANDARD)


def changed_parts(before: tuple[int, ...], after: tuple[int, ...]) -> list[str]:
    return [
        name
        for one, other in zip(before, after, strict=True)
        for name, part, new in zip(PARTS, SOUP.parts(one), SOUP.parts(other), strict=True)
        if part != new
    ]


def test_one_to_eight_bits_flip() -> None:
    rng = Random(1)
    mutation = Mutation.of(STANDARD)
    counts: Counter[int] = Counter()
    for _ in range(800):
        cells = SOUP.cells(60, rng)
        mutated, changes = mutation.apply(cells, [False] * 60, rng)
        counts[changes] += 1
        assert len(changed_parts(cells, mutated)) <= changes
    assert set(counts) == set(range(1, 9)) and min(counts.values()) > 60


def test_parts_change_as_they_are_weighed() -> None:
    rng = Random(2)
    mutation = Mutation.of(TribesConfig(most_changes=1))
    cells = SOUP.cells(20, rng)
    found: Counter[str] = Counter()
    for _ in range(6000):
        found.update(changed_parts(cells, mutation.apply(cells, [False] * 20, rng)[0]))
    assert sum(found.values()) == 6000, "a flip changes one part of one instruction"
    for part, per_cent in zip(PARTS, (8, 10, 12, 12, 39, 39), strict=True):
        assert found[part] / 6000 == pytest.approx(per_cent / 120, abs=0.02)


@given(st.integers(0, 2**32), st.sampled_from(CHANGES), st.integers(1, 8))
def test_every_kind_gives_a_warrior(seed: int, kind: str, length: int) -> None:
    weights = {f"{each}_weight": float(each == kind) for each in CHANGES}
    config = TribesConfig(
        core_size=80, length=8, distance=8, founders_longest=8, most_changes=3, pspace="on", **weights,  # type: ignore[arg-type]
    )  # fmt: skip
    mutation, rng = Mutation.of(config), Random(seed)
    cells = mutation.soup.cells(length, rng)
    mutated, changes = mutation.apply(cells, [False] * length, rng)
    longer, shorter = {"insertion": 1, "phrase": 3}.get(kind, 0), kind == "deletion"
    assert max(length - changes * shorter, 1) <= len(mutated) <= min(length + changes * longer, 8)
    assert all(mutation.soup.joined(mutation.soup.parts(cell)) == cell for cell in mutated)
    if kind in ("exchange", "duplicate", "deletion"):
        assert set(mutated) <= set(cells)


def test_wide_values_stay_in_the_core() -> None:
    rng = Random(3)
    weights = {f"{part}_weight": float(part == "a_value") for part in PARTS}
    mutation = Mutation.of(TribesConfig(value_bits=24, **weights))  # type: ignore[arg-type]
    values = {SOUP.parts(mutation.apply((0,), [False], rng)[0][0])[4] for _ in range(300)}
    assert max(values) < 8000 and 2**23 % 8000 in values


def test_protected_instructions_change_less() -> None:
    rng = Random(4)
    mutation = Mutation.of(TribesConfig(most_changes=1, protection=0.9))
    cells = SOUP.cells(10, rng)
    safe = [True] * 5 + [False] * 5
    hit: Counter[bool] = Counter()
    for _ in range(2000):
        mutated = mutation.apply(cells, safe, rng)[0]
        hit.update(safe[at] for at in range(10) if mutated[at] != cells[at])
    assert hit[True] < hit[False] / 5
    assert hit[True] > 0
