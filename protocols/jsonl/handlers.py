"""The handlers of requests: functions of the server, the session and the message that return the answer.

A handler that sends other lines after its answer sends the answer itself, by session.answer(), and returns None. A
handler that refuses a request raises Refusal with the reason.
"""

import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hmac import compare_digest
from typing import Any, Final

from msgspec import Raw

from engines.names import check_name
from engines.seeds import GENERATOR, PROTOCOL, SeededStreams
from protocols.incidents import Kind
from protocols.jsonl import actions, messages, seating
from protocols.jsonl.adapter import (
    Call,
    GameAdapter,
    GameConfig,
    GameState,
    OptionError,
    Profiles,
    VariantInfo,
)
from protocols.jsonl.broadcast import Spectator
from protocols.jsonl.calls import RecordPage, encoded_lines, event_lines, page_of, read_public_lines
from protocols.jsonl.codec import ENCODER, decode, encode, error_of, game_schemas, reference
from protocols.jsonl.game import Game, GameOptions, chosen_seed
from protocols.jsonl.match_journal import MatchHeader
from protocols.jsonl.messages import (
    Allowance,
    Answer,
    Bye,
    ClockTerms,
    Created,
    Description,
    Explained,
    Joined,
    Kept,
    Limited,
    Listing,
    MalformedLine,
    Matched,
    Ok,
    Ping,
    Pong,
    Position,
    Recorded,
    Refusal,
    Resumed,
    Watching,
    Welcome,
    invalid,
    missing,
    server_error,
)
from protocols.jsonl.record import public_lines, record_header
from protocols.jsonl.record_lines import FORMAT
from protocols.jsonl.seat import Seat
from protocols.jsonl.server import GameServer
from protocols.jsonl.session import DEFAULT_NAME, ClientConnection, Preferences, Session, token_hash

VERSIONS: Final = (1,)
PAGE: Final = 50  # entries of a listing
HEAD_BYTES: Final = 300  # reserved for the fields of `recorded` or an event outside their lists
CASES: Final[dict[str, Kind]] = {"rate_limited": "messages", "busy": "busy"}  # incidents, by refusal

Handler = Callable[[GameServer, Session, Any], Answer | None]


def receive(server: GameServer, connection: ClientConnection, line: bytes) -> None:
    """Handle one line, given without its break. No line makes this raise an exception."""
    message: Any = None  # the message, or the reference of one that is refused before it is decoded
    now = connection.last_received = server.clock()
    try:
        if connection.is_closing:
            return
        if not connection.is_trusted:
            connection.count_message(now, len(line))  # a blank line costs time, too
        if not line or line.isspace():
            return
        message = decode(line)
        kind = type(message)
        if kind is not Ping and kind is not Pong:
            connection.last_asked = now
        if kind is Ping:
            pong = Pong(re=message.id, server_ms=int(now * 1000), latency_ms=connection.latency_ms)
            connection.reply(pong)
        elif kind is Pong:
            connection.receive_pong(now)
        elif kind is Bye:
            connection.close()
        elif kind is messages.Hello:
            hello(server, connection, message)
        elif (session := connection.session) is None:
            raise Refusal("not_ready", "the first message must be hello")
        elif (answer := HANDLERS[kind](server, session, message)) is not None:
            session.answer(message, answer)
    except Refusal as refusal:
        if isinstance(refusal, MalformedLine) and connection.count_malformed(now):
            refusal.fatal = True
        if case := CASES.get(refusal.code):
            server.incidents.add(case, connection.address)
        if refusal.code == "rate_limited":
            message = reference(line)
        _refuse(connection, refusal, message)
    except Exception:
        ticket = server.report(traceback.format_exc())
        _refuse(connection, server_error(ticket), message)


def refuse_too_long(connection: ClientConnection) -> None:
    """Send the error for a line that is too long, and close the connection."""
    text = f"the line is longer than {connection.max_bytes} bytes"
    _refuse(connection, Refusal("too_long", text, fatal=True), None)


def _refuse(connection: ClientConnection, refusal: Refusal, message: Any) -> None:
    if refusal.re is None:
        refusal.re = getattr(message, "id", None)
    if refusal.re is None and isinstance(message, messages.Action):
        refusal.re = message.re
    connection.reply(error_of(refusal, getattr(message, "game_id", None)))
    if refusal.fatal:
        connection.close()


