"""Core War: what its packages offer. A battle is a function of its warriors, so that there are no rules move by move."""

from typing import TYPE_CHECKING, cast

from tools.games.info import GameInfo

if TYPE_CHECKING:
    from engines.catalogue import PlayerInfo
    from engines.evolution.run import Evolution
    from engines.strength import GameReference


def _catalogue() -> "list[PlayerInfo]":
    from engines.corewar.evolution.experiment import catalogue

    return catalogue()


def _evolution() -> "Evolution":
    from engines.corewar.evolution import experiment

    return experiment


def _statistics() -> "GameReference":
    from engines.corewar.evolution import experiment

    return cast("GameReference", experiment)


GAME = GameInfo(
    name="corewar",
    about="programs that fight for the memory of a machine",
    instead="warriors fight as programs; use galapagos-mars WARRIOR WARRIOR, or galapagos hill",
    players={},
    catalogue=_catalogue,
    evolution=_evolution,
    preload=("protocols.hill.service", "protocols.web.fights"),
    first_run="soup",
    statistics=_statistics,
    match="tools.match.battles",
    genomes="tools.genome.warriors",
    figures="tools.plot.corewar",
)
