"""A spectator of one game: sees events as the public does, or as all-seeing eyes, some of them late."""

from protocols.jsonl.session.line import Passing
from protocols.jsonl.session.session import Session
from protocols.jsonl.table.history import History


class Onlooker:
    """Follows a history at a distance."""

    def __init__(self, session: Session, *, delay: int, sees_all: bool, sent: int) -> None:
        """`delay` counts events; `sent` is the number of the last event that is not to be sent again."""
        self.session = session
        self.delay = delay
        self._sees_all = sees_all
        self._sent = sent

    def catch_up(self, history: History) -> None:
        """Send what is old enough."""
        self._send(history, history.seq - self.delay)

    def finish(self, history: History, end_line: bytes) -> None:
        """The game is over: nothing is held back any more."""
        self._send(history, history.seq)
        self.session.send(Passing(end_line))

    def _send(self, history: History, last: int) -> None:
        says = self.session.preferences.say
        for happened in history.between(self._sent + 1, last):
            self.session.send(Passing(happened.line(is_private=self._sees_all, says=says)))
        self._sent = max(self._sent, last)
