"""Matches: many games between players, round by round, and the standings that follow.

A Match says which games are due, and counts the outcomes; how they are played differs. A MatchPlan has a function that
plays a batch of games, in any process: agents of the JSON lines, tables of Acquire, rounds of warriors.
engines.match.engine_games plays games between engines, which need clocks and processes of their own.

Games may come back in any order; they are counted in the order of their numbers, so the standings do not depend on who
played them, or on how many did at a time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from engines.match.pairing import Group
from engines.match.schedule import MatchGame, Schedule
from engines.match.standings import GameOutcome, Standings

MAX_SEEDS: Final = 1000  # of a match that are kept: as many as fit into a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Games to be played in another process; `config` is common to all of them."""

    config: Any
    games: Sequence[MatchGame]


Add = Callable[[Sequence[GameOutcome]], object]  # counts games, and adds them to their match
Play = Callable[[Batch], list[GameOutcome]]  # a function of a module: it plays all games of a batch


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """The plan of a match in worker processes: its schedule, and the function that plays its games."""

    game: str
    schedule: Schedule
    config: Any  # of the batches
    play: Play
    batch: int = 1  # games
    match_id: str = ""
    recorded: int = 0  # games, from the first one on, whose records are kept


class Match:
    """A match under way."""

    def __init__(self, schedule: Schedule, *, keeps_tables: bool = False) -> None:
        """Begin a match; `keeps_tables` is for ratings of games of more than two, as in Standings."""
        self.schedule = schedule
        self.of = schedule.total
        self.done = 0
        self.running = 0  # games that are handed out
        self.is_over = False
        self.order: Sequence[int] = ()  # of the players, the best first by the pairing, once all is played
        self.seeds: list[int] = []  # of the first games that are done
        self.records: dict[str, Sequence[bytes]] = {}  # by game, as many as are kept
        self.standings = Standings(
            schedule.players,
            has_pairs=schedule.mirror and schedule.counts_pairs and schedule.seats == 2,
            keeps_tables=keeps_tables,
        )
        self._rounds = schedule.rounds()
        self._round = -1
        self._early: dict[int, GameOutcome] = {}  # an earlier game is still being played
        self._open_round(next(self._rounds))

    def next_games(self, most: int) -> list[MatchGame]:
        """Return some games to be played now; none if there is nothing to do but wait, or nothing at all."""
        if self.is_over:
            return []
        unplayed = (
            each for each in self._waiting if each.number >= self.done and each.number not in self._early
        )
        games = list(islice(unplayed, most))
        self.running += len(games)
        return games

    def add(self, outcomes: Sequence[GameOutcome], is_enough: Callable[[], bool]) -> list[GameOutcome]:
        """Add games that were played, and return those that count now, in the order of their numbers.

        After each that counts, `is_enough` says whether it was the last.
        """
        self.running -= len(outcomes)
        return self.restore(outcomes, is_enough)

    def restore(self, outcomes: Sequence[GameOutcome], is_enough: Callable[[], bool]) -> list[GameOutcome]:
        """Add games that were played before this process began; see add()."""
        counted: list[GameOutcome] = []
        self._early |= {outcome.game.number: outcome for outcome in outcomes}
        while not self.is_over and (outcome := self._early.pop(self.done, None)):
            self._count(outcome)
            counted.append(outcome)
            self.is_over = self.is_over or is_enough()
        return counted

    def _count(self, outcome: GameOutcome) -> None:
        game = outcome.game
        self.done += 1
        self.standings.add(outcome)
        if len(self.seeds) < MAX_SEEDS:
            self.seeds.append(game.seed)
        if outcome.record:
            self.records[outcome.game_id] = outcome.record
        for player, rank in zip(game.players, outcome.ranks, strict=True):
            points = sum((other > rank) + (other == rank) / 2 for other in outcome.ranks) - 0.5
            self._points[game.group][self._groups[game.group].index(player)] += points
        if self.done == self._end:
            self._next_round()

    def _next_round(self) -> None:
        schedule = self.schedule
        most = schedule.games * (schedule.seats - 1)  # points of who wins everything, as for a bye
        shares = [[points / most for points in group] for group in self._points]
        try:
            self._open_round(self._rounds.send(shares))
        except StopIteration as end:
            self.order = end.value
            self.is_over = True

    def _open_round(self, groups: list[Group]) -> None:
        self._round += 1
        self._groups = groups
        self._points = [[0.0] * len(group) for group in groups]
        self._end = self.done + self.schedule.games * len(groups)
        self._waiting = self.schedule.round_games(groups, self.done, self._round)
