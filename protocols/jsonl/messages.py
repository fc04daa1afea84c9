"""Every message of the JSON lines in both directions, and the error codes.

These types decode, encode and validate the lines. The published JSON Schema and the reference MESSAGES.md are
generated from their names, docstrings and comments, so the docstrings address authors of clients. Fields whose
content depends on the game have the type Any or Raw here; the adapter of each game names their types.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Raw, Struct

from engines.names import near

SAFE: Final = 2**53 - 1  # the largest integer that every JSON reader keeps exactly
PRINTABLE: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029/\\]+\Z"

Integer = Annotated[int, Meta(ge=-SAFE, le=SAFE)]
Count = Annotated[int, Meta(ge=0, le=SAFE)]
Id = Annotated[int, Meta(ge=0, le=SAFE)] | Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=PRINTABLE)]
Key = Annotated[str, Meta(max_length=64)]  # the ID of a game, a session or a match
Prose = Annotated[str, Meta(max_length=4000)]


def snake_case(name: str) -> str:
    """Return the tag of a message type on the wire: `match_cancel` for MatchCancel, `match` for MatchRequest."""
    words = name.removesuffix("Request") or name
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in words).lstrip("_")


class Message(Struct, kw_only=True, omit_defaults=True, gc=False, tag_field="type", tag=snake_case):
    """One line of the protocol. A field that is missing and one that is null mean the same."""


class Request(Message, kw_only=True):
    """A message that is answered; the answer repeats the `id` of the request as `re`."""

    id: Id | None = None


class Answer(Message, kw_only=True):
    """The answer to the request whose `id` equals `re`."""

    re: Id | None = None


class Ping(Request, kw_only=True):
    """Check that the connection is alive; the other side answers with `pong`.

    Either side may send it. The server sends one after `heartbeat_ms` of silence, and ends a connection over which no
    line arrives for a minute; on standard input it does neither. A client must answer also while it computes a move.
    """


class Pong(Answer, kw_only=True):
    """Answer a `ping`; `re` is the `id` of the ping."""

    server_ms: Count | None = None  # the server's clock, from any origin
    latency_ms: float | None = None  # from the server's last ping to the client's pong, if it was measured


class Bye(Message, kw_only=True):
    """End the connection in good order.

    The seats of the client's session stay taken, and `resume` can continue the session over another connection.
    """

    reason: str | None = (
        None  # of the server: `closing`, `idle`, `busy`, `ended` (by an operator) or `taken_over` (by `resume`)
    )


class ClockTerms(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The clock of each seat in a game, in milliseconds.

    A decision uses up `move_ms`, then the bank, then `grace_ms`; after that the time has run out. The server measures
    from sending `decide` to reading `action`, so the latency of the connection counts.
    """

    bank_ms: Count = 0  # for the whole game, used when a decision takes longer than `move_ms`
    move_ms: Count = 0  # free for each decision
    inc_ms: Count = 0  # added to the bank after each decision
    grace_ms: Count = 0  # tolerated after the bank is empty; `clock` in `decide` does not show it
    init_ms: Count = 10_000  # free for a seat's first decision, if this is more than `move_ms`
    # What happens when the time has run out: the default action is played, or the seat forfeits the game.
    on_timeout: Literal["default_action", "forfeit"] = "default_action"


class ClockLeft(Struct, kw_only=True):
    """The time that a seat has left for a decision, in milliseconds."""

    bank_ms: int
    move_ms: int  # of the free time; the bank is used after it


class Player(Struct, kw_only=True):
    """The player in a seat; `kind` is `client` or `agent`, a built-in player of the server."""

    name: str  # `me` for the receiver's own seats
    kind: Literal["client", "agent"]


class Position(Struct, kw_only=True):
    """The point from which a resuming client wants the events of a game.

    The server sends an observation instead if `from_seq` is missing or the events are no longer kept.
    """

    game_id: Key
    from_seq: Count | None = None  # the number of the first event that is wanted; 0 includes `start`
    full: bool | None = None  # true: send an observation in any case


class Stop(Struct, kw_only=True):
    """Conditions under which a match ends before all its games are played; one of them is enough."""

    # The half width of the 95 % interval of the first player's share of points; tested from the 100th game on.
    ci: float | None = None
    games: Count | None = None  # that have been played
    minutes: float | None = None  # since the match started


Options = dict[str, Any]


