"""The referee of a game: asks the seats for decisions, applies their moves, and ends the game.

A Game has a GameState (the rules), a Seat for each player, and a Broadcaster (the lines to clients, and the record).
It decides when a seat must act and what follows. It does not decide what is legal: the GameState does, and
`actions.py` checks the actions of clients before they arrive here. `seating.py` changes the players of the seats.
After each call, Games.update() (`games.py`) writes the journal, sets timers and starts jobs.

A game is open until start(), then running, and over once it has an end line. A running game can be paused:
GameHost.leave was called, and go_on() or adopt_finished_game() has not followed yet.

A running game consists of rounds. GameState.due() names the seats that must decide in a round, and each does so in
one of four ways:

    client        receives a `decide`; Seat.decision is set until an action, a time-out, or the loss of the seat
    slow agent    is asked through GameHost.ask; Seat.thinking has the number of the request until decide_for()
    other agent   decides at once
    no player     the default action is played; the same for a seat that was given up

An agent that decides last is asked when the others have decided; it does not see their moves. A move is kept in
`_moves` until all seats have decided. Then the GameState applies the moves together, so no seat learns of another's
move before its own; the events are published, and the next round starts. play() runs rounds until a client or a slow
agent must decide. The public methods that complete a decision end with play(), except release(), whose caller does
so.

The default action is also played, as a forced action, for a client that is out of time or of tries, for a slow agent
that is late, and for any agent that raises an exception or chooses an illegal action. A seat with more than GameLimits.forced_actions of them forfeits, and a seat out of time
forfeits at once if the terms of the clock say so. The game ends with GameState.result(), or with
GameState.abandoned() when at most one seat still plays.

The event loop serves all games, so a game of agents must not hold it. Agents that decide at once have SLICE_SECONDS,
then GameHost.leave() gives the loop to others. If no client and no slow agent decides any more, the host may have
another process play the rest from the record (`remote_end.py`): six nets of Acquire play a whole game within 30 ms.

Invariants:

- A seat never owes a decision and has a request to its agent at the same time; a game that is over has neither.
- An agent may be the code of another package: whatever it does, the game goes on (`_take`).
- The move of a slow agent counts only if its number is that of Seat.thinking, so it is ignored if the seat was given
  up or the game has ended in the meantime.
- A game is a function of the header of its record and of the moves (`record.py`). All random numbers come from the
  streams of its GameConfig.
- There is no I/O. Sessions queue the lines, and the GameHost has the clock and the other processes.
- A silent game has no Broadcaster, so neither lines nor a record; all its seats have agents. Matches use such games.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
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

SLICE_SECONDS: Final = 0.002  # of the event loop for the agents of one game, before others may use it
FAILED: Final = "failed"  # the reason of a forced action for an agent that raised or chose an illegal action
PLAIN_END_LINE: Final = b"over\n"  # the end line of a game without a broadcaster


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The options of a game that are not part of its rules."""

    clock: ClockTerms | None = None
    rated: bool = False
    chosen_seed: ChosenSeed | None = None
    on_gone: str = "default_action"  # or forfeit, or agent:NAME
    creator: str = ""  # the ID of the session
    is_silent: bool = False  # it has no lines and no record

    @property
    def seed_chosen_by(self) -> str:
        """The name of the client that has chosen the seed; empty if the server draws it."""
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
    lines: Sequence[bytes]  # that were added to the record, without the end
    public: Sequence[bytes]  # of the new events
    end_line: bytes
    result: Struct


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHost:
    """The clock of the program that runs a game, and its ways to have agents decide.

    With the defaults, slow agents never decide.
    """

    clock: Callable[[], float] = float  # returns seconds, from any origin
    ask: Callable[["Game", AgentTurn], object] = lambda game, turn: None
    """Have a slow agent decide; the host calls Game.decide_for() later."""

    note_failure: Callable[["Game", Seat, Exception], object] = lambda game, seat, error: None
    """Log that an agent has raised an exception or chosen an illegal action."""

    leave: Callable[["Game", bool], object] | None = None
    """Pause a game; the host calls Game.go_on() or Game.adopt_finished_game() later.

    Called with True when, for the first time, all seats are left to agents that decide at once, and with False when
    such agents have decided for SLICE_SECONDS. Without this function a game never pauses.
    """


