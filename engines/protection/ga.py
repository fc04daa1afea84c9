"""The Population of Advanced Protection: strings under GENESIS 5.0, tried on one arrangement. Lower is better.

Reference: J. Grefenstette, "A User's Guide to GENESIS, Version 5.0" (1990).
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain
from statistics import fmean, stdev
from typing import Annotated, Any, Final

from librt.vecs import vec
from msgspec import Meta, Struct

from core.bit_strings import (
    Strings,
    generation_gap,
    linear_ranking,
    proportional,
    stochastic_universal_sampling,
)
from core.protection.policy import STRING_BYTES
from core.random import Random, shuffle
from engines.evolution.generational import Child, GenerationalPopulation
from engines.evolution.population import Contest, Fitness, Generation, Individual, Measurement, derive_seed
from engines.evolution.state import Count
from engines.protection.ga_config import GaConfig, Target
from engines.protection.genome import BITS, MINIONS, Genome

BATCH: Final = 250  # strings of a task
FOUNDING: Final = 0  # this and the next three: streams of a generation's random numbers
BREEDING: Final = 1
TRIAL: Final = 2
EXAMINING: Final = 3
MEASURE: Final = "performance: worth of the user, less that of Chaos, mean of tests"
NUMBERS: Final = "q"  # how performances are packed
CONVERGED: Final = 0.95  # share of the strings that have the same value of a converged bit
IDLE: Final = 2  # generations without a trial, after which the run ends
WORSE: Final = 0.0001  # part by which the worst performance is increased, so that the worst string may breed


class GaState(Struct, frozen=True, kw_only=True):
    """The state from which a population of strings resumes, together with the performances on record."""

    generation: Count
    bred: Count  # generations
    over: bool
    strings: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]  # digest of the living strings


class GaPopulation(GenerationalPopulation[Genome]):
    """A population of strings; it starts with random ones, and has no tasks once `is_over`.

    A step grades a generation and breeds the next. The record holds the performances, packed, as the generation's
    only contest, and the individuals that were among the best of the run. All else follows from the seed, so that a
    run of ten thousand strings resumes by breeding again from its record, without a trial.
    """

    def __init__(
        self,
        config: GaConfig,
        seed: int,
        state: GaState | None = None,
        records: Iterable[bytes] = (),
        past: Sequence[tuple[int, GaConfig, int]] = (),
    ) -> None:
        """Start a run, or resume it from a state and the records of all contests.

        A fork has a `past`: the configurations and seeds with which it was bred before, each with its last generation.
        Raises ValueError if the state and the records do not match.
        """
        first, founding = next(((config, seed) for _, config, seed in past), (config, seed))
        super().__init__(founding)
        self.is_over = False
        self._config = first
        self._target = config.target()
        self._genesis = Genesis(first, Random(derive_seed(founding, 0, FOUNDING)), first.founder_genomes())
        self._ids: dict[bytes, int] = {}  # of the strings on record
        for number, record in enumerate(records, 1):
            assert state is not None
            self._use(*next(((old, its) for last, old, its in past if last >= number), (config, seed)))
            self._graded(unpacked(record))
            if self._genesis.generation < state.bred:
                self._breed()
        self._use(config, seed)
        if state is None:
            return
        self.generation, self.is_over = state.generation, state.over
        if self.state != state:
            raise ValueError("these strings were bred by another version of the program")

    @property
    def state(self) -> GaState:
        return GaState(
            generation=self.generation,
            bred=self._genesis.generation,
            over=self.is_over,
            strings=self._genesis.digest(),
        )

    def _found(self) -> Sequence[Individual[Genome]]:
        return ()  # no string is on record before a trial

    def _label_tasks(self) -> Mapping[str, Sequence[Any]]:
        if self.is_over:
            return {}
        return {"examinations": list(self._examinations()), "trials": list(self._trials())}

    def _advance(self, outcomes: Mapping[str, Sequence[Any]]) -> Generation[Genome]:
        facts: dict[str, Any] = {}
        if outcomes["examinations"]:
            facts["examined"] = self._examined(outcomes["examinations"])
        born: list[Individual[Genome]] = []
        contests: list[Contest] = []
        values: tuple[Fitness, ...] = ()
        if self._genesis.is_over:
            self.is_over = True
        else:
            performances = list(chain.from_iterable(outcomes["trials"]))
            tests = self._config.tests_after(self._genesis.trials)
            born = self._graded(performances)
            values = tuple(
                Fitness(id=self._ids[best.row], value=best.performance, games=tests)
                for best in self._genesis.saved
                if best.generation == self._genesis.generation
            )
            contests = [
                Contest(players=(), returns=(), length=len(performances), record=packed(performances))
            ]
            facts |= self._statistics(performances)
            if not self._genesis.is_over:
                self._breed()
        self.generation += 1
        return Generation(
            number=self.generation,
            born=tuple(born),
            contests=tuple(contests),
            statistics=facts,
            fitness=Measurement(name=MEASURE, values=values, is_lower_better=True),
        )

    def _trials(self) -> Iterator["TrialBatch"]:
        if self._genesis.is_over:
            return
        waiting = self._genesis.waiting()
        for start in range(0, len(waiting), BATCH):
            yield TrialBatch(
                target=self._target,
                strings=self._genesis.strings.rows(waiting[start : start + BATCH]),
                tests=self._config.tests_after(self._genesis.trials),
                seed=self._seed_of(TRIAL, start),
                human_weight=self._config.human_weight,
            )

    def _examinations(self) -> Iterator["FreshTest"]:
        """Yield fresh tests of the best strings so far, every `examination_interval` generations and at the end."""
        config, saved = self._config, self._genesis.saved
        if saved and (self._genesis.is_over or self.generation % config.examination_interval == 0):
            for best in saved[: config.candidates]:
                yield FreshTest(
                    target=self._target,
                    string=best.row,
                    tests=config.fresh_tests,
                    seed=self._seed_of(EXAMINING),
                )

    def _graded(self, performances: Sequence[int]) -> list[Individual[Genome]]:
        """Grade the waiting strings; return the new individuals for the record.

        A string that returns to the best is on record already.
        """
        found = self._genesis.grade(performances)
        return [self._recorded(best) for best in found if best.row not in self._ids]

    def _recorded(self, best: "Best") -> Individual[Genome]:
        child = Child(genome=Genome(code=best.row), origin=f"performance {best.performance}")
        born = replace(self._bear(child), generation=best.generation)
        self._ids[best.row] = born.id
        return born

    def _use(self, config: GaConfig, seed: int) -> None:
        self._config, self._seed = config, seed
        self._genesis.config = config

    def _breed(self) -> None:
        genesis = self._genesis
        genesis.breed(Random(derive_seed(self._seed, genesis.generation, BREEDING)))

    def _statistics(self, performances: Sequence[int]) -> dict[str, Any]:
        genesis = self._genesis
        best = genesis.saved[0]
        preferences = zip(*(Genome(code=each.row).preferences for each in genesis.saved), strict=True)
        return {
            "bred": genesis.generation,
            "trials": genesis.trials,
            "tried": len(performances),
            "best": round(min(genesis.strings.performances)),
            "mean": round(fmean(genesis.strings.performances), 2),
            "worst": round(max(genesis.strings.performances)),
            "converged": genesis.converged,
            "best_ever": {"id": self._ids[best.row], "performance": best.performance},
            "preferences": [round(fmean(each), 2) for each in preferences],  # of the saved strings
        }

    def _examined(self, ratings: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Return the statistics of an examination.

        The first half of the fresh tests selects the champion, the second half gives its unbiased mean.
        """
        saved = self._genesis.saved
        half = self._config.fresh_tests // 2
        champion = min(range(len(ratings)), key=lambda place: sum(ratings[place][:half]))
        reported = ratings[champion][half:]
        error = round(stdev(reported) / len(reported) ** 0.5, 2) if len(reported) > 1 else None
        return {
            "trials": self._genesis.trials,
            "champion": self._ids[saved[champion].row],
            "performance": saved[champion].performance,
            "tests": len(reported),
            "mean": round(fmean(reported), 2),
            "error": error,
            "negative": round(sum(rating < 0 for rating in reported) / len(reported), 4),
            "saved": [[self._ids[best.row], best.performance] for best in saved],
        }


