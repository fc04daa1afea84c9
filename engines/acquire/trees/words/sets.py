"""All words by name, and the sets of them that programs are made of."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from engines.acquire.trees.words import typed
from engines.acquire.trees.words.functions import CALLS, NUMBERS_GIVEN, callable_in
from engines.acquire.trees.words.primitive import ARITHMETIC, QUANTITIES, TESTS, Primitive, PrimitiveSet

PRIMITIVES: Final[Mapping[str, Primitive]] = MappingProxyType({
    each.name: each
    for each in (
        *ARITHMETIC, *TESTS, *QUANTITIES, *typed.WORDS, *typed.REMEMBERING, *CALLS, *NUMBERS_GIVEN
    )
})  # fmt: skip
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


def typed_words(program: str, beside: Collection[str] = ()) -> PrimitiveSet:
    """What a typed program is made of, by its name, and those of the functions and registers that stand beside it.

    A chain that the moves of a decision never have is left out; functions and what fills registers have none.
    """
    others = {name for names in MOVED.values() for name in names} - set(MOVED.get(program, ()))
    memories = {memory for filling, memory in typed.MEMORY_NAMES.items() if filling in beside}
    known = memories | (set(beside) & set(callable_in(program)))
    if memories:
        known.add(typed.OTHERS_BOUGHT_NAME)
    return PrimitiveSet(
        name=f"typed {program}",
        primitives=(
            *(each for each in (*ARITHMETIC, *typed.WORDS) if each.name not in others),
            *(each for each in (*CALLS, *typed.REMEMBERING) if each.name in known),
        ),
        numbers=DIGITS[:4],
        constant=(-10.0, 10.0),
    )
