"""Chaos as a player: it chooses a string, rates all strings on each setup, and learns a profile from the ratings.

The string of a turn is a function of the profile, the history of the game, the ratings of earlier turns and random
streams. The setup of that turn is not among them.

After each setup every string is tested on the new arrangement, in other processes. A rating is the human's change of
value less Chaos's over a turn, the mean of the tests; below 0 is good for Chaos. A string has four tests, because at
$2,000 of units the standard deviation of one test (506 to 1,961 in a prototype) is as large as the spread between the
strings. The paper's rule keeps its single test. No turn waits: a setup's ratings wait (`_waiting_round`), are in progress
(`_round`), and are learned when they are complete; a choice before that is made by the ratings of the turn before. A
newer setup replaces one that still waits. A part that fails drops its round, and nothing is learned from that setup.
Ratings take 0.3 to 0.5 s with $20,000 of units (RESULTS.md, 2026).

Learning moves each rating in the profile halfway to the new one. Modes that breed also rate the profile's hybrids and
25 children of the ten best strings, and keep the ten best hybrids. A game that is replayed after a crash rates its
last arrangement again; a mark in the profile shows whether that arrangement was learned from, so none counts twice.

Reference: "Advanced Protection, parts Artificial Intelligence and Future Work".
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Final, Self

from core.protection.board import Arrangement, Scenario
from core.protection.evaluate import Evaluator, rating, toward_zero
from core.protection.policy import STRING_BYTES
from core.protection.rules import HUMAN, NO_WINNER
from core.protection.state import ProtectionState
from core.random import Random
from engines.protection.adaptation import PAPER_RULE, REPLICATES, Choice, GameHistory, Known, Mode, Ratings
from engines.protection.game import ProtectionGame, hybrid_purpose, rating_purpose
from engines.protection.genome import Genome
from engines.protection.profile import STRINGS, Hybrid, Profile, ProfileStore, halfway
from engines.seeds import RandomStreams

PARENTS: Final = 10  # of hybrids: the lowest ratings
CHILDREN: Final = 25  # hybrids bred a turn
MAX_HYBRIDS: Final = 10
PART_STRINGS: Final = 50  # strings of one job in a worker, which takes some hundredths of a second
MAX_MARKS: Final = 8  # games of one user in progress; marks of older games, which never ended, are dropped


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


def hybrids_to_test(profile: Profile, strings: Sequence[Genome], rng: Random) -> list[Genome]:
    """Return the profile's hybrids and, once the profile has ratings, children of the best strings."""
    known = [each.genome for each in profile.hybrids]
    return [*known, *breed(strings, profile.ratings, rng)] if any(profile.ratings) else known


def breed(strings: Sequence[Genome], ratings: Sequence[int], rng: Random) -> list[Genome]:
    """Return CHILDREN offspring of the PARENTS strings with the lowest ratings; each has two different parents."""
    order = sorted(range(len(strings)), key=lambda index: ratings[index])[:PARENTS]
    children = []
    for _ in range(CHILDREN):
        one = rng.below(len(order))
        other = (one + 1 + rng.below(len(order) - 1)) % len(order)
        children.append(strings[order[one]].mate(strings[order[other]], rng))
    return children


