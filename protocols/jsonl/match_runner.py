"""A match under way: its games are jobs for other processes, its standings go to the director and to the bus."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Final

from engines.events import BroadcastLine, Bus
from protocols.jsonl.adapter import Job
from protocols.jsonl.codec import encode
from protocols.jsonl.journal import Journal
from protocols.jsonl.match import GameOutcome, Match, play_batch
from protocols.jsonl.messages import MatchEnd, MatchEvent, Stop
from protocols.jsonl.session import Session

REPORT_SECONDS: Final = 1.0  # between two standings
LEAST_GAMES: Final = 100  # before an interval may end a match
BATCH_GAMES: Final = 10  # a job, unless one of the players is slow
MOST_LISTED: Final = 1000  # records of the end, as many as a line can hold


@dataclass(slots=True, kw_only=True)
class MatchRunner:
    """Runs a match until it is over, a stop rule holds, or its director cancels it or is gone."""

    session: Session  # the director's
    match: Match
    stop: Stop
    ends: float  # seconds
    workers: int
    clock: Callable[[], float]
    submit: Callable[[Job], object]
    report: Callable[[str], object]  # faults of ours
    on_end: Callable[[], object]
    bus: Bus | None
    journal: Journal | None  # for the records
    _jobs: int = field(default=0, init=False)  # under way
    _written: int = field(default=0, init=False)  # records in the journal
    _reported_at: float = field(default=-inf, init=False)
    _has_ended: bool = field(default=False, init=False)

    @property
    def topic(self) -> str:
        """Where the bus has its standings."""
        return f"match/{self.match.id}/table"

    def run(self) -> None:
        """Have some more games played, if there are any."""
        most = 1 if self.match.config.is_slow else BATCH_GAMES
        while self._jobs < self.workers and (batch := self.match.next_batch(most)):
            self._jobs += 1
            description = f"match {self.match.id}"
            self.submit(
                Job(function=play_batch, argument=batch, description=description, on_done=self._played)
            )

    def cancel(self) -> None:
        """End it with the games that it has."""
        self.match.is_over = True

    def clear(self) -> None:
        """It is shown no more."""
        if self.bus:
            self.bus.clear(self.topic)

    def _played(self, outcomes: list[GameOutcome] | None, seconds: float) -> None:
        """Games have been played, or could not be."""
        match = self.match
        self._jobs -= 1
        if self._has_ended:
            return
        if outcomes is None:
            match.is_over = True
        else:
            match.add(outcomes, self._is_enough)
            self._write_records()
        rows = match.standings.rows
        if match.is_over:
            self._has_ended = True
            records = list(match.records)[:MOST_LISTED] or None
            self._publish(
                MatchEnd(
                    match_id=match.id, table=rows(), games=match.done, seeds=match.seeds, records=records
                )
            )
            self.on_end()
            return
        now = self.clock()
        if now - self._reported_at >= REPORT_SECONDS:
            self._reported_at = now
            self._publish(
                MatchEvent(
                    match_id=match.id, done=match.done, of=match.of, table=rows(), running=match.running
                )
            )
        self.run()

    def _is_enough(self) -> bool:
        match, stop = self.match, self.stop
        is_sure = stop.ci is not None and match.done >= LEAST_GAMES and match.standings.interval() <= stop.ci
        is_late = self.clock() >= self.ends
        return is_sure or is_late or (stop.games is not None and match.done >= stop.games)

    def _write_records(self) -> None:
        """Records that are new go into the journal, where there is one."""
        if self.journal:
            try:
                for game_id, lines in islice(self.match.records.items(), self._written, None):
                    self.journal.append(game_id, b"".join(lines))
                    self.journal.close(game_id)
                    self._written += 1
            except OSError as error:  # a full disk; the rest is tried again with the next
                self.report(f"records cannot be written at present: {error}")

    def _publish(self, message: MatchEvent | MatchEnd) -> None:
        line = encode(message)
        self.session.send(line)
        if self.bus:
            self.bus.publish(self.topic, BroadcastLine(line=line.rstrip()), is_state=True)
