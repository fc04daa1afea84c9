"""What is there, and how one gets a seat: list, describe, create, join, leave."""

from collections.abc import Sequence

from engines.seeds import SeededStreams
from protocols.jsonl.adapter import GameAdapter, GameConfig, GameState, OptionError, VariantInfo
from protocols.jsonl.codec import game_schemas
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.presence import is_full, make_room
from protocols.jsonl.messages import (
    ClockTerms,
    Create,
    Created,
    Describe,
    Description,
    Join,
    Joined,
    Leave,
    List,
    Listed,
    ListedMatch,
    Listing,
    Ok,
    Refusal,
    invalid,
    missing,
)
from protocols.jsonl.record import record_header
from protocols.jsonl.requests.profiles import profiles
from protocols.jsonl.session.line import Line
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.seat import Seat
from protocols.jsonl.table.table import Table
from protocols.jsonl.table.terms import Terms

PAGE = 50


def listing(hall: Hall, line: Line, message: List, now: float) -> None:
    """One page of the games, or the agents, or the matches."""
    offset, limit = message.offset or 0, message.limit or PAGE
    if message.profile_list or message.profile_show or message.profile_delete:
        profiles(hall, line, message)
        return
    if message.what == "agents":
        agents = {name: list(binding.agents) for name, binding in hall.bindings.items()}
        line.say(Listing(re=message.id, agents=agents, total=sum(map(len, agents.values()))))
        return
    if message.what == "matches":
        matches = [
            ListedMatch(match_id=name, game=match.config.adapter.name, done=match.done, of=match.of)
            for name, match in hall.matches.items()
        ]
        page = matches[offset : offset + limit]
        line.say(Listing(re=message.id, matches=page, total=len(matches), offset=offset))
        return
    tables = [
        table
        for table in hall.tables.values()
        if message.game in (None, table.game) and message.state in (None, table.state)
    ]
    shown = [_listed(table) for table in tables[offset : offset + limit]]
    line.say(Listing(re=message.id, games=shown, total=len(tables), offset=offset))


def describe(hall: Hall, line: Line, message: Describe, now: float) -> None:
    """A variant with its rules, options and schemas."""
    binding = hall.binding(message.game)
    variant = message.variant or binding.variants[0]
    facts = _facts(binding, variant)
    line.say(
        Description(
            re=message.id,
            game=binding.name,
            variant=variant,
            rules_hash=facts.rules_hash,
            rules=facts.rules,
            seats=facts.seats,
            options=facts.options,
            actions=facts.actions,
            schemas=game_schemas(binding.message_types),
        )
    )


def create(hall: Hall, line: Line, message: Create, now: float) -> None:
    """A new game; it starts at once if no seat is open."""
    session = line.session
    assert session is not None
    _may_sit(hall, session)
    if is_full(hall):
        make_room(hall, now)
    if is_full(hall):
        raise Refusal("busy", "too many games; try again later")
    binding = hall.binding(message.game)
    variant = message.variant or binding.variants[0]
    facts = _facts(binding, variant)
    options = message.options or {}
    if message.rated:
        _check_rated(message, facts)
    for index, entry in enumerate(message.seats):
        if entry not in ("me", "open") and not binding.has_agent(entry, index):
            raise missing("no_such_agent", "agent", entry, f"$.seats[{index}]")
    gone = message.on_gone or ("forfeit" if message.rated else "default_action")
    _check_gone(binding, gone, message.seats)
    seed = SeededStreams(message.seed) if message.seed is not None else hall.names.seed()
    try:
        plan = GameConfig(variant=variant, seats=len(message.seats), options=options, streams=seed)
        play = binding.open(plan)
    except OptionError as error:
        raise invalid(error.path, str(error), error.reason) from None
    terms = Terms(clock=message.clock, rated=bool(message.rated), on_gone=gone, creator=session.id)
    names = [message.seats[entry] for entry in play.seating()]
    seats = _seats(binding, play, names, message.clock, seed)
    table = Table(hall.names.game(), binding.name, play, seats, seed, terms, hall.limits)
    table.herald.note(record_header(table, variant, dict(options), facts.rules))
    hall.add(table)
    own = [seat for seat, name in zip(seats, names, strict=True) if name == "me"]
    for seat in own:
        table.sit(seat, session)
    line.say(
        Created(
            re=message.id,
            game_id=table.id,
            seat=own[0].index if own else None,
            rated=terms.rated,
            rules_hash=play.rules_hash,
            seed_commit=seed.commitment(table.id),
        )
    )
    _start_if_full(hall, table, now)


