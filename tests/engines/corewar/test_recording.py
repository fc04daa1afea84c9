"""Recordings: unpacked as the page does it, they tell what happened."""

import zlib

from hypothesis import given
from hypothesis import strategies as st

from core.corewar.battle import Battle, fixed
from core.corewar.interpreter import DIE, EXECUTE, WRITE, trace
from core.corewar.rules import Rules
from engines.corewar.recording import WRITES, Ownership, Recording, begin_round, record
from tests.tools.mars.fights import CODES, battle


def unpacked(recording: Recording) -> list[tuple[int, list[tuple[int, int]]]]:
    """(seat, [(kind, address), ...]) of each instruction, the first being its own address."""
    data, columns = zlib.decompress(recording.packed()), []
    while data:
        length = int.from_bytes(data[:4], "little")
        columns.append(data[4 : 4 + length])
        data = data[4 + length :]
    seats, counts, kinds, executed, places = columns
    ways, others = iter(_unfolded(executed)), iter(_unfolded(places))
    kind = iter(kinds)
    last = [each.position for each in recording.warriors]
    told = []
    for seat, count in zip(seats, counts, strict=True):
        last[seat] = (last[seat] + next(ways)) % recording.size
        touched = [(next(kind), (last[seat] + next(others)) % recording.size) for _ in range(count)]
        told.append((seat, [(0, last[seat]), *touched]))
    return told


def _unfolded(column: bytes) -> list[int]:
    ways, value, shift = [], 0, 0
    for byte in column:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            ways.append(-(value + 1) // 2 if value & 1 else value // 2)
            value = shift = 0
    return ways


@given(st.sampled_from(CODES), st.sampled_from(CODES), st.integers(20, 780))
def test_a_recording_contains_every_event_of_the_battle(first: str, second: str, place: int) -> None:
    recording = record(battle(first, second, place))
    mars = battle(first, second, place).mars
    for seat, touched in unpacked(recording):
        assert (seat, touched) == (mars.turn, trace(mars))
        mars.run(1)
    assert mars.over and recording.is_whole
    assert recording.survivors == tuple(seat for seat in (0, 1) if mars.is_alive(seat))


@given(st.sampled_from(CODES), st.sampled_from(CODES), st.integers(20, 780))
def test_a_recording_of_ownership_shows_only_cells_that_change_hands(
    first: str, second: str, place: int
) -> None:
    fight = battle(first, second, place)
    recording = record(fight, view=Ownership(fight))
    mars = battle(first, second, place).mars
    owners = [-1] * mars.size
    for seat, (warrior, position) in enumerate(zip(mars.warriors, mars.positions, strict=True)):
        for address in range(position, position + len(warrior.cells)):
            owners[address % mars.size] = seat
    last = list(mars.positions)
    for seat, ((_, executed), *others) in unpacked(recording):
        before, effects = list(owners), trace(mars)
        for kind, address in effects:
            if kind in (EXECUTE, *WRITES):
                owners[address] = seat
        mars.run(1)
        assert executed in (last[seat], effects[0][1]) and (
            executed == last[seat] or before[executed] != seat
        )
        last[seat] = executed
        changed = {address for address, owner in enumerate(owners) if owner != before[address]}
        assert changed - {executed} == {address for kind, address in others if kind == WRITE} - {executed}
        assert (DIE in [kind for kind, _ in others]) == (not mars.is_alive(seat))
        assert {kind for kind, _ in others} <= {WRITE, DIE}
    assert recording.survivors == tuple(seat for seat in (0, 1) if mars.is_alive(seat))


def test_a_recording_stops_at_its_limit_of_instructions() -> None:
    reported: list[int] = []
    recording = record(battle(CODES[0], CODES[0], rules=Rules(size=8000)), 5000, reported.append)
    assert (recording.instructions, recording.is_whole, recording.survivors) == (5000, False, (0, 1))
    assert reported == [2000, 4000]


def test_a_later_round_starts_as_in_the_whole_battle() -> None:
    first = battle(CODES[1], CODES[0])
    again = begin_round(first.rules, first.warriors, fixed(first.rules, 2, 400), 3)
    whole = Battle(first.rules, first.warriors, 3, fixed(first.rules, 2, 400))
    while whole.round < 2:
        whole.run(1)
    assert again.mars.positions == whole.mars.positions
    assert (again.round, record(again).round) == (2, 3)
