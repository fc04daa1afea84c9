"""A merger in Acquire, from the tile between chains to the last decision about shares of the defunct ones.

    begin()            the largest chain survives; in a tie the seat whose turn it is chooses
    choose_survivor()  the other chains become part of the survivor; by some rules all their bonuses are paid now
    choose_defunct()   the largest defunct chain is next, in a tie by choice; its bonuses are paid, unless they were
    dispose()          each holder sells, trades or holds, from the seat whose turn it is on; then the next chain

Each of these functions plays to the next decision that leaves a choice, and returns whether the merger has ended, so
that the turn continues with the purchase. Defunct chains that have not been settled are in the field PENDING; their
sizes and prices before the merger are in OLD_SIZE and OLD_PRICE.
"""

from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import DISPOSE, ORDER, SURVIVOR, sold, traded
from core.acquire.board import BIT, LOWEST, UNINCORPORATED
from core.acquire.bonus import bonuses, paid_seats
from core.acquire.chains import ask_for_chain, flood_fill, resize
from core.acquire.events import BonusPaid, Disposed, Merged
from core.acquire.position import Position


def begin(position: Position, chains: i64) -> bool:
    """Start the merger of the chains in a mask, which the tile just placed connects."""
    position.fields[layout.PENDING] = chains
    only = ask_for_chain(position, SURVIVOR, _largest(position, chains, layout.SIZE))
    return only >= 0 and choose_survivor(position, only)


def choose_survivor(position: Position, survivor: i64) -> bool:
    """Make all chains of the merger part of the survivor."""
    fields = position.fields
    defunct = fields[layout.PENDING] & ~BIT[survivor]
    left = defunct
    while left:
        chain = LOWEST[left]
        left &= left - 1
        fields[layout.OLD_SIZE + chain] = fields[layout.SIZE + chain]
        fields[layout.OLD_PRICE + chain] = fields[layout.PRICE + chain]
        resize(position, chain, 0)
    gained = flood_fill(position, fields[layout.TILE], UNINCORPORATED | defunct, BIT[survivor])
    resize(position, survivor, fields[layout.SIZE + survivor] + gained)
    fields[layout.SURVIVOR_OF] = survivor
    fields[layout.PENDING] = defunct
    if position.records_events:
        size = fields[layout.SIZE + survivor]
        position.events.append(Merged(fields[layout.TURN], survivor, defunct, size))
    if position.spec.pays_all_first:
        while defunct:
            chain = LOWEST[defunct]
            defunct &= defunct - 1
            _pay(position, chain)
    return _next_defunct(position)


def choose_defunct(position: Position, chain: i64) -> bool:
    """Settle a defunct chain next: pay its bonuses, unless they are paid, and ask its holders."""
    fields = position.fields
    fields[layout.PENDING] &= ~BIT[chain]
    fields[layout.DEFUNCT] = chain
    if not position.spec.pays_all_first:
        _pay(position, chain)
    return _ask_holder(position, fields[layout.TURN])


def dispose(position: Position, action: i64) -> bool:
    """Trade and sell shares of the seat that decides. Raises ValueError if the action is illegal."""
    fields = position.fields
    trade, sell = traded(action), sold(action)
    held = position.held()
    if trade < 0 or trade & 1 or trade > position.most_trade() or trade + sell > held:
        raise ValueError(f"illegal action: {action}")
    seat, chain, survivor = fields[layout.SEAT], fields[layout.DEFUNCT], fields[layout.SURVIVOR_OF]
    fields[layout.SHARES + seat * layout.STRIDE + chain] -= trade + sell
    fields[layout.BANK + chain] += trade + sell
    fields[layout.SHARES + seat * layout.STRIDE + survivor] += trade >> 1
    fields[layout.BANK + survivor] -= trade >> 1
    fields[layout.CASH + seat] += sell * fields[layout.OLD_PRICE + chain]
    if position.records_events:
        position.events.append(Disposed(seat, chain, held - trade - sell, trade, sell))
    seat += 1
    if seat == position.spec.seats:
        seat = 0
    if seat == fields[layout.TURN]:
        return _next_defunct(position)
    return _ask_holder(position, seat)


def _next_defunct(position: Position) -> bool:
    """Settle the largest of the pending chains, or return True if there is none."""
    pending = position.fields[layout.PENDING]
    if pending == 0:
        return True
    only = ask_for_chain(position, ORDER, _largest(position, pending, layout.OLD_SIZE))
    return only >= 0 and choose_defunct(position, only)


def _ask_holder(position: Position, seat: i64) -> bool:
    """Ask the next holder of the defunct chain, clockwise from `seat` on; without one, settle the next chain."""
    fields = position.fields
    seats = position.spec.seats
    chain = fields[layout.DEFUNCT]
    while True:
        if fields[layout.SHARES + seat * layout.STRIDE + chain]:
            fields[layout.PHASE] = DISPOSE
            fields[layout.SEAT] = seat
            return False
        seat += 1
        if seat == seats:
            seat = 0
        if seat == fields[layout.TURN]:
            return _next_defunct(position)


def _pay(position: Position, chain: i64) -> None:
    fields = position.fields
    seats = position.spec.seats
    amounts, ranks = position.amounts, position.ranks
    bonuses(fields, seats, chain, fields[layout.OLD_PRICE + chain], amounts, ranks)
    for seat in range(seats):
        fields[layout.CASH + seat] += amounts[seat]
    if position.records_events:
        for paid in paid_seats(seats, amounts, ranks):
            position.events.append(BonusPaid(paid, chain, ranks[paid], amounts[paid]))


def _largest(position: Position, chains: i64, sizes: i64) -> i64:
    """Return the largest of the chains in a mask, as a mask; `sizes` is SIZE or OLD_SIZE."""
    fields = position.fields
    largest: i64 = 0
    best: i64 = -1
    while chains:
        chain = LOWEST[chains]
        chains &= chains - 1
        if fields[sizes + chain] > best:
            best = fields[sizes + chain]
            largest = 0
        if fields[sizes + chain] == best:
            largest |= BIT[chain]
    return largest