# -- Errors ------------------------------------------------------------------------------------------


NUMBERS: Final[dict[str, int]] = {
    "parse": -32700,
    "invalid_message": -32600,
    "unknown_type": -32601,
    "invalid_params": -32602,
    "internal": -32603,
    "version": -32000,
    "not_ready": -32001,
    "not_your_turn": -32002,
    "stale_seq": -32003,
    "timeout": -32004,
    "no_such_game": -32005,
    "no_such_agent": -32006,
    "seat_taken": -32007,
    "not_permitted": -32008,
    "game_over": -32009,
    "illegal_action": -32010,
    "too_long": -32011,
    "rate_limited": -32012,
    "busy": -32013,
    "resume_expired": -32014,
}
MEANINGS: Final[dict[str, str]] = {  # by code, for MESSAGES.md
    "parse": "The line is not JSON, or nested too deeply. The message gives the reason and the place.",
    "invalid_message": "The line is JSON, but not an object with a `type`.",
    "unknown_type": "No message of clients has this `type`.",
    "invalid_params": "A field is missing or invalid; `data.path` names it.",
    "internal": "The server has a fault; its log has it under `data.ticket`.",
    "version": "The server knows none of the `versions` in `hello`, and closes the connection; `data.versions` lists its own.",
    "not_ready": "`hello` must come first.",
    "not_your_turn": "The client owes no decision with this `re`; `data.open` lists the decisions that it owes in the game.",
    "stale_seq": "The decision has ended, by another action or because its time ran out, or it has another `seq`.",
    "timeout": "The time for the decision has run out, and the default action was played or the game forfeited.",
    "no_such_game": "There is no game with this name or ID, or it is no longer kept.",
    "no_such_agent": "The game has no built-in player of this name for this seat.",
    "seat_taken": "The seat is not open, or the game has no open seat.",
    "not_permitted": "The client may not do this, or not now; the message gives the reason.",
    "game_over": "The game has ended.",
    "illegal_action": "The rules forbid the action; `data` has its problems.",
    "too_long": "The line is longer than the server reads; the server closes the connection.",
    "rate_limited": "The client sends too fast, or its address has used its share; `data.retry_ms` says when to try again.",
    "busy": "The server or the client has reached a limit on games, sessions or matches; or the server was full and has ended the game.",
    "resume_expired": "No session has this token; it may have expired.",
}


class Refusal(ValueError):
    """A request that the server refuses; the attributes are the fields of the message `error`."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        data: dict[str, Any] | None = None,
        fatal: bool = False,
        re: int | str | None = None,
        tries_left: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.fatal = fatal
        self.re = re
        self.tries_left = tries_left  # None if the refusal concerns no decision


class MalformedLine(Refusal):
    """The refusal of a line that is not JSON, or not an object with a `type`."""


def missing(code: str, kind: str, name: str, path: str = "", known: Iterable[str] = ()) -> Refusal:
    """Return the refusal of an unknown name, with similar names from `known`, which must all be public."""
    names = list(known)
    advice = f"; {near(name, names)}" if names else ""
    return Refusal(code, f"there is no {kind} {name[:40]!r}{advice}", data={"path": path} if path else None)


def invalid(path: str, message: str, reason: str = "") -> Refusal:
    """Return the refusal of a request with an invalid field, at a `path` such as `$.seats[1]`.

    `reason` is a code for programs, for refusals that the path alone does not distinguish.
    """
    data = {"path": path, "reason": reason} if reason else {"path": path}
    return Refusal("invalid_params", message, data=data)


def server_error(ticket: str) -> Refusal:
    """Return the refusal of a request that a fault of the server has prevented; the log has the ticket."""
    text = f"internal server error; the server's log has it under ticket {ticket}"
    return Refusal("internal", text, data={"ticket": ticket})


# -- Events of every game ----------------------------------------------------------------------------


class GameEvent(Struct, kw_only=True, omit_defaults=True, gc=False, tag_field="kind"):
    """The fields of an event that depend on the game; the tag is the event's `kind`."""

    def text(self, names: Sequence[str]) -> str:
        """Return one English sentence about the event; `names` are the players' names by seat."""
        raise NotImplementedError


