"""A generation of GENESIS 5.0 in plain Python on lists of bits: slow, and as its user's guide tells it.

It takes its random numbers in the order in which core.bit_strings does, so that the two can be compared bit for bit.
Reference: J. Grefenstette, "A User's Guide to GENESIS, Version 5.0" (1990).
"""

from dataclasses import dataclass, replace
from math import ceil, log
from typing import Any

from core.random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """A string as bits; whether it must be tried before its performance counts."""

    bits: tuple[int, ...]
    performance: float
    needs_trial: bool = False

    @property
    def packed(self) -> bytes:
        """Bit 0 is the high bit of byte 0."""
        return int("".join(map(str, self.bits)), 2).to_bytes(len(self.bits) // 8, "big")

    @classmethod
    def of(cls, packed: bytes, performance: float) -> "Structure":
        bits = f"{int.from_bytes(packed, 'big'):0{len(packed) * 8}b}"
        return cls(bits=tuple(map(int, bits)), performance=performance)


def bred(old: list[Structure], worst: float, rng: Random, config: Any) -> list[Structure]:
    """The next generation. `worst` is what selection is in proportion to: nobody as bad has children."""
    new = round(config.gap * len(old))
    shares = by_rank(old, config.least_share) if config.selection == "rank" else in_proportion(old, worst)
    structures = selected(old, shares, new, rng)
    structures = mutated(structures, config.mutation, new, rng)
    structures = crossed(structures, int(config.crossover * new + 1e-9), rng)
    return with_elite(old, structures) if config.is_elitist else structures


def in_proportion(old: list[Structure], worst: float) -> list[float]:
    """(worst - performance) / (worst - mean), where nobody is worse than the worst."""
    better = [max(0.0, worst - each.performance) for each in old]
    mean = sum(better) / len(old)
    return [each / mean for each in better] if mean else [1.0 for _ in old]


def by_rank(old: list[Structure], least: float) -> list[float]:
    """From `least` for the worst to 2 - least for the best, in equal steps; of equals the first is worse."""
    shares = [0.0] * len(old)
    for rank, index in enumerate(sorted(range(len(old)), key=lambda index: -old[index].performance)):
        shares[index] = least + rank * (2 - 2 * least) / (len(old) - 1)
    return shares


def selected(old: list[Structure], shares: list[float], new: int, rng: Random) -> list[Structure]:
    """One spin of a wheel with as many pointers as structures; shuffled; the gap filled with anybody of old."""
    spin, passed, chosen = rng.uniform(), 0.0, list[int]()
    for index, share in enumerate(shares):
        passed += share
        while len(chosen) < len(old) and spin + len(chosen) < passed:
            chosen.append(index)
    assert len(chosen) == len(old)
    for last in range(len(chosen) - 1, 0, -1):
        other = int(rng.below(last + 1))
        chosen[last], chosen[other] = chosen[other], chosen[last]
    chosen[new:] = [int(rng.below(len(old))) for _ in chosen[new:]]
    return [old[index] for index in chosen]


def mutated(structures: list[Structure], rate: float, new: int, rng: Random) -> list[Structure]:
    """A coin is tossed for the bit at each site; from site to site along all strings it is a geometric way."""
    length = len(structures[0].bits)
    tape = [bit for each in structures[:new] for bit in each.bits]
    site = -1
    while True:
        site += max(ceil(log(1.0 - rng.uniform()) / log(1.0 - rate)), 1)
        if site >= len(tape):
            break
        tape[site] = int(rng.bits() < 0)
    rows = [tuple(tape[start : start + length]) for start in range(0, len(tape), length)]
    changed = [
        each if row == each.bits else replace(each, bits=row, needs_trial=True)
        for each, row in zip(structures, rows, strict=False)
    ]
    return [*changed, *structures[new:]]


def crossed(structures: list[Structure], count: int, rng: Random) -> list[Structure]:
    """Of each pair of neighbours the bits between two cuts change places, if both so become others."""
    children = list(structures)
    for first in range(0, count - 1, 2):
        mother, father = structures[first : first + 2]
        one, other = int(rng.below(len(mother.bits) + 1)), int(rng.below(len(mother.bits)))
        start, stop = sorted((one, other + 1 if other >= one else other))
        daughter = mother.bits[:start] + father.bits[start:stop] + mother.bits[stop:]
        son = father.bits[:start] + mother.bits[start:stop] + father.bits[stop:]
        if {daughter, son} != {mother.bits, father.bits}:
            children[first] = replace(mother, bits=daughter, needs_trial=True)
            children[first + 1] = replace(father, bits=son, needs_trial=True)
    return children


def with_elite(old: list[Structure], structures: list[Structure]) -> list[Structure]:
    """The best of old takes the last place, if it is not there bit for bit."""
    best = min(old, key=lambda each: each.performance)
    if any(each.bits == best.bits for each in structures):
        return structures
    return [*structures[:-1], replace(best, needs_trial=False)]
