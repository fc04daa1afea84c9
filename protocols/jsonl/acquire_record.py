"""Records of games of Acquire that were not played over the JSON lines: of matches at tables, and of old files."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from core.acquire.game import shuffled_bag
from core.acquire.rules import CHOICES, PRESETS, GameSpec, Rules, tile_name
from core.random import Random
from engines.acquire.match import TableConfig, play_tables
from engines.acquire.old_record import OldGame
from engines.match.match import Batch
from engines.match.schedule import MatchGame
from engines.match.standings import GameOutcome
from engines.seeds import SeededStreams
from protocols.jsonl.acquire import NUMBERS, AcquireAdapter, AcquireGameState, rules_hash
from protocols.jsonl.adapter import GameConfig, GameState, Move, OptionError
from protocols.jsonl.record import record_game

USUAL: Final = "classic"  # rules that are no preset are written as this variant with options


def play_recorded_tables(batch: Batch) -> list[GameOutcome]:
    """Play the games of a batch, whose config is a TableConfig, and return the outcomes with records."""
    return [
        replace(outcome, record=record_table(batch.config, outcome.game)) for outcome in play_tables(batch)
    ]


def record_table(config: TableConfig, game: MatchGame) -> list[bytes]:
    """Return the record of a game, move for move the one that core.acquire.playout.GameRunner plays.

    Recording takes longer than playing. The seed, the bag and the random source of each player are those of the
    runner.
    """
    spec = GameSpec(config.rules, config.seats)
    source = Random(game.seed)
    bag = [int(tile) for tile in shuffled_bag(spec, source)]
    sources = [Random(source.bits()) for _ in game.players]  # by member of the unrotated group
    members = [(entry + game.turn) % config.seats for entry in range(config.seats)]
    players = [config.players[player].create() for player in game.players]
    for player in players:
        player.begin()

    def choose(state: GameState, seat: int) -> Move:
        assert isinstance(state, AcquireGameState)
        entry = state.seating()[seat]
        return int(players[entry].choose(state.state.observation(seat), sources[members[entry]]))

    names = [config.players[player].name for player in game.players]
    return record_game(
        AcquireAdapter(), _config(config.rules, config.seats, bag), names, choose, f"m-{game.number + 1}"
    )


def convert(old: OldGame) -> list[bytes]:
    """Return the record of a game that an older version has written.

    Raises ValueError if no options of a variant give its rules.
    """
    actions = iter(old.actions)
    config = _config(old.rules, old.seats, old.bag)
    adapter = AcquireAdapter()
    try:
        state = adapter.open(config)
    except OptionError as error:
        raise ValueError(f"these rules cannot be converted: {error}") from None
    if state.rules_hash != rules_hash(old.rules):
        raise ValueError("these rules cannot be converted: no options of a variant yield them")
    seating = list(state.seating())
    by_seat = old.names or [f"seat {seat}" for seat in range(old.seats)]
    names = [by_seat[seating.index(entry)] for entry in range(old.seats)]
    return record_game(adapter, config, names, lambda state, seat: next(actions), "old")


def _config(rules: Rules, seats: int, bag: Sequence[int]) -> GameConfig:
    """Return the configuration of a game with a given bag; rules that are no preset become options."""
    options: dict[str, Any] = {"bag": [tile_name(rules, tile) for tile in bag]}
    variant = rules.name
    if PRESETS.get(variant) != rules:
        variant, usual = USUAL, PRESETS[USUAL]
        changed = [name for name in (*NUMBERS, *CHOICES) if getattr(rules, name) != getattr(usual, name)]
        options |= {name: getattr(rules, name) for name in changed}
        if rules.chains != usual.chains:
            options["chains"] = [
                {"name": chain.name, "letter": chain.letter, "tier": chain.tier} for chain in rules.chains
            ]
    return GameConfig(variant=variant, seats=seats, options=options, streams=SeededStreams(0))