# -- Sessions --------------------------------------------------------------------------------------


def hello(server: GameServer, connection: ClientConnection, message: messages.Hello) -> None:
    """Start a session for a client, and send `welcome`."""
    if connection.session is not None:
        raise Refusal("not_permitted", "this connection has already sent hello")
    try:
        check_name(message.name or DEFAULT_NAME)
    except ValueError as error:
        raise invalid("$.name", str(error)) from None
    version = max((each for each in VERSIONS if each in message.versions), default=None)
    if version is None:
        raise Refusal(
            "version",
            f"the server supports only version {', '.join(map(str, VERSIONS))} of the protocol",
            data={"versions": list(VERSIONS)},
            fatal=True,
        )
    has_token = server.is_token(message.token or "")
    if message.role == "director" and not (connection.is_trusted or has_token):
        raise Refusal("not_permitted", "a director needs the server's token")
    if len(server.sessions) >= server.limits.sessions:
        server.sessions.make_room()
    if len(server.sessions) >= server.limits.sessions:
        raise Refusal("busy", "the server has too many sessions; try again later", fatal=True)
    token = server.ids.token()
    session = Session(
        server.ids.session(), token_hash(token), Preferences.of(message), server.ids.first_decide
    )
    max_line = min(connection.max_line, message.max_line or connection.max_line)
    line = encode(introduction(server, max_line, version, re=message.id, session=session.id, resume=token))
    if len(line) > max_line:
        raise invalid("$.max_line", f"max_line must be at least {len(line)}, the length of the welcome")
    connection.is_trusted = connection.is_trusted or has_token
    connection.max_line = max_line
    server.sessions.attach(connection, session)
    session.send(line)


def introduction(
    server: GameServer, max_line: int, version: int = VERSIONS[-1], *, re: Any = None, session: str,
    resume: str,
) -> Welcome:  # fmt: skip
    """Return the message that introduces the server to a session."""
    limits = server.limits
    return Welcome(
        re=re,
        protocol=PROTOCOL,
        version=version,
        server=server.name,
        generator=GENERATOR,
        games={name: list(adapter.variants) for name, adapter in server.adapters.items()},
        contests=_contests(server),
        features=list(server.features),
        session=session,
        resume=resume,
        heartbeat_ms=round(limits.heartbeat_seconds * 1000),
        limits=Allowance(
            max_line=max_line,
            rate=limits.messages_per_second,
            burst=limits.messages_burst,
            games=limits.games_per_session,
        ),
    )


def _contests(server: GameServer) -> dict[str, list[str]] | None:
    """Return the variants of games that are played in matches only, or None if there are none."""
    sources = server.matches.sources.items()
    return {name: list(each.variants) for name, each in sources if name not in server.adapters} or None


def resume(server: GameServer, fresh: Session, message: messages.Resume) -> None:
    """Move a session to this connection; a connection that the session still has is closed."""
    session = server.sessions.of_token(token_hash(message.token))
    connection = fresh.connection
    assert connection is not None
    if session is None:
        raise Refusal("resume_expired", "no session has this token; the session may have expired")
    if session is not fresh and (fresh.games or server.matches.of(fresh)):
        raise Refusal(
            "not_permitted",
            "this connection's session has games or a match, so the connection cannot resume another session",
        )
    wanted = message.games
    if wanted is None:
        wanted = [Position(game_id=game_id) for game_id in sorted(session.games)]
    by_game = {position.game_id: position for position in wanted}  # names each game once
    # Nothing is refused after this line, so a refusal leaves both sessions and both connections as they were.
    games = [(server.games.own(session, game_id), position) for game_id, position in by_game.items()]
    if session is not fresh:
        server.sessions.forget(fresh)
        if session.connection is not None:
            session.connection.reply(Bye(reason="taken_over"))
            session.connection.close()
            session.connection.session = None
        session.preferences = fresh.preferences
        server.sessions.attach(connection, session)
    states = [seating.resumption(game, session) for game, _ in games]
    matches = [each for each in server.matches.runners.values() if each.session is session]
    listed = [each.listed() for each in matches] or None
    session.answer(message, Resumed(session=session.id, games=states, matches=listed))
    for match in matches:
        if match.last:
            session.say(match.last)
    _resend(server, session, games)


