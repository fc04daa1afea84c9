"""Fights on the page: what a browser asks for, the worker's part that fights and records it, and the routes.

Hostile texts and long rounds keep a worker process busy, not the event loop. Requests are checked here and queued within
bounds; the worker's functions give the JSON of the response, in which `refused` is why something cannot be fought.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from functools import lru_cache, wraps
from time import monotonic
from typing import Annotated, Any, Final, TypeVar

import msgspec
from aiohttp import web

from core.corewar.assembler import assemble
from core.corewar.battle import Battle, fixed, seeded
from core.corewar.diagnostics import Message
from core.corewar.dialect import Dialect
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.config import ConfigError
from engines.corewar.battles import BattleTask, fingerprint, lost_rounds, seated
from engines.corewar.challenge_queue import BoundedPool
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.presets import PRESETS, Preset
from engines.corewar.recording import Ownership, View, begin_round, record, whole
from engines.names import near
from engines.worker_pool import TaskError
from protocols.redcode.library import NamedWarrior, bundled_text, evolved_warriors, starters
from protocols.redcode.listing import display_name, instruction_text
from protocols.web.responses import ADDRESS, Routes, error, json_response

PRELOAD: Final = (__name__,)  # what the worker processes import
MOST_WARRIORS: Final = 12
MOST_ROUNDS: Final = 100
LARGEST_SEED: Final = 2**31 - 1
LARGEST_TEXT: Final = 65_536  # characters
LONGEST: Final = 400_000  # instructions: some two seconds of work
MOST_WAITING: Final = 6  # requests
MOST_OF_ONE: Final = 3  # address
COLUMN_BLANKS: Final = re.compile(r"(?<=[#$@<>*{}]) +| (?= )")

Task = TypeVar("Task")


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A warrior: the name of a bundled file, or a text."""

    ours: str = ""
    text: Annotated[str, msgspec.Meta(max_length=LARGEST_TEXT)] = ""


class FightRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The second of two warriors is at `place` in the first round, if that is given; else all are placed by `seed`."""

    warriors: Annotated[tuple[Entry, ...], msgspec.Meta(min_length=1, max_length=MOST_WARRIORS)]
    rules: str = "94nop"
    seed: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)] = 1
    place: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEED)] | None = None
    round: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 1


class FightError(ValueError):
    """What cannot be fought; `warrior` counts from 0, and `messages` are the assembler's about it."""

    def __init__(
        self, reason: str, *, warrior: int | None = None, messages: tuple[Message, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.warrior = warrior
        self.messages = messages


def rules_of(config: str) -> str:
    """The name of the rules that the warriors of a run were bred for; "" where none of ours are so."""
    try:
        bred = TribesConfig.loads(config)
    except ConfigError:  # of another version of the program
        return ""
    sizes, has_pspace = _sizes(bred.rules), bred.pspace == "on"
    fitting = [
        each for each in PRESETS.values() if _sizes(each.rules) == sizes and not (each.is_88 or each.is_melee)
    ]
    nearest = min(fitting, key=lambda preset: preset.has_pspace != has_pspace, default=None)
    return nearest.name if nearest else ""


def _sizes(rules: Rules) -> tuple[int, ...]:
    return rules.size, rules.cycles, rules.processes, rules.length, rules.distance


class FightsApi:
    """Fights for browsers, a few at a time for each address and for all."""

    def __init__(self, pool: BoundedPool, charge: Callable[[str, float], object] | None = None) -> None:
        """`charge` is called with the address and the seconds of each fight."""
        self._pool = pool
        self._charge = charge
        self._waiting: Counter[str] = Counter()  # requests by address
        self._warriors: dict[str, bytes] = {}  # by rules, of which there are a dozen

    def routes(self) -> Routes:
        """GET /api/warriors?rules=NAME; POST /api/fights and /api/fights/cells?tick=N, with a FightRequest."""
        return [
            web.get("/api/warriors", self._list_warriors),
            web.post("/api/fights", self._fight),
            web.post("/api/fights/cells", self._cells),
        ]

    async def run(self, request: web.Request, work: Callable[[Task], bytes], task: Task) -> bytes:
        """The JSON that a worker makes of a task. HTTPException when there is too much to do, for us or for a worker."""
        address = request[ADDRESS]
        if self._waiting[address] >= MOST_OF_ONE:
            raise error(web.HTTPTooManyRequests, "wait for the fights that you have asked for")
        if self._waiting.total() >= MOST_WAITING:
            raise error(web.HTTPServiceUnavailable, "many wait for a fight; try again in a moment")
        self._waiting[address] += 1
        began = monotonic()
        try:
            (result,) = await self._pool.map(work, [task])
        except TaskError:
            raise error(web.HTTPUnprocessableEntity, "that takes too much time or memory") from None
        finally:
            if self._charge:
                self._charge(address, monotonic() - began)
            self._waiting[address] -= 1
            self._waiting += Counter()  # forgets who waits for nothing
        return result

    async def _list_warriors(self, request: web.Request) -> web.Response:
        rules = request.query.get("rules", "94nop")
        if rules not in PRESETS:
            raise error(web.HTTPNotFound, _unknown_rules(rules))
        if rules not in self._warriors:
            self._warriors[rules] = await self.run(request, list_warriors, rules)
        return json_response(msgspec.Raw(self._warriors[rules]))

    async def _fight(self, request: web.Request) -> web.Response:
        return json_response(msgspec.Raw(await self.run(request, record_fight, await _parse(request))))

    async def _cells(self, request: web.Request) -> web.Response:
        tick = request.query.get("tick", "")
        if not (tick.isascii() and tick.isdigit() and len(tick) < 10):
            raise error(web.HTTPBadRequest, "tick is a number of instructions, such as ?tick=100")
        task = await _parse(request), int(tick)
        return json_response(msgspec.Raw(await self.run(request, fight_cells, task)))


async def _parse(request: web.Request) -> FightRequest:
    try:
        return msgspec.json.decode(await request.read(), type=FightRequest)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise error(web.HTTPBadRequest, f"that is no order for a fight: {problem}") from None


# -- In a worker process ---------------------------------------------------------------------------


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
    """The recording: its facts, and `film`, its columns compressed and as base64."""
    return _recorded(_battle(request))


class LostRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that the first of two warriors has lost, by its place among these, from 1."""

    battle: BattleTask
    preset: Preset
    place: int
    is_own: bool  # the second warrior belongs to the client that asks


@_encoded
def record_lost_round(task: LostRound) -> dict[str, Any]:
    """The recording of a lost round, and `lost`, the numbers of all of these.

    The code of a warrior on a hill is its author's: unless it comes with the program or belongs to the client that asks,
    the recording shows only which cells change hands (`hides_code`).
    """
    battle, place = task.battle, task.place
    lost = lost_rounds(battle)
    if not 1 <= place <= len(lost):
        raise FightError(f"it has lost {len(lost)} rounds")
    warriors, positions, _ = seated(battle)
    round = begin_round(battle.rules, warriors, positions, lost[place - 1])
    hides_code = not (task.is_own or fingerprint(battle.warriors[1]) in _bundled(task.preset))
    recorded = _recorded(round, Ownership(round) if hides_code else whole)
    return recorded | {"lost": lost, "hides_code": hides_code}


@lru_cache(maxsize=len(PRESETS))
def _bundled(preset: Preset) -> frozenset[str]:
    """The fingerprints of the warriors that come with the program and fit the rules."""
    return frozenset(fingerprint(each.warrior) for each in (*starters(preset), *evolved_warriors(preset)))


def _recorded(battle: Battle, view: View = whole) -> dict[str, Any]:
    recording = record(battle, LONGEST, view=view)
    return recording.facts() | {"film": b64encode(recording.packed()).decode()}


@_encoded
def fight_cells(task: tuple[FightRequest, int]) -> dict[str, Any]:
    """The cells after so many instructions: `cells` are places in `texts`."""
    request, tick = task
    mars = _battle(request).mars
    mars.run(min(tick, LONGEST))
    icws88 = _preset(request.rules).is_88
    places = {cell: place for place, cell in enumerate(dict.fromkeys(mars.core))}
    texts = [COLUMN_BLANKS.sub("", instruction_text(cell, mars.size, icws88)) for cell in places]
    return {"texts": texts, "cells": [places[cell] for cell in mars.core]}


@_encoded
def list_warriors(rules: str) -> dict[str, Any]:
    """All rules, and the bundled warriors that fit those of this name."""
    preset = _preset(rules)
    known = [
        {"name": each.name, "title": each.title, "size": each.rules.size, "length": each.rules.length}
        for each in PRESETS.values()
    ]
    evolved = [_listed(warrior, is_evolved=True) for warrior in evolved_warriors(preset)]
    return {"rules": known, "warriors": evolved + [_listed(warrior) for warrior in starters(preset)]}


def _preset(name: str) -> Preset:
    """FightError if no rules are called so."""
    if name not in PRESETS:
        raise FightError(_unknown_rules(name))
    return PRESETS[name]


def _unknown_rules(name: str) -> str:
    return f"no rules are called {name[:40]!r}; {near(name, PRESETS)}"


def _battle(request: FightRequest) -> Battle:
    """At the beginning of the round that is asked for. FightError."""
    preset = _preset(request.rules)
    warriors = [_assembled(entry, seat, preset) for seat, entry in enumerate(request.warriors)]
    count = len(warriors)
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
        raise FightError(f"no warrior of ours is called {entry.ours[:40]!r}", warrior=seat) from None
    assembly = assemble(
        text, preset.rules, Dialect(icws88=preset.is_88, friendly=True), warriors=2, rounds=preset.rounds
    )
    warrior = assembly.warrior
    if warrior is None:
        reason = f"warrior {seat + 1} is no warrior for the {preset.name} rules"
        raise FightError(reason, warrior=seat, messages=assembly.messages)
    name, author = display_name(warrior.name) or "Unknown", display_name(warrior.author) or "Anonymous"
    return Warrior(name, author, warrior.cells, warrior.start, warrior.pin)


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
        "text": message.text,
        "source": message.source,
    }
