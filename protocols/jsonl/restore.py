"""Restoring the unfinished games and matches of a server from its journal, after any end of the process, also a kill.

A file that cannot be read is left as it is, with a warning in the log; all others are restored.
"""

import logging
from pathlib import Path
from typing import Final

from protocols.jsonl.journal import Journal
from protocols.jsonl.match_journal import MatchJournals
from protocols.jsonl.record import RecordError, ReplayedGame, line_type, replay_record
from protocols.jsonl.record_lines import JournalSeat
from protocols.jsonl.seat import Seat
from protocols.jsonl.server import GameServer
from protocols.jsonl.session import Preferences, Session

LOG: Final = logging.getLogger(__name__)


def restore(server: GameServer) -> int:
    """Continue every game and match of a server's journal that is not over, and return the number of games."""
    journal = server.journal
    if journal is None:
        return 0
    count, finished = 0, []
    for game_id in journal.ids():
        try:
            if line_type(journal.last_line(game_id)) == "end":
                finished.append(game_id)
            else:
                count += _restore_game(server, journal, game_id)
        except Exception as error:  # a damaged line can make the rules raise anything
            _leave_out(journal.path(game_id), error)
            if game := server.games.get(game_id):
                server.games.forget(game)
    journal.keep(finished)
    if journals := server.matches.journals:
        for match_id in journals.journal.ids():
            _restore_match(server, journals, match_id)
    return count


def _restore_game(server: GameServer, journal: Journal, game_id: str) -> bool:
    """Continue a game from its journal unless it is over, and return whether it continues.

    Raises RecordError if the journal is damaged, or OSError.
    """
    lines = journal.read(game_id)
    if not lines and (lines is None or journal.path(game_id).stat().st_size):
        raise RecordError("line 1: a header is expected, but the file has no whole line")
    if not lines or line_type(lines[-1]) == "end":
        return False
    replayed = replay_record(lines, server.adapters, server.limits, server.games.host)
    if replayed.game.id != game_id:
        raise RecordError(f"line 1: the record is of the game {replayed.game.id[:64]!r}")
    journal.mend(game_id)
    _continue_game(server, replayed)
    return True


def _continue_game(server: GameServer, replayed: ReplayedGame) -> None:
    """Seat the sessions and agents of a game that has been replayed, and continue the game."""
    game = replayed.game
    game.lines.written = len(game.lines.record)
    for seat in game.seats:
        entry = replayed.seated.get(seat.index)
        if entry and entry.session:
            _seat_session(server, replayed, seat, entry)
        elif entry and entry.agent:
            adapter = server.adapters[game.game]
            seat.agent = adapter.agent(entry.agent, game.state, game.seed.stream, seat.index)
    server.games.add(game)
    if game.is_started:
        game.continue_from(replayed.moves, list(replayed.pending_events))
        server.games.update(game)
    else:
        server.games.start_if_full(game)
    for session in game.lines.players():
        server.sessions.expect_return(session)


def _seat_session(server: GameServer, replayed: ReplayedGame, seat: Seat, entry: JournalSeat) -> None:
    """Give a seat back to its session."""
    session = _lost_session(server, entry.session, entry.token_hash, entry.name)
    session.games.add(replayed.game.id)
    seat.session = session
    seat.name = entry.name
    seat.is_absent = replayed.game.is_started
    if seat.decision:
        seat.decision.began = server.clock()
    last = replayed.decides.get(seat.index)
    if isinstance(last, int):
        session.next_decide = max(session.next_decide, last + 1)


def _restore_match(server: GameServer, journals: MatchJournals, match_id: str) -> None:
    """Continue a match from its journal. No content of the file makes this raise an exception."""
    try:
        past = journals.read(match_id)
        header = past.header
        session = _lost_session(server, header.session, header.token_hash, header.name)
        server.matches.go_on(session, past)
        server.sessions.expect_return(session)
    except Exception as error:  # a damaged line can raise anything
        _leave_out(journals.journal.path(match_id), error)
        server.matches.runners.pop(match_id, None)


def _lost_session(server: GameServer, session_id: str, token_hash: str, name: str) -> Session:
    """Return a session of an earlier run of the server, whose client may come back."""
    session = server.sessions.get(session_id)
    if session is None:
        session = Session(session_id, token_hash, Preferences(name=name), server.ids.first_decide)
        session.lost_at = server.clock()
        server.sessions.add(session)
    return session


def _leave_out(path: Path, error: Exception) -> None:
    """Log the reason why a file of the journal is not used."""
    reason = error.strerror if isinstance(error, OSError) else str(error) or type(error).__name__
    LOG.warning("%s is ignored and not changed (%s); repair it or move it away", path, reason)
