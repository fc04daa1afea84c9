"""The herald of a table: what is told of a game, to whom, and what is written down of it."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from protocols.jsonl.binding.binding import Happening, Play
from protocols.jsonl.messages.codec import ENCODER, encode, joined
from protocols.jsonl.messages.server import Decide, GameEvent, Observation, Start
from protocols.jsonl.messages.values import Id
from protocols.jsonl.record.lines import RecordLine
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.history import Happened, History
from protocols.jsonl.table.onlooker import Onlooker
from protocols.jsonl.table.seat import Decision, Seat
from protocols.jsonl.table.seeds import Seed

TOLD_EVERY: Final = 10  # decisions, of the latency


class Herald:
    """Makes the lines of one game and sends them."""

    def __init__(self, game_id: str, game: str, play: Play, seats: Sequence[Seat], kept: int) -> None:
        self.history = History(game_id, kept)
        self.onlookers: dict[str, Onlooker] = {}  # by session
        self.record: list[bytes] = []
        self.written = 0  # lines of it that are in the journal
        self._game_id = game_id
        self._game = game
        self._play = play
        self._seats = seats
        self._starts: dict[int | None, bytes] = {}

    def sessions(self) -> Iterator[Session]:
        """Those who play, each once."""
        return iter({seat.session.id: seat.session for seat in self._seats if seat.session}.values())

    def note(self, line: RecordLine) -> None:
        """Write into the record."""
        self.record.append(encode(line))

    # -- The start ----------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the lines that begin the game."""
        self._starts[None] = self._start(None, 0)
        for seat in self._seats:
            self._starts[seat.index] = self._start(seat.index, 0)
            seat.seen = self._play.observation(seat.index)

    def begin(self) -> None:
        """Send them."""
        for seat in self._seats:
            if seat.session:
                seat.session.send(self._starts[seat.index])
        for onlooker in self.onlookers.values():
            onlooker.session.send(self._starts[None])

    def start_line(self, seat: int | None) -> bytes:
        """The `start` as it was sent to a seat, or to onlookers."""
        return self._starts[seat]

    def start_now(self) -> bytes:
        """A `start` for onlookers who come later: the game as it stands."""
        return self._start(None, self.history.seq)

    # -- The course ---------------------------------------------------------------------------------

    def recall(self, happening: Happening) -> Happened:
        """Something that happened before, and is in the record."""
        return self.history.add(happening, self._sentence)

    def tell(self, happenings: Sequence[Happening]) -> None:
        """Something has happened."""
        sessions = list(self.sessions())
        for happening in happenings:
            happened = self.recall(happening)
            self.record.append(happened.line(is_private=True, says=False))
            for session in sessions:
                session.send(self.line(happened, session))
        for onlooker in self.onlookers.values():
            onlooker.catch_up(self.history)

    def line(self, happened: Happened, session: Session) -> bytes:
        """An event as one who plays receives it."""
        owner = happened.owner
        is_private = owner is not None and self._seats[owner].session is session
        return happened.line(is_private=is_private, says=session.preferences.say)

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
            phase=play.phase(),
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

    def end_line(self, result: Any, seed: Seed) -> bytes:
        """The `end` with this result, and all that was hidden."""
        hidden = self._play.reveal()
        seeds = ENCODER.encode({"seed": seed.number, "salt": seed.salt})
        reveal = joined(ENCODER.encode(hidden) if hidden is not None else b"{}", seeds)
        line = b'{"type":"end","game_id":%b,"seq":%d,"result":%b,"reveal":%b}\n'
        name, number = ENCODER.encode(self._game_id), self.history.seq + 1
        return line % (name, number, ENCODER.encode(result), reveal)

    def end(self, line: bytes) -> None:
        """The game is over."""
        self.record.append(line)
        for session in self.sessions():
            session.send(line)
        for onlooker in self.onlookers.values():
            onlooker.finish(self.history, line)

    # -- Helpers ------------------------------------------------------------------------------------

    def _start(self, seat: int | None, seq: int) -> bytes:
        own = self._seats[seat].session if seat is not None else None
        head = Start(
            game_id=self._game_id,
            seq=seq,
            seat=seat,
            seats=[each.player(own) for each in self._seats],
            game=self._game,
            variant=self._play.variant,
        )
        opening = self._play.opening()
        told = ENCODER.encode(opening) if opening is not None else b"{}"
        shown = ENCODER.encode({"observation": self._play.observation(seat)})
        return joined(ENCODER.encode(head), told, shown) + b"\n"

    def _sentence(self, event: GameEvent) -> str:
        return self._play.say(event, [seat.name for seat in self._seats])
