"""Who shares a P-space with whom."""

import pytest

from core.corewar.instruction import EMPTY
from core.corewar.warrior import Warrior
from engines.corewar.seating import seated

Pins = tuple[int | None, ...]


@pytest.mark.parametrize(
    ("pins", "seen"),
    [
        ((0, None), (0, 0)),
        ((None, 0), (None, 0)),
        ((3, None), (3, None)),
        ((0, 1), (0, 1)),
        ((None, 0, 5, None, None), (None, 0, 5, 0, 0)),
        ((), ()),
    ],
)
def test_who_has_no_pin_joins_an_earlier_pin_0(pins: Pins, seen: Pins) -> None:
    warriors = [Warrior(str(seat), "", (EMPTY,), 0, pin) for seat, pin in enumerate(pins)]
    seats = seated(warriors)
    assert tuple(each.pin for each in seats) == seen
    assert [each.name for each in seats] == [each.name for each in warriors]
