"""A game of chess between two genomes of a run, for the page (protocols.web.run_contest.RunContest)."""

from collections.abc import Sequence
from typing import Any, Final

from core.chess.notation import fen, position_from_fen, san
from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.game_record import ADJUDICATION, GameRecord
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.chess.pgn import OPENINGS, read_openings
from engines.chess.self_play import SelfPlayGame
from engines.chess.self_play import play as play_game
from engines.config import ConfigError
from engines.evolution.selection import shuffled
from protocols.web.run_contest import Contestant, ContestTask, RecordedGame

# Bundled genomes, the weakest first.
FIXED: Final = ("random", "unevolved", "handset", "evolved-1", "evolved-2", "evolved")
NODES: Final = 1000  # a move
MAX_MOVES: Final = 100  # of each side, after which the game is a draw
ENDINGS: Final = {ADJUDICATION: f"after {MAX_MOVES} moves of each side"}


def opponents(config: str) -> Sequence[str]:
    return FIXED


def play(task: ContestTask) -> dict[str, Any]:
    """Return the game: `start`, and for each move `san`, `from`, `to` and the position after it, `fen`.

    The first contestant has White if the seed is odd. The seed selects the opening.
    """
    try:
        search = PoolConfig.loads(task.config).search
    except ConfigError:  # of another version of the program
        search = "strong"
    openings = shuffled([fen(each) for each in read_openings(OPENINGS)], Random(task.seed))
    sides = [task.first, task.second] if task.seed % 2 else [task.second, task.first]
    game = SelfPlayGame(
        white=_genome(sides[0]), black=_genome(sides[1]), start=openings[0], seed=task.seed, search=search,
        nodes=NODES, max_moves=MAX_MOVES, lines=False,
    )  # fmt: skip
    return _shown(GameRecord.unpack(play_game(game).record), sides)


def replay(game: RecordedGame) -> dict[str, Any]:
    """Return a game on record in the form of play()."""
    return _shown(GameRecord.unpack(game.record), game.players)


def _shown(record: GameRecord, sides: Sequence[Contestant]) -> dict[str, Any]:
    """Return a game between White and Black. Raises ValueError if a move is illegal."""
    position = position_from_fen(record.start)
    moves = []
    for move in record.moves:
        if move not in position.legal_actions():
            raise ValueError("the moves of this game are damaged")
        text, squares = san(position, move), position.action_text(move)
        position.make(move)
        moves.append({"san": text, "from": squares[:2], "to": squares[2:4], "fen": fen(position)})
    return {
        "start": record.start,
        "moves": moves,
        "white": sides[0].label,
        "black": sides[1].label,
        "words": _words(record, [each.name for each in sides]),
    }


def _genome(side: Contestant) -> Genome:
    return load_bundled(side.fixed) if side.fixed else Genome.loads(side.genome)


def _words(record: GameRecord, names: Sequence[str]) -> str:
    """Return the result as a sentence."""
    moves = (len(record.plies) + 1) // 2
    how = ENDINGS.get(record.ending, f"by {record.ending}")
    white, black = (f"{name} ({side})" for name, side in zip(names, ("White", "Black"), strict=True))
    if not record.returns[0]:
        return _capital(f"{white} and {black} drew {how}.")
    winner, loser = (white, black) if record.returns[0] > 0 else (black, white)
    return _capital(f"{winner} beat {loser} in {moves} moves, {how}.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
