"""Limits on what remote clients may ask of the server: sizes, numbers and rates.

Every limit can be changed by `galapagos serve --limit NAME=VALUE` and is shown by `--limits`.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Final

from engines.names import near

HOUR: Final = 3600.0  # seconds
GAMES_PREFIX: Final = "games_"  # of the names of GameLimits on the command line
OLD_PREFIX: Final = "tables_"  # an older name of GAMES_PREFIX, which is still accepted
SHARES: Final = ("loop_share", "crowd_share", "worker_share")
MAXIMA: Final = {"ipv6_prefix_bits": 128, "stop_seconds": 10, **dict.fromkeys(SHARES, 1)}
LARGEST: Final = 10**15  # of any other limit
MESSAGE_BYTES: Final = 2048  # a message counts once, and once more for each 2048 bytes that it has


def _limit(value: float, about: str) -> Any:
    """Declare a limit: its default, and the sentence that `galapagos serve --limits` shows.

    The sentence names what is limited, in its unit, and what a client sees when the limit is reached.
    """
    return field(default=value, metadata={"about": about})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the server's ports: connections, lines, requests, searches, and the costs of an address."""

    line_bytes: int = _limit(
        4096,
        "Bytes in a line, UCI's position and JSON lines excepted; a longer line gets an error, and the "
        "connection ends.",
    )
    position_bytes: int = _limit(
        32_768,
        "Bytes in UCI's command position, which holds a whole game; a longer one gets an error, and the "
        "connection ends.",
    )
    connections: int = _limit(
        100,
        "Connections of remote clients, and as many MQTT clients and listeners to events; when all are "
        "taken, a connection with a weaker claim ends for a newcomer, or the newcomer is refused.",
    )
    connections_per_address: int = _limit(
        8,
        "Connections of one remote address; a further one is refused.",
    )
    ipv6_prefix_bits: int = _limit(
        64,
        "Length of the IPv6 prefix that counts as one address; all clients in such a network share the "
        "limits of an address.",
    )
    first_line_seconds: float = _limit(
        5.0,
        "Seconds for a TLS handshake, and for the first line or request of a connection, which is otherwise "
        "closed.",
    )
    # A person at a board thinks for minutes, and GUIs send nothing meanwhile.
    idle_seconds: float = _limit(
        3600.0,
        "Seconds without a line from the client of an engine, a hill or the debugger; then the connection "
        "is closed.",
    )
    messages_per_second: float = _limit(
        20.0,
        "Lines a second from a remote client, JSON lines excepted; further lines are read later.",
    )
    messages_burst: int = _limit(
        40,
        "Lines that a remote client may send at once; further lines are read at the rate of "
        "messages_per_second.",
    )
    page_connections: int = _limit(
        400,
        "Connections of browsers; when all are taken, one that waits is closed for a newcomer, or the "
        "newcomer gets the status 503.",
    )
    page_connections_per_address: int = _limit(
        32,
        "Connections of browsers from one address; further ones are closed when they wait for a request.",
    )
    page_idle_seconds: float = _limit(
        60.0,
        "Seconds between two requests of a browser; then its connection is closed.",
    )
    page_requests_per_second: float = _limit(
        50.0,
        "Requests a second of a remote address; further ones are delayed by up to request_seconds, and then "
        "refused with the status 429.",
    )
    # A page and its scripts are about 30 requests.
    page_requests_burst: int = _limit(
        200,
        "Requests that a remote address may send at once; further ones are delayed to the rate of "
        "page_requests_per_second.",
    )
    request_seconds: float = _limit(
        10.0,
        "Seconds for the body of a request; a request that takes longer is refused with the status 408.",
    )
    hill_submissions_per_hour: int = _limit(
        6,
        "Submissions of a remote client to the hills in an hour, tests included; a further one is refused "
        "with the minutes to wait.",
    )
    hash_mib: int = _limit(
        32,
        "Mebibytes of the largest hash table that the client of an engine can set; the engine offers no "
        "larger value.",
    )
    search_seconds: float = _limit(
        600.0,
        "Seconds of a remote client's search, even an infinite one; then the search ends, and its best move "
        "so far counts.",
    )
    # What an address may cost (protocols.accounts): a rate for ever, and a burst.
    loop_share: float = _limit(
        0.05,
        "Share of the event loop's time that a remote address may use continuously; above it, its lines and "
        "requests wait.",
    )
    loop_burst_seconds: float = _limit(
        0.5,
        "Seconds of the event loop that a remote address may use at once; then its lines and requests wait.",
    )
    crowd_share: float = _limit(
        0.5,
        "Share of the event loop's time for all remote addresses together that use much of it; above it, "
        "they wait for each other.",
    )
    worker_share: float = _limit(
        0.25,
        "Share of a processor that a remote address may use continuously in worker processes; above it, its "
        "searches last a second, its jobs wait, and new games are refused.",
    )
    worker_burst_seconds: float = _limit(
        1200.0,
        "Seconds of a processor that a remote address may use at once in worker processes; then "
        "worker_share applies.",
    )
    sent_bytes_per_second: float = _limit(
        500_000.0,
        "Bytes a second sent to a remote address continuously; above it, its lines and requests wait.",
    )
    sent_burst_bytes: float = _limit(
        16_000_000.0,
        "Bytes sent to a remote address at once; then its lines and requests wait.",
    )
    kept_bytes_per_hour: float = _limit(
        32_000_000.0,
        "Bytes of games' records that a remote address may add in an hour; above it, its new games are "
        "refused.",
    )
    stop_seconds: float = _limit(
        2.0,
        "Seconds for conversations to finish when the server stops or an operator ends them; then they are "
        "cut off.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLimits:
    """Limits of games over the JSON lines; the request `limits` shows them with their present use."""

    line_bytes: int = _limit(
        65_536,
        "Bytes in a line, its break included; a longer line gets the error too_long, and the connection "
        "ends.",
    )
    messages_per_second: int = _limit(
        20,
        "Messages a second of a remote client; a further one is refused with the error rate_limited and the "
        "time to wait.",
    )
    messages_burst: int = _limit(
        40,
        "Messages that a remote client may send at once; a further one is refused with the error "
        "rate_limited.",
    )
    malformed_lines: int = _limit(
        20,
        "Malformed lines in a minute; the error for the last one ends the connection.",
    )
    heartbeat_seconds: float = _limit(
        15.0,
        "Seconds without a line from the client, after which the server sends a ping.",
    )
    idle_seconds: float = _limit(
        60.0,
        "Seconds without a line from the client; then the server sends bye and closes; the session can be "
        "resumed.",
    )
    queue_lines: int = _limit(
        256,
        "Lines that wait for a client which reads slowly; above it, a spectator misses lines, and a player "
        "is disconnected.",
    )
    games_per_session: int = _limit(
        8,
        "Unfinished games in which a session may have seats; a further create or join is refused with the "
        "error busy.",
    )
    profiles_per_hour: int = _limit(
        10,
        "New profiles of users from one remote address in an hour; a further one is refused with the error "
        "rate_limited.",
    )
    games: int = _limit(
        200,
        "Unfinished games on the server; when all are taken, a waiting game ends for a newcomer, or create "
        "is refused with the error busy.",
    )
    idle_game_seconds: float = _limit(
        60.0,
        "Seconds without an action of a client, after which a full server may end a game for a newcomer.",
    )
    undecided_game_seconds: float = _limit(
        10.0,
        "Seconds after which a full server may end, for a newcomer, a game in which no client has ever acted.",
    )
    games_of_address: int = _limit(
        25,
        "Unfinished games of one address; if an address has more, a full server may end one of them at once "
        "for a newcomer.",
    )
    sessions: int = _limit(
        1000,
        "Sessions, including those without a connection; when all are taken, one without a connection ends "
        "for a newcomer, or hello is refused with the error busy.",
    )
    matches_per_director: int = _limit(
        2,
        "Unfinished matches of one director; a further one is refused with the error busy.",
    )
    recorded_games: int = _limit(
        500,
        "Games of a match whose records are kept if the director asks for them, from the first one on; "
        "later games have no record.",
    )
    kept_events: int = _limit(
        1000,
        "Events that are kept of each game; a client that asks for an older one gets the present state "
        "instead.",
    )
    workers: int = _limit(
        2,
        "Worker processes for agents, and as many for matches; when all are at work, further jobs wait.",
    )
    agent_seconds: float = _limit(
        10.0,
        "Seconds of a slow agent for one decision; then the default action is played for it.",
    )
    session_seconds: float = _limit(
        120.0,
        "Seconds for which a session can be resumed after its connection is lost; then its games go on "
        "without it, and resume is refused.",
    )
    patient_session_seconds: float = _limit(
        86_400.0,
        "Seconds for which a session with a game without a clock, or with a match, can be resumed.",
    )
    left_game_seconds: float = _limit(
        300.0,
        "Seconds for which a game is still listed after all its clients have lost their connections; it is listed "
        "again when one of them comes back.",
    )
    finished_games: int = _limit(
        500,
        "Finished games that are still shown; the oldest one is removed from the list first.",
    )
    finished_matches: int = _limit(
        100,
        "Finished matches that are still shown; the oldest one is removed from the list first.",
    )
    finished_seconds: float = _limit(
        3600.0,
        "Seconds for which a finished game or match is still shown.",
    )
    record_bytes: int = _limit(
        1 << 20,
        "Bytes of one game's record; a game with a longer one ends, and its players get the error too_long.",
    )
    kept_records: int = _limit(
        100_000,
        "Records of finished games in the folder of records; the oldest are deleted first.",
    )
    kept_record_bytes: int = _limit(
        10 * 10**9,
        "Bytes of all records of finished games in the folder of records; the oldest are deleted first.",
    )
    kept_record_days: float = _limit(
        3650.0,
        "Days for which the record of a finished game is kept; then it is deleted.",
    )
    option_bytes: int = _limit(
        8192,
        "Bytes of the options of create, as JSON; longer ones are refused with the error invalid_params.",
    )
    tries: int = _limit(
        3,
        "Actions that a client may try for one decision; after the last illegal one, the server plays the "
        "default action.",
    )
    forced_actions: int = _limit(
        10,
        "Default actions that the server plays for one seat in a game; at the next one the seat forfeits.",
    )


class TokenBucket:
    """A token bucket: messages, seconds or bytes at a steady rate, and a burst of them after a pause.

    Times are seconds, from any origin.
    """

    __slots__ = ("_filled", "_left", "_rate", "burst")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        """Start with a full burst; `rate` is the amount that comes back in a second."""
        self.burst = self._left = float(burst)
        self._rate = rate
        self._filled = now

    def delay(self, now: float, amount: float = 1.0) -> float:
        """Return the seconds until `amount` may be taken; 0.0 if it may be taken now."""
        self._fill(now)
        return max((amount - self._left) / self._rate, 0.0)

    def take(self, amount: float = 1.0) -> None:
        """Take an amount, allowed or not: the balance may go below zero. A negative amount is given back."""
        self._left -= amount

    def used(self, now: float) -> float:
        """Return how much of the burst is used at present."""
        self._fill(now)
        return self.burst - self._left

    @property
    def is_full(self) -> bool:
        """Whether nothing of the burst is used, as of the last call of delay() or used()."""
        return self._left == self.burst

    def _fill(self, now: float) -> None:
        self._left = min(self._left + (now - self._filled) * self._rate, self.burst)
        self._filled = now


class HourlyQuota:
    """A quota for each sender: `per_hour` submissions in any hour."""

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_hour = per_hour
        self._clock = clock
        self._taken: dict[str, deque[float]] = {}

    def take(self, sender: str) -> float:
        """Count a submission and return 0.0 if it is within the quota, or else return the seconds until one is."""
        now = self._clock()
        for idle in [each for each, times in self._taken.items() if not times or times[-1] <= now - HOUR]:
            del self._taken[idle]
        times = self._taken.setdefault(sender, deque(maxlen=self.per_hour))
        if len(times) == self.per_hour and times[0] > now - HOUR:
            return times[0] + HOUR - now
        times.append(now)
        return 0.0

    def give_back(self, sender: str) -> None:
        """Remove the last submission of a sender from the count."""
        if times := self._taken.get(sender):
            times.pop()


# -- The command line ------------------------------------------------------------------------------

GROUPS: Final[Mapping[str, Sequence[str]]] = {  # all names, as `--limits` shows them
    "Connections, games and submissions of one address": (
        "connections_per_address", "page_connections_per_address", "games_games_of_address",
        "games_games_per_session", "games_matches_per_director", "games_profiles_per_hour",
        "hill_submissions_per_hour", "ipv6_prefix_bits",
    ),
    "Searches, and other costs of one address": (
        "search_seconds", "hash_mib", "worker_share", "worker_burst_seconds", "loop_share", "loop_burst_seconds",
        "crowd_share", "sent_bytes_per_second", "sent_burst_bytes", "kept_bytes_per_hour",
    ),
    "All clients together": (
        "connections", "page_connections", "games_games", "games_sessions", "games_workers",
        "games_idle_game_seconds", "games_undecided_game_seconds",
    ),
    "Records that are kept": (
        "games_kept_records", "games_kept_record_bytes", "games_kept_record_days", "games_record_bytes",
        "games_recorded_games",
    ),
    "Times": (
        "first_line_seconds", "idle_seconds", "page_idle_seconds", "request_seconds", "stop_seconds",
        "games_heartbeat_seconds", "games_idle_seconds", "games_session_seconds",
        "games_patient_session_seconds", "games_left_game_seconds", "games_agent_seconds",
    ),
    "Lines and requests": (
        "messages_per_second", "messages_burst", "page_requests_per_second", "page_requests_burst", "line_bytes",
        "position_bytes", "games_messages_per_second", "games_messages_burst", "games_line_bytes",
        "games_option_bytes", "games_malformed_lines", "games_queue_lines",
    ),
    "Within a game, and after its end": (
        "games_tries", "games_forced_actions", "games_kept_events", "games_finished_games",
        "games_finished_matches", "games_finished_seconds",
    ),
}  # fmt: skip


def parse_limits(settings: Sequence[str]) -> tuple[Limits, GameLimits]:
    """Return the default limits with changes, each NAME=VALUE.

    Raises ValueError if a name is unknown or a value is not allowed.
    """
    limits, game_limits = Limits(), GameLimits()
    for setting in settings:
        typed, equals, value = setting.partition("=")
        name = GAMES_PREFIX + typed.removeprefix(OLD_PREFIX) if typed.startswith(OLD_PREFIX) else typed
        kinds = _kinds(limits) | {GAMES_PREFIX + each: kind for each, kind in _kinds(game_limits).items()}
        if name not in kinds:
            advice = near(name, kinds, "`galapagos serve --limits`")
            raise ValueError(f"no limit is called {typed[:40]!r}; {advice}")
        if not equals:
            raise ValueError(f"--limit {typed} has no value; write {typed}=VALUE")
        number = _parsed(name, kinds[name], value)
        if name.startswith(GAMES_PREFIX):
            game_limits = replace(game_limits, **{name.removeprefix(GAMES_PREFIX): number})
        else:
            limits = replace(limits, **{name: number})
    return limits, game_limits


def limit_lines(limits: Limits, game_limits: GameLimits) -> Iterator[str]:
    """Yield the limits in groups under headings, the most important first.

    Each limit has two lines: its name, as the option `--limit` takes it, with its value, and a sentence.
    """
    known = {each.name: _described(each.name, limits, each) for each in fields(limits)}
    for each in fields(game_limits):
        name = GAMES_PREFIX + each.name
        known[name] = _described(name, game_limits, each)
    for heading, names in GROUPS.items():
        yield f"{heading}:"
        for name in names:
            yield from known[name]


def _described(name: str, limits: Limits | GameLimits, limit: Field[Any]) -> tuple[str, str]:
    return f"{name:32} {getattr(limits, limit.name):.15g}", f"    {limit.metadata['about']}"


def _kinds(limits: Limits | GameLimits) -> dict[str, type[int] | type[float]]:
    return {each.name: type(getattr(limits, each.name)) for each in fields(limits)}


def _parsed(name: str, kind: type[int] | type[float], value: str) -> Any:
    """Return the value of a limit. Raises ValueError if the limit cannot have it."""
    try:
        number = kind(value)
    except ValueError:
        needed = "whole number" if kind is int else "number"
        raise ValueError(f"{name} needs a {needed}, not {value[:40]!r}") from None
    if not number > 0:  # nor NaN
        raise ValueError(f"{name} must be above zero, not {value[:40]}")
    if number > (most := MAXIMA.get(name, LARGEST)):
        raise ValueError(f"{name} must be at most {most:,}, not {value[:40]}")
    return number
