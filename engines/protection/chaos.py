"""Chaos as a player: it chooses a string, rates all strings on each setup, and learns a profile from that.

The string of a turn is a function of the profile, the history of the game and random streams. What the human
sets up in that turn is not asked. Reference: "Advanced Protection, parts Artificial Intelligence and Future
Work".
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
from core.protection.rules import HUMAN, NOBODY
from core.protection.state import ProtectionState
from core.random import Random
from engines.protection.adaptation import PAPER_RULE, REPLICATES, Choice, GameHistory, Known, Mode, Ratings
from engines.protection.game import ProtectionGame, hybrid_purpose, rating_purpose
from engines.protection.genome import Genome
from engines.protection.profile import STRINGS, Hybrid, Profile, ProfileStore, halfway
from engines.seeds import RandomStreams

PARENTS: Final = 10  # of hybrids: the lowest ratings
CHILDREN: Final = 25  # a turn
MAX_HYBRIDS: Final = 10
PART_STRINGS: Final = 50  # rated at a time, in some hundredths of a second
MAX_MARKS: Final = 8  # games of one user at a time; the marks of those that never ended are dropped


# -- Rating ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingJob:
    """Strings to be rated, one after the other, as many tests each. It can be pickled."""

    scenario: Scenario
    arrangement: Arrangement
    strings: bytes
    dollars: int  # that Chaos has in the tests
    seeds: tuple[int, ...]

    @classmethod
    def of(
        cls, state: ProtectionState, strings: bytes, streams: RandomStreams, tests: int, *, real_money: bool
    ) -> Self:
        """After a setup: with the money that Chaos really has, or with as much as the human's units have cost."""
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
        """16 hex digits that tell this arrangement, in this game and turn, from any other."""
        facts = self.arrangement.codes, self.dollars, self.seeds[0]
        return sha256(repr(facts).encode()).hexdigest()[:16]

    def part(self, first: int) -> Self:
        """PART_STRINGS of the strings from `first` on, or what is left."""
        end, tests = first + PART_STRINGS, len(self.seeds) // self.rows
        return replace(
            self,
            strings=self.strings[first * STRING_BYTES : end * STRING_BYTES],
            seeds=self.seeds[first * tests : end * tests],
        )


def rate(job: RatingJob) -> Ratings:
    """The ratings in the order of the strings. Blocks for some 0.05 to 1 ms a test."""
    tests = len(job.seeds) // job.rows
    changes = Evaluator(job.scenario, job.arrangement).evaluate(job.strings, job.dollars, list(job.seeds))
    return Ratings(
        ratings=tuple(rating(change, tests) for change in changes),
        human=tuple(toward_zero(human, tests) for human, _ in changes),
    )


# -- Learning --------------------------------------------------------------------------------------


def hybrids_to_test(profile: Profile, strings: Sequence[Genome], rng: Random) -> list[Genome]:
    """The profile's hybrids, and children of the best strings once it is known which these are."""
    known = [each.genome for each in profile.hybrids]
    return [*known, *breed(strings, profile.ratings, rng)] if any(profile.ratings) else known


def breed(strings: Sequence[Genome], ratings: Sequence[int], rng: Random) -> list[Genome]:
    """A turn's children of the strings with the lowest ratings; each has two different parents."""
    order = sorted(range(len(strings)), key=lambda index: ratings[index])[:PARENTS]
    children = []
    for _ in range(CHILDREN):
        one = rng.below(len(order))
        other = (one + 1 + rng.below(len(order) - 1)) % len(order)
        children.append(strings[order[one]].mate(strings[order[other]], rng))
    return children


def learned(profile: Profile, tested: Sequence[Genome], latest: Sequence[int]) -> Profile:
    """The profile after a turn, with the ratings of all strings and of the hybrids that were tested.

    The strings' ratings and those of known hybrids go halfway to what was found; a child's is what was found.
    """
    known = {each.genome: each.rating for each in profile.hybrids}
    found = [
        Hybrid(rating=halfway(known[genome], rating) if genome in known else rating, genome=genome)
        for genome, rating in zip(tested, latest[STRINGS:], strict=True)
    ]
    return replace(profile.rated(latest[:STRINGS]), hybrids=best_hybrids(found))


