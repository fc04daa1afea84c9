"""The bonuses of a chain: to its largest shareholder and to the second, shared where they tie.

In a game of two with a phantom, the bank counts as a shareholder in bonuses, and is paid nothing. It has as many
shares as the number on a tile that is drawn from the bag for each merger and for the end of the game, and goes back.
The rulebook of the edition of 2016 is said to have it; none of this is verified.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.random import Random

FACTOR: Final = i64(181)
SEEDS: Final = i64(0xFFFF_FFFF_FFFF)  # small enough for a product with FACTOR


def bonuses(
    fields: vec[i64], seats: i64, chain: i64, price: i64, out: vec[i64], ranks: vec[i64], phantom: i64 = 0
) -> None:
    """Write each seat's bonus, in dollars, to out[seat], and its rank to ranks[seat] where it is one.

    Ten prices to the first, five to the second, both to a sole holder; those who tie share, each share
    rounded up to the next $100, and a tie for the first leaves nothing for a second. A phantom with so many
    shares counts like a seat, and what it would get is paid to nobody.
    """
    first: i64 = phantom  # shares
    second: i64 = 0
    firsts: i64 = 1  # who have so many
    seconds: i64 = 0
    at = layout.SHARES + chain
    for seat in range(seats):
        held = fields[at]
        at += layout.STRIDE
        out[seat] = 0
        if held > first:
            second, seconds = first, firsts
            first, firsts = held, 1
        elif held == first:
            firsts += 1
        elif held > second:
            second, seconds = held, 1
        elif held == second:
            seconds += 1
    if first == 0:
        return
    major = 10 * price
    minor = 5 * price
    rank: i64 = layout.FIRST
    second_rank: i64 = layout.SECOND
    if firsts > 1:
        major = shared(15 * price, firsts)
        second, rank = -1, layout.TIE
    elif second == 0:
        major += minor
        second, rank = -1, layout.BOTH
    elif seconds > 1:
        minor, second_rank = shared(minor, seconds), layout.TIE_SECOND
    at = layout.SHARES + chain
    for seat in range(seats):
        held = fields[at]
        at += layout.STRIDE
        if held == first:
            out[seat], ranks[seat] = major, rank
        elif held == second:
            out[seat], ranks[seat] = minor, second_rank


def shared(amount: i64, holders: i64) -> i64:
    """What each of the holders gets, rounded up to the next $100."""
    hundred_each = 100 * holders
    return (amount + hundred_each - 1) // hundred_each * 100


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
