"""Matches of warriors for `galapagos match`: bundled warriors by name, others by file."""

from argparse import Namespace
from pathlib import Path
from typing import Final

from engines.corewar.presets import PRESETS
from engines.names import near
from protocols.jsonl.warrior_match import SEATS, battle_plan
from protocols.redcode.library import bundled_text, parse
from tools.match.series import Series, own_names, schedule_of, series_of
from tools.warriors import preset_for, read_text

PREFIX: Final = "corewar:"
PRELOAD: Final = ("protocols.jsonl.warrior_match",)


def prepare(args: Namespace) -> Series:
    """Return a match of warriors. Raises ValueError or OSError if the arguments describe none."""
    texts = [_text(player.removeprefix(PREFIX)) for player in args.players]
    if args.variant is not None and args.variant not in PRESETS:
        raise ValueError(f"no hill is called {args.variant[:40]!r}; {near(args.variant, PRESETS)}")
    preset = PRESETS[args.variant] if args.variant else preset_for(texts[0])
    if preset.is_melee:
        raise ValueError(f"the {preset.name} hill is a melee of all warriors, and cannot be fought in pairs")
    if args.seats not in (None, SEATS):
        raise ValueError(f"warriors fight in pairs, so --seats must be 2, not {args.seats}")
    warriors = [parse(text, preset, player).warrior for text, player in zip(texts, args.players, strict=True)]
    schedule = schedule_of(args, own_names([player.removeprefix(PREFIX) for player in args.players]), SEATS)
    return series_of(args, preset.name, battle_plan(preset, warriors, schedule), PRELOAD)


def _text(name: str) -> str:
    """Return the Redcode of a bundled warrior, by its name, or of a file."""
    try:
        return bundled_text(f"{name}.red")
    except KeyError:
        return read_text(Path(name))
