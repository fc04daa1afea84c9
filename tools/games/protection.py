"""The description of Advanced Protection. Its matches are whole games of users against Chaos."""

from typing import TYPE_CHECKING, cast

from tools.games.info import GameInfo, References, WebPage

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from pathlib import Path

    from core.game import Game
    from engines.catalogue import PlayerInfo
    from engines.evolution.run import Evolution
    from engines.strength import GameReference
    from protocols.jsonl.adapter import GameAdapter
    from protocols.web.run_contest import RunContest


def _rules() -> "Game":
    from core.protection.game import Protection
    from core.protection.rules import RULES
    from engines.protection.pool import bundled_pool

    return Protection(RULES["improved"], bundled_pool().packed)


def _adapter(profiles: "Path | None") -> "GameAdapter":
    from protocols.jsonl.protection import ProtectionAdapter

    return ProtectionAdapter(profiles)


def _catalogue() -> "list[PlayerInfo]":
    from engines.protection.pool import catalogue

    return catalogue()


def _agent_from(player: str) -> str:
    from engines.protection.bots import from_file

    kind, colon, name = player.partition(":")
    return f"{kind}:{from_file(name)}" if kind == "user" and colon else player


def _evolution() -> "Evolution":
    from engines.protection import experiment

    return experiment


def _statistics() -> "GameReference":
    from engines.protection import experiment

    return cast("GameReference", experiment)


def _add_play_arguments(parser: "ArgumentParser") -> None:
    from pathlib import Path

    from engines.protection import DEFAULT_MODE, FIXED, MODES
    from tools.cli import seed_int

    parser.epilog = (
        "You farm a map of 24 x 24 squares and defend the farms. Each turn you buy and place units; then Chaos's\n"
        "minions act for 50 phases; one of 250 strings, chosen by your earlier games, controls them. You win when you\n"
        "are worth more than twenty times as much as Chaos. At the prompt type\n\n"
        "  place drone 5 7 9 7   to put drones on columns 5 and 9 of row 7; drone 5 7 does it too\n"
        "  salvage 5 7           to sell the unit there; undo takes back the last order\n"
        "  go                    to start the turn; log lists its fights\n"
        "  help                  also: map, rules, resign, quit\n\n"
        "examples:\n"
        "  galapagos play protection --name Ann --profiles profiles   Chaos remembers Ann\n"
        "  galapagos play protection --target hard                    Chaos aims to let you win 3 of 10 games\n"
        "  galapagos play protection --seed 7 --record g.jsonl        a game to repeat, and galapagos replay g.jsonl"
    )
    add = parser.add_argument
    modes = "; ".join(f"{name} {about}" for name, about in MODES.items())
    add("--chaos", default=DEFAULT_MODE, metavar="MODE",
        help=f"how Chaos chooses its string: {modes}; {FIXED}0 to {FIXED}249, always that string (default: {DEFAULT_MODE})")  # fmt: skip
    add(
        "--target",
        help="the difficulty, as the share of games that pilot and calibrated aim to let you win: easy (7 of 10), novice (6), even or intermediate (5), expert (4), hard (3), or a number such as 0.65 (default: even)",
    )
    add("--variant", default="improved", help="the rules: improved or seed (default: improved)")
    add("--name", default="Human", help="your name (default: Human)")
    add(
        "--profiles",
        type=Path,
        metavar="FOLDER",
        help="keep what Chaos knows of you in this folder, as NAME.apu",
    )
    add(
        "--seed",
        type=seed_int,
        metavar="S",
        help="the seed of the game; the same seed yields the same map and dice (default: a random seed)",
    )
    add("--record", type=Path, metavar="FILE", help="write the game to this new file, as JSON lines")
    add(
        "--study",
        action="store_true",
        help="you agree that this game is read in a study of players (engines/protection/STUDY.md)",
    )


def _contest() -> "RunContest":
    from protocols.web import protection_contest

    return protection_contest


GAME = GameInfo(
    name="protection",
    title="Advanced Protection",
    about="Advanced Protection against Chaos, which learns from your games",
    rules=_rules,
    match="tools.match.agents",
    adapter=_adapter,
    catalogue=_catalogue,
    evolution=_evolution,
    page=WebPage(styles=["play"]),
    preload=("protocols.jsonl.protection",),
    first_run="quick",
    first_run_about="barbarians that find the way to your money",
    statistics=_statistics,
    contest=_contest,
    genomes="tools.genome.protection",
    figures="tools.plot.protection",
    commands={
        "pool": ("tools.pool", "evolve a pool of strings for Advanced Protection in many runs"),
        "arrangements": ("tools.arrangements", "log what scripted users of Advanced Protection build"),
    },
    play="tools.play.protection",
    play_arguments=_add_play_arguments,
    study="tools.study.protection",
    agent_from=_agent_from,
    named="protection:user:NAME, protection:user:FILE.apd and protection:chaos:MODE",
    references=References(
        messages=(
            "protocols.jsonl.protection_messages",
            "protocols.jsonl.protection_events",
            "engines.protection.game",
        ),
        configurations=(
            ("protection, strings", "engines.protection.ga_config", "GaConfig"),
            (
                "protection, an arms race (`evolve = arms race`)",
                "engines.protection.arms_race_config",
                "ArmsRaceConfig",
            ),
        ),
        python=(
            ("Gymnasium", "protocols.adapters.gymnasium", ("ProtectionGym",)),
            (
                "Advanced Protection without Gymnasium",
                "protocols.adapters.environment",
                ("ProtectionEnvironment",),
            ),
        ),
    ),
)
