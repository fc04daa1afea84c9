"""A replay shows what the instructions did."""

from hypothesis import given
from hypothesis import strategies as st

from core.corewar.effects import DIE, READ, SPLIT, effects
from engines.corewar.recording import record
from tests.tools.mars.screen.fights import CODES, RULES, battle
from tools.mars.screen.replay import DEAD, EXECUTED, MARKS, SEEN, WRITTEN, Replay

HEAVIER = {READ: SEEN, DIE: DEAD, 0: EXECUTED, SPLIT: None}


@given(st.sampled_from(CODES), st.sampled_from(CODES), st.integers(20, 780))
def test_each_instruction_leaves_its_marks(first: str, second: str, place: int) -> None:
    fight = battle(first, second, place)
    mars = fight.mars
    replay = Replay(record(battle(first, second, place)))
    while not mars.is_over():
        seat, touched = mars.turn, effects(mars)
        before = bytes(replay.shown)
        expected = bytearray(before)
        for kind, address in touched:
            mark = HEAVIER.get(kind, WRITTEN)
            light = expected[address] == 0 or (expected[address] - 1) % MARKS == SEEN
            if mark is not None and (mark != SEEN or light):
                expected[address] = 1 + mark + MARKS * seat
        mars.run(1)
        assert replay.run(1) == {address for kind, address in touched if kind not in (READ, SPLIT)}
        assert replay.shown == expected
        assert replay.processes == [mars.count(0), mars.count(1)]
    assert replay.run(1) == set()


@given(st.sampled_from(CODES), st.lists(st.integers(0, 400)))
def test_it_runs_in_steps_of_any_length(code: str, steps: list[int]) -> None:
    recording = record(battle(code, CODES[0]))
    whole, pieces = Replay(recording), Replay(recording)
    changed = whole.run(sum(steps))
    assert set().union(*map(pieces.run, steps)) == changed
    assert (pieces.shown, pieces.processes) == (whole.shown, whole.processes)


def test_at_first_the_warriors_stand_alone() -> None:
    replay = Replay(record(battle(CODES[1], CODES[2])))
    marks = {address: value for address, value in enumerate(replay.shown) if value}
    assert marks == {0: 2, 1: 2, 2: 2, 3: 2, 400: 2 + MARKS}
    assert len(replay.shown) == RULES.size and replay.processes == [1, 1]