def best_hybrids(hybrids: Sequence[Hybrid]) -> tuple[Hybrid, ...]:
    """Those with the lowest ratings, each genome once."""
    best: dict[Genome, Hybrid] = {}
    for hybrid in sorted(hybrids, key=lambda each: each.rating):
        best.setdefault(hybrid.genome, hybrid)
    return tuple(best.values())[:MAX_HYBRIDS]


# -- The player ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Chaos:
    """A player of a pool of strings against one user. ValueError unless there are 250 strings."""

    pool: tuple[Genome, ...]
    mode: Mode
    profile: Profile
    tests: int = REPLICATES  # of each string, a turn
    real_money: bool = True  # in the tests; else as much as the human's units have cost
    latest: Ratings | None = (
        None  # in the game in progress: the pool's, then perhaps those of the profile's hybrids
    )

    def __post_init__(self) -> None:
        if len(self.pool) != STRINGS:
            raise ValueError(f"a pool has {STRINGS} strings, not {len(self.pool)}")

    def choose(self, history: GameHistory, streams: RandomStreams) -> Choice:
        """For the turn that is being set up."""
        return self.mode.choose(Known(profile=self.profile, history=history, latest=self.latest), streams)

    def string(self, index: int) -> bytes:
        """Of the pool; from 250 on of a hybrid of the profile."""
        if index < STRINGS:
            return self.pool[index].code
        return self.profile.hybrids[index - STRINGS].genome.code

    def rating_job(self, state: ProtectionState, streams: RandomStreams) -> RatingJob:
        """What a mode that learns has to rate after a setup: the pool, then hybrids if it breeds."""
        strings = self.pool
        if self.mode.breeds:
            rng = streams.stream(hybrid_purpose(state.turn))
            strings += tuple(hybrids_to_test(self.profile, self.pool, rng))
        code = b"".join(genome.code for genome in strings)
        return RatingJob.of(state, code, streams, self.tests, real_money=self.real_money)

    def rated(self, job: RatingJob, found: Ratings) -> Self:
        """After a rating job, having learned from it."""
        tested = _hybrids_of(job)
        profile = learned(self.profile, tested, found.ratings)
        row_of = {genome: row for row, genome in enumerate(tested, STRINGS)}
        rows = [*range(STRINGS), *(row_of[each.genome] for each in profile.hybrids)]
        return replace(self, profile=profile, latest=found.of(rows))

    def restored(self, job: RatingJob, found: Ratings) -> Self:
        """After a rating job that the profile has learned from already."""
        tested = _hybrids_of(job)
        known = [each.genome for each in self.profile.hybrids]
        rows = [tested.index(genome) + STRINGS for genome in known] if set(known) <= set(tested) else []
        return replace(self, latest=found.of([*range(STRINGS), *rows]))

    def with_profile(self, profile: Profile) -> Self:
        """With the profile as other games of the user have left it; ratings of other hybrids are dropped."""
        latest = self.latest
        mine, theirs = ([each.genome for each in one.hybrids] for one in (self.profile, profile))
        if latest is not None and mine != theirs:
            latest = latest.of(range(STRINGS))
        return replace(self, profile=profile, latest=latest)

    def finished(self, winner: int) -> Self:
        """After a game. A draw is counted neither way."""
        profile = self.profile if winner == NOBODY else self.profile.finished(winner == HUMAN)
        return replace(self, profile=profile, latest=None)


def new_chaos(pool: tuple[Genome, ...], mode: Mode, tests: int | None = None) -> Chaos:
    """Return a Chaos that knows nothing of its user. The paper's rule differs in how strings are tested, unless `tests` is given.

    By the paper's rule each string is tested once a turn, with as much money as the human's units have cost.
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
    """Those behind the pool."""
    rows = range(STRINGS * STRING_BYTES, len(job.strings), STRING_BYTES)
    return [Genome(code=job.strings[start : start + STRING_BYTES]) for start in rows]


# -- Rating in the background ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The string of a turn, and how many ratings on the last arrangement it was chosen by."""

    string: bytes
    choice: Choice
    rated: int
    of: int  # 0 if there are none to wait for
    milliseconds: int  # that the last part of the ratings took
    best: int  # the lowest rating of the profile


