"""The typed words: numbers, truths and chains, and forms that range over all chains on the board.

Reference: "Evolving Board Evaluation Functions", sections 5.2 (logic) and 5.3.1 (strong typing, generic functions,
all seven chains) and 5.3.5 (memory). A chain that is not there has 0 of everything.
"""

from typing import Final

from core.acquire.programs.prefix import (
    AND,
    BEST,
    EQUAL,
    GREATER,
    IF,
    IT,
    LEAF,
    LESS,
    LESSER,
    MOST,
    NOT,
    OR,
    READ,
    SUM,
)
from core.acquire.ranked.slots import MONEY, OPPONENTS
from core.acquire.typed import slots
from engines.acquire.trees.words.primitive import IT_NAME, TWO, Primitive, Type

NUMBER, TRUTH, CHAIN = Type.NUMBER, Type.TRUTH, Type.CHAIN

KIND_NAMES: Final = {
    "size": slots.SIZE,
    "price": slots.PRICE,
    "start-price": slots.START_PRICE,
    "held": slots.HELD,
    "left": slots.LEFT,
    "lead": slots.LEAD,
    "opp-best": slots.BEST_OTHER,
    "bonus": slots.BONUS,
    "payoff": slots.PAYOFF,
    "gain": slots.GAIN,
    "perimeter": slots.PERIMETER,
    "distance": slots.DISTANCE,
    "merge-squares": slots.MERGE_SQUARES,
    "my-merge-tiles": slots.MERGE_TILES,
    "my-grow-tiles": slots.GROW_TILES,
}
OTHERS_BOUGHT_NAME: Final = "others-bought"
MEMORY_NAMES: Final = {  # by the program that fills the register
    f"remember-{number}": f"memory-{number}" for number in range(1, slots.REGISTERS + 1)
}
TEST_NAMES: Final = {
    "majority": slots.MAJORITY,
    "second": slots.SECOND,
    "safe": slots.SAFE,
    "max-size": slots.MAX_SIZE,
    "on-board": slots.ON_BOARD,
}
NUMBER_NAMES: Final = {
    "cash": MONEY,
    "opponents": OPPONENTS,
    "bag-left": slots.BAG_LEFT,
    "chains-on-board": slots.ON_THE_BOARD,
    "my-worth": slots.MY_WORTH,
    "best-opp-worth": slots.BEST_OTHER_WORTH,
    "best-opp-cash": slots.BEST_OTHER_CASH,
    "my-found-tiles": slots.FOUND_TILES,
}
TRUTH_NAMES: Final = {"can-end": slots.CAN_END, "i-lead": slots.I_LEAD}
CHAIN_NAMES: Final = {
    "largest": slots.KTH + 1,
    "second-largest": slots.KTH + 2,
    "smallest": slots.SMALLEST,
    "founded": slots.FOUNDED,
    "grown": slots.GROWN,
    "survivor": slots.SURVIVOR,
    "defunct": slots.DEFUNCT,
    "bought": slots.BOUGHT,
}
WORDS: Final = (
    Primitive(name="min", code=(LESSER,), arguments=TWO),
    Primitive(name="max", code=(GREATER,), arguments=TWO),
    Primitive(name="if", code=(IF,), arguments=(TRUTH, NUMBER, NUMBER)),
    Primitive(name="if-chain", code=(IF,), arguments=(TRUTH, CHAIN, CHAIN), result=CHAIN),
    Primitive(name="sum", code=(SUM,), arguments=(NUMBER,), is_over=True),
    Primitive(name="max-over", code=(MOST,), arguments=(NUMBER,), is_over=True),
    Primitive(name="best", code=(BEST,), arguments=(NUMBER,), result=CHAIN, is_over=True),
    Primitive(name="kth", code=(READ + slots.KTH,), arguments=(NUMBER,), result=CHAIN),
    Primitive(name=IT_NAME, code=(IT,), result=CHAIN),
    Primitive(name="and", code=(AND,), arguments=(TRUTH, TRUTH), result=TRUTH),
    Primitive(name="or", code=(OR,), arguments=(TRUTH, TRUTH), result=TRUTH),
    Primitive(name="not", code=(NOT,), arguments=(TRUTH,), result=TRUTH),
    Primitive(name="<", code=(LESS,), arguments=TWO, result=TRUTH),
    Primitive(name="=", code=(EQUAL,), arguments=TWO, result=TRUTH),
    *(
        Primitive(name=name, code=(READ + slots.of_chains(kind),), arguments=(CHAIN,))
        for name, kind in KIND_NAMES.items()
    ),
    *(
        Primitive(name=name, code=(READ + slots.of_chains(kind),), arguments=(CHAIN,), result=TRUTH)
        for name, kind in TEST_NAMES.items()
    ),
    *(
        Primitive(name=name, code=(LEAF + slot,), result=result)
        for names, result in ((NUMBER_NAMES, NUMBER), (TRUTH_NAMES, TRUTH), (CHAIN_NAMES, CHAIN))
        for name, slot in names.items()
    ),
)
REMEMBERING: Final = (  # words of programs that have registers
    Primitive(
        name=OTHERS_BOUGHT_NAME, code=(READ + slots.of_chains(slots.OTHERS_BOUGHT),), arguments=(CHAIN,)
    ),
    *(
        Primitive(name=name, code=(LEAF + slots.MEMORY + place,))
        for place, name in enumerate(MEMORY_NAMES.values())
    ),
)
