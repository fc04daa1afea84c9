"""The referee of a game: it asks each seat that is due for a decision, applies the moves, and ends the game.

A round has one decision of each seat that is due (`GameState.due`). A client is sent a `decide` and answers later; a slow
agent is asked through the GameHost; any other agent decides at once; for a seat that was given up or has no player, the
default action is played. When all of these have decided, the rules apply the moves together, the events are published,
and the next round starts. `actions.py` checks the actions of clients before they come here, `seating.py` changes the
players of the seats. There is no I/O: sessions send the lines, and the GameHost has the clock and the other processes.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Literal

from msgspec import Raw, Struct

from engines.seeds import SeededStreams
from protocols.accounts import Account
from protocols.jsonl.adapter import Agent, Event, GameConfig, GameState, Move
from protocols.jsonl.broadcast import Broadcaster, History
from protocols.jsonl.codec import ENCODER, error_of
from protocols.jsonl.messages import (
    ChosenSeed,
    ClockTerms,
    Forced,
    Left,
    Listed,
    Refusal,
)
from protocols.jsonl.record_lines import (
    GivenUp,
    JournalDecide,
    RecordAction,
    RecordLine,
)
from protocols.jsonl.seat import Decision, Seat
from protocols.jsonl.session import Session
from protocols.limits import GameLimits

SLICE_SECONDS: Final = 0.002  # of the loop for the agents of one game, before others have their turn
OVER: Final = b"over\n"  # the end line of a game without a broadcaster


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The options of a game that are not part of its rules."""

    clock: ClockTerms | None = None
    rated: bool = False
    chosen_seed: ChosenSeed | None = None
    on_gone: str = "default_action"  # or forfeit, or agent:NAME
    creator: str = ""  # the session
    is_silent: bool = False  # it has no lines and no record

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


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedGame:
    """The end of a game that was left to its agents, and that another process has played."""

    state: GameState
    history: History  # packed
    lines: Sequence[bytes]  # that the record has got, without the end
    public: Sequence[bytes]  # of the new events
    end_line: bytes
    result: Struct


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHost:
    """The clock of a game's program, and the program's ways to have agents decide. By default, slow agents never decide."""

    clock: Callable[[], float] = float  # returns seconds, from any origin
    ask: Callable[["Game", AgentTurn], object] = lambda game, turn: None
    """Have a slow agent decide; Game.decide_for() is called later."""

    leave: Callable[["Game", bool], object] | None = None
    """Have a game go on later, by Game.go_on() or end_with().

    It is called when the game is left to agents that decide at once (True), and when these have decided for
    SLICE_SECONDS, so that others need the loop (False). Without it such a game is played to its end at once.
    """


# -- The game --------------------------------------------------------------------------------------


