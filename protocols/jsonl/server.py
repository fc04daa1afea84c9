"""The game server without I/O: the games, the matches and the clients of the JSON lines.

A GameServer creates its parts in this order; each part gets the earlier ones that it calls:

    Jobs          `jobs.py`       the clock, timers and worker processes of the runtime
    Games         `games.py`      the games; AgentRunner asks built-in players, GameJournal writes the records
    Matches       `matches.py`    the matches; a MatchRunner runs each
    Sessions      `sessions.py`   the clients; a session that ends gives up its games and matches
    Connections   `sessions.py`   the open connections, and their heartbeats

A line of a client takes this way. serve_connection() of `runtime.py` reads it and calls receive() of `handlers.py`,
which decodes the line and calls the handler of its message type. The handler finds the game or match and calls it,
for play through `actions.py` and `seating.py`, and then Games.update(), which writes the journal and sets timers.
Answers and events are queued at the connections of the sessions, and the runtime sends them. A handler whose answer
takes long calls answer_later(). The parts do not know the server; handlers and `restore.py` get it as an argument.

All that is outside comes in the Environment. Its Runtime is AsyncRuntime (`runtime.py`) in a server, and LocalRuntime
(`local.py`) for clients in the same process. Everything runs in one thread, so there are no locks.
"""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hmac import compare_digest
from itertools import count
from typing import Any, Final

from engines.events import Bus
from engines.seeds import SeededStreams
from engines.version import VERSION
from protocols.incidents import Incidents
from protocols.jsonl.adapter import Call, GameAdapter, Job
from protocols.jsonl.calls import attempt, result_of
from protocols.jsonl.codec import error_of
from protocols.jsonl.games import Games
from protocols.jsonl.jobs import Jobs, Runtime
from protocols.jsonl.journal import Journal
from protocols.jsonl.match_source import AdapterMatches, MatchSource
from protocols.jsonl.matches import Matches
from protocols.jsonl.messages import Answer, Refusal, Request, missing, server_error
from protocols.jsonl.session import Session
from protocols.jsonl.sessions import Connections, Sessions
from protocols.limits import GameLimits, HourlyQuota

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
    """A source of unique IDs, and of tokens and seeds that cannot be guessed."""

    def __init__(self) -> None:
        self.first_decide = 1  # the ID of a session's first decide
        self._prefix = secrets.token_hex(4)  # so that IDs of an earlier run of the server are not used again
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
    """The services of the surrounding program that a game server uses."""

    runtime: Runtime
    journal: Journal | None = None  # of games and matches, which then survive the end of the program
    bus: Bus | None = None  # receives the public lines of games and matches
    incidents: Incidents = field(default_factory=Incidents)
    log: Callable[[str], object] = LOG.error  # for faults of the server


class GameServer:
    """A server of games and matches for players, spectators and directors."""

    def __init__(
        self, adapters: Mapping[str, GameAdapter], environment: Environment, *, limits: GameLimits | None = None,
        ids: IdGenerator | None = None, token: str = "", name: str = f"galapagos {VERSION}",
        contests: Sequence[MatchSource] = (),
    ) -> None:  # fmt: skip
        """Create a server of the games of `adapters`, and of `contests`, which are played in matches only.

        A remote client needs the `token` to be a director; programs of this machine need none.
        """
        self.adapters = adapters
        self.limits = limits = limits or GameLimits()
        self.ids = ids or IdGenerator()
        self.token = token
        self.name = name
        self.features: Sequence[str] = FEATURES
        self.bus = bus = environment.bus
        self.journal = journal = environment.journal
        self.incidents = incidents = environment.incidents
        self.jobs = jobs = Jobs(environment.runtime)
        self.clock = jobs.clock
        self.games = Games(adapters, limits, jobs, incidents, bus, journal)
        sources = [*map(AdapterMatches, adapters.values()), *contests]
        self.matches = Matches(sources, limits, jobs, incidents, bus, journal)
        self.sessions = Sessions(limits, jobs, self.games, self.matches)
        self.connections = Connections(limits, jobs, self.sessions)
        self.new_profiles = HourlyQuota(limits.profiles_per_hour, self.clock)  # by address
        self._log = environment.log
        self._tickets = count(1)

    def adapter(self, game: str) -> GameAdapter:
        """Return the adapter of a game. Raises Refusal if there is no game of this name."""
        if game not in self.adapters:
            raise missing("no_such_game", "game called", game, known=self.adapters)
        return self.adapters[game]

    def is_token(self, token: str) -> bool:
        """Return whether a token is the server's, in a time that does not depend on how much of it is right."""
        return bool(self.token) and compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def answer_later(
        self,
        session: Session,
        request: Request,
        call: Call,
        respond: Callable[[Any], Answer],
        path: str = "$",
    ) -> None:
        """Compute `call` in a worker process, and answer a request with `respond` of the result.

        The server does not read further lines of the connection until then. No answer is sent if the session has lost
        the connection in the meantime. A ValueError of the call becomes a refusal of the request, at its field
        `path`.
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
                    raise server_error(ticket)
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

    def report(self, trouble: str) -> str:
        """Log a fault of the server, and return the ticket by which the log and the client identify the fault."""
        ticket = f"t-{next(self._tickets)}"
        self._log(f"{ticket}: {trouble}")
        return ticket
