"""The games of an earlier run of the server, as its journal has them: those that are not over go on."""

import logging
from typing import Final

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.presence import await_return
from protocols.jsonl.record.journal import FolderJournal
from protocols.jsonl.record.lines import JournalSeat
from protocols.jsonl.record.relive import RecordError, Relived, relive
from protocols.jsonl.session.session import Preferences, Session
from protocols.jsonl.table.seat import Seat

LOG: Final = logging.getLogger(__name__)


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
            LOG.warning("the record of %s cannot be used: %s", game_id, error)
            continue
        journal.mend(game_id)
        _take_up(hall, relived, now)
        count += 1
    return count


def _take_up(hall: Hall, relived: Relived, now: float) -> None:
    table = relived.table
    table.herald.written = len(table.herald.record)
    for seat in table.seats:
        entry = relived.seated.get(seat.index)
        if entry and entry.session:
            _seat(hall, relived, seat, entry, now)
        elif entry and entry.agent:
            binding = hall.bindings[table.game]
            seat.agent = binding.agent(entry.agent, table.play, table.seed.stream, seat.index)
    hall.add(table)
    if table.is_started:
        table.go_on(relived.moves, list(relived.unheard), now)
    elif not any(seat.is_open for seat in table.seats):
        table.start(now)
    hall.settle(table, now)
    for session in table.herald.sessions():
        await_return(hall, session, now)


def _seat(hall: Hall, relived: Relived, seat: Seat, entry: JournalSeat, now: float) -> None:
    """Somebody sat here, and may come back."""
    session = hall.sessions.get(entry.session)
    if session is None:
        preferences = Preferences(name=entry.name)
        session = Session(entry.session, entry.token_hash, preferences, hall.names.first_decide)
        session.lost_at = now
        hall.sessions[session.id] = session
        hall.tokens[session.token_hash] = session
    session.games.add(relived.table.id)
    seat.session = session
    seat.name = entry.name
    seat.is_absent = relived.table.is_started
    if seat.decision:
        seat.decision.began = now
    last = relived.decides.get(seat.index)
    if isinstance(last, int):
        session.next_decide = max(session.next_decide, last + 1)
