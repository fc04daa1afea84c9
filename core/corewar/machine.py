"""The state of a MARS: the core, the task queues of its warriors, their deaths, and their P-spaces.

The queues of the living are one schedule: it says for each tick to come which process is executed then. A warrior
has a turn at every tick that is its first one plus a multiple of the number of the living, so a queue begins at
the warrior's next turn and is as long as its processes are many; when a warrior dies, the schedule is written anew.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i32, i64

from core.corewar.instruction import EMPTY, a_of, b_of
from core.corewar.rules import WRITE_SHIFT, Rules
from core.corewar.warrior import Warrior

BLOCKS: Final = 63  # parts of the core, of 2**n cells each: what a round has touched is a set of them
# A round of at most this part of the core's cells in ticks resets only the blocks it has touched.
TRACKED: Final = 16
ROOM: Final = (
    256  # ticks in the schedule at the beginning, a power of two; it grows when a warrior needs more
)
MOST: Final = 1 << 60  # ticks or processes beyond this are as good as this
ONE: Final = i64(1)  # no literal: mypyc computes `literal << variable` in 32 bits


class MachineState:
    """A core and the warriors in it; core.corewar.mars executes them. Seats are numbered from 0 in the order of `warriors`.

    ValueError when a warrior does not fit: its cells or its start are not below the core's size, or all
    together do not have the room that their distance asks for.
    """

    def __init__(self, rules: Rules, warriors: list[Warrior]) -> None:
        self.rules: Final = rules
        self.size: Final[i64] = rules.size
        self.core = vec[i64]([EMPTY] * rules.size)
        self.touched: i64 = 0  # the blocks of the core that may not be empty, one bit each
        self.block_bits: i64 = 0  # a block has 2**block_bits cells
        while (self.size - 1) >> self.block_bits >= BLOCKS:
            self.block_bits += 1
        self.touched_until: Final[i64] = rules.size // TRACKED  # ticks in which touched blocks are noted
        self.schedule = vec[i32]([0] * ROOM)  # [tick & (its length - 1)]: the address of a process
        self.executed: i64 = 0  # instructions in this round: the tick of the next one
        self.warriors: list[Warrior] = []
        self.positions = vec[i64]()  # where the warriors were loaded
        self.deaths = vec[i64]()  # seats in the order of their deaths
        self.tallies = vec[i64]()
        self.pspaces = PSpaces(rules, [])
        self.seats = vec[i64]()  # [tick % living]: the living in the order of their turns
        self.ends = vec[i64]()  # [tick % living]: the first tick that a warrior has no process for
        self.living: i64 = 0  # warriors that have a process
        self.last_tick: i64 = 0  # when the round is over
        self.over = True
        self.load_warriors(warriors)  # last: after a call mypyc does not prove what is set

    def load_warriors(self, warriors: list[Warrior]) -> None:
        """A new match in the same core: no results, P-spaces cleared. begin() starts its first round."""
        count = len(warriors)
        if count < 1 or count * self.rules.distance > self.rules.size:
            raise ValueError(f"no room for {count} warriors in {self.rules.size} cells")
        for warrior in warriors:
            self._check(warrior)
        self._empty()
        self.warriors = list(warriors)
        zeros = [0] * count
        self.deaths = vec[i64](zeros)
        self.tallies = vec[i64]([0] * (count * (2 * count - 1)))
        self.positions = vec[i64]()
        self.pspaces = PSpaces(self.rules, warriors)
        while len(self.schedule) < 8 * count:
            self.grow_schedule()
        self.seats = vec[i64](zeros)
        self.ends = vec[i64](zeros)
        self.living = 0
        self.executed = 0
        self.last_tick = 0
        self.over = True

    def _check(self, warrior: Warrior) -> None:
        size = self.size
        fits = len(warrior.words) <= size and 0 <= warrior.start < size
        for cell in warrior.words:
            fits = fits and cell >= 0 and a_of(cell) < size and b_of(cell) < size
        if not fits:
            raise ValueError(f"{warrior.name!r} is no warrior for a core of {size} cells")

    # -- MachineState ------------------------------------------------------------------------------------

    def begin(self, positions: list[int], starter: int) -> None:
        """A new round: an empty core, the warriors at `positions`, a process each, `starter` first."""
        for position in positions:
            self._check_address(position)
        self.begin_at(vec[i64](positions), starter)

    def begin_at(self, positions: vec[i64], starter: i64) -> None:
        """begin() for callers that are compiled."""
        count = len(self.warriors)
        fits = len(positions) == count and 0 <= starter < count
        for position in positions:
            fits = fits and 0 <= position < self.size
        if not fits:
            raise ValueError(f"{count} warriors cannot stand at {list(positions)} with {starter} first")
        self._empty()
        self.positions = positions[:]
        self.living = count
        seat: i64 = starter
        for place in range(self.living):
            self.seats[place] = seat
            self.ends[place] = place + self.living
            self.schedule[place] = i32(self._load(seat))
            seat += 1
            if seat == self.living:
                seat = 0
        self.executed = 0
        self.last_tick = min(self.rules.cycles * count, MOST)
        self.over = False

    def _empty(self) -> None:
        """Reset what was touched: a round of random warriors takes five instructions, the core 8,000 cells."""
        core, size = self.core, self.size
        if self.executed > self.touched_until:
            for index in range(size):
                core[index] = EMPTY
        else:
            length = ONE << self.block_bits
            address: i64 = 0
            touched = self.touched
            while touched:
                if touched & 1:
                    for index in range(address, min(address + length, size)):
                        core[index] = EMPTY
                touched >>= 1
                address += length
        self.touched = 0

    def _load(self, seat: i64) -> i64:
        """Write a warrior into the core; the address of its first process."""
        warrior = self.warriors[seat]
        core, size = self.core, self.size
        touched: i64 = 0
        one = ONE
        address = self.positions[seat]
        first: i64 = address + warrior.start
        for cell in warrior.words:
            core[address] = cell
            touched |= one << (address >> self.block_bits)
            address += 1
            if address == size:
                address = 0
        self.touched |= touched
        return first if first < size else first - size

    # -- Turns and deaths --------------------------------------------------------------------------

    def note_touched(self, pc: i64, cell: i64, target: i64) -> None:
        """Note what the instruction `cell` at `pc` may have changed: its target, and the pointers to its operands."""
        size, bits, one = self.size, self.block_bits, ONE
        a, b = a_of(cell), b_of(cell)
        if self.rules.later:
            a, b = self.rules.reach[a] >> WRITE_SHIFT, self.rules.reach[b] >> WRITE_SHIFT
        a += pc
        b += pc
        if a >= size:
            a -= size
        if b >= size:
            b -= size
        self.touched |= (one << (a >> bits)) | (one << (b >> bits)) | (one << (target >> bits))

    def take_turn(self, followers: list[int]) -> None:
        """The next process leaves its queue and `followers` join it, as if it had executed an instruction."""
        place = self.executed % self.living
        for address in followers:
            if self.ends[place] + self.living - self.executed >= i64(len(self.schedule)):
                self.grow_schedule()
            self.schedule[self.ends[place] & (i64(len(self.schedule)) - 1)] = i32(address)
            self.ends[place] += self.living
        if self.ends[place] == self.executed + self.living:
            self.eliminate()
        else:
            self.executed += 1
            if self.executed >= self.last_tick:
                self.end()

    def is_safe(self) -> bool:
        """Whether nobody can die any more: all have more processes than turns, whatever these do."""
        return all(self.ends[place] >= self.last_tick + self.living for place in range(self.living))

    def eliminate(self) -> None:
        """The warrior whose turn it was has lost its last process."""
        seats = i64(len(self.warriors))
        seat = self.seats[self.executed % self.living]
        self.tallies[seat * (2 * seats - 1) + seats + self.living - 2] += 1
        self.deaths[seats - self.living] = seat
        self.executed += 1
        self.last_tick -= (self.last_tick - self.executed) // self.living
        self.living -= 1
        self._reschedule()
        if self.living < 2:
            self.end()
        else:
            self.last_tick -= 1  # pMARS counts the tick of a death twice when the round goes on
            if self.executed >= self.last_tick:
                self.end()

    def _reschedule(self) -> None:
        """Schedule the living anew, now that the one of the last tick has died."""
        schedule = self.schedule
        mask = i64(len(schedule)) - 1
        living, now = self.living, self.executed
        wide = living + 1
        seats = vec[i64]([0] * living)
        counts = vec[i64]([0] * living)
        longest: i64 = 0
        for turn in range(living):
            old = (now + turn) % wide
            seats[turn] = self.seats[old]
            counts[turn] = (self.ends[old] - (now + turn)) // wide
            longest = max(longest, counts[turn])
        for number in range(longest):
            for turn in range(living):
                if number < counts[turn]:
                    address = schedule[(now + turn + number * wide) & mask]
                    schedule[(now + turn + number * living) & mask] = address
        for turn in range(living):
            place = (now + turn) % living
            self.seats[place] = seats[turn]
            self.ends[place] = now + turn + counts[turn] * living

    def end(self) -> None:
        """The round is over."""
        self.over = True
        seats = i64(len(self.warriors))
        for place in range(self.living):
            seat = self.seats[place]
            self.tallies[seat * (2 * seats - 1) + self.living - 1] += 1
            self.pspaces.outcomes[seat] = self.living
        for index in range(seats - self.living):
            self.pspaces.outcomes[self.deaths[index]] = 0

    def grow_schedule(self) -> None:
        """A schedule of twice the length."""
        schedule = self.schedule
        length = i64(len(schedule))
        longer = vec[i32]([0] * (2 * len(schedule)))
        for tick in range(self.executed - 1, self.executed - 1 + length):
            longer[tick & (2 * length - 1)] = schedule[tick & (length - 1)]
        self.schedule = longer

    # -- Questions and edits, between two runs -----------------------------------------------------

    @property
    def results(self) -> list[list[int]]:
        """[seat]: rounds survived among 1, 2, ... W survivors, then rounds died in as the last but none, one, ..."""
        width = 2 * len(self.warriors) - 1
        tallies = [int(tally) for tally in self.tallies]
        return [tallies[width * seat : width * (seat + 1)] for seat in range(len(self.warriors))]

    @property
    def shares(self) -> list[int]:
        """Whose P-space each seat has: its own, or that of the first seat with the same PIN."""
        return [int(seat) for seat in self.pspaces.shares]

    @property
    def ticks_left(self) -> int:
        """Instructions until the round ends without a further death."""
        return int(max(self.last_tick - self.executed, 0))

    @property
    def turn(self) -> int:
        """The seat whose process is next; at an end by death, the seat that died."""
        seats = i64(len(self.warriors))
        if self.over and self.living < min(seats, 2):
            return int(self.deaths[seats - self.living - 1])
        return int(self.seats[self.executed % self.living])

    def is_alive(self, seat: int) -> bool:
        return self._next_tick(seat) >= 0

    def count(self, seat: int) -> int:
        """How many processes a warrior has."""
        tick = self._next_tick(seat)
        return 0 if tick < 0 else int((self.ends[tick % self.living] - tick) // self.living)

    def processes(self, seat: int) -> list[int]:
        """The addresses in a warrior's queue, the next to execute first."""
        tick = self._next_tick(seat)
        return [self._scheduled(tick + self.living * number) for number in range(self.count(seat))]

    @property
    def next_address(self) -> int:
        """Of the instruction that is executed next."""
        return self._scheduled(self.executed)

    @property
    def last_address(self) -> int:
        """Of the instruction that was executed last."""
        return self._scheduled(self.executed - 1)

    def _scheduled(self, tick: i64) -> int:
        return int(self.schedule[tick & (i64(len(self.schedule)) - 1)])

    def _next_tick(self, seat: i64) -> i64:
        """When a seat has its turn; negative for a dead one."""
        for tick in range(self.executed, self.executed + self.living):
            if self.seats[tick % self.living] == seat:
                return tick
        return -1

    def set_processes(self, seat: int, addresses: list[int]) -> None:
        """Give a living warrior other processes. ValueError for none, too many, or one that is no address."""
        if not self.is_alive(seat) or not 1 <= len(addresses) <= self.rules.processes:
            raise ValueError(f"warrior {seat} cannot have {len(addresses)} processes")
        for address in addresses:
            self._check_address(address)
        tick = self._next_tick(seat)
        place = tick % self.living
        while (len(addresses) + 2) * self.living > len(self.schedule):
            self.grow_schedule()
        for address in addresses:
            self.schedule[tick & (i64(len(self.schedule)) - 1)] = i32(address)
            tick += self.living
        self.ends[place] = tick

    def cell(self, address: int) -> int:
        return int(self.core[address])

    def set_cell(self, address: int, cell: int) -> None:
        """ValueError when the address or the cell does not belong to a core of this size."""
        self._check_address(address)
        if cell < 0 or a_of(cell) >= self.size or b_of(cell) >= self.size:
            raise ValueError(f"no cell of a core of {self.size}: {cell}")
        one = ONE
        self.core[address] = cell
        self.touched |= one << (i64(address) >> self.block_bits)

    def pspace(self, seat: int) -> list[int]:
        """The P-space that a warrior sees: cell 0 is its own, the others it may share."""
        return [int(self.pspaces.read(seat, index)) for index in range(self.rules.pspace)]

    def set_pspace(self, seat: int, index: int, value: int) -> None:
        if not 0 <= index < self.rules.pspace or not 0 <= value < self.size:
            raise ValueError(f"no cell and value of a P-space: {index}, {value}")
        self.pspaces.write(seat, index, value)

    def _check_address(self, address: int) -> None:
        if not 0 <= address < self.size:
            raise ValueError(f"no address of a core of {self.size} cells: {address}")