def _resend(server: GameServer, session: Session, games: Sequence[tuple[Game, Position]]) -> None:
    """Send a resumed session the missing lines of its games, one game in each turn of the loop.

    The connection is not read until all games are sent.
    """
    if not games or session.connection is None:
        return
    connection, (game, position), rest = session.connection, games[0], games[1:]
    if not game.is_kept:
        session.say(Kept(game_id=game.id, kept=False))
    if game.is_started:
        seating.resend(game, session, position)
    server.games.update(game)
    if rest:
        connection.jobs += 1

        def go_on() -> None:
            connection.end_job()
            if session.connection is connection:
                _resend(server, session, rest)

        server.jobs.call_in_turn(session.account, go_on)


def limits(server: GameServer, session: Session, message: messages.Limits) -> Answer:
    """Answer with the limits and their present use."""
    used = {
        "games": len(server.games.running),
        "games_per_session": len(server.games.running_of(session)),
        "sessions": len(server.sessions),
        "matches_per_director": len(server.matches.of(session)),
    }
    shown = {name: float(getattr(server.limits, name)) for name in server.limits.__slots__}
    return Limited(limits=shown, used={name: float(each) for name, each in used.items()})


# -- Listings --------------------------------------------------------------------------------------


def list_games(server: GameServer, session: Session, message: messages.ListRequest) -> Answer:
    """Answer with one page of the games, the agents, the matches, or the profiles of a game."""
    offset, limit = message.offset or 0, message.limit or PAGE
    if message.profile_list or message.profile_show or message.profile_delete:
        return profiles(server, session, message)
    if message.what == "agents":
        agents = {name: list(source.agents) for name, source in server.matches.sources.items()}
        return Listing(agents=agents, total=sum(map(len, agents.values())))
    if message.what == "matches":
        matches = [each.listed() for each in server.matches.runners.values()]
        return Listing(matches=matches[offset : offset + limit], total=len(matches), offset=offset)
    games = [
        game
        for game in server.games.values()
        if message.game in (None, game.game) and message.state in (None, game.status)
        if server.games.is_listed(game)
    ]
    shown = [game.listed(game.seq) for game in games[offset : offset + limit]]
    return Listing(games=shown, total=len(games), offset=offset)


def profiles(server: GameServer, session: Session, message: messages.ListRequest) -> Answer:
    """Show, delete or list profiles of users.

    Programs of this machine and directors may use all profiles; other clients only one whose token they give.
    """
    stores = [adapter.profiles for name, adapter in server.adapters.items() if message.game in (None, name)]
    store = next((each for each in stores if each is not None), None)
    if store is None:
        raise invalid("$.game", "this game has no profiles")
    name, field = message.profile_show or message.profile_delete or "", "profile_show"
    is_of_one = not message.profile_list and not (message.profile_show and message.profile_delete)
    if not _is_trusted(session) and not (is_of_one and _is_owner(store, name, message.profile_token)):
        raise Refusal("not_permitted", "only the owner of a profile may use it; give its profile_token")
    if message.profile_delete:
        field = "profile_delete"
    try:
        if message.profile_delete:
            store.delete(name)
            if not _is_trusted(session):
                return Listing(profiles=[], total=0)  # the names of other profiles are secret
        if message.profile_show:
            return Listing(profiles=[store.show(name)], total=1)
        names = store.names()
    except KeyError:
        raise invalid(f"$.{field}", f"there is no profile of {name[:40]!r}") from None
    except (ValueError, OSError) as error:
        raise invalid(f"$.{field}", str(error)) from None
    offset = message.offset or 0
    page = names[offset : offset + (message.limit or len(names))]
    return Listing(profiles=page, total=len(names), offset=offset)


def describe(server: GameServer, session: Session, message: messages.Describe) -> Answer:
    """Answer with a variant's rules, options and schemas."""
    adapter = server.adapter(message.game)
    variant = message.variant or adapter.variants[0]
    info = _variant(adapter, variant)
    return Description(
        game=adapter.name,
        variant=variant,
        rules_hash=info.rules_hash,
        rules=info.rules,
        seats=info.seats,
        options=info.options,
        actions=info.actions,
        schemas=game_schemas(adapter.message_types),
    )


# -- Seats -----------------------------------------------------------------------------------------


