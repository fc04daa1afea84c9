"""The checks after a turn, at their borders."""

import pytest

from core.protection.rules import CHAOS, HUMAN, NOBODY, RULES, ending


@pytest.mark.parametrize(
    ("rules", "turn", "has_units", "treasury", "human", "chaos", "expected"),
    [
        # with nothing left
        ("seed", 1, False, 0, 0, 100, (CHAOS, "eliminated")),
        ("seed", 1, False, 1, 1, 100, None),
        ("seed", 1, False, 19, 19, 100, None),
        ("improved", 1, False, 19, 19, 100, (CHAOS, "eliminated")),
        ("improved", 1, False, 20, 20, 100, None),
        ("improved", 1, True, 0, 20, 100, None),
        ("seed", 1, False, 0, 0, 0, (CHAOS, "eliminated")),  # before surrender
        # twenty to one
        ("seed", 1, True, 0, 1999, 100, None),
        ("seed", 1, True, 0, 2000, 100, None),
        ("seed", 1, True, 0, 2001, 100, (HUMAN, "surrender")),
        ("seed", 1, True, 0, 20, 0, (HUMAN, "surrender")),
        ("improved", 1, True, 0, 2001, 100, (HUMAN, "surrender")),
        ("improved", 1, True, 0, 100, 1999, None),
        ("improved", 1, True, 0, 100, 2000, None),
        ("improved", 1, True, 0, 100, 2001, (CHAOS, "chaos_twenty")),
        ("seed", 1, True, 0, 100, 9999, None),
        # the last turn
        ("improved", 59, True, 0, 500, 400, None),
        ("improved", 60, True, 0, 401, 400, (HUMAN, "turn_cap")),
        ("improved", 60, True, 0, 399, 400, (CHAOS, "turn_cap")),
        ("improved", 60, True, 0, 400, 400, (NOBODY, "turn_cap")),
        ("improved", 60, True, 0, 8001, 400, (HUMAN, "surrender")),
        ("seed", 60, True, 0, 401, 400, None),
    ],
)
def test_an_ending(
    rules: str,
    turn: int,
    has_units: bool,
    treasury: int,
    human: int,
    chaos: int,
    expected: tuple[int, str] | None,
) -> None:
    assert ending(RULES[rules], turn, has_units, treasury, human, chaos) == expected
