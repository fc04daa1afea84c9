"""The literal reading of the rules against the MARS, and what it says about single instructions."""

from random import Random

import pytest

from core.corewar.instruction import MODIFIERS
from core.corewar.interpreter import (
    DECREMENT,
    DIE,
    EXECUTE,
    INCREMENT,
    READ,
    SPLIT,
    WRITE,
    InstructionTrace,
    execute_word,
    operands,
    trace,
)
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from tests.core.corewar.soup import random_warrior, run_literally, text, warrior
from tests.core.corewar.test_mars import state
from tools.mypyc_patches.specialise import COMMON


@pytest.mark.parametrize("seed", range(225))
def test_the_literal_interpreter_agrees_with_the_mars(seed: int) -> None:
    """Whole rounds of random warriors with all operations, instruction by instruction and at full speed."""
    rng = Random(seed)
    size = rng.choice([60, 97, 1000])
    limits = [limit for limit in (1, 2, 3, 20, size // 2, size) if size % limit == 0]
    later = seed % 3 == 0
    rules = Rules(
        size, rng.choice([3, 400]), rng.choice([1, 3, 100]), 10, 10, rng.choice([0, 1, 7]),
        rng.choice(limits) if later else 0, rng.choice(limits) if later else 0, later,
    )  # fmt: skip
    warriors = [random_warrior(rng, rules) for _ in range(rng.randint(1, 5))]
    fast, literal = Mars(rules, warriors), Mars(rules, warriors)
    for starter in range(len(warriors)):
        positions = [10 * seat for seat in range(len(warriors))]
        fast.begin(positions, starter)
        literal.begin(positions, starter)
        while not run_literally(literal, 50):
            fast.run(50)
            assert state(fast) == state(literal)
        fast.run(50)
        assert state(fast) == state(literal)


@pytest.mark.parametrize("seed", range(30))
def test_specialised_instructions_agree_with_the_literal_interpreter(seed: int) -> None:
    """What has a body of its own in the compiled MARS, against the literal reading; with any modifier where none is named."""
    rng = Random(seed)
    size = rng.choice([59, 800])
    lines = [
        f"{name if '.' in name else f'{name}.{rng.choice(MODIFIERS)}'} {modes[0]}%d,{modes[1]}%d"
        for name, pairs in COMMON.items()
        for modes in pairs.split()
        for _ in range(1 if name == "DAT" else 3)
    ]
    rules = Rules(size, 500, 20, 25, 25)
    programs = [
        " / ".join(line % (rng.randint(-9, 9), rng.randint(-9, 9)) for line in rng.sample(lines, 25))
        for _ in range(2)
    ]
    fast, literal = (Mars(rules, [warrior(program, size) for program in programs]) for _ in range(2))
    for round_ in range(8):
        positions = [0, rng.randint(25, size - 25)]
        fast.begin(positions, round_ % 2)
        literal.begin(positions, round_ % 2)
        while not run_literally(literal, 7):
            fast.run(7)
            assert state(fast) == state(literal)
        fast.run(7)
        assert state(fast) == state(literal)


@pytest.mark.parametrize(
    "line",
    [
        "MOV.I $1,$20",
        "MOV.AB #5,$20",
        "ADD.F #1,$20",
        "DJN.F $1,$20",
        "NOP.A <20,$0",
        "NOP.A $0,>20",
        "NOP.A }20,>20",
    ],
)
def test_instructions_changed_just_before_execution_run_as_changed(line: str) -> None:
    """It may have been fetched by then. What is added, and where, stands in it."""
    rules = Rules(40, 100, 20, 20, 20)
    programs = [f"NOP.A $0,$0 / {line} / DAT.F #0,#0", "NOP.A $0,$0 / ADD.F #1,$3"]
    fast, literal = (Mars(rules, [warrior(program, 40) for program in programs]) for _ in range(2))
    for mars in (fast, literal):
        mars.begin([0, 20], 0)
    fast.run(4)
    run_literally(literal, 4)
    assert state(fast) == state(literal)


@pytest.mark.parametrize("seed", range(100))
def test_only_cells_announced_by_trace_are_changed(seed: int) -> None:
    rng = Random(seed)
    rules = Rules(50, 300, 5, 10, 10)
    mars = Mars(rules, [random_warrior(rng, rules) for _ in range(2)])
    mars.begin([0, 25], 0)
    while not mars.over:
        before = [mars.cell(address) for address in range(50)]
        announced = trace(mars)
        mars.run(1)
        changed = {address for address in range(50) if mars.cell(address) != before[address]}
        assert changed <= {address for kind, address in announced if kind in (WRITE, DECREMENT, INCREMENT)}
    assert trace(mars) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MOV.I $1,$2", [(EXECUTE, 0), (READ, 1), (WRITE, 2)]),
        ("ADD.AB #1,<1", [(EXECUTE, 0), (DECREMENT, 1), (READ, 0), (WRITE, 0)]),
        ("MOV.I }1,>2", [(EXECUTE, 0), (INCREMENT, 1), (INCREMENT, 2), (READ, 1), (WRITE, 2)]),
        ("SPL.B $4,$0", [(EXECUTE, 0), (SPLIT, 4)]),
        ("JMZ.B $4,$1", [(EXECUTE, 0), (READ, 1)]),
        ("SNE.I $1,$2", [(EXECUTE, 0), (READ, 2), (READ, 1)]),
        ("DJN.F $4,$1", [(EXECUTE, 0), (DECREMENT, 1)]),
        ("DIV.F $2,$1", [(EXECUTE, 0), (READ, 2), (DIE, 0)]),
        ("DAT.F #0,#0", [(EXECUTE, 0), (DIE, 0)]),
    ],
)
def test_trace_lists_the_effects_of_single_instructions(line: str, expected: list[tuple[int, int]]) -> None:
    mars = Mars(Rules(), [warrior(f"{line} / DAT.F $0,$0")])
    mars.begin([0], 0)
    assert trace(mars) == expected


