"""A recording: one round of a battle, instruction by instruction, small enough to be sent to a browser."""

import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from core.corewar.battle import Battle, StartPositions
from core.corewar.interpreter import DECREMENT, DIE, EXECUTE, INCREMENT, WRITE, trace
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

LONGEST: Final = 1_000_000  # instructions that a page can play without delay
FACTS: Final = ("size", "cycles", "round", "warriors", "instructions", "is_whole", "survivors")
SLICE: Final = 4_000_000  # instructions of an earlier round in one compiled call, some 40 ms
REPORT: Final = 2_000  # instructions between two calls of `progress`
WRITES: Final = (WRITE, DECREMENT, INCREMENT)
LEVEL: Final = 6  # zlib's compression level; 9 takes five times as long for 1 % less


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A warrior at the start of a round."""

    name: str
    author: str
    position: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A round as columns of bytes, with an entry for each instruction or effect in the order of execution.

    `seats` and `counts` have a byte for each instruction: the seat of its warrior, and the number of its effects in
    addition to its execution. `kinds` has a byte for each of these effects (core.corewar.interpreter). `executed` has
    the addresses of the instructions, each as the distance from the last instruction of the same warrior; `places`
    has the addresses of the effects, each as the distance from its instruction. A distance is the shorter one around
    the core, numbered 0, -1, 1, -2, ... and stored in seven bits a byte, the lowest first.
    """

    size: int  # of the core
    cycles: int
    round: int  # from 1
    warriors: tuple[Seat, ...]
    instructions: int
    is_whole: bool  # the round has ended
    survivors: tuple[int, ...]  # seats
    seats: bytes
    counts: bytes
    kinds: bytes
    executed: bytes
    places: bytes

    def facts(self) -> dict[str, Any]:
        """Return all but the columns, as values that JSON can hold."""
        return {name: value for name, value in asdict(self).items() if name in FACTS}

    def packed(self) -> bytes:
        """Return the five columns compressed by zlib, each after its length in four bytes, the lowest first."""
        columns = (self.seats, self.counts, self.kinds, self.executed, self.places)
        return zlib.compress(
            b"".join(len(column).to_bytes(4, "little") + column for column in columns), LEVEL
        )


def begin_round(rules: Rules, warriors: Sequence[Warrior], positions: StartPositions, round: int) -> Battle:
    """Return a battle at the start of a round, counted from 1, after the earlier rounds have been fought.

    Raises ValueError under the conditions of Battle.
    """
    battle = Battle(rules, list(warriors), round, positions)
    while battle.round < round - 1:
        battle.mars.run(SLICE)
        if battle.mars.over:
            battle.next_round()
    return battle


Effects = Sequence[tuple[int, int]]  # (kind, address): the executed cell, then what the instruction did
View = Callable[[int, Effects], Effects]


def whole(seat: int, effects: Effects) -> Effects:
    """Return all effects of an instruction. This view of a recording hides nothing."""
    return effects


class Ownership:
    """A view of a recording that shows which cells change owner, but not which instructions the warriors execute.

    A cell belongs to the warrior that was loaded there, or that executed or wrote it last. Shown are an instruction
    in a cell of another owner, a write to such a cell, and the death of a warrior. Hidden are the order in which a
    warrior executes its own code, its reads, and all that it does to its own cells: from these its instructions could
    be inferred one by one.
    """

    def __init__(self, battle: Battle) -> None:
        """Create the view of a battle's round, which must be at its start."""
        self._mars = mars = battle.mars
        self._shown = list(mars.positions)  # where each warrior was last seen to execute
        self._owners = [-1] * mars.size
        for seat, (warrior, position) in enumerate(zip(mars.warriors, mars.positions, strict=True)):
            for place in range(position, position + len(warrior.cells)):
                self._owners[place % mars.size] = seat

    def __call__(self, seat: int, effects: Effects) -> Effects:
        """Return the visible effects of an instruction that has been executed."""
        (_, executed), *others = effects
        if self._takes(seat, executed):
            self._shown[seat] = executed
        shown = [(EXECUTE, self._shown[seat])]
        shown += [(WRITE, place) for kind, place in others if kind in WRITES and self._takes(seat, place)]
        if not self._mars.is_alive(seat):
            shown.append((DIE, self._shown[seat]))
        return shown

    def _takes(self, seat: int, place: int) -> bool:
        is_new = self._owners[place] != seat
        self._owners[place] = seat
        return is_new


def record(
    battle: Battle,
    longest: int = LONGEST,
    progress: Callable[[int], None] = lambda instructions: None,
    view: View = whole,
) -> Recording:
    """Record the round of a battle from its start, at most `longest` instructions of it.

    `progress` is called with the number of instructions so far, after each REPORT of them. `view` returns the effects
    of an instruction that are recorded; it is called after the instruction.
    """
    mars = battle.mars
    size, count = mars.size, len(mars.warriors)
    seats, counts, kinds = bytearray(), bytearray(), bytearray()
    executed, places = array("q"), array("q")
    last = list(mars.positions)
    while not mars.over and len(seats) < longest:
        seat, effects = mars.turn, trace(mars)
        assert effects[0][0] == EXECUTE
        mars.run(1)
        touched = view(seat, effects)
        address = touched[0][1]
        seats.append(seat)
        counts.append(len(touched) - 1)
        executed.append(_signed_distance(last[seat], address, size))
        last[seat] = address
        for kind, place in touched[1:]:
            kinds.append(kind)
            places.append(_signed_distance(address, place, size))
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


def _signed_distance(start: int, end: int, size: int) -> int:
    """Return the signed distance between two addresses, the shorter one around the core."""
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
