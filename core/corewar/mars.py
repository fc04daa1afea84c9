"""The MARS: it executes the instructions of the warriors, one of each in turn, until one is left.

The rules are those of the ICWS'94 draft as pMARS 0.9.2 reads them. An operand is followed to its end, with its
decrement and increment, A before B, and the two values of the cell it leads to are kept as they are then; the
operation computes with what was kept, and writes to the core as it is by now.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.corewar.instruction import (
    A_DECREMENT,
    A_INCREMENT,
    A_INDIRECT,
    A_MODE_SHIFT,
    A_SHIFT,
    A_VALUE,
    ADD,
    B_DECREMENT,
    B_INCREMENT,
    B_VALUE,
    CMP,
    CODE,
    CODE_SHIFT,
    DAT,
    DIRECT,
    DIV,
    DJN,
    DOT_A,
    DOT_AB,
    DOT_B,
    DOT_BA,
    DOT_F,
    DOT_I,
    DOT_X,
    EMPTY,
    IMMEDIATE,
    JMP,
    JMZ,
    LDP,
    MODIFIER_SHIFT,
    MOV,
    MUL,
    NOP,
    NOT_A,
    NOT_B,
    ONE_A,
    OPERATION_SHIFT,
    SEQ,
    SLT,
    SNE,
    SPL,
    SUB,
    VALUES,
    a_of,
    b_of,
)  # fmt: skip
from core.corewar.pspace import PSpaces
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

LOG: Final = 1024  # addresses; a round that writes more often is followed by a reset of the whole core
LAST: Final = LOG - 1
RING_BITS: Final = 6  # a queue begins with room for 2**6 processes; all grow when one warrior needs more
MOST: Final = 1 << 60  # ticks or processes beyond this are as good as this
ONE: Final = i64(1)  # no literal: mypyc computes `literal << variable` in 32 bits
DEAD: Final = -1  # in place of a process's next address


@final
class Mars:
    """A core and the warriors in it. Seats are numbered from 0 in the order of `warriors`.

    ValueError when a warrior does not fit: its cells or its start are not below the core's size, or all
    together do not have the room that their distance asks for.
    """

    def __init__(self, rules: Rules, warriors: list[Warrior]) -> None:
        self.rules: Final = rules
        self.size: Final[i64] = rules.size
        self.core = vec[i64]([EMPTY] * rules.size)
        self.log = vec[i64]([0] * LOG)
        self.writes: i64 = (
            0  # since the core was empty; the last LOG of them stand in the log, round and round
        )
        self.warriors: list[Warrior] = []
        self.positions = vec[i64]()  # where the warriors were loaded
        self.enlist(warriors)

    def enlist(self, warriors: list[Warrior]) -> None:
        """A new match in the same core: no results, P-spaces cleared. begin() starts its first round."""
        count = len(warriors)
        if count < 1 or count * self.rules.distance > self.rules.size:
            raise ValueError(f"no room for {count} warriors in {self.rules.size} cells")
        for warrior in warriors:
            self._check(warrior)
        self._empty()
        self.warriors = list(warriors)
        zeros = [0] * count
        self.heads = vec[i64](zeros)  # processes that have been executed: where a queue begins in its ring
        self.counts = vec[i64](zeros)  # processes
        self.after = vec[i64](zeros)  # the living seat after this one
        self.deaths = vec[i64](zeros)  # seats in the order of their deaths
        self.tallies = vec[i64]([0] * (count * (2 * count - 1)))
        self.ring = vec[i64]([0] * (count << RING_BITS))  # the queues one after the other, each a ring
        self.ring_bits: i64 = RING_BITS
        self.pspaces = PSpaces(self.rules, warriors)
        self.turn: i64 = 0  # the seat whose process is next; at an end by death, the seat that died
        self.before: i64 = 0  # the living seat before it
        self.living: i64 = 0  # warriors that have a process
        self.ticks_left: i64 = 0
        self.executed: i64 = 0  # instructions in this round
        self.over = True

    def _check(self, warrior: Warrior) -> None:
        size = self.size
        fits = len(warrior.words) <= size and 0 <= warrior.start < size
        for cell in warrior.words:
            fits = fits and cell >= 0 and a_of(cell) < size and b_of(cell) < size
        if not fits:
            raise ValueError(f"{warrior.name!r} is no warrior for a core of {size} cells")

    # -- Rounds ------------------------------------------------------------------------------------

    def begin(self, positions: list[int], starter: int) -> None:
        """A new round: an empty core, the warriors at `positions`, a process each, `starter` first."""
        count = len(self.warriors)
        if len(positions) != count or not 0 <= starter < count:
            raise ValueError(f"{count} warriors cannot stand at {positions} with {starter} first")
        for position in positions:
            self._check_address(position)
        self._empty()
        self.positions = vec[i64](positions)
        seat: i64 = starter
        for _ in self.warriors:
            self._load(seat)
            self.before = seat
            seat += 1
            if seat == count:
                seat = 0
            self.after[self.before] = seat
        self.turn = starter
        self.living = count
        self.ticks_left = min(self.rules.cycles * count, MOST)
        self.executed = 0
        self.over = False

    def _empty(self) -> None:
        """Reset what was touched: a round of random warriors takes five instructions, the core 8,000 cells."""
        core, log, size = self.core, self.log, self.size
        if self.writes > LOG:
            for address in range(size):
                core[address] = EMPTY
        else:
            for index in range(self.writes):
                core[log[index]] = EMPTY
            for seat in range(i64(len(self.positions))):
                address = self.positions[seat]
                for _ in self.warriors[seat].words:
                    core[address] = EMPTY
                    address += 1
                    if address == size:
                        address = 0
        self.writes = 0
        self.positions = vec[i64]()

    def _load(self, seat: i64) -> None:
        warrior = self.warriors[seat]
        core, size = self.core, self.size
        address = self.positions[seat]
        first: i64 = address + warrior.start
        self.ring[seat << self.ring_bits] = first if first < size else first - size
        self.heads[seat] = 0
        self.counts[seat] = 1
        for cell in warrior.words:
            core[address] = cell
            address += 1
            if address == size:
                address = 0

    def run(self, ticks: i64) -> bool:
        """Execute at most so many instructions more; True when the round is over.

        The function is long because it is the whole machine: one turn of the loop is one instruction, and a call
        in it costs as much as half an instruction. Its parts, in order: fetch; A operand; B operand; the
        operations in groups; the queue and the death of a process; the turn. With two warriors left the other
        one's queue stays in local variables (`other_...`).
        """
        if self.rules.read_limit < self.rules.size or self.rules.write_limit < self.rules.size:
            from core.corewar.limited import run_limited  # which is made of Mars

            return run_limited(self, ticks)
        if self.over:
            return True
        core, log, ring = self.core, self.log, self.ring
        heads, counts, after = self.heads, self.counts, self.after
        size = self.size
        last = size - 1
        ring_bits = self.ring_bits
        mask = (ONE << ring_bits) - 1
        limit: i64 = min(self.rules.processes, MOST)
        room = min(limit, mask + 1)
        writes = self.writes
        living = self.living
        seat = self.turn
        head = heads[seat]
        tail = head + counts[seat]
        base = seat << ring_bits
        before = self.before
        other_head = heads[before]
        other_tail = other_head + counts[before]
        other_base = before << ring_bits
        left = self.ticks_left
        ticks = min(ticks, left)
        floor = left - ticks  # where this call ends; it moves down with the ticks that a death takes away
        stop = floor
        while left > stop:
            pc = ring[base + (head & mask)]
            head += 1
            left -= 1
            cell = core[pc]
            follower = pc + 1
            if follower == size:
                follower = 0
            behind = pc - size

            # The A operand leads to x and has the values of `source`. Sums are below 2 * size: instead of dividing
            # take size away, and give it back where that was too much.
            mode = (cell >> A_MODE_SHIFT) & 7
            if mode == DIRECT:
                t = behind + ((cell >> A_SHIFT) & B_VALUE)
                x = t + (size & (t >> 63))
                source = core[x]
            elif mode == IMMEDIATE:
                x = pc
                source = cell
            else:
                t = behind + ((cell >> A_SHIFT) & B_VALUE)
                at = t + (size & (t >> 63))
                pointer = core[at]
                if mode < A_INDIRECT:
                    value = pointer & B_VALUE
                    if mode == B_DECREMENT:
                        value = value - 1 if value else last
                        core[at] = (pointer & NOT_B) | value
                        log[writes & LAST] = at
                        writes += 1
                    t = at + value - size
                    x = t + (size & (t >> 63))
                    source = core[x]
                    if mode == B_INCREMENT:
                        core[at] = pointer + 1 if value < last else pointer & NOT_B
                        log[writes & LAST] = at
                        writes += 1
                else:
                    value = (pointer >> A_SHIFT) & B_VALUE
                    if mode == A_DECREMENT:
                        value = value - 1 if value else last
                        core[at] = (pointer & NOT_A) | (value << A_SHIFT)
                        log[writes & LAST] = at
                        writes += 1
                    t = at + value - size
                    x = t + (size & (t >> 63))
                    source = core[x]
                    if mode == A_INCREMENT:
                        core[at] = pointer + ONE_A if value < last else pointer & NOT_A
                        log[writes & LAST] = at
                        writes += 1

            # The B operand leads to y and has the values of `target`.
            mode = (cell >> CODE_SHIFT) & 7
            if mode == DIRECT:
                t = behind + (cell & B_VALUE)
                y = t + (size & (t >> 63))
                target = core[y]
            elif mode == IMMEDIATE:
                y = pc
                target = cell
            else:
                t = behind + (cell & B_VALUE)
                at = t + (size & (t >> 63))
                pointer = core[at]
                if mode < A_INDIRECT:
                    value = pointer & B_VALUE
                    if mode == B_DECREMENT:
                        value = value - 1 if value else last
                        core[at] = (pointer & NOT_B) | value
                        log[writes & LAST] = at
                        writes += 1
                    t = at + value - size
                    y = t + (size & (t >> 63))
                    target = core[y]
                    if mode == B_INCREMENT:
                        core[at] = pointer + 1 if value < last else pointer & NOT_B
                        log[writes & LAST] = at
                        writes += 1
                else:
                    value = (pointer >> A_SHIFT) & B_VALUE
                    if mode == A_DECREMENT:
                        value = value - 1 if value else last
                        core[at] = (pointer & NOT_A) | (value << A_SHIFT)
                        log[writes & LAST] = at
                        writes += 1
                    t = at + value - size
                    y = t + (size & (t >> 63))
                    target = core[y]
                    if mode == A_INCREMENT:
                        core[at] = pointer + ONE_A if value < last else pointer & NOT_A
                        log[writes & LAST] = at
                        writes += 1

            operation = cell >> OPERATION_SHIFT
            modifier = (cell >> MODIFIER_SHIFT) & 7
            if operation == MOV:
                if modifier == DOT_I:
                    core[y] = source
                elif modifier == DOT_B:
                    core[y] = (core[y] & NOT_B) | (source & B_VALUE)
                elif modifier == DOT_AB:
                    core[y] = (core[y] & NOT_B) | ((source >> A_SHIFT) & B_VALUE)
                elif modifier == DOT_A:
                    core[y] = (core[y] & NOT_A) | (source & A_VALUE)
                elif modifier == DOT_BA:
                    core[y] = (core[y] & NOT_A) | ((source & B_VALUE) << A_SHIFT)
                elif modifier == DOT_F:
                    core[y] = (core[y] & CODE) | (source & VALUES)
                else:
                    core[y] = (core[y] & CODE) | _exchanged(source)
                log[writes & LAST] = y
                writes += 1
            elif operation >= CMP:
                if operation == SPL:
                    if tail - head + 1 >= room and room < limit:
                        heads[seat], counts[seat] = head, tail - head
                        heads[before], counts[before] = other_head, other_tail - other_head
                        self._grow()
                        ring, ring_bits = self.ring, self.ring_bits
                        mask = (ONE << ring_bits) - 1
                        room = min(limit, mask + 1)
                        base = seat << ring_bits
                        other_base = before << ring_bits
                    if tail - head + 1 < room:
                        ring[base + (tail & mask)] = follower
                        tail += 1
                        follower = x
                elif operation == JMP:
                    follower = x
                elif operation == DAT:
                    follower = DEAD
                elif operation == SEQ or operation == SNE or operation == CMP:
                    same = source == target if modifier == DOT_I else _is_same(modifier, source, target)
                    if same != (operation == SNE):
                        follower += 1
                        if follower == size:
                            follower = 0
                elif operation == SLT:
                    if _is_lower(modifier, source, target):
                        follower += 1
                        if follower == size:
                            follower = 0
                elif operation != NOP:
                    half = source >> A_SHIFT if modifier == DOT_A or modifier == DOT_AB else source
                    into_a = modifier == DOT_A or modifier == DOT_BA
                    if operation == LDP:
                        value = self.pspaces.recall(seat, half & B_VALUE)
                        core[y] = (
                            (core[y] & NOT_A) | (value << A_SHIFT) if into_a else (core[y] & NOT_B) | value
                        )
                        log[writes & LAST] = y
                        writes += 1
                    else:
                        self.pspaces.remember(seat, a_of(target) if into_a else b_of(target), half & B_VALUE)
            elif operation == DJN:
                word = core[y]
                if modifier == DOT_B or modifier == DOT_AB:
                    core[y] = word - 1 if word & B_VALUE else word | last
                    if target & B_VALUE != 1:
                        follower = x
                elif modifier == DOT_A or modifier == DOT_BA:
                    core[y] = word - ONE_A if word & A_VALUE else word | (last << A_SHIFT)
                    if target & A_VALUE != ONE_A:
                        follower = x
                else:
                    word = word - 1 if word & B_VALUE else word | last
                    core[y] = word - ONE_A if word & A_VALUE else word | (last << A_SHIFT)
                    if target & VALUES != ONE_A + 1:
                        follower = x
                log[writes & LAST] = y
                writes += 1
            elif operation >= JMZ:
                if (target & _halves(modifier) == 0) == (operation == JMZ):
                    follower = x
            else:
                # ADD to MOD work on both values, whichever of them the modifier then lets through.
                if modifier == DOT_F or modifier == DOT_I:
                    halves = i64(VALUES)
                else:
                    halves = _halves(modifier)
                    if modifier >= DOT_AB:
                        source = _exchanged(source)
                a, b = (source >> A_SHIFT) & B_VALUE, source & B_VALUE
                target_a, target_b = (target >> A_SHIFT) & B_VALUE, target & B_VALUE
                if operation == ADD:
                    a += target_a - size
                    a += size & (a >> 63)
                    b += target_b - size
                    b += size & (b >> 63)
                elif operation == SUB:
                    a = target_a - a
                    a += size & (a >> 63)
                    b = target_b - b
                    b += size & (b >> 63)
                elif operation == MUL:
                    a = target_a * a % size
                    b = target_b * b % size
                else:
                    # A division by zero kills and writes nothing; the other half is divided all the same.
                    zeros: i64 = 0
                    if a:
                        a = target_a // a if operation == DIV else target_a % a
                    else:
                        zeros |= A_VALUE
                    if b:
                        b = target_b // b if operation == DIV else target_b % b
                    else:
                        zeros |= B_VALUE
                    if zeros & halves:
                        follower = DEAD
                        halves &= ~zeros
                core[y] = (core[y] & ~halves) | (((a << A_SHIFT) | b) & halves)
                log[writes & LAST] = y
                writes += 1

            if follower >= 0:
                ring[base + (tail & mask)] = follower
                tail += 1
            elif head == tail:
                heads[seat], counts[seat] = head, 0
                share = left // living
                self._fall(seat)
                living -= 1
                left -= share
                floor -= share
                if living < 2:
                    self.over = True
                    break
                left -= 1  # pMARS counts the tick of a death twice when the round goes on
                floor -= 1
                stop = max(floor, 0)
                seat = after[seat]
                after[before] = seat
                head = heads[seat]
                tail = head + counts[seat]
                base = seat << ring_bits
                continue
            if living == 2:
                seat, before = before, seat
                head, other_head = other_head, head
                tail, other_tail = other_tail, tail
                base, other_base = other_base, base
            else:
                heads[seat], counts[seat] = head, tail - head
                before, other_head, other_tail, other_base = seat, head, tail, base
                seat = after[seat]
                head = heads[seat]
                tail = head + counts[seat]
                base = seat << ring_bits
        heads[before], counts[before] = other_head, other_tail - other_head
        heads[seat], counts[seat] = head, tail - head
        self.executed += ticks - (left - floor)
        self.writes = writes
        self.turn = seat
        self.before = before
        self.ticks_left = max(left, 0)
        if left <= 0 or self.over:
            self._end()
        return self.over

    def take_turn(self, followers: list[int]) -> None:
        """The next process leaves its queue and `followers` join it, as if it had executed an instruction."""
        seat = self.turn
        self.heads[seat] += 1
        self.counts[seat] -= 1
        for address in followers:
            if self.counts[seat] == ONE << self.ring_bits:
                self._grow()
            index = self.heads[seat] + self.counts[seat]
            self.ring[(seat << self.ring_bits) + (index & ((ONE << self.ring_bits) - 1))] = address
            self.counts[seat] += 1
        self.executed += 1
        self.ticks_left -= 1
        if self.counts[seat]:
            self.before = seat
            self.turn = self.after[seat]
        else:
            self.ticks_left -= self.ticks_left // self.living
            self._fall(seat)
            if self.living < 2:
                self._end()
                return
            self.ticks_left = max(self.ticks_left - 1, 0)
            self.turn = self.after[seat]
            self.after[self.before] = self.turn
        if self.ticks_left == 0:
            self._end()

    def _fall(self, seat: i64) -> None:
        """A warrior has lost its last process."""
        seats = i64(len(self.warriors))
        self.tallies[seat * (2 * seats - 1) + seats + self.living - 2] += 1
        self.deaths[seats - self.living] = seat
        self.living -= 1

    def _end(self) -> None:
        """The round is over."""
        self.over = True
        seats = i64(len(self.warriors))
        for seat in range(seats):
            if self.counts[seat]:
                self.tallies[seat * (2 * seats - 1) + self.living - 1] += 1
                self.pspaces.outcomes[seat] = self.living
            else:
                self.pspaces.outcomes[seat] = 0

    def _grow(self) -> None:
        """Queues of twice the length."""
        bits, ring = self.ring_bits, self.ring
        mask = (ONE << bits) - 1
        wide = vec[i64]([0] * (2 * len(ring)))
        for seat in range(i64(len(self.warriors))):
            for index in range(self.heads[seat] - 1, self.heads[seat] + self.counts[seat]):
                wide[(seat << (bits + 1)) + (index & (2 * mask + 1))] = ring[(seat << bits) + (index & mask)]
        self.ring = wide
        self.ring_bits = bits + 1

    # -- Questions and edits, between two runs -----------------------------------------------------

    @property
    def results(self) -> list[list[int]]:
        """[seat]: rounds survived among 1, 2, ... W survivors, then rounds died in as the last but none, one, ..."""
        width = 2 * len(self.warriors) - 1
        tallies = [int(tally) for tally in self.tallies]
        return [tallies[width * seat : width * (seat + 1)] for seat in range(len(self.warriors))]

    @property
    def order_of_death(self) -> list[int]:
        """The seats that fell in this round, the first to fall first."""
        return [int(self.deaths[index]) for index in range(i64(len(self.warriors)) - self.living)]

    @property
    def shares(self) -> list[int]:
        """Whose P-space each seat has: its own, or that of the first seat with the same PIN."""
        return [int(seat) for seat in self.pspaces.shares]

    def is_over(self) -> bool:
        """No round has begun, or it has ended."""
        return self.over

    def is_alive(self, seat: int) -> bool:
        return self.counts[seat] > 0

    def processes(self, seat: int) -> list[int]:
        """The addresses in a warrior's queue, the next to execute first."""
        return [int(self.queued(seat, offset)) for offset in range(self.counts[seat])]

    def queued(self, seat: i64, offset: i64) -> i64:
        """An address in a warrior's queue, 0 the next to execute; negative offsets have been executed."""
        index = self.heads[seat] + offset
        return self.ring[(seat << self.ring_bits) + (index & ((ONE << self.ring_bits) - 1))]

    def set_processes(self, seat: int, addresses: list[int]) -> None:
        """Give a living warrior other processes. ValueError for none, too many, or one that is no address."""
        if not self.is_alive(seat) or not 1 <= len(addresses) <= self.rules.processes:
            raise ValueError(f"warrior {seat} cannot have {len(addresses)} processes")
        for address in addresses:
            self._check_address(address)
        while len(addresses) > ONE << self.ring_bits:
            self._grow()
        self.heads[seat] = 0
        self.counts[seat] = len(addresses)
        for index, address in enumerate(addresses):
            self.ring[(i64(seat) << self.ring_bits) + index] = address

    def cell(self, address: int) -> int:
        return int(self.core[address])

    def set_cell(self, address: int, cell: int) -> None:
        """ValueError when the address or the cell does not belong to a core of this size."""
        self._check_address(address)
        if cell < 0 or a_of(cell) >= self.size or b_of(cell) >= self.size:
            raise ValueError(f"no cell of a core of {self.size}: {cell}")
        self.core[address] = cell
        self.log[self.writes & LAST] = address
        self.writes += 1

    def pspace(self, seat: int) -> list[int]:
        """The P-space that a warrior sees: cell 0 is its own, the others it may share."""
        return [int(self.pspaces.recall(seat, index)) for index in range(self.rules.pspace)]

    def set_pspace(self, seat: int, index: int, value: int) -> None:
        if not 0 <= index < self.rules.pspace or not 0 <= value < self.size:
            raise ValueError(f"no cell and value of a P-space: {index}, {value}")
        self.pspaces.remember(seat, index, value)

    def _check_address(self, address: int) -> None:
        if not 0 <= address < self.size:
            raise ValueError(f"no address of a core of {self.size} cells: {address}")


# -- What is too rare to stand in the loop -----------------------------------------------------------


def _exchanged(cell: i64) -> i64:
    """Its A value as B value and its B value as A value."""
    return ((cell & B_VALUE) << A_SHIFT) | ((cell >> A_SHIFT) & B_VALUE)


def _is_same(modifier: i64, source: i64, target: i64) -> bool:
    """SEQ with all modifiers but .I."""
    if modifier == DOT_AB or modifier == DOT_BA or modifier == DOT_X:
        source = _exchanged(source)
    return (source ^ target) & _halves(modifier) == 0


def _is_lower(modifier: i64, source: i64, target: i64) -> bool:
    if modifier == DOT_AB or modifier == DOT_BA or modifier == DOT_X:
        source = _exchanged(source)
    halves = _halves(modifier)
    a_lower = source & A_VALUE < target & A_VALUE or halves == B_VALUE
    b_lower = source & B_VALUE < target & B_VALUE or halves == A_VALUE
    return a_lower and b_lower


def _halves(modifier: i64) -> i64:
    """The mask of the target's values that a modifier is about."""
    if modifier == DOT_B or modifier == DOT_AB:
        return B_VALUE
    if modifier == DOT_A or modifier == DOT_BA:
        return A_VALUE
    return VALUES
