"""Time controls: the time, nodes or depth that players may spend on their actions, and their clocks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from engines.engine import Clock, Limit


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """The bounds for each player of a game. Several bounds may be set; raises ValueError if none is set.

    `seconds` is the time at the start. `increment` is added after each action of the player, and `seconds` again
    after every `actions` actions; without `actions` the whole game is one period.
    """

    seconds: float | None = None
    increment: float = 0.0
    actions: int | None = None
    seconds_per_action: float | None = None
    nodes: int | None = None  # per action
    depth: int | None = None  # per action
    nodes_per_second: float | None = None  # if set, seconds are counted in nodes, at this rate

    def __post_init__(self) -> None:
        bounds = (self.seconds, self.seconds_per_action, self.nodes, self.depth)
        if all(bound is None for bound in bounds):
            raise ValueError("a time control needs a clock, st, nodes or depth")
        if self.seconds is not None and self.seconds_per_action is not None:
            raise ValueError("a time control may have a clock or seconds per action, not both")
        if any(bound is not None and bound <= 0 for bound in (*bounds, self.actions, self.nodes_per_second)):
            raise ValueError("the bounds of a time control must be above zero")
        if self.increment < 0 or (self.seconds is None and (self.increment or self.actions)):
            raise ValueError(
                "an increment must not be negative; increments and numbers of actions need a clock"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the time control that a text describes by parts with commas between; str() writes such a text.

        Examples: `10+0.1`, `40/60+1`, `40/5:00`, `st=2`, `nodes=2000`, `depth=6`, `10+0.1,nps=20000`. Times are
        seconds, or minutes:seconds. Raises ValueError, naming the invalid part.

        >>> TimeControl.parse("40/5:00+2")
        ... # doctest: +ELLIPSIS
        TimeControl(seconds=300.0, increment=2.0, actions=40, ...)
        """
        found: dict[str, float | int | None] = {}
        for part in text.split(","):
            name, equals, value = part.strip().partition("=")
            fields = _parse_bound(name, value) if equals else _parse_clock(name)
            if doubled := fields.keys() & found.keys():
                name = min(_WORDS.get(field, "the clock") for field in doubled)
                raise ValueError(f"time control: {name} is given twice in {text[:60]!r}")
            found |= fields
        return cls(**found)  # type: ignore[arg-type]  # _parse_bound and _parse_clock give each field its type

    def scaled(self, share: float) -> Self:
        """Return the control with a share of the time, and of the nodes of an action; the depth stays."""
        seconds, per_action, nodes = self.seconds, self.seconds_per_action, self.nodes
        return replace(
            self,
            seconds=None if seconds is None else share * seconds,
            increment=share * self.increment,
            seconds_per_action=None if per_action is None else share * per_action,
            nodes=None if nodes is None else max(round(share * nodes), 1),
        )

    def __str__(self) -> str:
        parts = []
        if self.seconds is not None:
            period = f"{self.actions}/" if self.actions else ""
            increment = f"+{_decimal(self.increment)}" if self.increment else ""
            parts.append(f"{period}{_decimal(self.seconds)}{increment}")
        if self.seconds_per_action is not None:
            parts.append(f"st={_decimal(self.seconds_per_action)}")
        if self.nodes is not None:
            parts.append(f"nodes={self.nodes}")
        if self.depth is not None:
            parts.append(f"depth={self.depth}")
        if self.nodes_per_second is not None:
            parts.append(f"nps={_decimal(self.nodes_per_second)}")
        return ",".join(parts)


class Timer:
    """The clock of one player in a game."""

    def __init__(self, control: TimeControl, margin_seconds: float) -> None:
        """Start the clock of a game; an action may exceed the time by `margin_seconds`, unless nodes are counted."""
        self.control = control
        self.margin_seconds = 0.0 if control.nodes_per_second else margin_seconds
        self.left = control.seconds
        self.actions_to_reset = control.actions
        self.nodes_per_second = control.nodes_per_second

    @property
    def clock(self) -> Clock | None:
        """The clock as it stands now; None if the time control has no clock."""
        if self.left is None:
            return None
        return Clock(
            seconds=self.left, increment=self.control.increment, moves_to_reset=self.actions_to_reset
        )

    def limit(self, opponents: "Sequence[Timer]" = ()) -> Limit:
        """Return the limit for the next action, with the opponent's clock if there is a single opponent."""
        control = self.control
        return Limit(
            clock=self.clock,
            other_clock=opponents[0].clock if len(opponents) == 1 else None,
            seconds=control.seconds_per_action,
            nodes=control.nodes,
            depth=control.depth,
            nodes_per_second=control.nodes_per_second,
        )

    @property
    def allowed_seconds(self) -> float | None:
        """The seconds that the next action may take, including the margin; None without a bound on time."""
        left = self.control.seconds_per_action if self.left is None else self.left
        return None if left is None else max(left + self.margin_seconds, 0.0)

    @property
    def wall_seconds(self) -> float | None:
        """The allowed seconds as a bound by the wall clock; None if seconds are counted in nodes."""
        return None if self.nodes_per_second else self.allowed_seconds

    def is_over(self, seconds: float) -> bool:
        """Return whether an action of `seconds` takes longer than allowed, so that the player loses on time."""
        allowed = self.allowed_seconds
        return allowed is not None and seconds > allowed

    def charge(self, seconds: float) -> None:
        """Subtract the seconds of an action; add the increment and, at the end of a period, the time of the next."""
        if self.left is None:
            return
        self.left += self.control.increment - seconds
        if self.actions_to_reset is not None and self.control.seconds is not None:
            self.actions_to_reset -= 1
            if not self.actions_to_reset:
                self.actions_to_reset = self.control.actions
                self.left += self.control.seconds


# -- Time controls as text -------------------------------------------------------------------------

# The words in the text of a time control, by field; the other fields are those of the clock.
_WORDS = {"seconds_per_action": "st", "nodes": "nodes", "depth": "depth", "nodes_per_second": "nps"}
_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_CLOCK = re.compile(rf"(?:(\d{{1,4}})/)?(?:(\d{{1,4}}):)?({_NUMBER})(?:\+({_NUMBER}))?", re.ASCII)


def _parse_clock(text: str) -> dict[str, float | int | None]:
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(
            f"time control: {text[:40]!r} is not like 10+0.1, 40/60+1, st=2, nodes=2000 or depth=6"
        )
    actions, minutes, seconds, increment = match.groups()
    return {
        "seconds": float(seconds) + 60 * int(minutes or 0),
        "increment": float(increment or 0),
        "actions": int(actions) if actions else None,
    }


def _parse_bound(name: str, text: str) -> dict[str, float | int | None]:
    if name in ("nodes", "depth"):
        if re.fullmatch(r"\d{1,12}", text, re.ASCII):
            return {name: int(text)}
        raise ValueError(f"time control: {name} must be a whole number, not {text[:40]!r}")
    fields = {word: field for field, word in _WORDS.items()}
    if name not in fields:
        raise ValueError(f"time control: {name[:40]!r} is not one of st, nodes, depth, nps")
    if re.fullmatch(_NUMBER, text, re.ASCII):
        return {fields[name]: float(text)}
    raise ValueError(f"time control: {name} must be a number, not {text[:40]!r}")


def _decimal(number: float) -> str:
    """Return a number in plain digits, because parse() reads no exponents."""
    return f"{number:.9f}".rstrip("0").rstrip(".")
