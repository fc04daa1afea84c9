"""What a net can be told, by name: of each chain, of the table, and which decision it is; with a fixed scale each.

The names are those of typed programs. A chain of the move says 1 of that chain and 0 of all others. The majority's
bonus is left out, since it is ten prices.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from core.acquire.programs.prefix import LEAF, READ
from engines.acquire.gp.primitives import CHAIN_FEATURES, FACTS, PRIMITIVES

DOLLAR: Final = 0.01  # money is counted in hundreds of dollars
MOVED: Final = ("founded", "grown", "survivor", "defunct", "bought")

CHAIN_SLOTS: Final[Mapping[str, int]] = MappingProxyType(
    {each.name: each.code[0] - READ for each in CHAIN_FEATURES if each.name != "bonus"}
    | {name: PRIMITIVES[name].code[0] - LEAF for name in MOVED}
)
TABLE_SLOTS: Final[Mapping[str, int]] = MappingProxyType({each.name: each.code[0] - LEAF for each in FACTS})
SCALES: Final[Mapping[str, float]] = MappingProxyType({each.name: each.scale for each in PRIMITIVES.values()})
