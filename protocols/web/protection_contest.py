"""Turns of Advanced Protection with individuals of a run, for the page (protocols.web.run_contest.RunContest).

A string attacks the farm on which its run breeds strings. So two strings do not meet: both attack the same farm with
the same dice. A defender builds a farm, and guards it for some turns against a string; two defenders guard theirs
against the same one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from core.protection.board import Map, Scenario, generate_map
from core.protection.rules import PHASES, RULES
from core.protection.turn import TurnLog
from engines.protection.arms_race import loads_genome
from engines.protection.arms_race_config import ArmsRaceConfig
from engines.protection.boardfiles import UNITS, map_rows
from engines.protection.bots import BUILDERS, choose_setup, create_bot, defender_bot
from engines.protection.defender import Defender
from engines.protection.experiment import configured
from engines.protection.ga_config import GaConfig
from engines.protection.game import MAP, Placement, ProtectionGame, Setup
from engines.protection.genome import Genome
from engines.protection.pool import bundled_pool, handwritten
from engines.seeds import SeededStreams
from protocols.jsonl import protection_events as events
from protocols.jsonl.protection_messages import place_of
from protocols.web.run_contest import Contestant, ContestTask

TURNS: Final = 3  # that a defender guards its farm
GENERATED: Final = "generated"
STARTER: Final = "the starter string"
STRINGS: Final = ("caravan", "militia", "hunters", "wall")  # written by hand
MAX_EVENT_BYTES: Final = 1_000_000

Player = Defender | Genome | str  # a str is the name of a scripted user


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """A farm that is attacked: the map, and each turn with the units before it and its events."""

    side: Contestant
    map: Map
    turns: list[dict[str, Any]]
    change: int  # the human's change of value minus that of Chaos, dollars, all turns together


replay: Final = None  # the games of a run are on record without their moves


def opponents(config: str) -> Sequence[str]:
    if isinstance(configured(config), ArmsRaceConfig):
        return tuple(BUILDERS)
    return (*STRINGS, STARTER)


def play(task: ContestTask) -> dict[str, Any]:
    """Return the `rules`, and `shows`: a farm that is attacked, or one for each side."""
    config = configured(task.config)
    players = [(_player(side), side) for side in (task.first, task.second)]
    strings = [(player, side) for player, side in players if isinstance(player, Genome)]
    users = [(player, side) for player, side in players if not isinstance(player, Genome)]
    if strings and users:
        ((string, attacker),), ((user, owner),) = strings, users
        shows = [_guarded(owner, user, string, config.rules, task.seed)]
        words = _attack_words(attacker.name, owner.name, shows[0])
    else:
        shows = [_show(side, player, config, task.seed) for player, side in players]
        words = _words(shows, is_attack=bool(strings))
    return {
        "rules": RULES[config.rules].fields(),
        "shows": [
            {
                "name": each.side.label,
                "map": map_rows(each.map),
                "gold": list(map(place_of, each.map.gold)),
                "turns": each.turns,
            }
            for each in shows
        ],
        "words": words[:1].upper() + words[1:],
    }


def _player(side: Contestant) -> Player:
    if not side.fixed:
        return loads_genome(side.genome)
    if side.fixed in BUILDERS:
        return side.fixed
    pool = bundled_pool()
    return pool.entries[pool.starter].genome if side.fixed == STARTER else handwritten()[side.fixed]


def _show(side: Contestant, player: Player, config: GaConfig | ArmsRaceConfig, seed: int) -> Show:
    """Return a side in the situation that is the same for both sides."""
    if isinstance(player, Genome):
        return _attacked(side, player, config, seed)
    pool = bundled_pool()
    return _guarded(side, player, pool.entries[pool.starter].genome, config.rules, seed)


def _attacked(side: Contestant, string: Genome, config: GaConfig | ArmsRaceConfig, seed: int) -> Show:
    """Return the attack of a string on the farm of its run, or on the usual one if that is in a file."""
    if not isinstance(config, GaConfig):
        config = GaConfig(rules=config.rules)
    if (
        config.map != GENERATED or config.arrangement not in BUILDERS
    ):  # the file may be a secret of this machine
        config = replace(config, map=GENERATED, arrangement=BUILDERS[0])
    target = config.target()
    dollars = target.arrangement.value(target.rules)
    game = ProtectionGame(Scenario(target.rules, target.board), SeededStreams(seed), dollars, target.budget)
    setup = Setup(place=tuple(Placement(unit, square) for square, unit in target.arrangement.units()))
    return _played(side, game, target.board, string, [setup])


def _guarded(side: Contestant, user: Defender | str, string: Genome, rules: str, seed: int) -> Show:
    """Return the turns of a defender or a scripted user against a string."""
    streams = SeededStreams(seed)
    board = generate_map(streams.stream(MAP))
    bot = create_bot(user, 0) if isinstance(user, str) else defender_bot(user)
    game = ProtectionGame(Scenario(RULES[rules], board), streams)
    return _played(side, game, board, string, [lambda: choose_setup(game, bot)] * TURNS)


def _played(
    side: Contestant, game: ProtectionGame, board: Map, string: Genome, setups: Sequence[Any]
) -> Show:
    turns, change = [], 0
    for setup in setups:
        if game.over:
            break
        game.set_up(setup if isinstance(setup, Setup) else setup())
        units = [
            {"id": unit.number, "unit": UNITS[unit.code], "at": place_of(unit.square)}
            for unit in game.state.units.values()
        ]
        log = TurnLog()
        record = game.play(string.code, log)
        happened = [
            *events.rosters_of(record.turn, log, MAX_EVENT_BYTES),
            *events.phases_of(record.turn, log, 1, PHASES, MAX_EVENT_BYTES),
        ]
        (ended, *_) = events.turn_end(record, game.state.treasury)
        turns.append({
            "units": units,
            "events": msgspec.to_builtins(happened),
            "say": ended.text(("the farm", "Chaos")),
        })  # fmt: skip
        change += record.report.human_change - record.report.chaos_change
    return Show(side=side, map=board, turns=turns, change=change)


def _words(shows: Sequence[Show], *, is_attack: bool) -> str:
    """Return what both sides did in the same situation, as a sentence."""
    first, second = shows
    if is_attack:
        better, worse = sorted(shows, key=lambda each: each.change)
        deed, figures = "did more harm to the same farm than", "the farm's lead over Chaos changed by"
    else:
        worse, better = sorted(shows, key=lambda each: each.change)
        deed, figures = "guarded its farm better than", "its lead over Chaos changed by"
    if first.change == second.change:
        return (
            f"{first.side.name} and {second.side.name} did equally well: {figures} {_dollars(first.change)}."
        )
    return f"{better.side.name} {deed} {worse.side.name}: {figures} {_dollars(better.change)}, not by {_dollars(worse.change)}."


def _attack_words(attacker: str, owner: str, show: Show) -> str:
    better, worse = (owner, attacker) if show.change > 0 else (attacker, owner)
    return f"{better} did better than {worse}: the farm's lead over Chaos changed by {_dollars(show.change)}."


def _dollars(amount: int) -> str:
    return f"{'-' if amount < 0 else '+'}${abs(amount):,}"
