"""What happens in every game, and what its own events are made of."""

from msgspec import Struct


class GameEvent(Struct, kw_only=True, omit_defaults=True, gc=False, tag_field="kind"):
    """The part of an event that is the game's; its tag is the event's kind."""


class Forced(GameEvent, kw_only=True, tag="forced"):
    """The server played for a seat: `illegal`, `timeout` or `gone`."""

    seat: int
    reason: str


class Left(GameEvent, kw_only=True, tag="left"):
    """A seat is given up, or nobody is there any more."""

    seat: int


class Rejoined(GameEvent, kw_only=True, tag="rejoined"):
    """Somebody is there again."""

    seat: int


COMMON_EVENTS = (Forced, Left, Rejoined)