class Forced(GameEvent, kw_only=True, tag="forced"):
    """The server plays the default action for a seat. A seat that needs more than 10 of them forfeits the game.

    The reason is `illegal` (too many illegal actions for one decision), `timeout` (out of time), `gone` (the client
    did not come back in time) or `failed` (a built-in player failed or chose an illegal action).
    """

    seat: int
    reason: str

    def text(self, names: Sequence[str]) -> str:
        return f"The server plays for {names[self.seat]}, who {FORCED.get(self.reason, self.reason)}."


class Left(GameEvent, kw_only=True, tag="left"):
    """The player of a seat has resigned, forfeited or lost its connection.

    After a lost connection the clock of the seat runs on, and `rejoined` follows if the client comes back in time.
    """

    seat: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} has left."


class Rejoined(GameEvent, kw_only=True, tag="rejoined"):
    """The client of a seat has resumed its session after a lost connection."""

    seat: int

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} has come back."


COMMON_EVENTS = (Forced, Left, Rejoined)
FORCED: Final = {
    "illegal": "made too many illegal moves",
    "timeout": "ran out of time",
    "gone": "has not come back",
    "failed": "could not decide",
}


def enumeration(words: Sequence[str]) -> str:
    """Return the words as an English list: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


# -- Requests ----------------------------------------------------------------------------------------


class Hello(Request, kw_only=True):
    """Open the conversation and start a session; the server answers with `welcome`.

    This must be the first message of a connection, apart from `ping`; until then, all others get the error
    `not_ready`. The server chooses the highest version that both sides know; if there is none, it sends the error
    `version`.
    """

    versions: Annotated[list[Integer], Meta(max_length=64)]  # of the protocol that the client knows
    name: Name | None = None  # shown to other players; `guest` if missing
    # A `watcher` cannot take a seat; a `director` may also start matches. `player` if missing.
    role: Literal["player", "watcher", "director"] | None = None
    say: bool | None = None  # true: each event has a field `say`, one English sentence for people
    # The token of the server, with which a remote client has the rights of a program of the same machine.
    token: str | None = None
    # The longest line that the client can receive, in bytes with its break; the limit of the server if missing.
    max_line: Annotated[int, Meta(ge=256)] | None = None


class ListRequest(Request, kw_only=True):
    """Ask for a page of the games, the built-in players, the matches or the profiles of users.

    The server answers with `listing`, of games if `what` and all `profile_` fields are missing. A profile is what a
    game has learned about a user (Advanced Protection). Remote clients can show and delete a profile only with its
    `profile_token`, and cannot list profiles.
    """

    what: Literal["games", "agents", "matches"] | None = None
    game: str | None = None  # only games, or profiles, of this game
    state: Literal["open", "running", "over"] | None = None  # only games in this state
    profile_list: bool | None = None  # true: list the names of all profiles
    profile_show: Name | None = None  # the name of a profile to show
    profile_delete: Name | None = None  # the name of a profile to delete
    # The token of the profile to show or delete; directors and programs of the same machine need none.
    profile_token: Name | None = None
    offset: Count | None = None  # how many entries to skip
    limit: Annotated[int, Meta(ge=1, le=100)] | None = None  # entries; 50 if missing


class Describe(Request, kw_only=True):
    """Ask for the rules, options and schemas of a variant of a game; answered by `description`."""

    game: str
    variant: str | None = None  # the game's first one if missing


class Create(Request, kw_only=True):
    """Create a game; the server answers with `created`.

    The game starts at once if no seat is `open`, otherwise when other clients have joined.
    """

    game: str
    variant: str | None = None  # the game's first one if missing
    seats: Annotated[list[Name], Meta(min_length=1, max_length=16)]  # each `me`, `open` or an agent's name
    # Determines the random numbers of the game. Clients that join learn it, and the game cannot be rated.
    seed: Count | None = None
    clock: ClockTerms | None = None  # none if missing
    options: Options | None = None  # as `description` lists them
    rated: bool | None = None  # true: refuse a seed, and options that only unrated games may have
    # What replaces a client that does not come back in time: `default_action`, `forfeit` or `agent:NAME`. If missing,
    # `forfeit` in rated games and `default_action` in others.
    on_gone: Name | None = None
    # The token of the profile that the options name; `created` contained it when the profile was new.
    profile_token: Name | None = None


class Join(Request, kw_only=True):
    """Take an open seat of a game that has not started; answered by `joined`."""

    game_id: Key
    seat: Count | None = None  # the first open one if missing


class Check(Request, kw_only=True):
    """Ask whether an action would be legal, without playing it; answered by `checked`.

    The check does not use up a try; the clock runs on.
    """

    re: Id  # the `id` of the `decide`
    game_id: Key
    action: Raw


class Action(Request, kw_only=True):
    """Make the decision that a `decide` has asked for.

    A legal action is played, and its events follow. If the action has an `id`, the server answers `ok` first. An
    illegal action is answered by `error`, and the decision stays open until `tries_left` is 0; then the default
    action is played. An action that was accepted before may be sent again, for instance after `resume`: it is
    answered by `ok` with `duplicate`, and not played twice.
    """

    re: Id  # the `id` of the `decide`
    game_id: Key
    seq: Count | None = None  # the `seq` of the `decide`; if given, it must match
    action: Raw  # as the reference of the game's actions describes it


class Resign(Request, kw_only=True):
    """Give up all own seats of a game that has started; before the start, use `leave`.

    The server answers `ok`. The game ends if only one seat still plays; otherwise the default action is played for
    the seat from then on.
    """

    game_id: Key


class Leave(Request, kw_only=True):
    """Give back the own seats of a game that has not started; after the start, use `resign`.

    The server answers `ok`, and removes the game if no client has a seat in it any more.
    """

    game_id: Key


class Resume(Request, kw_only=True):
    """Continue a session over a new connection, after `hello`; answered by `resumed`.

    Keep the first token: it stays valid each time, and the one in the `welcome` of the new connection becomes invalid.
    For each game the server then sends the missed events, or an observation, and the open decisions with the same
    `id` as before. A connection that the session still has is closed with `bye`, reason `taken_over`. A client has
    120 seconds to come back; with a game without a clock, or a running match, 24 hours (a server may have other
    limits). After that the answer is the error `resume_expired`, and `on_gone` of its games applies.
    """

    token: str  # `resume` in the first `welcome` of the session
    games: Annotated[list[Position], Meta(max_length=64)] | None = None  # all games of the session if missing


class Watch(Request, kw_only=True):
    """Follow a game as a spectator; answered by `watching`.

    The lines that follow are `start`, as soon as the game has started, and the public events. A game that is over is
    shown from its beginning to its end, as far as its events are kept. The players of a running game cannot watch it.
    Games of matches cannot be watched; `record` fetches them.
    """

    game_id: Key
    from_seq: Count | None = None  # the first event that is wanted; if missing or no longer kept: from now on


class Unwatch(Request, kw_only=True):
    """Stop following a game as a spectator; answered by `ok`."""

    game_id: Key


class StateRequest(Request, kw_only=True):
    """Ask for the present state of a game; answered by `observation`.

    A player gets the observation of its first seat, a spectator the public part. After the end, any client may ask.
    """

    game_id: Key


class Replay(Request, kw_only=True, rename={"from_": "from"}):
    """Ask for the phases of a finished turn of Advanced Protection, for games whose option `detail` is not `phases`.

    The server sends the events `roster` and `phases` for the phases `from` to `to` (1 to 50 if missing), with the
    `id` of the request as `re`, and then `ok`. Players and spectators may ask, and any client after the end.
    """

    game_id: Key
    turn: Count  # from 1
    from_: Count | None = None
    to: Count | None = None  # the last phase


class Record(Request, kw_only=True):
    """Ask for the record of a game that is over, from its line `offset` on; answered by `recorded`.

    The record contains everything that was hidden, so it cannot be read before the end. Games of matches, and of
    earlier runs of the server, have records, too, if the server keeps them.
    """

    game_id: Key
    # `galapagos-record/1` if missing. Players of Advanced Protection can also ask for `apu` (the file of the profile)
    # and `arrangements` (the setups, if the option `arrangements` was set).
    format: str | None = None
    offset: Count | None = None  # how many lines to skip
    # The token of the profile that the game used; needed for other formats if another session created the game.
    profile_token: Name | None = None


class Explain(Request, kw_only=True):
    """Ask why a built-in opponent played as it did, after the game is over; answered by `explained`.

    Advanced Protection explains the strings of Chaos. Other games name the players of the server and their versions.
    """

    game_id: Key
    turn: Count | None = None  # the whole game if missing
    # The token of the profile that the game used; needed if another session created the game.
    profile_token: Name | None = None


class MatchRequest(Request, kw_only=True):
    """Start a match between players of the server; only a `director` may do so. Answered by `matched`.

    The server plays the games in worker processes, sends the director `match_event` at most once a second, and
    `match_end` at the end. Other clients receive neither, and no client can watch the games; `records` keeps them, so
    that any client can fetch them with `record`. The same seed gives the same games and the same table for any number
    of workers, unless clocks or the stop condition `minutes` make a difference.
    """

    game: str
    variant: str | None = None  # the game's first one if missing
    players: Annotated[list[Name], Meta(min_length=2, max_length=64)]  # names of agents
    games: Annotated[int, Meta(ge=1, le=10_000_000)]  # of each group of players
    seats: Annotated[int, Meta(ge=2, le=16)] | None = None  # of a game; 2 if missing
    # Which groups of players play against each other; `round_robin` if missing.
    pairing: Literal["round_robin", "gauntlet", "swiss", "ladder", "elimination"] | None = None
    mirror: bool | None = None  # true: play each deal once for each rotation of the seats
    seed: Count | None = None  # the server draws one if missing
    clock: ClockTerms | None = None  # none if missing
    workers: Count | None = None  # jobs at a time; at most, and by default, the limit of the server
    stop: Stop | None = None
    options: Options | None = None  # as in `create`
    records: bool | None = None  # true: keep the records of the first games (500), for `record`


class MatchCancel(Request, kw_only=True):
    """End an own match with the games that have been played; answered by `ok`, then `match_end`."""

    match_id: Key


class Limits(Request, kw_only=True):
    """Ask for the limits of the server and their present use; answered by `limited`."""


# -- Answers -----------------------------------------------------------------------------------------


class Allowance(Struct, kw_only=True):
    """The limits that a client should respect; the error `rate_limited` follows if it sends too fast."""

    max_line: int  # bytes of the longest line that the server sends, with its break
    rate: int  # messages a second, in the long run; does not bind programs of the same machine
    burst: int  # messages that may be sent at once after a pause
    games: int  # that a session may play at the same time


class Welcome(Answer, kw_only=True):
    """Answer `hello`: the version in use, the games of the server, and the client's session."""

    protocol: str
    version: int  # the highest one that both sides know
    server: str  # its name and release
    generator: str  # the algorithm of all random numbers
    games: dict[str, list[str]]  # the variants of each game
    contests: dict[str, list[str]] | None = None  # the variants of games that are played in matches only
    features: list[str]  # optional parts of the protocol that this server has
    session: str
    resume: str  # the token for `resume`; keep it secret
    heartbeat_ms: int  # after so long a silence the server sends `ping`
    limits: Allowance


