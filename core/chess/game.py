"""Chess as a core.game.Game."""

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
        """Return the start position; `rng` is not used, since chess has no chance events."""
        return position_from_fen(START)

    def state_from(self, text: str) -> Position:
        """Return the position that a FEN describes; raises ValueError if it describes none."""
        return position_from_fen(text)
