"""The typed words: numbers, truths and chains, and forms that range over all chains on the board.

Reference: "Evolving Board Evaluation Functions", sections 5.2 (logic) and 5.3.1 (strong typing, generic functions,
all seven chains) and 5.3.5 (memory). A chain that is not there has 0 of everything.
"""

from typing import Final

from core.acquire import typed_features
from core.acquire.program import (
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
from core.acquire.ranked_player import MONEY, OPPONENTS
from engines.acquire.trees.words.primitive import IT_NAME, TWO, Primitive, Type

NUMBER, TRUTH, CHAIN = Type.NUMBER, Type.TRUTH, Type.CHAIN

KIND_NAMES: Final = {
    "size": typed_features.SIZE,
    "price": typed_features.PRICE,
    "start-price": typed_features.START_PRICE,
    "held": typed_features.HELD,
    "left": typed_features.LEFT,
    "lead": typed_features.LEAD,
    "opp-best": typed_features.BEST_OTHER,
    "bonus": typed_features.BONUS,
    "payoff": typed_features.PAYOFF,
    "gain": typed_features.GAIN,
    "perimeter": typed_features.PERIMETER,
    "distance": typed_features.DISTANCE,
    "merge-squares": typed_features.MERGE_SQUARES,
    "my-merge-tiles": typed_features.MERGE_TILES,
    "my-grow-tiles": typed_features.GROW_TILES,
}
OTHERS_BOUGHT_NAME: Final = "others-bought"
MEMORY_NAMES: Final = {  # by the program that fills the register
    f"remember-{number}": f"memory-{number}" for number in range(1, typed_features.REGISTERS + 1)
}
TEST_NAMES: Final = {
    "majority": typed_features.MAJORITY,
    "second": typed_features.SECOND,
    "safe": typed_features.SAFE,
    "max-size": typed_features.MAX_SIZE,
    "on-board": typed_features.ON_BOARD,
}
NUMBER_NAMES: Final = {
    "cash": MONEY,
    "opponents": OPPONENTS,
    "bag-left": typed_features.BAG_LEFT,
    "chains-on-board": typed_features.ON_THE_BOARD,
    "my-worth": typed_features.MY_WORTH,
    "best-opp-worth": typed_features.BEST_OTHER_WORTH,
    "best-opp-cash": typed_features.BEST_OTHER_CASH,
    "my-found-tiles": typed_features.FOUND_TILES,
}
TRUTH_NAMES: Final = {"can-end": typed_features.CAN_END, "i-lead": typed_features.I_LEAD}
CHAIN_NAMES: Final = {
    "largest": typed_features.KTH + 1,
    "second-largest": typed_features.KTH + 2,
    "smallest": typed_features.SMALLEST,
    "founded": typed_features.FOUNDED,
    "grown": typed_features.GROWN,
    "survivor": typed_features.SURVIVOR,
    "defunct": typed_features.DEFUNCT,
    "bought": typed_features.BOUGHT,
}
WORDS: Final = (
    Primitive(name="min", code=(LESSER,), arguments=TWO),
    Primitive(name="max", code=(GREATER,), arguments=TWO),
    Primitive(name="if", code=(IF,), arguments=(TRUTH, NUMBER, NUMBER)),
    Primitive(name="if-chain", code=(IF,), arguments=(TRUTH, CHAIN, CHAIN), result=CHAIN),
    Primitive(name="sum", code=(SUM,), arguments=(NUMBER,), is_over=True),
    Primitive(name="max-over", code=(MOST,), arguments=(NUMBER,), is_over=True),
    Primitive(name="best", code=(BEST,), arguments=(NUMBER,), result=CHAIN, is_over=True),
    Primitive(name="kth", code=(READ + typed_features.KTH,), arguments=(NUMBER,), result=CHAIN),
    Primitive(name=IT_NAME, code=(IT,), result=CHAIN),
    Primitive(name="and", code=(AND,), arguments=(TRUTH, TRUTH), result=TRUTH),
    Primitive(name="or", code=(OR,), arguments=(TRUTH, TRUTH), result=TRUTH),
    Primitive(name="not", code=(NOT,), arguments=(TRUTH,), result=TRUTH),
    Primitive(name="<", code=(LESS,), arguments=TWO, result=TRUTH),
    Primitive(name="=", code=(EQUAL,), arguments=TWO, result=TRUTH),
    *(
        Primitive(name=name, code=(READ + typed_features.of_chains(kind),), arguments=(CHAIN,))
        for name, kind in KIND_NAMES.items()
    ),
    *(
        Primitive(name=name, code=(READ + typed_features.of_chains(kind),), arguments=(CHAIN,), result=TRUTH)
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
        name=OTHERS_BOUGHT_NAME,
        code=(READ + typed_features.of_chains(typed_features.OTHERS_BOUGHT),),
        arguments=(CHAIN,),
    ),
    *(
        Primitive(name=name, code=(LEAF + typed_features.MEMORY + place,))
        for place, name in enumerate(MEMORY_NAMES.values())
    ),
)
