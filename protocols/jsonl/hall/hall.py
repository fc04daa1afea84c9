"""The hall: every connection, session, table and match of one server, without its sockets and its clock.

Whoever runs it hands in lines with their times (seconds, from any origin), and afterwards sends what waits
in the outboxes, has the `errands` done, and rings the alarms.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from hmac import compare_digest
from itertools import count
from math import inf
from typing import TYPE_CHECKING, Any, Final

from engines.events import Bus
from engines.version import VERSION
from protocols.jsonl.adapter import GameAdapter, Job, Move
from protocols.jsonl.hall.alarms import Alarms
from protocols.jsonl.hall.errand import Errand
from protocols.jsonl.hall.scribe import Scribe
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.match import Match
from protocols.jsonl.messages import Refusal, missing
from protocols.jsonl.names import Names, SecretNames
from protocols.jsonl.session.line import Line
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.broadcast import Broadcast
from protocols.jsonl.table.table import Ask, Table

if TYPE_CHECKING:
    from protocols.jsonl.journal import Journal

LONGEST_SLEEP: Final = 60.0  # seconds, of an alarm: those of games that are over must not pile up
STATE_SECONDS: Final = 1.0  # between two accounts of how a game stands: they take longer than its events
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


class Hall:
    """All of one server."""

    def __init__(
        self, bindings: Mapping[str, GameAdapter], *, limits: JsonlLimits | None = None, names: Names | None = None,
        journal: "Journal | None" = None, token: str = "", server: str = f"galapagos {VERSION}",
        features: Sequence[str] = FEATURES, bus: Bus | None = None,
    ) -> None:  # fmt: skip
        """`token` makes a director of whoever knows it; programs of this machine need none.

        The bus is told what the public may know of games and matches.
        """
        self.bindings = bindings
        self.limits = limits or JsonlLimits()
        self.names = names or SecretNames()
        self.journal = journal
        self.token = token
        self.server = server
        self.features = features
        self.bus = bus
        self.lines: set[Line] = set()
        self.talking: set[Line] = set()  # those whose outbox is to be sent
        self.sessions: dict[str, Session] = {}
        self.tokens: dict[str, Session] = {}  # by fingerprint
        self.tables: dict[str, Table] = {}
        self.matches: dict[str, Match] = {}
        self.errands: list[Errand] = []
        self.troubles: list[str] = []  # for the log
        self.alarms = Alarms()
        self._scribe = Scribe(journal, self.alarms, self.report) if journal else None
        self._tickets = count(1)
        self._finished: deque[tuple[float, Table]] = deque()  # when, and which

    # -- What is there ------------------------------------------------------------------------------

    def binding(self, game: str) -> GameAdapter:
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

    def knows(self, token: str) -> bool:
        """Whether this is the directors' token, in a time that tells nothing of it."""
        return bool(self.token) and compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    # -- What happens -------------------------------------------------------------------------------

    def add(self, table: Table) -> None:
        """A new table, or one of an earlier run of the server."""
        self.tables[table.id] = table
        if self.bus:
            table.herald.broadcast = Broadcast(self.bus, table.id)

    def settle(self, table: Table, now: float) -> None:
        """Something happened at a table: write it down, and look to its clocks and agents."""
        if self._scribe:
            self._scribe.write(table, now)
        if table.herald.broadcast and table.is_started:
            self._sum_up(table, table.herald.broadcast, now)
        while table.asks:
            self._ask(table, table.asks.pop(), now)
        for job in table.play.jobs():
            done = partial(self._brought, table, job, now)
            self.errands.append(
                Errand(
                    function=job.function, task=job.argument, about=job.description, is_long=True, done=done
                )
            )
        if table.is_over:
            if not table.is_closed:
                self._close(table, now)
        elif table.is_started and table.terms.clock:
            when = min(table.deadline(), now + LONGEST_SLEEP)
            if when < table.rings_at:
                table.rings_at = when
                self.alarms.set(when, partial(self._ring, table.id))

    def report(self, trouble: str) -> str:
        """Keep the account of a fault of ours for the log; the ticket that the client gets."""
        ticket = f"t-{next(self._tickets)}"
        self.troubles.append(f"{ticket}: {trouble}")
        return ticket

    def vacate(self, table: Table, session: Session, now: float) -> None:
        """Take a session's seats before the game; one that nobody sits at any more is gone."""
        table.stand_up(session)
        if any(seat.session for seat in table.seats):
            self.settle(table, now)
            return
        del self.tables[table.id]
        if self.journal:
            self.journal.remove(table.id)

    def forget_session(self, session: Session) -> None:
        self.sessions.pop(session.id, None)
        self.tokens.pop(session.token_hash, None)
        for game_id in session.watched:
            if game_id in self.tables:
                self.tables[game_id].herald.onlookers.pop(session.id, None)

    def forget_match(self, match_id: str, now: float) -> None:
        del self.matches[match_id]
        if self.bus:
            self.bus.clear(match_topic(match_id))

    def forget_old(self, now: float) -> None:
        """Games that are over are shown for a while, and only so many of them."""
        limits = self.limits
        while self._finished and (
            len(self._finished) > limits.finished_games
            or self._finished[0][0] + limits.finished_seconds <= now
        ):
            self._forget(self._finished.popleft()[1])

    # -- Helpers ------------------------------------------------------------------------------------

    def _sum_up(self, table: Table, broadcast: Broadcast, now: float) -> None:
        """Tell the bus how a game stands: at once, but not again within a second, unless it is over."""
        if table.is_over or now >= broadcast.due_at:
            table.herald.sum_up(table.end_line)
            broadcast.due_at = now + STATE_SECONDS
        elif broadcast.is_behind(table.seq) and not broadcast.is_due:
            broadcast.is_due = True
            self.alarms.set(broadcast.due_at, partial(self._sum_up_later, table, broadcast))

    def _sum_up_later(self, table: Table, broadcast: Broadcast, now: float) -> None:
        broadcast.is_due = False
        if table.id in self.tables:
            self._sum_up(table, broadcast, now)

    def _ring(self, game_id: str, now: float) -> None:
        """About one ring a table is under way, however fast it is played."""
        table = self.tables.get(game_id)
        if table and not table.is_over:
            table.rings_at = inf
            table.tick(now)
            self.settle(table, now)

    def _ask(self, table: Table, ask: Ask, now: float) -> None:
        """Have a slow agent decide; if it is not soon enough, that is its answer."""
        function, task = ask.agent.remote_call(table.play, ask.seat)
        done = partial(self._answered, table, ask)
        self.errands.append(
            Errand(function=function, task=task, about=ask.agent.about, is_long=False, done=done)
        )
        self.alarms.set(now + self.limits.agent_seconds, partial(done, None))

    def _answered(self, table: Table, ask: Ask, move: Move | None, now: float) -> None:
        table.think(ask, move, now)
        self.settle(table, now)

    def _brought(self, table: Table, job: Job, began: float, outcome: Any, now: float) -> None:
        job.on_done(outcome, now - began)
        self.settle(table, now)

    def _close(self, table: Table, now: float) -> None:
        table.is_closed = True
        table.play.close(table.result)
        self._finished.append((now, table))
        self.forget_old(now)

    def _forget(self, table: Table) -> None:
        self.tables.pop(table.id, None)
        if table.herald.broadcast:
            table.herald.broadcast.retire()
        for session in table.herald.sessions():
            session.games.discard(table.id)
        for onlooker in table.herald.onlookers.values():
            onlooker.session.watched.discard(table.id)


def match_topic(match_id: str) -> str:
    """Where the bus tells how a match stands."""
    return f"match/{match_id}/table"