class Game:
    """The referee of one game, from its creation until it is forgotten.

    It begins with start(), or go_on_from() a record. Then clients decide(), agents decide_for() their seats, and tick()
    decides for those whose time has run out. After each of these the game plays on until it needs another decision.
    """

    def __init__(
        self, game_id: str, game: str, state: GameState, seats: Sequence[Seat], config: GameConfig, options: GameOptions,
        limits: GameLimits, host: GameHost,
    ) -> None:  # fmt: skip
        self.id = game_id
        self.game = game
        self.state = state
        self.seats = seats
        self.config = config
        self.options = options
        self.broadcaster = None
        if not options.is_silent:
            self.broadcaster = Broadcaster(
                game_id, game, state, seats, limits.kept_events, options.chosen_seed
            )
        self.is_started = False
        self.account: Account | None = None  # of the remote address that pays for it
        self.end_line = b""
        self.result: Struct | None = None
        self.is_kept = True  # what has happened is in the journal, if there is one
        self.clock = host.clock
        self.acted_at = host.clock()  # when a client sat down or acted last
        self.timer_at = inf  # when the server looks at its clocks next
        self._limits = limits
        self._host = host
        self._is_left = False  # to its agents, by GameHost.leave
        self._is_paused = False  # since GameHost.leave was called
        self._moves: dict[int, Move] = {}  # made, of those that are due

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
        return min(seat.deadline for seat in self.seats)

    def seats_of(self, session: Session) -> list[Seat]:
        return [seat for seat in self.seats if seat.session is session]

    # -- What happens -------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the game, all seats of which are taken."""
        self.is_started = True
        if self.broadcaster:
            self.broadcaster.prepare()
            self.broadcaster.send_start()
        self._publish(self.state.begin())
        self.play()

    def go_on_from(self, moves: dict[int, Move], pending: Sequence[Event]) -> None:
        """Continue where a record stops: `pending` has happened, and `moves` are made, of those that are due."""
        self._moves = moves
        self._publish(pending)
        self.play()

    def decide(self, seat: Seat, move: Move, action: bytes) -> None:
        """Play the move of a client, whose text was `action`."""
        self.acted_at = self.clock()
        seat.close(self.acted_at, action)
        self._move(seat, move)
        self.play()

    def decide_for(self, turn: AgentTurn, move: Move | None) -> None:
        """Play the move of a slow agent, whose clock has run since it was asked; None if it could not decide."""
        seat = self.seats[turn.seat]
        if self.is_over or seat.thinking != turn.number:
            return
        seat.thinking = 0
        now = self.clock()
        is_late = now > seat.clock.deadline(turn.began)
        seat.clock.stop(turn.began, now)
        if is_late:
            self._run_out(seat)
        elif move is None:
            self.force(seat, "timeout")
        else:
            self._move(seat, move)
            self.play()

    def force(self, seat: Seat, reason: str) -> None:
        """Play the default action for a seat, which forfeits if that happens too often."""
        self._force(seat, reason)
        self.play()

    def release(self, seat: Seat) -> None:
        """Close the decision that a client still owed when it lost its seat; play() goes on with the seat's agent, if any."""
        if seat.decision and seat.agent is None:
            self._force(seat, "gone")
        else:
            seat.close(self.clock())

    def give_up(self, seat: Seat, reason: Literal["resign", "forfeit"]) -> None:
        """End the play of a seat. The game is over when only one seat still plays."""
        self._give_up(seat, reason)
        if sum(not other.given_up for other in self.seats) <= 1:
            self._abandon(reason)
        else:
            self.play()

    def abandon(self) -> None:
        """Have all clients forfeit, and end the game, though agents could play on."""
        for seat in self.seats:
            if seat.session and not seat.given_up:
                self._give_up(seat, "forfeit")
        self._abandon("forfeit")

    def play(self) -> None:
        """Play until a client or a slow agent has to decide, or the game is over or paused."""
        until = self.clock() + SLICE_SECONDS
        while not self.end_line and not self._is_paused:
            result = self.state.result()
            if result is not None:
                self._end(result)
                return
            is_left = not self._is_left and all(map(Seat.decides_at_once, self.seats))
            if self._host.leave is not None and (is_left or self.clock() >= until):
                self._is_left |= is_left
                self._is_paused = True
                self._host.leave(self, is_left)
            elif not self._play_round():
                return

    def go_on(self) -> None:
        """Play on after a pause."""
        self._is_paused = False
        self.play()

    def end_with(self, finished: FinishedGame) -> None:
        """Take over the end that another process has played, unless the game has ended meanwhile."""
        if self.is_over:
            return
        self.state = self.lines.state = finished.state
        self._moves = {}
        self.lines.catch_up(finished.history, finished.lines, finished.public)
        self._end_as(finished.result, finished.end_line)

    def tick(self) -> None:
        """Play for the clients whose time has run out."""
        now = self.clock()
        for seat in self.seats:
            decision = seat.decision
            if self.is_over or decision is None or now < seat.deadline:
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
        seat.close(self.clock())
        seat.given_up = reason
        seat.thinking = 0
        self._write(GivenUp(game_id=self.id, seat=seat.index, reason=reason))
        self._publish([Event(public=Left(seat=seat.index))])

    def _abandon(self, reason: Literal["resign", "forfeit"]) -> None:
        gone = [seat.index for seat in self.seats if seat.given_up]
        self._end(self.state.abandoned(gone, reason))

    def _play_round(self) -> bool:
        """Have each seat decide that is due. Once all have, apply their moves; return whether this happened."""
        due = self.state.due()
        last = {index for index in due if self.seats[index].decides_last}
        for index in sorted(due, key=last.__contains__):
            seat = self.seats[index]
            if index in self._moves or seat.decision or seat.thinking:
                continue
            if index in last and not self._moves.keys() | last >= set(due):
                continue
            if seat.given_up or (seat.agent is None and seat.session is None):
                self._move(seat, self.state.default_action(index), given_up=True)
            elif seat.agent is None:
                self._request_decision(seat)
            elif seat.agent.is_slow:
                seat.decisions += 1
                seat.thinking = seat.decisions
                turn = AgentTurn(seat=index, number=seat.decisions, agent=seat.agent, began=self.clock())
                self._host.ask(self, turn)
            else:
                self._move(seat, seat.agent.choose(self.state, index))
        if not self._moves.keys() >= set(due):
            return False
        moves, self._moves = self._moves, {}
        self._publish(self.state.apply(moves))
        return True

    def _request_decision(self, seat: Seat) -> None:
        """Send a client the decision that its seat owes from now on."""
        session = seat.session
        assert session is not None
        now, lines = self.clock(), self.lines
        decision = Decision(
            id=session.decide_id(), seq=lines.history.seq, began=now, tries_left=self._limits.tries
        )
        seat.decision = decision
        seat.decisions += 1
        self._write(JournalDecide(game_id=self.id, seat=seat.index, id=decision.id))
        session.send(lines.decide_line(seat, decision, now))

    def _run_out(self, seat: Seat) -> None:
        """Have a seat whose time has run out forfeit, or play the default action for it."""
        if self.options.clock and self.options.clock.on_timeout == "forfeit":
            self.give_up(seat, "forfeit")
        else:
            self.force(seat, "timeout")

    def _force(self, seat: Seat, reason: str) -> None:
        """Play the default action for a seat; forfeit if that happens too often."""
        seat.close(self.clock())
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
