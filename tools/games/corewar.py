"""The description of Core War. Warriors fight without further decisions, so the game has no `rules` for moves."""

from typing import TYPE_CHECKING, cast

from tools.games.info import GameInfo, References, WebPage

if TYPE_CHECKING:
    from engines.catalogue import PlayerInfo
    from engines.evolution.run import Evolution
    from engines.strength import GameReference
    from protocols.jsonl.match_source import MatchSource
    from protocols.web.run_contest import RunContest


def _catalogue() -> "list[PlayerInfo]":
    from engines.corewar.evolution.experiment import catalogue

    return catalogue()


def _evolution() -> "Evolution":
    from engines.corewar.evolution import experiment

    return experiment


def _statistics() -> "GameReference":
    from engines.corewar.evolution import experiment

    return cast("GameReference", experiment)


def _contests() -> "MatchSource":
    from protocols.jsonl.warrior_match import WarriorMatches

    return WarriorMatches()


def _contest() -> "RunContest":
    from protocols.web import corewar_contest

    return corewar_contest


GAME = GameInfo(
    name="corewar",
    title="Core War",
    about="programs that fight for the memory of a machine",
    instead="warriors fight as programs; use `galapagos-mars WARRIOR WARRIOR` or `galapagos hill`",
    players={},
    catalogue=_catalogue,
    contests=_contests,
    evolution=_evolution,
    page=WebPage(styles=["corewar_player", "redcode"]),
    preload=("protocols.hill.service", "protocols.web.fights"),
    first_run="soup",
    first_run_about="from random instructions to programs that win",
    statistics=_statistics,
    contest=_contest,
    match="tools.match.battles",
    genomes="tools.genome.warriors",
    figures="tools.plot.corewar",
    commands={
        "hill": ("tools.hill", "manage a Core War hill: create it, submit warriors, read its reports"),
        "rank": ("tools.rank", "rank warriors of Core War by their scores against each other or a fixed set"),
        "film": ("tools.film", "write a fight of Core War as a web page or an animated GIF"),
    },
    named="corewar:NAME or corewar:FILE",
    references=References(
        configurations=(("corewar", "engines.corewar.evolution.config", "TribesConfig"),),
    ),
)
