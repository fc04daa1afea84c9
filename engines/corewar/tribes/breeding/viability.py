"""Viability: a warrior that survives alone in an empty core.

Reference: Evolving Warriors, section Tribes and Breeding.
"""

from core.corewar.mars import Mars
from core.corewar.warrior import Warrior
from engines.corewar.tribes.evaluation.niche import begin_alone


def is_viable(warrior: Warrior, mars: Mars, cycles: int) -> bool:
    """Whether it lives after so many cycles. Whatever fought in this core is gone."""
    begin_alone(warrior, mars)
    mars.run(cycles)
    return mars.living > 0
