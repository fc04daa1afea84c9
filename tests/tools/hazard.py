"""`galapagos` with the fifth game in its table, played slowly or by players that end their workers.

The environment says how bad it is: SECONDS that a game takes, the ID of a player whose games no worker
survives, POISON, and how large a file may become, BYTES.
"""

import os
import resource
import signal
import sys
import time
from dataclasses import replace

from engines.evolution.run import Experiment
from engines.evolution.run_store import RunStore
from tests.fifth_game.tictactoe import TicTacToe, evolution
from tools.__main__ import main
from tools.games import GAMES
from tools.games.info import GameInfo

ENTRY = GameInfo(
    name="tic-tac-toe",
    about="three in a row",
    rules=TicTacToe,
    evolution=lambda: sys.modules[__name__],
)

RUNS = evolution.RUNS
seed_in = evolution.seed_in
has_games = evolution.has_games


def open_experiment(store: RunStore) -> Experiment:
    return replace(evolution.open_experiment(store), play=play, preload=[__name__])


def play(pair: evolution.Pair) -> tuple[float, float]:
    time.sleep(float(os.environ.get("SECONDS", "0")))
    if int(os.environ.get("POISON", "-1")) in (player.id for player in pair):
        os.kill(os.getpid(), signal.SIGKILL)
    return evolution.play(pair)


def run() -> None:
    if most := int(os.environ.get("BYTES", "0")):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    GAMES["tic-tac-toe"] = ENTRY
    sys.exit(main())
