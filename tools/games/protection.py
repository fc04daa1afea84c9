"""Advanced Protection: what its packages offer. Both sides decide at the same time, so that there are no rules move by move."""

from typing import TYPE_CHECKING, cast

from tools.games.info import GameInfo

if TYPE_CHECKING:
    from pathlib import Path

    from engines.catalogue import PlayerInfo
    from engines.evolution.run import Evolution
    from engines.strength import GameReference
    from protocols.jsonl.adapter import GameAdapter


def _adapter(profiles: "Path | None") -> "GameAdapter":
    from protocols.jsonl.protection import ProtectionAdapter

    return ProtectionAdapter(profiles)


def _catalogue() -> "list[PlayerInfo]":
    from engines.protection.pool import catalogue

    return catalogue()


def _evolution() -> "Evolution":
    from engines.protection import experiment

    return experiment


def _statistics() -> "GameReference":
    from engines.protection import experiment

    return cast("GameReference", experiment)


GAME = GameInfo(
    name="protection",
    about="against Chaos, which learns",
    instead="Chaos plays strings; see galapagos genome",
    players={},
    adapter=_adapter,
    catalogue=_catalogue,
    evolution=_evolution,
    preload=("protocols.jsonl.protection",),
    first_run="quick",
    statistics=_statistics,
    genomes="tools.genome.protection",
    figures="tools.plot.protection",
)
