"""The worker's part of fights on the page: it assembles warriors, fights and records.

The functions run in worker processes, since hostile texts and long rounds take seconds. They return the JSON of the
response, in which `refused` is the reason if a fight is impossible.
"""

import re
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Annotated, Any, Final, TypeVar

import msgspec

from core.corewar.assembler import Assembly, assemble
from core.corewar.battle import Battle, fixed, seeded
from core.corewar.diagnostics import Message
from core.corewar.dialect import Dialect
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.config import ConfigError
from engines.corewar.battles import BattleTask, fingerprint, lost_rounds, seated
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.presets import PRESETS, Preset
from engines.corewar.recording import Ownership, View, begin_round, record, whole
from engines.names import near
from protocols.redcode.library import NamedWarrior, bundled_text, evolved_warriors, starters
from protocols.redcode.listing import display_name, instruction_text

MAX_WARRIORS: Final = 12
MAX_ROUNDS: Final = 100
LARGEST_SEED: Final = 2**31 - 1
LARGEST_TEXT: Final = 65_536  # characters
LONGEST: Final = 400_000  # instructions: some two seconds of work
COLUMN_BLANKS: Final = re.compile(r"(?<=[#$@<>*{}]) +| (?= )")

Task = TypeVar("Task")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A warrior: the name of a bundled file, or a text."""

    ours: str = ""
    text: Annotated[str, msgspec.Meta(max_length=LARGEST_TEXT)] = ""


class FightRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a fight, and for the number of a round, from 1.

    With `place`, which needs two warriors, the second is there in the first round; otherwise `seed` places all. The
    recording ends after `instructions` of them.
    """

    warriors: Annotated[tuple[Entry, ...], msgspec.Meta(min_length=1, max_length=MAX_WARRIORS)]
    rules: str = "94nop"
    seed: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)] = 1
    place: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)] | None = None
    round: Annotated[int, msgspec.Meta(ge=1, le=MAX_ROUNDS)] = 1
    instructions: Annotated[int, msgspec.Meta(ge=1, le=LONGEST)] = LONGEST


class RedcodeCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for the assembler's messages about a text, under the rules of a preset."""

    text: Annotated[str, msgspec.Meta(max_length=LARGEST_TEXT)]
    rules: str = "94nop"


