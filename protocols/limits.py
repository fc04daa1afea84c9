"""Limits on what remote clients may ask of the server: sizes, numbers and rates.

Every limit can be changed by `galapagos serve --limit NAME=VALUE` and is shown by `--limits`.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, TypeVar

from engines.names import near

HOUR: Final = 3600.0  # seconds
GAMES_PREFIX: Final = "games_"  # of the names of GameLimits on the command line
OLD_PREFIX: Final = "tables_"  # an older name of GAMES_PREFIX, which is still accepted
MAXIMA: Final = {"ipv6_prefix_bits": 128}  # of limits that are not only sizes, numbers and rates
MESSAGE_BYTES: Final = 2048  # a message counts once, and once more for each 2048 bytes that it has


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the server's ports: connections, lines, requests, searches, and the costs of an address."""

    line_bytes: int = 4096  # of any line except UCI's position; JSON lines have their own limit
    position_bytes: int = 32_768  # of UCI's position, which carries the whole game
    connections: int = 100
    connections_per_address: int = 8
    ipv6_prefix_bits: int = 64  # of IPv6 addresses that count as one, in all limits for each address
    first_line_seconds: float = 5.0
    # A person at a board thinks for minutes, and GUIs send nothing meanwhile.
    idle_seconds: float = 3600.0
    messages_per_second: float = 20.0  # of a remote client; programs of this machine are not slowed
    messages_burst: int = 40
    page_connections: int = 400  # of browsers
    page_connections_per_address: int = 32
    page_idle_seconds: float = 60.0  # between two requests of a browser
    page_requests_per_second: float = 50.0  # of a remote address; further requests wait up to request_seconds
    page_requests_burst: int = 200  # a page and its scripts are some 30
    request_seconds: float = 10.0  # for the body of a request
    hill_submissions_per_hour: int = 6  # of a remote client; 64 KB each
    hash_mib: int = 32  # that the engine of one connection may take
    search_seconds: float = 600.0  # of a remote client's search, also of an endless one
    # What an address may cost (protocols.accounts): a rate for ever, and a burst.
    loop_share: float = 0.05  # of the event loop's thread
    loop_burst_seconds: float = 0.5
    crowd_share: float = 0.5  # of the event loop's thread, for all addresses together that use much of it
    worker_share: float = 0.25  # of a processor, in worker processes
    worker_burst_seconds: float = 1200.0
    sent_bytes_per_second: float = 500_000.0
    sent_burst_bytes: float = 16_000_000.0
    kept_bytes_per_hour: float = 32_000_000.0  # of records of games
    stop_seconds: float = 2.0  # for conversations to end when the server stops


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLimits:
    """Limits of games over the JSON lines; the request `limits` shows them with their present use."""

    line_bytes: int = 65_536  # with its break
    messages_per_second: int = 20  # of a remote client
    messages_burst: int = 40
    malformed_lines: int = 20  # in a minute
    heartbeat_seconds: float = 15.0
    idle_seconds: float = 60.0  # without a line from the other side
    queue_lines: int = 256  # that wait for a slow reader
    games_per_session: int = 8
    profiles_per_hour: int = 10  # new ones of a remote address
    games: int = 200
    # When as many games run, a new game may end one that has waited too long, or one of an address with too many.
    idle_game_seconds: float = 60.0  # without an action of a client
    undecided_game_seconds: float = 10.0  # in a game in which no client has ever acted
    games_of_address: int = 25
    sessions: int = 1000  # including those whose connection is lost
    matches_per_director: int = 2
    recorded_games: int = 500  # of a match, from its first one on, if it is asked for
    kept_events: int = 1000  # of each game
    workers: int = 2  # processes for slow agents, and as many for matches; started when they are needed
    agent_seconds: float = 10.0  # for one decision
    session_seconds: float = 120.0  # for which a session can be resumed after its connection is lost
    patient_session_seconds: float = 86_400.0  # the same with a game without a clock, or a match
    finished_games: int = 500  # that are still shown
    finished_matches: int = 100
    finished_seconds: float = 3600.0  # for which a finished game or match is still shown
    record_bytes: int = 1 << 20  # of one game's record; the game ends when it is longer
    kept_records: int = 100_000  # of finished games, in the folder of records; the oldest are deleted first
    kept_record_bytes: int = 10 * 10**9
    kept_record_days: float = 3650.0
    option_bytes: int = 8192  # of the options of `create`, as JSON
    tries: int = 3
    forced_actions: int = 10  # of a seat in a game


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

AnyLimits = TypeVar("AnyLimits", Limits, GameLimits)


def parse_limits(settings: Sequence[str]) -> tuple[Limits, GameLimits]:
    """Return the default limits with changes, each NAME=VALUE.

    Raises ValueError if a name is unknown or a value is not allowed.
    """
    limits, of_games = Limits(), GameLimits()
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.startswith((GAMES_PREFIX, OLD_PREFIX)):
            of_games = _changed(of_games, name.partition("_")[2], value)
        else:
            limits = _changed(limits, name, value)
    return limits, of_games


def limit_lines(limits: Limits, of_games: GameLimits) -> Iterator[str]:
    """Yield a line for each limit: its name, as `--limit` takes it, and its value."""
    for field in fields(limits):
        yield f"{field.name:32} {getattr(limits, field.name):g}"
    for field in fields(of_games):
        yield f"{GAMES_PREFIX + field.name:32} {getattr(of_games, field.name):g}"


def _changed(limits: AnyLimits, name: str, value: str) -> AnyLimits:
    kinds = {field.name: type(getattr(limits, field.name)) for field in fields(limits)}
    if name not in kinds:
        raise ValueError(
            f"no limit is called {name[:40]!r}; {near(name, kinds, '`galapagos serve --limits`')}"
        )
    try:
        number = kinds[name](value)
    except ValueError:
        raise ValueError(f"{name} needs a number, not {value!r}") from None
    if number <= 0:
        raise ValueError(f"{name} must be above zero")
    if number > MAXIMA.get(name, number):
        raise ValueError(f"{name} must be at most {MAXIMA[name]}")
    return replace(limits, **{name: number})
