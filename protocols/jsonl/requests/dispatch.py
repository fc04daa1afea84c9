"""One dispatcher for every message: a line goes in, what follows from it waits in the outboxes."""

import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.messages import client
from protocols.jsonl.messages.codec import decode, error_of
from protocols.jsonl.messages.errors import MalformedLine, Refusal
from protocols.jsonl.messages.values import Bye, Ping, Pong
from protocols.jsonl.requests import directory, matches, playing, reception, records, watching
from protocols.jsonl.session.line import Line

Handler = Callable[[Hall, Line, Any, float], None]

HANDLERS: Final[Mapping[type, Handler]] = {
    client.Hello: reception.hello,
    client.Resume: reception.resume,
    client.Limits: reception.limits,
    client.List: directory.listing,
    client.Describe: directory.describe,
    client.Create: directory.create,
    client.Join: directory.join,
    client.Leave: directory.leave,
    client.Action: playing.action,
    client.Check: playing.check,
    client.Resign: playing.resign,
    client.State: playing.state,
    client.Note: playing.note,
    client.Watch: watching.watch,
    client.Unwatch: watching.unwatch,
    client.Record: records.record,
    client.Explain: records.explain,
    client.Replay: records.replay,
    client.Match: matches.match,
    client.MatchCancel: matches.cancel,
}


def receive(hall: Hall, line: Line, data: bytes, now: float) -> None:
    """Obey one line, given without its break. Nothing in it makes this raise anything."""
    line.last_heard = now
    message: Any = None
    try:
        if not data or data.isspace() or line.is_closing:
            return
        if not line.is_trusted:
            line.spend(now)
        message = decode(data)
        kind = type(message)
        if kind is Ping:
            line.say(Pong(re=message.id, server_ms=int(now * 1000), latency_ms=line.latency_ms))
        elif kind is Pong:
            line.ponged(now)
        elif kind is Bye:
            line.close()
        else:
            if line.session is None and kind is not client.Hello:
                raise Refusal("not_ready", "say hello first")
            HANDLERS[kind](hall, line, message, now)
    except Refusal as refusal:
        if isinstance(refusal, MalformedLine) and line.is_hopeless(now):
            refusal.fatal = True
        _refuse(line, refusal, message)
    except Exception:
        ticket = hall.report(traceback.format_exc())
        _refuse(line, Refusal("internal", "that is our fault", data={"ticket": ticket}), message)


def too_long(hall: Hall, line: Line) -> None:
    """The other side has sent a line without an end."""
    _refuse(line, Refusal("too_long", f"a line has at most {line.max_line} bytes", fatal=True), None)


def _refuse(line: Line, refusal: Refusal, message: Any) -> None:
    if refusal.re is None:
        refusal.re = getattr(message, "id", None)
    if refusal.re is None and isinstance(message, client.Action):
        refusal.re = message.re
    line.say(error_of(refusal, getattr(message, "game_id", None)))
    if refusal.fatal:
        line.close()
