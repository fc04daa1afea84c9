"""A population under GENESIS 5.0: who waits for a trial, what came of it, who breeds, and when it is over.

Performances are minimised. Nothing here plays: grade() is told what was played, and breed() makes the next
generation. Reference: J. Grefenstette, "A User's Guide to GENESIS, Version 5.0" (1990).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from librt.vecs import vec

from core.bit_strings import (
    Strings,
    generation_gap,
    linear_ranking,
    proportional,
    stochastic_universal_sampling,
)
from core.protection.policy import STRING_BYTES
from core.random import Random, shuffle
from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.genome import BITS, Genome

CONVERGED: Final = 0.95  # of the strings have the same bit
IDLE: Final = 2  # generations without a trial, after which it is over
WORSE: Final = 0.0001  # by which the worst is made worse, so that it may breed


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """One of the best strings of the whole run."""

    performance: int
    generation: int  # that found it
    row: bytes


class Genesis:
    """`strings` are the living, in order; those that wait have not been tried as they are."""

    def __init__(self, config: BitStringsConfig, rng: Random, founders: Sequence[Genome] = ()) -> None:
        """These founders, and all others by the toss of a coin."""
        self.strings = Strings(config.population, STRING_BYTES)
        self.strings.randomize(rng)
        for index, founder in enumerate(founders):
            self.strings.put(index, founder.code, 0.0)
            self.strings.changed[index] = 1  # it has not been tried here
        self.generation = 0
        self.trials = 0
        self.idle = 0  # generations without a trial, up to now
        self.saved: list[Best] = []  # different ones, the best first
        self.is_over = False  # whether the generation that was graded last is the last
        self.converged = 0  # bits that were the same in nearly all strings when they were graded
        self._worst: list[float] = []  # of each generation, made worse
        self._config = config

    def waiting(self) -> list[int]:
        """Indices of those to be tried now, in order."""
        if self._config.re_evaluate == "yes":
            return list(range(self.strings.count))
        return self.strings.waiting()

    def grade(self, performances: Sequence[int]) -> list[Best]:
        """What came of the trials of those waiting; those of them that are saved from now on."""
        waiting = self.waiting()
        self.strings.grade(waiting, list(performances))
        self.trials += len(waiting)
        self.idle = 0 if waiting else self.idle + 1
        worst = max(self.strings.performances)
        self._worst.append(worst + WORSE * abs(worst))
        self.converged = self.strings.converged(CONVERGED)
        self.is_over = self.trials >= self._config.trials or self.idle >= IDLE or self.converged == BITS
        return self._save(waiting, performances)

    def breed(self, rng: Random) -> None:
        """The next generation, of which some wait."""
        config, old = self._config, self.strings
        best = min(range(old.count), key=lambda index: old.performances[index])
        elite, performance = old.row(best), old.performances[best]
        new = round(config.gap * config.population)
        samples = stochastic_universal_sampling(self._expected(), rng)
        shuffle(samples, rng)
        generation_gap(samples, new, rng)
        strings = old.copied(samples)
        strings.mutate(config.mutation, new, rng)
        strings.cross(int(config.crossover * new + 1e-9), rng)
        if config.is_elitist and strings.find(elite) < 0:
            strings.put(strings.count - 1, elite, performance)
        self.strings = strings
        self.generation += 1

    def mean(self) -> float:
        """Of the living."""
        return fmean(self.strings.performances)

    def _expected(self) -> vec[float]:
        """Children by strings."""
        config, performances = self._config, self.strings.performances
        if config.selection == "rank":
            return linear_ranking(performances, config.least_share)
        known = self._worst[-config.window :]
        if config.window_start == "zero" and len(self._worst) < config.window:
            known.append(0.0)
        return proportional(performances, max(known))

    def _save(self, indices: Sequence[int], performances: Sequence[int]) -> list[Best]:
        """Keep the best of the run, each once and as well as it was first tried."""
        room, known = self._config.saved, {each.row for each in self.saved}
        limit = self.saved[-1].performance if len(self.saved) == room else None
        found: list[Best] = []
        for performance, index in sorted(zip(performances, indices, strict=True)):
            if len(found) == room or (limit is not None and performance >= limit):
                break
            row = self.strings.row(index)
            if row not in known:
                known.add(row)
                found.append(Best(performance=performance, generation=self.generation, row=row))
        self.saved = sorted([*self.saved, *found], key=lambda each: each.performance)[:room]
        return [each for each in found if each in self.saved]
