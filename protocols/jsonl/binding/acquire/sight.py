"""A game of Acquire as a seat, or the public, sees it."""

from typing import Final

from core.acquire import layout
from core.acquire.notation import hand_of
from core.acquire.state import AcquireState
from protocols.jsonl.binding.acquire.lexicon import Lexicon
from protocols.jsonl.binding.acquire.shapes import Observation

PENDING: Final = (layout.FOUND, layout.SURVIVOR)  # phases in which the tile just placed is not settled


def observation(state: AcquireState, lexicon: Lexicon, seat: int | None) -> Observation:
    """The public part, and the hand of `seat`."""
    words: list[int] = list(state.fields)  # slices of a list cost a fifth of reading word by word
    chains, seats = len(lexicon.chains), int(state.spec.seats)
    cash: list[int | None] = [*words[layout.CASH : layout.CASH + seats]]
    rows = range(layout.SHARES, layout.SHARES + seats * layout.STRIDE, layout.STRIDE)
    shares: list[list[int] | None] = [words[row : row + chains] for row in rows]
    if lexicon.rules.holdings != "open":
        for other in range(seats):
            if other != seat:
                cash[other] = shares[other] = None
    return Observation(
        board=_board(state, lexicon),
        size=words[layout.SIZE : layout.SIZE + chains],
        price=words[layout.PRICE : layout.PRICE + chains],
        bank=words[layout.BANK : layout.BANK + chains],
        cash=cash,
        shares=shares,
        bag_left=lexicon.rules.squares - words[layout.DRAWN],
        turn=words[layout.TURN],
        idle=words[layout.TURNS_WITHOUT_TILE],
        hand=None if seat is None else hand(state, lexicon, seat),
    )


def hand(state: AcquireState, lexicon: Lexicon, seat: int) -> list[tuple[str, str]]:
    """The tiles of a seat, each with what it would do."""
    return [(lexicon.tiles[tile], layout.TILE_KINDS[state.kind(tile)]) for tile in hand_of(state, seat)]


def _board(state: AcquireState, lexicon: Lexicon) -> list[str]:
    """Rows from A down."""
    signs = list(map(lexicon.signs.__getitem__, state.cells))
    if state.fields[layout.PHASE] in PENDING:
        signs[state.fields[layout.TILE]] = "*"
    stride, squares = lexicon.stride, "".join(signs)
    end = stride * (lexicon.rules.columns + 1)
    return [squares[stride + row : end : stride] for row in range(lexicon.rules.rows)]
