"""What is said of a name that nothing has: what is near, or what there is, and where all names are listed."""

import pytest

from engines.names import MAX_LISTED, near


@pytest.mark.parametrize(
    ("name", "known", "listing", "clause"),
    [
        ("hueristic", ["random", "heuristic"], "", "did you mean heuristic?"),
        ("HEURISTIC", ["random", "heuristic"], "", "did you mean heuristic?"),
        ("evolve", ["Evolved", "evolver"], "`list`", "did you mean evolver or Evolved? `list` lists all"),
        ("nope", ["random", "heuristic"], "", "there are random, heuristic"),
        ("nope", ["random"], "`list`", "there is random; `list` lists all"),
        ("nope", [], "", "none exists"),
    ],
)
def test_near_names_come_first(name: str, known: list[str], listing: str, clause: str) -> None:
    assert near(name, known, listing) == clause


def test_a_long_name_and_many_names_give_a_short_clause() -> None:
    assert near("x" * 100_000, [f"{number}" for number in range(300)]).endswith(
        f" and {300 - MAX_LISTED} others"
    )
