"""The seating of a game: sessions take seats, give them back, lose their connection, resume, or are replaced.

A Game asks the session or agent of each seat for decisions. Only these functions, and `restore.py` and
`remote_end.py` when they read a record, change which session or agent a seat has.
"""

from collections.abc import Callable

from protocols.jsonl.adapter import Agent, Event
from protocols.jsonl.game import Game
from protocols.jsonl.messages import Left, Position, Rejoined, Resumption
from protocols.jsonl.record_lines import JournalSeat
from protocols.jsonl.seat import Seat
from protocols.jsonl.session import Session


def sit(game: Game, seat: Seat, session: Session) -> None:
    """Give a seat to a session."""
    game.acted_at = game.clock()
    seat.session = session
    seat.name = session.preferences.name
    session.games.add(game.id)
    game.lines.write(
        JournalSeat(
            game_id=game.id,
            seat=seat.index,
            session=session.id,
            token_hash=session.token_hash,
            name=seat.name,
        )
    )


def stand_up(game: Game, session: Session) -> None:
    """Free the seats of a session before the game starts."""
    for seat in game.seats_of(session):
        seat.session = None
        seat.name = ""
        game.lines.write(JournalSeat(game_id=game.id, seat=seat.index))
    session.games.discard(game.id)


def forfeit(game: Game, session: Session) -> None:
    """Have all seats of a session forfeit."""
    for seat in game.seats_of(session):
        if not game.is_over:
            game.give_up(seat, "forfeit")


def replace(game: Game, session: Session, name: str, create: Callable[[int], Agent | None]) -> None:
    """Replace a session that will not come back, in each of its seats by an agent of its own.

    `create` returns the agent of a seat, or None for the default action. `name` is the name of the agent, or "".
    """
    for seat in game.seats_of(session):
        seat.agent = create(seat.index)
        seat.session = None
        game.lines.write(JournalSeat(game_id=game.id, seat=seat.index, agent=name))
        game.release(seat)
    game.play()


# -- Lost connections ------------------------------------------------------------------------------


def disconnect(game: Game, session: Session) -> None:
    """Publish that a session has lost its connection. Its seats stay taken, and their clocks run on."""
    game.lines.spectators.pop(session.id, None)
    for seat in game.seats_of(session):
        if game.is_started and not game.is_over and not seat.given_up and not seat.is_absent:
            seat.is_absent = True
            game.lines.publish([Event(public=Left(seat=seat.index))])


def resumption(game: Game, session: Session) -> Resumption:
    """Return the position of a game for a session that is resumed."""
    pending = [seat.decision.id for seat in game.seats_of(session) if seat.decision]
    return Resumption(game_id=game.id, seq=game.seq, pending=pending[0] if pending else None)


def resend(game: Game, session: Session, position: Position) -> None:
    """Send a resumed session the missing events, or observations if these are not kept, and its open decisions."""
    lines, seats, first = game.lines, game.seats_of(session), position.from_seq
    if first is None or position.full or not lines.history.has(max(first, 1)):
        for seat in seats:
            session.say(lines.observation(seat.index, game.seq))
    else:
        if first == 0:
            for seat in seats:
                session.send(lines.start_line(seat.index))
        events = lines.history.between(max(first, 1), lines.history.seq)
        session.send(*lines.event_lines(events, session))
    for seat in seats:
        if seat.is_absent:
            seat.is_absent = False
            lines.publish([Event(public=Rejoined(seat=seat.index))])
        if seat.decision:
            session.send(lines.decide_line(seat, seat.decision, game.clock()))
    if game.is_over and (first is None or first <= game.seq):
        session.send(game.end_line)
