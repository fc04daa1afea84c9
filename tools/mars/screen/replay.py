"""A recording played again: what each cell of the core shows after so many instructions."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from core.corewar.effects import DIE, READ, SPLIT
from engines.corewar.recording import Recording

SEEN, WRITTEN, EXECUTED, DEAD = range(4)  # the marks on a cell
MARKS: Final = 4
HANDS: Final = 12  # that are told apart; the thirteenth warrior marks as the first does


class Replay:
    """`shown` has a byte a cell: 0, or 1 + mark + MARKS * hand, the hand being that of the last who was there."""

    def __init__(self, recording: Recording) -> None:
        self._size: Final = recording.size
        self._instructions: Final = zip(
            recording.seats, recording.counts, _ways(recording.executed), strict=True
        )
        self._effects: Final = zip(recording.kinds, _ways(recording.places), strict=True)
        self._last: Final = [each.position for each in recording.warriors]
        self.processes: Final = [1] * len(recording.warriors)
        self.shown: Final = bytearray(recording.size)
        for seat, each in enumerate(recording.warriors):
            for address in range(each.position, each.position + each.length):
                self._mark(address % self._size, WRITTEN, seat)

    def run(self, instructions: int) -> set[int]:
        """So many instructions more, if there are. The addresses that were changed or executed."""
        changed: set[int] = set()
        for seat, count, way in islice(self._instructions, instructions):
            address = self._last[seat] = (self._last[seat] + way) % self._size
            self._mark(address, EXECUTED, seat)
            changed.add(address)
            for kind, way_on in islice(self._effects, count):
                place = (address + way_on) % self._size
                if kind == SPLIT:
                    self.processes[seat] += 1
                elif kind == READ:
                    self._see(place, seat)
                else:
                    self._mark(place, DEAD if kind == DIE else WRITTEN, seat)
                    self.processes[seat] -= kind == DIE
                    changed.add(place)
        return changed

    def _mark(self, address: int, mark: int, seat: int) -> None:
        self.shown[address] = 1 + mark + MARKS * (seat % HANDS)

    def _see(self, address: int, seat: int) -> None:
        """Reading leaves no mark where somebody has done more."""
        before = self.shown[address]
        if not before or (before - 1) % MARKS == SEEN:
            self._mark(address, SEEN, seat)


def _ways(column: bytes) -> Iterator[int]:
    """The numbers of a column, unfolded."""
    value = shift = 0
    for byte in column:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield -(value + 1) // 2 if value & 1 else value // 2
            value = shift = 0
