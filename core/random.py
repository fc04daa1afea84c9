"""The random source of the whole program: xoshiro256** seeded through SplitMix64.

The same seed gives the same numbers on every machine. Reference: D. Blackman, S. Vigna, "Scrambled linear
pseudorandom number generators" (2018). A 64-bit number is held in an i64, two's complement.
"""

from math import cos, log, pi, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

GOLDEN: Final = i64(-0x61C8864680B583EB)  # SplitMix64's increment, 0x9E3779B97F4A7C15
MIX_1: Final = i64(-0x40A7B892E31B1A47)  # 0xBF58476D1CE4E5B9
MIX_2: Final = i64(-0x6B2FB644ECCEEE15)  # 0x94D049BB133111EB
LOW_63: Final = i64(0x7FFFFFFFFFFFFFFF)


def shifted(x: i64, count: i64) -> i64:
    """Return x >> count with x taken as unsigned; 1 <= count <= 63."""
    return (x >> count) & (LOW_63 >> (count - 1))


def rotated(x: i64, count: i64) -> i64:
    return (x << count) | shifted(x, 64 - count)


class Random:
    """A stream of random numbers that depends on its seed alone."""

    def __init__(self, seed: int) -> None:
        """Seed with any integer; only its low 64 bits count."""
        low = seed & 0xFFFFFFFFFFFFFFFF
        state: i64 = low - (1 << 64) if low >> 63 else low
        self.words = vec[i64]([0, 0, 0, 0])
        words = self.words
        for index in range(i64(4)):
            state += GOLDEN
            z = (state ^ shifted(state, 30)) * MIX_1
            z = (z ^ shifted(z, 27)) * MIX_2
            words[index] = z ^ shifted(z, 31)

    def bits(self) -> i64:
        """Return the next 64 random bits."""
        words = self.words
        w0, w1, w2, w3 = words[0], words[1], words[2], words[3]
        result = rotated(w1 * 5, 7) * 9
        w2 ^= w0
        w3 ^= w1
        words[0] = w0 ^ w3
        words[1] = w1 ^ w2
        words[2] = w2 ^ (w1 << 17)
        words[3] = rotated(w3, 45)
        return result

    def below(self, n: i64) -> i64:
        """Return a number in 0..n-1 without bias. Raises ValueError unless 1 <= n < 2**62."""
        if n < 1 or n >> 62:
            raise ValueError(f"below({n}): n must be in 1..2**62-1")
        threshold = (LOW_63 % n + 1) * 2 % n  # 2**64 mod n
        while True:
            x = self.bits()
            if x < 0 or x >= threshold:  # a negative i64 is a large unsigned number
                return (shifted(x, 1) % n * 2 + (x & 1)) % n

    def uniform(self) -> float:
        """Return a float in [0, 1) with 53 random bits."""
        return float(shifted(self.bits(), 11)) / 9007199254740992.0

    def chance(self, probability: float) -> bool:
        return self.uniform() < probability

    def normal(self, sigma: float) -> float:
        """Return a normally distributed number with mean 0 (Box-Muller, one of the pair)."""
        radius = sqrt(-2.0 * log(1.0 - self.uniform()))
        return sigma * radius * cos(2.0 * pi * self.uniform())


def shuffle(items: vec[i64], rng: Random) -> None:
    """Put the items in random order, in place, with every order equally likely (Fisher and Yates)."""
    for last in range(i64(len(items)) - 1, i64(0), i64(-1)):
        other = rng.below(last + 1)
        item = items[last]
        items[last] = items[other]
        items[other] = item
