"""The phantom of a game of two: in bonuses the bank counts as a shareholder, and is paid nothing.

It has as many shares as the number on a tile that is drawn from the bag for each merger and for the end of
the game, and goes back. The rulebook of the edition of 2016 is said to have it; none of this is verified.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.random import Random

FACTOR: Final = i64(181)
SEEDS: Final = i64(0xFFFF_FFFF_FFFF)  # small enough for a product with FACTOR


def phantom_tile(bag: vec[i64], drawn: i64, purpose: i64) -> i64:
    """One of the tiles of the bag, of which `drawn` are out, and not all.

    The bag is left as it was: a tile from any place tells nothing of the order of the others, so that this
    is as good as to take the first one, put it back and shuffle. Which place, the order itself decides, so
    that a game still follows from its bag; `purpose` keeps two draws from one bag apart.
    """
    seed = purpose
    for index in range(drawn, i64(len(bag))):
        seed = (seed * FACTOR + bag[index]) & SEEDS
    return bag[drawn + Random(int(seed)).below(len(bag) - drawn)]
