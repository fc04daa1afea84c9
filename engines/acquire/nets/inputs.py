"""What a net can be told, by name: of each chain, of the table, and which decision it is; with a fixed scale each.

The names are those of typed programs. A chain of the move says 1 of that chain and 0 of all others. The majority's
bonus is left out, since it is ten prices.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from core.acquire import typed_features
from engines.acquire.trees.words.typed import CHAIN_NAMES, KIND_NAMES, NUMBER_NAMES, TEST_NAMES, TRUTH_NAMES

DOLLAR: Final = 0.01  # money is counted in hundreds of dollars
MOVED: Final = ("founded", "grown", "survivor", "defunct", "bought")

# What is multiplied by less than 1, so that inputs are mostly between -1 and 1.
SCALES: Final[Mapping[str, float]] = MappingProxyType({
    "size": 0.05,
    "price": 0.1,
    "start-price": 0.25,
    "held": 0.1,
    "left": 0.04,
    "lead": 0.1,
    "opp-best": 0.1,
    "payoff": 0.01,
    "gain": 0.01,
    "perimeter": 0.1,
    "distance": 0.2,
    "merge-squares": 0.2,
    "my-merge-tiles": 0.25,
    "my-grow-tiles": 0.25,
    "cash": 0.02,
    "opponents": 0.2,
    "bag-left": 0.01,
    "chains-on-board": 0.2,
    "my-worth": 0.005,
    "best-opp-worth": 0.005,
    "best-opp-cash": 0.02,
    "my-found-tiles": 0.25,
})  # fmt: skip

CHAIN_SLOTS: Final[Mapping[str, int]] = MappingProxyType(
    {
        name: typed_features.of_chains(kind)
        for name, kind in {**KIND_NAMES, **TEST_NAMES}.items()
        if kind != typed_features.BONUS
    }
    | {name: CHAIN_NAMES[name] for name in MOVED}
)
TABLE_SLOTS: Final[Mapping[str, int]] = MappingProxyType({**NUMBER_NAMES, **TRUTH_NAMES})
