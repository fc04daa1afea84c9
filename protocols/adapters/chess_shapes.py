"""Chess in the shapes of python-chess: its boards and limits as ours, our thoughts and options as its own."""

import chess
from chess.engine import Cp, EngineError, InfoDict, Limit, Mate, PovScore
from chess.engine import Option as TheirOption

from core.chess.notation import position_from_fen
from core.chess.position import Position, move_text
from engines.engine import Clock, Info, Option
from engines.engine import Limit as OurLimit


def position_of(board: chess.Board) -> Position:
    """The position with the moves that led to it, so that repetitions count.

    EngineError for a variant. ValueError for a board that no game reaches, and tells why.
    """
    if board.uci_variant != "chess" or board.chess960:
        name = "chess960" if board.chess960 else board.uci_variant
        raise EngineError(f"the engine plays chess, not {name}")
    if not all(board.move_stack):  # a null move, as GUIs make them to show a threat
        return position_from_fen(board.fen())
    position = position_from_fen(board.root().fen())
    for move in board.move_stack:
        position.make(position.parse_uci(move.uci()))
    return position


def limit_of(limit: Limit, player: int, actions: tuple[int, ...]) -> OurLimit:
    """For the player to move, 0 for White; `actions` empty means all."""
    seconds, increment = (
        (limit.black_clock, limit.black_inc) if player else (limit.white_clock, limit.white_inc)
    )
    clock = None
    if seconds is not None:
        clock = Clock(seconds=seconds, increment=increment or 0.0, moves_to_reset=limit.remaining_moves)
    return OurLimit(
        clock=clock,
        seconds=limit.time,
        nodes=None if limit.nodes is None else max(limit.nodes, 1),
        depth=None if limit.depth is None else max(limit.depth, 1),
        mate=limit.mate,
        actions=actions,
    )


def info_of(thought: Info, player: int) -> InfoDict:
    """A thought of the player to move, 0 for White."""
    score = Mate(thought.mate) if thought.mate is not None else Cp(thought.cents or 0)
    info: InfoDict = {
        "depth": thought.depth,
        "nodes": thought.nodes,
        "time": thought.seconds,
        "nps": int(thought.nodes / thought.seconds) if thought.seconds > 0 else 0,
        "score": PovScore(score, player == 0),
        "pv": [moved(action) for action in thought.line],
    }
    if thought.text:
        info["string"] = thought.text
    return info


def moved(action: int) -> chess.Move:
    return chess.Move.from_uci(move_text(action))


def option_of(option: Option) -> TheirOption:
    default: str | int | bool = option.default
    if option.kind == "check":
        default = option.default == "true"
    elif option.kind == "spin":
        default = int(option.default)
    return TheirOption(
        option.name, option.kind, default, option.minimum, option.maximum, list(option.choices)
    )


def text_of(value: str | int | bool | None) -> str:
    """A value of python-chess's options as ours are written."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
