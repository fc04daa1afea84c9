"""The ten printed trees: sizes, levels, what board facts leave of them, and what the text says of two."""

import pytest

from engines.acquire.genome import printed, thesis_players
from engines.acquire.gp.sexpr import dumps
from engines.acquire.gp.simplify import simplified
from engines.acquire.gp.tree import levels

# nodes, levels, nodes when simplified
SIZES = {
    "best-of-run-place": (15, 5, 11),
    "best-of-run-buy": (11, 4, 7),
    "pair-1-place": (27, 5, 23),
    "pair-1-buy": (17, 5, 3),
    "pair-2-place": (19, 5, 15),
    "pair-2-buy": (7, 3, 3),
    "pair-3-place": (15, 5, 13),
    "pair-3-buy": (9, 4, 9),
    "pair-4-place": (9, 4, 7),
    "pair-4-buy": (7, 4, 7),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    tree = printed()[name]
    assert (len(tree), levels(tree), len(simplified(tree))) == SIZES[name]


def test_there_are_no_others() -> None:
    assert set(printed()) == set(SIZES)
    assert list(thesis_players()) == ["best-of-run", "pair-1", "pair-2", "pair-3", "pair-4"]


@pytest.mark.parametrize(
    ("name", "simple"),
    [
        (
            "best-of-run-buy",
            "(if-chain-2-is-safe-from-merging"
            " (+ 7 (if-chain-3-is-safe-from-merging 2 (stock-held-by-player-in-chain-1)))"
            " (dist-to-nearest-neighbor-of-chain-3))",
        ),
        ("pair-1-buy", "(if-chain-3-is-safe-from-merging 1 8)"),
        ("pair-2-buy", "(- 0 (size-of-chain-1))"),
    ],
)
def test_what_is_left(name: str, simple: str) -> None:
    assert dumps(simplified(printed()[name])) == simple
