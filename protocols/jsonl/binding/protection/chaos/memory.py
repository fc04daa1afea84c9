"""What Chaos knows of a user in one game: the profile, and the ratings that are under way for it.

After each setup all strings are rated on the arrangement, somewhere else; no turn waits for that. A choice that comes
before they are all there is made by the ratings so far, and says so. "Advanced Protection, part Artificial Intelligence".
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from core.protection.policy import STRING_BYTES
from core.protection.state import ProtectionState
from engines.protection.adaptation.hybrids import bred, kept
from engines.protection.adaptation.modes import Mode
from engines.protection.game.chance import Chance, choice
from engines.protection.game.ratings import Ratings, Trial, rated, trial
from engines.protection.genome import Genome
from engines.protection.pool.pool import Pool
from engines.protection.profile.profile import STRINGS, Hybrid, Profile, halfway
from protocols.jsonl.binding.binding import Chore
from protocols.jsonl.binding.protection.actions import Strategy
from protocols.jsonl.binding.protection.chaos.store import ProfileStore
from protocols.jsonl.binding.protection.shapes import Aim

LEARNING: Final = ("seed", "calibrated", "best")  # the modes that choose by ratings
BREEDING: Final = ("calibrated", "best")
BATCH_STRINGS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How Chaos goes about it; `tests` of a string a turn."""

    mode: Mode
    tests: int
    real_money: bool  # in tests: what Chaos has, and not what the human's units have cost
    rules: tuple[str, str]  # name and hash, for the profile


class Memory:
    """Without a name it lasts as long as the game."""

    def __init__(self, store: ProfileStore, name: str | None, habits: Habits, pool: Pool) -> None:
        self.habits: Final = habits
        self.name: Final = name
        self._store = store
        self._own = Profile()
        self._pool = pool
        self._round: _Round | None = None  # of ratings, under way
        self._next: _Round | None = None
        self._rated_turn = 0  # the last one whose ratings are all there
        self._ms = 0

    @property
    def profile(self) -> Profile:
        """As it is now; other games of the same user may have changed it."""
        if self.name is not None:
            with suppress(ValueError, OSError):  # somebody has spoilt the file
                self._own = self._store.get(self.name) or self._own
        return self._own

    def choose(self, turn: int, chance: Chance, standings: Sequence[float]) -> Strategy:
        """The string for a turn: a function of profile, ratings and chance."""
        profile, mode = self.profile, self.habits.mode
        chosen = mode.choose(profile, chance.stream(choice(turn)), standings)
        hybrid = chosen.index >= STRINGS
        genome = (
            profile.hybrids[chosen.index - STRINGS].genome
            if hybrid
            else self._pool.entries[chosen.index].genome
        )
        done, of = self._progress(turn)
        aim = Aim(
            mode=mode.name,
            target=chosen.target,
            rating=chosen.rating,
            done=done,
            of=of,
            ms=self._ms,
            best=min(profile.ratings),
        )
        return Strategy(string=genome.code, index=chosen.index, hybrid=hybrid, aim=aim)

    def arranged(self, state: ProtectionState, chance: Chance) -> None:
        """A setup is over: the strings are to be rated on it, once those under way are."""
        if self.habits.mode.name not in LEARNING:
            return
        profile, children = self.profile, list[Genome]()
        if self.habits.mode.name in BREEDING and any(profile.ratings):
            children = bred(
                [each.genome for each in self._pool.entries],
                profile.ratings,
                chance.stream(f"hybrid|{state.turn}"),
            )
        hybrids = [*(each.genome for each in profile.hybrids), *children]
        code = self._pool.packed + b"".join(genome.code for genome in hybrids)
        whole = trial(state, code, chance, self.habits.tests, self.habits.real_money)
        self._next = _Round(turn=state.turn, whole=whole, hybrids=hybrids, old=len(profile.hybrids))

    def chores(self) -> list[Chore]:
        """The ratings to be made now."""
        if self._round is not None or self._next is None:
            return []
        begun = self._round = self._next
        self._next = None
        return begun.chores(partial(self._heard, begun))

    def finish(self, won: bool) -> None:
        """The game is over, and somebody has won it."""
        self._keep(self.profile.finished(won))

    # -- Helpers -----------------------------------------------------------------------------------

    def _progress(self, turn: int) -> tuple[int, int]:
        """How many of the ratings on the last arrangement are there, and of how many."""
        if turn == 1 or self.habits.mode.name not in LEARNING:
            return 0, 0
        if self._rated_turn == turn - 1:
            return STRINGS, STRINGS
        is_under_way = self._round is not None and self._round.turn == turn - 1
        return (min(len(self._round.ratings), STRINGS - 1) if is_under_way and self._round else 0), STRINGS

    def _heard(self, round: "_Round", first: int, latest: Ratings | None, seconds: float) -> None:
        """Some strings are rated, or could not be."""
        if round is not self._round:
            return
        if latest is None:
            self._round = None
            return
        round.ratings |= dict(enumerate(latest.ratings, first))
        self._ms = int(seconds * 1000)
        if len(round.ratings) == round.rows:
            self._learn(round)

    def _learn(self, round: "_Round") -> None:
        self._round = None
        self._rated_turn = round.turn
        latest = [round.ratings[row] for row in range(round.rows)]
        profile = self.profile
        known = {each.genome: each.rating for each in profile.hybrids}
        hybrids = []
        for number, (genome, rating) in enumerate(zip(round.hybrids, latest[STRINGS:], strict=True)):
            is_old = number < round.old and genome in known
            hybrids.append(Hybrid(rating=halfway(known[genome], rating) if is_old else rating, genome=genome))
        self._keep(replace(profile.rated(latest[:STRINGS]), hybrids=kept(hybrids)))

    def _keep(self, profile: Profile) -> None:
        habits = self.habits
        profile = replace(
            profile,
            pool=self._pool.hash,
            rules=habits.rules,
            mode=habits.mode.name,
            aim=f"{habits.mode.calibration.aim:g}",
        )
        self._own = profile
        if self.name is not None:
            self._store.put(self.name, profile)


class _Round:
    """The ratings of one arrangement."""

    def __init__(self, *, turn: int, whole: Trial, hybrids: Sequence[Genome], old: int) -> None:
        self.turn: Final = turn
        self.hybrids: Final = hybrids  # after the strings of the pool, the first `old` of them known
        self.old: Final = old
        self.rows: Final = len(whole.strings) // STRING_BYTES
        self.ratings: dict[int, int] = {}
        self._whole = whole

    def chores(self, heard: Callable[[int, Any, float], None]) -> list[Chore]:
        """In parts that take some hundredths of a second each."""
        whole, tests = self._whole, len(self._whole.seeds) // self.rows
        parts = []
        for first in range(0, self.rows, BATCH_STRINGS):
            end = min(first + BATCH_STRINGS, self.rows)
            part = replace(
                whole,
                strings=whole.strings[first * STRING_BYTES : end * STRING_BYTES],
                seeds=whole.seeds[first * tests : end * tests],
            )
            parts.append(
                Chore(function=rated, task=part, about="ratings of strings", done=partial(heard, first))
            )
        return parts
