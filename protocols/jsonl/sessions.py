"""The sessions of a server, and their connections.

A session outlives its connection: where it has a seat or a match under way, it waits for its client, who returns with
the session's token. A connection that is silent for too long is asked whether it lives, and then ended.
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
        self._by_token: dict[str, Session] = {}  # by the hash of the token

    def __getitem__(self, session_id: str) -> Session:
        return self._sessions[session_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sessions)

    def __len__(self) -> int:
        return len(self._sessions)

    def of_token(self, token_hash: str) -> Session | None:
        """Return the session whose token has this hash, if there is one."""
        return self._by_token.get(token_hash)

    def is_engaged(self, session: Session | None) -> bool:
        """Return whether a session has a seat in a game that is not over, or directs a match."""
        return session is not None and bool(self._games.running_of(session) or self._matches.of(session))

    # -- Coming and going ---------------------------------------------------------------------------

    def attach(self, connection: ClientConnection, session: Session) -> None:
        """Have a session, a new one or one that is known, speak over this connection from now on."""
        connection.session = session
        session.connection = connection
        session.address = "" if connection.is_trusted else connection.address or session.id
        session.account = None if connection.is_trusted else connection.account
        session.lost_at = None
        self.add(session)

    def add(self, session: Session) -> None:
        """Add a session, which need not have a connection."""
        self._sessions[session.id] = session
        self._by_token[session.token_hash] = session

    def detach(self, session: Session) -> None:
        """Take a session's connection away, which is lost. The session waits if it has something to come back for."""
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
        """Give a session without a connection its time to come back."""
        if session.lost_at is None or self.get(session.id) is not session:
            return
        ends, now = session.lost_at + self._return_seconds(session), self._jobs.clock()
        if ends > now:  # its games may be over before that: it is looked at now and then
            self._jobs.call_at(min(ends, now + LONGEST_TIMER), partial(self.expect_return, session))
        else:
            self._expire(session)

    def forget(self, session: Session) -> None:
        """Remove a session, which cannot be resumed any more; its matches are cancelled."""
        self._sessions.pop(session.id, None)
        self._by_token.pop(session.token_hash, None)
        for game_id in session.watched:
            if game_id in self._games:
                self._games[game_id].lines.spectators.pop(session.id, None)
        for match in self._matches.of(session):
            match.cancel()

    def make_room(self) -> None:
        """Expire a session whose connection is lost, if there is one: first one without a game under way."""
        lost = [session for session in self.values() if session.connection is None]
        if lost:
            self._expire(min(lost, key=self._claim))

    def end(self, is_meant: Callable[[str], bool]) -> int:
        """End the sessions of some addresses for an operator, and return in how many games that were not over they had a seat.

        None of these sessions can be resumed. Their seats forfeit; a game in which no other client has a seat ends.
        """
        count = 0
        for session in list(self.values()):
            if not is_meant(session.client_address) or not (session.connection or session.address):
                continue  # the address of a session from an earlier run of the server is not known
            for game in sorted(self._games.running_of(session), key=lambda game: game.id):
                count += 1
                self._games.expel(game, session)
            self.forget(session)
        return count

    def _return_seconds(self, session: Session) -> float:
        is_patient = any(not game.options.clock for game in self._games.running_of(session))
        is_patient = is_patient or bool(self._matches.of(session))
        return self._limits.patient_session_seconds if is_patient else self._limits.session_seconds

    def _expire(self, session: Session) -> None:
        """Give up a session whose client has not come back in time."""
        for game in sorted(self._games.running_of(session), key=lambda game: game.id):
            self._games.go_on_without(game, session)
        self.forget(session)

    def _claim(self, session: Session) -> tuple[bool, bool, float]:
        """Return the rank of a lost session: whether it has anything under way, whether it has decided there, and when it went."""
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
        """Return a new connection. A silent one (standard input) never has to show that it lives."""
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
        """Remove a connection that is lost; its session may come back."""
        self._connections.discard(connection)
        session = connection.session
        if session is not None and session.connection is connection:
            self._sessions.detach(session)

    def say_bye(self) -> None:
        """End all connections because the server closes. Sessions can be resumed where games are on record."""
        for connection in self._connections:
            self.end(connection, "closing")

    def end(self, connection: ClientConnection, reason: str) -> None:
        """End a connection, whose session can be resumed, for a reason that the client is told."""
        connection.reply(Bye(reason=reason))
        connection.close()

    def end_for_room(self, connection: ClientConnection) -> None:
        """End a remote client's connection for a newcomer."""
        self.end(connection, "busy" if self._sessions.is_engaged(connection.session) else "idle")

    def remote(self) -> list[ClientConnection]:
        """Return the connections of remote clients that are not closing."""
        return [each for each in self._connections if not (each.is_trusted or each.is_closing)]

    def _check_heartbeats(self) -> None:
        """Ask those who are silent whether they live, and close those who do not."""
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
