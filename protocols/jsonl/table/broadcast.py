"""What the bus is told of a game: every line that those who look on without delay receive, and how it stands."""

from math import inf

from engines.events import BroadcastLine, Bus


class Broadcast:
    """Of one game. Lines come with their break."""

    def __init__(self, bus: Bus, game_id: str) -> None:
        self._bus = bus
        self._public = f"game/{game_id}/public"
        self._state = f"game/{game_id}/state"
        self.due_at = (
            -inf
        )  # seconds, as the hall is told the time: when it may tell again how the game stands
        self.is_due = False  # somebody will see to it then
        self._stands_at = -1  # the number of the event after which that was told

    def tell(self, line: bytes) -> None:
        """A public line."""
        self._bus.publish(self._public, BroadcastLine(line=line.rstrip()))

    def is_behind(self, seq: int) -> bool:
        """Whether more has happened than the last stands() knew."""
        return seq > self._stands_at

    def stands(self, seq: int, line: bytes) -> None:
        """How the game stands after event `seq`."""
        self._stands_at = seq
        self._bus.publish(self._state, BroadcastLine(line=line.rstrip()), is_state=True)

    def retire(self) -> None:
        """The game is shown no more."""
        self._bus.clear(self._state)