class Ok(Answer, kw_only=True):
    """Confirm that a request was carried out."""

    duplicate: bool = False  # the action had been accepted before, and was not played again


class Error(Answer, kw_only=True):
    """Report that a request was not carried out, or that the server has ended a game or a decision.

    `code` is for programs, `message` for people. The table of codes follows the messages.
    """

    game_id: str | None = None
    code: str
    number: int  # the code as a number, in the ranges of JSON-RPC
    message: str
    # Details that depend on the code: `path` of the field that is wrong, `reason`, `problems` of an illegal action,
    # `retry_ms` after which a refused request may be repeated, or the `ticket` by which the operator finds the fault.
    data: dict[str, Any] | None = None
    fatal: bool  # the server closes the connection after this line
    decide_again: bool = False  # the decision is still open
    tries_left: int | None = None  # illegal actions before the default action is played


class Listed(Struct, kw_only=True, omit_defaults=True):
    """A game in a listing."""

    game_id: str
    game: str
    variant: str
    seats: list[str]  # the names of the players; "" is an open seat
    # `open`, `running` or `over`; on the event bus also `gone`: no longer listed. A game that is left for longer than
    # the limit `left_game_seconds` is not listed until one of its clients comes back.
    state: str
    left: bool = False  # all clients that play in it have lost their connections
    rated: bool = False
    seed_chosen_by: str = ""  # the name of the client that chose the seed; missing if the server draws it
    seq: int = 0  # the number of the last event


