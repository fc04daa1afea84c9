"""A game on the server: its seats, clocks and decisions. The referee is here and nowhere else.

It does no I/O: sessions send what it says, `ask` has slow agents decide elsewhere, and the clock comes from outside.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Literal

import msgspec
from msgspec import Raw, Struct

from engines.seeds import SeededStreams
from protocols.accounts import Account
from protocols.jsonl.adapter import Agent, Event, GameConfig, GameState, IllegalMove, Move
from protocols.jsonl.broadcast import Broadcaster, History
from protocols.jsonl.codec import ENCODER, error_of
from protocols.jsonl.messages import (
    Action,
    Check,
    Checked,
    ChosenSeed,
    ClockTerms,
    Forced,
    Id,
    Left,
    Listed,
    Ok,
    Position,
    Refusal,
    Rejoined,
    Resign,
    Resumption,
)
from protocols.jsonl.record_lines import (
    GivenUp,
    JournalDecide,
    JournalSeat,
    RecordAction,
    RecordLine,
)
from protocols.jsonl.seat import Decision, Seat
from protocols.jsonl.session import Session
from protocols.limits import GameLimits

SLICE_SECONDS: Final = 0.002  # of the loop for the agents of one game, before others have their turn
OVER: Final = b"over\n"  # the end line of a game without a broadcaster

Misread = IllegalMove | msgspec.ValidationError


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The options of a game that are not part of its rules."""

    clock: ClockTerms | None = None
    rated: bool = False
    chosen_seed: ChosenSeed | None = None
    on_gone: str = "default_action"  # or forfeit, or agent:NAME
    creator: str = ""  # the session

    @property
    def seed_chosen_by(self) -> str:
        """A name; empty unless a client has chosen the seed."""
        return self.chosen_seed.chosen_by if self.chosen_seed else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTurn:
    """A decision that a slow agent makes in another process; Game.decide_for() takes its outcome."""

    seat: int
    number: int
    agent: Agent
    began: float  # seconds


# -- The game --------------------------------------------------------------------------------------


