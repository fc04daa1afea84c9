"""The matches of a server: those under way, those that are over and still shown, and those of an earlier run."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from engines.events import Bus
from protocols.incidents import Incidents
from protocols.jsonl.jobs import Jobs
from protocols.jsonl.journal import MATCHES, Journal
from protocols.jsonl.match_runner import MatchHeader, MatchRunner, PastMatch, new_plan, read_match
from protocols.jsonl.match_source import MatchSource
from protocols.jsonl.messages import Stop, missing
from protocols.jsonl.record import RecordError
from protocols.jsonl.session import Session
from protocols.limits import GameLimits


class Matches:
    """The matches of a server, by their IDs."""

    def __init__(
        self,
        sources: Iterable[MatchSource],
        limits: GameLimits,
        jobs: Jobs,
        incidents: Incidents,
        bus: Bus | None,
        records: Journal | None,
        on_end: Callable[[str], object],
    ) -> None:
        """`records` are those of games, which matches have beside their own; `on_end` is called with the ID of each."""
        self.sources: Final = {source.name: source for source in sources}
        self.runners: dict[str, MatchRunner] = {}
        self.journal: Final = Journal(records.folder, MATCHES) if records else None
        self._limits = limits
        self._jobs = jobs
        self._incidents = incidents
        self._bus = bus
        self._records = records
        self._on_end = on_end

    def of(self, session: Session) -> list[MatchRunner]:
        """Return the matches of this director that are not over."""
        return [each for each in self.runners.values() if each.session is session and not each.match.is_over]

    def source(self, game: str) -> MatchSource:
        """Return a game whose players can meet. Raises Refusal if there is none of this name."""
        if game not in self.sources:
            raise missing("no_such_game", "game called", game, known=self.sources)
        return self.sources[game]

    def open(self, session: Session, header: MatchHeader) -> MatchRunner:
        """Return a match, new or of an earlier run of the server, that does not run yet. Raises Refusal if it cannot be played."""
        request, match_id, limits = header.request, header.match_id, self._limits
        plan = new_plan(self.source(request.game), request, match_id, limits)
        runner = self.runners[match_id] = MatchRunner(
            session=session,
            plan=plan,
            stop=request.stop or Stop(),
            workers=max(min(request.workers or limits.workers, limits.workers), 1),
            clock=self._jobs.clock,
            submit=self._jobs.submit,
            incidents=self._incidents,
            on_end=partial(self._on_end, match_id),
            bus=self._bus,
            records=self._records,
            journal=self.journal,
        )
        return runner

    def past(self, match_id: str) -> PastMatch:
        """Return what the journal has of a match. Raises RecordError, OSError, or msgspec's errors if that is damaged."""
        assert self.journal
        past = read_match(self.journal.read(match_id) or [])
        if past.header.match_id != match_id:
            raise RecordError(f"line 1: it is the match {past.header.match_id[:64]!r}")
        return past

    def go_on(self, session: Session, past: PastMatch) -> None:
        """Go on with a match of an earlier run of the server."""
        assert self.journal
        runner = self.open(session, past.header)
        self.journal.mend(past.header.match_id)
        runner.go_on(past)

    def record_of(self, game_id: str) -> Sequence[bytes] | None:
        """Return the record of a match's game, if it is kept."""
        kept = (each.match.records for each in self.runners.values() if game_id in each.match.records)
        return next((records[game_id] for records in kept), None)

    def forget(self, match_id: str) -> None:
        """Show a match no more."""
        if match_id in self.runners:
            self.runners.pop(match_id).clear()
