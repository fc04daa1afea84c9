"""What the JSON lines allow; every bound is configurable, and `limits` shows them with their present use."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonlLimits:
    line_bytes: int = 65_536  # with its break
    messages_per_second: int = 20  # of a stranger
    messages_burst: int = 40
    malformed_lines: int = 20  # in a minute
    heartbeat_seconds: float = 15.0
    idle_seconds: float = 60.0  # without a line from the other side
    queue_lines: int = 256  # that wait for a slow reader
    games_per_session: int = 8
    games: int = 200
    sessions: int = 1000  # with those whose connection is lost
    matches_per_director: int = 2
    recorded_games: int = 500  # of a match, from its first one on, if it is asked for
    kept_events: int = 1000  # a game
    workers: int = 2  # processes for slow agents, and as many for matches, once they are needed
    agent_seconds: float = 10.0  # for one decision
    session_seconds: float = 120.0  # to come back
    patient_session_seconds: float = 86_400.0  # to come back to a game without a clock
    finished_games: int = 500  # that are still shown
    finished_seconds: float = 3600.0  # that a game that is over is still shown
    tries: int = 3
    forced_actions: int = 10  # of a seat in a game
