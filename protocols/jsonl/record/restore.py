"""The games of an earlier run of the server, as its journal has them: those that are not over go on."""

import sys

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.record.journal import FolderJournal
from protocols.jsonl.record.relive import RecordError, Relived, relive
from protocols.jsonl.session.session import Preferences, Session
from protocols.jsonl.table.seat import Decision


def restore(hall: Hall, journal: FolderJournal, now: float) -> int:
    """Take up every game of the journal that is not over; how many. One that cannot be read is left alone."""
    count = 0
    for game_id in journal.games():
        lines = journal.read(game_id)
        if not lines or lines[-1].startswith(b'{"type":"end"'):
            continue
        try:
            relived = relive(lines, hall.bindings, hall.limits)
        except RecordError as error:
            print(f"galapagos: the record of {game_id} cannot be used: {error}", file=sys.stderr)
            continue
        journal.mend(game_id)
        _take_up(hall, relived, now)
        count += 1
    return count


def _take_up(hall: Hall, relived: Relived, now: float) -> None:
    table = relived.table
    table.herald.written = len(table.herald.record)
    for entry in relived.journal:
        seat = table.seats[entry.seat]
        if entry.session:
            seat.name = entry.name
            seat.session = _session(hall, entry.session, entry.token_hash, entry.name, now)
            seat.session.games.add(table.id)
            seat.is_absent = True
        if entry.answered is not None:
            seat.accept(entry.answered)
            seat.decision = None
            seat.clock.take_up(entry.bank_ms or 0.0)
        if entry.pending is not None:
            seat.decision = Decision(id=entry.pending, seq=table.seq, began=now, tries_left=hall.limits.tries)
            if seat.session and isinstance(entry.pending, int):
                seat.session.next_decide = max(seat.session.next_decide, entry.pending + 1)
    for seat in table.seats:
        if seat.decision:
            seat.decision.seq = table.seq
    hall.tables[table.id] = table
    table.go_on(relived.moves, list(relived.unheard), now)
    hall.settle(table, now)
    for seat in table.seats:
        if seat.session:
            hall.await_return(seat.session, now)


def _session(hall: Hall, session_id: str, token_hash: str, name: str, now: float) -> Session:
    session = hall.sessions.get(session_id)
    if session is None:
        session = Session(session_id, token_hash, Preferences(name=name), hall.names.first_decide)
        session.lost_at = now
        hall.sessions[session_id] = session
        hall.tokens[token_hash] = session
    return session
