"""The game server without I/O: its connections, sessions, games and matches, and what becomes of those who are lost.

Its Environment has a Runtime for the time, timers and other processes; protocols.jsonl.runtime is the one of asyncio.
"""

import logging
import secrets
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hmac import compare_digest
from itertools import count
from math import inf
from pathlib import Path
from typing import Any, Final

from engines.events import Bus
from engines.seeds import SeededStreams
from engines.version import VERSION
from protocols.accounts import Account
from protocols.incidents import Incidents
from protocols.jsonl import seating
from protocols.jsonl.adapter import Call, GameAdapter, Job
from protocols.jsonl.agent_runner import AgentRunner
from protocols.jsonl.broadcast import STATE_SECONDS, GameTopics
from protocols.jsonl.calls import attempt, result_of
from protocols.jsonl.capacity import game_to_end, has_begun
from protocols.jsonl.codec import error_of
from protocols.jsonl.game import Game, GameHost
from protocols.jsonl.game_journal import GameJournal
from protocols.jsonl.jobs import Jobs, Runtime
from protocols.jsonl.journal import Journal
from protocols.jsonl.match_source import AdapterMatches, MatchSource
from protocols.jsonl.matches import Matches
from protocols.jsonl.messages import Answer, Bye, Refusal, Request, missing
from protocols.jsonl.record import RecordError, ReplayedGame, line_type, replay_record
from protocols.jsonl.record_lines import JournalSeat
from protocols.jsonl.seat import Seat
from protocols.jsonl.session import ClientConnection, Preferences, Session
from protocols.limits import GameLimits, HourlyQuota

LONGEST_TIMER: Final = 60.0  # seconds: timers of games that are over must not pile up
FEATURES: Final = (
    "resume",
    "watch",
    "matches",
    "check",
    "explain",
    "records",
    "phases",
    "hidden_holdings",
)
LOG: Final = logging.getLogger(__name__)


