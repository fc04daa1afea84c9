"""The chains on the board of Acquire: how tiles join chains, and the prices and limits that follow from sizes.

Each change of a cell is written to the undo log of the position, from which a trial is taken back.
"""

from mypy_extensions import i64

from core.acquire import layout
from core.acquire.board import BIT, LOWEST
from core.acquire.layout import CELL_SHIFT
from core.acquire.position import Position


def put(position: Position, tile: i64, value: i64) -> None:
    """Set the cell of a tile."""
    cells = position.cells
    position.undo_log[position.undo_size] = (cells[tile] << CELL_SHIFT) | tile
    position.undo_size += 1
    cells[tile] = value


def flood_fill(position: Position, tile: i64, mask: i64, value: i64) -> i64:
    """Set the cell of a tile, and all cells in `mask` that are connected to it, to `value`; return their number."""
    cells = position.cells
    undo_log = position.undo_log
    step = position.spec.stride
    start = position.undo_size
    end = start + 1
    undo_log[start] = (cells[tile] << CELL_SHIFT) | tile
    cells[tile] = value
    at = start
    while at < end:
        here = undo_log[at] & 0xFF
        at += 1
        near = here - 1
        if cells[near] & mask:
            undo_log[end] = (cells[near] << CELL_SHIFT) | near
            cells[near] = value
            end += 1
        near = here + 1
        if cells[near] & mask:
            undo_log[end] = (cells[near] << CELL_SHIFT) | near
            cells[near] = value
            end += 1
        near = here - step
        if cells[near] & mask:
            undo_log[end] = (cells[near] << CELL_SHIFT) | near
            cells[near] = value
            end += 1
        near = here + step
        if cells[near] & mask:
            undo_log[end] = (cells[near] << CELL_SHIFT) | near
            cells[near] = value
            end += 1
    position.undo_size = end
    return end - start


def resize(position: Position, chain: i64, size: i64) -> None:
    """Set the size of a chain, its price, and the sets of chains on the board, of safe ones and of large ones."""
    fields = position.fields
    spec = position.spec
    bit = BIT[chain]
    fields[layout.SIZE + chain] = size
    fields[layout.PRICE + chain] = spec.prices[chain * (spec.squares + 1) + size]
    fields[layout.ON_BOARD] = _with_bit(fields[layout.ON_BOARD], bit, size > 0)
    fields[layout.SAFE] = _with_bit(fields[layout.SAFE], bit, size >= spec.safe)
    fields[layout.ENDS_GAME] = _with_bit(fields[layout.ENDS_GAME], bit, size >= spec.end)


def recount(position: Position) -> None:
    """Set the sizes of all chains from the cells of the board."""
    for chain in range(position.spec.chains):
        size: i64 = 0
        for tile in position.spec.tiles:
            size += 1 if position.cells[tile] == BIT[chain] else 0
        resize(position, chain, size)


def _with_bit(mask: i64, bit: i64, on: bool) -> i64:
    """Return the mask with the bit set or cleared."""
    return mask | bit if on else mask & ~bit


def ask_for_chain(position: Position, phase: i64, options: i64) -> i64:
    """Ask the seat whose turn it is to choose a chain of a mask and return -1, or return the only chain."""
    if options & (options - 1) == 0:
        return LOWEST[options]
    fields = position.fields
    fields[layout.PHASE] = phase
    fields[layout.SEAT] = fields[layout.TURN]
    fields[layout.OPTIONS] = options
    return -1
