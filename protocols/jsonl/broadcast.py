"""The lines of a game: encoded once, and sent to players, spectators, the event bus and the record."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from engines.events import BroadcastLine, Bus
from engines.seeds import SeededStreams
from protocols.connection import DroppableLine
from protocols.jsonl.adapter import Event, GameState
from protocols.jsonl.codec import ENCODER, encode, join_objects, pack, unpack
from protocols.jsonl.messages import ChosenSeed, Decide, GameEvent, Id, Listed, Observation, Start
from protocols.jsonl.record_lines import RecordLine
from protocols.jsonl.seat import Decision, Seat
from protocols.jsonl.session import Session

LATENCY_INTERVAL: Final = 10  # decisions; every tenth `decide` of a seat has the latency
STATE_SECONDS: Final = 1.0  # between two states of a game on the bus, which cost more than its events


class PublishedEvent(Struct, frozen=True, kw_only=True, gc=False):
    """An event with its number and its encoded lines."""

    seq: int
    event: Event
    public: bytes
    private: bytes  # the line for its owner; the public one if nothing is hidden

    def seen(self, *, is_private: bool) -> GameEvent:
        """Return the event as its owner sees it, or as all others see it."""
        return (is_private and self.event.private) or self.event.public


class History:
    """The last events of a game, numbered from 1."""

    def __init__(self, game_id: str, kept: int) -> None:
        """Begin without events; the last `kept` ones are kept."""
        self.seq = 0  # of the last event
        self._head = b'{"type":"event","game_id":%b,"seq":' % ENCODER.encode(game_id)
        self._kept = kept
        self._events: deque[PublishedEvent] = deque(maxlen=kept)
        self._packed = b""  # the events in compressed form, when the game is over
        self._count = 0  # of the compressed events

    def pack(self) -> None:
        """Compress the events of a finished game to a tenth of their size; reading them then takes a millisecond."""
        if self._packed:
            return
        self._count = len(self._events)
        self._packed = pack(list(self._events))
        self._events = deque()

    def add(self, event: Event) -> PublishedEvent:
        """Give an event its number, encode it, and keep it."""
        if self._packed:  # a client has returned to a game that is over
            self._events, self._packed, self._count = deque(self._all(), self._kept), b"", 0
        self.seq += 1
        public = self._line(event.public)
        private = self._line(event.private) if event.private else public
        published = PublishedEvent(seq=self.seq, event=event, public=public, private=private)
        self._events.append(published)
        return published

    def has(self, seq: int) -> bool:
        """Return whether all events from `seq` on are kept."""
        return self.seq - (self._count or len(self._events)) < seq

    def between(self, first: int, last: int) -> Iterator[PublishedEvent]:
        """Yield the kept events with numbers from `first` to `last`."""
        events = self._all()
        start = len(events) - (self.seq - first + 1)
        for index in range(max(start, 0), len(events)):
            event = events[index]
            if event.seq > last:
                return
            yield event

    def _all(self) -> Sequence[PublishedEvent]:
        if self._packed:
            events: list[PublishedEvent] = unpack(self._packed)
            return events
        return self._events

    def _line(self, event: GameEvent) -> bytes:
        return b"%b%d,%b\n" % (self._head, self.seq, ENCODER.encode(event)[1:])


@dataclass(slots=True, kw_only=True)
class Spectator:
    """A session that watches a game."""

    session: Session
    sent: int  # the number of the last event that was sent, or should not be sent


class GameTopics:
    """The topics of a game on the event bus: its public lines, its state for new subscribers, and its listing."""

    def __init__(self, bus: Bus, game_id: str) -> None:
        self._bus = bus
        self._public = f"game/{game_id}/public"
        self._state = f"game/{game_id}/state"
        self._listing = f"listing/{game_id}"
        self._listed: Listed | None = None
        self.unlisted_at = -inf  # when it is checked next whether a game that is left is still listed
        self._state_seq = -1  # the number of the event after which the state was published
        self.due_at = -inf  # when the state may be published again
        self.is_scheduled = False  # whether it will be published then

    def publish(self, line: bytes) -> None:
        """Publish a public line, given with its break."""
        self._bus.publish(self._public, BroadcastLine(line=line.rstrip()))

    def is_behind(self, seq: int) -> bool:
        """Return whether the published state is older than event `seq`."""
        return seq > self._state_seq

    def publish_state(self, seq: int, line: bytes) -> None:
        """Publish the state of the game after event `seq`."""
        self._state_seq = seq
        self._bus.publish(self._state, BroadcastLine(line=line.rstrip()), is_state=True)

    def publish_listed(self, listed: Listed) -> None:
        """Publish the entry of the game in the listing if it has changed."""
        if listed == self._listed:
            return
        self._listed = listed
        line = join_objects(b'{"type":"listed"}', ENCODER.encode(listed))
        self._bus.publish(self._listing, BroadcastLine(line=line))

    def clear(self) -> None:
        """Remove the state of a game that is no longer shown, and publish that it is gone."""
        self._bus.clear(self._state)
        if self._listed:
            self.publish_listed(replace(self._listed, state="gone"))


class Broadcaster:
    """The encoder and sender of the lines of one game."""

    def __init__(
        self,
        game_id: str,
        game: str,
        state: GameState,
        seats: Sequence[Seat],
        kept: int,
        chosen: ChosenSeed | None,
    ) -> None:
        """Begin without lines; the last `kept` events can be sent again."""
        self.history = History(game_id, kept)
        self.spectators: dict[str, Spectator] = {}  # by session
        self.topics: GameTopics | None = None
        self.state = state
        self.record: list[bytes] = []
        self.record_bytes = 0  # of all lines so far
        self.written = 0  # lines of the record that are in the journal
        self._game_id = game_id
        self._game = game
        self._chosen = chosen
        self._seats = seats
        self._openings: dict[int | None, bytes] = {}  # the game's fields of `start`, by seat

    def players(self) -> Collection[Session]:
        """Return the sessions that have a seat, each once."""
        return {id(seat.session): seat.session for seat in self._seats if seat.session}.values()

    def write(self, line: RecordLine) -> None:
        """Add a line to the record."""
        self._add_to_record(encode(line))

    def drop_record(self) -> None:
        """Drop the lines of a record that is complete and in the journal."""
        self.record.clear()
        self.written = 0

    # -- The start ----------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Encode the game's fields of `start`, before the first event changes the game."""
        for seat in (None, *range(len(self._seats))):
            self._openings[seat] = self._shown(seat)

    def send_start(self) -> None:
        for seat in self._seats:
            if seat.session:
                seat.session.send(self.start_line(seat.index))
        for spectator in self.spectators.values():
            spectator.session.send(self.start_line(None))
        if self.topics:
            self.topics.publish(self.start_line(None))

    def start_line(self, seat: int | None) -> bytes:
        """Return the `start` of a seat, or of spectators (None)."""
        return self._start(seat, 0, self._openings[seat])

    def current_start_line(self) -> bytes:
        """Return a `start` with the present state, for spectators that arrive later."""
        return self._start(None, self.history.seq, self._shown(None))

    # -- Events and decisions -----------------------------------------------------------------------

    def publish(self, events: Sequence[Event]) -> None:
        """Add events to the record, with their numbers, and send them to players, spectators and the bus."""
        published = list(map(self.history.add, events))
        self._add_to_record(*(event.private for event in published))
        for session in self.players():
            session.send(*self.event_lines(published, session))
        for spectator in self.spectators.values():
            self.send_due(spectator)
        if self.topics:
            for event in published:
                self.topics.publish(event.public)

    def event_lines(self, events: Iterable[PublishedEvent], session: Session) -> list[bytes]:
        """Return the lines of events for a session that has a seat."""
        own = [seat.index for seat in self._seats if seat.session is session]
        if session.preferences.say:
            return [self._line_with_text(event, is_private=event.event.private_to in own) for event in events]
        return [event.private if event.event.private_to in own else event.public for event in events]

    def send_due(self, spectator: Spectator) -> None:
        """Send a spectator all events after the last one that was sent."""
        session = spectator.session
        for event in self.history.between(spectator.sent + 1, self.history.seq):
            line = self._line_with_text(event, is_private=False) if session.preferences.say else event.public
            session.send(DroppableLine(line))
        spectator.sent = max(spectator.sent, self.history.seq)

    def send_rest(self, spectator: Spectator, end_line: bytes) -> None:
        """Send a spectator all events after the last one that was sent, and the end."""
        self.send_due(spectator)
        spectator.session.send(DroppableLine(end_line))

    def decide_line(self, seat: Seat, decision: Decision, now: float) -> bytes:
        """Return the `decide` for the decision that a seat owes."""
        assert seat.session is not None
        session, state = seat.session, self.state
        decide = Decide(
            id=decision.id,
            game_id=self._game_id,
            seq=decision.seq,
            seat=seat.index,
            phase=state.phase(seat.index),
            observation=state.observation(seat.index),
            legal=state.legal(seat.index),
            clock=seat.clock.left(decision.began, now),
            ending=state.ending(),
        )
        if session.connection and seat.decisions % LATENCY_INTERVAL == 0:
            decide.latency_ms = session.connection.latency_ms
        line = encode(decide)
        if session.max_line and len(line) > session.max_line:
            decide.legal = None  # the client's lines are too short for the legal actions
            line = encode(decide)
        return line

    def observation(self, seat: int | None, seq: int, re: Id | None = None) -> Observation:
        """Return the full observation of a seat, or the public part (None)."""
        return Observation(re=re, game_id=self._game_id, seq=seq, observation=self.state.observation(seat))

    # -- The end ------------------------------------------------------------------------------------

    def end_line(self, result: Any, seed: SeededStreams) -> bytes:
        """Return the `end` with a result, and all that was hidden."""
        hidden = self.state.reveal()
        seeds: dict[str, Any] = {"seed": seed.number, "salt": seed.salt}
        reveal = join_objects(ENCODER.encode(hidden) if hidden is not None else b"{}", ENCODER.encode(seeds))
        line = b'{"type":"end","game_id":%b,"seq":%d,"result":%b,"reveal":%b}\n'
        name, number = ENCODER.encode(self._game_id), self.history.seq + 1
        return line % (name, number, ENCODER.encode(result), reveal)

    def catch_up(self, history: History, lines: Sequence[bytes], public: Sequence[bytes]) -> None:
        """Adopt the events of a game that another process has continued, and the new lines of its record.

        `public` has the public lines of the new events. The events, of which there may be hundreds, are unpacked only
        if a client plays or watches.
        """
        first, self.history = self.history.seq + 1, history
        self._add_to_record(*lines)
        if players := self.players():
            events = list(history.between(first, history.seq))
            for session in players:
                session.send(*self.event_lines(events, session))
        for spectator in self.spectators.values():
            self.send_due(spectator)
        if self.topics:
            for line in public:
                self.topics.publish(line)

    def send_end(self, line: bytes) -> None:
        """Send the end to players, spectators and the bus, and add it to the record."""
        self._add_to_record(line)
        for session in self.players():
            session.send(line)
        for spectator in self.spectators.values():
            self.send_rest(spectator, line)
        if self.topics:
            self.topics.publish(line)

    def publish_state(self, end_line: bytes) -> None:
        """Publish the state on the bus if it has changed; `end_line` is empty before the end."""
        seq = self.history.seq + bool(end_line)
        if self.topics and self.topics.is_behind(seq):
            self.topics.publish_state(seq, end_line or self.current_start_line())

    # -- Helpers ------------------------------------------------------------------------------------

    def _add_to_record(self, *lines: bytes) -> None:
        self.record += lines
        self.record_bytes += sum(map(len, lines))

    def _start(self, seat: int | None, seq: int, shown: bytes) -> bytes:
        own = self._seats[seat].session if seat is not None else None
        head = Start(
            game_id=self._game_id,
            seq=seq,
            seat=seat,
            seats=[each.player(own) for each in self._seats],
            game=self._game,
            variant=self.state.variant,
            seed=self._chosen,
        )
        return join_objects(ENCODER.encode(head), shown) + b"\n"

    def _shown(self, seat: int | None) -> bytes:
        opening = self.state.opening()
        encoded = ENCODER.encode(opening) if opening is not None else b"{}"
        return join_objects(encoded, ENCODER.encode({"observation": self.state.observation(seat)}))

    def _line_with_text(self, event: PublishedEvent, *, is_private: bool) -> bytes:
        """Return the line of an event with the additional field `say`, a sentence for people."""
        names = [seat.name for seat in self._seats]
        sentence = ENCODER.encode(event.seen(is_private=is_private).text(names))
        line = event.private if is_private else event.public
        return b'%b,"say":%b}\n' % (line[:-2], sentence)
