"""Fights under read and write limits, which no hill uses any more: exact, and not fast.

The limits fold an operand into the cells around its instruction, as pMARS 0.9.4 (-R, -W) does.
"""

from mypy_extensions import i64

from core.corewar.effects import Deed
from core.corewar.mars import Mars


def run_limited(mars: Mars, ticks: i64) -> bool:
    """Mars.run(), instruction by instruction."""
    while ticks > 0 and not mars.over:
        deed = Deed(mars)
        for address, cell in deed.cells.items():
            mars.set_cell(address, cell)
        if deed.stored is not None:
            mars.pspaces.remember(deed.seat, deed.stored[0], deed.stored[1])
        mars.take_turn(deed.followers)
        ticks -= 1
    return mars.over
