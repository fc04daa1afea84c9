"""The state of a MARS: the core, the task queues of its warriors, their deaths, and their P-spaces.

The queues of the living warriors form one schedule, which has the address of the process to execute at each coming
tick. A warrior has a turn at its first tick and then every `living` ticks, so its queue starts at its next turn and
has one entry for each of its processes. When a warrior dies, the schedule is rebuilt.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i32, i64

from core.corewar.instruction import EMPTY, a_of, b_of
from core.corewar.rules import WRITE_SHIFT, Rules
from core.corewar.warrior import Warrior

BLOCKS: Final = 63  # the most blocks of a core, of 2**n cells each: a set of blocks is one i64
# A round of at most size // TRACKED ticks resets only the blocks that it has touched.
TRACKED: Final = 16
ROOM: Final = 256  # the initial length of the schedule in ticks, a power of two; it grows as needed
MAX_NUMBER: Final = 1 << 60  # larger numbers of ticks or processes are clipped to this
ONE: Final = i64(1)  # not a literal: mypyc computes `literal << variable` in 32 bits


class MachineState:
    """A core and the warriors in it, which core.corewar.mars executes; seats are numbered in the order of `warriors`.

    Raises ValueError if a warrior does not fit: its cells or its start are not below the core's size, or the core has
    no room for all warriors at their distance.
    """

    def __init__(self, rules: Rules, warriors: list[Warrior]) -> None:
        self.rules: Final = rules
        self.size: Final[i64] = rules.size
        self.core = vec[i64]([EMPTY] * rules.size)
        self.touched: i64 = 0  # the blocks of the core that may have cells other than EMPTY, one bit each
        self.block_bits: i64 = 0  # a block has 2**block_bits cells
        while (self.size - 1) >> self.block_bits >= BLOCKS:
            self.block_bits += 1
        self.touched_until: Final[i64] = rules.size // TRACKED  # touched blocks are noted before this tick
        self.schedule = vec[i32]([0] * ROOM)  # [tick & (its length - 1)]: the address of a process
        self.executed: i64 = 0  # instructions executed in this round, and so the tick of the next instruction
        self.warriors: list[Warrior] = []
        self.positions = vec[i64]()  # the addresses at which the warriors were loaded
        self.deaths = vec[i64]()  # seats in the order of their deaths
        self.tallies = vec[i64]()
        self.pspaces = PSpaces(rules, [])
        self.seats = vec[i64]()  # [tick % living]: the seats of the living in the order of their turns
        self.ends = vec[i64]()  # [tick % living]: the first tick for which a warrior has no process
        self.living: i64 = 0  # the number of warriors with a process
        self.last_tick: i64 = 0  # the tick at which the round is over
        self.over = True
        self.load_warriors(warriors)  # last: after a call mypyc cannot prove which attributes are set

    def load_warriors(self, warriors: list[Warrior]) -> None:
        """Start a new match in the same core, with no results and cleared P-spaces; begin() starts its rounds."""
        count = len(warriors)
        if count < 1 or count * self.rules.distance > self.rules.size:
            raise ValueError(f"a core of {self.rules.size} cells is too small for {count} warriors")
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
            raise ValueError(f"the code of {warrior.name!r} does not fit a core of {size} cells")

    # -- Rounds ------------------------------------------------------------------------------------

    def begin(self, positions: list[int], starter: int) -> None:
        """Start a round in an empty core, the warriors at `positions` with one process each, `starter` first."""
        for position in positions:
            self._check_address(position)
        self.begin_at(vec[i64](positions), starter)

    def begin_at(self, positions: vec[i64], starter: i64) -> None:
        """Start a round as begin() does, for compiled callers."""
        count = len(self.warriors)
        fits = len(positions) == count and 0 <= starter < count
        for position in positions:
            fits = fits and 0 <= position < self.size
        if not fits:
            raise ValueError(
                f"{count} warriors cannot start at cells {list(positions)}, warrior {starter} first"
            )
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
        self.last_tick = min(self.rules.cycles * count, MAX_NUMBER)
        self.over = False

    def _empty(self) -> None:
        """Reset the core, after a short round only its touched blocks.

        A round of random warriors has about five instructions, but the core has 8,000 cells.
        """
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
        """Write a warrior into the core, and return the address of its first process."""
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
        """Note the blocks that the instruction `cell` at `pc` may have changed: of its target and two pointers."""
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
        """Take the next process from its queue and append `followers`, as if it had executed an instruction."""
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
        """Return whether no warrior can die in this round any more, since all have more processes than turns left."""
        return all(self.ends[place] >= self.last_tick + self.living for place in range(self.living))

    def eliminate(self) -> None:
        """Remove the warrior whose turn it is, since it has lost its last process."""
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
            self.last_tick -= 1  # pMARS counts the tick of a death twice when the round continues
            if self.executed >= self.last_tick:
                self.end()

    def _reschedule(self) -> None:
        """Rebuild the schedule of the living warriors, after the warrior of the last tick has died."""
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
        """End the round, and record the results and the outcomes for the P-spaces."""
        self.over = True
        seats = i64(len(self.warriors))
        for place in range(self.living):
            seat = self.seats[place]
            self.tallies[seat * (2 * seats - 1) + self.living - 1] += 1
            self.pspaces.outcomes[seat] = self.living
        for index in range(seats - self.living):
            self.pspaces.outcomes[self.deaths[index]] = 0

    def make_room(self) -> None:
        """Let the schedule grow until each queue is shorter than it by more than one turn of all warriors.

        So a process that forks in the next turn of its warrior finds room for both successors.
        """
        longest: i64 = 0
        for place in range(self.living):
            longest = max(longest, self.ends[place] - self.executed)
        while longest + self.living >= i64(len(self.schedule)):
            self.grow_schedule()

    def grow_schedule(self) -> None:
        """Double the length of the schedule."""
        schedule = self.schedule
        length = i64(len(schedule))
        longer = vec[i32]([0] * (2 * len(schedule)))
        for tick in range(self.executed - 1, self.executed - 1 + length):
            longer[tick & (2 * length - 1)] = schedule[tick & (length - 1)]
        self.schedule = longer

    # -- Inspection and changes between two runs ---------------------------------------------------

    @property
    def results(self) -> list[list[int]]:
        """The results of all rounds, one list for each seat, for W warriors.

        A list counts the rounds survived among 1, 2 ... W survivors, and then the deaths in rounds in which 1, 2 ...
        W - 1 others outlived the warrior; with a single warrior, the only number counts both.
        """
        width = 2 * len(self.warriors) - 1
        tallies = [int(tally) for tally in self.tallies]
        return [tallies[width * seat : width * (seat + 1)] for seat in range(len(self.warriors))]

    @property
    def shares(self) -> list[int]:
        """The seat whose P-space each seat uses: its own, or the first seat with the same PIN."""
        return [int(seat) for seat in self.pspaces.shares]

    @property
    def ticks_left(self) -> int:
        """The number of instructions until the round ends if no warrior dies."""
        return int(max(self.last_tick - self.executed, 0))

    @property
    def turn(self) -> int:
        """The seat whose process is next; after a round that a death has ended, the seat that died."""
        seats = i64(len(self.warriors))
        if self.over and self.living < min(seats, 2):
            return int(self.deaths[seats - self.living - 1])
        return int(self.seats[self.executed % self.living])

    def is_alive(self, seat: int) -> bool:
        return self._next_tick(seat) >= 0

    def count(self, seat: int) -> int:
        """Return the number of a warrior's processes."""
        tick = self._next_tick(seat)
        return 0 if tick < 0 else int((self.ends[tick % self.living] - tick) // self.living)

    def processes(self, seat: int) -> list[int]:
        """Return the addresses in a warrior's queue, the next to be executed first."""
        tick = self._next_tick(seat)
        return [self._scheduled(tick + self.living * number) for number in range(self.count(seat))]

    @property
    def next_address(self) -> int:
        """The address of the instruction that will be executed next."""
        return self._scheduled(self.executed)

    @property
    def last_address(self) -> int:
        """The address of the instruction that was executed last."""
        return self._scheduled(self.executed - 1)

    def _scheduled(self, tick: i64) -> int:
        return int(self.schedule[tick & (i64(len(self.schedule)) - 1)])

    def _next_tick(self, seat: i64) -> i64:
        """Return the tick of a seat's next turn, or -1 if its warrior is dead."""
        for tick in range(self.executed, self.executed + self.living):
            if self.seats[tick % self.living] == seat:
                return tick
        return -1

    def set_processes(self, seat: int, addresses: list[int]) -> None:
        """Replace the processes of a living warrior.

        Raises ValueError if the warrior is dead, or the addresses are none, too many or outside the core.
        """
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
        """Write a cell; raises ValueError if the address or the cell does not belong to a core of this size."""
        self._check_address(address)
        if cell < 0 or a_of(cell) >= self.size or b_of(cell) >= self.size:
            raise ValueError(f"{cell} is not a cell of a core of {self.size} cells")
        one = ONE
        self.core[address] = cell
        self.touched |= one << (i64(address) >> self.block_bits)

    def pspace(self, seat: int) -> list[int]:
        """Return the P-space of a warrior: cell 0 is its own, the others may be shared."""
        return [int(self.pspaces.read(seat, index)) for index in range(self.rules.pspace)]

    def set_pspace(self, seat: int, index: int, value: int) -> None:
        if not 0 <= index < self.rules.pspace or not 0 <= value < self.size:
            raise ValueError(f"P-space has no cell {index}, or a cell cannot have the value {value}")
        self.pspaces.write(seat, index, value)

    def _check_address(self, address: int) -> None:
        if not 0 <= address < self.size:
            raise ValueError(f"a core of {self.size} cells has no address {address}")


# -- P-space ---------------------------------------------------------------------------------------


@final
class PSpaces:
    """The P-spaces of a match: the warriors' memory that outlives rounds, shared by warriors with the same PIN.

    An index counts modulo the size of the P-space. Cell 0 is never shared. It holds the outcome of the seat's last
    round: core size - 1 before the first round, 0 after a death, else the number of survivors. As in pMARS, a warrior
    can write cell 0, and the end of the round overwrites it.
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
    """Return the first seat with the same PIN, whose cells this seat shares, or the seat itself."""
    pin = warriors[seat].pin
    if pin is not None:
        for other in range(seat):
            if warriors[other].pin == pin:
                return other
    return seat
