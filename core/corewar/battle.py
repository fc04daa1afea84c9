"""A battle: the same warriors for many rounds, each from other positions, drawn bit for bit as pMARS 0.9.2 does.

One generator runs through all rounds: the minimal standard of S. K. Park and K. W. Miller, "Random
number generators: good ones are hard to find" (1988). The first warrior is always at address 0.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from core.corewar.instruction import STP, a_mode_of, a_of, b_mode_of, b_of, modifier_of, operation_of
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior


@final
class Battle:
    """The first round has begun; run() goes on from round to round. `mars` saves making a new core.

    ValueError for less than one round, for a `mars` of other rules, and for what Mars refuses.
    """

    def __init__(
        self,
        rules: Rules,
        warriors: list[Warrior],
        rounds: int,
        placement: "StartPositions",
        mars: Mars | None = None,
    ) -> None:
        if rounds < 1:
            raise ValueError(f"a battle has one round or more, not {rounds}")
        if mars is None:
            mars = Mars(rules, warriors)
        elif mars.rules == rules:
            mars.load_warriors(warriors)
        else:
            raise ValueError("this core has other rules")
        self.rules: Final = rules
        self.warriors: Final = mars.warriors
        self.rounds: Final = rounds
        self.placement: Final = placement
        self.mars: Final = mars
        self.remembers: Final = _remembers(mars.warriors)
        self.round: i64 = 0  # counted from 0
        self.executed_before: i64 = 0  # this round
        self._begin()

    def run(self, ticks: i64) -> bool:
        """Execute at most so many instructions more, over all rounds; True when the last round is over."""
        mars = self.mars
        while ticks > 0:
            if mars.over and not self.next_round():
                break
            before = mars.executed
            mars.run(ticks)
            ticks -= mars.executed - before
        return self.is_over()

    def run_round(self) -> None:
        """Fight a round from its beginning to its end, or to where it is known that nobody will die any more.

        That is so if it repeats itself, or if all have more processes than turns. Results and P-spaces are those of
        run(), to which this is a short cut.
        Imps come round when each has executed as many instructions as the core has cells: the second moment to
        be remembered is just after that.
        """
        mars = self.mars
        size = mars.size
        step = STEP * mars.living
        if mars.run(size // 2):
            return
        for checkpoint in (2 * size + size // 8, 16 * size, mars.last_tick):
            detector = CycleDetector(mars)
            while mars.executed < checkpoint:
                if mars.run(min(step, checkpoint - mars.executed)):
                    return
                if detector.repeats(mars):
                    self._skip(mars.executed - detector.tick)
                    return
                if not self.remembers and mars.is_safe():
                    mars.executed = mars.last_tick
                    mars.end()
                    return

    def run_rounds(self, count: i64) -> bool:
        """Fight this round and so many in all, without a way back to Python; True when the last one is over."""
        for _ in range(count):
            self.run_round()
            if not self.next_round():
                return True
        return False

    def next_round(self) -> bool:
        """Begin the next round, whether this one is over or not; False when there is none."""
        if self.round + 1 >= i64(self.rounds):
            return False
        self.executed_before += self.mars.executed
        self.round += 1
        self._begin()
        return True

    def is_over(self) -> bool:
        return self.mars.over and self.round + 1 >= i64(self.rounds)

    @property
    def results(self) -> list[list[int]]:
        """Mars.results, of all rounds."""
        return self.mars.results

    @property
    def executed(self) -> int:
        """Instructions in all rounds."""
        return int(self.executed_before + self.mars.executed)

    def _skip(self, period: i64) -> None:
        """End a round that repeats itself. A P-space must be left as the last, broken lap leaves it."""
        mars = self.mars
        if self.remembers:
            mars.last_tick -= (mars.last_tick - mars.executed) // period * period
            mars.run(mars.last_tick)
        else:
            mars.end()

    def _begin(self) -> None:
        self.placement.advance()
        self.mars.begin_at(self.placement.positions, self.placement.starter)


def _remembers(warriors: list[Warrior]) -> bool:
    """Whether one of them may write to a P-space."""
    for warrior in warriors:
        for cell in warrior.words:
            if operation_of(cell) == STP:
                return True
    return False


# -- Start positions -------------------------------------------------------------------------------

SEEDS: Final = 2147483647  # the numbers of the generator are below it; a prime
RETRIES: Final = 20  # new draws for one warrior before going back to the one that was hit
BACKTRACKS: Final = 4

# The modes as pMARS numbers them in its checksum: those through the A value have the highest bit of a byte set.
MODE_BYTES: Final = vec[i64]([0, 1, 2, 3, 4, 0x82, 0x83, 0x84])


@final
class StartPositions:
    """An endless series of positions and starters for so many warriors.

    Two warriors may be `permuted`: all places and both starters come once before any comes again. ValueError for
    more or fewer, for a negative seed, and when the core is too small for the warriors at their distance.
    """

    def __init__(self, rules: Rules, warriors: int, seed: int, permuted: bool = False) -> None:
        if warriors < 1 or warriors * rules.distance > rules.size:
            raise ValueError(f"no room for {warriors} warriors {rules.distance} apart in {rules.size} cells")
        if permuted and warriors != 2:
            raise ValueError(f"only two warriors can be permuted, not {warriors}")
        if seed < 0:
            raise ValueError(f"a seed cannot be negative: {seed}")
        self.warriors: i64 = warriors
        self.distance: i64 = rules.distance
        self.places: i64 = rules.size + 1 - 2 * rules.distance  # where a second warrior can stand
        self.size: i64 = rules.size
        self.permuted = permuted
        self.seed: i64 = seed
        self.round: i64 = 0
        self.left: i64 = 0  # entries of the table that are still to come
        self.table = vec[i64]()
        self.positions = vec[i64]([0] * warriors)  # of the round that advance() has come to
        self.starter: i64 = 0  # and who begins

    def next(self) -> tuple[list[int], int]:
        """(the position of each warrior, who begins) in the next round."""
        self.advance()
        return [int(position) for position in self.positions], int(self.starter)

    def advance(self) -> None:
        """Set `positions` and `starter` to those of the next round."""
        positions = self.positions
        self.starter = self.round % self.warriors
        self.round += 1
        if self.permuted:
            entry = self._permuted_entry()
            positions[1] = self.distance + entry // 2
            self.starter = entry % 2
        elif self.warriors == 2:
            positions[1] = self.distance + self.seed % self.places
            self.seed = following(self.seed)
        elif self.warriors > 2:
            for seat in range(self.warriors):
                positions[seat] = 0
            if not self._scatter(positions):
                self._share_out(positions)

    def _permuted_entry(self) -> i64:
        """An entry of the table, 2 * place + starter, not drawn since the table was last full."""
        if self.left == 0:
            self.left = 2 * self.places
            self.table = vec[i64](capacity=self.left)
            for entry in range(self.left):
                self.table = append(self.table, entry)
        index = self.seed % self.left
        drawn = self.table[index]
        self.left -= 1
        self.table[index] = self.table[self.left]
        self.seed = following(self.seed)
        return drawn

    def _scatter(self, positions: vec[i64]) -> bool:
        """Draw one after the other and again where two stand too near; False when that leads nowhere.

        Warrior 0 and the end of the core need no look: no place is near them.
        """
        retries, backtracks = i64(RETRIES), i64(BACKTRACKS)
        seat: i64 = 1
        while seat < self.warriors:
            self.seed = following(self.seed)
            position = self.distance + self.seed % self.places
            positions[seat] = position
            other: i64 = 1
            while other < seat and not -self.distance < position - positions[other] < self.distance:
                other += 1
            if other == seat:
                seat += 1
            elif not backtracks:
                return False
            elif retries:
                retries -= 1
            else:
                seat = other
                backtracks -= 1
                retries = RETRIES
        return True

    def _share_out(self, positions: vec[i64]) -> None:
        """Share the cells that nobody needs out among the gaps at random, then shuffle the seats."""
        room = self.size - self.distance * self.warriors + 1
        for count in range(i64(1), self.warriors):
            self.seed = following(self.seed)
            value = self.seed % room
            index = count
            while index > 1 and positions[index - 1] >= value:
                positions[index] = positions[index - 1]
                index -= 1
            positions[index] = value
        for seat in range(i64(1), self.warriors):
            positions[seat] += self.distance * seat
        for seat in range(i64(1), self.warriors):
            self.seed = following(self.seed)
            other = seat + self.seed % (self.warriors - seat)
            positions[seat], positions[other] = positions[other], positions[seat]


def fixed(rules: Rules, warriors: int, place: int, permuted: bool = False) -> StartPositions:
    """The second of two warriors begins at `place` (pMARS's -F); ValueError when that is too near."""
    if place < rules.distance:
        raise ValueError(f"a place cannot be nearer than the distance: {place} < {rules.distance}")
    seed = place - rules.distance
    return StartPositions(rules, warriors, 2 * seed if permuted else seed, permuted)


def from_checksum(rules: Rules, warriors: list[Warrior], permuted: bool = False) -> StartPositions:
    """The places depend on the warriors alone (pMARS's -f)."""
    return seeded(rules, len(warriors), checksum(warriors), permuted)


def seeded(rules: Rules, warriors: int, number: int, permuted: bool = False) -> StartPositions:
    """The places depend on `number`, for which pMARS takes the time of day."""
    return StartPositions(rules, warriors, following(number), permuted)


def checksum(warriors: list[Warrior]) -> i64:
    """A number that depends on every field of every cell of every warrior, and on their order."""
    total: i64 = 0
    count: i64 = 0
    for warrior in warriors:
        for cell in warrior.words:
            total += (8 * operation_of(cell) + modifier_of(cell)) ^ count
            total += MODE_BYTES[a_mode_of(cell)] ^ (count + 1)
            total += MODE_BYTES[b_mode_of(cell)] ^ (count + 2)
            total += a_of(cell) ^ (count + 3)
            total += b_of(cell) ^ (count + 4)
            count += 5
    return total


def following(seed: i64) -> i64:
    """The next number of the generator, as pMARS computes it, in 64 bits, whatever it was before."""
    high = seed // 127773
    value = 16807 * (seed - 127773 * high) - 2836 * high
    return value + SEEDS if value < 0 else value


# -- Rounds that repeat themselves are ties --------------------------------------------------------

# Most fights of early evolution are such, two loops that do not meet for 160,000 instructions. What is compared
# is the whole state of the machine, so nothing is guessed, and the results are those of the full time.

STEP: Final = 400  # turns of each between two looks; many loops come round in a multiple of that


@final
class CycleDetector:
    """The state of a machine at one moment, to find out whether it comes back."""

    def __init__(self, mars: Mars) -> None:
        self.tick: i64 = mars.executed
        self.living: i64 = mars.living
        self.core = mars.core[:]
        self.schedule = mars.schedule[:]
        self.ends = mars.ends[:]
        self.pspaces = mars.pspaces.cells[:]
        self.outcomes = mars.pspaces.outcomes[:]

    def repeats(self, mars: Mars) -> bool:
        """Whether the machine is as it was, and the same warrior has its turn."""
        if mars.living != self.living or (mars.executed - self.tick) % self.living != 0:
            return False
        return (
            self._has_same_queues(mars)
            and _are_equal(self.core, mars.core)
            and _are_equal(self.pspaces, mars.pspaces.cells)
            and _are_equal(self.outcomes, mars.pspaces.outcomes)
        )

    def _has_same_queues(self, mars: Mars) -> bool:
        """Whether the schedules have the same processes for the ticks to come. That of the machine may have grown."""
        before, now = self.schedule, mars.schedule
        mask_before, mask_now = i64(len(before)) - 1, i64(len(now)) - 1
        period = mars.executed - self.tick
        for turn in range(self.living):
            tick = self.tick + turn
            end = self.ends[tick % self.living]
            if mars.ends[tick % self.living] != end + period:
                return False
            while tick < end:
                if before[tick & mask_before] != now[(tick + period) & mask_now]:
                    return False
                tick += self.living
        return True


def _are_equal(first: vec[i64], second: vec[i64]) -> bool:
    """Of two of the same length."""
    length, index = i64(len(first)), i64(0)
    while index < length and first[index] == second[index]:
        index += 1
    return index == length