def join(hall: Hall, line: Line, message: Join, now: float) -> None:
    """Take an open seat."""
    session = line.session
    assert session is not None
    _may_sit(hall, session)
    table = hall.table(message.game_id)
    if table.is_over:
        raise Refusal("game_over", "the game is over")
    free = [seat for seat in table.seats if seat.is_open and message.seat in (None, seat.index)]
    if table.is_started or not free:
        raise Refusal("seat_taken", "no such seat is open")
    seat = free[0]
    table.sit(seat, session)
    if table.herald.onlookers.pop(session.id, None):
        session.watched.discard(table.id)
    line.say(Joined(re=message.id, game_id=table.id, seat=seat.index))
    _start_if_full(hall, table, now)


def leave(hall: Hall, line: Line, message: Leave, now: float) -> None:
    """Give the seats back; a game that nobody sits at any more is gone."""
    session = line.session
    assert session is not None
    table = hall.own_table(session, message.game_id)
    if table.is_started:
        raise Refusal("not_permitted", "the game has begun; use resign")
    hall.vacate(table, session, now)
    line.say(Ok(re=message.id))


# -- Helpers ---------------------------------------------------------------------------------------


def _start_if_full(hall: Hall, table: Table, now: float) -> None:
    if not any(seat.is_open for seat in table.seats):
        table.start(now)
    hall.settle(table, now)


def _may_sit(hall: Hall, session: Session) -> None:
    if session.preferences.role == "watcher":
        raise Refusal("not_permitted", "a watcher does not play")
    running = sum(game in hall.tables and not hall.tables[game].is_over for game in session.games)
    if running >= hall.limits.games_per_session:
        raise Refusal("busy", f"at most {hall.limits.games_per_session} games at a time")


def _check_gone(binding: GameAdapter, gone: str, entries: Sequence[str]) -> None:
    """Whoever is to play on must be able to sit where people do."""
    if gone in ("forfeit", "default_action"):
        return
    name = gone.removeprefix("agent:")
    people = [seat for seat, entry in enumerate(entries) if entry in ("me", "open")]
    if not all(binding.has_agent(name, seat) for seat in people or [0]):
        raise missing("no_such_agent", "agent", gone)


def _check_rated(message: Create, facts: VariantInfo) -> None:
    if message.seed is not None:
        raise Refusal("not_permitted", "the server draws the seed of a rated game", data={"path": "$.seed"})
    for name in message.options or {}:
        if name in facts.unrated:
            path = f"$.options.{name}"
            raise Refusal("not_permitted", f"no rated game with {name}", data={"path": path})


def _facts(binding: GameAdapter, variant: str) -> VariantInfo:
    try:
        return binding.describe(variant)
    except OptionError as error:
        raise invalid(error.path, str(error), error.reason) from None


def _seats(
    binding: GameAdapter, play: GameState, names: Sequence[str], clock: ClockTerms | None, seed: SeededStreams
) -> list[Seat]:
    """Agents sit already."""
    seats = []
    for index, name in enumerate(names):
        agent = None if name in ("me", "open") else binding.agent(name, play, seed.stream, index)
        seats.append(Seat(index, name if agent else "", agent, clock))
    return seats


def _listed(table: Table) -> Listed:
    return Listed(
        game_id=table.id,
        game=table.game,
        variant=table.play.variant,
        seats=[seat.name for seat in table.seats],
        state=table.state,
        rated=table.terms.rated,
        seq=table.seq,
    )
