"""All words by name, and the sets of them that programs are made of."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engines.acquire.trees.words import typed
from engines.acquire.trees.words.primitive import ARITHMETIC, QUANTITIES, TESTS, Primitive, PrimitiveSet

PRIMITIVES: Final[Mapping[str, Primitive]] = MappingProxyType(
    {each.name: each for each in (*ARITHMETIC, *TESTS, *QUANTITIES, *typed.WORDS)}
)
DIGITS: Final = tuple(map(float, range(10)))
THESIS: Final = PrimitiveSet(  # 13 functions, 26 + 10 + 1 terminals
    name="thesis",
    primitives=(*ARITHMETIC, *TESTS, *QUANTITIES),
    numbers=DIGITS,
    constant=(-5.0, 5.0),
)
MOVED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({  # chains that the move of a decision may have
    "place": ("founded", "grown", "survivor", "defunct"),
    "buy": ("bought",),
    "found": ("founded",),
    "survivor": ("survivor", "defunct"),
    "end": (),
    "dispose": ("survivor", "defunct"),
})  # fmt: skip


def typed_words(decision: str) -> PrimitiveSet:
    """What typed programs for a decision are made of; a chain that its moves never have is left out."""
    others = {name for names in MOVED.values() for name in names} - set(MOVED[decision])
    return PrimitiveSet(
        name=f"typed {decision}",
        primitives=tuple(each for each in (*ARITHMETIC, *typed.WORDS) if each.name not in others),
        numbers=DIGITS[:4],
        constant=(-10.0, 10.0),
    )