def packed(performances: Sequence[int]) -> bytes:
    """Return performances as the bytes of a contest's record."""
    return array(NUMBERS, performances).tobytes()


def unpacked(record: bytes) -> list[int]:
    numbers = array(NUMBERS)
    numbers.frombytes(record)
    return numbers.tolist()


# -- Tasks ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialBatch:
    """The trials of some strings, as a task."""

    target: Target
    strings: bytes
    tests: int  # of each string
    seed: int
    human_weight: int

    def play(self) -> list[int]:
        """Return the performances of the strings: ratings with the human's change weighted."""
        return self.target.rated(self.strings, self.tests, self.seed, self.human_weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshTest:
    """A task that rates one string in fresh tests, unweighted. Equal seeds give equal dice."""

    target: Target
    string: bytes
    tests: int
    seed: int

    def play(self) -> list[int]:
        """Return the rating of each test."""
        return self.target.rated(self.string * self.tests, 1, self.seed, 1)


# -- GENESIS --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """One of the best strings of the whole run."""

    performance: int
    generation: int  # in which it was found
    row: bytes


class Genesis:
    """The algorithm of GENESIS without the trials: grade() takes their results, breed() makes the next generation.

    `strings` are the living strings, in order; waiting strings have changed since they were last tried.
    """

    def __init__(self, config: GaConfig, rng: Random, founders: Sequence[Genome] = ()) -> None:
        """Start with the founders, and fill the population with random strings."""
        self.strings = Strings(config.population, STRING_BYTES)
        self.strings.randomize(rng)
        for index, founder in enumerate(founders):
            self.strings.put(index, founder.code, 0.0)
            self.strings.changed[index] = 1  # it has not been tried here
        self.generation = 0
        self.trials = 0
        self.idle = 0  # generations in a row without a trial
        self.saved: list[Best] = []  # all different, the best first
        self.is_over = False  # whether the generation that was graded last ended the run
        self.converged = 0  # bits that were the same in nearly all strings at the last grading
        self._worst: list[float] = []  # worst performance of each generation, increased by WORSE
        self.config = config

    def waiting(self) -> list[int]:
        """Return the indices of the strings to be tried now, in order."""
        if self.config.re_evaluate == "yes":
            return list(range(self.strings.count))
        return self.strings.waiting()

    def grade(self, performances: Sequence[int]) -> list[Best]:
        """Set the performances of the waiting strings, and return those that are newly among the saved."""
        waiting = self.waiting()
        self.strings.grade(waiting, list(performances))
        self.trials += len(waiting)
        self.idle = 0 if waiting else self.idle + 1
        worst = max(self.strings.performances)
        self._worst.append(worst + WORSE * abs(worst))
        self.converged = self.strings.converged(CONVERGED)
        self.is_over = self.trials >= self.config.trials or self.idle >= IDLE or self.converged == BITS
        return self._save(waiting, performances)

    def breed(self, rng: Random) -> None:
        """Replace the strings by the next generation; strings that have changed wait for trials."""
        config, old = self.config, self.strings
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

    def digest(self) -> str:
        """Return a hash of the living strings, by which a resumed run is verified."""
        return blake2b(self.strings.rows(list(range(self.strings.count))), digest_size=16).hexdigest()

    def _expected(self) -> vec[float]:
        """Return the expected number of children of each string."""
        config, performances = self.config, self.strings.performances
        if config.selection == "rank":
            return linear_ranking(performances, config.least_share)
        known = self._worst[-config.window :]
        if config.window_start == "zero" and len(self._worst) < config.window:
            known.append(0.0)
        return proportional(performances, max(known))

    def _save(self, indices: Sequence[int], performances: Sequence[int]) -> list[Best]:
        """Update the saved strings, each once and with its first performance; return the new ones."""
        room, known = self.config.saved, {each.row for each in self.saved}
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


# -- Report ---------------------------------------------------------------------------------------------


def report(config: GaConfig, statistics: Mapping[str, Any], examined: Mapping[str, Any]) -> str:
    """Return the report of a generation as text."""
    parts = [_generation_lines(config, statistics)] if "trials" in statistics else []
    if examined:
        parts.append(_examination_lines(examined))
    return ("\n\n".join(map("\n".join, parts)) or f"{config.population} founders") + "\n"


def _generation_lines(config: GaConfig, facts: Mapping[str, Any]) -> Iterator[str]:
    best = facts["best_ever"]
    yield f"Generation {facts['bred']}, rules {config.rules}, {config.against}"
    yield f"Trials: {facts['trials']:,} of {config.trials:,}, {facts['tried']:,} in this generation"
    yield f"Performance: best {facts['best']:,}, mean {facts['mean']:,.1f}, worst {facts['worst']:,}"
    yield f"Best of the run: {best['id']}, {best['performance']:,} in one trial"
    yield f"Bits that are the same in nearly all strings: {facts['converged']}"
    yield f"Preferences, mean of the {config.saved} best:"
    yield "  " + " ".join(
        f"{name} {mean:.1f}" for name, mean in zip(MINIONS, facts["preferences"], strict=True)
    )


def _examination_lines(facts: Mapping[str, Any]) -> Iterator[str]:
    yield f"Champion after {facts['trials']:,} trials: {facts['champion']}"
    error = "" if facts["error"] is None else f" +-{1.96 * facts['error']:,.0f}"
    yield (
        f"Rating in {facts['tests']} fresh tests: {facts['mean']:,.1f}{error}, "
        f"below 0 in {facts['negative']:.0%}; it was {facts['performance']:,} in its trial"
    )
