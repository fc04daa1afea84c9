"""Who is connected, who is expected back, and what becomes of the seats of those who are not seen again."""

from functools import partial

from protocols.jsonl.hall.hall import LONGEST_SLEEP, Hall
from protocols.jsonl.messages import Bye
from protocols.jsonl.session.line import Line
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.table import Table


def connect(hall: Hall, now: float, *, is_trusted: bool, is_silent: bool = False) -> Line:
    """A new connection. A silent one (standard input) never has to show that it lives."""
    line = Line(hall.limits, now, is_trusted=is_trusted, is_silent=is_silent, talking=hall.talking)
    hall.lines.add(line)
    if len(hall.lines) == 1:
        hall.alarms.set(now + _round_seconds(hall), partial(_look_round, hall))
    return line


def disconnect(hall: Hall, line: Line, now: float) -> None:
    """A connection is gone; its session may come back."""
    hall.lines.discard(line)
    hall.talking.discard(line)
    session = line.session
    if session is None or session.line is not line:
        return
    line.session = None
    session.line = None
    session.lost_at = now
    for game_id in session.games | session.watched:
        table = hall.tables.get(game_id)
        if table:
            table.lose(session)
            hall.settle(table, now)
    if session.games:
        await_return(hall, session, now)
    else:
        hall.forget_session(session)


def await_return(hall: Hall, session: Session, now: float) -> None:
    """Give a session without a connection its time to come back."""
    if session.line is not None or session.lost_at is None or hall.sessions.get(session.id) is not session:
        return
    ends = session.lost_at + _patience_seconds(hall, session)
    if ends > now:  # its games may be over before that: it is looked at now and then
        hall.alarms.set(min(ends, now + LONGEST_SLEEP), partial(await_return, hall, session))
    else:
        _part(hall, session, now)


def is_full(hall: Hall) -> bool:
    """Whether there are as many games as there may be."""
    return sum(not table.is_over for table in hall.tables.values()) >= hall.limits.games


def make_room(hall: Hall, now: float) -> None:
    """End a game that all have left, if there is one: first where nobody has decided anything, then the oldest.

    Else strangers who begin games and go would keep everybody else out for as long as sessions are kept.
    """
    left = [table for table in hall.tables.values() if not table.is_over and _is_left(table)]
    if not left:
        return
    table = min(left, key=_worth)
    for session in list(table.herald.sessions()):
        if not table.is_started:
            hall.vacate(table, session, now)
            continue
        for seat in table.seats_of(session):
            if not table.is_over:
                table.give_up(seat, "forfeit", now)
        hall.settle(table, now)


def make_room_for_session(hall: Hall, now: float) -> None:
    """Part from a session whose connection is lost, if there is one: first from one without a game under way."""
    lost = [session for session in hall.sessions.values() if session.line is None]
    if lost:
        _part(hall, min(lost, key=partial(_claim, hall)), now)


# -- Helpers ---------------------------------------------------------------------------------------


def _is_left(table: Table) -> bool:
    sessions = table.herald.sessions()
    return bool(sessions) and all(session.line is None for session in sessions)


def _worth(table: Table) -> tuple[bool, float]:
    """Whether anybody has decided anything, and when the last one went."""
    has_begun = any(seat.session and seat.decisions > 1 for seat in table.seats)
    return has_begun, max(session.lost_at or 0.0 for session in table.herald.sessions())


def _claim(hall: Hall, session: Session) -> tuple[bool, bool, float]:
    """Whether it has a game under way, whether it has decided anything there, and when it went."""
    tables = [hall.tables[game] for game in session.games if game in hall.tables]
    running = [table for table in tables if not table.is_over]
    return bool(running), any(_worth(table)[0] for table in running), session.lost_at or 0.0


def _patience_seconds(hall: Hall, session: Session) -> float:
    running = [hall.tables[game] for game in session.games if game in hall.tables]
    is_patient = any(not table.terms.clock and not table.is_over for table in running)
    return hall.limits.patient_session_seconds if is_patient else hall.limits.session_seconds


def _part(hall: Hall, session: Session, now: float) -> None:
    """Nobody will come back to it."""
    for game_id in sorted(session.games):
        table = hall.tables.get(game_id)
        if table and not table.is_started:
            hall.vacate(table, session, now)
        elif table and not table.is_over:
            _replace(hall, table, session, now)
            hall.settle(table, now)
    hall.forget_session(session)


def _replace(hall: Hall, table: Table, session: Session, now: float) -> None:
    wish = table.terms.on_gone
    if wish == "forfeit":
        for seat in table.seats_of(session):
            if not table.is_over:
                table.give_up(seat, "forfeit", now)
        return
    prefix, _, name = wish.partition(":")
    agent = None
    if prefix == "agent":
        binding, seat = hall.bindings[table.game], table.seats_of(session)[0]
        agent = binding.agent(name, table.play, table.seed.stream, seat.index)
    table.replace(session, name, agent, now)


def _round_seconds(hall: Hall) -> float:
    return min(hall.limits.heartbeat_seconds, hall.limits.idle_seconds) / 3


def _look_round(hall: Hall, now: float) -> None:
    """Ask the silent whether they live, and part from those who do not."""
    for line in list(hall.lines):
        quiet = now - line.last_heard
        if line.is_silent or line.is_closing:
            continue
        if quiet >= hall.limits.idle_seconds:
            line.say(Bye(reason="idle"))
            line.close()
        elif quiet >= hall.limits.heartbeat_seconds and line.session:
            line.ask(now)
    hall.forget_old(now)
    if hall.lines:
        hall.alarms.set(now + _round_seconds(hall), partial(_look_round, hall))
