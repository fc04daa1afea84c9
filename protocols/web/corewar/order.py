"""A fight as a browser asks for it: rules, warriors of ours or in Redcode, places and a round."""

from typing import Annotated, Final

import msgspec

from core.corewar.assembler import assemble
from core.corewar.battle import Battle, fixed, seeded
from core.corewar.diagnostics import Message
from core.corewar.dialect import Dialect
from core.corewar.warrior import Warrior
from engines.corewar.presets import PRESETS, Preset
from engines.corewar.recording import begin_round
from protocols.redcode.library import bundled_text
from protocols.redcode.listing import display_name

MOST_WARRIORS: Final = 12
MOST_ROUNDS: Final = 100
LARGEST_SEED: Final = 2**31 - 1
LARGEST_TEXT: Final = 65_536  # characters


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A warrior: a file's name of ours, or a text."""

    ours: str = ""
    text: Annotated[str, msgspec.Meta(max_length=LARGEST_TEXT)] = ""


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The second of two warriors stands at `place` in the first round, if it is given; else all by `seed`."""

    warriors: Annotated[tuple[Entry, ...], msgspec.Meta(min_length=1, max_length=MOST_WARRIORS)]
    rules: str = "94nop"
    seed: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)] = 1
    place: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)] | None = None
    round: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 1


class OrderError(ValueError):
    """What cannot be fought; `warrior` counts from 0, and `messages` are the assembler's about it."""

    def __init__(
        self, reason: str, *, warrior: int | None = None, messages: tuple[Message, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.warrior = warrior
        self.messages = messages


def preset_of(name: str) -> Preset:
    """OrderError if no rules are called so."""
    if name not in PRESETS:
        raise OrderError(f"no rules are called {name[:40]!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]


def battle(order: Order) -> Battle:
    """At the beginning of the round that is asked for. OrderError; a hostile text takes a second."""
    preset = preset_of(order.rules)
    warriors = [_assembled(entry, seat, preset) for seat, entry in enumerate(order.warriors)]
    count = len(warriors)
    try:
        if order.place is None:
            placement = seeded(preset.rules, count, order.seed)
        else:
            placement = fixed(preset.rules, count, order.place)
        return begin_round(preset.rules, warriors, placement, order.round)
    except ValueError as error:
        raise OrderError(str(error)) from None


def _assembled(entry: Entry, seat: int, preset: Preset) -> Warrior:
    try:
        text = bundled_text(entry.ours) if entry.ours else entry.text
    except KeyError:
        raise OrderError(f"no warrior of ours is called {entry.ours[:40]!r}", warrior=seat) from None
    assembly = assemble(
        text, preset.rules, Dialect(icws88=preset.is_88, friendly=True), warriors=2, rounds=preset.rounds
    )
    warrior = assembly.warrior
    if warrior is None:
        reason = f"warrior {seat + 1} is no warrior for the {preset.name} rules"
        raise OrderError(reason, warrior=seat, messages=assembly.messages)
    name, author = display_name(warrior.name) or "Unknown", display_name(warrior.author) or "Anonymous"
    return Warrior(name, author, warrior.cells, warrior.start, warrior.pin)
