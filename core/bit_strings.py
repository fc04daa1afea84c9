"""The genetic algorithm of GENESIS 5.0 on packed strings of bits; performances are minimised.

A generation uses the operators in this order: expectations, samples, mutation, crossover. A string that an operator
has changed is marked in `changed` until it is graded. Reference: J. Grefenstette, "A User's Guide to GENESIS, Version
5.0" (1990); sampling: J. Baker, "Reducing bias and inefficiency in the selection algorithm" (1987).
"""

from math import ceil, log
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from core.random import Random

# [n]: the first n bits of a byte.
FIRST: Final = vec[i64]([0x00, 0x80, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC, 0xFE, 0xFF])
# [byte]: its bits as the eight bytes of a word, so that one addition counts eight of them.
SPREAD: Final = vec[i64]([sum([(byte >> bit & 1) * 256**bit for bit in range(8)]) for byte in range(256)])
FULL: Final = 127  # additions before such a word must be unloaded: its highest byte has the sign


@final
class Strings:
    """A population: `count` strings of `width` bytes, one after the other; bit 0 is the high bit of byte 0."""

    def __init__(self, count: int, width: int) -> None:
        """Set all bits to 0, and mark all strings as changed. Raises ValueError for a size below 1."""
        if count < 1 or width < 1:
            raise ValueError(f"a population has at least 1 string of at least 1 byte, not {count} of {width}")
        self.count: Final = count
        self.width: Final = width
        self.bytes = vec[u8]([u8(0)] * (count * width))
        self.performances = vec[float]([0.0] * count)
        self.changed = vec[u8]([u8(1)] * count)

    def randomize(self, rng: Random) -> None:
        """Draw every bit at random."""
        for place in range(i64(len(self.bytes))):
            self.bytes[place] = u8(rng.bits() & 255)

    def row(self, index: int) -> bytes:
        """Return a string. Raises IndexError if there is no string of this index."""
        if not 0 <= index < self.count:
            raise IndexError(f"the population of {self.count} strings has no string {index}")
        return bytes(memoryview(self.bytes)[index * self.width : (index + 1) * self.width])

    def rows(self, indices: list[int]) -> bytes:
        """Return some strings, one after the other. Raises IndexError if there is no string of an index."""
        return b"".join([self.row(index) for index in indices])

    def put(self, index: int, row: bytes, performance: float) -> None:
        """Replace a string by another and its performance. Raises ValueError for a wrong length."""
        if len(row) != self.width:
            raise ValueError(f"a string has {self.width} bytes, not {len(row)}")
        first = i64(index) * self.width
        for place in range(i64(self.width)):
            self.bytes[first + place] = u8(row[place])
        self.performances[index] = performance
        self.changed[index] = u8(0)

    def grade(self, indices: list[int], performances: list[int]) -> None:
        """Set the performances of some strings, which then count as unchanged."""
        for index, performance in zip(indices, performances, strict=True):
            self.performances[index] = float(performance)
            self.changed[index] = u8(0)

    def waiting(self) -> list[int]:
        """Return the indices of the strings that have changed since they were graded, in order."""
        return [index for index in range(self.count) if self.changed[index]]

    def find(self, row: bytes) -> int:
        """Return the index of the first string that equals `row`, or -1 if no string does."""
        width: i64 = self.width
        for index in range(i64(self.count)):
            first = index * width
            place: i64 = 0
            while place < width and i64(self.bytes[first + place]) == i64(row[place]):
                place += 1
            if place == width:
                return int(index)
        return -1

    def copied(self, samples: vec[i64]) -> "Strings":
        """Return copies of the strings of some indices, with their performances, graded or not."""
        copy = Strings(len(samples), self.width)
        width: i64 = self.width
        mine, its = self.bytes, copy.bytes
        to: i64 = 0
        for place in range(i64(len(samples))):
            index = samples[place]
            copy.performances[place] = self.performances[index]
            copy.changed[place] = self.changed[index]
            for source in range(index * width, index * width + width):
                its[to] = mine[source]
                to += 1
        return copy

    def mutate(self, rate: float, strings: int, rng: Random) -> None:
        """Write random bits to sites of the first `strings` strings.

        Each bit is a site with probability `rate`, and a random bit changes half of the sites. Raises ValueError
        unless the rate is above 0 and below 1.
        """
        tape = i64(strings) * self.width * 8
        site: i64 = -1
        if not 0.0 < rate < 1.0:
            raise ValueError(f"a rate of mutation is above 0 and below 1, not {rate}")
        scale = log(1.0 - rate)
        while True:
            site += max(i64(ceil(log(1.0 - rng.uniform()) / scale)), 1)
            if site >= tape:
                return
            byte, bit = site >> 3, site & 7
            old = i64(self.bytes[byte])
            mask = FIRST[bit + 1] & ~FIRST[bit]
            new = (old | mask) if rng.bits() < 0 else (old & ~mask)
            if new != old:
                self.bytes[byte] = u8(new)
                self.changed[byte // self.width] = u8(1)

    def cross(self, strings: int, rng: Random) -> None:
        """Swap the bits between two random cuts, for each pair of neighbours among the first `strings` strings."""
        bits = i64(self.width) * 8
        for mother in range(i64(0), i64(strings) - 1, i64(2)):
            one = rng.below(bits + 1)
            other = rng.below(bits)
            if other >= one:
                self._swap(mother, one, other + 1)
            else:
                self._swap(mother, other, one)

    def _swap(self, mother: i64, start: i64, stop: i64) -> None:
        """Swap bits start to stop - 1 of a string and the next one, unless that would give the same two strings."""
        width: i64 = self.width
        strings, first, second = self.bytes, mother * width, (mother + 1) * width
        inside: i64 = 0
        outside: i64 = 0
        for place in range(width):
            unlike = i64(strings[first + place]) ^ i64(strings[second + place])
            if unlike:
                mask = _range_mask(place, start, stop)
                inside |= unlike & mask
                outside |= unlike & ~mask
        if not inside or not outside:  # the same two strings as before, perhaps exchanged
            return
        for place in range(start >> 3, (stop + 7) >> 3):
            here, there = i64(strings[first + place]), i64(strings[second + place])
            swapped = (here ^ there) & _range_mask(place, start, stop)
            strings[first + place] = u8(here ^ swapped)
            strings[second + place] = u8(there ^ swapped)
        self.changed[mother] = u8(1)
        self.changed[mother + 1] = u8(1)

    def converged(self, share: float) -> int:
        """Return the number of bits that have the same value in at least this share of the strings."""
        width: i64 = self.width
        enough = share * self.count
        lanes, ones = vec[i64]([0] * self.width), vec[i64]([0] * (8 * self.width))
        byte: i64 = 0
        for index in range(i64(1), i64(self.count) + 1):
            for place in range(width):
                lanes[place] += SPREAD[i64(self.bytes[byte])]
                byte += 1
            if index % FULL == 0 or index == self.count:
                _unload(lanes, ones)
        total: i64 = 0
        for count in ones:
            if float(count) >= enough or float(self.count - count) >= enough:
                total += 1
        return int(total)


def _unload(lanes: vec[i64], ones: vec[i64]) -> None:
    """Add the eight counts in each word of `lanes` to `ones`, and set the words to 0."""
    for place in range(i64(len(lanes))):
        for bit in range(i64(8)):
            ones[place * 8 + bit] += (lanes[place] >> (bit * 8)) & 255
        lanes[place] = 0


def _range_mask(byte: i64, start: i64, stop: i64) -> i64:
    """Return the mask of the bits of byte number `byte` that are in start to stop - 1."""
    first = min(max(start - byte * 8, 0), 8)
    last = min(max(stop - byte * 8, 0), 8)
    return FIRST[last] & ~FIRST[first]


# -- Selection -------------------------------------------------------------------------------------


def proportional(performances: vec[float], worst: float) -> vec[float]:
    """Return the expected number of offspring of each string, in proportion to its advantage over `worst`.

    If no string has an advantage, each expects one.
    """
    count = len(performances)
    total = 0.0
    for performance in performances:
        total += max(0.0, worst - performance)
    if total <= 0.0:
        return vec[float]([1.0] * count)
    scale = float(count) / total
    return vec[float]([max(0.0, worst - performance) * scale for performance in performances])


def linear_ranking(performances: vec[float], least: float) -> vec[float]:
    """Return the expected number of offspring by rank: `least` for the worst, rising to 2 - least for the best."""
    count = len(performances)
    expected = vec[float]([1.0] * count)
    if count == 1:
        return expected
    order = sorted(range(count), key=lambda index: -performances[index])  # worst first
    for rank, index in enumerate(order):
        expected[index] = least + float(rank) * (2.0 - 2.0 * least) / float(count - 1)
    return expected


def stochastic_universal_sampling(expected: vec[float], rng: Random) -> vec[i64]:
    """Return as many indices as there are expectations, in ascending order.

    Each index occurs as often as expected, rounded up or down at random.
    """
    count: i64 = len(expected)
    samples = vec[i64]([0] * len(expected))
    pointer = rng.uniform()
    total = 0.0
    taken: i64 = 0
    last: i64 = 0
    for index in range(count):
        total += expected[index]
        if expected[index] > 0.0:
            last = index
        while taken < count and total > pointer:
            samples[taken] = index
            taken += 1
            pointer += 1.0
    while taken < count:  # sums of floats may miss the last one by a hair
        samples[taken] = last
        taken += 1
    return samples


def generation_gap(samples: vec[i64], new: int, rng: Random) -> None:
    """Replace all samples but the first `new` by random indices of the old population: the generation gap."""
    count: i64 = len(samples)
    for place in range(i64(new), count):
        samples[place] = rng.below(count)
