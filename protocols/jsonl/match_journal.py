"""The journal of a match: a file with the request, the outcomes of the games, and the end of the match.

The journal lets a match continue after any end of the server.
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

INCIDENT_SUBJECT: Final = "the records of matches"  # in reports of incidents


class MatchHeader(RecordLine, kw_only=True):
    """The first line of a match's journal: the request, and the session that sent it."""

    match_id: str
    session: str
    token_hash: str
    name: str
    request: MatchRequest  # with the seed, also if the server has drawn it


class MatchGames(RecordLine, kw_only=True):
    """The outcomes of some games, in any order."""

    outcomes: list[GameOutcome]
    seconds: float  # since the match started, without the time in which no server ran


class MatchOver(RecordLine, kw_only=True):
    """The last line of the journal of a match that has ended."""

    games: int  # that count


LINES: Final = msgspec.json.Decoder(MatchHeader | MatchGames | MatchOver)


@dataclass(slots=True, kw_only=True)
class PastMatch:
    """The content of a match's journal."""

    header: MatchHeader
    outcomes: list[GameOutcome]
    seconds: float = 0.0  # for which the match has run
    over: int | None = None  # how many games count, if the match has ended


def read_match(lines: Sequence[bytes]) -> PastMatch:
    """Return the content of a match's journal. Raises msgspec.DecodeError if a line is damaged."""
    header, *others = map(LINES.decode, lines or [b""])
    if not isinstance(header, MatchHeader):
        raise msgspec.ValidationError("the first line is not a header")
    past = PastMatch(header=header, outcomes=[])
    for line in others:
        if isinstance(line, MatchGames):
            past.outcomes += line.outcomes
            past.seconds = line.seconds
        elif isinstance(line, MatchOver):
            past.over = line.games
    return past


class MatchJournals:
    """The journals of a server's matches, and the folder for the records of their games."""

    def __init__(self, records: Journal, incidents: Incidents) -> None:
        self.records: Final = records
        self.journal: Final = Journal(records.folder, MATCHES)
        self.incidents: Final = incidents

    def read(self, match_id: str) -> PastMatch:
        """Return the content of a match's journal.

        Raises OSError if the file cannot be read, and RecordError or msgspec.DecodeError if it is damaged.
        """
        past = read_match(self.journal.read(match_id) or [])
        if past.header.match_id != match_id:
            raise RecordError(f"line 1: the journal is of the match {past.header.match_id[:64]!r}")
        return past


class MatchJournal:
    """The writer of the journal of one match.

    If writing fails, the match continues, and the lines are written together with the next one.
    """

    def __init__(self, journals: MatchJournals, match_id: str, on_kept: Callable[[bool], object]) -> None:
        """Begin without lines; `on_kept` is called with False if writing fails, and with True when it works again."""
        self._records = journals.records
        self._journal = journals.journal
        self._incidents = journals.incidents
        self._match_id = match_id
        self._on_kept = on_kept
        self._unwritten: deque[tuple[Journal, str, bytes]] = deque()
        self._is_kept = True

    def write(self, line: RecordLine) -> None:
        """Write a line of the match, after all lines that could not be written before."""
        self._unwritten.append((self._journal, self._match_id, encode(line)))
        try:
            while self._unwritten:
                journal, name, data = self._unwritten[0]
                journal.append(name, data)
                if journal is self._records:
                    journal.close(name)
                self._unwritten.popleft()
            self._incidents.recover(INCIDENT_SUBJECT)
        except OSError as error:  # a full disk
            self._incidents.fail(INCIDENT_SUBJECT, error)
        if self._is_kept == bool(self._unwritten):
            self._is_kept = not self._unwritten
            self._on_kept(self._is_kept)

    def write_games(self, outcomes: Sequence[GameOutcome], seconds: float) -> None:
        """Write the outcomes of games. The record of a game is on disk before its outcome."""
        for outcome in outcomes:
            if outcome.record:
                self._records.remove(outcome.game_id)  # left by a server killed before the outcome
                self._unwritten.append((self._records, outcome.game_id, b"".join(outcome.record)))
        played = [replace(outcome, record=()) for outcome in outcomes]
        self.write(MatchGames(outcomes=played, seconds=seconds))

    def finish(self, games: int) -> None:
        """Write the end of the match; `games` is the number of games that count."""
        self.write(MatchOver(games=games))
        self._journal.close(self._match_id)

    def with_record(self, outcome: GameOutcome) -> GameOutcome:
        """Return an outcome with the record of its game, read from its file."""
        lines = self._records.read(outcome.game_id) or ()
        return replace(outcome, record=[line + b"\n" for line in lines])

    def mend(self) -> None:
        """Remove a torn line, which a kill can have left, from the end of the file."""
        self._journal.mend(self._match_id)

    def remove(self) -> None:
        """Delete the journal of the match; the records of its games stay."""
        self._journal.remove(self._match_id)
