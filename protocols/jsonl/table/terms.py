"""How a game is played, beyond its rules."""

from dataclasses import dataclass

from protocols.jsonl.messages import ClockTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """As it was created."""

    clock: ClockTerms | None = None
    rated: bool = False
    on_gone: str = "default_action"  # or forfeit, or agent:NAME
    creator: str = ""  # the session
