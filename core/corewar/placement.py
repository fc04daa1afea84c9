"""Where the warriors of each round stand and who begins, bit for bit as pMARS 0.9.2 draws it.

One generator runs through all rounds of a battle: the minimal standard of S. K. Park and K. W. Miller, "Random
number generators: good ones are hard to find" (1988). The first warrior is always at address 0.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from core.corewar.instruction import a_mode_of, a_of, b_mode_of, b_of, modifier_of, operation_of
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

RETRIES: Final = 20  # new draws for one warrior before going back to the one that was hit
BACKTRACKS: Final = 4

# The modes as pMARS numbers them in its checksum: those through the A value have the highest bit of a byte set.
MODE_BYTES: Final = vec[i64]([0, 1, 2, 3, 4, 0x82, 0x83, 0x84])


@final
class Placement:
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

    def next(self) -> tuple[list[int], int]:
        """(the position of each warrior, who begins) in the next round."""
        starter = self.round % self.warriors
        self.round += 1
        if self.warriors == 1:
            return [0], 0
        if self.permuted:
            entry = self._permuted_entry()
            return [0, int(self.distance + entry // 2)], int(entry % 2)
        if self.warriors == 2:
            position = self.distance + self.seed % self.places
            self.seed = following(self.seed)
            return [0, int(position)], int(starter)
        positions = vec[i64]([0] * int(self.warriors))
        if not self._scatter(positions):
            self._share_out(positions)
        return [int(position) for position in positions], int(starter)

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


def fixed(rules: Rules, warriors: int, place: int, permuted: bool = False) -> Placement:
    """The second of two warriors begins at `place` (pMARS's -F); ValueError when that is too near."""
    if place < rules.distance:
        raise ValueError(f"a place cannot be nearer than the distance: {place} < {rules.distance}")
    seed = place - rules.distance
    return Placement(rules, warriors, 2 * seed if permuted else seed, permuted)


def from_checksum(rules: Rules, warriors: list[Warrior], permuted: bool = False) -> Placement:
    """The places depend on the warriors alone (pMARS's -f)."""
    return seeded(rules, len(warriors), checksum(warriors), permuted)


def seeded(rules: Rules, warriors: int, number: int, permuted: bool = False) -> Placement:
    """The places depend on `number`, for which pMARS takes the time of day."""
    return Placement(rules, warriors, following(number), permuted)


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
    return value + 2147483647 if value < 0 else value
