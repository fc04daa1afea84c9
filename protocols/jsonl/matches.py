"""The matches of a server: running ones, and those that are over and still shown."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from engines.events import Bus
from protocols.incidents import Incidents
from protocols.jsonl.capacity import FinishedItems
from protocols.jsonl.jobs import Jobs
from protocols.jsonl.journal import Journal
from protocols.jsonl.match_journal import MatchHeader, MatchJournals, PastMatch
from protocols.jsonl.match_runner import MatchRunner, new_plan
from protocols.jsonl.match_source import MatchSource
from protocols.jsonl.messages import Stop, missing
from protocols.jsonl.session import Session
from protocols.limits import GameLimits


class Matches:
    """The directory of a server's matches."""

    def __init__(
        self,
        sources: Iterable[MatchSource],
        limits: GameLimits,
        jobs: Jobs,
        incidents: Incidents,
        bus: Bus | None,
        records: Journal | None,
    ) -> None:
        """Create an empty directory; journals of matches and records of their games are written to `records`."""
        self.sources: Final = {source.name: source for source in sources}
        self.runners: dict[str, MatchRunner] = {}
        self.journals: Final = MatchJournals(records, incidents) if records else None
        self._limits = limits
        self._jobs = jobs
        self._bus = bus
        self._finished_matches = FinishedItems(jobs, limits.finished_matches, limits.finished_seconds)

    def of(self, session: Session) -> list[MatchRunner]:
        """Return the matches of a director that are not over."""
        return [each for each in self.runners.values() if each.session is session and not each.match.is_over]

    def source(self, game: str) -> MatchSource:
        """Return the source of a game's matches. Raises Refusal if there is no game of this name."""
        if game not in self.sources:
            raise missing("no_such_game", "game called", game, known=self.sources)
        return self.sources[game]

    def open(self, session: Session, header: MatchHeader) -> MatchRunner:
        """Add a match, a new one or one of an earlier run of the server, and return its runner, which is not started.

        Raises Refusal if the match cannot be played.
        """
        request, match_id, limits = header.request, header.match_id, self._limits
        plan = new_plan(self.source(request.game), request, match_id, limits)
        runner = self.runners[match_id] = MatchRunner(
            session=session,
            plan=plan,
            stop=request.stop or Stop(),
            jobs=self._jobs,
            workers=max(min(request.workers or limits.workers, limits.workers), 1),
            bus=self._bus,
            journals=self.journals,
            on_end=partial(self._finished_matches.add, partial(self.forget, match_id)),
        )
        return runner

    def go_on(self, session: Session, past: PastMatch) -> None:
        """Continue a match of an earlier run of the server."""
        self.open(session, past.header).go_on(past)

    def record_of(self, game_id: str) -> Sequence[bytes] | None:
        """Return the record of a game of a match, or None if it is not kept."""
        kept = (each.match.records for each in self.runners.values() if game_id in each.match.records)
        return next((records[game_id] for records in kept), None)

    def forget(self, match_id: str) -> None:
        """Remove a match that is no longer shown."""
        if match_id in self.runners:
            self.runners.pop(match_id).clear()
