"""A match under way: its games are jobs for other processes, its standings go to the director and to the bus.

Where there is a journal, a match goes on after any end of the server: what was asked for, every outcome and the end are
lines of a file of its own.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

import msgspec

from engines.events import BroadcastLine, Bus
from engines.match.match import Batch, Match, MatchPlan
from engines.match.schedule import Schedule, sides_of
from engines.match.standings import GameOutcome
from protocols.incidents import Incidents
from protocols.jsonl.adapter import Job
from protocols.jsonl.codec import encode
from protocols.jsonl.journal import Journal
from protocols.jsonl.match import rows
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
from protocols.jsonl.record_lines import RecordLine
from protocols.jsonl.session import Session
from protocols.limits import GameLimits

REPORT_SECONDS: Final = 1.0  # between two standings
LEAST_GAMES: Final = 100  # before an interval may end a match
MOST_LISTED: Final = 1000  # records of the end, as many as a line can hold


def new_plan(source: MatchSource, request: MatchRequest, match_id: str, limits: GameLimits) -> MatchPlan:
    """Return the plan of a request that names its seed. Raises Refusal if it cannot be played."""
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
            "$.pairing", "players that cannot sit everywhere meet round robin, without mirrored games"
        )
    if seats > len(request.players):
        raise invalid("$.seats", f"{seats} seats need as many players")
    if request.pairing == "elimination" and seats != 2:
        raise invalid("$.pairing", f"an elimination is of pairs, not of {seats} at once")
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


# -- The journal -----------------------------------------------------------------------------------


class MatchHeader(RecordLine, kw_only=True):
    """The first line of a match's journal: the request, and the session that sent it."""

    match_id: str
    session: str
    token_hash: str
    name: str
    request: MatchRequest  # with its seed


class MatchGames(RecordLine, kw_only=True):
    """Games that were played, in any order, and how long the match had been under way."""

    outcomes: list[GameOutcome]
    seconds: float


class MatchOver(RecordLine, kw_only=True):
    """The match has ended with so many games."""

    games: int


LINES: Final = msgspec.json.Decoder(MatchHeader | MatchGames | MatchOver)


@dataclass(slots=True, kw_only=True)
class PastMatch:
    """A match as the journal has it."""

    header: MatchHeader
    outcomes: list[GameOutcome]
    seconds: float = 0.0  # that it was under way
    over: int | None = None  # how many games count, if it has ended


def read_match(lines: Sequence[bytes]) -> PastMatch:
    """Return what the journal holds of a match. Raises msgspec.DecodeError if a line is damaged."""
    header, *others = map(LINES.decode, lines or [b""])
    if not isinstance(header, MatchHeader):
        raise msgspec.ValidationError("the first line is no header")
    past = PastMatch(header=header, outcomes=[])
    for line in others:
        if isinstance(line, MatchGames):
            past.outcomes += line.outcomes
            past.seconds = line.seconds
        elif isinstance(line, MatchOver):
            past.over = line.games
    return past


