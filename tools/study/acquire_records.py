"""The games of a study of predictions, read from records: of the JSON lines, and of galapagos-acquire-record/1.

The decisions of people are those of clients. Not among them are the decisions of built-in players, those that the
server made for a seat, and those of a seat whose client had left. A record of the older format does not say who has
decided; all its decisions count.
"""

from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from engines.acquire.old_record import is_old, replay
from engines.acquire.prediction import RecordedGame
from engines.evolution.run_store import UNUSABLE
from engines.storage import open_file
from protocols.jsonl.acquire import AcquireAdapter, AcquireGameState
from protocols.jsonl.journal import GAMES, whole_lines
from protocols.jsonl.record import is_record, replay_record
from protocols.jsonl.record_lines import RecordHeader
from protocols.limits import GameLimits
from tools.replay import unusable

GAME: Final = "acquire"
HEADER: Final = msgspec.json.Decoder(RecordHeader)


class _Header(Struct, kw_only=True):
    """The field of a header that tells the game."""

    game: str = ""


class _Line(Struct, kw_only=True):
    """The fields of a replayed line that tell which seat has decided what."""

    type: str
    kind: str = ""  # of an event
    seat: Any = None
    action: Raw = Raw(b"")
    forced: str = ""
    given_up: bool = False


FIRST_LINE: Final = msgspec.json.Decoder(_Header)
LINE: Final = msgspec.json.Decoder(_Line)


def read_games(paths: Sequence[Path]) -> list[RecordedGame]:
    """Return the games of files and of all records in folders; in a folder, records of other games are left out.

    Raises OSError, or ValueError with the file and the line, if a file is not a record of Acquire or the rules
    disagree with a record, and ValueError if there is no game at all.
    """
    games = []
    for path in paths:
        for file in sorted(path.glob(f"*{GAMES}")) if path.is_dir() else [path]:
            with open_file(file) as opened:
                data = opened.read()
            if path.is_dir() and _game_of(data) not in ("", GAME):
                continue
            games.append(_read(file, data))
    if not games:
        raise ValueError(f"{paths[0]} has no record of Acquire; records in a folder are named *{GAMES}")
    return games


def _read(path: Path, data: bytes) -> RecordedGame:
    try:
        if is_record(data):
            return _read_record(whole_lines(data))
        if is_old(data):
            return _read_old(data)
        raise ValueError("line 1: this is not the start of a record")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    except UNUSABLE as error:
        raise ValueError(f"{path}: {unusable(error)}") from None


def _read_old(data: bytes) -> RecordedGame:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {number}: the text is not UTF-8") from None
    game = replay(StringIO(text))
    return RecordedGame(
        rules=game.rules,
        seats=game.seats,
        bag=tuple(game.bag),
        actions=tuple(game.actions),
        is_counted=(True,) * len(game.actions),
    )


def _read_record(lines: Sequence[bytes]) -> RecordedGame:
    """Return the game of a record of the JSON lines, after the rules have confirmed it."""
    adapter = AcquireAdapter()
    if lines and (game := _game_of(lines[0])) not in ("", GAME):
        raise ValueError(f"line 1: this is a record of {game[:40]}, not of {GAME}")
    state = adapter.open(replay_record(lines, {GAME: adapter}, GameLimits()).game.config)
    assert isinstance(state, AcquireGameState)
    spec, bag = state.state.spec, state.state.bag
    played = list(_played(state, lines))
    return RecordedGame(
        rules=spec.rules,
        seats=int(spec.seats),
        bag=tuple(int(tile) for tile in bag),
        actions=tuple(action for action, _ in played),
        is_counted=tuple(is_counted for _, is_counted in played),
    )


def _played(state: AcquireGameState, lines: Sequence[bytes]) -> Iterator[tuple[int, bool]]:
    """Yield each action of a confirmed record, and whether the client of a seat has chosen it."""
    present = [seat.kind == "client" for seat in HEADER.decode(lines[0]).seats]
    for line in map(LINE.decode, lines[1:]):
        if line.type == "event" and line.kind in ("left", "rejoined"):
            present[line.seat] = line.kind == "rejoined"
        elif line.type == "action":
            action = state.parse_action(line.seat, bytes(line.action))
            state.apply({line.seat: action})
            yield action, present[line.seat] and not (line.forced or line.given_up)


def _game_of(data: bytes) -> str:
    """Return the game in the header of a record of the JSON lines, or "" if the data does not start with one."""
    try:
        return FIRST_LINE.decode(data.partition(b"\n")[0]).game
    except (msgspec.DecodeError, RecursionError):
        return ""
