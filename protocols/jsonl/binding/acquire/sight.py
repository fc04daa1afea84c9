"""A game of Acquire as a seat, or the public, sees it."""

from typing import Final

from core.acquire.board import tile_name
from core.acquire.ground import KINDS
from core.acquire.state import AcquireState
from core.acquire.table import (
    BANK,
    CASH,
    DRAWN,
    FOUND,
    IDLE,
    PHASE,
    PRICE,
    ROW,
    SHARES,
    SIZE,
    SURVIVOR,
    TILE,
    TURN,
)
from core.acquire.view import board_rows, hand_of
from protocols.jsonl.binding.acquire.shapes import Observation

PENDING: Final = (FOUND, SURVIVOR)  # phases in which the tile just placed is not settled


def observation(state: AcquireState, seat: int | None) -> Observation:
    """The public part, and the hand of `seat`."""
    setting, table = state.setting, state.table
    rules = setting.rules
    chains, seats = range(len(rules.chains)), range(int(setting.seats))
    is_open = rules.holdings == "open"
    cash = [int(table[CASH + other]) if is_open or other == seat else None for other in seats]
    shares = [
        [int(table[SHARES + other * ROW + chain]) for chain in chains] if is_open or other == seat else None
        for other in seats
    ]
    return Observation(
        board=_board(state),
        size=[int(table[SIZE + chain]) for chain in chains],
        price=[int(table[PRICE + chain]) for chain in chains],
        bank=[int(table[BANK + chain]) for chain in chains],
        cash=cash,
        shares=shares,
        bag_left=rules.squares - int(table[DRAWN]),
        turn=int(table[TURN]),
        idle=int(table[IDLE]),
        hand=None if seat is None else hand(state, seat),
    )


def hand(state: AcquireState, seat: int) -> list[tuple[str, str]]:
    """The tiles of a seat, each with what it would do."""
    rules = state.setting.rules
    return [(tile_name(rules, tile), KINDS[state.kind(tile)]) for tile in hand_of(state, seat)]


def _board(state: AcquireState) -> list[str]:
    rows = board_rows(state)
    if state.table[PHASE] in PENDING:
        column, row = divmod(int(state.table[TILE]), int(state.setting.stride))
        rows[row] = rows[row][: column - 1] + "*" + rows[row][column:]
    return rows