class ListedMatch(Struct, kw_only=True):
    """A match in a listing."""

    match_id: str
    game: str
    players: list[str]
    done: int  # games that have been played
    of: int  # games in all


class Listing(Answer, kw_only=True):
    """Answer `list` with one of `games`, `agents`, `matches` and `profiles`."""

    games: list[Listed] | None = None
    agents: dict[str, list[str]] | None = None  # the names of the built-in players of each game
    matches: list[ListedMatch] | None = None
    profiles: list[Any] | None = None  # names, or the profile that was asked for
    total: int  # entries on all pages
    offset: int = 0  # of the first entry of this page


class Description(Answer, kw_only=True):
    """Answer `describe` with the rules of a variant, its options and its JSON Schemas."""

    game: str
    variant: str
    rules_hash: str  # equal rules have equal hashes
    rules: Any
    seats: tuple[int, int]  # the least and the greatest number
    options: dict[str, Any]  # for `create`: the type, the default and the values of each
    actions: list[str]  # the kinds of actions
    schemas: dict[str, Any]  # of an observation, an action and an event


class Created(Answer, kw_only=True):
    """Answer `create`: the game exists, and starts as soon as all its seats are taken."""

    game_id: str
    seat: int | None = None  # the first own seat; missing if the creator has none
    rated: bool
    rules_hash: str
    # The SHA-256 of `galapagos/1|GAME_ID|SEED|SALT`; `end` reveals seed and salt, so that it can be verified.
    seed_commit: str
    # The token of a new profile, which belongs to this client. Keep it: it is sent only once.
    profile_token: str | None = None


