"""One dispatcher for every message: a line goes in, what follows from it waits in the outboxes."""

import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final

from protocols.jsonl import messages
from protocols.jsonl.codec import decode, error_of
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.messages import Bye, MalformedLine, Ping, Pong, Refusal
from protocols.jsonl.requests import directory, matches, playing, reception, records, watching
from protocols.jsonl.session.line import Line

Handler = Callable[[Hall, Line, Any, float], None]

HANDLERS: Final[Mapping[type, Handler]] = {
    messages.Hello: reception.hello,
    messages.Resume: reception.resume,
    messages.Limits: reception.limits,
    messages.List: directory.listing,
    messages.Describe: directory.describe,
    messages.Create: directory.create,
    messages.Join: directory.join,
    messages.Leave: directory.leave,
    messages.Action: playing.action,
    messages.Check: playing.check,
    messages.Resign: playing.resign,
    messages.State: playing.state,
    messages.Note: playing.note,
    messages.Watch: watching.watch,
    messages.Unwatch: watching.unwatch,
    messages.Record: records.record,
    messages.Explain: records.explain,
    messages.Replay: records.replay,
    messages.Match: matches.match,
    messages.MatchCancel: matches.cancel,
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
            if line.session is None and kind is not messages.Hello:
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
    if refusal.re is None and isinstance(message, messages.Action):
        refusal.re = message.re
    line.say(error_of(refusal, getattr(message, "game_id", None)))
    if refusal.fatal:
        line.close()
