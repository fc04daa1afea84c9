"""Acquire: what its packages offer."""

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
    from core.acquire.game import Acquire
    from core.acquire.rules import PRESETS

    return Acquire(PRESETS["classic"], 2)


def engine(*arguments: Any) -> "Engine":
    from engines.acquire.engine import AcquireEngine

    return AcquireEngine(*arguments)


def _adapter(profiles: "Path | None") -> "GameAdapter":
    from protocols.jsonl.acquire import AcquireAdapter

    return AcquireAdapter()


def _catalogue() -> "list[PlayerInfo]":
    from engines.acquire.registry import catalogue

    return catalogue()


def _evolution() -> "Evolution":
    from engines.acquire import experiment

    return experiment


def _statistics() -> "GameReference":
    from engines.acquire import experiment

    return cast("GameReference", experiment)


GAME = GameInfo(
    name="acquire",
    about="against one to five evolved players",
    rules=_rules,
    engine=engine,
    match="tools.match.tables",
    adapter=_adapter,
    catalogue=_catalogue,
    evolution=_evolution,
    preload=("protocols.jsonl.acquire",),
    first_run="typed-7",
    statistics=_statistics,
    genomes="tools.genome.acquire",
)