def learned(profile: Profile, tested: Sequence[Genome], latest: Sequence[int]) -> Profile:
    """Return the profile after a turn in which the strings of the pool and the hybrids `tested` were rated.

    `latest` holds the ratings of the pool, then those of `tested`. The ratings of the pool and of known hybrids move
    halfway to the latest ones; a new child has its latest rating.
    """
    known = {each.genome: each.rating for each in profile.hybrids}
    found = [
        Hybrid(rating=halfway(known[genome], rating) if genome in known else rating, genome=genome)
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


# -- Rating in the background ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The string of a turn, and how many of the ratings on the last arrangement were complete at the choice."""

    string: bytes
    choice: Choice
    rated: int
    of: int  # all ratings on the last arrangement; 0 if there are none to wait for
    milliseconds: int  # the time of the last part of the ratings
    best: int  # the lowest rating of the profile


class OpponentModel:
    """Chaos in one game, with a user's profile in a store; without a name, the profile ends with the game."""

    def __init__(
        self,
        chaos: Chaos,
        store: ProfileStore,
        name: str | None,
        pool_hash: str,
        rules: tuple[str, str],
        agrees: bool | None = None,
    ) -> None:
        """Open the model of a game; `rules` are name and hash of the rules, for the profile.

        `agrees` says whether the user agrees to be studied; None leaves the profile as it is.
        """
        self.mode: Final = chaos.mode
        self.name: Final = name
        self._chaos = chaos
        self._store = store
        self._pool_hash = pool_hash
        self._rules = rules
        self._round: _RatingRound | None = None  # in progress
        self._waiting_round: _RatingRound | None = None  # waits for the round in progress
        self._rated_turn = 0  # the last turn whose ratings are complete
        self._milliseconds = 0
        self._marks: set[str] = set()  # of this game's arrangements
        self._is_over = False
        self._owner = ""
        with suppress(ValueError, OSError):
            self._owner = "" if name is None else store.owner(name) or ""
        if agrees is not None:
            self._save(replace(self.chaos, profile=replace(self.chaos.profile, agrees=agrees)))

    @property
    def chaos(self) -> Chaos:
        """The player with the current profile, which other games of the same user may have changed."""
        if self.name is not None and self._is_of_owner():
            with suppress(ValueError, OSError):  # the file may have been damaged
                known = self._store.get(self.name)
                self._chaos = self._chaos.with_profile(known) if known else self._chaos
        return self._chaos

    def _is_of_owner(self) -> bool:
        """Return whether the profile still has the owner it had when the game started, or was deleted.

        A damaged file counts as the profile of another owner.
        """
        with suppress(ValueError, OSError):
            return self.name is not None and self._store.owner(self.name) in (self._owner, None)
        return False

    def choose(self, game: ProtectionGame) -> Decision:
        """Choose the string for the turn that is being set up."""
        chaos, history = self.chaos, GameHistory.of(game)
        choice = chaos.choose(history, game.streams)
        rated, of = self._progress(history.turn)
        return Decision(
            string=chaos.string(choice.index),
            choice=choice,
            rated=rated,
            of=of,
            milliseconds=self._milliseconds,
            best=min(chaos.profile.ratings),
        )

    def set_up(self, state: ProtectionState, streams: RandomStreams) -> None:
        """Register a complete setup: all strings will be rated on it after the round in progress."""
        if self.mode.learns:
            self._waiting_round = _RatingRound(turn=state.turn, job=self.chaos.rating_job(state, streams))
            self._marks.add(self._waiting_round.job.mark)

    def jobs(self) -> list[tuple[RatingJob, Callable[[Ratings | None, float], None]]]:
        """Start the waiting round if none is in progress, and return its parts, each with a callback.

        The callback takes the ratings of the part, or None if they failed, and the seconds that they took.
        """
        if self._round is not None or self._waiting_round is None:
            return []
        begun, self._waiting_round = self._waiting_round, None
        self._round = begun
        return [
            (begun.job.part(first), partial(self._add_ratings, begun, first))
            for first in range(0, begun.job.rows, PART_STRINGS)
        ]

    def finish(self, winner: int) -> None:
        """Record the result of the game in the profile."""
        self._is_over = True
        self._save(self._marked(self.chaos.finished(winner)))

    # -- Helpers -----------------------------------------------------------------------------------

    def _progress(self, turn: int) -> tuple[int, int]:
        """Return how many ratings on the last arrangement exist before `turn`, and how many there will be."""
        if turn == 1 or not self.mode.learns:
            return 0, 0
        if self._rated_turn == turn - 1:
            return STRINGS, STRINGS
        if self._round is not None and self._round.turn == turn - 1:
            return min(len(self._round.found), STRINGS - 1), STRINGS
        return 0, STRINGS

    def _add_ratings(self, round: "_RatingRound", first: int, latest: Ratings | None, seconds: float) -> None:
        """Add the ratings of a part to its round, and learn from the round when it is complete; None drops it."""
        if round is not self._round:
            return
        if latest is None:
            self._round = None
            return
        round.found |= dict(enumerate(zip(latest.ratings, latest.human, strict=True), first))
        self._milliseconds = int(seconds * 1000)
        if len(round.found) == round.job.rows:
            self._round = None
            self._rated_turn = round.turn
            self._save(self._learn_from_round(round))

    def _learn_from_round(self, round: "_RatingRound") -> Chaos:
        """Return the player after a complete round; the profile changes only if it has not learned from it before."""
        chaos, mark = self.chaos, round.job.mark
        if mark in chaos.profile.learnt:
            return chaos.restored(round.job, round.ratings())
        return self._marked(chaos.rated(round.job, round.ratings()), mark)

    def _marked(self, chaos: Chaos, *mark: str) -> Chaos:
        """Return the player with `mark` as the only mark of this game, or without any once the game has ended."""
        others = [each for each in chaos.profile.learnt if each not in self._marks]
        marks = others if self._is_over else [*others, *mark]
        return replace(chaos, profile=replace(chaos.profile, learnt=tuple(marks[-MAX_MARKS:])))

    def _save(self, chaos: Chaos) -> None:
        profile = replace(
            chaos.profile,
            pool=self._pool_hash,
            rules=self._rules,
            mode=self.mode.name,
            aim=f"{self.mode.calibration.aim:g}",
        )
        self._chaos = replace(chaos, profile=profile)
        if self.name is not None and self._is_of_owner():
            self._store.put(self.name, replace(profile, owner=self._owner))


class _RatingRound:
    """The ratings of one arrangement."""

    def __init__(self, *, turn: int, job: RatingJob) -> None:
        self.turn: Final = turn
        self.job: Final = job
        self.found: dict[int, tuple[int, int]] = {}  # by row: the rating, and the human's change alone

    def ratings(self) -> Ratings:
        """Return the ratings in the order of the rows; all must have been found."""
        ratings, human = zip(*(self.found[row] for row in range(self.job.rows)), strict=True)
        return Ratings(ratings=ratings, human=human)