# -- The runner ------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class MatchRunner:
    """Runs a match until it is over, a stop rule holds, or its director cancels it or is gone for too long."""

    session: Session  # the director's
    plan: MatchPlan
    stop: Stop
    workers: int
    clock: Callable[[], float]
    submit: Callable[[Job], object]
    incidents: Incidents
    on_end: Callable[[], object]
    bus: Bus | None
    records: Journal | None  # of its games
    journal: Journal | None  # of matches
    match: Match = field(init=False)
    last: MatchEvent | MatchEnd | None = field(default=None, init=False)  # that was told
    _began: float = field(default=0.0, init=False)  # seconds, on the clock; earlier runs of the server count
    _jobs: int = field(default=0, init=False)  # under way
    _unwritten: deque[tuple[Journal, str, bytes]] = field(default_factory=deque, init=False)
    _is_kept: bool = field(default=True, init=False)  # what has come is in the journal, if there is one
    _reported_at: float = field(default=-inf, init=False)
    _has_ended: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.match = Match(self.plan.schedule)

    @property
    def topic(self) -> str:
        """The topic of the bus under which its standings are published."""
        return f"match/{self.plan.match_id}/table"

    def listed(self) -> ListedMatch:
        match = self.match
        return ListedMatch(match_id=self.plan.match_id, game=self.plan.game, done=match.done, of=match.of)

    def begin(self, header: MatchHeader) -> None:
        """A new match."""
        self._began = self.clock()
        self._write(header)
        self.run()

    def go_on(self, past: PastMatch) -> None:
        """A match of an earlier run of the server."""
        match, outcomes, over = self.match, past.outcomes, past.over
        self._began = self.clock() - past.seconds
        match.is_over = over == 0
        match.restore(
            [self._with_record(outcome) for outcome in outcomes],
            lambda: match.done == over or (over is None and self._is_decided()),
        )
        if over is not None:
            match.is_over = self._has_ended = True
        self._proceed()

    def run(self) -> None:
        """Have some more games played, if there are any."""
        plan, description = self.plan, f"match {self.plan.match_id}"
        while self._jobs < self.workers and (games := self.match.next_games(plan.batch)):
            self._jobs += 1
            batch = Batch(config=plan.config, games=games)
            self.submit(
                Job(function=plan.play, argument=batch, description=description, on_done=self._played)
            )

    def cancel(self) -> None:
        """End it with the games that it has."""
        if not self.match.is_over:
            self.match.is_over = True
            self._proceed()

    def clear(self) -> None:
        """It is shown no more."""
        if self.bus:
            self.bus.clear(self.topic)
        if self.journal:
            self.journal.remove(self.plan.match_id)

    def _played(self, outcomes: list[GameOutcome] | None, seconds: float) -> None:
        """Games have been played, or could not be."""
        self._jobs -= 1
        if self._has_ended:
            return
        if outcomes is None:
            self.match.is_over = True
        else:
            for outcome in outcomes:
                self._write_record(outcome)
            played = [replace(outcome, record=()) for outcome in outcomes]
            self._write(MatchGames(outcomes=played, seconds=self.clock() - self._began))
            self.match.add(outcomes, self._is_enough)
        self._proceed()

    def _proceed(self) -> None:
        match, now = self.match, self.clock()
        if match.is_over:
            self._end()
            return
        if now - self._reported_at >= REPORT_SECONDS:
            self._reported_at = now
            table = rows(match.standings)
            self._publish(
                MatchEvent(
                    match_id=self.plan.match_id,
                    done=match.done,
                    of=match.of,
                    table=table,
                    running=match.running,
                )
            )
        self.run()

    def _end(self) -> None:
        match = self.match
        if not self._has_ended:
            self._has_ended = True
            self._write(MatchOver(games=match.done))
            if self.journal:
                self.journal.close(self.plan.match_id)
        records = list(match.records)[:MOST_LISTED] or None
        table = rows(match.standings)
        self._publish(
            MatchEnd(
                match_id=self.plan.match_id, table=table, games=match.done, seeds=match.seeds, records=records
            )
        )
        self.on_end()

    def _is_decided(self) -> bool:
        """Whether a stop rule holds, the time left aside."""
        match, stop = self.match, self.stop
        is_sure = stop.ci is not None and match.done >= LEAST_GAMES and match.standings.interval() <= stop.ci
        return is_sure or (stop.games is not None and match.done >= stop.games)

    def _is_enough(self) -> bool:
        minutes = self.stop.minutes
        return self._is_decided() or (minutes is not None and self.clock() >= self._began + 60 * minutes)

    def _publish(self, message: MatchEvent | MatchEnd) -> None:
        self.last = message
        line = encode(message)
        self.session.send(line)
        if self.bus:
            self.bus.publish(self.topic, BroadcastLine(line=line.rstrip()), is_state=True)

    # -- The journal --------------------------------------------------------------------------------

    def _write(self, line: RecordLine) -> None:
        """A line of the match, behind all that could not be written before."""
        if self.journal:
            self._unwritten.append((self.journal, self.plan.match_id, encode(line)))
            try:
                while self._unwritten:
                    journal, name, data = self._unwritten[0]
                    journal.append(name, data)
                    if journal is self.records:
                        journal.close(name)
                    self._unwritten.popleft()
                self.incidents.recover("the records of matches")
            except OSError as error:  # a full disk; the rest is tried again with the next
                self.incidents.fail("the records of matches", error)
            if self._is_kept == bool(self._unwritten):
                self._is_kept = not self._unwritten
                self.session.say(Kept(match_id=self.plan.match_id, kept=self._is_kept))

    def _write_record(self, outcome: GameOutcome) -> None:
        """Write the record of a game with the next line of the journal, so that no outcome is on disk before its record."""
        if self.records and outcome.record:
            self.records.remove(outcome.game_id)  # a kill may have come between the two
            self._unwritten.append((self.records, outcome.game_id, b"".join(outcome.record)))

    def _with_record(self, outcome: GameOutcome) -> GameOutcome:
        if self.records is None or outcome.game.number >= self.plan.recorded:
            return outcome
        lines = self.records.read(outcome.game_id) or ()
        return replace(outcome, record=[line + b"\n" for line in lines])