class IdGenerator:
    """Makes ids that are not used twice, and tokens and seeds that cannot be guessed."""

    def __init__(self) -> None:
        self.first_decide = 1  # the id of a session's first decide
        self._prefix = secrets.token_hex(4)  # ids of an earlier run of the server are not given again
        self._numbers = count(1)

    def session(self) -> str:
        return f"s-{secrets.token_hex(6)}"

    def token(self) -> str:
        return f"r-{secrets.token_hex(16)}"

    def profile_token(self) -> str:
        return f"p-{secrets.token_hex(16)}"

    def game(self) -> str:
        return f"g-{self._prefix}-{next(self._numbers)}"

    def match(self) -> str:
        return f"m-{self._prefix}-{next(self._numbers)}"

    def seed(self) -> SeededStreams:
        return SeededStreams(secrets.randbits(53), secrets.token_hex(16))


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Everything that a game server uses of the program around it."""

    runtime: Runtime
    journal: Journal | None = None  # of games and matches, which then survive the end of the program
    bus: Bus | None = None  # gets all that the public may know of games and matches
    incidents: Incidents = field(default_factory=Incidents)
    log: Callable[[str], object] = LOG.error  # for faults of the server


class GameServer:
    """All games of one server, and all who play, watch or direct."""

    def __init__(
        self, adapters: Mapping[str, GameAdapter], environment: Environment, *, limits: GameLimits | None = None,
        ids: IdGenerator | None = None, token: str = "", name: str = f"galapagos {VERSION}",
        contests: Sequence[MatchSource] = (),
    ) -> None:  # fmt: skip
        """Create a server of these games, and of `contests`, which are played in matches alone.

        A client with the `token` is a director; programs of this machine need none.
        """
        self.adapters = adapters
        self.limits = limits or GameLimits()
        self.ids = ids or IdGenerator()
        self.journal = journal = environment.journal
        self.token = token
        self.name = name
        self.features: Sequence[str] = FEATURES
        self.bus = environment.bus
        self.incidents = environment.incidents
        self.jobs = Jobs(environment.runtime)
        self.clock = environment.runtime.time
        self.connections: set[ClientConnection] = set()
        self.sessions: dict[str, Session] = {}
        self.sessions_by_token: dict[str, Session] = {}  # by its hash
        self.games: dict[str, Game] = {}  # also those that are over, while they are shown
        self.running: dict[str, Game] = {}  # those that are not over
        self.new_profiles = HourlyQuota(self.limits.profiles_per_hour, self.clock)  # by address
        self._log = environment.log
        self._tickets = count(1)
        # Those that are over, and are still shown: since when, and what forgets them.
        self._past_games: deque[tuple[float, Callable[[], None]]] = deque()
        self._past_matches: deque[tuple[float, Callable[[], None]]] = deque()
        self._game_journal = GameJournal(journal, self.incidents, self.jobs) if journal else None
        self.agents = AgentRunner(adapters, self.games, self.limits, self.jobs, self.update)
        self.host = GameHost(clock=self.clock, ask=self.agents.ask, leave=self.agents.leave)
        sources = [*map(AdapterMatches, adapters.values()), *contests]
        self.matches = Matches(
            sources, self.limits, self.jobs, self.incidents, self.bus, journal, self._retire_match
        )

    # -- What there is ------------------------------------------------------------------------------

    def adapter(self, game: str) -> GameAdapter:
        if game not in self.adapters:
            raise missing("no_such_game", "game called", game, known=self.adapters)
        return self.adapters[game]

    def game(self, game_id: str) -> Game:
        if game_id not in self.games:
            raise missing("no_such_game", "game", game_id)
        return self.games[game_id]

    def own_game(self, session: Session, game_id: str) -> Game:
        """A game in which the session has a seat."""
        game = self.game(game_id)
        if game_id not in session.games:
            raise Refusal("not_permitted", "you have no seat in that game")
        return game

    def is_token(self, token: str) -> bool:
        """Whether this is the directors' token, in a time that tells nothing of it."""
        return bool(self.token) and compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    @property
    def is_full(self) -> bool:
        """Whether there are as many games as there may be."""
        return len(self.running) >= self.limits.games

    # -- Connections and sessions -------------------------------------------------------------------

    def connect(
        self,
        *,
        is_trusted: bool,
        is_silent: bool = False,
        address: str = "",
        account: Account | None = None,
    ) -> ClientConnection:
        """Return a new connection. A silent one (standard input) never has to show that it lives."""
        connection = ClientConnection(
            self.limits,
            self.clock(),
            is_trusted=is_trusted,
            is_silent=is_silent,
            address=address,
            account=account,
        )
        self.connections.add(connection)
        if len(self.connections) == 1:
            self.jobs.call_at(self.clock() + self._heartbeat_interval, self._check_heartbeats)
        return connection

    def disconnect(self, connection: ClientConnection) -> None:
        """A connection is gone; its session may come back."""
        self.connections.discard(connection)
        session = connection.session
        if session is None or session.connection is not connection:
            return
        connection.session = None
        session.connection = None
        session.lost_at = self.clock()
        for game_id in session.games | session.watched:
            game = self.games.get(game_id)
            if game:
                seating.disconnect(game, session)
                self.update(game)
        if session.games or self.matches.of(session):
            self.expect_return(session)
        else:
            self.forget_session(session)

    def attach(self, connection: ClientConnection, session: Session) -> None:
        """The session speaks over this connection from now on."""
        connection.session = session
        session.connection = connection
        session.address = "" if connection.is_trusted else connection.address or session.id
        session.account = None if connection.is_trusted else connection.account
        session.lost_at = None
        self.sessions[session.id] = session
        self.sessions_by_token[session.token_hash] = session

    def expect_return(self, session: Session) -> None:
        """Give a session without a connection its time to come back."""
        if session.lost_at is None or self.sessions.get(session.id) is not session:
            return
        ends, now = session.lost_at + self._return_seconds(session), self.clock()
        if ends > now:  # its games may be over before that: it is looked at now and then
            self.jobs.call_at(min(ends, now + LONGEST_TIMER), partial(self.expect_return, session))
        else:
            self._expire(session)

    def forget_session(self, session: Session) -> None:
        self.sessions.pop(session.id, None)
        self.sessions_by_token.pop(session.token_hash, None)
        for game_id in session.watched:
            if game_id in self.games:
                self.games[game_id].lines.spectators.pop(session.id, None)
        for match in self.matches.of(session):
            match.cancel()

    def make_room_for_session(self) -> None:
        """Expire a session whose connection is lost, if there is one: first one without a game under way."""
        lost = [session for session in self.sessions.values() if session.connection is None]
        if lost:
            self._expire(min(lost, key=self._claim))

    def say_bye(self) -> None:
        """The server closes; sessions can be resumed where games are on record."""
        for connection in self.connections:
            connection.reply(Bye(reason="closing"))
            connection.close()

    def remote_connections(self) -> list[ClientConnection]:
        """Return the open connections of remote clients."""
        return [each for each in self.connections if not (each.is_trusted or each.is_closing)]

    def end_for_room(self, connection: ClientConnection) -> None:
        """End a remote client's connection for a newcomer; its session can be resumed."""
        self._end_connection(connection, "busy" if self.is_engaged(connection.session) else "idle")

    def end_for_operator(self, connection: ClientConnection) -> None:
        """End a connection because an operator wants it."""
        self._end_connection(connection, "ended")

    def game_counts(self) -> Counter[str]:
        """Return the number of games that are not over for each address of their players; "" is this machine's."""
        return Counter(
            address
            for game in self.running.values()
            for address in {_address_of(session) for session in game.lines.players()}
        )

    def end_sessions(self, is_meant: Callable[[str], bool]) -> int:
        """End the sessions of some addresses for an operator, and return in how many games that were not over they had a seat.

        None of these sessions can be resumed. Their seats forfeit; a game in which no other client has a seat ends.
        """
        count = 0
        for session in list(self.sessions.values()):
            if not is_meant(_address_of(session)) or not (session.connection or session.address):
                continue  # the address of a session from an earlier run of the server is not known
            for game_id in sorted(session.games):
                game = self.games.get(game_id)
                if game and not game.is_over:
                    count += 1
                    self._end_seats(game, session)
            self.forget_session(session)
        return count

    # -- Games --------------------------------------------------------------------------------------

    def add(self, game: Game) -> None:
        """A new game, or one of an earlier run of the server."""
        self.games[game.id] = self.running[game.id] = game
        if self.bus:
            game.lines.topics = GameTopics(self.bus, game.id)

    def restore(self) -> int:
        """Go on with every match and every game of the journal that is not over; how many games.

        What cannot be read is left alone.
        """
        count, journal = 0, self.journal
        if journal is None:
            return 0
        finished = []
        for game_id in journal.ids():
            try:
                if line_type(journal.last_line(game_id)) == "end":
                    finished.append(game_id)
                else:
                    count += self._restore_game(game_id, journal)
            except Exception as error:  # of anything that a damaged line can mean to the rules
                self._leave_out(journal.path(game_id), error)
                if game := self.games.get(game_id):
                    self._forget_game(game)
        journal.keep(finished)
        if self.matches.journal:
            for match_id in self.matches.journal.ids():
                self._restore_match(match_id, self.matches.journal)
        return count

    def update(self, game: Game) -> None:
        """Something happened in a game: write it down, publish its state, and look to its clocks and its end."""
        if self._game_journal:
            self._game_journal.write(game)
        if topics := game.lines.topics:
            topics.publish_listed(game.listed())
        if game.is_started:
            self._publish_state(game)
        for job in game.state.jobs():
            self.jobs.submit_for(game.account, replace(job, on_done=partial(self._job_done, game, job)))
        if game.is_over:
            if game.id in self.running:
                self._close(game)
        elif game.lines.record_bytes > self.limits.record_bytes and game.is_started:
            self._end_for(game, "too_long", f"a record has at most {self.limits.record_bytes} bytes")
        elif game.is_started and game.options.clock:
            when = min(game.deadline(), self.clock() + LONGEST_TIMER)
            if when < game.timer_at:
                game.timer_at = when
                self.jobs.call_at(when, partial(self._tick, game.id))

    def start_if_full(self, game: Game) -> None:
        """Begin a game if all its seats are taken."""
        if any(seat.is_open for seat in game.seats):
            self.update(game)
        else:
            game.start()
            self.update(game)

    def vacate(self, game: Game, session: Session) -> None:
        """Free a session's seats in a game that has not begun. A game without players is removed."""
        seating.stand_up(game, session)
        if any(seat.session for seat in game.seats):
            self.update(game)
            return
        del self.games[game.id], self.running[game.id]
        if game.lines.topics:
            game.lines.topics.clear()
        if self.journal:
            self.journal.remove(game.id)

    def make_room(self, address: str) -> None:
        """End a game for a newcomer of this address, if one may be ended."""
        game = game_to_end(self.running.values(), address, self.clock(), self.limits)
        if game is None:
            return
        for session in game.lines.players():
            self.incidents.add("ended_games", session.address)
        self._end_for(game, "busy", "the server is full, and others wait for a game")

    # -- Jobs and what they cost --------------------------------------------------------------------

    def answer_later(
        self,
        session: Session,
        request: Request,
        call: Call,
        respond: Callable[[Any], Answer],
        path: str = "$",
    ) -> None:
        """Compute `call` in another process, and answer a request with what `respond` makes of it.

        The connection is not read meanwhile, and may be gone before the answer. A ValueError of the call is an error of
        the request, in its field `path`.
        """
        connection = session.connection
        assert connection is not None
        connection.jobs += 1

        def done(outcome: Any, seconds: float) -> None:
            connection.end_job()
            if connection.session is not session:
                return
            try:
                if outcome is None:
                    ticket = self.report(f"{job.description} could not be computed")
                    raise Refusal("internal", "internal server error", data={"ticket": ticket})
                session.answer(request, respond(result_of(outcome, path)))
            except Refusal as refusal:
                refusal.re = request.id
                connection.reply(error_of(refusal, getattr(request, "game_id", None)))

        job = Job(
            function=attempt,
            argument=call,
            description=f"the answer to {type(request).__name__}",
            on_done=done,
            is_long=False,
        )
        self.jobs.submit_for(session.account, job)

    # -- Others -------------------------------------------------------------------------------------

    def report(self, trouble: str) -> str:
        """Log a fault of ours; the ticket that the client gets."""
        ticket = f"t-{next(self._tickets)}"
        self._log(f"{ticket}: {trouble}")
        return ticket

    # -- Helpers ------------------------------------------------------------------------------------

    @property
    def _heartbeat_interval(self) -> float:
        return min(self.limits.heartbeat_seconds, self.limits.idle_seconds) / 3

    def _check_heartbeats(self) -> None:
        """Ask those who are silent whether they live, and close those who do not."""
        now = self.clock()
        for connection in list(self.connections):
            quiet = now - connection.last_received
            if connection.is_silent or connection.is_closing:
                continue
            if quiet >= self.limits.idle_seconds:
                self._end_connection(connection, "idle")
            elif quiet >= self.limits.heartbeat_seconds and connection.session:
                connection.ping(now)
        self._forget_old()
        if self.connections:
            self.jobs.call_at(now + self._heartbeat_interval, self._check_heartbeats)

    def is_engaged(self, session: Session | None) -> bool:
        """Return whether a session has a seat in a game that is not over, or directs a match."""
        if session is None:
            return False
        games = (self.games.get(game_id) for game_id in session.games)
        return any(game and not game.is_over for game in games) or bool(self.matches.of(session))

    def _end_connection(self, connection: ClientConnection, reason: str) -> None:
        connection.reply(Bye(reason=reason))
        connection.close()

    def _end_for(self, game: Game, code: str, reason: str) -> None:
        """End a game for a reason of the server's, which its players are sent."""
        for session in list(game.lines.players()):
            session.say(error_of(Refusal(code, reason), game.id))
            if not game.is_started:
                self.vacate(game, session)
        if game.is_started:
            game.abandon()
            self.update(game)

    def _end_seats(self, game: Game, session: Session) -> None:
        """Take a session out of a game that is not over, because an operator wants it."""
        session.say(
            error_of(Refusal("not_permitted", "the operator of the server has ended your games"), game.id)
        )
        if not game.is_started:
            self.vacate(game, session)
            return
        if all(seat.given_up or seat.session in (None, session) for seat in game.seats):
            game.abandon()
        else:
            seating.forfeit(game, session)
        self.update(game)

    def _return_seconds(self, session: Session) -> float:
        running = [self.games[game_id] for game_id in session.games if game_id in self.games]
        is_patient = any(not game.options.clock and not game.is_over for game in running)
        is_patient = is_patient or bool(self.matches.of(session))
        return self.limits.patient_session_seconds if is_patient else self.limits.session_seconds

    def _expire(self, session: Session) -> None:
        """Give up a session whose client has not come back in time."""
        for game_id in sorted(session.games):
            game = self.games.get(game_id)
            if game and not game.is_started:
                self.vacate(game, session)
            elif game and not game.is_over:
                self._replace(game, session)
                self.update(game)
        self.forget_session(session)

    def _replace(self, game: Game, session: Session) -> None:
        wish = game.options.on_gone
        if wish == "forfeit":
            seating.forfeit(game, session)
            return
        prefix, _, name = wish.partition(":")
        agent = None
        if prefix == "agent":
            adapter, seat = self.adapters[game.game], game.seats_of(session)[0]
            agent = adapter.agent(name, game.state, game.seed.stream, seat.index)
        seating.replace(game, session, name, agent)

    def _claim(self, session: Session) -> tuple[bool, bool, float]:
        """Whether it has a game or a match under way, whether it has decided anything there, and when it went."""
        games = [self.games[game_id] for game_id in session.games if game_id in self.games]
        running = [game for game in games if not game.is_over]
        is_busy = bool(running or self.matches.of(session))
        return is_busy, any(map(has_begun, running)), session.lost_at or 0.0

    def _go_on(self, replayed: ReplayedGame) -> None:
        game = replayed.game
        game.lines.written = len(game.lines.record)
        for seat in game.seats:
            entry = replayed.seated.get(seat.index)
            if entry and entry.session:
                self._restore_session(replayed, seat, entry)
            elif entry and entry.agent:
                adapter = self.adapters[game.game]
                seat.agent = adapter.agent(entry.agent, game.state, game.seed.stream, seat.index)
        self.add(game)
        if game.is_started:
            game.go_on_from(replayed.moves, list(replayed.pending_events))
            self.update(game)
        else:
            self.start_if_full(game)
        for session in game.lines.players():
            self.expect_return(session)

    def _restore_session(self, replayed: ReplayedGame, seat: Seat, entry: JournalSeat) -> None:
        """A session that sat here."""
        session = self._lost_session(entry.session, entry.token_hash, entry.name)
        session.games.add(replayed.game.id)
        seat.session = session
        seat.name = entry.name
        seat.is_absent = replayed.game.is_started
        if seat.decision:
            seat.decision.began = self.clock()
        last = replayed.decides.get(seat.index)
        if isinstance(last, int):
            session.next_decide = max(session.next_decide, last + 1)

    def _lost_session(self, session_id: str, token_hash: str, name: str) -> Session:
        """A session of an earlier run of the server, which may come back."""
        session = self.sessions.get(session_id)
        if session is None:
            session = Session(session_id, token_hash, Preferences(name=name), self.ids.first_decide)
            session.lost_at = self.clock()
            self.sessions[session.id] = session
            self.sessions_by_token[session.token_hash] = session
        return session

    def _restore_game(self, game_id: str, journal: Journal) -> bool:
        """Continue a game from its journal unless it is over; return whether it goes on. Raises RecordError or OSError."""
        lines = journal.read(game_id)
        if not lines and (lines is None or journal.path(game_id).stat().st_size):
            raise RecordError("line 1: a header expected, no whole line read")
        if not lines or line_type(lines[-1]) == "end":
            return False
        replayed = replay_record(lines, self.adapters, self.limits, self.host)
        if replayed.game.id != game_id:
            raise RecordError(f"line 1: it is the record of {replayed.game.id[:64]!r}")
        journal.mend(game_id)
        self._go_on(replayed)
        return True

    def _restore_match(self, match_id: str, journal: Journal) -> None:
        try:
            past = self.matches.past(match_id)
            header = past.header
            session = self._lost_session(header.session, header.token_hash, header.name)
            self.matches.go_on(session, past)
            self.expect_return(session)
        except Exception as error:  # of anything that a damaged line can mean
            self._leave_out(journal.path(match_id), error)
            self.matches.runners.pop(match_id, None)

    @staticmethod
    def _leave_out(path: Path, error: Exception) -> None:
        """Log why a file of the journal is left alone."""
        reason = error.strerror if isinstance(error, OSError) else str(error) or type(error).__name__
        LOG.warning("%s is left out, and stays as it is (%s); move it away, or mend it", path, reason)

    def _publish_state(self, game: Game) -> None:
        """Put the state on the bus: at once, but not again within a second, unless the game is over."""
        topics = game.lines.topics
        if topics is None:
            return
        if game.is_over or self.clock() >= topics.due_at:
            game.lines.publish_state(game.end_line)
            topics.due_at = self.clock() + STATE_SECONDS
        elif topics.is_behind(game.seq) and not topics.is_scheduled:
            topics.is_scheduled = True
            self.jobs.call_at(topics.due_at, partial(self._publish_state_later, game, topics))

    def _publish_state_later(self, game: Game, topics: GameTopics) -> None:
        topics.is_scheduled = False
        if game.id in self.games:
            self._publish_state(game)

    def _retire_match(self, match_id: str) -> None:
        """A match is over; it is still shown for a while."""
        self._past_matches.append((self.clock(), partial(self.matches.forget, match_id)))
        self._forget_old()

    def _tick(self, game_id: str) -> None:
        """About one timer a game is under way, however fast it is played."""
        game = self.games.get(game_id)
        if game and not game.is_over:
            game.timer_at = inf
            game.tick()
            self.update(game)

    def _job_done(self, game: Game, job: Job, outcome: Any, seconds: float) -> None:
        job.on_done(outcome, seconds)
        self.update(game)

    def _close(self, game: Game) -> None:
        del self.running[game.id]
        game.state.close(game.result)
        game.lines.history.pack()
        for seat in game.seats:
            seat.retire()
        self._past_games.append((self.clock(), partial(self._forget_game, game)))
        self._forget_old()

    def _forget_old(self) -> None:
        """Games and matches that are over are shown for a while, and only so many of them."""
        limits, now = self.limits, self.clock()
        for past, most in (
            (self._past_games, limits.finished_games),
            (self._past_matches, limits.finished_matches),
        ):
            while past and (len(past) > most or past[0][0] + limits.finished_seconds <= now):
                _, forget = past.popleft()
                forget()

    def _forget_game(self, game: Game) -> None:
        self.games.pop(game.id, None)
        if game.lines.topics:
            game.lines.topics.clear()
        for session in game.lines.players():
            session.games.discard(game.id)
        for spectator in game.lines.spectators.values():
            spectator.session.watched.discard(game.id)


def _address_of(session: Session) -> str:
    """Return the address of a session's client, also if its client has the directors' token."""
    return session.connection.address if session.connection else session.address