class Game:
    """One game, from its creation until it is forgotten."""

    def __init__(
        self, game_id: str, game: str, state: GameState, seats: Sequence[Seat], config: GameConfig, options: GameOptions,
        limits: GameLimits, *, clock: Callable[[], float], ask: Callable[["Game", AgentTurn], object],
        leave: Callable[["Game", bool], object] | None = None, is_silent: bool = False,
    ) -> None:  # fmt: skip
        """`clock` tells seconds, `ask` has a slow agent decide; a silent game has no lines and no record.

        `leave` is called when the game is left to agents that decide at once (True), and when these have decided for
        SLICE_SECONDS, so that others need the loop (False): it sees to it that go_on() or end_with() is called later.
        Without it such a game is played to its end at once.
        """
        self.id = game_id
        self.game = game
        self.state = state
        self.seats = seats
        self.config = config
        self.options = options
        self.broadcaster = None
        if not is_silent:
            self.broadcaster = Broadcaster(
                game_id, game, state, seats, limits.kept_events, options.chosen_seed
            )
        self.is_started = False
        self.account: Account | None = None  # of the remote address that pays for it
        self.end_line = b""
        self.result: Struct | None = None
        self.is_kept = True  # what has happened is in the journal, if there is one
        self.acted_at = clock()  # when a client sat down or acted last
        self.timer_at = inf  # when somebody will look at its clocks
        self._limits = limits
        self._clock = clock
        self._ask = ask
        self._leave = leave
        self._is_left = False  # to its agents, by _leave
        self._is_paused = False  # since _leave was called
        self._moves: dict[int, Move] = {}

    # -- Its state ----------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return bool(self.end_line)

    @property
    def status(self) -> Literal["open", "running", "over"]:
        return "over" if self.is_over else "running" if self.is_started else "open"

    @property
    def seed(self) -> SeededStreams:
        return self.config.streams

    @property
    def seq(self) -> int:
        """The number of the last event, or of the end."""
        return self.lines.history.seq + bool(self.end_line)

    @property
    def lines(self) -> Broadcaster:
        """The broadcaster of a game that is not silent."""
        assert self.broadcaster is not None
        return self.broadcaster

    def listed(self, seq: int = 0) -> Listed:
        """Return the game's entry in a listing; `seq` is the number of its last event, 0 for none."""
        return Listed(
            game_id=self.id,
            game=self.game,
            variant=self.state.variant,
            seats=[seat.name for seat in self.seats],
            state=self.status,
            rated=self.options.rated,
            seed_chosen_by=self.options.seed_chosen_by,
            seq=seq,
        )

    def deadline(self) -> float:
        """Return when the first clock runs out if no player moves; inf if none runs."""
        return min(
            (seat.clock.deadline(seat.decision.began) for seat in self.seats if seat.decision), default=inf
        )

    def seats_of(self, session: Session) -> list[Seat]:
        return [seat for seat in self.seats if seat.session is session]

    # -- Who plays ----------------------------------------------------------------------------------

    def sit(self, seat: Seat, session: Session) -> None:
        """Give a seat to a session."""
        self.acted_at = self._clock()
        seat.session = session
        seat.name = session.preferences.name
        session.games.add(self.id)
        self._write(
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
            self._write(JournalSeat(game_id=self.id, seat=seat.index))
        session.games.discard(self.id)

    def disconnect(self, session: Session) -> None:
        """The connection of a session is lost; its seats stay, its clocks run."""
        self.lines.spectators.pop(session.id, None)
        for seat in self.seats_of(session):
            if self.is_started and not self.is_over and not seat.given_up and not seat.is_absent:
                seat.is_absent = True
                self._publish([Event(public=Left(seat=seat.index))])

    def resumption(self, session: Session) -> Resumption:
        """Return the first message for a session that is resumed."""
        pending = [seat.decision.id for seat in self.seats_of(session) if seat.decision]
        return Resumption(game_id=self.id, seq=self.seq, pending=pending[0] if pending else None)

    def resend(self, session: Session, position: Position) -> None:
        """Bring a session up to date: events where they are kept, else observations; then what is due."""
        lines, seats, first = self.lines, self.seats_of(session), position.from_seq
        if first is None or position.full or not lines.history.has(max(first, 1)):
            for seat in seats:
                session.say(lines.observation(seat.index, self.seq))
        else:
            if first == 0:
                for seat in seats:
                    session.send(lines.start_line(seat.index))
            events = lines.history.between(max(first, 1), lines.history.seq)
            session.send(*lines.event_lines(events, session))
        for seat in seats:
            if seat.is_absent:
                seat.is_absent = False
                self._publish([Event(public=Rejoined(seat=seat.index))])
            if seat.decision:
                session.send(lines.decide_line(seat, seat.decision, self._clock()))
        if self.is_over and (first is None or first <= self.seq):
            session.send(self.end_line)

    def replace(self, session: Session, name: str, agent: Agent | None) -> None:
        """A session will not come back: the agent of that name, or the default action, plays on for it."""
        for seat in self.seats_of(session):
            seat.agent = agent
            seat.session = None
            self._write(JournalSeat(game_id=self.id, seat=seat.index, agent=name))
            if seat.decision and agent is None:
                self._force(seat, "gone")
            elif seat.decision:
                self._close(seat)
        self._go()

    def give_up(self, seat: Seat, reason: Literal["resign", "forfeit"]) -> None:
        """End the play of a seat. The game is over when only one seat still plays."""
        self._give_up(seat, reason)
        if sum(not other.given_up for other in self.seats) <= 1:
            self._abandon(reason)
        else:
            self._go()

    def abandon(self) -> None:
        """All clients forfeit, and the game is over, though agents could play on."""
        for seat in self.seats:
            if seat.session and not seat.given_up:
                self._give_up(seat, "forfeit")
        self._abandon("forfeit")

    # -- What happens -------------------------------------------------------------------------------

    def start(self) -> None:
        """All seats are taken."""
        self.is_started = True
        if self.broadcaster:
            self.broadcaster.prepare()
            self.broadcaster.send_start()
        self._publish(self.state.begin())
        self._go()

    def go_on_from(self, moves: dict[int, Move], pending: Sequence[Event]) -> None:
        """Go on where a record stops: `pending` has happened, and `moves` are made, of those that are due."""
        self._moves = moves
        self._publish(pending)
        self._go()

    def act(self, session: Session, message: Action) -> None:
        """Take an action. Refusal if it is not taken; the decision then stays open as long as tries are left."""
        answer = message.id if message.id is not None else message.re
        seats = self.seats_of(session)
        for seat in seats:
            if seat.has_accepted(message.re):
                if seat.is_accepted_action(message.re, bytes(message.action)):
                    session.say(Ok(re=answer, duplicate=True))
                    return
                if not self.is_over:
                    raise Refusal("stale_seq", "that decision is over, with another action or none")
        seat, decision = self._open_decision(seats, message.re, message.seq)
        if self._clock() > seat.clock.deadline(decision.began):
            self.tick()
            raise Refusal("stale_seq", "that decision is over: time ran out")
        try:
            move = self.state.parse_action(seat.index, bytes(message.action))
        except (IllegalMove, msgspec.ValidationError) as error:
            decision.tries_left -= 1
            session.say(error_of(_refusal(error, answer, decision.tries_left), self.id))
            if not decision.tries_left:
                self._force(seat, "illegal")
                self._go()
            return
        if message.id is not None:
            session.say(Ok(re=message.id))
        self.acted_at = self._clock()
        self._close(seat, bytes(message.action))
        self._move(seat, move)
        self._go()

    def check(self, session: Session, message: Check) -> Checked:
        """Every problem of an action; nothing changes."""
        seat, _ = self._open_decision(self.seats_of(session), message.re, None)
        try:
            move = self.state.parse_action(seat.index, bytes(message.action))
        except (IllegalMove, msgspec.ValidationError) as error:
            return Checked(ok=False, problems=_problems(error))
        return Checked(ok=True, problems=[], preview=self.state.preview(seat.index, move))

    def resign(self, session: Session, message: Resign) -> None:
        """Give up all seats of a session."""
        if self.is_over:
            raise Refusal("game_over", "the game is over")
        if not self.is_started:
            raise Refusal("not_permitted", "the game has not begun; use leave")
        session.answer(message, Ok())
        for seat in self.seats_of(session):
            if not seat.given_up and not self.is_over:
                self.give_up(seat, "resign")

    def decide_for(self, turn: AgentTurn, move: Move | None) -> None:
        """A slow agent has decided; None if it could not. Its clock has run since it was asked."""
        seat = self.seats[turn.seat]
        if self.is_over or seat.thinking != turn.number:
            return
        seat.thinking = 0
        now = self._clock()
        is_late = now > seat.clock.deadline(turn.began)
        seat.clock.stop(turn.began, now)
        if is_late:
            self._run_out(seat)
            return
        if move is None:
            self._force(seat, "timeout")
        else:
            self._move(seat, move)
        self._go()

    def go_on(self) -> None:
        """Play on after a pause."""
        self._is_paused = False
        self._go()

    def end_with(
        self, state: GameState, history: History, lines: Sequence[bytes], public: Sequence[bytes],
        end_line: bytes, result: Struct,
    ) -> None:  # fmt: skip
        """Take over the end of a game that was left to its agents, and that another process has played."""
        if self.is_over:
            return
        self.state = self.lines.state = state
        self._moves = {}
        self.lines.catch_up(history, lines, public)
        self._end_as(result, end_line)

    def tick(self) -> None:
        """Play for those whose time has run out."""
        now = self._clock()
        for seat in self.seats:
            decision = seat.decision
            if self.is_over or decision is None or now < seat.clock.deadline(decision.began):
                continue
            if seat.session:
                refusal = Refusal("timeout", "time ran out", re=decision.id)
                seat.session.say(error_of(refusal, self.id))
            self._run_out(seat)

    # -- Helpers ------------------------------------------------------------------------------------

    def _write(self, line: RecordLine) -> None:
        if self.broadcaster:
            self.broadcaster.write(line)

    def _publish(self, events: Sequence[Event]) -> None:
        if self.broadcaster:
            self.broadcaster.publish(events)

    def _give_up(self, seat: Seat, reason: Literal["resign", "forfeit"]) -> None:
        if seat.decision:
            self._close(seat)
        seat.given_up = reason
        seat.thinking = 0
        self._write(GivenUp(game_id=self.id, seat=seat.index, reason=reason))
        self._publish([Event(public=Left(seat=seat.index))])

    def _abandon(self, reason: Literal["resign", "forfeit"]) -> None:
        gone = [seat.index for seat in self.seats if seat.given_up]
        self._end(self.state.abandoned(gone, reason))

    def _go(self) -> None:
        """Play on until a client or a slow agent has to decide, or the game is over or paused."""
        until = self._clock() + SLICE_SECONDS
        while not self.is_over and not self._is_paused:
            result = self.state.result()
            if result is not None:
                self._end(result)
                return
            is_left = not self._is_left and all(map(self._decides_at_once, self.seats))
            if self._leave is not None and (is_left or self._clock() >= until):
                self._is_left |= is_left
                self._is_paused = True
                self._leave(self, is_left)
            elif not self._play_round():
                return

    def _play_round(self) -> bool:
        """Have each seat decide that is due. Once all have, apply their moves; return whether this happened."""
        due = self.state.due()
        for index in sorted(due, key=self._decides_last):
            seat = self.seats[index]
            if index in self._moves or seat.decision or seat.thinking:
                continue
            if self._decides_last(index) and not self._have_decided(due, index):
                continue
            if seat.given_up or (seat.agent is None and seat.session is None):
                self._move(seat, self.state.default_action(index), given_up=True)
            elif seat.agent is None:
                self._decide(seat)
            elif seat.agent.is_slow:
                seat.decisions += 1
                seat.thinking = seat.decisions
                turn = AgentTurn(seat=index, number=seat.decisions, agent=seat.agent, began=self._clock())
                self._ask(self, turn)
            else:
                self._move(seat, seat.agent.choose(self.state, index))
        if any(index not in self._moves for index in due):
            return False
        moves, self._moves = self._moves, {}
        self._publish(self.state.apply(moves))
        return True

    def _decides_at_once(self, seat: Seat) -> bool:
        """Return whether a seat waits for no client and no slow agent."""
        if seat.given_up or seat.agent is None:
            return bool(seat.given_up) or seat.session is None
        return not seat.agent.is_slow

    def _decides_last(self, index: int) -> bool:
        agent = self.seats[index].agent
        return agent is not None and agent.decides_last

    def _have_decided(self, due: Sequence[int], last: int) -> bool:
        """Whether all but those who decide last have."""
        return all(index in self._moves or self._decides_last(index) for index in due if index != last)

    def _decide(self, seat: Seat) -> None:
        session = seat.session
        assert session is not None
        now, lines = self._clock(), self.lines
        decision = Decision(
            id=session.decide_id(), seq=lines.history.seq, began=now, tries_left=self._limits.tries
        )
        seat.decision = decision
        seat.decisions += 1
        self._write(JournalDecide(game_id=self.id, seat=seat.index, id=decision.id))
        session.send(lines.decide_line(seat, decision, now))

    def _open_decision(self, seats: Sequence[Seat], decide: Id, seq: int | None) -> tuple[Seat, Decision]:
        """Return the seat that has to make the decision `decide`, and the decision. Raises Refusal if none has."""
        if self.is_over:
            raise Refusal("game_over", "the game is over")
        for seat in seats:
            if seat.decision and seat.decision.id == decide:
                if seq is not None and seq != seat.decision.seq:
                    raise Refusal("stale_seq", f"that decision has seq {seat.decision.seq}")
                return seat, seat.decision
        if seq is not None and seq < self.lines.history.seq:
            raise Refusal("stale_seq", "that decision is over")
        raise Refusal("not_your_turn", "you have no such decision to make")

    def _close(self, seat: Seat, action: bytes = b"") -> None:
        """The decision of a seat is made, by an action of the client's or without one."""
        decision = seat.decision
        assert decision is not None
        seat.clock.stop(decision.began, self._clock())
        seat.decision = None
        seat.accept(decision.id, action)

    def _run_out(self, seat: Seat) -> None:
        """The time of a seat is out: it forfeits, or the default action is played."""
        if self.options.clock and self.options.clock.on_timeout == "forfeit":
            self.give_up(seat, "forfeit")
        else:
            self._force(seat, "timeout")
            self._go()

    def _force(self, seat: Seat, reason: str) -> None:
        """Play the default action for a seat; forfeit if that happens too often."""
        if seat.decision:
            self._close(seat)
        seat.forced += 1
        self._publish([Event(public=Forced(seat=seat.index, reason=reason))])
        if seat.forced > self._limits.forced_actions:
            self.give_up(seat, "forfeit")
            return
        self._move(seat, self.state.default_action(seat.index), forced=reason)

    def _move(self, seat: Seat, move: Move, *, forced: str = "", given_up: bool = False) -> None:
        """Keep the move of a seat until all seats that are due have decided."""
        self._moves[seat.index] = move
        if self.broadcaster:
            shown = self.state.format_action(seat.index, move)
            self.broadcaster.write(
                RecordAction(
                    game_id=self.id,
                    seq=self.broadcaster.history.seq,
                    seat=seat.index,
                    action=shown if isinstance(shown, Raw) else Raw(ENCODER.encode(shown)),
                    forced=forced,
                    given_up=given_up,
                    bank_ms=seat.clock.bank_ms if self.options.clock else None,
                )
            )

    def _end(self, result: Struct) -> None:
        self._end_as(result, self.broadcaster.end_line(result, self.seed) if self.broadcaster else OVER)

    def _end_as(self, result: Struct, end_line: bytes) -> None:
        for seat in self.seats:
            seat.decision = None
            seat.thinking = 0
        self.result = result
        self.end_line = end_line
        if self.broadcaster:
            self.broadcaster.send_end(end_line)


def chosen_seed(config: GameConfig, chance: Collection[str], by: str) -> ChosenSeed | None:
    """Return the seed and the random options that a client has chosen; None if the server draws them all."""
    options = {name: config.options[name] for name in chance if config.options.get(name) is not None}
    number = None if config.streams.salt else config.streams.number
    if number is None and not options:
        return None
    return ChosenSeed(chosen_by=by, hidden="open", number=number, options=options or None)


def _refusal(error: Misread, re: Id | None, tries: int) -> Refusal:
    """Return the refusal of an illegal action, with the number of tries that are left."""
    if isinstance(error, IllegalMove):
        first, *others = error.problems
        data = {**first, "problems": list(error.problems)} if others else first
        return Refusal("illegal_action", str(error), data=data, re=re, tries_left=tries)
    message, _, path = str(error).partition(" - at `$")
    data = {"path": f"$.action{path.rstrip('`')}"}
    return Refusal("invalid_params", message[:200], data=data, re=re, tries_left=tries)


def _problems(error: Misread) -> list[dict[str, object]]:
    """The same for `checked`."""
    if isinstance(error, IllegalMove):
        return list(error.problems)
    return [{"field": "action", "reason": "malformed", "message": str(error)[:200]}]
