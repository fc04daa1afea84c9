"""What Chaos knows of a user in one game: the profile, and the ratings that are under way for it.

After each setup all strings are rated on the arrangement, somewhere else; no turn waits for that. A choice that comes
before they are all there is made by the ratings so far, and says so. "Advanced Protection, part Artificial Intelligence".
A game that is lived through again after a kill has its last arrangement rated once more; the profile's marks tell
whether it has learnt from that.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import exp
from typing import Any, Final

from core.protection.policy import STRING_BYTES
from core.protection.state import ProtectionState
from engines.protection.adaptation.choice import Choice
from engines.protection.adaptation.chooser import Chooser
from engines.protection.adaptation.course import Course
from engines.protection.chaos import Chaos
from engines.protection.game.chance import Chance
from engines.protection.game.game import ProtectionGame
from engines.protection.game.ratings import Ratings, Trial, rated
from engines.protection.pool.pool import Pool
from engines.protection.profile.profile import STRINGS, Profile
from protocols.jsonl.binding.binding import Chore
from protocols.jsonl.binding.protection.actions import Strategy
from protocols.jsonl.binding.protection.chaos.store import ProfileStore
from protocols.jsonl.binding.protection.shapes.moves import Aim

BATCH_STRINGS: Final = 50
MOST_MARKS: Final = 8  # as many games of one user as go on at a time; those of games that never ended fade


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How Chaos goes about it; `tests` of a string a turn."""

    chooser: Chooser
    aim: float  # the share of games that the user is to win
    tests: int
    real_money: bool  # in tests: what Chaos has, and not what the human's units have cost
    rules: tuple[str, str]  # name and hash, for the profile


class Memory:
    """Without a name it lasts as long as the game."""

    def __init__(self, store: ProfileStore, name: str | None, habits: Habits, pool: Pool) -> None:
        self.habits: Final = habits
        self.name: Final = name
        self._store = store
        self._pool = pool
        self._chaos = Chaos(
            pool=tuple(each.genome for each in pool.entries),
            chooser=habits.chooser,
            profile=Profile(),
            tests=habits.tests,
            real_money=habits.real_money,
        )
        self._round: _Round | None = None  # of ratings, under way
        self._next: _Round | None = None
        self._rated_turn = 0  # the last one whose ratings are all there
        self._ms = 0
        self._marks: set[str] = set()  # of this game's arrangements
        self._is_over = False

    @property
    def chaos(self) -> Chaos:
        """The player as it is now; other games of the same user may have changed the profile."""
        if self.name is not None:
            with suppress(ValueError, OSError):  # somebody has spoilt the file
                known = self._store.get(self.name)
                self._chaos = self._chaos.knowing(known) if known else self._chaos
        return self._chaos

    def choose(self, game: ProtectionGame) -> Strategy:
        """The string for a turn: a function of profile, ratings, the game's course and its chance."""
        chaos, course = self.chaos, Course.of(game)
        chosen = chaos.choose(course, game.chance)
        return Strategy(
            string=chaos.string(chosen.index),
            index=chosen.index,
            hybrid=chosen.index >= STRINGS,
            aim=self._aim(chosen, course.turn),
        )

    def arranged(self, state: ProtectionState, chance: Chance) -> None:
        """A setup is over: the strings are to be rated on it, once those under way are."""
        if self.habits.chooser.learns:
            self._next = _Round(turn=state.turn, whole=self.chaos.trial(state, chance))
            self._marks.add(self._next.whole.mark)

    def chores(self) -> list[Chore]:
        """The ratings to be made now."""
        if self._round is not None or self._next is None:
            return []
        begun = self._round = self._next
        self._next = None
        return begun.chores(partial(self._heard, begun))

    def finish(self, winner: int) -> None:
        """The game is over."""
        self._is_over = True
        self._keep(self._marked(self.chaos.finished(winner)))

    # -- Helpers -----------------------------------------------------------------------------------

    def _aim(self, chosen: Choice, turn: int) -> Aim:
        """Why it was chosen, as it is recorded and told."""
        done, of = self._progress(turn)
        aim = Aim(
            mode=self.habits.chooser.name,
            target=chosen.target,
            rating=chosen.rating,
            done=done,
            of=of,
            ms=self._ms,
            best=min(self._chaos.profile.ratings),
        )
        if way := chosen.way:
            aim.due = "human" if way.is_due else "chaos"
            aim.ratio = round(exp(way.wanted), 3)
            aim.expected = None if way.expected is None else round(exp(way.expected), 3)
        return aim

    def _progress(self, turn: int) -> tuple[int, int]:
        """How many of the ratings on the last arrangement are there, and of how many."""
        if turn == 1 or not self.habits.chooser.learns:
            return 0, 0
        if self._rated_turn == turn - 1:
            return STRINGS, STRINGS
        is_under_way = self._round is not None and self._round.turn == turn - 1
        return (min(len(self._round.found), STRINGS - 1) if is_under_way and self._round else 0), STRINGS

    def _heard(self, round: "_Round", first: int, latest: Ratings | None, seconds: float) -> None:
        """Some strings are rated, or could not be."""
        if round is not self._round:
            return
        if latest is None:
            self._round = None
            return
        round.found |= dict(enumerate(zip(latest.ratings, latest.human, strict=True), first))
        self._ms = int(seconds * 1000)
        if len(round.found) == round.rows:
            self._round = None
            self._rated_turn = round.turn
            self._keep(self._learnt(round))

    def _learnt(self, round: "_Round") -> Chaos:
        """After all ratings of an arrangement."""
        chaos, mark = self.chaos, round.whole.mark
        if mark in chaos.profile.learnt:
            return chaos.reminded(round.whole, round.ratings())
        return self._marked(chaos.rated(round.whole, round.ratings()), mark)

    def _marked(self, chaos: Chaos, *mark: str) -> Chaos:
        """With this as the only mark of this game; with none when it is over."""
        others = [each for each in chaos.profile.learnt if each not in self._marks]
        marks = others if self._is_over else [*others, *mark]
        return replace(chaos, profile=replace(chaos.profile, learnt=tuple(marks[-MOST_MARKS:])))

    def _keep(self, chaos: Chaos) -> None:
        habits = self.habits
        profile = replace(
            chaos.profile,
            pool=self._pool.hash,
            rules=habits.rules,
            mode=habits.chooser.name,
            aim=f"{habits.aim:g}",
        )
        self._chaos = replace(chaos, profile=profile)
        if self.name is not None:
            self._store.put(self.name, profile)


class _Round:
    """The ratings of one arrangement."""

    def __init__(self, *, turn: int, whole: Trial) -> None:
        self.turn: Final = turn
        self.whole: Final = whole
        self.rows: Final = len(whole.strings) // STRING_BYTES
        self.found: dict[int, tuple[int, int]] = {}  # by row: the rating, and the human's change alone

    def ratings(self) -> Ratings:
        """When all are found."""
        ratings, human = zip(*(self.found[row] for row in range(self.rows)), strict=True)
        return Ratings(ratings=ratings, human=human)

    def chores(self, heard: Callable[[int, Any, float], None]) -> list[Chore]:
        """In parts that take some hundredths of a second each."""
        whole, tests = self.whole, len(self.whole.seeds) // self.rows
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