class FightError(ValueError):
    """A fight is impossible; `warrior` is the index of the one at fault, `messages` are the assembler's."""

    def __init__(
        self, reason: str, *, warrior: int | None = None, messages: tuple[Message, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.warrior = warrior
        self.messages = messages


def rules_of(config: str) -> str:
    """Return the name of the preset for which a run breeds warriors.

    The name is "" if no preset has its rules, or if the configuration is not one of Core War.
    """
    try:
        bred = TribesConfig.loads(config)
    except ConfigError:  # a configuration of another game, or of another version of the program
        return ""
    sizes, has_pspace = _sizes(bred.rules), bred.pspace == "on"
    fitting = [
        each for each in PRESETS.values() if _sizes(each.rules) == sizes and not (each.is_88 or each.is_melee)
    ]
    nearest = min(fitting, key=lambda preset: preset.has_pspace != has_pspace, default=None)
    return nearest.name if nearest else ""


def _sizes(rules: Rules) -> tuple[int, ...]:
    return rules.size, rules.cycles, rules.processes, rules.length, rules.distance


def _encoded(work: Callable[[Task], dict[str, Any]]) -> Callable[[Task], bytes]:
    @wraps(work)
    def encoded(task: Task) -> bytes:
        try:
            result = work(task)
        except FightError as refusal:
            messages = [_message(message) for message in refusal.messages]
            result = {"refused": str(refusal), "warrior": refusal.warrior, "messages": messages}
        return msgspec.json.encode(result)

    return encoded


@_encoded
def record_fight(request: FightRequest) -> dict[str, Any]:
    """Return the recording of a fight: its facts, and `film`, its compressed columns in base64."""
    return _recorded(_battle(request), longest=request.instructions)


@_encoded
def check_redcode(request: RedcodeCheck) -> dict[str, Any]:
    """Return all messages of the assembler about a text, and `length`, its instructions if it is a warrior."""
    assembly = _assembly(request.text, _preset(request.rules))
    messages = [_message(message) for message in assembly.messages]
    return {"messages": messages, "length": len(assembly.cells) if assembly.warrior else None}


class LostRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that the first of two warriors has lost; `place` is its place among the lost rounds, from 1."""

    battle: BattleTask
    preset: Preset
    place: int
    own: tuple[int, ...]  # the warriors of the battle that belong to the client that asks


@_encoded
def record_lost_round(task: LostRound) -> dict[str, Any]:
    """Return the recording of a lost round, and `lost`, the numbers of all lost rounds.

    The code of a warrior on a hill belongs to its author: unless each warrior is a bundled one or belongs to the
    client that asks, the recording shows only which cells change owner (`hides_code`).
    """
    battle, place = task.battle, task.place
    lost = lost_rounds(battle)
    if not 1 <= place <= len(lost):
        raise FightError(f"the warrior has no lost round {place}: it has lost {len(lost)}")
    warriors, positions, _ = seated(battle)
    round = begin_round(battle.rules, warriors, positions, lost[place - 1])
    hides_code = not all(
        number in task.own or bundled_source(warrior, task.preset)
        for number, warrior in enumerate(battle.warriors)
    )
    recorded = _recorded(round, view=Ownership(round) if hides_code else whole)
    return recorded | {"lost": lost, "hides_code": hides_code}


def bundled_source(warrior: Warrior, preset: Preset) -> str:
    """Return the file name of the bundled warrior with the same code, or "" if there is none."""
    return _bundled(preset).get(fingerprint(warrior), "")


@lru_cache(maxsize=len(PRESETS))
def _bundled(preset: Preset) -> dict[str, str]:
    """Return the file names of the bundled warriors that fit the rules, by their fingerprints."""
    fitting = (*starters(preset), *evolved_warriors(preset))
    return {fingerprint(each.warrior): each.source for each in fitting}


def _recorded(battle: Battle, *, longest: int = LONGEST, view: View = whole) -> dict[str, Any]:
    recording = record(battle, longest, view=view)
    return recording.facts() | {"film": b64encode(recording.packed()).decode()}


@_encoded
def fight_cells(task: tuple[FightRequest, int]) -> dict[str, Any]:
    """Return the core after a number of instructions: `cells` has for each address an index into `texts`."""
    request, tick = task
    mars = _battle(request).mars
    mars.run(min(tick, LONGEST))
    icws88 = _preset(request.rules).is_88
    places = {cell: place for place, cell in enumerate(dict.fromkeys(mars.core))}
    texts = [COLUMN_BLANKS.sub("", instruction_text(cell, mars.size, icws88)) for cell in places]
    return {"texts": texts, "cells": [places[cell] for cell in mars.core]}


@_encoded
def list_warriors(rules: str) -> dict[str, Any]:
    """Return all presets, and the bundled warriors that fit the one with this name."""
    preset = _preset(rules)
    known = [
        {"name": each.name, "title": each.title, "size": each.rules.size, "length": each.rules.length}
        for each in PRESETS.values()
    ]
    evolved = [_listed(warrior, is_evolved=True) for warrior in evolved_warriors(preset)]
    return {"rules": known, "warriors": evolved + [_listed(warrior) for warrior in starters(preset)]}


def _preset(name: str) -> Preset:
    """Return a preset by its name. Raises FightError if there is none."""
    if name not in PRESETS:
        raise FightError(unknown_rules(name))
    return PRESETS[name]


def unknown_rules(name: str) -> str:
    return f"no rules are called {name[:40]!r}; {near(name, PRESETS)}"


def _battle(request: FightRequest) -> Battle:
    """Return the battle at the start of the requested round. Raises FightError if it cannot be fought."""
    preset = _preset(request.rules)
    warriors = [_assembled(entry, seat, preset) for seat, entry in enumerate(request.warriors)]
    count = len(warriors)
    if request.place is not None and count != 2:
        raise FightError(f"a fixed position of the second warrior needs two warriors, not {count}")
    try:
        if request.place is None:
            placement = seeded(preset.rules, count, request.seed)
        else:
            placement = fixed(preset.rules, count, request.place)
        return begin_round(preset.rules, warriors, placement, request.round)
    except ValueError as problem:
        raise FightError(str(problem)) from None


def _assembled(entry: Entry, seat: int, preset: Preset) -> Warrior:
    try:
        text = bundled_text(entry.ours) if entry.ours else entry.text
    except KeyError:
        raise FightError(f"no bundled warrior is called {entry.ours[:40]!r}", warrior=seat) from None
    assembly = _assembly(text, preset)
    warrior = assembly.warrior
    if warrior is None:
        faults = "has errors" if any(each.is_error for each in assembly.messages) else "has no instructions"
        reason = f"warrior {seat + 1} {faults} under the rules {preset.title}"
        raise FightError(reason, warrior=seat, messages=assembly.messages)
    name, author = display_name(warrior.name) or "Unknown", display_name(warrior.author) or "Anonymous"
    return Warrior(name, author, warrior.cells, warrior.start, warrior.pin)


def _assembly(text: str, preset: Preset) -> Assembly:
    dialect = Dialect(icws88=preset.is_88, friendly=True)
    return assemble(text, preset.rules, dialect, warriors=2, rounds=preset.rounds)


def _listed(warrior: NamedWarrior, *, is_evolved: bool = False) -> dict[str, Any]:
    return {
        "ours": warrior.source,
        "name": warrior.label,
        "author": warrior.author,
        "strategy": " ".join(line.strip() for line in warrior.strategy),
        "is_evolved": is_evolved,
        "text": bundled_text(warrior.source),
    }


def _message(message: Message) -> dict[str, Any]:
    return {
        "severity": message.severity.value,
        "line": message.line,
        "column": message.column,
        "width": len(message.argument),
        "text": message.text,
        "source": message.source,
    }
