"""Chess as a Game."""

from typing import final

from core.chess.notation import START, position_from_fen
from core.chess.position import Position
from core.game import Game
from core.random import Random


@final
class Chess(Game):
    def __init__(self) -> None:
        super().__init__("chess", 2)

    def new_state(self, rng: Random) -> Position:
        """The start position; chess has no luck to deal."""
        return position_from_fen(START)

    def state_from(self, text: str) -> Position:
        """The position of a FEN."""
        return position_from_fen(text)
