"""The games of matches between agents of the JSON lines, and the table of a match as a message.

A game is played in one go in a worker process, by the same referee as other games (`game.py`). Each agent is treated
as a slow one, so that its seconds can be measured and its clock runs while it decides.
"""

from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final

from engines.match.match import Batch
from engines.match.schedule import MatchGame
from engines.match.standings import GameOutcome, Standings, ranks_of
from engines.seeds import SeededStreams
from protocols.jsonl.adapter import Agent, GameAdapter, GameConfig, GameState, Move
from protocols.jsonl.game import AgentTurn, Game, GameHost, GameOptions
from protocols.jsonl.messages import ClockTerms, Row
from protocols.jsonl.record import record_header
from protocols.jsonl.seat import Seat
from protocols.limits import GameLimits

LIMITS: Final = GameLimits(kept_events=1)  # because there are no spectators
BATCH_GAMES: Final = 10  # of a job, unless one of the players is slow


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


def rows(standings: Standings) -> list[Row]:
    """Return the rows of a match's table, the players in the order of the request."""
    ratings = standings.ratings() if any(standings.met()) else None
    players = range(len(standings.names))
    table: list[Row] = []
    for index, name in enumerate(standings.names):
        own = standings.player(index)
        table.append(
            Row(
                player=name,
                games=own.games,
                wins=own.wins,
                shared=own.draws,
                losses=own.losses,
                share=own.share.value if own.share else 0.0,
                low=own.share.low if own.share else 0.0,
                high=own.share.high if own.share else 1.0,
                mean_rank=own.mean_rank,
                mean_result=own.mean_result,
                rating=ratings[index].value if ratings else 0.0,
                rating_error=(ratings[index].high - ratings[index].low) / 2 if ratings else 0.0,
                forced=own.forced,
                seconds=round(own.seconds, 3),
                against=[list(standings.against(index, other)) for other in players],
                pairs=standings.pairs(index) if standings.has_pairs else None,
            )
        )
    return table


# -- One game --------------------------------------------------------------------------------------


def play_batch(batch: Batch) -> list[GameOutcome]:
    """Play all games of a batch. Runs in a worker process."""
    return [play_game(batch.config, game) for game in batch.games]


def play_game(config: MatchConfig, game: MatchGame, clock: Callable[[], float] = perf_counter) -> GameOutcome:
    """Play one game to its end and return its outcome; `clock` returns seconds."""
    turns: deque[AgentTurn] = deque()
    played = _new_game(config, game, GameHost(clock=clock, ask=lambda _, turn: turns.append(turn)))
    seconds = [0.0] * len(played.seats)
    played.start()
    while not played.is_over:
        turn = replace(turns.popleft(), began=clock())
        move: Move | None = None
        with suppress(Exception):  # if a player fails, the game continues with the default action
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
    """An agent that counts as slow, so that each of its decisions is asked for separately and can be timed."""

    def __init__(self, agent: Agent) -> None:
        self.about = agent.about
        self.is_slow = True
        self._agent = agent

    def choose(self, state: GameState, seat: int) -> Move:
        return self._agent.choose(state, seat)


def _new_game(config: MatchConfig, game: MatchGame, host: GameHost) -> Game:
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
    options = GameOptions(clock=config.clock, is_silent=not is_recorded)
    played = Game(game_id, adapter.name, state, seats, opened, options, LIMITS, host)
    if is_recorded:
        rules = adapter.describe(config.variant).rules
        played.lines.write(record_header(played, rules))
    return played


def _ranks_and_results(result: Any) -> tuple[list[int], list[float]]:
    """Return the ranks and the results of a game, by seat."""
    points = [float(each) for each in getattr(result, "worth", None) or result.score]
    ranks = getattr(result, "rank", None) or ranks_of(points)
    return list(ranks), points
