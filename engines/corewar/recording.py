"""A recording: one round of a battle, instruction by instruction, small enough to be sent with a page."""

import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from core.corewar.battle import Battle, StartPositions
from core.corewar.interpreter import EXECUTE, trace
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

LONGEST: Final = 1_000_000  # instructions: what a page plays with ease
FACTS: Final = ("size", "cycles", "round", "warriors", "instructions", "is_whole", "survivors")
SLICE: Final = 4_000_000  # instructions of the rounds before, some 40 ms
REPORT: Final = 2_000  # instructions between two calls of `progress`
LEVEL: Final = 9  # of zlib's compression


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A warrior as it stands at the beginning."""

    name: str
    author: str
    position: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """Columns of bytes, an entry an instruction or an effect, in the order of what happened.

    `seats` and `counts` have a byte for each instruction: whose it was, and how many effects it had beside being
    executed. `kinds` has a byte for each of these (core.corewar.interpreter). `executed` are addresses, `places` those
    of the effects, each as the way from the last instruction of the same warrior and from the instruction itself:
    around the core by the shorter side, folded to 0, -1, 1, -2, ... and in seven bits a byte, the lowest first.
    """

    size: int  # of the core
    cycles: int
    round: int  # from 1
    warriors: tuple[Seat, ...]
    instructions: int
    is_whole: bool  # the round has come to its end
    survivors: tuple[int, ...]  # seats
    seats: bytes
    counts: bytes
    kinds: bytes
    executed: bytes
    places: bytes

    def facts(self) -> dict[str, Any]:
        """All but the columns, for JSON."""
        return {name: value for name, value in asdict(self).items() if name in FACTS}

    def packed(self) -> bytes:
        """The five columns, each after its length in four bytes, the lowest first; compressed as zlib does it."""
        columns = (self.seats, self.counts, self.kinds, self.executed, self.places)
        return zlib.compress(
            b"".join(len(column).to_bytes(4, "little") + column for column in columns), LEVEL
        )


def begin_round(rules: Rules, warriors: Sequence[Warrior], positions: StartPositions, round: int) -> Battle:
    """A battle at the beginning of a round, counted from 1; the rounds before are fought. ValueError as Battle."""
    battle = Battle(rules, list(warriors), round, positions)
    while battle.round < round - 1:
        battle.mars.run(SLICE)
        if battle.mars.over:
            battle.next_round()
    return battle


def record(
    battle: Battle, longest: int = LONGEST, progress: Callable[[int], None] = lambda instructions: None
) -> Recording:
    """The round that stands at its beginning, or so many instructions of it. `progress` gets how many there are."""
    mars = battle.mars
    size, count = mars.size, len(mars.warriors)
    seats, counts, kinds = bytearray(), bytearray(), bytearray()
    executed, places = array("q"), array("q")
    last = list(mars.positions)
    while not mars.over and len(seats) < longest:
        seat, touched = mars.turn, trace(mars)
        address = touched[0][1]
        assert touched[0][0] == EXECUTE
        mars.run(1)
        seats.append(seat)
        counts.append(len(touched) - 1)
        executed.append(_way(last[seat], address, size))
        last[seat] = address
        for kind, place in touched[1:]:
            kinds.append(kind)
            places.append(_way(address, place, size))
        if len(seats) % REPORT == 0:
            progress(len(seats))
    return Recording(
        size=size,
        cycles=battle.rules.cycles,
        round=int(battle.round) + 1,
        warriors=tuple(
            Seat(name=warrior.name, author=warrior.author, position=position, length=len(warrior.cells))
            for warrior, position in zip(mars.warriors, mars.positions, strict=True)
        ),
        instructions=len(seats),
        is_whole=mars.over,
        survivors=tuple(seat for seat in range(count) if mars.is_alive(seat)),
        seats=bytes(seats),
        counts=bytes(counts),
        kinds=bytes(kinds),
        executed=_folded(executed),
        places=_folded(places),
    )


def _way(start: int, end: int, size: int) -> int:
    """Around the core by the shorter side."""
    way = (end - start) % size
    return way if way <= size // 2 else way - size


def _folded(ways: Iterable[int]) -> bytes:
    column = bytearray()
    for way in ways:
        value = 2 * way if way >= 0 else -2 * way - 1
        while value > 0x7F:
            column.append(value & 0x7F | 0x80)
            value >>= 7
        column.append(value)
    return bytes(column)
