"""Requests of those who look on."""

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.messages import Ok, Refusal, Unwatch, Watch, Watching
from protocols.jsonl.session.line import Line
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.onlooker import Onlooker
from protocols.jsonl.table.table import Table


def watch(hall: Hall, line: Line, message: Watch, now: float) -> None:
    """Show a game from now on, or from an event on; with a delay always from its beginning."""
    session = line.session
    assert session is not None
    table = hall.table(message.game_id)
    if table.id in session.games and not table.is_over:
        raise Refusal("not_permitted", "you play in that game")
    sees_all = bool(message.omniscient)
    if sees_all and not _may_see_all(session, table):
        raise Refusal("not_permitted", "hidden things are shown when the game is over")
    delay = 0 if table.is_over else message.delay or 0
    line.say(Watching(re=message.id, game_id=table.id, seq=max(table.seq - delay, 0)))
    first = message.from_seq
    if delay or table.is_over:
        first = first or 0
    elif first is not None and not table.herald.history.has(max(first, 1)):
        first = None  # no longer kept: the game as it is now
    sent = table.herald.history.seq if first is None else max(first - 1, 0)
    onlooker = Onlooker(session=session, delay=delay, sees_all=sees_all, sent=sent)
    if table.is_started:
        line.send(table.herald.start_now() if first is None else table.herald.start_line(None))
        if table.is_over:
            table.herald.show_out(onlooker, table.end_line)
            return
        table.herald.show(onlooker)
    table.herald.onlookers[session.id] = onlooker
    session.watched.add(table.id)


def unwatch(hall: Hall, line: Line, message: Unwatch, now: float) -> None:
    assert line.session is not None
    table = hall.table(message.game_id)
    table.herald.onlookers.pop(line.session.id, None)
    line.session.watched.discard(table.id)
    line.say(Ok(re=message.id))


def _may_see_all(session: Session, table: Table) -> bool:
    if table.is_over:
        return True
    is_agents_only = all(seat.agent is not None for seat in table.seats)
    return not table.terms.rated and is_agents_only and table.terms.creator == session.id
