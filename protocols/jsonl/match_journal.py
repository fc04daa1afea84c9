"""The journal of a match: what was asked for, every outcome, and the end are lines of a file of its own.

With it a match goes on after any end of the server.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from engines.match.standings import GameOutcome
from protocols.incidents import Incidents
from protocols.jsonl.codec import encode
from protocols.jsonl.journal import MATCHES, Journal
from protocols.jsonl.messages import MatchRequest
from protocols.jsonl.record import RecordError
from protocols.jsonl.record_lines import RecordLine

WHAT: Final = "the records of matches"  # in reports of incidents


class MatchHeader(RecordLine, kw_only=True):
    """The first line of a match's journal: the request, and the session that sent it."""

    match_id: str
    session: str
    token_hash: str
    name: str
    request: MatchRequest  # with its seed


class MatchGames(RecordLine, kw_only=True):
    """Games that were played, in any order, and how long the match had been under way."""

    outcomes: list[GameOutcome]
    seconds: float


class MatchOver(RecordLine, kw_only=True):
    """The match has ended with so many games."""

    games: int


LINES: Final = msgspec.json.Decoder(MatchHeader | MatchGames | MatchOver)


@dataclass(slots=True, kw_only=True)
class PastMatch:
    """A match as the journal has it."""

    header: MatchHeader
    outcomes: list[GameOutcome]
    seconds: float = 0.0  # that it was under way
    over: int | None = None  # how many games count, if it has ended


def read_match(lines: Sequence[bytes]) -> PastMatch:
    """Return what the journal holds of a match. Raises msgspec.DecodeError if a line is damaged."""
    header, *others = map(LINES.decode, lines or [b""])
    if not isinstance(header, MatchHeader):
        raise msgspec.ValidationError("the first line is no header")
    past = PastMatch(header=header, outcomes=[])
    for line in others:
        if isinstance(line, MatchGames):
            past.outcomes += line.outcomes
            past.seconds = line.seconds
        elif isinstance(line, MatchOver):
            past.over = line.games
    return past


class MatchJournals:
    """The journals of a server's matches, and the records of their games beside those of other games."""

    def __init__(self, records: Journal, incidents: Incidents) -> None:
        self.records: Final = records
        self.journal: Final = Journal(records.folder, MATCHES)
        self.incidents: Final = incidents

    def read(self, match_id: str) -> PastMatch:
        """Return what is written of a match. Raises RecordError, OSError, or msgspec's errors if that is damaged."""
        past = read_match(self.journal.read(match_id) or [])
        if past.header.match_id != match_id:
            raise RecordError(f"line 1: it is the match {past.header.match_id[:64]!r}")
        return past


class MatchJournal:
    """Writes the lines of one match. If that fails, the match goes on, and the next line tries again."""

    def __init__(self, journals: MatchJournals, match_id: str, on_kept: Callable[[bool], object]) -> None:
        """`on_kept` is called when lines cannot be written any more (False), and when all are written again (True)."""
        self._records = journals.records
        self._journal = journals.journal
        self._incidents = journals.incidents
        self._match_id = match_id
        self._on_kept = on_kept
        self._unwritten: deque[tuple[Journal, str, bytes]] = deque()
        self._is_kept = True

    def write(self, line: RecordLine) -> None:
        """Write a line of the match behind all that could not be written before."""
        self._unwritten.append((self._journal, self._match_id, encode(line)))
        try:
            while self._unwritten:
                journal, name, data = self._unwritten[0]
                journal.append(name, data)
                if journal is self._records:
                    journal.close(name)
                self._unwritten.popleft()
            self._incidents.recover(WHAT)
        except OSError as error:  # a full disk
            self._incidents.fail(WHAT, error)
        if self._is_kept == bool(self._unwritten):
            self._is_kept = not self._unwritten
            self._on_kept(self._is_kept)

    def write_games(self, outcomes: Sequence[GameOutcome], seconds: float) -> None:
        """Write games that were played. No outcome is on the disk before the record of its game."""
        for outcome in outcomes:
            if outcome.record:
                self._records.remove(outcome.game_id)  # a kill may have come between the two
                self._unwritten.append((self._records, outcome.game_id, b"".join(outcome.record)))
        played = [replace(outcome, record=()) for outcome in outcomes]
        self.write(MatchGames(outcomes=played, seconds=seconds))

    def finish(self, games: int) -> None:
        """Write that the match has ended with so many games."""
        self.write(MatchOver(games=games))
        self._journal.close(self._match_id)

    def with_record(self, outcome: GameOutcome) -> GameOutcome:
        """Return an outcome with the record of its game."""
        lines = self._records.read(outcome.game_id) or ()
        return replace(outcome, record=[line + b"\n" for line in lines])

    def mend(self) -> None:
        """Remove half a line from the end of the file, which a kill can have left."""
        self._journal.mend(self._match_id)

    def remove(self) -> None:
        """Delete the journal of the match; the records of its games stay."""
        self._journal.remove(self._match_id)
