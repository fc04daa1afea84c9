"""The journal of a server's games: while it can be written, each line is on disk before clients receive it."""

from functools import partial
from typing import Final

from protocols.incidents import Incidents
from protocols.jsonl.game import Game
from protocols.jsonl.jobs import Jobs
from protocols.jsonl.journal import Journal
from protocols.jsonl.messages import Kept

RETRY_SECONDS: Final = 5.0  # between a failed write and the next attempt
INCIDENT_SUBJECT: Final = "the records of games"  # in reports of incidents


class GameJournal:
    """The writer of games' lines to the journal.

    If writing fails, for instance because the disk is full, the game continues, its players receive `kept`, and the
    lines are written in a later attempt.
    """

    def __init__(self, journal: Journal, incidents: Incidents, jobs: Jobs) -> None:
        self._journal = journal
        self._incidents = incidents
        self._jobs = jobs
        self._unwritten: set[str] = set()  # the IDs of games with lines that could not be written

    def write(self, game: Game) -> None:
        """Write the new lines of a game, unless a retry is scheduled for the game."""
        if game.id not in self._unwritten:
            self._write(game)

    def _write(self, game: Game) -> None:
        lines = game.lines
        try:
            if lines.written < len(lines.record):
                data = b"".join(lines.record[lines.written :])
                self._journal.append(game.id, data)
                lines.written = len(lines.record)
                if game.account:
                    game.account.kept.take(len(data))
            if game.is_over:
                self._journal.close(game.id)
                lines.drop_record()
            self._send_kept(game, is_kept=True)
            if not self._unwritten:
                self._incidents.recover(INCIDENT_SUBJECT)
        except OSError as error:
            self._incidents.fail(INCIDENT_SUBJECT, error)
            self._unwritten.add(game.id)
            self._send_kept(game, is_kept=False)
            self._jobs.call_at(self._jobs.clock() + RETRY_SECONDS, partial(self._retry, game))

    def _send_kept(self, game: Game, *, is_kept: bool) -> None:
        """Notify the players whether the game is in the journal, if that has changed."""
        if game.is_kept != is_kept:
            game.is_kept = is_kept
            for session in game.lines.players():
                session.say(Kept(game_id=game.id, kept=is_kept))

    def _retry(self, game: Game) -> None:
        self._unwritten.discard(game.id)
        self._write(game)
