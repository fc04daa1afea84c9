"""The description of tic-tac-toe for Galapagos: the entry point `galapagos.games` names GAME."""

from typing import TYPE_CHECKING

from engines.player import RandomPlayer
from tools.games.info import GameInfo

from . import Careful, First, SquareWeights, TicTacToe, Weighing

if TYPE_CHECKING:
    from engines.evolution.run import Evolution


def _evolution() -> "Evolution":
    from . import evolution

    return evolution


def _player_from(text: str) -> Weighing:
    return Weighing(SquareWeights.loads(text))


GAME = GameInfo(
    name="tic-tac-toe",
    about="three in a row",
    rules=TicTacToe,
    players={"careful": Careful, "first": First, "random": RandomPlayer},
    opponent="tic-tac-toe:careful",
    evolution=_evolution,
    player_from=_player_from,
    first_run="squares",
)
