"""Requests of those who play."""

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.messages import Action, Check, Note, Ok, RecordNote, Refusal, Resign, State
from protocols.jsonl.session.line import Line


def action(hall: Hall, line: Line, message: Action, now: float) -> None:
    assert line.session is not None
    table = hall.own_table(line.session, message.game_id)
    try:
        table.act(line.session, message, now)
    finally:
        hall.settle(table, now)  # also when the clock had run out before


def check(hall: Hall, line: Line, message: Check, now: float) -> None:
    assert line.session is not None
    table = hall.own_table(line.session, message.game_id)
    line.say(table.check(line.session, message))


def resign(hall: Hall, line: Line, message: Resign, now: float) -> None:
    assert line.session is not None
    table = hall.own_table(line.session, message.game_id)
    table.resign(line.session, message, now)
    hall.settle(table, now)


def state(hall: Hall, line: Line, message: State, now: float) -> None:
    """The full observation; to those without a seat, the public part."""
    assert line.session is not None
    table = hall.table(message.game_id)
    seats = table.seats_of(line.session)
    is_near = bool(seats) or message.game_id in line.session.watched or table.is_over
    if not is_near:
        raise Refusal("not_permitted", "watch the game first")
    if not table.is_started:
        raise Refusal("not_permitted", "the game has not begun")
    onlooker = table.herald.onlookers.get(line.session.id)
    if not seats and onlooker and onlooker.delay:
        raise Refusal("not_permitted", "you watch it later than it is played")
    seat = seats[0].index if seats else None
    line.say(table.herald.observed(seat, table.seq, message.id))


def note(hall: Hall, line: Line, message: Note, now: float) -> None:
    """A line for the record."""
    assert line.session is not None
    table = hall.own_table(line.session, message.game_id)
    if table.is_over:
        raise Refusal("game_over", "the record is complete")
    seat = table.seats_of(line.session)[0].index
    table.herald.note(RecordNote(game_id=table.id, seq=table.seq, seat=seat, text=message.text))
    hall.settle(table, now)
    line.say(Ok(re=message.id))
