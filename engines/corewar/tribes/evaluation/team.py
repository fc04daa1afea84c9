"""Teams: a side of a fight is several warriors that share a P-space, each bred in a tribe of its own.

Reference: Evolving Warriors, section Future genetic work: "evolving teams of warriors that work together". A member's
partners are the best of the next tribes, as in M. A. Potter and K. A. De Jong, "A cooperative coevolutionary approach
to function optimization" (1994); an opponent comes as often as the side has members. A side lives while one of it does.
"""

from collections.abc import Sequence

from core.corewar.battle import Battle
from core.corewar.echo import Echo, finish
from core.corewar.warrior import Warrior


def line_up(sides: Sequence[Sequence[Warrior]]) -> list[Warrior]:
    """One behind the other, each side with a PIN of its own."""
    return [
        Warrior(warrior.name, warrior.author, warrior.cells, warrior.start, pin)
        for pin, side in enumerate(sides)
        for warrior in side
    ]


def fought(battle: Battle, echo: Echo) -> list[int]:
    """Fight a battle of two sides of equal size; the rounds that the first one won, tied and lost."""
    results = [0, 0, 0]
    members = len(battle.warriors) // 2
    while True:
        finish(battle.mars, echo)
        first, second = (
            any(battle.mars.is_alive(seat) for seat in range(side * members, (side + 1) * members))
            for side in range(2)
        )
        results[1 + second - first] += 1
        if not battle.next_round():
            return results
