"""A battle: the same warriors in many rounds, each round with other positions, drawn exactly as by pMARS 0.9.2.

One random number generator serves all rounds: the minimal standard of S. K. Park and K. W. Miller, "Random number
generators: good ones are hard to find" (1988). The first warrior is always at address 0.
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
    """A battle of several rounds, created with its first round ready to run; run() continues from round to round.

    With `mars`, an existing machine and its core are used again. Raises ValueError if `rounds` is less than 1, if
    `mars` has other rules, or if the warriors do not fit into the core.
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
            raise ValueError("the core has other rules than the battle")
        self.rules: Final = rules
        self.warriors: Final = mars.warriors
        self.rounds: Final = rounds
        self.placement: Final = placement
        self.mars: Final = mars
        self.remembers: Final = _remembers(mars.warriors)
        self.round: i64 = 0  # the current round, counted from 0
        self.executed_before: i64 = 0  # instructions executed before this round
        self._begin()

    def run(self, ticks: i64) -> bool:
        """Execute at most `ticks` more instructions, over any number of rounds; return whether the last is over."""
        mars = self.mars
        while ticks > 0:
            if mars.over and not self.next_round():
                break
            before = mars.executed
            mars.run(ticks)
            ticks -= mars.executed - before
        return self.is_over()

    def run_round(self) -> None:
        """Fight a round to its end, or until it is known that no warrior will die any more.

        This is known if the round repeats itself, or if all warriors have more processes than turns left. Results and
        P-spaces are the same as with run(), which takes longer. Imps repeat when each has executed as many
        instructions as the core has cells, so the second state to compare with is taken just after that.
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
        """Fight this round and the next `count` - 1 in compiled code; return whether the last round is over."""
        for _ in range(count):
            self.run_round()
            if not self.next_round():
                return True
        return False

    def next_round(self) -> bool:
        """Start the next round, whether the current round is over or not; return False if there is no next round."""
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
        """The results of all rounds so far, as in MachineState.results."""
        return self.mars.results

    @property
    def executed(self) -> int:
        """The number of instructions executed in all rounds."""
        return int(self.executed_before + self.mars.executed)

    def _skip(self, period: i64) -> None:
        """End a round that repeats itself every `period` ticks.

        If a warrior may write to a P-space, the last, incomplete period is executed, since it decides the final
        content.
        """
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
    """Return whether one of the warriors contains STP, which writes to a P-space."""
    for warrior in warriors:
        for cell in warrior.words:
            if operation_of(cell) == STP:
                return True
    return False


# -- Start positions -------------------------------------------------------------------------------

SEEDS: Final = 2147483647  # the numbers of the generator are below it; a prime
RETRIES: Final = 20  # new draws for one warrior before going back to the warrior that was too near
BACKTRACKS: Final = 4

# The modes as pMARS numbers them in its checksum: modes through the A value have the highest bit of a byte set.
MODE_BYTES: Final = vec[i64]([0, 1, 2, 3, 4, 0x82, 0x83, 0x84])


@final
class StartPositions:
    """An endless series of positions and starters for a number of warriors.

    With `permuted`, for two warriors only, every combination of place and starter is drawn once before any is drawn
    again. Raises ValueError if `permuted` is set for another number of warriors, if the seed is negative, and if the
    core is too small for the warriors at their distance.
    """

    def __init__(self, rules: Rules, warriors: int, seed: int, permuted: bool = False) -> None:
        if warriors < 1 or warriors * rules.distance > rules.size:
            raise ValueError(
                f"a core of {rules.size} cells is too small for {warriors} warriors {rules.distance} cells apart"
            )
        if permuted and warriors != 2:
            raise ValueError(f"only two warriors can be permuted, not {warriors}")
        if seed < 0:
            raise ValueError(f"a seed cannot be negative: {seed}")
        self.warriors: i64 = warriors
        self.distance: i64 = rules.distance
        self.places: i64 = rules.size + 1 - 2 * rules.distance  # the number of places for a second warrior
        self.size: i64 = rules.size
        self.permuted = permuted
        self.seed: i64 = seed
        self.round: i64 = 0
        self.left: i64 = 0  # entries of the table that have not been drawn yet
        self.table = vec[i64]()
        self.positions = vec[i64]([0] * warriors)  # of the warriors in the current round
        self.starter: i64 = 0  # the seat that has the first turn in the current round

    def next(self) -> tuple[list[int], int]:
        """Return (the position of each warrior, the seat with the first turn) of the next round."""
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
        """Draw an entry, 2 * place + starter, that has not been drawn since the table was last filled."""
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
        """Draw the positions one after the other, again if two are too near; return False if that does not succeed.

        Warrior 0 and the end of the core are not checked, since no place is too near to them.
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
        """Distribute the free cells among the gaps between warriors at random, then shuffle the warriors."""
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
    """Return start positions with the second of two warriors at `place` in the first round (pMARS's -F).

    Raises ValueError if `place` is too near to the first warrior.
    """
    if place < rules.distance:
        raise ValueError(f"a place cannot be nearer than the distance: {place} < {rules.distance}")
    seed = place - rules.distance
    return StartPositions(rules, warriors, 2 * seed if permuted else seed, permuted)


def from_checksum(rules: Rules, warriors: list[Warrior], permuted: bool = False) -> StartPositions:
    """Return start positions that depend on the warriors alone (pMARS's -f)."""
    return seeded(rules, len(warriors), checksum(warriors), permuted)


def seeded(rules: Rules, warriors: int, number: int, permuted: bool = False) -> StartPositions:
    """Return start positions that depend on `number`, for which pMARS takes the time of day."""
    return StartPositions(rules, warriors, following(number), permuted)


def checksum(warriors: list[Warrior]) -> i64:
    """Return pMARS's checksum, which depends on every field of every cell of every warrior, and on their order."""
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
    """Return the number after `seed` in the generator, as pMARS computes it, in 64 bits for any `seed`."""
    high = seed // 127773
    value = 16807 * (seed - 127773 * high) - 2836 * high
    return value + SEEDS if value < 0 else value


# -- Rounds that repeat themselves are ties --------------------------------------------------------

# Most fights of early evolution repeat themselves: two loops that do not meet for 160,000 instructions. The whole
# state of the machine is compared, so the detection is exact, and the results are those of the full time.

STEP: Final = 400  # turns of each warrior between two comparisons; many loops repeat after a multiple of it


@final
class CycleDetector:
    """A copy of a machine's state at one moment, to detect whether the state occurs again."""

    def __init__(self, mars: Mars) -> None:
        self.tick: i64 = mars.executed
        self.living: i64 = mars.living
        self.core = mars.core[:]
        self.schedule = mars.schedule[:]
        self.ends = mars.ends[:]
        self.pspaces = mars.pspaces.cells[:]
        self.outcomes = mars.pspaces.outcomes[:]

    def repeats(self, mars: Mars) -> bool:
        """Return whether the machine is in the same state, with the same warrior to move."""
        if mars.living != self.living or (mars.executed - self.tick) % self.living != 0:
            return False
        return (
            self._has_same_queues(mars)
            and _are_equal(self.core, mars.core)
            and _are_equal(self.pspaces, mars.pspaces.cells)
            and _are_equal(self.outcomes, mars.pspaces.outcomes)
        )

    def _has_same_queues(self, mars: Mars) -> bool:
        """Return whether both schedules have the same processes for the coming ticks.

        The schedule of the machine may have grown since the copy was made.
        """
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
    """Return whether two vectors of equal length hold the same values."""
    length, index = i64(len(first)), i64(0)
    while index < length and first[index] == second[index]:
        index += 1
    return index == length
