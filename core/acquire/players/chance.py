"""Small choices of chance, many a game: a fair number below n from 32 random bits, mostly without a division."""

from mypy_extensions import i64

from core.random import Random, shifted


def pick(rng: Random, n: i64) -> i64:
    """A number in 0..n-1 without bias, 1 <= n < 2**31 (D. Lemire, ACM TOMACS 29, 2019)."""
    product = shifted(rng.bits(), 32) * n
    if product & 0xFFFFFFFF < n:
        least = 0x100000000 % n
        while product & 0xFFFFFFFF < least:
            product = shifted(rng.bits(), 32) * n
    return product >> 32


def pick_from(rng: Random, mask: i64) -> i64:
    """The index of one of the set bits of the mask, which is not empty; nothing is drawn for a single one."""
    count: i64 = 0
    rest = mask
    while rest:
        rest &= rest - 1
        count += 1
    if count > 1:
        for _ in range(pick(rng, count)):
            mask &= mask - 1
    index: i64 = 0
    while not mask & 1:
        mask >>= 1
        index += 1
    return index