class Joined(Answer, kw_only=True):
    """Answer `join`: the seat belongs to the client."""

    game_id: str
    seat: int
    seed_commit: str  # as in `created`
    seed_chosen_by: str = ""  # the name of the client that chose the seed; missing if the server draws it


class Checked(Answer, kw_only=True):
    """Answer `check` with every problem of the action."""

    ok: bool
    problems: list[dict[str, Any]]  # `field`, `reason` and details of each; none if the action is legal
    preview: Any = None  # of a legal action, if the game has one: its cost and effect


class Resumption(Struct, kw_only=True, omit_defaults=True):
    """The position of a game in a session that was resumed."""

    game_id: str
    seq: int  # the number of the last event
    pending: Id | None = None  # the `id` of a decision that the client owes


class Resumed(Answer, kw_only=True):
    """Answer `resume`: the session belongs to this connection, and its games follow."""

    session: str
    games: list[Resumption]
    matches: list[ListedMatch] | None = None  # of a director; the last table of each match follows


class Watching(Answer, kw_only=True):
    """Answer `watch`: the client is a spectator of the game."""

    game_id: str
    seq: int  # the number of the last event


class Observation(Answer, kw_only=True):
    """Answer `state` with the full observation; the server also sends it after `resume` when events are missing."""

    game_id: str
    seq: int  # the number of the last event that the observation includes
    observation: Any  # as the reference of the game describes it


class Recorded(Answer, kw_only=True):
    """Answer `record` with as many lines as fit into one message.

    If `offset` plus the number of `lines` is less than `total`, ask again with that sum as `offset`.
    """

    game_id: str
    format: str
    offset: int  # of the first line in `lines`
    total: int  # lines of the whole record
    lines: list[Raw]


class Explained(Answer, kw_only=True):
    """Answer `explain`: the reasons of a built-in opponent, as sentences."""

    turn: int | None = None
    index: int | None = None  # the number of the string in the pool; from 250 on, a hybrid
    string: str | None = None  # that Chaos played, as hexadecimal digits
    text: list[str]
    aim: Any = None  # the object Aim of the turn


class Matched(Answer, kw_only=True):
    """Answer `match`: the match has started."""

    match_id: str


class Limited(Answer, kw_only=True):
    """Answer `limits`."""

    limits: dict[str, float]
    used: dict[str, float]  # the present use of some of the limits


# -- The course of games and matches -----------------------------------------------------------------


class ChosenSeed(Struct, kw_only=True, omit_defaults=True):
    """A seed, or an option in place of one, that a client has chosen.

    It is published to all players, because the client that chose it can compute what the game hides.
    """

    chosen_by: str  # the name of the client
    hidden: Literal["open"]
    number: int | None = None  # the seed
    options: Options | None = None  # such as `bag`, which determine what otherwise the seed determines


