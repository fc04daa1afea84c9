"""The games of an earlier run of the server, as its journal has them: those that are not over go on."""

import logging
from typing import Final

from protocols.jsonl.game import Seat
from protocols.jsonl.record.journal import FolderJournal
from protocols.jsonl.record.lines import JournalSeat
from protocols.jsonl.record.relive import RecordError, Relived, relive
from protocols.jsonl.server import GameServer
from protocols.jsonl.session import Preferences, Session

LOG: Final = logging.getLogger(__name__)


def restore(server: GameServer, journal: FolderJournal) -> int:
    """Take up every game of the journal that is not over; how many. One that cannot be read is left alone."""
    count = 0
    for game_id in journal.games():
        lines = journal.read(game_id)
        if not lines or lines[-1].startswith(b'{"type":"end"'):
            continue
        try:
            relived = relive(lines, server.bindings, server.limits, clock=server.clock, ask=server.ask_agent)
        except RecordError as error:
            LOG.warning("the record of %s cannot be used: %s", game_id, error)
            continue
        journal.mend(game_id)
        _take_up(server, relived)
        count += 1
    return count


def _take_up(server: GameServer, relived: Relived) -> None:
    game = relived.game
    game.lines.written = len(game.lines.record)
    for seat in game.seats:
        entry = relived.seated.get(seat.index)
        if entry and entry.session:
            _seat(server, relived, seat, entry)
        elif entry and entry.agent:
            binding = server.bindings[game.game]
            seat.agent = binding.agent(entry.agent, game.play, game.seed.stream, seat.index)
    server.add(game)
    if game.is_started:
        game.go_on(relived.moves, list(relived.unheard))
    elif not any(seat.is_open for seat in game.seats):
        game.start()
    server.update(game)
    for session in game.lines.players():
        server.expect_return(session)


def _seat(server: GameServer, relived: Relived, seat: Seat, entry: JournalSeat) -> None:
    """Somebody sat here, and may come back."""
    session = server.sessions.get(entry.session)
    if session is None:
        preferences = Preferences(name=entry.name)
        session = Session(entry.session, entry.token_hash, preferences, server.ids.first_decide)
        session.lost_at = server.clock()
        server.sessions[session.id] = session
        server.sessions_by_token[session.token_hash] = session
    session.games.add(relived.game.id)
    seat.session = session
    seat.name = entry.name
    seat.is_absent = relived.game.is_started
    if seat.decision:
        seat.decision.began = server.clock()
    last = relived.decides.get(seat.index)
    if isinstance(last, int):
        session.next_decide = max(session.next_decide, last + 1)
