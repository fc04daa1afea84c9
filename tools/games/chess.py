"""Chess: what its packages offer."""

from typing import TYPE_CHECKING, Any, cast

from tools.games.info import GameInfo

if TYPE_CHECKING:
    from pathlib import Path

    from core.game import Game
    from engines.catalogue import PlayerInfo
    from engines.engine import Engine
    from engines.evolution.run import Evolution
    from engines.strength import GameReference
    from protocols.jsonl.adapter import GameAdapter


def _rules() -> "Game":
    from core.chess.game import Chess

    return Chess()


def engine(*arguments: Any) -> "Engine":
    from engines.chess.engine import ChessEngine

    return ChessEngine(*arguments)


def _adapter(profiles: "Path | None") -> "GameAdapter":
    from protocols.jsonl.chess import ChessAdapter

    return ChessAdapter()


def _catalogue() -> "list[PlayerInfo]":
    from engines.chess.genome_file import catalogue

    return catalogue()


def _evolution() -> "Evolution":
    from engines.chess import experiment

    return experiment


def _statistics() -> "GameReference":
    from engines.chess import experiment

    return cast("GameReference", experiment)


GAME = GameInfo(
    name="chess",
    about="between any of people, evolved players and other engines",
    rules=_rules,
    engine=engine,
    view="tools.play.chess:ChessView",
    opponent="chess:evolved",
    adapter=_adapter,
    catalogue=_catalogue,
    evolution=_evolution,
    preload=("engines.chess.engine", "protocols.jsonl.chess"),
    first_run="example",
    statistics=_statistics,
    genomes="tools.genome.chess",
    figures="tools.plot.chess",
)
