"""Chaos in one game: it rates the strings in the background, learns from them, and keeps a user's profile.

No turn waits for ratings: those of a setup wait (`_waiting_round`), are in progress (`_round`), and are learned when
they are complete; a choice before that is made by the ratings of the turn before. A newer setup replaces one that still
waits. A part that fails drops its round, and nothing is learned from that setup. A game that is replayed after a crash
rates its last arrangement again; a mark in the profile shows whether that arrangement was learned from, so none counts
twice.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from core.protection.state import ProtectionState
from engines.protection.adaptation import Choice, GameHistory, Ratings
from engines.protection.chaos import PART_STRINGS, Chaos, RatingJob
from engines.protection.game import ProtectionGame
from engines.protection.profile import STRINGS, ProfileStore
from engines.seeds import RandomStreams

MAX_MARKS: Final = 8  # games of one user in progress; marks of older games, which never ended, are dropped


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