def create(server: GameServer, session: Session, message: messages.Create) -> None:
    """Create a game, which starts at once if no seat is open."""
    _check_may_sit(server, session)
    _check_may_spend(server, session)
    if server.games.is_full:
        server.games.make_room(session.address)
    if server.games.is_full:
        raise Refusal("busy", "the server has too many games; try again later")
    adapter = server.adapter(message.game)
    variant = message.variant or adapter.variants[0]
    info = _variant(adapter, variant)
    options = message.options or {}
    if len(ENCODER.encode(options)) > server.limits.option_bytes:
        raise invalid("$.options", f"options may have at most {server.limits.option_bytes} bytes")
    if message.rated:
        _check_rated(message, info)
    for index, entry in enumerate(message.seats):
        if entry not in ("me", "open") and not adapter.has_agent(entry, index):
            raise missing("no_such_agent", "agent", entry, f"$.seats[{index}]", adapter.agents)
    on_gone = message.on_gone or ("forfeit" if message.rated else "default_action")
    _check_on_gone(adapter, on_gone, message.seats)
    seed = SeededStreams(message.seed) if message.seed is not None else server.ids.seed()
    config = GameConfig(
        variant=variant,
        seats=len(message.seats),
        options=options,
        streams=seed,
        is_remote=session.account is not None,
    )
    chosen = chosen_seed(config, info.chance, session.preferences.name)
    profile = _own_profile(session, adapter, message)
    try:
        state = adapter.open(config)
    except OptionError as error:
        raise invalid(error.path, str(error), error.reason) from None
    profile_token = _claim(server, session, adapter, profile)
    names = [message.seats[entry] for entry in state.seating()]
    seats = _seats(adapter, state, names, message.clock, seed)
    game = Game(
        server.ids.game(),
        adapter.name,
        state,
        seats,
        config,
        GameOptions(
            clock=message.clock,
            rated=bool(message.rated),
            chosen_seed=chosen if "open" in message.seats else None,  # only clients that join need it
            on_gone=on_gone,
            creator=session.id,
        ),
        server.limits,
        server.games.host,
    )
    game.account = session.account
    game.lines.write(record_header(game, info.rules))
    server.games.add(game)
    own = [seat for seat, name in zip(seats, names, strict=True) if name == "me"]
    for seat in own:
        seating.sit(game, seat, session)
    session.answer(
        message,
        Created(
            game_id=game.id,
            seat=own[0].index if own else None,
            rated=game.options.rated,
            rules_hash=state.rules_hash,
            seed_commit=seed.commitment(game.id),
            profile_token=profile_token,
        ),
    )
    server.games.start_if_full(game)


def join(server: GameServer, session: Session, message: messages.Join) -> None:
    """Take an open seat."""
    _check_may_sit(server, session)
    game = server.games.find(message.game_id)
    if game.is_over:
        raise Refusal("game_over", "the game has ended")
    free = [seat for seat in game.seats if seat.is_open and message.seat in (None, seat.index)]
    if game.is_started or not free:
        text = "the game has no open seat" if message.seat is None else f"seat {message.seat} is not open"
        raise Refusal("seat_taken", text)
    seat = free[0]
    seating.sit(game, seat, session)
    if game.lines.spectators.pop(session.id, None):
        session.watched.discard(game.id)
    session.answer(
        message,
        Joined(
            game_id=game.id,
            seat=seat.index,
            seed_commit=game.seed.commitment(game.id),
            seed_chosen_by=game.options.seed_chosen_by,
        ),
    )
    server.games.start_if_full(game)


def leave(server: GameServer, session: Session, message: messages.Leave) -> Answer:
    """Give back the session's seats in a game that has not started. A game without clients is removed."""
    game = server.games.own(session, message.game_id)
    if game.is_started:
        raise Refusal("not_permitted", "the game has started; use resign")
    server.games.vacate(game, session)
    return Ok()


# -- Play ------------------------------------------------------------------------------------------


def action(server: GameServer, session: Session, message: messages.Action) -> None:
    game = server.games.own(session, message.game_id)
    try:
        actions.act(game, session, message)
    finally:
        server.games.update(game)  # also after a refusal, since the clock may have run out


def check(server: GameServer, session: Session, message: messages.Check) -> Answer:
    return actions.check(server.games.own(session, message.game_id), session, message)


def resign(server: GameServer, session: Session, message: messages.Resign) -> None:
    game = server.games.own(session, message.game_id)
    actions.resign(game, session, message)
    server.games.update(game)