class Start(Message, kw_only=True):
    """Report that a game starts; players get one for each own seat, spectators one without `seat`.

    After these fields come those of the game's `opening`, if it has one, and the `observation`.
    """

    game_id: str
    seq: int  # 0; for a spectator of a running game the number of the last event
    seat: int | None = None  # the own seat; a spectator has none
    seats: list[Player]
    game: str
    variant: str  # `custom` if options have changed the rules
    seed: ChosenSeed | None = None  # missing if the server draws the seed, or no seat was open


class Decide(Request, kw_only=True):
    """Ask the client for a decision, which it makes by `action` with this `id` as `re`.

    The clock of the seat runs until then. Several seats may be asked at the same time; none of them learns about the
    actions of the others before all have decided.
    """

    game_id: str
    seq: int  # the number of the last event before the decision
    seat: int
    phase: str  # the kind of decision, in the words of the game
    observation: Any  # as the reference of the game describes it
    legal: Any = None  # the legal actions, or the rules for them; missing if the line would exceed `max_line`
    clock: ClockLeft | None  # null: the game has no clock
    ending: bool = False  # the end of the game has been announced
    latency_ms: float | None = None  # as measured by the last ping; in every tenth decision


class Event(Message, kw_only=True):
    """Report an event of a game; the fields after `kind` depend on the kind and are described with each game.

    Events are numbered from 1 by `seq`, with the same numbers for all receivers. Details that only one seat may see
    are missing in the lines to others. An event that answers `replay` has `re`.
    """

    game_id: str
    seq: int
    kind: str
    say: str | None = None  # one English sentence, if `hello` asked for it


class End(Message, kw_only=True):
    """Report the result of a finished game, and reveal what the game has hidden."""

    game_id: str
    seq: int
    result: Any  # as the reference of the game describes it
    reveal: Any  # `seed` and `salt`, and what the game adds


class Kept(Message, kw_only=True):
    """Warn that a game or match is not written to disk, or report that it is written again.

    The game continues in either case. While it is not written, a crash of the server would lose what happens.
    """

    game_id: str | None = None
    match_id: str | None = None
    kept: bool  # true: everything is on disk again


class Gap(Message, kw_only=True):
    """Report that a spectator has missed lines because it reads too slowly; `watch` with `from_seq` repeats them."""

    missed: int  # lines


class Row(Struct, kw_only=True, omit_defaults=True):
    """A player's row in the table of a match.

    A win is a first place, and scores a point; a shared first place (a draw, in games of two) scores half a point.
    """

    player: str
    games: int
    wins: int
    shared: int
    losses: int
    share: float  # of the points, from 0 to 1
    low: float  # the lower end of the 95 % interval of `share`, by Wilson's formula
    high: float  # the upper end of that interval
    mean_rank: float  # 1 is first
    mean_result: float  # in the units of the game's result, such as dollars
    rating: float  # Elo by the Bradley-Terry model; the mean of all players is 0
    rating_error: float  # half the width of the 95 % interval of `rating`
    forced: int  # decisions that failed or came too late, so that the default action was played
    seconds: float  # spent on decisions
    against: list[list[int]]  # [losses, shared, wins] against each player, in the order of the table
    # In mirrored games of two: how many pairs of games gave 0, 1/2, 1, 1 1/2 and 2 points.
    pairs: list[int] | None = None


class MatchEvent(Message, kw_only=True):
    """Report the standings of a running match, at most once a second."""

    match_id: str
    done: int  # games that have been played
    of: int  # games in all
    table: list[Row]
    running: int  # games that are being played


class MatchEnd(Message, kw_only=True):
    """Report the final table of a match."""

    match_id: str
    table: list[Row]
    games: int  # that count
    seeds: list[Integer]  # of the games, at most 1,000
    records: list[str] | None = None  # IDs of games whose records `record` shows, at most 1,000


# -- All of them -------------------------------------------------------------------------------------


# In the order of the published schema.
ClientMessage = (
    Hello | Ping | Pong | Bye | ListRequest | Describe | Create | Join | Check | Action | Resign | Leave |
    Resume | Watch | Unwatch | StateRequest | Replay | Record | Explain | MatchRequest | MatchCancel | Limits
)  # fmt: skip
ServerMessage = (
    Welcome | Ping | Pong | Bye | Ok | Error | Listing | Description | Created | Joined | Start | Decide
    | Checked | Event | End | Resumed | Watching | Kept | Gap | Observation | Recorded | Explained | Matched |
    MatchEvent | MatchEnd | Limited
)  # fmt: skip
