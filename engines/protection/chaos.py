"""Chaos as a player: it chooses a string, rates all strings on each setup, and learns a profile from the ratings.

The string of a turn is a function of the profile, the history of the game, the ratings of earlier turns and random
streams. The setup of that turn is not among them.

After each setup every string is tested on the new arrangement, in other processes. A rating is the human's change of
value less Chaos's over a turn, the mean of the tests; below 0 is good for Chaos. A string has four tests, because at
$2,000 of units the standard deviation of one test (506 to 1,961 in a prototype) is as large as the spread between the
strings. The paper's rule keeps its single test. Ratings take 0.3 to 0.5 s with $20,000 of units (RESULTS.md, 2026), so
no turn waits for them: `opponent_model.py`.

Learning moves each rating in the profile halfway to the new one. Modes that breed also rate the profile's hybrids and
25 children of the ten best strings, and keep the ten best hybrids.

Reference: "Advanced Protection, parts Artificial Intelligence and Future Work".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final, Self

from core.protection.board import Arrangement, Scenario
from core.protection.evaluate import Evaluator, rating, toward_zero
from core.protection.policy import STRING_BYTES
from core.protection.rules import HUMAN, NO_WINNER
from core.protection.state import ProtectionState
from core.random import Random
from engines.protection.adaptation import PAPER_RULE, REPLICATES, Choice, GameHistory, Known, Mode, Ratings
from engines.protection.game import hybrid_purpose, rating_purpose
from engines.protection.genome import Genome
from engines.protection.profile import STRINGS, Hybrid, Profile, halfway
from engines.seeds import RandomStreams

PARENTS: Final = 10  # of hybrids: the lowest ratings
CHILDREN: Final = 25  # hybrids bred a turn
MAX_HYBRIDS: Final = 10
Breed = Callable[[Sequence[Genome], Sequence[int], Random], list[Genome]]
PART_STRINGS: Final = 50  # strings of one job in a worker, which takes some hundredths of a second


# -- Rating ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingJob:
    """Strings to be rated on an arrangement, with the same number of tests each. A job can be pickled."""

    scenario: Scenario
    arrangement: Arrangement
    strings: bytes
    dollars: int  # Chaos's money in the tests
    seeds: tuple[int, ...]  # of all tests, string by string

    @classmethod
    def of(
        cls, state: ProtectionState, strings: bytes, streams: RandomStreams, tests: int, *, real_money: bool
    ) -> Self:
        """Return the job for the setup of a state.

        Chaos has its own treasury in the tests if `real_money`, else as much as the human's units have cost.
        """
        return cls(
            scenario=state.scenario,
            arrangement=state.arrangement(),
            strings=strings,
            dollars=state.chaos_treasury if real_money else state.units_value(),
            seeds=tuple(
                streams.stream_seed(rating_purpose(state.turn, row, replicate))
                for row in range(len(strings) // STRING_BYTES)
                for replicate in range(tests)
            ),
        )

    @property
    def rows(self) -> int:
        return len(self.strings) // STRING_BYTES

    @property
    def mark(self) -> str:
        """16 hex digits that identify this arrangement in this game and turn."""
        facts = self.arrangement.codes, self.dollars, self.seeds[0]
        return sha256(repr(facts).encode()).hexdigest()[:16]

    def part(self, first: int) -> Self:
        """Return the job of the PART_STRINGS strings from row `first` on, or of fewer at the end."""
        end, tests = first + PART_STRINGS, len(self.seeds) // self.rows
        return replace(
            self,
            strings=self.strings[first * STRING_BYTES : end * STRING_BYTES],
            seeds=self.seeds[first * tests : end * tests],
        )


def rate(job: RatingJob) -> Ratings:
    """Return the ratings in the order of the strings. Blocks for some 0.05 to 1 ms a test."""
    tests = len(job.seeds) // job.rows
    changes = Evaluator(job.scenario, job.arrangement).evaluate(job.strings, job.dollars, list(job.seeds))
    return Ratings(
        ratings=tuple(rating(change, tests) for change in changes),
        human=tuple(toward_zero(human, tests) for human, _ in changes),
    )


# -- Learning --------------------------------------------------------------------------------------


def breed(strings: Sequence[Genome], ratings: Sequence[int], rng: Random) -> list[Genome]:
    """Return CHILDREN offspring of the PARENTS strings with the lowest ratings; each has two different parents."""
    order = sorted(range(len(strings)), key=lambda index: ratings[index])[:PARENTS]
    children = []
    for _ in range(CHILDREN):
        one = rng.below(len(order))
        other = (one + 1 + rng.below(len(order) - 1)) % len(order)
        children.append(strings[order[one]].mate(strings[order[other]], rng))
    return children


def hybrids_to_test(
    profile: Profile, strings: Sequence[Genome], rng: Random, breed: Breed = breed
) -> list[Genome]:
    """Return the profile's hybrids and, once the profile has ratings, the children that `breed` makes of the strings."""
    known = [each.genome for each in profile.hybrids]
    return [*known, *breed(strings, profile.ratings, rng)] if any(profile.ratings) else known


