"""The MARS against the rules, one by one."""

import pickle
from random import Random
from typing import Any

import pytest

from core.corewar.instruction import EMPTY
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from tests.core.corewar.soup import cell, random_warrior, text, warrior

WAIT = "JMP.B $0,$0"
DIE = "DAT.F #0,#0"


def alone(line: str, ticks: int, **rules: Any) -> Mars:
    """A warrior alone at 0, after so many ticks."""
    mars = Mars(Rules(**rules), [warrior(line, rules.get("size", 8000))])
    mars.begin([0], 0)
    mars.run(ticks)
    return mars


def multi(lines: list[str], rules: Rules, starter: int = 0) -> Mars:
    mars = Mars(rules, [warrior(line, rules.size) for line in lines])
    mars.begin([rules.distance * seat for seat in range(len(lines))], starter)
    return mars


# -- Operands ----------------------------------------------------------------------------------------


def test_post_increment_leaves_a_copy_of_the_old_cell() -> None:
    """Core War Tribes / Evolving Warriors, section Addressing Modes, has this example."""
    mars = alone("ORG 1 / DAT.F #5,#-10 / MOV.I $-1,}-1", 1)
    assert text(mars.cell(0)) == "DAT.F #6,#7990"
    assert text(mars.cell(5)) == "DAT.F #5,#7990"


@pytest.mark.parametrize(
    ("mode", "pointer", "hit"),
    [
        ("@", "DAT.F $9,$4", 6),
        ("<", "DAT.F $9,$3", 5),
        (">", "DAT.F $9,$5", 6),
        ("*", "DAT.F $9,$4", 11),
        ("{", "DAT.F $8,$4", 10),
        ("}", "DAT.F $10,$4", 11),
    ],
)
def test_indirect_modes_reach_the_addressed_cell(mode: str, pointer: str, hit: int) -> None:
    mars = alone(f"MOV.AB #77,{mode}2 / {WAIT} / DAT.F $9,$4", 1)
    assert text(mars.cell(2)) == pointer
    assert text(mars.cell(hit)) == "DAT.F $0,$77"


def test_modes_act_even_where_the_operation_ignores_the_operand() -> None:
    mars = alone("DAT.F <1,<2 / DAT.F $0,$5 / DAT.F $0,$0", 1)
    assert [text(mars.cell(1)), text(mars.cell(2))] == ["DAT.F $0,$4", "DAT.F $0,$7999"]


def test_b_is_captured_before_the_increment_and_written_after_it() -> None:
    """`>` on itself: 3 + 4 from the captured 3, then the incremented A value stays beside it."""
    mars = alone("ADD.AB #4,}1 / DAT.F $0,$3", 1)
    assert text(mars.cell(1)) == "DAT.F $1,$7"


def test_an_immediate_operand_is_the_fetched_instruction() -> None:
    """The A operand decrements the instruction itself: #2 of B is still 2, $0 of B is the cell as it is by now."""
    assert text(alone("ADD.B <0,#2 / DAT.F $0,$10", 1).cell(0)) == "ADD.B <0,#12"
    assert text(alone("ADD.B <0,$0", 1).cell(0)) == "ADD.B <0,$7999"


# -- Operations --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("MOV.A $1,$2", "DAT.F $3,$20"),
        ("MOV.B $1,$2", "DAT.F $10,$5"),
        ("MOV.AB $1,$2", "DAT.F $10,$3"),
        ("MOV.BA $1,$2", "DAT.F $5,$20"),
        ("MOV.F $1,$2", "DAT.F $3,$5"),
        ("MOV.X $1,$2", "DAT.F $5,$3"),
        ("MOV.I $1,$2", "JMP.B #3,@5"),
        ("ADD.A $1,$2", "DAT.F $13,$20"),
        ("ADD.X $1,$2", "DAT.F $15,$23"),
        ("ADD.I $1,$2", "DAT.F $13,$25"),
        ("SUB.F $1,$2", "DAT.F $7,$15"),
        ("SUB.BA $1,$2", "DAT.F $5,$20"),
        ("SUB.AB #21,$2", "DAT.F $10,$7999"),
        ("MUL.AB $1,$2", "DAT.F $10,$60"),
        ("DIV.F $1,$2", "DAT.F $3,$4"),
        ("MOD.X $1,$2", "DAT.F $0,$2"),
        ("DJN.F $0,$2", "DAT.F $9,$19"),
        ("DJN.A $0,$2", "DAT.F $9,$20"),
    ],
)
def test_operations_write_the_expected_values(line: str, result: str) -> None:
    mars = alone(f"{line} / JMP.B #3,@5 / DAT.F $10,$20", 1)
    assert text(mars.cell(2)) == result


