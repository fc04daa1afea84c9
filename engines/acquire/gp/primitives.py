"""The primitives of programs: functions and terminals with their types, and the sets that programs are built from.

Reference: "Evolving Board Evaluation Functions", section 3.2 and Appendix A (primitives by the rank of a chain, 1 is
the largest), 5.2 (logic), 5.3.1 (strong typing, forms that range over all chains), 5.3.2 (automatically defined
functions, ADFs, from J. Koza, "Genetic Programming II", 1994) and 5.3.5 (memory). All features of a chain that is not
on the board are 0.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from core.acquire import program, typed_features
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
    """The type of an argument or a result."""

    NUMBER = "number"
    TRUTH = "truth"
    CHAIN = "chain"


class Scope(Enum):
    """The names that are bound where a program, or a part of a program, stands."""

    TOP_LEVEL = "nothing"
    CHAIN = "a chain"  # `it`: inside a form that ranges over chains, or in a function of one
    NUMBERS = "two numbers"  # `a` and `b`: in a function of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Primitive:
    """A function, or a terminal, which takes no arguments."""

    name: str
    code: tuple[int, ...]  # in the prefix code of core.acquire.program
    arguments: tuple[Type, ...] = ()
    result: Type = Type.NUMBER
    binds_chain: bool = False  # the argument is evaluated for every chain on the board; `it` is that chain
    text: str = ""  # in English, {} for each argument; for a test of the thesis the condition alone
    bound: float | None = None  # for a terminal that is a whole number: the largest absolute value
    scale: float = 1.0  # a factor that brings most values into -1 to 1, for nets


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimitiveSet:
    """The primitives of one kind of programs, the numbers that are terminals, and a random constant.

    The constant is uniform from `constant[0]` up to, not including, `constant[1]`; None: there is none.
    """

    name: str
    primitives: tuple[Primitive, ...]
    numbers: tuple[float, ...] = ()
    constant: tuple[float, float] | None = None


NUMBER, TRUTH, CHAIN = Type.NUMBER, Type.TRUTH, Type.CHAIN
TWO_NUMBERS: Final = (NUMBER, NUMBER)

# -- The thesis: chains by rank ------------------------------------------------------------------

RANKED_CHAINS: Final = ("the largest chain", "the second chain", "the third chain")
ARITHMETIC: Final = tuple(
    Primitive(name=name, code=(code,), arguments=TWO_NUMBERS, text=text)
    for name, code, text in (
        ("+", program.ADD, "{} plus {}"),
        ("-", program.SUBTRACT, "{} minus {}"),
        ("*", program.MULTIPLY, "{} times {}"),
        ("div", program.DIVIDE, "{} divided by {}"),
    )
)
TESTS: Final = tuple(  # the value is the first argument if the condition holds, else the second
    Primitive(
        name=name.format(rank + 1),
        code=(program.IF, program.LEAF + ranked(kind, rank)),
        arguments=TWO_NUMBERS,
        text=text.format(RANKED_CHAINS[rank]),
    )
    for name, kind, text in (
        ("if-i-am-maj-stockholder-in-chain-{}", LEADS, "I hold more shares of {} than any other player"),
        ("if-chain-{}-is-of-maximum-size", ENDS, "{} has the maximum size"),
        ("if-chain-{}-is-safe-from-merging", SAFE, "{} is safe from merging"),
    )
    for rank in range(RANKS)
)
QUANTITIES: Final = (
    Primitive(name="cash-held-by-player", code=(program.LEAF + MONEY,), text="my cash", bound=1e8),
    Primitive(
        name="how-many-opponents", code=(program.LEAF + OPPONENTS,), text="the number of opponents", bound=5
    ),
    *(
        Primitive(
            name=f"{name}-chain-{rank + 1}",
            code=(program.LEAF + ranked(kind, rank),),
            text=text.format(RANKED_CHAINS[rank]),
            bound=bound,
        )
        for name, kind, bound, text in (
            ("dist-to-nearest-neighbor-of", DISTANCE, 1e3, "the distance from {} to the nearest other chain"),
            ("merger-value-of", BONUS, 1e5, "the majority bonus of {}"),
            ("payoff-value-to-player-of", PAYOFF, 1e6, "what I would get if {} were taken over now"),
            ("perimeter-of", PERIMETER, 1e3, "the empty squares next to {}"),
            ("price-of", PRICE, 1e4, "the price of {}"),
            ("size-of", TILES, 1e3, "the size of {}"),
            ("stock-held-by-player-in", HELD, 1e3, "my shares of {}"),
            ("stocks-left-of", LEFT, 1e3, "the bank's shares of {}"),
        )
        for rank in range(RANKS)
    ),
)

# -- Typed: chains as values, forms that range over all of them --------------------------------------


def _chain_function(
    name: str, kind: int, text: str, scale: float = 1.0, result: Type = Type.NUMBER
) -> Primitive:
    """Return a function of a chain."""
    code = (program.READ + typed_features.first_slot(kind),)
    return Primitive(name=name, code=code, arguments=(CHAIN,), result=result, text=text, scale=scale)


def _terminal(name: str, slot: int, text: str, scale: float = 1.0, result: Type = Type.NUMBER) -> Primitive:
    """Return a terminal."""
    return Primitive(name=name, code=(program.LEAF + slot,), result=result, text=text, scale=scale)


CHAIN_FEATURES: Final = (
    _chain_function("size", typed_features.SIZE, "the size of {}", 0.05),
    _chain_function("price", typed_features.PRICE, "the price of {}", 0.1),
    _chain_function("start-price", typed_features.START_PRICE, "the price at two tiles of {}", 0.25),
    _chain_function("held", typed_features.HELD, "my shares of {}", 0.1),
    _chain_function("left", typed_features.LEFT, "the bank's shares of {}", 0.04),
    _chain_function("lead", typed_features.LEAD, "my lead in shares of {}", 0.1),
    _chain_function("opp-best", typed_features.BEST_OTHER, "the best opponent's shares of {}", 0.1),
    _chain_function("bonus", typed_features.BONUS, "the majority bonus of {}"),
    _chain_function("payoff", typed_features.PAYOFF, "what I would get if {} were taken over now", 0.01),
    _chain_function(
        "gain",
        typed_features.GAIN,
        "my bonus less the best opponent's if {} were taken over now",
        0.01,
    ),
    _chain_function("perimeter", typed_features.PERIMETER, "the empty squares next to {}", 0.1),
    _chain_function(
        "distance", typed_features.DISTANCE, "the distance from {} to the nearest other chain", 0.2
    ),
    _chain_function(
        "merge-squares", typed_features.MERGE_SQUARES, "the empty squares between {} and another chain", 0.2
    ),
    _chain_function("my-merge-tiles", typed_features.MERGE_TILES, "my tiles that would merge {}", 0.25),
    _chain_function("my-grow-tiles", typed_features.GROW_TILES, "my tiles that would add to {}", 0.25),
    _chain_function(
        "majority", typed_features.MAJORITY, "I hold more shares of {} than any other player", result=TRUTH
    ),
    _chain_function(
        "second", typed_features.SECOND, "I would get a bonus for {}, but not the first", result=TRUTH
    ),
    _chain_function("safe", typed_features.SAFE, "{} is safe from merging", result=TRUTH),
    _chain_function("max-size", typed_features.MAX_SIZE, "{} has the maximum size", result=TRUTH),
    _chain_function("on-board", typed_features.ON_BOARD, "{} is on the board", result=TRUTH),
)
FACTS: Final = (  # terminals that do not depend on a chain
    _terminal("cash", MONEY, "my cash", 0.02),
    _terminal("opponents", OPPONENTS, "the number of opponents", 0.2),
    _terminal("bag-left", typed_features.BAG_LEFT, "the number of tiles in the bag", 0.01),
    _terminal("chains-on-board", typed_features.ON_THE_BOARD, "the number of chains on the board", 0.2),
    _terminal("my-worth", typed_features.MY_WORTH, "my worth if the game ended now", 0.005),
    _terminal(
        "best-opp-worth",
        typed_features.BEST_OTHER_WORTH,
        "the worth of the best opponent if the game ended now",
        0.005,
    ),
    _terminal("best-opp-cash", typed_features.BEST_OTHER_CASH, "the cash of the richest opponent", 0.02),
    _terminal(
        "my-found-tiles", typed_features.FOUND_TILES, "the number of my tiles that would found a chain", 0.25
    ),
    _terminal("can-end", typed_features.CAN_END, "the end may be announced", result=TRUTH),
    _terminal("i-lead", typed_features.I_LEAD, "I am worth more than any other player", result=TRUTH),
)
LOOP_CHAIN_NAME: Final = "it"
TYPED: Final = (
    *(
        Primitive(
            name=name,
            code=(code,),
            arguments=arguments,
            result=result,
            binds_chain=code in (program.SUM, program.MAX_OVER_CHAINS, program.BEST),
            text=text,
        )
        for name, code, arguments, result, text in (
            ("min", program.LESSER, TWO_NUMBERS, NUMBER, "the lesser of [{}] and [{}]"),
            ("max", program.GREATER, TWO_NUMBERS, NUMBER, "the greater of [{}] and [{}]"),
            ("if", program.IF, (TRUTH, NUMBER, NUMBER), NUMBER, "if [{}], [{}], else [{}]"),
            ("if-chain", program.IF, (TRUTH, CHAIN, CHAIN), CHAIN, "(if [{}], {}, else {})"),
            ("sum", program.SUM, (NUMBER,), NUMBER, "the sum over all chains on the board of [{}]"),
            (
                "max-over",
                program.MAX_OVER_CHAINS,
                (NUMBER,),
                NUMBER,
                "the highest over all chains on the board of [{}]",
            ),
            ("best", program.BEST, (NUMBER,), CHAIN, "the chain on the board with the highest [{}]"),
            ("kth", program.READ + typed_features.KTH, (NUMBER,), CHAIN, "the chain of rank [{}]"),
            (LOOP_CHAIN_NAME, program.LOOP_CHAIN, (), CHAIN, "it"),
            ("and", program.AND, (TRUTH, TRUTH), TRUTH, "both [{}] and [{}]"),
            ("or", program.OR, (TRUTH, TRUTH), TRUTH, "[{}] or [{}]"),
            ("not", program.NOT, (TRUTH,), TRUTH, "not [{}]"),
            ("<", program.LESS, TWO_NUMBERS, TRUTH, "[{}] is less than [{}]"),
            ("=", program.EQUAL, TWO_NUMBERS, TRUTH, "[{}] equals [{}]"),
        )
    ),
    *CHAIN_FEATURES,
    *FACTS,
    _terminal("largest", typed_features.KTH + 1, "the largest chain", result=CHAIN),
    _terminal("second-largest", typed_features.KTH + 2, "the second chain", result=CHAIN),
    _terminal("smallest", typed_features.SMALLEST, "the smallest chain", result=CHAIN),
    _terminal("founded", typed_features.FOUNDED, "the chain that is founded", result=CHAIN),
    _terminal("grown", typed_features.GROWN, "the chain that the tile joins", result=CHAIN),
    _terminal("survivor", typed_features.SURVIVOR, "the chain that survives", result=CHAIN),
    _terminal("defunct", typed_features.DEFUNCT, "the chain that is merged away", result=CHAIN),
    _terminal("bought", typed_features.BOUGHT, "the chain whose share is bought", result=CHAIN),
)

# -- Memory: registers that programs set after each purchase, and the terminals that read them ---------

OTHERS_BOUGHT_NAME: Final = "others-bought"
MEMORY_NAMES: Final[Mapping[str, str]] = MappingProxyType(  # by the program that sets the register
    {f"remember-{number}": f"memory-{number}" for number in range(1, typed_features.REGISTERS + 1)}
)
MEMORY: Final = (
    _chain_function(
        OTHERS_BOUGHT_NAME,
        typed_features.OTHERS_BOUGHT,
        "the shares of {} that others bought in their last turns",
    ),
    *(
        _terminal(name, typed_features.MEMORY + place, name.replace("-", " "))
        for place, name in enumerate(MEMORY_NAMES.values())
    ),
)

# -- ADFs: functions that a genome defines itself, each of a fixed signature -------------------------

NO_CODE: Final = (-1,)  # the interpreter has no calls and refuses programs whose ADFs are not expanded
ADFS: Final = tuple(
    Primitive(
        name=f"{name}-{number}",
        code=NO_CODE,
        arguments=arguments,
        result=result,
        text=text.format(number=number),
    )
    for number in range(1, 4)
    for name, arguments, result, text in (
        ("rate", (CHAIN,), NUMBER, "rate {number} of {{}}"),
        ("test", (CHAIN,), TRUTH, "{{}} passes test {number}"),
        ("mix", TWO_NUMBERS, NUMBER, "mix {number} of [{{}}] and [{{}}]"),
    )
)
ADF_NAMES: Final = tuple(each.name for each in ADFS)  # each may call those before it
PARAMETERS: Final[Mapping[Scope, tuple[str, ...]]] = MappingProxyType(
    {Scope.TOP_LEVEL: (), Scope.CHAIN: (LOOP_CHAIN_NAME,), Scope.NUMBERS: ("a", "b")}
)
BOUND_IN: Final[Mapping[str, Scope]] = MappingProxyType(  # names that are bound in one scope only
    {name: scope for scope, names in PARAMETERS.items() for name in names}
)
PARAMETER_NUMBERS: Final = tuple(
    Primitive(name=name, code=NO_CODE, text=text)
    for name, text in zip(PARAMETERS[Scope.NUMBERS], ("the first number", "the second number"), strict=True)
)


def callable_in(program: str) -> tuple[str, ...]:
    """Return the ADFs that a program of this name may call; an ADF may call only those before it."""
    return ADF_NAMES[: ADF_NAMES.index(program)] if program in ADF_NAMES else ADF_NAMES


def scope_of(program: str) -> Scope:
    """Return the scope of a whole program of this name."""
    if program not in ADF_NAMES:
        return Scope.TOP_LEVEL
    return Scope.NUMBERS if PRIMITIVES[program].arguments == TWO_NUMBERS else Scope.CHAIN


def parameters(program: str) -> tuple[str, ...]:
    """Return the names of the parameters of an ADF."""
    return PARAMETERS[scope_of(program)]


# -- All primitives, and sets of them ----------------------------------------------------------------

PRIMITIVES: Final[Mapping[str, Primitive]] = MappingProxyType({
    each.name: each
    for each in (*ARITHMETIC, *TESTS, *QUANTITIES, *TYPED, *MEMORY, *ADFS, *PARAMETER_NUMBERS)
})  # fmt: skip
DIGITS: Final = tuple(map(float, range(10)))
THESIS: Final = PrimitiveSet(  # 13 functions, 26 + 10 + 1 terminals
    name="thesis",
    primitives=(*ARITHMETIC, *TESTS, *QUANTITIES),
    numbers=DIGITS,
    constant=(-5.0, 5.0),
)
MOVE_CHAINS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({  # chains of the move, by decision
    "place": ("founded", "grown", "survivor", "defunct"),
    "buy": ("bought",),
    "found": ("founded",),
    "survivor": ("survivor", "defunct"),
    "end": (),
    "dispose": ("survivor", "defunct"),
})  # fmt: skip


def typed_primitives(program: str, beside: Collection[str] = ()) -> PrimitiveSet:
    """Return the primitives of the typed program of this name, in a genome with these ADFs and registers (`beside`).

    Chains that the moves of a decision never have are left out. ADFs and programs that set registers have none of the
    chains of a move.
    """
    others = {name for names in MOVE_CHAINS.values() for name in names} - set(MOVE_CHAINS.get(program, ()))
    memories = {memory for filling, memory in MEMORY_NAMES.items() if filling in beside}
    known = memories | (set(beside) & set(callable_in(program)))
    if memories:
        known.add(OTHERS_BOUGHT_NAME)
    return PrimitiveSet(
        name=f"typed {program}",
        primitives=(
            *(each for each in (*ARITHMETIC, *TYPED) if each.name not in others),
            *(each for each in (*ADFS, *MEMORY) if each.name in known),
        ),
        numbers=DIGITS[:4],
        constant=(-10.0, 10.0),
    )
