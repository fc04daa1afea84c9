"""The niche of a warrior: how it lives alone, so that one way of life does not displace all others in a tribe.

The best of each niche is kept as in MAP-Elites (J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping
elites", 2015), which Digital Red Queen (2026) used for warriors, with other measures.
"""

from typing import Final

from core.corewar.instruction import EMPTY
from core.corewar.mars import Mars
from core.corewar.warrior import Warrior

PARTS: Final = 64  # of the core
LEVELS: Final = 4  # of each measure: one part at most, up to seven, up to thirty-one, more


def niche(warrior: Warrior, mars: Mars, cycles: int) -> int:
    """After so many cycles: in how much of the core it executes, and how much it has changed."""
    begin_alone(warrior, mars)
    mars.run(cycles)
    changed = sum(cell != EMPTY for cell in mars.core) * PARTS // mars.size
    return _level(homes(mars)) * LEVELS + _level(changed)


def begin_alone(warrior: Warrior, mars: Mars) -> None:
    """In an empty core. Whatever fought there is gone."""
    mars.enlist([warrior])
    mars.begin([0], 0)


def homes(mars: Mars) -> int:
    """In how many of the parts the only warrior executes now, other than to die in an empty cell."""
    core = mars.core
    lived_in = {address * PARTS // mars.size for address in mars.processes(0) if core[address] != EMPTY}
    return len(lived_in)


def _level(parts: int) -> int:
    return min(parts.bit_length() // 2, LEVELS - 1)
