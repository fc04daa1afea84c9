"""The words of programs: what each takes, what it gives, and what it is for the machine.

Reference: "Evolving Board Evaluation Functions", section 3.2 and Appendix A. Chain 1 is the largest one.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from core.acquire.program import ADD, DIVIDE, IF, LEAF, MULTIPLY, SUBTRACT
from core.acquire.ranked_player import (
    BONUS,
    DISTANCE,
    ENDS,
    HELD,
    LEADS,
    LEFT,
    MONEY,
    OPPONENTS,
    PAYOFF,
    PERIMETER,
    PRICE,
    RANKS,
    SAFE,
    TILES,
    ranked,
)


class Type(Enum):
    """What an argument or a result is."""

    NUMBER = "number"
    TRUTH = "truth"
    CHAIN = "chain"


class Scope(Enum):
    """What a program, or a part of one, is given by what is around it."""

    NOTHING = "nothing"
    CHAIN = "a chain"  # by a form that ranges over chains, or to a function: `it`
    NUMBERS = "two numbers"  # to a function: `a` and `b`


@dataclass(frozen=True, slots=True, kw_only=True)
class Primitive:
    """A function, or a terminal, which takes nothing. `code` stands for it in the machine's prefix code."""

    name: str
    code: tuple[int, ...]
    arguments: tuple[Type, ...] = ()
    result: Type = Type.NUMBER
    is_over: bool = False  # its argument is valued for every chain on the board, which `it` is there


IT_NAME: Final = "it"
TWO: Final = (Type.NUMBER, Type.NUMBER)
ARITHMETIC: Final = tuple(
    Primitive(name=name, code=(code,), arguments=TWO)
    for name, code in (("+", ADD), ("-", SUBTRACT), ("*", MULTIPLY), ("div", DIVIDE))
)
TESTS: Final = tuple(
    Primitive(name=name.format(rank + 1), code=(IF, LEAF + ranked(kind, rank)), arguments=TWO)
    for name, kind in (
        ("if-i-am-maj-stockholder-in-chain-{}", LEADS),
        ("if-chain-{}-is-of-maximum-size", ENDS),
        ("if-chain-{}-is-safe-from-merging", SAFE),
    )
    for rank in range(RANKS)
)
QUANTITIES: Final = (
    Primitive(name="cash-held-by-player", code=(LEAF + MONEY,)),
    Primitive(name="how-many-opponents", code=(LEAF + OPPONENTS,)),
    *(
        Primitive(name=name.format(rank + 1), code=(LEAF + ranked(kind, rank),))
        for name, kind in (
            ("dist-to-nearest-neighbor-of-chain-{}", DISTANCE),
            ("merger-value-of-chain-{}", BONUS),
            ("payoff-value-to-player-of-chain-{}", PAYOFF),
            ("perimeter-of-chain-{}", PERIMETER),
            ("price-of-chain-{}", PRICE),
            ("size-of-chain-{}", TILES),
            ("stock-held-by-player-in-chain-{}", HELD),
            ("stocks-left-of-chain-{}", LEFT),
        )
        for rank in range(RANKS)
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimitiveSet:
    """What programs of one kind are made of: words, numbers that are terminals, and a random constant.

    The constant is uniform from `constant[0]` up to, not including, `constant[1]`; None: there is none.
    """

    name: str
    primitives: tuple[Primitive, ...]
    numbers: tuple[float, ...] = ()
    constant: tuple[float, float] | None = None