@pytest.mark.parametrize(
    ("line", "follower"),
    [
        ("JMP.A $3,$0", 3),
        ("JMZ.B $3,$1", 1),
        ("JMZ.A $3,$1", 3),
        ("JMZ.F $3,$1", 1),
        ("JMN.F $3,$1", 3),
        ("JMN.A $3,$1", 1),
        ("DJN.B $3,$2", 1),
        ("DJN.F $3,$2", 3),
        ("SEQ.A $1,$2", 2),
        ("CMP.I $1,$2", 1),
        ("SNE.I $1,$2", 2),
        ("SNE.A $1,$2", 1),
        ("SEQ.X $1,$2", 1),
        ("SLT.B $2,$1", 2),
        ("SLT.F $2,$1", 1),
        ("SLT.AB #7998,$1", 1),
        ("SLT.AB #4,$1", 2),
        ("NOP.F $3,$3", 1),
    ],
)
def test_jumps_and_skips_continue_at_the_expected_address(line: str, follower: int) -> None:
    mars = alone(f"{line} / DAT.F $0,$5 / DAT.F $0,$1", 1)
    assert mars.processes(0) == [follower]


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("DIV.F $1,$2 / DAT.F #0,#2", "DAT.F $8,$4"),
        ("MOD.I $1,$2 / DAT.F #3,#0", "DAT.F $2,$9"),
        ("DIV.X $1,$2 / DAT.F #0,#2", "DAT.F $4,$9"),
        ("DIV.A $1,$2 / DAT.F #0,#2", "DAT.F $8,$9"),
    ],
)
def test_division_by_zero_kills_after_the_other_half(line: str, result: str) -> None:
    mars = alone(f"{line} / DAT.F $8,$9", 1)
    assert text(mars.cell(2)) == result
    assert mars.over and not mars.is_alive(0)


def test_multiplication_does_not_overflow() -> None:
    size = 1 << 24
    mars = alone(f"MUL.F $1,$1 / DAT.F ${size - 1},${size - 3}", 1, size=size, distance=100)
    assert text(mars.cell(1)) == "DAT.F $1,$9"


def test_split_queues_the_next_first_and_stops_at_the_limit() -> None:
    mars = alone("SPL.B $5,$0", 1)
    assert mars.processes(0) == [1, 5]
    mars = alone("SPL.B $0,$0 / JMP.B $-1,$0", 1000, processes=70)
    assert len(mars.processes(0)) == 70


@pytest.mark.parametrize("processes", [1, 125, 126, 127, 128, 129, 1000, 5000])
def test_two_warriors_fork_up_to_the_limit_however_the_round_is_sliced(processes: int) -> None:
    rules = Rules(8000, 5 * processes + 10, processes, 3, 8)
    forks = ["SPL.B $0,$0 / JMP.B $-1,$0", "SPL.B #0,$0 / SPL.B #0,$0 / JMP.B $-2,$0"]
    whole, sliced = multi(forks, rules, 1), multi(forks, rules, 1)
    assert whole.run(10**9)
    while not sliced.run(37):
        assert sliced.count(0) <= processes and sliced.count(1) <= processes
    assert [whole.count(0), whole.count(1)] == [processes, processes]
    assert state(whole) == state(sliced)