def state(server: GameServer, session: Session, message: messages.StateRequest) -> Answer:
    """Answer with the observation of the session's first seat, or the public part for spectators."""
    game = server.games.find(message.game_id)
    seats = game.seats_of(session)
    if not (seats or message.game_id in session.watched or game.is_over):
        raise Refusal(
            "not_permitted", "only players and spectators see a game that is running; send watch first"
        )
    if not game.is_started:
        raise Refusal("not_permitted", "the game has not started")
    return game.lines.observation(seats[0].index if seats else None, game.seq)


# -- Spectators ------------------------------------------------------------------------------------


def watch(server: GameServer, session: Session, message: messages.Watch) -> None:
    """Add a spectator, who sees the game from now on or from an event on. A finished game is shown from its start."""
    wanted = message.game_id
    if server.games.get(wanted) is None and not server.matches.runners.keys().isdisjoint(
        (wanted, wanted.rpartition("-")[0])
    ):
        text = "matches and their games cannot be watched: the director receives match_event; use record"
        raise Refusal("no_such_game", text, data={"path": "$.game_id"})
    game = server.games.find(wanted)
    if game.id in session.games and not game.is_over:
        raise Refusal("not_permitted", "you have a seat in this game, so you cannot watch it")
    session.answer(message, Watching(game_id=game.id, seq=game.seq))
    lines, first = game.lines, message.from_seq
    if game.is_over:
        first = first or 0
    elif first is not None and not lines.history.has(max(first, 1)):
        first = None  # the event is no longer kept: show the game as it is now
    spectator = Spectator(session=session, sent=lines.history.seq if first is None else max(first - 1, 0))
    if game.is_started:
        session.send(lines.current_start_line() if first is None else lines.start_line(None))
        if game.is_over:
            lines.send_rest(spectator, game.end_line)
            return
        lines.send_due(spectator)
    lines.spectators[session.id] = spectator
    session.watched.add(game.id)


def unwatch(server: GameServer, session: Session, message: messages.Unwatch) -> Answer:
    game = server.games.find(message.game_id)
    game.lines.spectators.pop(session.id, None)
    session.watched.discard(game.id)
    return Ok()


# -- Records ---------------------------------------------------------------------------------------


def record(server: GameServer, session: Session, message: messages.Record) -> None:
    """Answer with as many lines from `offset` on as fit into one message. A worker process reads them."""
    game_id, form = message.game_id, message.format or FORMAT
    game = server.games.get(game_id)
    if game is not None and not game.is_over:
        raise Refusal("not_permitted", "the record is available after the game has ended")
    if form != FORMAT:
        if game:
            _check_reader(server, session, game, message.profile_token)
        lines: Call = _exported(server, session, game_id, form)
    else:
        known = game.lines.record if game else server.matches.record_of(game_id)
        if known:
            lines = partial(public_lines, tuple(known))
        elif server.journal:
            lines = partial(read_public_lines, server.journal.folder, game_id)
        else:
            raise missing("no_such_game", "game", game_id)

    def respond(page: RecordPage | None) -> Answer:
        if page is None:
            raise missing("no_such_game", "game", game_id)
        return Recorded(
            game_id=game_id,
            format=form,
            offset=page.first,
            total=page.total,
            lines=[Raw(each) for each in page.lines],
        )

    page = partial(page_of, lines, message.offset or 0, _room(session))
    server.answer_later(session, message, page, respond, "$.format")


def explain(server: GameServer, session: Session, message: messages.Explain) -> Answer | None:
    """Answer with the reasons of a built-in player if the game has explanations, otherwise with the agents' names."""
    game = server.games.find(message.game_id)
    if not game.is_over:
        raise Refusal("not_permitted", "explanations are available after the game has ended")
    _check_reader(server, session, game, message.profile_token)
    explanation = game.state.explain(message.turn)
    if explanation is not None:
        server.answer_later(session, message, explanation, lambda explained: explained, "$.turn")
        return None
    text = [f"seat {seat.index}, {seat.name}: {seat.agent.about}" for seat in game.seats if seat.agent]
    return Explained(turn=message.turn, text=text or ["no agent played in this game"])


