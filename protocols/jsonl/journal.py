"""The records of a server's games in a folder, one file a game, and the games that go on after a restart.

A line that append() has returned from is with the operating system and survives a kill of the process; the
last line may be torn, and readers skip it.
"""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from protocols.jsonl.game import Seat
from protocols.jsonl.messages import JournalSeat
from protocols.jsonl.record import RecordError, ReplayedGame, line_type, replay_record
from protocols.jsonl.session import Preferences, Session

if TYPE_CHECKING:
    from protocols.jsonl.server import GameServer

SUFFIX: Final = ".jsonl"
GAME_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}")
MOST_OPEN: Final = 256  # files
LOG: Final = logging.getLogger(__name__)


class JournalError(ValueError):
    """A folder or a file that cannot be a journal."""


class Journal:
    """Game records in a folder; one process at a time may write them."""

    def __init__(self, folder: Path) -> None:
        """JournalError if it is no folder, OSError."""
        if folder.exists() and not folder.is_dir():
            raise JournalError(f"{folder} is no folder")
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._open: dict[str, int] = {}  # descriptors

    def append(self, game_id: str, lines: bytes) -> None:
        """Whole lines. OSError, and then nothing is written."""
        descriptor = self._open.get(game_id)
        if descriptor is None:
            if len(self._open) >= MOST_OPEN:
                os.close(self._open.pop(next(iter(self._open))))
            descriptor = os.open(self._path(game_id), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            self._open[game_id] = descriptor
        before = os.fstat(descriptor).st_size
        try:
            while lines:
                lines = lines[os.write(descriptor, lines) :]
        except OSError:
            os.ftruncate(descriptor, before)  # what is behind a torn line could not be read
            raise

    def close(self, game_id: str) -> None:
        """Nothing more is added to this game."""
        descriptor = self._open.pop(game_id, None)
        if descriptor is not None:
            os.close(descriptor)

    def remove(self, game_id: str) -> None:
        """The game was called off before it began."""
        self.close(game_id)
        self._path(game_id).unlink(missing_ok=True)

    def read(self, game_id: str) -> list[bytes] | None:
        """The lines of a game, without their breaks; None if there is none of this id."""
        if not GAME_ID.fullmatch(game_id):
            return None
        try:
            return whole_lines(self._path(game_id).read_bytes())
        except FileNotFoundError:
            return None

    def games(self) -> Iterator[str]:
        """The ids of all games, in the order of their names."""
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            if GAME_ID.fullmatch(path.stem):
                yield path.stem

    def mend(self, game_id: str) -> None:
        """Take away the torn last line, so that lines can be appended."""
        path = self._path(game_id)
        data = path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(path, whole)

    def _path(self, game_id: str) -> Path:
        if not GAME_ID.fullmatch(game_id):
            raise JournalError(f"no game is called {game_id[:40]!r}")
        return self._folder / f"{game_id}{SUFFIX}"


def whole_lines(data: bytes) -> list[bytes]:
    """The lines of a file without their breaks; a torn last one is left out."""
    return data.split(b"\n")[:-1]


def restore(server: "GameServer", journal: Journal) -> int:
    """Go on with every game of the journal that is not over; how many. One that cannot be read is left alone."""
    count = 0
    for game_id in journal.games():
        lines = journal.read(game_id)
        if not lines or line_type(lines[-1]) == "end":
            continue
        try:
            replayed = replay_record(
                lines, server.adapters, server.limits, clock=server.clock, ask=server.ask_agent
            )
        except RecordError as error:
            LOG.warning("the record of %s cannot be used: %s", game_id, error)
            continue
        journal.mend(game_id)
        _go_on(server, replayed)
        count += 1
    return count


# -- Helpers ---------------------------------------------------------------------------------------


def _go_on(server: "GameServer", replayed: ReplayedGame) -> None:
    game = replayed.game
    game.lines.written = len(game.lines.record)
    for seat in game.seats:
        entry = replayed.seated.get(seat.index)
        if entry and entry.session:
            _seat_session(server, replayed, seat, entry)
        elif entry and entry.agent:
            adapter = server.adapters[game.game]
            seat.agent = adapter.agent(entry.agent, game.state, game.seed.stream, seat.index)
    server.add(game)
    if game.is_started:
        game.go_on(replayed.moves, list(replayed.pending_events))
    elif not any(seat.is_open for seat in game.seats):
        game.start()
    server.update(game)
    for session in game.lines.players():
        server.expect_return(session)


def _seat_session(server: "GameServer", replayed: ReplayedGame, seat: Seat, entry: JournalSeat) -> None:
    """A session that sat here, and may come back."""
    session = server.sessions.get(entry.session)
    if session is None:
        preferences = Preferences(name=entry.name)
        session = Session(entry.session, entry.token_hash, preferences, server.ids.first_decide)
        session.lost_at = server.clock()
        server.sessions[session.id] = session
        server.sessions_by_token[session.token_hash] = session
    session.games.add(replayed.game.id)
    seat.session = session
    seat.name = entry.name
    seat.is_absent = replayed.game.is_started
    if seat.decision:
        seat.decision.began = server.clock()
    last = replayed.decides.get(seat.index)
    if isinstance(last, int):
        session.next_decide = max(session.next_decide, last + 1)