# -- P-space ---------------------------------------------------------------------------------------


@final
class PSpaces:
    """The memory of each warrior of a match that outlives its rounds, shared by warriors with the same PIN. An index counts modulo the size.

    Cell 0 is a seat's own whatever its PIN: the outcome of its last round, core size - 1 before the first, 0 after
    a death, else the number of survivors. pMARS lets a warrior write it, until the round ends.
    """

    def __init__(self, rules: Rules, warriors: list[Warrior]) -> None:
        count = len(warriors)
        self.size: i64 = rules.pspace
        self.cells = vec[i64]([0] * (count * rules.pspace))
        self.outcomes = vec[i64]([rules.size - 1] * count)
        self.shares = vec[i64]([_share(warriors, seat) for seat in range(count)])

    def read(self, seat: i64, index: i64) -> i64:
        index %= self.size
        return self.cells[self.shares[seat] * self.size + index] if index else self.outcomes[seat]

    def write(self, seat: i64, index: i64, value: i64) -> None:
        index %= self.size
        if index:
            self.cells[self.shares[seat] * self.size + index] = value
        else:
            self.outcomes[seat] = value


def _share(warriors: list[Warrior], seat: int) -> int:
    """The first seat with the same PIN, whose cells are this seat's too."""
    pin = warriors[seat].pin
    if pin is not None:
        for other in range(seat):
            if warriors[other].pin == pin:
                return other
    return seat