# -- The game --------------------------------------------------------------------------------------


class Game:
    """The referee of one game, from its creation until it is forgotten.

    start() starts a new game, and continue_from() continues one from its record. Then decide() takes the moves of
    clients, decide_for() those of slow agents, and tick() handles the clients whose time has run out.
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
        self.is_kept = True  # all lines are in the journal, if there is one
        self.clock = host.clock
        self.acted_at = host.clock()  # when a client sat down or acted last
        self.timer_at = inf  # when the server calls tick() next
        self._limits = limits
        self._host = host
        self._is_left = False  # to its agents, by GameHost.leave
        self._is_paused = False  # since GameHost.leave was called
        self._moves: dict[int, Move] = {}  # of the seats that have decided in this round

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
        """The number of the last event, or of the end if the game is over."""
        return self.lines.history.seq + bool(self.end_line)

    @property
    def lines(self) -> Broadcaster:
        """The broadcaster of a game that is not silent."""
        assert self.broadcaster is not None
        return self.broadcaster

    @property
    def left_at(self) -> float | None:
        """When the last client that plays in the game lost its connection; None if one is connected or none plays."""
        players = self.broadcaster.players() if self.broadcaster else ()
        if not players or self.is_over or any(player.connection for player in players):
            return None
        return max(player.lost_at or 0.0 for player in players)

    def listed(self, seq: int = 0) -> Listed:
        """Return the game's entry in a listing; `seq` is the number of its last event, 0 for none."""
        return Listed(
            game_id=self.id,
            game=self.game,
            variant=self.state.variant,
            seats=[seat.name for seat in self.seats],
            state=self.status,
            left=self.left_at is not None,
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

    def continue_from(self, moves: dict[int, Move], pending: Sequence[Event]) -> None:
        """Continue where a record ends, with the moves of its last round and the events that are missing there."""
        self._moves = moves
        self._publish(pending)
        self.play()

    def decide(self, seat: Seat, move: Move, action: bytes) -> None:
        """Play the move of a client; `action` is its text."""
        self.acted_at = self.clock()
        seat.close(self.acted_at, action)
        self._move(seat, move)
        self.play()

    def decide_for(self, turn: AgentTurn, move: Move | None, reason: str = FAILED) -> None:
        """Play the move of a slow agent; None if it has no move, for this reason.

        The seat's clock has run since the agent was asked.
        """
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
            self.force(seat, reason)
        else:
            self._take(seat, lambda: move)
            self.play()

    def force(self, seat: Seat, reason: str) -> None:
        """Play the default action for a seat; the seat forfeits if this happens too often."""
        self._force(seat, reason)
        self.play()

    def release(self, seat: Seat) -> None:
        """Close the open decision of a client that has lost its seat.

        If an agent has replaced the client, the agent decides in the next call of play(); otherwise the default
        action is played.
        """
        if seat.decision and seat.agent is None:
            self._force(seat, "gone")
        else:
            seat.close(self.clock())

    def give_up(self, seat: Seat, reason: Literal["resign", "forfeit"]) -> None:
        """Have a seat resign or forfeit. The game ends when at most one seat still plays."""
        self._lose(seat, reason)
        self.play()

    def abandon(self) -> None:
        """Have all clients forfeit, and end the game even if agents could continue it."""
        for seat in self.seats:
            if seat.session and not seat.given_up:
                self._give_up(seat, "forfeit")
        self._abandon("forfeit")

    def play(self) -> None:
        """Play rounds until a client or a slow agent must decide, or the game is over or paused."""
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
        """Continue after a pause."""
        self._is_paused = False
        self.play()

    def adopt_finished_game(self, finished: FinishedGame) -> None:
        """Adopt the rest of the game from another process that has played it, unless the game is over already."""
        if self.is_over:
            return
        self.state = self.lines.state = finished.state
        self._moves = {}
        self.lines.catch_up(finished.history, finished.lines, finished.public)
        self._end_as(finished.result, finished.end_line)

    def tick(self) -> None:
        """Play the default action for each client whose time has run out, or have its seat forfeit."""
        now = self.clock()
        for seat in self.seats:
            decision = seat.decision
            if self.is_over or decision is None or now < seat.deadline:
                continue
            if seat.session:
                refusal = Refusal("timeout", "your time for the decision ran out", re=decision.id)
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

    def _lose(self, seat: Seat, reason: Literal["resign", "forfeit"]) -> None:
        """Give up a seat, and end the game when at most one seat still plays."""
        self._give_up(seat, reason)
        if sum(not other.given_up for other in self.seats) <= 1:
            self._abandon(reason)

    def _abandon(self, reason: Literal["resign", "forfeit"]) -> None:
        gone = [seat.index for seat in self.seats if seat.given_up]
        self._end(self.state.abandoned(gone, reason))

    def _play_round(self) -> bool:
        """Ask the seats that have not decided in this round; if all have decided, apply their moves.

        Return whether another round can follow: the moves were applied, or an agent has lost its seat.
        """
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
                self._take(seat, partial(seat.agent.choose, self.state, index))
                if index not in self._moves:
                    return not self.is_over
        if not self._moves.keys() >= set(due):
            return False
        moves, self._moves = self._moves, {}
        self._publish(self.state.apply(moves))
        return True

    def _request_decision(self, seat: Seat) -> None:
        """Send a `decide` to the client of a seat, which owes the decision from now on."""
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
        """Play the default action for a seat that is out of time, or have it forfeit if the clock's terms say so."""
        if self.options.clock and self.options.clock.on_timeout == "forfeit":
            self.give_up(seat, "forfeit")
        else:
            self.force(seat, "timeout")

    def _force(self, seat: Seat, reason: str) -> None:
        """Record the default action as the move of a seat, or have the seat forfeit if this happens too often."""
        seat.close(self.clock())
        seat.forced += 1
        self._publish([Event(public=Forced(seat=seat.index, reason=reason))])
        if seat.forced > self._limits.forced_actions:
            self._lose(seat, "forfeit")
            return
        self._move(seat, self.state.default_action(seat.index), forced=reason)

    def _take(self, seat: Seat, choose: Callable[[], Move]) -> None:
        """Record the choice of an agent; if there is none, or it is illegal, force the default action."""
        try:
            move = self.state.checked(seat.index, choose())
        except Exception as error:  # the code of another package may raise anything
            self._host.note_failure(self, seat, error)
            self._force(seat, FAILED)
        else:
            self._move(seat, move)

    def _move(self, seat: Seat, move: Move, *, forced: str = "", given_up: bool = False) -> None:
        """Record the move of a seat; it is applied when all seats have decided."""
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
        self._end_as(
            result, self.broadcaster.end_line(result, self.seed) if self.broadcaster else PLAIN_END_LINE
        )

    def _end_as(self, result: Struct, end_line: bytes) -> None:
        for seat in self.seats:
            seat.decision = None
            seat.thinking = 0
        self.result = result
        self.end_line = end_line
        if self.broadcaster:
            self.broadcaster.send_end(end_line)


def chosen_seed(config: GameConfig, chance: Collection[str], by: str) -> ChosenSeed | None:
    """Return the seed, and the options in `chance`, that the client called `by` has chosen; None if there are none.

    `chance` has the names of the options that determine what otherwise the seed determines, such as the bag of
    Acquire. A seed without a salt was chosen by a client.
    """
    options = {name: config.options[name] for name in chance if config.options.get(name) is not None}
    number = None if config.streams.salt else config.streams.number
    if number is None and not options:
        return None
    return ChosenSeed(chosen_by=by, hidden="open", number=number, options=options or None)