# -- Ticks and rounds --------------------------------------------------------------------------------


def test_a_death_among_three_costs_its_share_and_one_tick() -> None:
    mars = multi([DIE, WAIT, WAIT], Rules(cycles=100))
    assert mars.run(10**6)
    assert mars.executed == 200
    assert mars.results == [[0, 0, 0, 0, 1], [0, 1, 0, 0, 0], [0, 1, 0, 0, 0]]


def test_a_death_at_the_last_tick_ends_the_round() -> None:
    """pMARS goes on for ever here: two waiters and DAT at -c 1."""
    mars = multi([WAIT, WAIT, DIE], Rules(cycles=1))
    assert mars.run(10**6)
    assert (mars.executed, mars.ticks_left, mars.living) == (3, 0, 2)


def test_deaths_are_counted_by_their_order() -> None:
    mars = multi([WAIT, f"JMP.B $1,$0 / {DIE}", DIE], Rules(cycles=100))
    mars.run(10**6)
    assert [mars.is_alive(seat) for seat in range(3)] == [True, False, False]
    assert mars.results == [[1, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]


def test_the_starter_is_first_and_the_turn_goes_round() -> None:
    mars = multi([WAIT, WAIT, WAIT], Rules(), starter=1)
    turns = []
    for _ in range(5):
        turns.append(mars.turn)
        mars.run(1)
    assert turns == [1, 2, 0, 1, 2]


def test_one_warrior_fights_until_it_dies_or_time_is_out() -> None:
    assert alone(WAIT, 10**6).executed == 80000
    assert alone(f"NOP.F $0,$0 / {DIE}", 10**6).executed == 2


def test_a_warrior_without_instructions_dies_at_once() -> None:
    mars = Mars(Rules(), [Warrior("", "", (), 0), warrior(WAIT)])
    mars.begin([0, 4000], 0)
    assert mars.run(10) and mars.executed == 1 and mars.results[0] == [0, 0, 1]


def test_a_new_round_starts_in_an_empty_core() -> None:
    """Both after few writes, which are remembered, and after many."""
    for ticks in (100, 100_000):
        mars = multi(["MOV.I $0,$1", WAIT], Rules(distance=4000))
        mars.run(ticks)
        mars.begin([0, 5000], 0)
        loaded = {0: "MOV.I $0,$1", 5000: WAIT}
        assert all(mars.cell(address) == EMPTY for address in range(8000) if address not in loaded)
        assert {address: text(mars.cell(address)) for address in loaded} == loaded


@pytest.mark.parametrize("seed", range(60))
def test_slicing_does_not_change_the_result_of_a_round(seed: int) -> None:
    rng = Random(seed)
    rules = Rules(rng.choice([97, 800]), 500, rng.choice([1, 7, 100]), 8, 8)
    warriors = [random_warrior(rng, rules) for _ in range(rng.randint(1, 6))]
    whole, sliced = Mars(rules, warriors), Mars(rules, warriors)
    for starter in range(len(warriors)):
        positions = [rules.distance * seat for seat in range(len(warriors))]
        whole.begin(positions, starter)
        sliced.begin(positions, starter)
        assert whole.run(10**9)
        while not sliced.run(rng.choice([1, 2, 3, 100])):
            pass
        assert state(whole) == state(sliced)


def state(mars: Mars) -> list[object]:
    """All that can be seen of a MARS."""
    seats = range(len(mars.warriors))
    return [
        [mars.cell(address) for address in range(mars.rules.size)],
        [mars.processes(seat) for seat in seats],
        [mars.pspace(seat) for seat in seats],
        (mars.results, mars.executed, mars.ticks_left, mars.living, mars.turn),
    ]


# -- P-space -----------------------------------------------------------------------------------------


def test_pspace_cell_0_is_the_last_outcome_and_can_be_written_in_a_round() -> None:
    mars = multi(["LDP.AB #0,$2 / STP.AB #5,#0 / DAT.F #0,#0 / LDP.AB #500,$-1", WAIT], Rules())
    mars.run(3)
    assert text(mars.cell(2)) == "DAT.F #0,#7999"
    assert mars.pspace(0)[0] == 5
    mars.run(10**6)
    assert (mars.pspace(0)[0], mars.pspace(1)[0]) == (0, 1)


def test_pspace_indices_wrap_at_the_pspace_size() -> None:
    mars = alone("STP.AB #9,#507 / LDP.AB #1007,$1 / DAT.F #0,#0", 2)
    assert text(mars.cell(2)) == "DAT.F #0,#9"


def test_a_pin_shares_all_pspace_cells_but_the_first() -> None:
    store = "STP.AB #9,#3 / STP.AB #8,#0 / JMP.B $0,$0"
    mars = multi([f"PIN 4 / {store}", f"PIN 4 / {WAIT}", WAIT], Rules())
    mars.run(9)
    assert [mars.pspace(seat)[3] for seat in range(3)] == [9, 9, 0]
    assert [mars.pspace(seat)[0] for seat in range(3)] == [8, 7999, 7999]
    assert mars.shares == [0, 0, 2]


def test_loading_warriors_clears_pspace_results_and_core() -> None:
    mars = alone("STP.AB #9,#3 / DAT.F #0,#0", 5)
    mars.load_warriors([warrior(WAIT)])
    assert mars.pspace(0)[:4] == [7999, 0, 0, 0]
    assert mars.results == [[0]] and mars.over
    assert mars.cell(0) == EMPTY


# -- Edits, and what is refused ----------------------------------------------------------------------


def test_edits_are_undone_by_the_next_round() -> None:
    mars = alone(WAIT, 5)
    mars.set_cell(4711, cell("JMP.B $-1,$0", 8000))
    mars.set_processes(0, [4711, 5, 6])
    mars.run(1)
    assert mars.processes(0) == [5, 6, 4710]
    assert mars.last_address == 4711
    mars.begin([0], 0)
    assert mars.cell(4711) == EMPTY


def test_impossible_matches_addresses_and_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="too small for"):
        Mars(Rules(size=150), [warrior(WAIT), warrior(WAIT)])
    with pytest.raises(ValueError, match="does not fit a core of 100 cells"):
        Mars(Rules(size=100), [warrior("JMP.B $100,$0")])
    mars = alone(WAIT, 5)
    for address in (-1, 8000):
        with pytest.raises(ValueError, match="has no address"):
            mars.set_cell(address, EMPTY)
        with pytest.raises(ValueError, match="has no address"):
            mars.set_processes(0, [address])
        with pytest.raises(ValueError, match="has no address"):
            mars.begin([address], 0)
    with pytest.raises(ValueError, match="is not a cell"):
        mars.set_cell(0, cell("JMP.B $8000,$0", 9000))


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 0},
        {"size": 2**24 + 1},
        {"cycles": 0},
        {"length": 101},
        {"pspace": 8001},
        {"read_limit": 7},
    ],
)
def test_impossible_rules_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\d"):
        Rules(**wrong)


@pytest.mark.parametrize(
    ("size", "pspace"), [(8000, 500), (55440, 3465), (80, 5), (800, 50), (97, 97), (99, 9)]
)
def test_the_default_pspace_is_a_sixteenth_or_the_next_larger_divisor(size: int, pspace: int) -> None:
    assert Rules(size=size, length=1, distance=1).pspace == pspace


def test_rules_and_warriors_survive_pickling() -> None:
    rules, fighter = Rules(size=80, cycles=800, length=5, distance=5), warrior("PIN 3 / JMP.B $0,$0")
    assert pickle.loads(pickle.dumps(rules)) == rules != Rules()
    assert pickle.loads(pickle.dumps(fighter)) == fighter != warrior(WAIT)
    assert len({rules, pickle.loads(pickle.dumps(rules))}) == 1