class OpponentModel:
    """Chaos in one game, with the profile of a user in a store, or without a name one that ends with the game.

    After each setup all strings are rated on the arrangement, in other processes; no turn waits for that. A
    choice that is made before all ratings are there is made by those of the turn before. A game that is
    replayed after a crash has its last arrangement rated once more; marks in the profile tell whether it has
    learned from that.
    """

    def __init__(
        self, chaos: Chaos, store: ProfileStore, name: str | None, pool_hash: str, rules: tuple[str, str]
    ) -> None:
        """`rules` are name and hash, for the profile."""
        self.mode: Final = chaos.mode
        self.name: Final = name
        self._chaos = chaos
        self._store = store
        self._pool_hash = pool_hash
        self._rules = rules
        self._round: _RatingRound | None = None  # in progress
        self._next: _RatingRound | None = None
        self._rated_turn = 0  # the last one whose ratings are complete
        self._milliseconds = 0
        self._marks: set[str] = set()  # of this game's arrangements
        self._is_over = False
        self._owner = ""
        with suppress(ValueError, OSError):
            self._owner = "" if name is None else store.owner(name) or ""

    @property
    def chaos(self) -> Chaos:
        """The player as it is now; other games of the same user may have changed the profile."""
        if self.name is not None and self._is_of_owner():
            with suppress(ValueError, OSError):  # the file may have been damaged
                known = self._store.get(self.name)
                self._chaos = self._chaos.with_profile(known) if known else self._chaos
        return self._chaos

    def _is_of_owner(self) -> bool:
        """Return whether the profile is still that of the game's user, or deleted; not if its file is damaged."""
        with suppress(ValueError, OSError):
            return self.name is not None and self._store.owner(self.name) in (self._owner, None)
        return False

    def choose(self, game: ProtectionGame) -> Decision:
        """The string for the turn that is being set up."""
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
        """A setup is complete: its strings are to be rated after those in progress."""
        if self.mode.learns:
            self._next = _RatingRound(turn=state.turn, job=self.chaos.rating_job(state, streams))
            self._marks.add(self._next.job.mark)

    def jobs(self) -> list[tuple[RatingJob, Callable[[Ratings | None, float], None]]]:
        """The parts to be rated now, each with a callback for what was found (None if it failed) and its seconds."""
        if self._round is not None or self._next is None:
            return []
        begun, self._next = self._next, None
        self._round = begun
        return [
            (begun.job.part(first), partial(self._rated, begun, first))
            for first in range(0, begun.job.rows, PART_STRINGS)
        ]

    def finish(self, winner: int) -> None:
        """The game is over."""
        self._is_over = True
        self._save(self._marked(self.chaos.finished(winner)))

    # -- Helpers -----------------------------------------------------------------------------------

    def _progress(self, turn: int) -> tuple[int, int]:
        """How many of the ratings on the last arrangement are there, and of how many."""
        if turn == 1 or not self.mode.learns:
            return 0, 0
        if self._rated_turn == turn - 1:
            return STRINGS, STRINGS
        if self._round is not None and self._round.turn == turn - 1:
            return min(len(self._round.found), STRINGS - 1), STRINGS
        return 0, STRINGS

    def _rated(self, round: "_RatingRound", first: int, latest: Ratings | None, seconds: float) -> None:
        """Some strings are rated, or could not be."""
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
            self._save(self._learned(round))

    def _learned(self, round: "_RatingRound") -> Chaos:
        """After all ratings of an arrangement."""
        chaos, mark = self.chaos, round.job.mark
        if mark in chaos.profile.learnt:
            return chaos.restored(round.job, round.ratings())
        return self._marked(chaos.rated(round.job, round.ratings()), mark)

    def _marked(self, chaos: Chaos, *mark: str) -> Chaos:
        """With this as the only mark of this game; with none when it is over."""
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
        """When all are found."""
        ratings, human = zip(*(self.found[row] for row in range(self.job.rows)), strict=True)
        return Ratings(ratings=ratings, human=human)
