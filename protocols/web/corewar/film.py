"""The worker's part of a fight on the page: hostile texts and long rounds keep another process busy, not the loop.

Each function gives the JSON of its answer; `refused` in it is why an order cannot be fought.
"""

import re
from base64 import b64encode
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import msgspec

from core.corewar.diagnostics import Message
from engines.corewar.presets import PRESETS
from engines.corewar.recording import record
from protocols.redcode.library import NamedWarrior, bundled_text, evolved_warriors, starters
from protocols.redcode.listing import instruction_text
from protocols.web.corewar.order import Order, OrderError, battle, preset_of

LONGEST: Final = 400_000  # instructions: some two seconds of work
PADDING: Final = re.compile(r"(?<=[#$@<>*{}]) +| (?= )")  # of columns

Task = TypeVar("Task")


def _answering(work: Callable[[Task], dict[str, Any]]) -> Callable[[Task], bytes]:
    @wraps(work)
    def answer(task: Task) -> bytes:
        try:
            return msgspec.json.encode(work(task))
        except OrderError as error:
            messages = [_told(message) for message in error.messages]
            return msgspec.json.encode(
                {"refused": str(error), "warrior": error.warrior, "messages": messages}
            )

    return answer


@_answering
def filmed(order: Order) -> dict[str, Any]:
    """The recording: its facts, and `film`, its columns compressed and as base64."""
    recording = record(battle(order), LONGEST)
    return recording.facts() | {"film": b64encode(recording.packed()).decode()}


@_answering
def cells(task: tuple[Order, int]) -> dict[str, Any]:
    """What stands in each cell after so many instructions: `cells` are places in `texts`."""
    order, tick = task
    mars = battle(order).mars
    mars.run(min(tick, LONGEST))
    icws88 = preset_of(order.rules).is_88
    places = {cell: place for place, cell in enumerate(dict.fromkeys(mars.core))}
    texts = [PADDING.sub("", instruction_text(cell, mars.size, icws88)) for cell in places]
    return {"texts": texts, "cells": [places[cell] for cell in mars.core]}


@_answering
def choice(rules: str) -> dict[str, Any]:
    """All rules, and the warriors of ours that fit those of this name."""
    preset = preset_of(rules)
    known = [
        {"name": each.name, "title": each.title, "size": each.rules.size, "length": each.rules.length}
        for each in PRESETS.values()
    ]
    evolved = [_shown(named, is_evolved=True) for named in evolved_warriors(preset)]
    return {"rules": known, "warriors": evolved + [_shown(named) for named in starters(preset)]}


def _shown(named: NamedWarrior, *, is_evolved: bool = False) -> dict[str, Any]:
    return {
        "ours": named.source,
        "name": named.label,
        "author": named.author,
        "strategy": " ".join(line.strip() for line in named.strategy),
        "is_evolved": is_evolved,
        "text": bundled_text(named.source),
    }


def _told(message: Message) -> dict[str, Any]:
    return {
        "severity": message.severity.value,
        "line": message.line,
        "text": message.text,
        "source": message.source,
    }
