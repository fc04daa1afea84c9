"""The sessions of a server, and their connections.

A session that has a seat or runs a match outlives its connection: it waits for its client, which returns with the
session's token. A connection over which nothing arrives for some time is pinged, and then ended.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from protocols.accounts import Account
from protocols.jsonl import seating
from protocols.jsonl.capacity import has_begun
from protocols.jsonl.games import Games
from protocols.jsonl.jobs import LONGEST_TIMER, Jobs
from protocols.jsonl.matches import Matches
from protocols.jsonl.messages import Bye
from protocols.jsonl.session import ClientConnection, Session
from protocols.limits import GameLimits


class Sessions(Mapping[str, Session]):
    """The sessions of a server by their IDs, those without a connection included."""

    def __init__(self, limits: GameLimits, jobs: Jobs, games: Games, matches: Matches) -> None:
        self._limits = limits
        self._jobs = jobs
        self._games = games
        self._matches = matches
        self._sessions: dict[str, Session] = {}
        self._by_token: dict[str, Session] = {}  # by the digest of the token

    def __getitem__(self, session_id: str) -> Session:
        return self._sessions[session_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sessions)

    def __len__(self) -> int:
        return len(self._sessions)

    def of_token(self, token_hash: str) -> Session | None:
        """Return the session whose token has this digest, or None."""
        return self._by_token.get(token_hash)

    def is_engaged(self, session: Session | None) -> bool:
        """Return whether a session has a seat in a game that is not over, or directs a match."""
        return session is not None and bool(self._games.running_of(session) or self._matches.of(session))

    # -- Connecting and disconnecting ---------------------------------------------------------------

    def attach(self, connection: ClientConnection, session: Session) -> None:
        """Connect a session, which is new or resumed, to a connection."""
        connection.session = session
        session.connection = connection
        session.address = "" if connection.is_trusted else connection.address or session.id
        session.account = None if connection.is_trusted else connection.account
        session.lost_at = None
        self.add(session)

    def add(self, session: Session) -> None:
        """Add a session, with or without a connection."""
        self._sessions[session.id] = session
        self._by_token[session.token_hash] = session

    def detach(self, session: Session) -> None:
        """Disconnect a session that has lost its connection. The session waits if it has a seat or a match."""
        if session.connection:
            session.connection.session = None
        session.connection = None
        session.lost_at = self._jobs.clock()
        for game_id in session.games | session.watched:
            game = self._games.get(game_id)
            if game:
                seating.disconnect(game, session)
                self._games.update(game)
        if session.games or self._matches.of(session):
            self.expect_return(session)
        else:
            self.forget(session)

    def expect_return(self, session: Session) -> None:
        """Wait for the client of a session without a connection, and expire the session when its time is up."""
        if session.lost_at is None or self.get(session.id) is not session:
            return
        ends, now = session.lost_at + self._return_seconds(session), self._jobs.clock()
        if ends > now:  # checked repeatedly, because its games may end before
            self._jobs.call_at(min(ends, now + LONGEST_TIMER), partial(self.expect_return, session))
        else:
            self._expire(session)

    def forget(self, session: Session) -> None:
        """Remove a session, which then cannot be resumed, and cancel its matches."""
        self._sessions.pop(session.id, None)
        self._by_token.pop(session.token_hash, None)
        for game_id in session.watched:
            if game_id in self._games:
                self._games[game_id].lines.spectators.pop(session.id, None)
        for match in self._matches.of(session):
            match.cancel()

    def make_room(self) -> None:
        """Expire a session whose connection is lost, if there is one, preferably one without a game or match."""
        lost = [session for session in self.values() if session.connection is None]
        if lost:
            self._expire(min(lost, key=self._rank))

    def end(self, is_meant: Callable[[str], bool]) -> int:
        """End the sessions of the addresses that `is_meant` selects, for an operator.

        None of these sessions can be resumed. Their seats forfeit; a game in which no other client has a seat ends.
        Return the number of unfinished games in which they had a seat, counted once for each session.
        """
        count = 0
        for session in list(self.values()):
            if not is_meant(session.client_address) or not (session.connection or session.address):
                continue  # a lost session of a trusted client, or from an earlier run of the server
            for game in sorted(self._games.running_of(session), key=lambda game: game.id):
                count += 1
                self._games.expel(game, session)
            self.forget(session)
        return count

    def _return_seconds(self, session: Session) -> float:
        """Return how long a session may be lost: longer if it has a running game without a clock, or a match."""
        is_patient = any(not game.options.clock for game in self._games.running_of(session))
        is_patient = is_patient or bool(self._matches.of(session))
        return self._limits.patient_session_seconds if is_patient else self._limits.session_seconds

    def _expire(self, session: Session) -> None:
        """Remove a session whose client has not come back in time, and continue its games without it."""
        for game in sorted(self._games.running_of(session), key=lambda game: game.id):
            self._games.go_on_without(game, session)
        self.forget(session)

    def _rank(self, session: Session) -> tuple[bool, bool, float]:
        """Return the rank of a lost session; make_room() expires the session with the lowest rank.

        The lowest rank is that of sessions without a game or match; then come sessions that have decided nothing in
        their games. Within each group, the session that was lost first has the lowest rank.
        """
        has_decided = any(map(has_begun, self._games.running_of(session)))
        return self.is_engaged(session), has_decided, session.lost_at or 0.0


class Connections:
    """The open connections of a server."""

    def __init__(self, limits: GameLimits, jobs: Jobs, sessions: Sessions) -> None:
        self._limits = limits
        self._jobs = jobs
        self._sessions = sessions
        self._connections: set[ClientConnection] = set()
        self._heartbeat_interval: Final = min(limits.heartbeat_seconds, limits.idle_seconds) / 3

    def __iter__(self) -> Iterator[ClientConnection]:
        return iter(self._connections)

    def __len__(self) -> int:
        return len(self._connections)

    def open(
        self,
        *,
        is_trusted: bool,
        is_silent: bool = False,
        address: str = "",
        account: Account | None = None,
    ) -> ClientConnection:
        """Return a new connection. A silent connection (standard input) is not pinged, and never ends as idle."""
        now = self._jobs.clock()
        connection = ClientConnection(
            self._limits,
            now,
            is_trusted=is_trusted,
            is_silent=is_silent,
            address=address,
            account=account,
        )
        self._connections.add(connection)
        if len(self) == 1:
            self._jobs.call_at(now + self._heartbeat_interval, self._check_heartbeats)
        return connection

    def close(self, connection: ClientConnection) -> None:
        """Remove a lost connection; the client can resume its session over another one."""
        self._connections.discard(connection)
        session = connection.session
        if session is not None and session.connection is connection:
            self._sessions.detach(session)

    def say_bye(self) -> None:
        """End all connections because the server stops. Sessions can be resumed if the server keeps records."""
        for connection in self._connections:
            self.end(connection, "closing")

    def end(self, connection: ClientConnection, reason: str) -> None:
        """End a connection after sending `bye` with a reason. Its session can be resumed."""
        connection.reply(Bye(reason=reason))
        connection.close()

    def evict(self, connection: ClientConnection) -> None:
        """End a remote client's connection in favour of a newcomer."""
        self.end(connection, "busy" if self._sessions.is_engaged(connection.session) else "idle")

    def remote(self) -> list[ClientConnection]:
        """Return the connections of remote clients that are not closing."""
        return [each for each in self._connections if not (each.is_trusted or each.is_closing)]

    def _check_heartbeats(self) -> None:
        """Ping the connections over which nothing has arrived for some time, and end those silent for too long."""
        now = self._jobs.clock()
        for connection in list(self._connections):
            quiet = now - connection.last_received
            if connection.is_silent or connection.is_closing:
                continue
            if quiet >= self._limits.idle_seconds:
                self.end(connection, "idle")
            elif quiet >= self._limits.heartbeat_seconds and connection.session:
                connection.ping(now)
        if self._connections:
            self._jobs.call_at(now + self._heartbeat_interval, self._check_heartbeats)
