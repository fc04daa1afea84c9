"""The herald of a table: what is told of a game, to whom, and what is written down of it."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from engines.seeds import SeededStreams
from protocols.jsonl.adapter import Event, GameState
from protocols.jsonl.codec import ENCODER, encode, join_objects
from protocols.jsonl.messages import Decide, Id, Observation, RecordLine, Start
from protocols.jsonl.session.line import Passing
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.broadcast import Broadcast
from protocols.jsonl.table.history import Happened, History, with_sentence
from protocols.jsonl.table.onlooker import Onlooker
from protocols.jsonl.table.seat import Decision, Seat

TOLD_EVERY: Final = 10  # decisions, of the latency


class Herald:
    """Makes the lines of one game and sends them."""

    def __init__(self, game_id: str, game: str, play: GameState, seats: Sequence[Seat], kept: int) -> None:
        self.history = History(game_id, kept)
        self.onlookers: dict[str, Onlooker] = {}  # by session
        self.broadcast: Broadcast | None = None
        self.record: list[bytes] = []
        self.written = 0  # lines of it that are in the journal
        self._game_id = game_id
        self._game = game
        self._play = play
        self._seats = seats
        self._openings: dict[int | None, bytes] = {}  # what `start` shows of the game, by seat

    def sessions(self) -> Collection[Session]:
        """Those who play, each once."""
        return {id(seat.session): seat.session for seat in self._seats if seat.session}.values()

    def note(self, line: RecordLine) -> None:
        """Write into the record."""
        self.record.append(encode(line))

    def forget_record(self) -> None:
        """It is complete, and somewhere else."""
        self.record.clear()
        self.written = 0

    # -- The start ----------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Look at the game as it begins."""
        for seat in (None, *range(len(self._seats))):
            self._openings[seat] = self._shown(seat)
        for each in self._seats:
            each.seen = self._play.observation(each.index)

    def begin(self) -> None:
        """Send it."""
        for seat in self._seats:
            if seat.session:
                seat.session.send(self.start_line(seat.index))
        for onlooker in self.onlookers.values():
            onlooker.session.send(self.start_line(None))
        if self.broadcast:
            self.broadcast.tell(self.start_line(None))

    def start_line(self, seat: int | None) -> bytes:
        """The `start` of a seat, or of onlookers."""
        return self._start(seat, 0, self._openings[seat])

    def start_now(self) -> bytes:
        """A `start` for onlookers who come later: the game as it stands."""
        return self._start(None, self.history.seq, self._shown(None))

    # -- The course ---------------------------------------------------------------------------------

    def recall(self, happening: Event) -> Happened:
        """Something that happened before, and is in the record."""
        return self.history.add(happening)

    def tell(self, happenings: Sequence[Event]) -> None:
        """Something has happened."""
        news = list(map(self.history.add, happenings))
        self.record += [happened.private for happened in news]
        for session in self.sessions():
            session.send(*self.lines(news, session))
        for onlooker in self.onlookers.values():
            self.show(onlooker)
        if self.broadcast:
            for happened in news:
                self.broadcast.tell(happened.public)

    def lines(self, news: Iterable[Happened], session: Session) -> list[bytes]:
        """Events as one who plays receives them."""
        own = [seat.index for seat in self._seats if seat.session is session]
        if session.preferences.say:
            return [self._said(happened, is_private=happened.owner in own) for happened in news]
        return [happened.private if happened.owner in own else happened.public for happened in news]

    def show(self, onlooker: Onlooker) -> None:
        """Send what is old enough."""
        self._show(onlooker, self.history.seq - onlooker.delay)

    def show_out(self, onlooker: Onlooker, line: bytes) -> None:
        """The game is over, with this line: nothing is held back any more."""
        self._show(onlooker, self.history.seq)
        onlooker.session.send(Passing(line))

    def decide_line(self, seat: Seat, decision: Decision, now: float, *, is_again: bool) -> bytes:
        """The decision that a seat owes; told again, it comes with the full observation."""
        assert seat.session is not None
        session, play = seat.session, self._play
        wishes = session.preferences
        observation = play.observation(seat.index)
        is_delta = wishes.observe == "delta" and not is_again
        decide = Decide(
            id=decision.id,
            game_id=self._game_id,
            seq=decision.seq,
            seat=seat.index,
            phase=play.phase(seat.index),
            observation=None if is_delta else observation,
            delta=seat.difference(observation) if is_delta else None,
            legal=None if wishes.legal == "none" else play.legal(seat.index, wishes.legal),
            clock=seat.clock.left(decision.began, now),
            ending=play.ending(),
        )
        if session.line and seat.decisions % TOLD_EVERY == 0:
            decide.latency_ms = session.line.latency_ms
        seat.seen = observation
        line = encode(decide)
        if session.line and len(line) > session.line.max_line:
            decide.legal = None  # such a short line has no room for it
            line = encode(decide)
        return line

    def observed(self, seat: int | None, seq: int, re: Id | None = None) -> Observation:
        """The full observation."""
        return Observation(re=re, game_id=self._game_id, seq=seq, observation=self._play.observation(seat))

    # -- The end ------------------------------------------------------------------------------------

    def end_line(self, result: Any, seed: SeededStreams) -> bytes:
        """The `end` with this result, and all that was hidden."""
        hidden = self._play.reveal()
        seeds = ENCODER.encode({"seed": seed.number, "salt": seed.salt})
        reveal = join_objects(ENCODER.encode(hidden) if hidden is not None else b"{}", seeds)
        line = b'{"type":"end","game_id":%b,"seq":%d,"result":%b,"reveal":%b}\n'
        name, number = ENCODER.encode(self._game_id), self.history.seq + 1
        return line % (name, number, ENCODER.encode(result), reveal)

    def end(self, line: bytes) -> None:
        """The game is over."""
        self.record.append(line)
        for session in self.sessions():
            session.send(line)
        for onlooker in self.onlookers.values():
            self.show_out(onlooker, line)
        if self.broadcast:
            self.broadcast.tell(line)

    def sum_up(self, end_line: bytes) -> None:
        """Tell the bus how the game stands, if anything has happened; `end_line` is empty before the end."""
        seq = self.history.seq + bool(end_line)
        if self.broadcast and self.broadcast.is_behind(seq):
            self.broadcast.stands(seq, end_line or self.start_now())

    # -- Helpers ------------------------------------------------------------------------------------

    def _start(self, seat: int | None, seq: int, shown: bytes) -> bytes:
        own = self._seats[seat].session if seat is not None else None
        head = Start(
            game_id=self._game_id,
            seq=seq,
            seat=seat,
            seats=[each.player(own) for each in self._seats],
            game=self._game,
            variant=self._play.variant,
        )
        return join_objects(ENCODER.encode(head), shown) + b"\n"

    def _shown(self, seat: int | None) -> bytes:
        opening = self._play.opening()
        told = ENCODER.encode(opening) if opening is not None else b"{}"
        return join_objects(told, ENCODER.encode({"observation": self._play.observation(seat)}))

    def _said(self, happened: Happened, *, is_private: bool) -> bytes:
        """With a sentence."""
        line = happened.private if is_private else happened.public
        names = [seat.name for seat in self._seats]
        return with_sentence(line, happened.event(is_private=is_private).text(names))

    def _show(self, onlooker: Onlooker, last: int) -> None:
        session, sees_all = onlooker.session, onlooker.sees_all
        for happened in self.history.between(onlooker.sent + 1, last):
            if session.preferences.say:
                line = self._said(happened, is_private=sees_all)
            else:
                line = happened.private if sees_all else happened.public
            session.send(Passing(line))
        onlooker.sent = max(onlooker.sent, last)
