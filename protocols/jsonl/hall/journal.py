"""Where the records of games are kept, as a hall knows it."""

from typing import Protocol


class Journal(Protocol):
    """What append() has returned from survives a kill."""

    def append(self, game_id: str, lines: bytes) -> None: ...

    def close(self, game_id: str) -> None:
        """Nothing more is added to this game."""
        ...

    def remove(self, game_id: str) -> None:
        """The game was called off before it began."""
        ...

    def read(self, game_id: str) -> list[bytes] | None:
        """The lines of a game, without their breaks; None if there is none of this id."""
        ...