def test_a_split_at_the_process_limit_has_no_effect() -> None:
    mars = Mars(Rules(processes=1), [warrior("SPL.B $4,$0")])
    mars.begin([0], 0)
    step = InstructionTrace(mars, mars.cell(0))
    assert (step.next_processes, step.effects) == ([1], [(EXECUTE, 0)])


@pytest.mark.parametrize(
    ("word", "expected", "changed", "processes"),
    [
        ("ADD.AB #3,$1", (0, 1), "NOP.F $1,$5", [1]),
        ("MOV.I }1,>1", (2, 3), "NOP.F $2,$3", [1]),
        ("JMP.B @1,$0", (3, 0), "NOP.F $1,$2", [3]),
        ("SPL.B #0,<1", (0, 2), "NOP.F $1,$1", [1, 0]),
        ("STP.AB #7,#3", (0, 0), "NOP.F $1,$2", [1]),
        ("DAT.F $0,$0", (0, 0), "NOP.F $1,$2", []),
    ],
)
def test_execute_word_runs_a_word_instead_of_the_current_cell(
    word: str, expected: tuple[int, int], changed: str, processes: list[int]
) -> None:
    mars = Mars(Rules(), [warrior("DAT.F $0,$0 / NOP.F $1,$2"), warrior("DAT.F $0,$0")])
    mars.begin([0, 4000], 0)
    cell = warrior(word).cells[0]
    assert operands(mars, cell) == expected
    assert (text(mars.cell(1)), mars.executed) == ("NOP.F $1,$2", 0)
    execute_word(mars, cell)
    assert text(mars.cell(0)) == "DAT.F $0,$0"
    assert (text(mars.cell(1)), mars.processes(0), mars.executed) == (changed, processes, 1)
    assert mars.pspace(0)[3] == (7 if word.startswith("STP") else 0)


# -- Read and write limits ---------------------------------------------------------------------------


def limited(line: str, read_limit: int, write_limit: int) -> Mars:
    rules = Rules(80, 800, 8, 5, 5, read_limit=read_limit, write_limit=write_limit)
    mars = Mars(rules, [warrior(line, 80)])
    mars.begin([0], 0)
    mars.run(1)
    return mars


def test_a_write_beyond_the_limit_is_folded_back() -> None:
    """With a write limit of 20 an instruction reaches from -9 to 10."""
    for offset, hit in ((10, 10), (11, 71), (-9, 71), (25, 5)):
        assert text(limited(f"MOV.AB #7,${offset}", 0, 20).cell(hit)) == "DAT.F $0,$7"


def test_a_read_beyond_the_limit_is_folded_back() -> None:
    assert text(limited("MOV.I $21,$5 / DAT.F #1,#2", 20, 0).cell(5)) == "DAT.F #1,#2"
    assert limited("JMP.B $31,$0", 20, 0).processes(0) == [71]


def test_a_modified_pointer_is_addressed_by_the_write_limit() -> None:
    mars = limited("MOV.I <30,$5 / DAT.F $0,$0", 40, 10)
    assert text(mars.cell(0)) == "MOV.I <30,$4"


@pytest.mark.parametrize(("later", "following"), [(False, 1), (True, 7999)])
def test_an_immediate_b_operand_is_read_after_the_a_operand_since_094(later: bool, following: int) -> None:
    """The A operand increments the B value from -1 to 0, at which the instruction jumps."""
    mars = Mars(Rules(later=later), [warrior("JMZ.B >0,#-1")])
    mars.begin([0], 0)
    assert InstructionTrace(mars, mars.cell(0)).next_processes == [following]
    mars.run(1)
    assert mars.next_address == following
