"""Requests of directors: matches between players of the house, whose games are errands for other processes."""

from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from engines.events import BroadcastLine as Told
from engines.seeds import SeededStreams
from protocols.jsonl.adapter import GameAdapter, GameConfig, OptionError
from protocols.jsonl.codec import encode
from protocols.jsonl.hall.errand import Errand
from protocols.jsonl.hall.hall import Hall, match_topic
from protocols.jsonl.match import MOST_SEEDS, GameOutcome, Match, MatchConfig, Schedule, play_batch
from protocols.jsonl.messages import Match as MatchRequest
from protocols.jsonl.messages import (
    MatchCancel,
    Matched,
    MatchEnd,
    MatchEvent,
    Ok,
    Refusal,
    Stop,
    invalid,
    missing,
)
from protocols.jsonl.session.line import Line
from protocols.jsonl.session.session import Session

TOLD_SECONDS: Final = 1.0
LEAST_GAMES: Final = 100  # before an interval may end a match
BATCH_GAMES: Final = 10  # an errand, unless one of the players is slow


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
    config = _config(hall, binding, message)
    pairing = message.pairing or "round_robin"
    schedule = Schedule(
        players=tuple(message.players),
        games=message.games,
        seats=message.seats or 2,
        pairing="round_robin" if pairing == "all_pairs" else pairing,
        mirror=bool(message.mirror),
        seed=message.seed if message.seed is not None else hall.names.seed().number,
    )
    begun = Match(session.id, config, schedule)
    hall.matches[begun.id] = begun
    line.say(Matched(re=message.id, match_id=begun.id))
    stop = message.stop or Stop()
    director = _Director(
        session=session,
        match=begun,
        stop=stop,
        ends=now + stop.minutes * 60 if stop.minutes is not None else float("inf"),
        workers=max(min(message.workers or hall.limits.workers, hall.limits.workers), 1),
        batch_games=1 if config.is_slow else BATCH_GAMES,
    )
    _send_out(hall, director)


def cancel(hall: Hall, line: Line, message: MatchCancel, now: float) -> None:
    """End a match with the games it has."""
    assert line.session is not None
    found = hall.matches.get(message.match_id)
    if found is None or found.owner != line.session.id:
        raise Refusal("not_permitted", "you have no such match")
    found.is_over = True
    line.say(Ok(re=message.id))


# -- Helpers ---------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class _Director:
    """Who follows a match, and when it is to end."""

    session: Session
    match: Match
    stop: Stop
    ends: float  # seconds, as the hall is told the time
    workers: int
    batch_games: int
    errands: int = 0  # under way
    written: int = 0  # records in the journal
    told_at: float = float("-inf")  # seconds
    has_told_end: bool = False

    def is_enough(self, now: float) -> bool:
        match, stop = self.match, self.stop
        is_sure = stop.ci is not None and match.done >= LEAST_GAMES and match.standings.interval() <= stop.ci
        return is_sure or now >= self.ends or (stop.games is not None and match.done >= stop.games)


def _config(hall: Hall, binding: GameAdapter, message: MatchRequest) -> MatchConfig:
    """Where the games are played. Refusal if that cannot be."""
    variant, options = message.variant or binding.variants[0], message.options or {}
    seats = message.seats or 2
    for index, name in enumerate(message.players):
        if not any(binding.has_agent(name, seat) for seat in range(seats)):
            raise missing("no_such_agent", "agent", name, f"$.players[{index}]")
        if not all(binding.has_agent(name, seat) for seat in range(seats)):
            raise invalid(f"$.players[{index}]", f"{name} cannot sit everywhere, as all do in a match")
    if seats > len(message.players):
        raise invalid("$.seats", f"{seats} seats need as many players")
    try:
        play = binding.open(
            GameConfig(variant=variant, seats=seats, options=options, streams=SeededStreams(0))
        )
    except OptionError as error:
        raise invalid(error.path, str(error), error.reason) from None
    return MatchConfig(
        adapter=binding,
        variant=variant,
        options=options,
        players=tuple(message.players),
        clock=message.clock,
        match_id=hall.names.match(),
        recorded=hall.limits.recorded_games if message.records else 0,
        is_slow=any(
            binding.agent(name, play, SeededStreams(0).stream, 0).is_slow for name in message.players
        ),
    )


def _send_out(hall: Hall, director: _Director) -> None:
    """Have some more games played, if there are any."""
    match = director.match
    while director.errands < director.workers and (batch := match.next_batch(director.batch_games)):
        director.errands += 1
        done = partial(_hear, hall, director)
        about = f"match {match.id}"
        hall.errands.append(Errand(function=play_batch, task=batch, about=about, is_long=True, done=done))


def _hear(hall: Hall, director: _Director, outcomes: list[GameOutcome] | None, now: float) -> None:
    """Games have been played, or could not be."""
    match = director.match
    director.errands -= 1
    if director.has_told_end:
        return
    if outcomes is None:
        match.is_over = True
    else:
        match.add(outcomes, partial(director.is_enough, now))
        _write_down(hall, director)
    if match.is_over:
        director.has_told_end = True
        _end(hall, director, now)
        return
    if now - director.told_at >= TOLD_SECONDS:
        director.told_at = now
        event = MatchEvent(
            match_id=match.id,
            done=match.done,
            of=match.of,
            table=match.standings.rows(),
            running=match.running,
        )
        _tell(hall, director, event)
    _send_out(hall, director)


def _write_down(hall: Hall, director: _Director) -> None:
    """Records that are new go into the journal, where there is one."""
    if hall.journal:
        try:
            for game_id, lines in islice(director.match.records.items(), director.written, None):
                hall.journal.append(game_id, b"".join(lines))
                hall.journal.close(game_id)
                director.written += 1
        except OSError as error:  # a full disk; the rest is tried again with the next
            hall.report(f"records cannot be written at present: {error}")


def _end(hall: Hall, director: _Director, now: float) -> None:
    match = director.match
    hall.alarms.set(now + hall.limits.finished_seconds, partial(hall.forget_match, match.id))
    end = MatchEnd(
        match_id=match.id,
        table=match.standings.rows(),
        games=match.done,
        seeds=match.seeds,
        records=list(match.records)[:MOST_SEEDS] or None,
    )
    _tell(hall, director, end)


def _tell(hall: Hall, director: _Director, news: MatchEvent | MatchEnd) -> None:
    """The director, and whoever listens to the bus."""
    line = encode(news)
    director.session.send(line)
    if hall.bus:
        hall.bus.publish(match_topic(director.match.id), Told(line=line.rstrip()), is_state=True)
