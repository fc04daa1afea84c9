"""A table: one game with its seats, its clocks and its onlookers. The referee lives here, and nowhere else.

It takes messages with their time and sends lines to sessions; it never waits. An agent that is slow is
asked through `asks`, and answers with think().
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Literal

import msgspec
from msgspec import Raw, Struct

from protocols.jsonl.binding.binding import Agent, Happening, IllegalMove, Move, Play
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.messages.client import Action, Check, Resign
from protocols.jsonl.messages.codec import ENCODER, error_of
from protocols.jsonl.messages.errors import Refusal
from protocols.jsonl.messages.server import (
    Checked,
    Forced,
    Left,
    Ok,
    Rejoined,
    Resumption,
)
from protocols.jsonl.messages.values import ClockTerms, Position
from protocols.jsonl.record.lines import GivenUp, Journal, RecordAction
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.herald import Herald
from protocols.jsonl.table.seat import Decision, Seat
from protocols.jsonl.table.seeds import Seed

TOLD_EVERY: Final = 10  # decisions, of the latency


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A decision that a slow agent is to make somewhere else."""

    table: "Table"
    seat: int
    number: int
    agent: Agent


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a game is played, beyond its rules."""

    clock: ClockTerms | None = None
    rated: bool = False
    on_gone: str = "default_action"  # or forfeit, or agent:NAME
    creator: str = ""  # the session


class Table:
    """One game, from its creation until it is forgotten."""

    def __init__(
        self, game_id: str, game: str, play: Play, seats: Sequence[Seat], seed: Seed, terms: Terms,
        limits: JsonlLimits,
    ) -> None:  # fmt: skip
        self.id = game_id
        self.game = game
        self.play = play
        self.seats = seats
        self.seed = seed
        self.terms = terms
        self.herald = Herald(game_id, game, play, seats, limits.kept_events)
        self.asks: list[Ask] = []
        self.is_started = False
        self.end_line = b""
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

    def start(self, now: float) -> None:
        """All seats are taken."""
        self.is_started = True
        for seat in self.seats:
            if seat.session:
                self.herald.note(
                    Journal(
                        game_id=self.id,
                        seat=seat.index,
                        session=seat.session.id,
                        token_hash=seat.session.token_hash,
                        name=seat.name,
                    )
                )
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
        seat, decision = self._open_decision(seats, message.re, message.seq, answer)
        if now > seat.clock.deadline(decision.began):
            self.tick(now)
            raise Refusal("stale_seq", "that decision is over: time ran out", re=answer)
        try:
            move = self.play.read(seat.index, bytes(message.action))
        except (IllegalMove, msgspec.ValidationError) as error:
            decision.tries_left -= 1
            session.say(error_of(_refusal(error, answer, decision.tries_left), self.id))
            if not decision.tries_left:
                self._force(seat, "illegal", now)
                self._go(now)
            return
        if message.id is not None:
            session.say(Ok(re=message.id))
        self._close(seat, now)
        self._moves[seat.index] = move
        self._write_move(seat, move)
        self._go(now)

    def check(self, session: Session, message: Check) -> Checked:
        """Every problem of an action; nothing changes."""
        seats = self.seats_of(session)
        seat, _ = self._open_decision(seats, message.re, None, message.id)
        try:
            self.play.read(seat.index, bytes(message.action))
        except IllegalMove as error:
            return Checked(re=message.id, ok=False, problems=list(error.problems))
        except msgspec.ValidationError as error:
            problem = {"field": "action", "reason": "malformed", "message": str(error)[:200]}
            return Checked(re=message.id, ok=False, problems=[problem])
        return Checked(re=message.id, ok=True, problems=[])

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
        """A slow agent has decided; None if it could not."""
        seat = self.seats[ask.seat]
        if self.is_over or seat.thinking != ask.number:
            return
        seat.thinking = 0
        if move is None:
            self._force(seat, "timeout", now)
        else:
            self._moves[seat.index] = move
            self._write_move(seat, move)
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
            if self.terms.clock and self.terms.clock.on_timeout == "forfeit":
                self.give_up(seat, "forfeit", now)
            else:
                self._force(seat, "timeout", now)
                self._go(now)

    def give_up(self, seat: Seat, reason: Literal["resign", "forfeit"], now: float) -> None:
        """From now on nobody plays for this seat; with one player left the game is over."""
        if seat.decision:
            self._close(seat, now)
        seat.given_up = reason
        seat.thinking = 0
        self.herald.note(GivenUp(game_id=self.id, seat=seat.index, reason=reason))
        self.herald.tell([Happening(event=Left(seat=seat.index))])
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
                self.herald.tell([Happening(event=Left(seat=seat.index))])

    def replace(self, session: Session, agent: Agent | None, now: float) -> None:
        """A session will not come back: an agent, or the default action, plays on for it."""
        for seat in self.seats_of(session):
            seat.agent = agent
            seat.session = None
            if seat.decision and agent is None:
                self._force(seat, "gone", now)
            elif seat.decision:
                self._close(seat, now)
        self._go(now)

    # -- Coming back --------------------------------------------------------------------------------

    def resumption(self, session: Session) -> Resumption:
        pending = [seat.decision.id for seat in self.seats_of(session) if seat.decision]
        return Resumption(game_id=self.id, seq=self.seq, pending=pending[0] if pending else None)

    def resend(self, session: Session, position: Position, now: float) -> None:
        """Bring a session up to date: events where they are kept, else observations; then what is due."""
        first = position.from_seq
        if first is None or position.full or not self.herald.history.has(max(first, 1)):
            for seat in self.seats_of(session):
                session.say(self.herald.observed(seat.index, self.seq))
        else:
            if first == 0:
                for seat in self.seats_of(session):
                    session.send(self.herald.start_line(seat.index))
            for happened in self.herald.history.between(max(first, 1), self.herald.history.seq):
                session.send(self.herald.line(happened, session))
        for seat in self.seats_of(session):
            if seat.is_absent:
                seat.is_absent = False
                self.herald.tell([Happening(event=Rejoined(seat=seat.index))])
            if seat.decision:
                session.send(self.herald.decide_line(seat, seat.decision, now, is_again=True))
        if self.is_over and (first is None or first <= self.seq):
            session.send(self.end_line)

    # -- Living through it again -------------------------------------------------------------------

    def go_on(self, moves: dict[int, Move], unheard: Sequence[Happening], now: float) -> None:
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
            for index in due:
                seat = self.seats[index]
                if index in self._moves or seat.decision or seat.thinking:
                    continue
                if seat.given_up or (seat.agent is None and seat.session is None):
                    self._moves[index] = self.play.default(index)
                    self._write_move(seat, self._moves[index], given_up=True)
                elif seat.agent is None:
                    self._decide(seat, now)
                elif seat.agent.is_slow:
                    seat.decisions += 1
                    seat.thinking = seat.decisions
                    self.asks.append(Ask(table=self, seat=index, number=seat.decisions, agent=seat.agent))
                else:
                    self._moves[index] = seat.agent.choose(self.play, index)
                    self._write_move(seat, self._moves[index])
            if any(index not in self._moves for index in due):
                return
            moves, self._moves = self._moves, {}
            self.herald.tell(self.play.play(moves))

    def _decide(self, seat: Seat, now: float) -> None:
        session = seat.session
        assert session is not None
        decision = Decision(
            id=session.decide_id(), seq=self.herald.history.seq, began=now, tries_left=self._limits.tries
        )
        seat.decision = decision
        seat.decisions += 1
        self.herald.note(Journal(game_id=self.id, seat=seat.index, pending=decision.id))
        session.send(self.herald.decide_line(seat, decision, now, is_again=False))

    def _open_decision(
        self, seats: Sequence[Seat], decide: int | str, seq: int | None, answer: int | str | None
    ) -> tuple[Seat, Decision]:
        if self.is_over:
            raise Refusal("game_over", "the game is over", re=answer)
        for seat in seats:
            if seat.decision and seat.decision.id == decide:
                if seq is not None and seq != seat.decision.seq:
                    raise Refusal("stale_seq", f"that decision has seq {seat.decision.seq}", re=answer)
                return seat, seat.decision
        if seq is not None and seq < self.herald.history.seq:
            raise Refusal("stale_seq", "that decision is over", re=answer)
        raise Refusal("not_your_turn", "you have no such decision to make", re=answer)

    def _close(self, seat: Seat, now: float) -> None:
        """The decision of a seat is made."""
        decision = seat.decision
        assert decision is not None
        seat.clock.stop(decision.began, now)
        seat.decision = None
        seat.accept(decision.id)
        self.herald.note(
            Journal(game_id=self.id, seat=seat.index, answered=decision.id, bank_ms=seat.clock.bank_ms)
        )

    def _force(self, seat: Seat, reason: str, now: float) -> None:
        """Play the default action for a seat; forfeit if that happens too often."""
        if seat.decision:
            self._close(seat, now)
        seat.forced += 1
        self.herald.tell([Happening(event=Forced(seat=seat.index, reason=reason))])
        if seat.forced > self._limits.forced_actions:
            self.give_up(seat, "forfeit", now)
            return
        move = self.play.default(seat.index)
        self._moves[seat.index] = move
        self._write_move(seat, move, forced=reason)

    def _write_move(self, seat: Seat, move: Move, forced: str = "", given_up: bool = False) -> None:
        shown = ENCODER.encode(self.play.shown(seat.index, move))
        self.herald.note(
            RecordAction(
                game_id=self.id, seq=self.herald.history.seq, seat=seat.index, action=Raw(shown), forced=forced,
                given_up=given_up,
            )
        )  # fmt: skip

    def _end(self, result: Struct) -> None:
        for seat in self.seats:
            seat.decision = None
            seat.thinking = 0
        self.end_line = self.herald.end_line(result, self.seed)
        self.herald.end(self.end_line)


def _refusal(error: IllegalMove | msgspec.ValidationError, answer: int | str | None, tries: int) -> Refusal:
    if isinstance(error, IllegalMove):
        first, *others = error.problems
        data = {**first, "problems": list(error.problems)} if others else first
        return Refusal("illegal_action", str(error), data=data, re=answer, tries_left=tries)
    path = str(error).partition(" - at `$")[2].rstrip("`")
    return Refusal(
        "invalid_params", str(error).partition(" - at ")[0][:200], data={"path": f"$.action{path}"}, re=answer,
        tries_left=tries,
    )  # fmt: skip
