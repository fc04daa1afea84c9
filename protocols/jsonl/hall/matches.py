"""Requests of directors: matches between players of the house, played a game at a time between other work."""

from functools import partial
from typing import Final

from protocols.jsonl.binding.binding import OptionError, Plan
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.match import Match, Setup
from protocols.jsonl.messages.client import Match as MatchRequest
from protocols.jsonl.messages.client import MatchCancel
from protocols.jsonl.messages.errors import Refusal, invalid, missing
from protocols.jsonl.messages.server import Matched, MatchEnd, MatchEvent, Ok
from protocols.jsonl.messages.values import Stop
from protocols.jsonl.session.line import Line
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.seeds import Seed

TOLD_SECONDS: Final = 1.0
LEAST_GAMES: Final = 100  # before an interval may end a match
PAIRINGS: Final = ("round_robin", "all_pairs", "gauntlet")


def match(hall: Hall, line: Line, message: MatchRequest, now: float) -> None:
    """Begin a match."""
    session = line.session
    assert session is not None
    if session.preferences.role != "director":
        raise Refusal("not_permitted", "matches are for directors")
    own = sum(each.owner == session.id and not each.is_over for each in hall.matches.values())
    if own >= hall.limits.matches_per_director:
        raise Refusal("busy", f"at most {hall.limits.matches_per_director} matches at a time")
    binding = hall.binding(message.game)
    variant = message.variant or binding.variants[0]
    for index, name in enumerate(message.players):
        if not binding.has_agent(name):
            raise missing("no_such_agent", "agent", name, f"$.players[{index}]")
    if message.pairing not in (None, *PAIRINGS):
        raise invalid("$.pairing", f"a match is played as {', '.join(PAIRINGS)}")
    seats = message.seats or 2
    if seats > len(message.players):
        raise invalid("$.seats", f"{seats} seats need as many players")
    options = message.options or {}
    try:
        play = binding.open(Plan(variant=variant, seats=seats, options=options, stream=Seed(0).stream))
    except OptionError as error:
        raise invalid(error.path, str(error)) from None
    for name in message.players:
        if binding.agent(name, play, Seed(0).stream, 0).is_slow:
            raise Refusal("not_permitted", f"{name} thinks too long for a match on this server")
    setup = Setup(
        players=tuple(message.players),
        games=message.games,
        seats=seats,
        pairing=message.pairing or "round_robin",
        mirror=bool(message.mirror),
        seed=message.seed if message.seed is not None else hall.names.seed().number,
    )
    begun = Match(hall.names.match(), session.id, binding, variant, options, setup)
    hall.matches[begun.id] = begun
    line.say(Matched(re=message.id, match_id=begun.id))
    stop = message.stop or Stop()
    ends = now + stop.minutes * 60 if stop.minutes is not None else float("inf")
    hall.wake_at(now, partial(_step, hall, session, begun, stop, ends))


def cancel(hall: Hall, line: Line, message: MatchCancel, now: float) -> None:
    """End a match with the games it has."""
    assert line.session is not None
    found = hall.matches.get(message.match_id)
    if found is None or found.owner != line.session.id:
        raise Refusal("not_permitted", "you have no such match")
    found.is_over = True
    line.say(Ok(re=message.id))


def _step(hall: Hall, session: Session, match: Match, stop: Stop, ends: float, now: float) -> None:
    if not match.is_over:
        match.step()
    is_sure = stop.ci is not None and match.done >= LEAST_GAMES and match.interval() <= stop.ci
    if match.is_over or is_sure or now >= ends or (stop.games is not None and match.done >= stop.games):
        match.is_over = True
        hall.wake_at(now + hall.limits.finished_seconds, partial(hall.forget_match, match.id))
        session.say(
            MatchEnd(match_id=match.id, table=list(match.table()), games=match.done, seeds=match.seeds())
        )
        return
    if now - match.told_at >= TOLD_SECONDS:
        match.told_at = now
        session.say(
            MatchEvent(match_id=match.id, done=match.done, of=match.of, table=list(match.table()), running=1)
        )
    hall.wake_at(now, partial(_step, hall, session, match, stop, ends))
