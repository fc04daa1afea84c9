"""Matches of warriors: each game is one round in the core, from places that the seed of the match decides."""

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.corewar.battle import SEEDS, seeded
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.battles import fight
from engines.corewar.presets import PRESETS
from engines.names import near
from protocols.jsonl.match import Batch, GameOutcome, MatchGame
from protocols.redcode.library import bundled_text, parse
from tools.match.series import Series, schedule_of, series_of
from tools.warriors import preset_for, read_text

PREFIX: Final = "corewar:"
SEATS: Final = 2
BATCH_ROUNDS: Final = 50  # a task
PRELOAD: Final = ("engines.corewar.battles",)
POINTS: Final = (3.0, 1.0, 0.0)  # of a round: won, tied, lost


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleConfig:
    """The rules and the warriors of a match."""

    rules: Rules
    warriors: tuple[Warrior, ...]
    match_id: str = ""


def prepare(args: Namespace) -> Series:
    """Return a match of warriors: bundled ones by name, others by file. Raises ValueError or OSError if there is none."""
    texts = [_text(player.removeprefix(PREFIX)) for player in args.players]
    if args.variant is not None and args.variant not in PRESETS:
        raise ValueError(f"no hill is called {args.variant[:40]!r}; {near(args.variant, PRESETS)}")
    preset = PRESETS[args.variant] if args.variant else preset_for(texts[0])
    if preset.is_melee:
        raise ValueError(f"{preset.name} is fought all at once, not in pairs")
    if args.seats not in (None, SEATS):
        raise ValueError(f"warriors fight in pairs, not {args.seats} at once")
    warriors = [parse(text, preset, player).warrior for text, player in zip(texts, args.players, strict=True)]
    names = [player.removeprefix(PREFIX) for player in args.players]
    schedule = schedule_of(args, names, SEATS, [[True] * SEATS for _ in names])
    config = BattleConfig(rules=preset.rules, warriors=tuple(warriors))
    return series_of(args, preset.name, schedule, config, play_rounds, BATCH_ROUNDS, PRELOAD)


def play_rounds(batch: Batch) -> list[GameOutcome]:
    """Play all rounds of a batch."""
    return [play_round(batch.config, game) for game in batch.games]


def play_round(config: BattleConfig, game: MatchGame) -> GameOutcome:
    """Play one round. The warrior in the first seat is loaded first and executes first."""
    pair = [config.warriors[player] for player in game.players]
    places = seeded(config.rules, SEATS, game.seed % SEEDS, False)
    tallies = fight(config.rules, pair, 1, places)
    won = [tally.wins > 0 for tally in tallies]
    ranks = [1 if is_winner or not any(won) else 2 for is_winner in won]
    results = [POINTS[0] if is_winner else POINTS[2] if any(won) else POINTS[1] for is_winner in won]
    return GameOutcome(game=game, ranks=ranks, results=results, seconds=[0.0] * SEATS, forced=[0] * SEATS)


def _text(name: str) -> str:
    """Return the Redcode of a bundled warrior, by its name, or of a file."""
    try:
        return bundled_text(f"{name}.red")
    except KeyError:
        return read_text(Path(name))
