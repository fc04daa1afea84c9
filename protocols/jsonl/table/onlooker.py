"""A spectator of one game: sees events as the public does, or as all-seeing eyes, some of them late."""

from dataclasses import dataclass

from protocols.jsonl.session.session import Session


@dataclass(slots=True, kw_only=True)
class Onlooker:
    """How far somebody has seen a game, and how much of it may be seen."""

    session: Session
    delay: int  # events
    sees_all: bool
    sent: int  # the number of the last event that is not to be sent again
