"""A match: many games between players of the house, round by round, and the table that follows.

Games may be played anywhere and come back in any order; they are counted in their own, so the table does not
depend on who computes them.
"""

from collections.abc import Callable, Sequence
from itertools import islice

from engines.tournament import rounds
from protocols.jsonl.match.contest import Setup
from protocols.jsonl.match.game import Batch, Outcome, Venue
from protocols.jsonl.match.standings import Standings


class Match:
    """A match under way."""

    def __init__(self, owner: str, venue: Venue, setup: Setup) -> None:
        self.id = venue.match_id
        self.owner = owner  # the session
        self.venue = venue
        self.setup = setup
        self.of = setup.total
        self.done = 0
        self.running = 0  # games that are out
        self.is_over = False
        self.seeds: list[int] = []  # of the games that are done
        self.records: dict[str, Sequence[bytes]] = {}  # by game, as many as are kept
        self.standings = Standings(setup.players, has_pairs=setup.mirror and setup.seats == 2)
        self._rounds = rounds(setup.pairing, len(setup.players), setup.seats)
        self._early: dict[int, Outcome] = {}  # an earlier game is still out
        self._open_round(next(self._rounds))

    def take(self, most: int) -> Batch | None:
        """Some games to be played now; None if there is nothing to do but wait, or nothing at all."""
        contests = list(islice(self._waiting, most))
        if self.is_over or not contests:
            return None
        self.running += len(contests)
        return Batch(venue=self.venue, contests=contests)

    def hear(self, outcomes: list[Outcome], is_enough: Callable[[], bool]) -> None:
        """Games have been played. After each that counts, `is_enough` says whether it was the last."""
        self.running -= len(outcomes)
        self._early |= {outcome.contest.number: outcome for outcome in outcomes}
        while not self.is_over and (outcome := self._early.pop(self.done, None)):
            self._count(outcome)
            self.is_over = self.is_over or is_enough()

    def _count(self, outcome: Outcome) -> None:
        self.done += 1
        self.standings.add(outcome)
        self.seeds.append(outcome.contest.seed)
        if outcome.record:
            self.records[outcome.game_id] = outcome.record
        contest = outcome.contest
        for player, rank in zip(contest.players, outcome.ranks, strict=True):
            points = sum((other > rank) + (other == rank) / 2 for other in outcome.ranks) - 0.5
            self._points[contest.group][self._groups[contest.group].index(player)] += points
        if self.done == self._end:
            self._next_round()

    def _next_round(self) -> None:
        most = self.setup.games * (self.setup.seats - 1)  # points of who wins everything, as for a bye
        shares = [[points / most for points in group] for group in self._points]
        try:
            self._open_round(self._rounds.send(shares))
        except StopIteration:
            self.is_over = True

    def _open_round(self, groups: list[tuple[int, ...]]) -> None:
        self._groups = groups
        self._points = [[0.0] * len(group) for group in groups]
        self._end = self.done + self.setup.games * len(groups)
        self._waiting = self.setup.contests(groups, self.done)
