"""The games of a server: open ones, running ones, and finished ones that are still shown.

Each change of a game must be followed by Games.update(): it writes the game's new lines to the journal, publishes its
state, submits its jobs, and sets the timer of its clocks.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Final

from msgspec import structs

from engines.events import Bus
from protocols.incidents import Incidents
from protocols.jsonl import seating
from protocols.jsonl.adapter import GameAdapter, Job
from protocols.jsonl.agent_runner import AgentRunner
from protocols.jsonl.broadcast import STATE_SECONDS, GameTopics
from protocols.jsonl.capacity import FinishedItems, game_to_end
from protocols.jsonl.codec import error_of
from protocols.jsonl.game import Game, GameHost
from protocols.jsonl.game_journal import GameJournal
from protocols.jsonl.jobs import LONGEST_TIMER, Jobs
from protocols.jsonl.journal import Journal
from protocols.jsonl.messages import Refusal, missing
from protocols.jsonl.session import Session
from protocols.limits import GameLimits


class Games(Mapping[str, Game]):
    """The games of a server by their IDs."""

    def __init__(
        self,
        adapters: Mapping[str, GameAdapter],
        limits: GameLimits,
        jobs: Jobs,
        incidents: Incidents,
        bus: Bus | None,
        journal: Journal | None,
    ) -> None:
        """Create an empty collection; `bus` receives the public lines of each game."""
        self.adapters: Final = adapters
        self.running: dict[str, Game] = {}  # the games that are not over, open ones included
        self.agents: Final = AgentRunner(adapters, self, limits, jobs, self.update)
        self.host: Final = GameHost(
            clock=jobs.clock,
            ask=self.agents.ask,
            note_failure=self.agents.note_failure,
            leave=self.agents.leave,
        )
        self._limits = limits
        self._jobs = jobs
        self._incidents = incidents
        self._bus = bus
        self._journal = journal
        self._game_journal = GameJournal(journal, incidents, jobs) if journal else None
        self._games: dict[str, Game] = {}
        self._finished_games = FinishedItems(jobs, limits.finished_games, limits.finished_seconds)

    def __getitem__(self, game_id: str) -> Game:
        return self._games[game_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    # -- Finding a game -----------------------------------------------------------------------------

    def find(self, game_id: str) -> Game:
        """Return a game. Raises Refusal if there is none with this ID."""
        if game_id not in self._games:
            raise missing("no_such_game", "game", game_id)
        return self._games[game_id]

    def own(self, session: Session, game_id: str) -> Game:
        """Return a game in which a session has a seat.

        Raises Refusal if there is no game with this ID, or if the session has no seat in it.
        """
        game = self.find(game_id)
        if game_id not in session.games:
            raise Refusal("not_permitted", f"you have no seat in the game {game_id}")
        return game

    def running_of(self, session: Session) -> list[Game]:
        """Return the games of a session that are not over."""
        return [self.running[game_id] for game_id in session.games if game_id in self.running]

    def count_by_address(self) -> Counter[str]:
        """Return how many unfinished games each address plays in; the address "" is this machine."""
        return Counter(
            address
            for game in self.running.values()
            for address in {session.client_address for session in game.lines.players()}
        )

    # -- The life of a game -------------------------------------------------------------------------

    def add(self, game: Game) -> None:
        """Add a game: a new one, or one of an earlier run of the server."""
        self._games[game.id] = self.running[game.id] = game
        if self._bus:
            game.lines.topics = GameTopics(self._bus, game.id)

    def start_if_full(self, game: Game) -> None:
        """Start a game if all its seats are taken, then update it in either case."""
        if not any(seat.is_open for seat in game.seats):
            game.start()
        self.update(game)

    def update(self, game: Game) -> None:
        """Write a game's new lines, publish its state, submit its jobs, and set its timer.

        A game that is over is closed, and a game whose record is too long is ended.
        """
        if self._game_journal:
            self._game_journal.write(game)
        self._publish_listed(game)
        if game.is_started:
            self._publish_state(game)
        for job in game.state.jobs():
            self._jobs.submit_for(game.account, replace(job, on_done=partial(self._job_done, game, job)))
        if game.is_over:
            if game.id in self.running:
                self._close(game)
        elif game.lines.record_bytes > self._limits.record_bytes and game.is_started:
            self._end(
                game,
                "too_long",
                f"the game has ended because its record is longer than {self._limits.record_bytes} bytes",
            )
        elif game.is_started and game.options.clock:
            when = min(game.deadline(), self._jobs.clock() + LONGEST_TIMER)
            if when < game.timer_at:
                game.timer_at = when
                self._jobs.call_at(when, partial(self._tick, game.id))

    def is_listed(self, game: Game) -> bool:
        """Return whether a game is listed: not if all its players have been gone for some time."""
        left_at = game.left_at
        return left_at is None or self._jobs.clock() < left_at + self._limits.left_game_seconds

    def forget(self, game: Game) -> None:
        """Remove a game, so that neither its players nor its spectators can see it any more."""
        self._games.pop(game.id, None)
        self.running.pop(game.id, None)
        if game.lines.topics:
            game.lines.topics.clear()
        for session in game.lines.players():
            session.games.discard(game.id)
        for spectator in game.lines.spectators.values():
            spectator.session.watched.discard(game.id)

    # -- Players who leave --------------------------------------------------------------------------

    def vacate(self, game: Game, session: Session) -> None:
        """Free a session's seats in a game that has not started. A game without clients is removed."""
        seating.stand_up(game, session)
        if any(seat.session for seat in game.seats):
            self.update(game)
            return
        self.forget(game)
        if self._journal:
            self._journal.remove(game.id)

    def go_on_without(self, game: Game, session: Session) -> None:
        """Apply the option `on_gone` of a game to a session that has not come back in time."""
        if not game.is_started:
            self.vacate(game, session)
            return
        on_gone = game.options.on_gone
        prefix, _, name = on_gone.partition(":")
        if on_gone == "forfeit":
            seating.forfeit(game, session)
        elif prefix == "agent":
            adapter = self.adapters[game.game]
            seating.replace(
                game, session, name, lambda seat: adapter.agent(name, game.state, game.seed.stream, seat)
            )
        else:  # default_action
            seating.replace(game, session, "", lambda seat: None)
        self.update(game)

    def expel(self, game: Game, session: Session) -> None:
        """Remove a session from a game at an operator's request. The game ends if no other client has a seat."""
        reason = "the operator of the server has ended your games"
        session.say(error_of(Refusal("not_permitted", reason), game.id))
        if not game.is_started:
            self.vacate(game, session)
            return
        if all(seat.given_up or seat.session in (None, session) for seat in game.seats):
            game.abandon()
        else:
            seating.forfeit(game, session)
        self.update(game)

    # -- Capacity -----------------------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        """Whether the number of games has reached its limit."""
        return len(self.running) >= self._limits.games

    def make_room(self, address: str) -> None:
        """End a game in favour of a newcomer from this address, if one may be ended."""
        game = game_to_end(self.running.values(), address, self._jobs.clock(), self._limits)
        if game is None:
            return
        for session in game.lines.players():
            self._incidents.add("ended_games", session.address)
        self._end(game, "busy", "the server is full and has ended this game for another client")

    # -- Helpers ------------------------------------------------------------------------------------

    def _end(self, game: Game, code: str, reason: str) -> None:
        """End a game, and send its players the reason as an error."""
        for session in list(game.lines.players()):
            session.say(error_of(Refusal(code, reason), game.id))
            if not game.is_started:
                self.vacate(game, session)
        if game.is_started:
            game.abandon()
            self.update(game)

    def _close(self, game: Game) -> None:
        """Release the data that a finished game no longer needs; the game is still shown for a while."""
        del self.running[game.id]
        game.state.close(game.result)
        game.lines.history.pack()
        for seat in game.seats:
            seat.retire()
        self._finished_games.add(partial(self.forget, game))

    def _tick(self, game_id: str) -> None:
        """Handle the clocks of a game whose timer has fired, and set the next timer.

        A timer is not moved when a player moves, so a running game has about one timer, however fast its players are.
        """
        game = self._games.get(game_id)
        if game and not game.is_over:
            game.timer_at = inf
            game.tick()
            self.update(game)

    def _job_done(self, game: Game, job: Job, outcome: Any, seconds: float) -> None:
        job.on_done(outcome, seconds)
        self.update(game)

    def _publish_listed(self, game: Game) -> None:
        """Publish a game's entry in the listing, and once more when the game is no longer listed."""
        topics, left_at = game.lines.topics, game.left_at
        if topics is None or self._games.get(game.id) is not game:
            return
        is_listed, listed = self.is_listed(game), game.listed()
        topics.publish_listed(listed if is_listed else structs.replace(listed, state="gone"))
        if is_listed and left_at is not None and topics.unlisted_at <= self._jobs.clock():
            topics.unlisted_at = left_at + self._limits.left_game_seconds
            self._jobs.call_at(topics.unlisted_at, partial(self._publish_listed, game))

    def _publish_state(self, game: Game) -> None:
        """Publish the state on the bus: at most once in STATE_SECONDS while the game runs, and at once when it ends."""
        topics = game.lines.topics
        if topics is None:
            return
        if game.is_over or self._jobs.clock() >= topics.due_at:
            game.lines.publish_state(game.end_line)
            topics.due_at = self._jobs.clock() + STATE_SECONDS
        elif topics.is_behind(game.seq) and not topics.is_scheduled:
            topics.is_scheduled = True
            self._jobs.call_at(topics.due_at, partial(self._publish_state_later, game, topics))

    def _publish_state_later(self, game: Game, topics: GameTopics) -> None:
        topics.is_scheduled = False
        if game.id in self._games:
            self._publish_state(game)
