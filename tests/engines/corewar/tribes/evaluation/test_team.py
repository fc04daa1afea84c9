"""Teams: a side lives while one of its members does, and members share a P-space."""

from dataclasses import replace

import pytest

from core.corewar.warrior import Warrior
from core.random import Random
from engines.config import ConfigError
from engines.corewar import load_file
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.fight import Ring
from engines.corewar.tribes.evaluation.team import line_up

CONFIG = TribesConfig(
    core_size=800, cycles=2000, processes=80, length=20, distance=20, founders_longest=5, evaluation="elite",
    pspace="on", team=2, tribes=4,
)  # fmt: skip
WAITER = load_file.loads("JMP.B $0, $0", CONFIG.rules)
SUICIDE = load_file.loads("DAT.F $0, $0", CONFIG.rules)
WRITER = load_file.loads("STP.AB #1, #1\nJMP.B $0, $0", CONFIG.rules)
READER = load_file.loads(  # it dies unless cell 1 of P-space has been written
    "NOP.F $0, $0\nNOP.F $0, $0\nLDP.AB #1, #0\nJMZ.B $2, $-1\nJMP.B $0, $0\nDAT.F $0, $0", CONFIG.rules
)


def counts(side: list[Warrior], opponent: Warrior) -> tuple[int, int, int]:
    first, *partners = side
    outcome = Ring.of(CONFIG, 1, partners).fight(first, opponent, Random(1))
    return outcome.wins, outcome.ties, outcome.losses


@pytest.mark.parametrize("members", [2, 3])
def test_a_side_dies_with_its_last_member(members: int) -> None:
    assert counts([WAITER] * members, SUICIDE) == (1, 0, 0)
    assert counts([SUICIDE] * members, WAITER) == (0, 0, 1)
    assert counts([SUICIDE] * (members - 1) + [WAITER], WAITER) == (0, 1, 0)
    assert counts([SUICIDE] * (members - 1) + [WAITER], SUICIDE) == (1, 0, 0)


def test_members_find_in_p_space_what_others_left() -> None:
    assert counts([READER, SUICIDE], WAITER) == (0, 0, 1)
    assert counts([READER, WRITER], SUICIDE) == (1, 0, 0)
    assert counts([SUICIDE, READER], WRITER) == (0, 0, 1), "and opponents have another one"


def test_each_side_has_its_own_pin() -> None:
    team = line_up([[WAITER, WRITER], [SUICIDE, SUICIDE]])
    assert [warrior.pin for warrior in team] == [0, 0, 1, 1]
    assert [warrior.cells for warrior in team[:2]] == [WAITER.cells, WRITER.cells]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"core_size": 70}, "4 warriors 20 apart need a core of 80"),
        ({"team": 5}, "a team of 5 needs as many tribes"),
        ({"evaluation": "scrimmage"}, "teams need evaluation = elite"),
        ({"rounds": None}, "neither exact rounds nor rounds alike"),
    ],
)
def test_what_teams_need(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        replace(CONFIG, **change)  # type: ignore[arg-type]
