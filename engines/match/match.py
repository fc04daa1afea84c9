"""Matches: many games between players, round by round, and the standings that follow.

A Match hands out the games that can be played now, and counts their outcomes; it plays nothing itself and does no
I/O. There are two ways to play the games. A MatchPlan has a function that plays a batch of games in any process, for
agents of the JSON lines, tables of Acquire and rounds of warriors (worker_games.py). Games between engines, which
need clocks and processes of their own, are played by engine_games.py. Both use a match in the same way:

    next_games()   some games that can be played now; none while a round waits for games that are running
    (play them, in any order and anywhere)
    add()          the outcomes, as they arrive; returns those that count now
    is_over        true when the last game has been counted, or when the caller has seen enough

A game passes through three states. It is waiting in its round, then running, and counted in the end. An outcome that
arrives before that of an earlier game is kept in `_early`: games are counted strictly in the order of their numbers.
So standings, sequential tests and records do not depend on the number of workers, nor on the processes in which the
games were played, and a match that stops early always stops after the same game. Outcomes that arrive after the end
are dropped.

The rounds come from the schedule, a generator (pairing.py). A round opens when all games of the round before have
been counted, because its groups can depend on the points of that round; the price is that workers may be idle at the
end of a round. The points of a game are the number of players that a player is before, an equal counting half. This
holds for tables of three or more, too: an earlier version of swiss and ladder counted first places alone, so that
second and third places were worth the same. The pairing receives the points of a round as shares of the most that a
player can make, so that a bye is worth the same for any number of games.

A match that was interrupted continues from its log: restore() takes the outcomes of the games in the log, and
next_games() leaves these games out. Matches of all games and commands use this class, with one table and one --save.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from engines.match.pairing import Group
from engines.match.schedule import MatchGame, Schedule
from engines.match.standings import GameOutcome, Standings

MAX_SEEDS: Final = 1000  # seeds of a match that are kept: as many as fit into a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Games to be played in a worker process; `config` is the same for all of them."""

    config: Any
    games: Sequence[MatchGame]


Add = Callable[[Sequence[GameOutcome]], object]  # receives outcomes, and adds them to their match
Play = Callable[[Batch], list[GameOutcome]]  # plays all games of a batch; a function of a module


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """The plan of a match in worker processes: its schedule, and the function that plays its games."""

    game: str
    schedule: Schedule
    config: Any  # the configuration of all batches
    play: Play
    batch: int = 1  # number of games
    match_id: str = ""
    recorded: int = 0  # number of games, from the first one on, whose records are kept


class Match:
    """A match: its games waiting and running, and the standings so far."""

    def __init__(self, schedule: Schedule, *, keeps_tables: bool = False) -> None:
        """Start a match; `keeps_tables` is for ratings from games of more than two players (see Standings)."""
        self.schedule = schedule
        self.planned_games = schedule.total
        self.done = 0
        self.running = 0  # number of games that are handed out
        self.is_over = False
        self.order: Sequence[int] = ()  # players from the best on by the pairing, once all games are counted
        self.seeds: list[int] = []  # seeds of the first games
        self.records: dict[str, Sequence[bytes]] = {}  # lines by ID of the game
        self.standings = Standings(
            schedule.players,
            has_pairs=schedule.mirror and schedule.counts_pairs and schedule.seats == 2,
            keeps_tables=keeps_tables,
        )
        self._rounds = schedule.rounds()
        self._round = -1
        self._early: dict[int, GameOutcome] = {}  # by number; an earlier game is still running
        self._open_round(next(self._rounds))

    def next_games(self, most: int) -> list[MatchGame]:
        """Return up to `most` games to play now; none if the round has no more or the match is over."""
        if self.is_over:
            return []
        unplayed = (
            each for each in self._waiting if each.number >= self.done and each.number not in self._early
        )
        games = list(islice(unplayed, most))
        self.running += len(games)
        return games

    def add(self, outcomes: Sequence[GameOutcome], is_enough: Callable[[], bool]) -> list[GameOutcome]:
        """Add outcomes of games that were handed out, and return those that count now, in the order of their numbers.

        `is_enough` is called after each of these, and ends the match if it returns True.
        """
        self.running -= len(outcomes)
        return self.restore(outcomes, is_enough)

    def restore(self, outcomes: Sequence[GameOutcome], is_enough: Callable[[], bool]) -> list[GameOutcome]:
        """Add outcomes of games that were played before this process started, as add() does."""
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
        most = schedule.games * (schedule.seats - 1)  # the points for winning all games of a round
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