def replay(server: GameServer, session: Session, message: messages.Replay) -> None:
    """Send the phases of a turn as events, and then `ok`; the `seq` of these events is that of the last new event."""
    game = server.games.find(message.game_id)
    if not (game.id in session.games or session.id in game.lines.spectators or game.is_over):
        raise Refusal("not_permitted", "you neither play in this game nor watch it")
    try:
        events = game.state.replay(message.turn, message.from_ or 1, message.to, _room(session))
    except ValueError as error:
        raise invalid("$.turn", str(error)) from None
    if events is None:
        raise Refusal("not_permitted", f"{game.game} has no phases to replay; use record")
    head = ENCODER.encode({"type": "event", "re": message.id, "game_id": game.id, "seq": game.seq})

    def respond(lines: list[bytes]) -> Answer:
        session.send(*lines)
        return Ok()

    server.answer_later(session, message, partial(event_lines, head, events), respond, "$.turn")


def _room(session: Session) -> int:
    """Return how many bytes a line to this client has for the content of a message."""
    assert session.connection is not None
    return session.connection.max_line - HEAD_BYTES


def _exported(server: GameServer, session: Session, game_id: str, form: str) -> Call:
    """Return a call for a record in a format of this game only; the session must have a seat in it."""
    state = server.games.own(session, game_id).state
    try:
        lines = state.export(form)
    except ValueError as error:
        raise invalid("$.format", str(error)) from None
    if lines is None:
        raise invalid("$.format", f"this game has no record format {form[:40]!r}; use {FORMAT}")
    return partial(encoded_lines, lines)


# -- Profiles --------------------------------------------------------------------------------------


def _is_trusted(session: Session) -> bool:
    """Return whether the client is a program of this machine or has given the server's token."""
    return session.connection is not None and session.connection.is_trusted


def _is_owner(store: Profiles, name: str, token: str | None) -> bool:
    try:
        owner = store.owner(name)
    except (ValueError, OSError):  # the name is impossible, or the profile cannot be read
        return False
    return bool(owner and token) and compare_digest(token_hash(token or ""), owner or "")


def _own_profile(session: Session, adapter: GameAdapter, message: messages.Create) -> str:
    """Return the name of the profile that a new game will use, or "".

    Raises Refusal if the profile belongs to another client.
    """
    name, store = (message.options or {}).get("profile"), adapter.profiles
    if store is None or not isinstance(name, str):
        return ""
    try:
        is_free = _is_trusted(session) or store.owner(name) is None
    except (ValueError, OSError):  # open() will refuse the game for this reason
        return ""
    if not is_free and not _is_owner(store, name, message.profile_token):
        reason = (
            "the given profile_token is wrong" if message.profile_token else "its profile_token is missing"
        )
        raise Refusal(
            "not_permitted",
            f"the profile {name[:40]!r} belongs to another client ({reason}); choose another name",
            data={"path": "$.profile_token"},
        )
    return name


def _claim(server: GameServer, session: Session, adapter: GameAdapter, name: str) -> str | None:
    """Create the profile of a new game if there is none, and return its token for a remote client, otherwise None.

    Raises Refusal if the address of the client has created too many profiles recently, or there are too many in all.
    """
    store = adapter.profiles
    if store is None or not name or store.owner(name) is not None:
        return None
    is_trusted = _is_trusted(session)
    if not is_trusted and (seconds := server.new_profiles.take(session.address)):
        most = server.limits.profiles_per_hour
        text = f"the limit of new profiles an hour ({most}) is reached, and {name[:40]!r} would be new"
        raise Refusal("rate_limited", text, data={"retry_ms": round(seconds * 1000)})
    token = server.ids.profile_token()
    try:
        if is_trusted:
            store.make_room(name)
            return None
        store.claim(name, token_hash(token))
    except ValueError as error:
        raise Refusal("busy", str(error)) from None
    return token


def _check_reader(server: GameServer, session: Session, game: Game, token: str | None) -> None:
    """Raise Refusal unless the session may see how Chaos knows the user of a game.

    The creator of the game, the owner of the profile and trusted clients may.
    """
    name, store = game.config.options.get("profile"), server.adapter(game.game).profiles
    if store is None or not isinstance(name, str) or _is_trusted(session):
        return
    if game.options.creator != session.id and not _is_owner(store, name, token):
        raise Refusal(
            "not_permitted",
            f"the game used the profile {name[:40]!r}; only its owner may see this, with its profile_token",
            data={"path": "$.profile_token"},
        )


