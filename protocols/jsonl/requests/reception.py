"""Who comes in: hello, resume, and the limits that apply."""

from engines.seeds import GENERATOR, PROTOCOL
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.presence import make_room_for_session
from protocols.jsonl.messages import (
    Allowance,
    Bye,
    Hello,
    Id,
    Limited,
    Limits,
    Position,
    Refusal,
    Resume,
    Resumed,
    Welcome,
)
from protocols.jsonl.session.line import Line
from protocols.jsonl.session.session import Preferences, Session, fingerprint
from protocols.jsonl.table.returning import resend, resumption

VERSIONS = (1,)


def hello(hall: Hall, line: Line, message: Hello, now: float) -> None:
    """Welcome a client with a new session."""
    if line.session is not None:
        raise Refusal("not_permitted", "we have met already")
    version = max((each for each in VERSIONS if each in message.versions), default=None)
    if version is None:
        raise Refusal("version", "no version in common", data={"versions": list(VERSIONS)}, fatal=True)
    knows_token = hall.knows(message.token or "")
    if message.role == "director" and not (line.is_trusted or knows_token):
        raise Refusal("not_permitted", "a director needs the server's token")
    if len(hall.sessions) >= hall.limits.sessions:
        make_room_for_session(hall, now)
    if len(hall.sessions) >= hall.limits.sessions:
        raise Refusal("busy", "too many sessions; try again later", fatal=True)
    line.is_trusted = line.is_trusted or knows_token
    line.max_line = min(line.max_line, message.max_line or line.max_line)
    token = hall.names.token()
    session = Session(
        hall.names.session(), fingerprint(token), Preferences.of(message), hall.names.first_decide
    )
    _seat(hall, line, session)
    line.say(introduction(hall, line.max_line, version, re=message.id, session=session.id, resume=token))


def introduction(
    hall: Hall, max_line: int, version: int = VERSIONS[-1], *, re: Id | None = None, session: str, resume: str
) -> Welcome:
    """What the server says of itself, to a session."""
    allowance = Allowance(
        max_line=max_line,
        rate=hall.limits.messages_per_second,
        burst=hall.limits.messages_burst,
        games=hall.limits.games_per_session,
    )
    return Welcome(
        re=re,
        protocol=PROTOCOL,
        version=version,
        server=hall.server,
        generator=GENERATOR,
        games={name: list(binding.variants) for name, binding in hall.bindings.items()},
        features=list(hall.features),
        session=session,
        resume=resume,
        heartbeat_ms=round(hall.limits.heartbeat_seconds * 1000),
        limits=allowance,
    )


def resume(hall: Hall, line: Line, message: Resume, now: float) -> None:
    """Give a client its session back; a connection that it still has is taken over."""
    session = hall.tokens.get(fingerprint(message.token))
    fresh = line.session
    assert fresh is not None
    if session is None:
        raise Refusal("resume_expired", "no session waits for this token")
    if session is not fresh:
        if fresh.games:
            raise Refusal("not_permitted", "this connection has games of its own")
        hall.forget_session(fresh)
        if session.line is not None:
            session.line.say(Bye(reason="taken_over"))
            session.line.close()
            session.line.session = None
        session.preferences = fresh.preferences
        session.lost_at = None
        _seat(hall, line, session)
    wanted = message.games
    if wanted is None:
        wanted = [Position(game_id=game_id) for game_id in sorted(session.games)]
    tables = [(hall.own_table(session, position.game_id), position) for position in wanted]
    states = [resumption(table, session) for table, _ in tables]
    line.say(Resumed(re=message.id, session=session.id, games=states))
    for table, position in tables:
        if table.is_started:
            resend(table, session, position, now)
            hall.settle(table, now)


def limits(hall: Hall, line: Line, message: Limits, now: float) -> None:
    """Show the limits with their present use."""
    assert line.session is not None
    bounds = hall.limits
    running = [table for table in hall.tables.values() if not table.is_over]
    own = [table for table in running if table.id in line.session.games]
    used = {
        "games": len(running),
        "games_per_session": len(own),
        "sessions": len(hall.sessions),
        "matches_per_director": sum(match.owner == line.session.id for match in hall.matches.values()),
    }
    shown = {name: float(getattr(bounds, name)) for name in bounds.__slots__}
    line.say(Limited(re=message.id, limits=shown, used={name: float(each) for name, each in used.items()}))


def _seat(hall: Hall, line: Line, session: Session) -> None:
    line.session = session
    session.line = line
    hall.sessions[session.id] = session
    hall.tokens[session.token_hash] = session
