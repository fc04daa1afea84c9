"""The hall: every connection, session, table and match of one server, without its sockets and its clock.

Whoever runs it hands in lines with their times (seconds, from any origin), and afterwards sends what waits
in the outboxes, asks the slow agents in `asks`, and calls tick() at `next_wake`.
"""

import heapq
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Any, Final, Protocol

from engines.version import VERSION
from protocols.jsonl.binding.binding import Binding
from protocols.jsonl.hall.match import Match
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.messages.errors import Refusal, missing
from protocols.jsonl.messages.values import Bye
from protocols.jsonl.names import Names, SecretNames
from protocols.jsonl.session.line import Line
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.table import Ask, Table

LONGEST_SLEEP: Final = 60.0  # seconds, of an alarm: those of games that are over must not pile up
FEATURES: Final = ("resume", "watch", "matches", "check", "explain", "records")


class Journal(Protocol):
    """Where the records are kept. What append() has returned from survives a kill."""

    def append(self, game_id: str, lines: bytes) -> None: ...

    def close(self, game_id: str) -> None:
        """Nothing more is added to this game."""
        ...

    def read(self, game_id: str) -> list[bytes] | None:
        """The lines of a game, without their breaks; None if there is none of this id."""
        ...


class Hall:
    """All of one server."""

    def __init__(
        self, bindings: Mapping[str, Binding], *, limits: JsonlLimits | None = None, names: Names | None = None,
        journal: Journal | None = None, token: str = "", server: str = f"galapagos {VERSION}",
        features: Sequence[str] = FEATURES,
    ) -> None:  # fmt: skip
        """`token` makes a director of whoever knows it; programs of this machine need none."""
        self.bindings = bindings
        self.limits = limits or JsonlLimits()
        self.names = names or SecretNames()
        self.journal = journal
        self.token = token
        self.server = server
        self.features = features
        self.lines: set[Line] = set()
        self.sessions: dict[str, Session] = {}
        self.tokens: dict[str, Session] = {}  # by fingerprint
        self.tables: dict[str, Table] = {}
        self.matches: dict[str, Match] = {}
        self.asks: list[Ask] = []
        self.schemas: dict[str, dict[str, Any]] = {}  # of the games that were described
        self.troubles: list[str] = []  # for the log
        self.next_wake = inf
        self._wakes: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = count()
        self._finished: deque[tuple[float, Table]] = deque()  # when, and which

    # -- Connections --------------------------------------------------------------------------------

    def connect(self, now: float, *, is_trusted: bool, is_silent: bool = False) -> Line:
        """A new connection. A silent one (standard input) never has to show that it lives."""
        line = Line(self.limits, now, is_trusted=is_trusted, is_silent=is_silent)
        self.lines.add(line)
        if len(self.lines) == 1:
            self.wake_at(now + self._round_seconds(), self._look_round)
        return line

    def disconnect(self, line: Line, now: float) -> None:
        """A connection is gone; its session may come back."""
        self.lines.discard(line)
        session = line.session
        if session is None or session.line is not line:
            return
        line.session = None
        session.line = None
        session.lost_at = now
        for game_id in session.games | session.watched:
            table = self.tables.get(game_id)
            if table:
                table.lose(session)
                self.settle(table, now)
        if not session.games:
            self.forget_session(session)
            return
        self.await_return(session, now)

    def await_return(self, session: Session, now: float) -> None:
        """Give a session without a connection its time to come back."""
        self.wake_at(now + self._patience(session), partial(self._expire, session))

    def forget_session(self, session: Session) -> None:
        self.sessions.pop(session.id, None)
        self.tokens.pop(session.token_hash, None)
        for game_id in session.watched:
            if game_id in self.tables:
                self.tables[game_id].herald.onlookers.pop(session.id, None)

    def forget_match(self, match_id: str, now: float) -> None:
        del self.matches[match_id]

    # -- What is there ------------------------------------------------------------------------------

    def binding(self, game: str) -> Binding:
        if game not in self.bindings:
            raise missing("no_such_game", "game called", game)
        return self.bindings[game]

    def table(self, game_id: str) -> Table:
        if game_id not in self.tables:
            raise missing("no_such_game", "game", game_id)
        return self.tables[game_id]

    def own_table(self, session: Session, game_id: str) -> Table:
        """A table where the session sits."""
        table = self.table(game_id)
        if game_id not in session.games:
            raise Refusal("not_permitted", "you have no seat in that game")
        return table

    # -- Time ---------------------------------------------------------------------------------------

    def wake_at(self, when: float, call: Callable[[float], None]) -> None:
        """Have `call` called with the time, then or soon after."""
        heapq.heappush(self._wakes, (when, next(self._order), call))
        self.next_wake = self._wakes[0][0]

    def tick(self, now: float) -> None:
        """Do what is due by now."""
        due = []
        while self._wakes and self._wakes[0][0] <= now:
            due.append(heapq.heappop(self._wakes)[2])
        for call in due:  # what they add waits for the next time: matches go on a game at a time
            call(now)
        self.next_wake = self._wakes[0][0] if self._wakes else inf

    def settle(self, table: Table, now: float) -> None:
        """Something happened at a table: write it down, and look to its clocks and agents."""
        herald = table.herald
        if self.journal and table.is_started and herald.written < len(herald.record):
            self.journal.append(table.id, b"".join(herald.record[herald.written :]))
            herald.written = len(herald.record)
        if table.asks:
            self.asks += table.asks
            for ask in table.asks:
                self.wake_at(now + self.limits.agent_seconds, partial(self._overdue, ask))
            table.asks.clear()
        if table.is_over:
            if not table.is_closed:
                self._close(table, now)
        elif table.terms.clock:
            when = min(table.deadline(), now + LONGEST_SLEEP)
            if when < table.rings_at:
                table.rings_at = when
                self.wake_at(when, partial(self._ring, table.id))

    def answer(self, ask: Ask, move: object, now: float) -> None:
        """A slow agent has decided."""
        ask.table.think(ask, move, now)
        self.settle(ask.table, now)

    def report(self, trouble: str) -> str:
        """Keep the account of a fault of ours for the log; the ticket that the client gets."""
        ticket = f"t-{next(self._order)}"
        self.troubles.append(f"{ticket}: {trouble}")
        return ticket

    # -- Helpers ------------------------------------------------------------------------------------

    def _ring(self, game_id: str, now: float) -> None:
        """About one ring a table is under way, however fast it is played."""
        table = self.tables.get(game_id)
        if table and not table.is_over:
            table.rings_at = inf
            table.tick(now)
            self.settle(table, now)

    def _overdue(self, ask: Ask, now: float) -> None:
        ask.table.think(ask, None, now)
        self.settle(ask.table, now)

    def _close(self, table: Table, now: float) -> None:
        table.is_closed = True
        self._finished.append((now, table))
        if self.journal:
            self.journal.close(table.id)
        self._forget_old(now)

    def _forget_old(self, now: float) -> None:
        """Games that are over are shown for a while, and only so many of them."""
        limits = self.limits
        while self._finished and (
            len(self._finished) > limits.finished_games
            or self._finished[0][0] + limits.finished_seconds <= now
        ):
            self._forget(self._finished.popleft()[1])

    def _forget(self, table: Table) -> None:
        self.tables.pop(table.id, None)
        for session in table.herald.sessions():
            session.games.discard(table.id)
        for onlooker in table.herald.onlookers.values():
            onlooker.session.watched.discard(table.id)

    def _patience(self, session: Session) -> float:
        running = [self.tables[game] for game in session.games if game in self.tables]
        patient = any(not table.terms.clock and not table.is_over for table in running)
        return self.limits.patient_session_seconds if patient else self.limits.session_seconds

    def _expire(self, session: Session, now: float) -> None:
        if session.line is not None or session.lost_at is None:
            return
        wait = session.lost_at + self._patience(session) - now
        if wait > 0.0:
            self.wake_at(now + wait, partial(self._expire, session))
            return
        for game_id in sorted(session.games):
            table = self.tables.get(game_id)
            if table and table.is_started and not table.is_over:
                self._replace(table, session, now)
                self.settle(table, now)
            elif table and not table.is_started:
                del self.tables[game_id]
        self.forget_session(session)

    def _replace(self, table: Table, session: Session, now: float) -> None:
        wish = table.terms.on_gone
        if wish == "forfeit":
            for seat in table.seats_of(session):
                if not table.is_over:
                    table.give_up(seat, "forfeit", now)
            return
        agent = None
        if wish.startswith("agent:"):
            seat = table.seats_of(session)[0]
            binding = self.bindings[table.game]
            agent = binding.agent(wish.removeprefix("agent:"), table.play, table.seed.stream, seat.index)
        table.replace(session, agent, now)

    def _round_seconds(self) -> float:
        return min(self.limits.heartbeat_seconds, self.limits.idle_seconds) / 3

    def _look_round(self, now: float) -> None:
        """Ask the silent whether they live, and part from those who do not."""
        for line in list(self.lines):
            quiet = now - line.last_heard
            if line.is_silent or line.is_closing:
                continue
            if quiet >= self.limits.idle_seconds:
                line.say(Bye(reason="idle"))
                line.is_closing = True
            elif quiet >= self.limits.heartbeat_seconds and line.session:
                line.ask(now)
        self._forget_old(now)
        if self.lines:
            self.wake_at(now + self._round_seconds(), self._look_round)
