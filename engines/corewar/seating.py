"""Seats in a battle as pMARS 0.9.2 gives them: a warrior without PIN joins an earlier one that has PIN 0."""

from collections.abc import Iterable

from core.corewar.warrior import Warrior


def seated(warriors: Iterable[Warrior]) -> list[Warrior]:
    """The warriors in their order, each with the PIN under which it shares its P-space."""
    seats: list[Warrior] = []
    for each in warriors:
        joins = each.pin is None and any(earlier.pin == 0 for earlier in seats)
        seats.append(Warrior(each.name, each.author, each.cells, each.start, 0) if joins else each)
    return seats
