"""The Population of Advanced Protection: strings under GENESIS, tried on one arrangement.

A step grades a generation and breeds the next. On record are the performances, packed, as the generation's one
contest, and whoever came among the best of the run; all else follows from the seed, so that a run of ten
thousand strings goes on by breeding again what its record says, without a trial.
"""

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain
from statistics import fmean, stdev
from typing import Any, Final

from core.random import Random
from engines.evolution.population import Contest, Generation, Individual, derive_seed
from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.bit_strings.genesis import Best, Genesis
from engines.protection.bit_strings.target import Batch, Examination
from engines.protection.genome import Genome

BATCH: Final = 250  # strings a task
FOUNDING: Final = 0  # streams of a generation's random numbers
BREEDING: Final = 1
TRIAL: Final = 2
EXAMINING: Final = 3
NUMBERS: Final = "q"  # how performances are packed


class BitStrings:
    """A new one begins with random strings; once it is over, nothing is played any more."""

    def __init__(self, config: BitStringsConfig, seed: int) -> None:
        self.generation = -1
        self.is_over = False
        self._config = config
        self._seed = seed
        self._target = config.target()
        self._genesis = Genesis(config, Random(derive_seed(seed, 0, FOUNDING)), config.founding())
        self._ids: dict[bytes, int] = {}  # of those on record

    # -- Population --------------------------------------------------------------------------------

    def tasks(self) -> list[Batch | Examination]:
        if self.generation < 0 or self.is_over:
            return []
        return [*self._examinations(), *self._batches()]

    def step(self, outcomes: Sequence[Any]) -> Generation[Genome]:
        if self.generation < 0:
            self.generation = 0
            return Generation(number=0)
        examinations = len(list(self._examinations()))
        facts: dict[str, Any] = {}
        if examinations:
            facts["examined"] = self._examined(outcomes[:examinations])
        born: list[Individual[Genome]] = []
        contests: list[Contest] = []
        if self._genesis.is_over:
            self.is_over = True
        else:
            performances = list(chain.from_iterable(outcomes[examinations:]))
            born = self._graded(performances)
            contests = [
                Contest(players=(), returns=(), length=len(performances), record=packed(performances))
            ]
            facts |= self._facts(performances)
            if not self._genesis.is_over:
                self._breed()
        self.generation += 1
        return Generation(
            number=self.generation, born=tuple(born), contests=tuple(contests), statistics=facts
        )

    def dumps(self) -> str:
        genesis = self._genesis
        return json.dumps({
            "generation": self.generation,
            "bred": genesis.generation,
            "over": self.is_over,
            "strings": _digest(genesis),
        })  # fmt: skip

    def resume(self, state: str, records: Iterable[bytes]) -> None:
        """Go on from what dumps() wrote and the records of all contests. ValueError if they do not fit."""
        data = json.loads(state)
        for record in records:
            self._graded(unpacked(record))
            if self._genesis.generation < data["bred"]:
                self._breed()
        self.generation, self.is_over = data["generation"], data["over"]
        if _digest(self._genesis) != data["strings"]:
            raise ValueError("another version of the program has bred these strings")

    # -- What is to be played ----------------------------------------------------------------------

    def _batches(self) -> Iterator[Batch]:
        if self._genesis.is_over:
            return
        waiting = self._genesis.waiting()
        for start in range(0, len(waiting), BATCH):
            yield Batch(
                target=self._target,
                strings=self._genesis.strings.rows(waiting[start : start + BATCH]),
                tests=self._config.tests_after(self._genesis.trials),
                seed=self._seed_of(TRIAL, start),
                human_weight=self._config.human_weight,
            )

    def _examinations(self) -> Iterator[Examination]:
        """Now and then, and at the end, of the best of the run so far."""
        config, saved = self._config, self._genesis.saved
        if saved and (self._genesis.is_over or self.generation % config.examination_interval == 0):
            for best in saved[: config.candidates]:
                yield Examination(
                    target=self._target,
                    string=best.row,
                    tests=config.fresh_tests,
                    seed=self._seed_of(EXAMINING),
                )

    # -- What comes of it --------------------------------------------------------------------------

    def _graded(self, performances: Sequence[int]) -> list[Individual[Genome]]:
        """Those of whom there is a record from now on; who comes back among the best has one."""
        found = self._genesis.grade(performances)
        return [self._bear(best) for best in found if best.row not in self._ids]

    def _bear(self, best: Best) -> Individual[Genome]:
        id = len(self._ids)
        self._ids[best.row] = id
        return Individual(
            id=id,
            genome=Genome(code=best.row),
            generation=best.generation,
            origin=f"performance {best.performance}",
        )

    def _breed(self) -> None:
        genesis = self._genesis
        genesis.breed(Random(derive_seed(self._seed, genesis.generation, BREEDING)))

    def _facts(self, performances: Sequence[int]) -> dict[str, Any]:
        genesis = self._genesis
        best = genesis.saved[0]
        preferences = zip(*(Genome(code=each.row).preferences for each in genesis.saved), strict=True)
        return {
            "bred": genesis.generation,
            "trials": genesis.trials,
            "tried": len(performances),
            "best": round(min(genesis.strings.performances)),
            "mean": round(genesis.mean(), 2),
            "worst": round(max(genesis.strings.performances)),
            "converged": genesis.converged,
            "best_ever": {"id": self._ids[best.row], "performance": best.performance},
            "preferences": [round(fmean(each), 2) for each in preferences],  # of those saved
        }

    def _examined(self, ratings: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Who is best in one half of the fresh tests, and how it does in the other."""
        saved = self._genesis.saved
        half = self._config.fresh_tests // 2
        champion = min(range(len(ratings)), key=lambda place: sum(ratings[place][:half]))
        told = ratings[champion][half:]
        return {
            "trials": self._genesis.trials,
            "champion": self._ids[saved[champion].row],
            "performance": saved[champion].performance,
            "tests": len(told),
            "mean": round(fmean(told), 2),
            "error": round(stdev(told) / len(told) ** 0.5, 2) if len(told) > 1 else None,
            "negative": round(sum(rating < 0 for rating in told) / len(told), 4),
            "saved": [[self._ids[best.row], best.performance] for best in saved],
        }

    def _seed_of(self, *place: int) -> int:
        return derive_seed(self._seed, self.generation, *place)


def packed(performances: Sequence[int]) -> bytes:
    """As a contest's record."""
    return array(NUMBERS, performances).tobytes()


def unpacked(record: bytes) -> list[int]:
    numbers = array(NUMBERS)
    numbers.frombytes(record)
    return numbers.tolist()


def _digest(genesis: Genesis) -> str:
    """Of the living, which a run that goes on must have again."""
    strings = genesis.strings
    return blake2b(strings.rows(list(range(strings.count))), digest_size=16).hexdigest()
