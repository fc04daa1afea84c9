"""Viability: a warrior that survives alone in an empty core.

Reference: Evolving Warriors, section Tribes and Breeding.
"""

from core.corewar.mars import Mars
from core.corewar.warrior import Warrior


def is_viable(warrior: Warrior, mars: Mars, cycles: int) -> bool:
    """Whether it lives after so many cycles. Whatever fought in this core is gone."""
    mars.enlist([warrior])
    mars.begin([0], 0)
    mars.run(cycles)
    return mars.living > 0
