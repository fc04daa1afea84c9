"""A server that is killed and started again on its journal."""

from collections.abc import Callable, Mapping
from pathlib import Path

from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.journal import Journal
from protocols.jsonl.restore import restore
from tests.fifth_game.adapter import tic_tac_toe
from tests.protocols.jsonl.fakes import Client, FakeServer, FixedIds, resumed
from tests.protocols.jsonl.scripted import acquire


def game_adapters() -> dict[str, GameAdapter]:
    return {**tic_tac_toe(), **acquire()}


class Killed:
    """Its runs share a folder and nothing else."""

    def __init__(
        self, folder: Path, torn: bool = False, games: Callable[[], Mapping[str, GameAdapter]] = game_adapters
    ) -> None:
        """`torn`: the last line of the journal was not written whole."""
        self.folder = folder
        self.torn = torn
        self.games = games
        self.runs = 0

    def open(self) -> FakeServer:
        journal = Journal(self.folder)
        self.runs += 1
        server = FakeServer(self.games(), journal=journal, ids=FixedIds(first_session=1000 * self.runs))
        restore(server.games)
        self.server = server
        return server

    def tear(self) -> None:
        if self.torn:
            path = self.folder / "g-12.jsonl"
            path.write_bytes(path.read_bytes() + b'{"type":"event","ga')

    def restarted(self, token: str) -> tuple[FakeServer, Client]:
        """A new run, with whoever has this token back."""
        self.server.flush_profiles()
        server = self.open()
        return server, resumed(server, token)
