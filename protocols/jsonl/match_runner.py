"""A running match: worker processes play its games, and its standings go to the director and to the event bus."""

from collections.abc import Callable
from math import inf
from typing import Final

from engines.events import BroadcastLine, Bus
from engines.match.match import Batch, Match, MatchPlan
from engines.match.schedule import Schedule, sides_of
from engines.match.standings import GameOutcome
from protocols.jsonl.adapter import Job
from protocols.jsonl.codec import encode
from protocols.jsonl.jobs import Jobs
from protocols.jsonl.match import rows
from protocols.jsonl.match_journal import MatchHeader, MatchJournal, MatchJournals, PastMatch
from protocols.jsonl.match_source import MatchSource
from protocols.jsonl.messages import (
    Kept,
    ListedMatch,
    MatchEnd,
    MatchEvent,
    MatchRequest,
    Stop,
    invalid,
    missing,
)
from protocols.jsonl.session import Session
from protocols.limits import GameLimits

REPORT_SECONDS: Final = 1.0  # between two standings
MIN_GAMES: Final = 100  # before the stop condition `ci` may end a match
MAX_LISTED: Final = 1000  # records in `match_end`, as many as a line can hold


def new_plan(source: MatchSource, request: MatchRequest, match_id: str, limits: GameLimits) -> MatchPlan:
    """Return the plan of a match whose request contains a seed. Raises Refusal if it cannot be played."""
    assert request.seed is not None
    seats = request.seats or 2
    sitting = [[source.has_agent(name, seat) for seat in range(seats)] for name in request.players]
    for index, name in enumerate(request.players):
        if not any(sitting[index]):
            raise missing("no_such_agent", "agent", name, f"$.players[{index}]", source.agents)
    try:
        sides = sides_of(sitting)
    except ValueError as error:
        raise invalid("$.players", str(error)) from None
    if sides is not None and (request.mirror or request.pairing not in (None, "round_robin")):
        raise invalid(
            "$.pairing", "players that cannot take every seat need the pairing round_robin without mirror"
        )
    if seats > len(request.players):
        raise invalid("$.seats", f"{seats} seats need at least {seats} players, not {len(request.players)}")
    if request.pairing == "elimination" and seats != 2:
        raise invalid("$.pairing", f"the pairing elimination needs 2 seats, not {seats}")
    schedule = Schedule(
        players=tuple(request.players),
        games=request.games,
        seats=seats,
        pairing=request.pairing or "round_robin",
        mirror=bool(request.mirror),
        seed=request.seed,
        sides=sides,
    )
    return source.plan(request, schedule, match_id, limits.recorded_games if request.records else 0)


# -- The runner ------------------------------------------------------------------------------------


