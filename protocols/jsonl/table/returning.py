"""How a session that comes back to a table is brought up to date."""

from protocols.jsonl.messages import Position, Resumption
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.table import Table


def resumption(table: Table, session: Session) -> Resumption:
    """Where the game stands for the session."""
    pending = [seat.decision.id for seat in table.seats_of(session) if seat.decision]
    return Resumption(game_id=table.id, seq=table.seq, pending=pending[0] if pending else None)


def resend(table: Table, session: Session, position: Position, now: float) -> None:
    """Events where they are kept, else observations; then what is due."""
    herald, seats, first = table.herald, table.seats_of(session), position.from_seq
    if first is None or position.full or not herald.history.has(max(first, 1)):
        for seat in seats:
            session.say(herald.observed(seat.index, table.seq))
    else:
        if first == 0:
            for seat in seats:
                session.send(herald.start_line(seat.index))
        news = herald.history.between(max(first, 1), herald.history.seq)
        session.send(*herald.lines(news, session))
    for seat in seats:
        if seat.is_absent:
            table.welcome_back(seat)
        if seat.decision:
            session.send(herald.decide_line(seat, seat.decision, now, is_again=True))
    if table.is_over and (first is None or first <= table.seq):
        session.send(table.end_line)
