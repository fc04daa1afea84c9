"""The agent runner has built-in players decide: slow ones, and games without clients, in worker processes."""

import logging
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from protocols.jsonl.adapter import GameAdapter, Job, Move
from protocols.jsonl.game import FAILED, AgentTurn, FinishedGame, Game
from protocols.jsonl.jobs import Jobs
from protocols.jsonl.remote_end import UnfinishedGame, play_to_end
from protocols.jsonl.seat import Seat
from protocols.limits import GameLimits

LOG: Final = logging.getLogger(__name__)
FIRST_GAME_SECONDS: Final = 0.1  # that a game of agents is expected to take before the first is measured
GAMES_AVERAGED: Final = 8  # the mean is an exponential one with this time constant


class AgentRunner:
    """The part of a server that has the agents of its games decide."""

    def __init__(
        self,
        adapters: Mapping[str, GameAdapter],
        games: Mapping[str, Game],
        limits: GameLimits,
        jobs: Jobs,
        update: Callable[[Game], object],
    ) -> None:
        """Run the agents of `games`; `update` is called with each game whose state has changed."""
        self._adapters = adapters
        self._games = games
        self._limits = limits
        self._jobs = jobs
        self._update = update
        self._game_seconds: dict[tuple[str, int], float] = {}  # expected, by game and seats

    def ask(self, game: Game, turn: AgentTurn) -> None:
        """Have a slow agent decide in a worker process; it has failed if that takes over GameLimits.agent_seconds."""
        function, argument = turn.agent.remote_call(game.state, turn.seat)
        decided = partial(self._decided, game, turn)
        self._jobs.submit_for(
            game.account,
            Job(
                function=function,
                argument=argument,
                description=turn.agent.about,
                on_done=decided,
                is_long=False,
            ),
        )
        is_late = partial(self._decided, game, turn, None, reason="timeout")
        self._jobs.call_at(self._jobs.clock() + self._limits.agent_seconds, is_late)

    def note_failure(self, game: Game, seat: Seat, error: Exception) -> None:
        """Log that an agent has raised an exception or chosen an illegal action, with the line that raised it."""
        at = traceback.extract_tb(error.__traceback__)[-1]
        name = seat.agent.about if seat.agent else seat.name
        LOG.error(
            "game %s: the default action is played for %s: %r (%s, line %s)",
            game.id, name, error, at.filename, at.lineno,
        )  # fmt: skip

    def leave(self, game: Game, is_left: bool) -> None:
        """Continue a paused game: in a worker process if it is left to its agents, otherwise later in the event loop.

        `is_left` is as in GameHost.leave. The account of the game is charged with the expected seconds until the
        worker process is done.
        """
        adapter = self._adapters[game.game]
        if not (is_left and adapter.ends_elsewhere):
            self._jobs.call_in_turn(game.account, partial(self._play_on, game))
            return
        expected = self.expected_seconds(game.game, len(game.seats))
        if game.account:
            game.account.workers.take(expected)

        def done(finished: FinishedGame | None, seconds: float) -> None:
            if game.account:
                game.account.workers.take(-expected)
            if game.is_over:
                return
            if finished is None:  # it has failed; the log has the reason
                self._play_on(game)
                return
            self._note_seconds(game.game, len(game.seats), seconds)
            game.adopt_finished_game(finished)
            self._update(game)

        unfinished = UnfinishedGame(adapter=adapter, limits=self._limits, record=tuple(game.lines.record))
        self._jobs.submit_for(
            game.account,
            Job(function=play_to_end, argument=unfinished, description=f"game {game.id}", on_done=done),
        )

    def expected_seconds(self, game: str, seats: int) -> float:
        """Return the seconds that a game of agents is expected to take in a worker process."""
        return self._game_seconds.get((game, seats), FIRST_GAME_SECONDS)

    def _decided(
        self, game: Game, turn: AgentTurn, move: Move | None, seconds: float = 0.0, reason: str = FAILED
    ) -> None:
        game.decide_for(turn, move, reason)
        self._update(game)

    def _play_on(self, game: Game) -> None:
        """Continue a game after a pause, unless it has ended or was removed in the meantime."""
        if not game.is_over and game.id in self._games:
            game.go_on()
            self._update(game)

    def _note_seconds(self, game: str, seats: int, seconds: float) -> None:
        """Update the expected seconds, an exponential mean, with the seconds of a game of agents."""
        expected = self.expected_seconds(game, seats)
        self._game_seconds[game, seats] = expected + (seconds - expected) / GAMES_AVERAGED