# -- Matches ---------------------------------------------------------------------------------------


def match(server: GameServer, session: Session, message: messages.MatchRequest) -> None:
    """Start a match."""
    if session.preferences.role != "director":
        raise Refusal("not_permitted", "only a session with the role director can start matches")
    if len(server.matches.of(session)) >= server.limits.matches_per_director:
        raise Refusal(
            "busy", f"the limit of matches at a time ({server.limits.matches_per_director}) is reached"
        )
    if message.seed is None:
        message.seed = server.ids.seed().number
    header = MatchHeader(
        match_id=server.ids.match(),
        session=session.id,
        token_hash=session.token_hash,
        name=session.preferences.name,
        request=message,
    )
    runner = server.matches.open(session, header)
    session.answer(message, Matched(match_id=header.match_id))
    runner.begin(header)


def cancel(server: GameServer, session: Session, message: messages.MatchCancel) -> None:
    """End a match with the games that have been played."""
    found = server.matches.runners.get(message.match_id)
    if found is None or found.session is not session:
        raise Refusal("not_permitted", f"you have no match {message.match_id[:40]!r}")
    session.answer(message, Ok())
    found.cancel()


# -- Helpers ---------------------------------------------------------------------------------------


def _check_may_sit(server: GameServer, session: Session) -> None:
    if session.preferences.role == "watcher":
        raise Refusal("not_permitted", "a session with the role watcher cannot play")
    if len(server.games.running_of(session)) >= server.limits.games_per_session:
        raise Refusal("busy", f"the limit of games at a time ({server.limits.games_per_session}) is reached")


def _check_may_spend(server: GameServer, session: Session) -> None:
    """Raise Refusal if the address of a client is over its share of the worker processes or of the disk."""
    account, now = session.account, server.clock()
    if account is None:
        return
    for bucket, what in ((account.workers, "computing time"), (account.kept, "disk space for records")):
        if delay := bucket.delay(now, 0.0):
            raise Refusal(
                "rate_limited",
                f"your address has used its share of {what}",
                data={"retry_ms": max(round(delay * 1000), 1)},
            )


def _check_on_gone(adapter: GameAdapter, on_gone: str, entries: Sequence[str]) -> None:
    """Raise Refusal if the agent named by `on_gone` cannot play in the seats of clients."""
    if on_gone in ("forfeit", "default_action"):
        return
    name = on_gone.removeprefix("agent:")
    people = [seat for seat, entry in enumerate(entries) if entry in ("me", "open")]
    if not all(adapter.has_agent(name, seat) for seat in people or [0]):
        raise missing("no_such_agent", "agent", name, known=adapter.agents)


def _check_rated(message: messages.Create, info: VariantInfo) -> None:
    if message.seed is not None:
        raise Refusal("not_permitted", "the server draws the seed of a rated game", data={"path": "$.seed"})
    for name in message.options or {}:
        if name in info.unrated:
            path = f"$.options.{name}"
            raise Refusal("not_permitted", f"a rated game cannot have the option {name}", data={"path": path})


def _variant(adapter: GameAdapter, variant: str) -> VariantInfo:
    try:
        return adapter.describe(variant)
    except OptionError as error:
        raise invalid(error.path, str(error), error.reason) from None


def _seats(
    adapter: GameAdapter,
    state: GameState,
    names: Sequence[str],
    clock: ClockTerms | None,
    seed: SeededStreams,
) -> list[Seat]:
    """Return the seats of a new game; those of agents are taken."""
    seats = []
    for index, name in enumerate(names):
        agent = None if name in ("me", "open") else adapter.agent(name, state, seed.stream, index)
        seats.append(Seat(index, name if agent else "", agent, clock))
    return seats


HANDLERS: Final[Mapping[type, Handler]] = {
    messages.Resume: resume,
    messages.Limits: limits,
    messages.ListRequest: list_games,
    messages.Describe: describe,
    messages.Create: create,
    messages.Join: join,
    messages.Leave: leave,
    messages.Action: action,
    messages.Check: check,
    messages.Resign: resign,
    messages.StateRequest: state,
    messages.Watch: watch,
    messages.Unwatch: unwatch,
    messages.Record: record,
    messages.Explain: explain,
    messages.Replay: replay,
    messages.MatchRequest: match,
    messages.MatchCancel: cancel,
}
