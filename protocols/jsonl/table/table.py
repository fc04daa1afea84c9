"""A table: one game with its seats, its clocks and its onlookers. The referee lives here, and nowhere else.

It takes messages with their time and sends lines to sessions; it never waits. An agent that is slow is
asked through `asks`, and answers with think().
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from engines.seeds import SeededStreams
from protocols.jsonl.adapter import Agent, Event, GameState, IllegalMove, Move
from protocols.jsonl.codec import ENCODER, error_of
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.messages import (
    Action,
    Check,
    Checked,
    Forced,
    GivenUp,
    Id,
    JournalDecide,
    JournalSeat,
    Left,
    Ok,
    RecordAction,
    Refusal,
    Rejoined,
    Resign,
)
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.answer import not_taken, open_decision, problems_of
from protocols.jsonl.table.herald import Herald
from protocols.jsonl.table.seat import Decision, Seat
from protocols.jsonl.table.terms import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A decision that a slow agent is to make somewhere else."""

    seat: int
    number: int
    agent: Agent
    began: float  # seconds


class Table:
    """One game, from its creation until it is forgotten."""

    def __init__(
        self, game_id: str, game: str, play: GameState, seats: Sequence[Seat], seed: SeededStreams, terms: Terms,
        limits: JsonlLimits,
    ) -> None:  # fmt: skip
        self.id = game_id
        self.game = game
        self.play = play
        self.seats = seats
        self.seed = seed
        self.terms = terms
        self.herald: Herald = Herald(game_id, game, play, seats, limits.kept_events)
        self.asks: list[Ask] = []
        self.is_started = False
        self.end_line = b""
        self.result: Struct | None = None
        self.is_closed = False  # its record is complete
        self.rings_at = inf  # when somebody will look at its clocks
        self._limits = limits
        self._moves: dict[int, Move] = {}

    # -- The state of the game ----------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return bool(self.end_line)

    @property
    def state(self) -> Literal["open", "running", "over"]:
        return "over" if self.is_over else "running" if self.is_started else "open"

    @property
    def seq(self) -> int:
        """The number of the last event, or of the end."""
        return self.herald.history.seq + bool(self.end_line)

    def deadline(self) -> float:
        """When a clock runs out, if nobody moves."""
        return min(
            (seat.clock.deadline(seat.decision.began) for seat in self.seats if seat.decision), default=inf
        )

    def seats_of(self, session: Session) -> list[Seat]:
        return [seat for seat in self.seats if seat.session is session]

    # -- What happens to it -------------------------------------------------------------------------

    def sit(self, seat: Seat, session: Session) -> None:
        """A session takes a seat."""
        seat.session = session
        seat.name = session.preferences.name
        session.games.add(self.id)
        self.herald.note(
            JournalSeat(
                game_id=self.id,
                seat=seat.index,
                session=session.id,
                token_hash=session.token_hash,
                name=seat.name,
            )
        )

    def stand_up(self, session: Session) -> None:
        """A session gives its seats back, before the start."""
        for seat in self.seats_of(session):
            seat.session = None
            seat.name = ""
            self.herald.note(JournalSeat(game_id=self.id, seat=seat.index))
        session.games.discard(self.id)

    def start(self, now: float) -> None:
        """All seats are taken."""
        self.is_started = True
        self.herald.prepare()
        self.herald.begin()
        self.herald.tell(self.play.begin())
        self._go(now)

    def act(self, session: Session, message: Action, now: float) -> None:
        """An action. Refusal if it is not taken; the decision then stays open as long as tries are left."""
        answer = message.id if message.id is not None else message.re
        seats = self.seats_of(session)
        if any(seat.has_accepted(message.re) for seat in seats):
            session.say(Ok(re=answer, duplicate=True))
            return
        seat, decision = self._open_decision(seats, message.re, message.seq)
        if now > seat.clock.deadline(decision.began):
            self.tick(now)
            raise Refusal("stale_seq", "that decision is over: time ran out")
        try:
            move = self.play.parse_action(seat.index, bytes(message.action))
        except (IllegalMove, msgspec.ValidationError) as error:
            decision.tries_left -= 1
            session.say(error_of(not_taken(error, answer, decision.tries_left), self.id))
            if not decision.tries_left:
                self._force(seat, "illegal", now)
                self._go(now)
            return
        if message.id is not None:
            session.say(Ok(re=message.id))
        self._close(seat, now)
        self._move(seat, move)
        self._go(now)

    def check(self, session: Session, message: Check) -> Checked:
        """Every problem of an action; nothing changes."""
        seat, _ = self._open_decision(self.seats_of(session), message.re, None)
        try:
            move = self.play.parse_action(seat.index, bytes(message.action))
        except (IllegalMove, msgspec.ValidationError) as error:
            return Checked(re=message.id, ok=False, problems=problems_of(error))
        preview = self.play.preview(seat.index, move)
        return Checked(re=message.id, ok=True, problems=[], preview=preview)

    def resign(self, session: Session, message: Resign, now: float) -> None:
        """Give up all seats of a session."""
        if self.is_over:
            raise Refusal("game_over", "the game is over", re=message.id)
        if not self.is_started:
            raise Refusal("not_permitted", "the game has not begun; use leave", re=message.id)
        session.say(Ok(re=message.id))
        for seat in self.seats_of(session):
            if not seat.given_up and not self.is_over:
                self.give_up(seat, "resign", now)

    def think(self, ask: Ask, move: Move | None, now: float) -> None:
        """A slow agent has decided; None if it could not. Its clock has run since it was asked."""
        seat = self.seats[ask.seat]
        if self.is_over or seat.thinking != ask.number:
            return
        seat.thinking = 0
        is_late = now > seat.clock.deadline(ask.began)
        seat.clock.stop(ask.began, now)
        if is_late:
            self._run_out(seat, now)
            return
        if move is None:
            self._force(seat, "timeout", now)
        else:
            self._move(seat, move)
        self._go(now)

    def tick(self, now: float) -> None:
        """Play for those whose time has run out."""
        for seat in self.seats:
            decision = seat.decision
            if self.is_over or decision is None or now < seat.clock.deadline(decision.began):
                continue
            if seat.session:
                told = Refusal("timeout", "time ran out", re=decision.id)
                seat.session.say(error_of(told, self.id))
            self._run_out(seat, now)

    def give_up(self, seat: Seat, reason: Literal["resign", "forfeit"], now: float) -> None:
        """From now on nobody plays for this seat; with one player left the game is over."""
        if seat.decision:
            self._close(seat, now)
        seat.given_up = reason
        seat.thinking = 0
        self.herald.note(GivenUp(game_id=self.id, seat=seat.index, reason=reason))
        self.herald.tell([Event(public=Left(seat=seat.index))])
        if sum(not other.given_up for other in self.seats) <= 1:
            gone = [other.index for other in self.seats if other.given_up]
            self._end(self.play.abandoned(gone, reason))
        else:
            self._go(now)

    def lose(self, session: Session) -> None:
        """The connection of a session is lost; its seats stay, its clocks run."""
        self.herald.onlookers.pop(session.id, None)
        for seat in self.seats_of(session):
            if self.is_started and not self.is_over and not seat.given_up and not seat.is_absent:
                seat.is_absent = True
                self.herald.tell([Event(public=Left(seat=seat.index))])

    def welcome_back(self, seat: Seat) -> None:
        """Somebody sits there again."""
        seat.is_absent = False
        self.herald.tell([Event(public=Rejoined(seat=seat.index))])

    def replace(self, session: Session, name: str, agent: Agent | None, now: float) -> None:
        """A session will not come back: the agent of that name, or the default action, plays on for it."""
        for seat in self.seats_of(session):
            seat.agent = agent
            seat.session = None
            self.herald.note(JournalSeat(game_id=self.id, seat=seat.index, agent=name))
            if seat.decision and agent is None:
                self._force(seat, "gone", now)
            elif seat.decision:
                self._close(seat, now)
        self._go(now)

    # -- Living through it again -------------------------------------------------------------------

    def go_on(self, moves: dict[int, Move], unheard: Sequence[Event], now: float) -> None:
        """Go on where the record stops: `unheard` has happened, and `moves` are made, of those that are due."""
        self._moves = moves
        self.herald.tell(unheard)
        self._go(now)

    # -- Helpers ------------------------------------------------------------------------------------

    def _go(self, now: float) -> None:
        """Play on until somebody outside has to decide."""
        while not self.is_over:
            result = self.play.result()
            if result is not None:
                self._end(result)
                return
            due = self.play.due()
            for index in sorted(due, key=self._decides_last):
                seat = self.seats[index]
                if index in self._moves or seat.decision or seat.thinking:
                    continue
                if self._decides_last(index) and not self._have_decided(due, index):
                    continue
                if seat.given_up or (seat.agent is None and seat.session is None):
                    self._move(seat, self.play.default_action(index), given_up=True)
                elif seat.agent is None:
                    self._decide(seat, now)
                elif seat.agent.is_slow:
                    seat.decisions += 1
                    seat.thinking = seat.decisions
                    self.asks.append(Ask(seat=index, number=seat.decisions, agent=seat.agent, began=now))
                else:
                    self._move(seat, seat.agent.choose(self.play, index))
            if any(index not in self._moves for index in due):
                return
            moves, self._moves = self._moves, {}
            self.herald.tell(self.play.apply(moves))

    def _decides_last(self, index: int) -> bool:
        agent = self.seats[index].agent
        return agent is not None and agent.decides_last

    def _have_decided(self, due: Sequence[int], last: int) -> bool:
        """Whether all but those who decide last have."""
        return all(index in self._moves or self._decides_last(index) for index in due if index != last)

    def _decide(self, seat: Seat, now: float) -> None:
        session = seat.session
        assert session is not None
        decision = Decision(
            id=session.decide_id(), seq=self.herald.history.seq, began=now, tries_left=self._limits.tries
        )
        seat.decision = decision
        seat.decisions += 1
        self.herald.note(JournalDecide(game_id=self.id, seat=seat.index, id=decision.id))
        session.send(self.herald.decide_line(seat, decision, now, is_again=False))

    def _open_decision(self, seats: Sequence[Seat], decide: Id, seq: int | None) -> tuple[Seat, Decision]:
        if self.is_over:
            raise Refusal("game_over", "the game is over")
        return open_decision(seats, decide, seq, self.herald.history.seq)

    def _close(self, seat: Seat, now: float) -> None:
        """The decision of a seat is made."""
        decision = seat.decision
        assert decision is not None
        seat.clock.stop(decision.began, now)
        seat.decision = None
        seat.accept(decision.id)

    def _run_out(self, seat: Seat, now: float) -> None:
        """The time of a seat is out: it forfeits, or the default action is played."""
        if self.terms.clock and self.terms.clock.on_timeout == "forfeit":
            self.give_up(seat, "forfeit", now)
        else:
            self._force(seat, "timeout", now)
            self._go(now)

    def _force(self, seat: Seat, reason: str, now: float) -> None:
        """Play the default action for a seat; forfeit if that happens too often."""
        if seat.decision:
            self._close(seat, now)
        seat.forced += 1
        self.herald.tell([Event(public=Forced(seat=seat.index, reason=reason))])
        if seat.forced > self._limits.forced_actions:
            self.give_up(seat, "forfeit", now)
            return
        self._move(seat, self.play.default_action(seat.index), forced=reason)

    def _move(self, seat: Seat, move: Move, *, forced: str = "", given_up: bool = False) -> None:
        """What a seat plays, once all that are due have decided."""
        self._moves[seat.index] = move
        shown = self.play.format_action(seat.index, move)
        self.herald.note(
            RecordAction(
                game_id=self.id,
                seq=self.herald.history.seq,
                seat=seat.index,
                action=shown if isinstance(shown, Raw) else Raw(ENCODER.encode(shown)),
                forced=forced,
                given_up=given_up,
                bank_ms=seat.clock.bank_ms if self.terms.clock else None,
            )
        )

    def _end(self, result: Struct) -> None:
        for seat in self.seats:
            seat.decision = None
            seat.thinking = 0
        self.result = result
        self.end_line = self.herald.end_line(result, self.seed)
        self.herald.end(self.end_line)