def learned(
    profile: Profile, tested: Sequence[Genome], latest: Sequence[int], parents: int = PARENTS
) -> Profile:
    """Return the profile after a turn in which the strings of the pool and the hybrids `tested` were rated.

    `latest` holds the ratings of the pool, then those of `tested`. All ratings move halfway to the latest ones. A new
    child starts from the mean rating of the `parents` best strings, of which its own were drawn: with its latest
    rating alone, which is that of one setup, a child was chosen in nine turns of ten, and gained nothing on the next
    setup (RESULTS.md, 2026).
    """
    known = {each.genome: each.rating for each in profile.hybrids}
    start = toward_zero(sum(sorted(profile.ratings)[:parents]), parents)
    found = [
        Hybrid(rating=halfway(known.get(genome, start), rating), genome=genome)
        for genome, rating in zip(tested, latest[STRINGS:], strict=True)
    ]
    return replace(profile.rated(latest[:STRINGS]), hybrids=best_hybrids(found))


def best_hybrids(hybrids: Sequence[Hybrid]) -> tuple[Hybrid, ...]:
    """Return the MAX_HYBRIDS hybrids with the lowest ratings, each genome once."""
    best: dict[Genome, Hybrid] = {}
    for hybrid in sorted(hybrids, key=lambda each: each.rating):
        best.setdefault(hybrid.genome, hybrid)
    return tuple(best.values())[:MAX_HYBRIDS]


# -- The player ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Chaos:
    """A player that plays a pool of strings against one user. Raises ValueError unless the pool has 250 strings."""

    pool: tuple[Genome, ...]
    mode: Mode
    profile: Profile
    tests: int = REPLICATES  # of each string, a turn
    real_money: bool = True  # the tests use Chaos's treasury; else as much as the human's units have cost
    latest: Ratings | None = (
        None  # the latest of the game in progress: the pool's, then those of the profile's hybrids if they were rated
    )

    def __post_init__(self) -> None:
        if len(self.pool) != STRINGS:
            raise ValueError(f"a pool has {STRINGS} strings, not {len(self.pool)}")

    def choose(self, history: GameHistory, streams: RandomStreams) -> Choice:
        """Choose a string for the turn that is being set up."""
        return self.mode.choose(Known(profile=self.profile, history=history, latest=self.latest), streams)

    def string(self, index: int) -> bytes:
        """Return the bytes of the string at an index: 0 to 249 in the pool, from 250 on a hybrid of the profile."""
        if index < STRINGS:
            return self.pool[index].code
        return self.profile.hybrids[index - STRINGS].genome.code

    def rating_job(self, state: ProtectionState, streams: RandomStreams) -> RatingJob:
        """Return the job of rating the pool on a setup, and hybrids after the pool if the mode breeds."""
        strings = self.pool
        if self.mode.breeds:
            rng = streams.stream(hybrid_purpose(state.turn))
            strings += tuple(hybrids_to_test(self.profile, self.pool, rng))
        code = b"".join(genome.code for genome in strings)
        return RatingJob.of(state, code, streams, self.tests, real_money=self.real_money)

    def rated(self, job: RatingJob, found: Ratings) -> Self:
        """Return the player after it has learned from the ratings of a job."""
        tested = _hybrids_of(job)
        profile = learned(self.profile, tested, found.ratings)
        row_of = {genome: row for row, genome in enumerate(tested, STRINGS)}
        rows = [*range(STRINGS), *(row_of[each.genome] for each in profile.hybrids)]
        return replace(self, profile=profile, latest=found.of(rows))

    def restored(self, job: RatingJob, found: Ratings) -> Self:
        """Return the player with the ratings of a job from which its profile has already learned."""
        tested = _hybrids_of(job)
        known = [each.genome for each in self.profile.hybrids]
        rows = [tested.index(genome) + STRINGS for genome in known] if set(known) <= set(tested) else []
        return replace(self, latest=found.of([*range(STRINGS), *rows]))

    def with_profile(self, profile: Profile) -> Self:
        """Return the player with a profile that other games of the user have changed.

        The latest ratings of hybrids are dropped if the profile has other hybrids now.
        """
        latest = self.latest
        mine, theirs = ([each.genome for each in one.hybrids] for one in (self.profile, profile))
        if latest is not None and mine != theirs:
            latest = latest.of(range(STRINGS))
        return replace(self, profile=profile, latest=latest)

    def finished(self, winner: int) -> Self:
        """Return the player after a game. A draw counts neither as a win nor as a loss."""
        profile = self.profile if winner == NO_WINNER else self.profile.finished(winner == HUMAN)
        return replace(self, profile=profile, latest=None)


def new_chaos(pool: tuple[Genome, ...], mode: Mode, tests: int | None = None) -> Chaos:
    """Return a Chaos with an empty profile.

    In the mode of the paper's rule each string is tested once a turn, unless `tests` is given, and with as much money
    as the human's units have cost. In all others it has REPLICATES tests with Chaos's own money.
    """
    is_old = mode.name == PAPER_RULE
    return Chaos(
        pool=pool,
        mode=mode,
        profile=Profile(),
        tests=tests or (1 if is_old else REPLICATES),
        real_money=not is_old,
    )


def _hybrids_of(job: RatingJob) -> list[Genome]:
    """Return the hybrids of a job, which follow the strings of the pool."""
    rows = range(STRINGS * STRING_BYTES, len(job.strings), STRING_BYTES)
    return [Genome(code=job.strings[start : start + STRING_BYTES]) for start in rows]