class MatchRunner:
    """The runner of one match, until it is over, a stop condition holds, or its director cancels it or leaves."""

    def __init__(
        self, session: Session, plan: MatchPlan, stop: Stop, jobs: Jobs, workers: int, bus: Bus | None,
        journals: MatchJournals | None, on_end: Callable[[], object],
    ) -> None:  # fmt: skip
        """Create the match of a director's `session`, with up to `workers` jobs at a time.

        `on_end` is called at the end of the match.
        """
        self.session: Final = session
        self.match: Final = Match(plan.schedule)
        self.last: MatchEvent | MatchEnd | None = None  # the last standings that were sent
        self._plan = plan
        self._stop = stop
        self._jobs = jobs
        self._workers = workers
        self._bus = bus
        self._journal = MatchJournal(journals, plan.match_id, self._send_kept) if journals else None
        self._on_end = on_end
        self._began = 0.0  # seconds on the clock; moved back by the time of earlier runs of the server
        self._running_job_count = 0  # running jobs
        self._reported_at = -inf
        self._has_ended = False

    @property
    def topic(self) -> str:
        """The topic of the event bus for the standings of the match."""
        return f"match/{self._plan.match_id}/table"

    def listed(self) -> ListedMatch:
        match = self.match
        return ListedMatch(
            match_id=self._plan.match_id,
            game=self._plan.game,
            players=list(self._plan.schedule.players),
            done=match.done,
            of=match.planned_games,
        )

    def begin(self, header: MatchHeader) -> None:
        """Start a new match."""
        self._began = self._jobs.clock()
        if self._journal:
            self._journal.write(header)
        self.run()

    def go_on(self, past: PastMatch) -> None:
        """Continue a match of an earlier run of the server."""
        match, over, recorded = self.match, past.over, self._plan.recorded
        journal = self._journal
        assert journal
        journal.mend()
        self._began = self._jobs.clock() - past.seconds
        match.is_over = over == 0
        match.restore(
            [journal.with_record(each) if each.game.number < recorded else each for each in past.outcomes],
            lambda: match.done == over or (over is None and self._is_decided()),
        )
        if over is not None:
            match.is_over = self._has_ended = True
        self._proceed()

    def run(self) -> None:
        """Submit jobs for further games, up to the number of workers."""
        plan, description = self._plan, f"match {self._plan.match_id}"
        while self._running_job_count < self._workers and (games := self.match.next_games(plan.batch)):
            self._running_job_count += 1
            batch = Batch(config=plan.config, games=games)
            self._jobs.submit(
                Job(function=plan.play, argument=batch, description=description, on_done=self._played)
            )

    def cancel(self) -> None:
        """End the match with the games that have been played."""
        if not self.match.is_over:
            self.match.is_over = True
            self._proceed()

    def clear(self) -> None:
        """Remove the standings of a match that is no longer shown from the bus, and delete its journal."""
        if self._bus:
            self._bus.clear(self.topic)
        if self._journal:
            self._journal.remove()

    def _played(self, outcomes: list[GameOutcome] | None, seconds: float) -> None:
        """Count the games of a finished job. If the job has failed (None), the match ends."""
        self._running_job_count -= 1
        if self._has_ended:
            return
        if outcomes is None:
            self.match.is_over = True
        else:
            if self._journal:
                self._journal.write_games(outcomes, self._jobs.clock() - self._began)
            self.match.add(outcomes, self._should_stop)
        self._proceed()

    def _proceed(self) -> None:
        match, now = self.match, self._jobs.clock()
        if match.is_over:
            self._end()
            return
        if now - self._reported_at >= REPORT_SECONDS:
            self._reported_at = now
            table = rows(match.standings)
            self._publish(
                MatchEvent(
                    match_id=self._plan.match_id,
                    done=match.done,
                    of=match.planned_games,
                    table=table,
                    running=match.running,
                )
            )
        self.run()

    def _end(self) -> None:
        match = self.match
        if not self._has_ended:
            self._has_ended = True
            if self._journal:
                self._journal.finish(match.done)
        records = list(match.records)[:MAX_LISTED] or None
        table = rows(match.standings)
        self._publish(
            MatchEnd(
                match_id=self._plan.match_id,
                table=table,
                games=match.done,
                seeds=match.seeds,
                records=records,
            )
        )
        self._on_end()

    def _is_decided(self) -> bool:
        """Return whether a stop condition other than `minutes` holds."""
        match, stop = self.match, self._stop
        is_sure = stop.ci is not None and match.done >= MIN_GAMES and match.standings.interval() <= stop.ci
        return is_sure or (stop.games is not None and match.done >= stop.games)

    def _should_stop(self) -> bool:
        minutes = self._stop.minutes
        return self._is_decided() or (
            minutes is not None and self._jobs.clock() >= self._began + 60 * minutes
        )

    def _publish(self, message: MatchEvent | MatchEnd) -> None:
        self.last = message
        line = encode(message)
        self.session.send(line)
        if self._bus:
            self._bus.publish(self.topic, BroadcastLine(line=line.rstrip()), is_state=True)

    def _send_kept(self, is_kept: bool) -> None:
        """Notify the director whether the journal is complete."""
        self.session.say(Kept(match_id=self._plan.match_id, kept=is_kept))
