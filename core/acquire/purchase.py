"""The purchase in Acquire, with which a turn ends: up to three shares of chains on the board, paid in cash.

A purchase is an action (core.acquire.actions): the number of shares of each chain, in four bits.
"""

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import events, layout
from core.acquire.actions import DECLARE_END, UNIT, shares_in
from core.acquire.board import BIT
from core.acquire.position import Position


def list_purchases(position: Position, out: vec[i64]) -> i64:
    """Write every purchase that can be made now to out[0], out[1] ..., depth first, and return their number."""
    fields = position.fields
    cash = fields[layout.CASH + fields[layout.TURN]]
    return _add_purchases(position, out, 0, 0, 0, position.spec.max_buy, cash)


def buy(position: Position, action: i64) -> None:
    """Make a purchase for the seat whose turn it is. Raises ValueError if the action is illegal."""
    fields = position.fields
    spec = position.spec
    seat = fields[layout.TURN]
    purchase = action & ~DECLARE_END
    ends = action != purchase
    count: i64 = 0
    cost: i64 = 0
    legal = purchase >> (4 * spec.chains) == 0 and (
        not ends or (not fields[layout.ANNOUNCED] and position.may_end())
    )
    rest = purchase
    chain: i64 = 0
    while rest > 0:
        shares = rest & 15
        rest >>= 4
        if shares:
            legal = legal and shares <= fields[layout.BANK + chain] and fields[layout.PRICE + chain] > 0
            count += shares
            cost += shares * fields[layout.PRICE + chain]
        chain += 1
        if chain > 7:
            legal = False
            break
    if not legal or count > spec.max_buy or cost > fields[layout.CASH + seat]:
        raise ValueError(f"illegal action: {action}")
    if position.records_events:
        report_poverty(position)
        position.events.append(events.Bought(seat, purchase, cost))
    fields[layout.PURCHASE + seat] = purchase
    _move_shares(fields, seat, purchase)
    fields[layout.CASH + seat] -= cost


def report_poverty(position: Position) -> None:
    """Record an event if there are shares to buy and the seat whose turn it is can pay for none."""
    fields = position.fields
    shares: i64 = 0
    for chain in range(position.spec.chains):
        if fields[layout.ON_BOARD] & BIT[chain]:
            shares += fields[layout.BANK + chain]
    if shares and not position.can_buy():
        position.events.append(events.CannotBuy(fields[layout.TURN]))


def _add_purchases(
    position: Position, out: vec[i64], count: i64, purchase: i64, chain: i64, most: i64, cash: i64
) -> i64:
    """Write a purchase and all that add up to `most` shares of `chain` and later chains; return the new count."""
    fields = position.fields
    out[count] = purchase
    count += 1
    if most:
        for more in range(chain, position.spec.chains):
            price = fields[layout.PRICE + more]
            if price and price <= cash and shares_in(purchase, more) < fields[layout.BANK + more]:
                added = purchase + UNIT[more]
                count = _add_purchases(position, out, count, added, more, most - 1, cash - price)
    return count


def _move_shares(fields: vec[i64], seat: i64, purchase: i64) -> None:
    """Move the shares of a purchase from the bank to a seat."""
    chain: i64 = 0
    while purchase:
        shares = purchase & 15
        purchase >>= 4
        fields[layout.SHARES + seat * layout.STRIDE + chain] += shares
        fields[layout.BANK + chain] -= shares
        chain += 1
