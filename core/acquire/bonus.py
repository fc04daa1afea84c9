"""The bonuses that a chain pays to its largest and second largest shareholders, who share them in a tie."""

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.events import BOTH, FIRST, SECOND, TIE, TIE_SECOND


def bonuses(fields: vec[i64], seats: i64, chain: i64, price: i64, out: vec[i64], ranks: vec[i64]) -> None:
    """Write each seat's bonus, in dollars, to out[seat]; ranks[seat] is written only if there is a bonus.

    The largest holder gets ten times the price of a share, the second largest five times; a sole holder gets both.
    Seats that tie share, each amount rounded up to the next $100. A tie for the first rank shares both bonuses, and
    no second is paid.
    """
    first: i64 = 0  # shares
    second: i64 = 0
    firsts: i64 = 0  # seats that hold `first` shares
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
    rank: i64 = FIRST
    second_rank: i64 = SECOND
    if firsts > 1:
        major = shared(15 * price, firsts)
        second, rank = -1, TIE
    elif second == 0:
        major += minor
        second, rank = -1, BOTH
    elif seconds > 1:
        minor, second_rank = shared(minor, seconds), TIE_SECOND
    at = layout.SHARES + chain
    for seat in range(seats):
        held = fields[at]
        at += layout.STRIDE
        if held == first:
            out[seat], ranks[seat] = major, rank
        elif held == second:
            out[seat], ranks[seat] = minor, second_rank


def paid_seats(seats: i64, amounts: vec[i64], ranks: vec[i64]) -> list[i64]:
    """Return the seats that bonuses() gives an amount, those of the first rank before those of the second."""
    firsts: list[i64] = []
    seconds: list[i64] = []
    for seat in range(seats):
        if amounts[seat]:
            (seconds if ranks[seat] == SECOND or ranks[seat] == TIE_SECOND else firsts).append(seat)
    return firsts + seconds


def shared(amount: i64, holders: i64) -> i64:
    """Return the amount that each of the holders gets, rounded up to the next $100."""
    hundred_each = 100 * holders
    return (amount + hundred_each - 1) // hundred_each * 100
