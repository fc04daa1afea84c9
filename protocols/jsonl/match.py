"""Matches: many games between players, round by round, and the standings that follow.

A Match says which games are due, as a Batch, and counts what came of them; how a batch is played is a function of its
own: play_batch() for the agents of the JSON lines, protocols.jsonl.warrior_match.play_rounds() for warriors.

The clocks of a game run while a player decides. Games may be played in any process and come
back in any order; they are counted in the order of their numbers, so the standings do not depend on who computes them.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, islice
from time import perf_counter
from typing import Any, Final

from engines.seeds import SeededStreams, game_seed
from engines.statistics import bradley_terry, score
from engines.tournament import Group, Kind, Rounds, count, rounds
from protocols.jsonl.adapter import Agent, GameAdapter, GameConfig, GameState, Move
from protocols.jsonl.game import AgentTurn, Game, GameOptions
from protocols.jsonl.messages import ClockTerms, Row
from protocols.jsonl.record import record_header
from protocols.jsonl.seat import Seat
from protocols.limits import GameLimits

LIMITS: Final = GameLimits(kept_events=1)  # there are no spectators
BATCH_GAMES: Final = 10  # a job, unless one of the players is slow
MOST_SEEDS: Final = 1000  # of a match that are kept: as many as fit into a line


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchGame:
    """One game; `players` by seat, as indices."""

    number: int  # in the match, from 0
    seed: int
    players: Group
    group: int  # of the round


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The schedule of a match: its games, with the players of each in their seats, and its seed."""

    players: tuple[str, ...]
    games: int  # of each group of players that meets
    seats: int = 2
    pairing: Kind = "round_robin"
    mirror: bool = False
    seed: int = 0
    # Where sides differ: who meets whom, each in its own seat. None: by the pairing, in every seat in turn.
    sides: tuple[Group, ...] | None = None

    @property
    def total(self) -> int:
        """The number of games in all."""
        if self.sides is not None:
            return self.games * len(self.sides)
        return self.games * count(self.pairing, len(self.players), self.seats)

    def rounds(self) -> Rounds:
        """Return the rounds, each of which depends on what came of those before it."""
        if self.sides is not None:
            return _once(list(self.sides), len(self.players))
        return rounds(self.pairing, len(self.players), self.seats)

    def round_games(self, groups: Sequence[Group], first: int) -> Iterator[MatchGame]:
        """The games of a round, of which `first` is the number of the first.

        The groups take turns. With `mirror` a seed is played once for each rotation of the seats.
        """
        for number in range(self.games * len(groups)):
            lap, which = divmod(number, len(groups))
            bag, turn = divmod(lap, self.seats) if self.mirror else (lap, lap % self.seats)
            if self.sides is not None:
                bag, turn = lap, 0
            yield MatchGame(
                number=first + number,
                seed=game_seed(self.seed, first + bag * len(groups) + which),
                players=groups[which][turn:] + groups[which][:turn],
                group=which,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """The configuration that all games of a match between agents of the JSON lines share."""

    adapter: GameAdapter
    variant: str
    options: Mapping[str, Any]
    players: tuple[str, ...]
    clock: ClockTerms | None = None
    match_id: str = ""
    recorded: int = 0  # games, from the first one on, whose records are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Games to be played in another process; `config` is common to all of them, such as a MatchConfig."""

    config: Any
    games: Sequence[MatchGame]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOutcome:
    """The outcome of a game; lists have an entry for each player, in the order of the seats in `game`."""

    game: MatchGame
    ranks: Sequence[int]  # 1 is first; equals share a rank
    results: Sequence[float]
    seconds: Sequence[float]  # spent on decisions
    forced: Sequence[int]  # decisions that failed, or came too late
    game_id: str = ""
    record: Sequence[bytes] = ()  # lines, if it is kept


Play = Callable[[Batch], list[GameOutcome]]  # a function of a module: it plays all games of a batch


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """The plan of a match: its schedule, and the function that plays its games."""

    game: str
    schedule: Schedule
    config: Any  # of the batches
    play: Play
    batch: int = BATCH_GAMES  # games
    match_id: str = ""
    recorded: int = 0  # games, from the first one on, whose records are kept


class Match:
    """A match under way."""

    def __init__(self, plan: MatchPlan) -> None:
        schedule = plan.schedule
        self.id = plan.match_id
        self.plan = plan
        self.of = schedule.total
        self.done = 0
        self.running = 0  # games that are handed out
        self.is_over = False
        self.seeds: list[int] = []  # of the first games that are done
        self.records: dict[str, Sequence[bytes]] = {}  # by game, as many as are kept
        self.standings = Standings(schedule.players, has_pairs=schedule.mirror and schedule.seats == 2)
        self._rounds = schedule.rounds()
        self._early: dict[int, GameOutcome] = {}  # an earlier game is still being played
        self._open_round(next(self._rounds))

    def next_batch(self) -> Batch | None:
        """Return some games to be played now; None if there is nothing to do but wait, or nothing at all."""
        unplayed = (
            each for each in self._waiting if each.number >= self.done and each.number not in self._early
        )
        games = list(islice(unplayed, self.plan.batch))
        if self.is_over or not games:
            return None
        self.running += len(games)
        return Batch(config=self.plan.config, games=games)

    def add(self, outcomes: Sequence[GameOutcome], is_enough: Callable[[], bool]) -> None:
        """Games that were played. After each that counts, `is_enough` says whether it was the last."""
        self.running -= len(outcomes)
        self._early |= {outcome.game.number: outcome for outcome in outcomes}
        while not self.is_over and (outcome := self._early.pop(self.done, None)):
            self._count(outcome)
            self.is_over = self.is_over or is_enough()

    def _count(self, outcome: GameOutcome) -> None:
        game = outcome.game
        self.done += 1
        self.standings.add(outcome)
        if len(self.seeds) < MOST_SEEDS:
            self.seeds.append(game.seed)
        if outcome.record:
            self.records[outcome.game_id] = outcome.record
        for player, rank in zip(game.players, outcome.ranks, strict=True):
            points = sum((other > rank) + (other == rank) / 2 for other in outcome.ranks) - 0.5
            self._points[game.group][self._groups[game.group].index(player)] += points
        if self.done == self._end:
            self._next_round()

    def _next_round(self) -> None:
        schedule = self.plan.schedule
        most = schedule.games * (schedule.seats - 1)  # points of who wins everything, as for a bye
        shares = [[points / most for points in group] for group in self._points]
        try:
            self._open_round(self._rounds.send(shares))
        except StopIteration:
            self.is_over = True

    def _open_round(self, groups: list[Group]) -> None:
        self._groups = groups
        self._points = [[0.0] * len(group) for group in groups]
        self._end = self.done + self.plan.schedule.games * len(groups)
        self._waiting = self.plan.schedule.round_games(groups, self.done)


class Standings:
    """The table of a match, with intervals and ratings. Players are indices."""

    def __init__(self, names: Sequence[str], *, has_pairs: bool) -> None:
        """`has_pairs` for mirrored games of two."""
        self._names = names
        self._has_pairs = has_pairs
        players = range(len(names))
        self._ranks = [0 for _ in players]  # summed
        self._results = [0.0 for _ in players]  # summed
        self._seconds = [0.0 for _ in players]
        self._forced = [0 for _ in players]
        self._firsts = [[0, 0, 0] for _ in players]  # losses, shared, wins
        self._against = [[[0, 0, 0] for _ in players] for _ in players]
        self._halves: dict[
            tuple[int, int], int
        ] = {}  # half points of the first of two games, by player, seed
        self._pairs: list[Counter[int]] = [Counter() for _ in players]

    def add(self, outcome: GameOutcome) -> None:
        """One more game."""
        ranks, players = outcome.ranks, outcome.game.players
        for seat, player in enumerate(players):
            self._ranks[player] += ranks[seat]
            self._results[player] += outcome.results[seat]
            self._seconds[player] += outcome.seconds[seat]
            self._forced[player] += outcome.forced[seat]
            points = 0 if ranks[seat] > 1 else 1 if ranks.count(1) > 1 else 2
            self._firsts[player][points] += 1
            if self._has_pairs:
                self._pair(player, outcome.game.seed, points)
            for other_seat, other in enumerate(players):
                if other_seat != seat:
                    difference = ranks[other_seat] - ranks[seat]
                    self._against[player][other][1 + (difference > 0) - (difference < 0)] += 1

    def interval(self) -> float:
        """Half the width of the first player's interval; 1 before any game."""
        if not sum(self._firsts[0]):
            return 1.0
        estimate = score(self._firsts[0])
        return (estimate.high - estimate.low) / 2

    def rows(self) -> list[Row]:
        """The players in the order in which they were named."""
        return list(self._rows())

    def _pair(self, player: int, seed: int, points: int) -> None:
        other = self._halves.pop((player, seed), None)
        if other is None:
            self._halves[player, seed] = points
        else:
            self._pairs[player][other + points] += 1

    def _rows(self) -> Iterator[Row]:
        met = [
            (first, second, self._against[first][second])
            for first, second in combinations(range(len(self._names)), 2)
            if sum(self._against[first][second])
        ]
        ratings = bradley_terry(len(self._names), met) if met else None
        for index, name in enumerate(self._names):
            losses, shared, wins = self._firsts[index]
            games = losses + shared + wins
            share = score(self._firsts[index]) if games else None
            yield Row(
                player=name,
                games=games,
                wins=wins,
                shared=shared,
                losses=losses,
                share=share.value if share else 0.0,
                low=share.low if share else 0.0,
                high=share.high if share else 1.0,
                mean_rank=self._ranks[index] / max(games, 1),
                mean_result=self._results[index] / max(games, 1),
                rating=ratings[index].value if ratings else 0.0,
                rating_error=(ratings[index].high - ratings[index].low) / 2 if ratings else 0.0,
                forced=self._forced[index],
                seconds=round(self._seconds[index], 3),
                against=self._against[index],
                pairs=[self._pairs[index][points] for points in range(5)] if self._has_pairs else None,
            )


def sides_of(sitting: Sequence[Sequence[bool]]) -> tuple[Group, ...] | None:
    """Return who meets whom where players cannot sit everywhere, given for each player the seats that it can take.

    None if all can take every seat. Raises ValueError if there is no game of two sides for them.
    """
    if all(map(all, sitting)):
        return None
    if any(len(seats) != 2 or not any(seats) for seats in sitting):
        raise ValueError("players that cannot sit everywhere meet in games of two sides")
    firsts = [player for player, seats in enumerate(sitting) if seats[0]]
    groups = tuple(
        (one, other) for one in firsts for other, seats in enumerate(sitting) if seats[1] and other != one
    )
    if not groups:
        raise ValueError("nobody meets anybody: all players are of the same side")
    return groups


def _once(groups: list[Group], players: int) -> Rounds:
    """Yield one round with these groups. The order of the players afterwards is the order in which they were named."""
    yield groups
    return list(range(players))


# -- One game --------------------------------------------------------------------------------------


def play_batch(batch: Batch) -> list[GameOutcome]:
    """All games of a batch."""
    return [play_game(batch.config, game) for game in batch.games]


def play_game(config: MatchConfig, game: MatchGame, clock: Callable[[], float] = perf_counter) -> GameOutcome:
    """A game from its seed to its end; `clock` returns seconds."""
    turns: deque[AgentTurn] = deque()
    played = _new_game(config, game, clock, lambda _, turn: turns.append(turn))
    seconds = [0.0] * len(played.seats)
    played.start()
    while not played.is_over:
        turn = replace(turns.popleft(), began=clock())
        move: Move | None = None
        with suppress(Exception):  # whatever fails in a player, the game goes on without its move
            move = turn.agent.choose(played.state, turn.seat)
        seconds[turn.seat] += clock() - turn.began
        played.decide_for(turn, move)
    ranks, results = _ranks_and_results(played.result)
    seating = list(played.state.seating())
    seats = [seating.index(entry) for entry in range(len(seating))]
    return GameOutcome(
        game=game,
        ranks=[ranks[seat] for seat in seats],
        results=[results[seat] for seat in seats],
        seconds=[seconds[seat] for seat in seats],
        forced=[played.seats[seat].forced for seat in seats],
        game_id=played.id,
        record=played.broadcaster.record if played.broadcaster else (),
    )


class TimedAgent(Agent):
    """An agent that is asked for one decision at a time, however fast it is, so that its time can be taken."""

    def __init__(self, agent: Agent) -> None:
        self.about = agent.about
        self.is_slow = True
        self._agent = agent

    def choose(self, state: GameState, seat: int) -> Move:
        return self._agent.choose(state, seat)


def _new_game(
    config: MatchConfig,
    game: MatchGame,
    clock: Callable[[], float],
    ask: Callable[[Game, AgentTurn], object],
) -> Game:
    seed, adapter = SeededStreams(game.seed), config.adapter
    opened = GameConfig(variant=config.variant, seats=len(game.players), options=config.options, streams=seed)
    state = adapter.open(opened)
    names = [config.players[game.players[entry]] for entry in state.seating()]
    seats = [
        Seat(index, name, TimedAgent(adapter.agent(name, state, seed.stream, index)), config.clock)
        for index, name in enumerate(names)
    ]
    game_id = f"{config.match_id}-{game.number + 1}"
    is_recorded = game.number < config.recorded
    options = GameOptions(clock=config.clock)
    played = Game(
        game_id, adapter.name, state, seats, opened, options, LIMITS,
        clock=clock, ask=ask, is_silent=not is_recorded,
    )  # fmt: skip
    if is_recorded:
        rules = adapter.describe(config.variant).rules
        played.lines.write(record_header(played, rules))
    return played


def _ranks_and_results(result: Any) -> tuple[list[int], list[float]]:
    """Return the rank and the result of each seat."""
    points = [float(each) for each in getattr(result, "worth", None) or result.score]
    ranks = getattr(result, "rank", None) or [1 + sum(other > own for other in points) for own in points]
    return list(ranks), points
