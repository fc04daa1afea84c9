"""A fight between two warriors of a run, for the page (protocols.web.run_contest.RunContest)."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from engines.corewar.presets import PRESETS
from protocols.redcode.library import starters
from protocols.web.fights import Entry, FightRequest, record_fight, rules_of
from protocols.web.run_contest import Contestant, ContestTask

NAME: Final = re.compile(r"^;name .*$", re.MULTILINE)
UNKNOWN_RULES: Final = "this run has rules of its own, under which no fight can be shown"
replay: Final = None  # the games of a run are on record without their moves


def opponents(config: str) -> Sequence[str]:
    return tuple(_fixed(rules_of(config)))


def play(task: ContestTask) -> dict[str, Any]:
    """Return the `recording` of a fight, and the `request` by which the page can ask for more about it."""
    rules = rules_of(task.config)
    if not rules:
        raise ValueError(UNKNOWN_RULES)
    entries = tuple(_entry(each, rules) for each in (task.first, task.second))
    request = FightRequest(warriors=entries, rules=rules, seed=task.seed)
    recording = msgspec.json.decode(record_fight(request))
    if "refused" in recording:
        raise ValueError(recording["refused"])
    return {
        "request": request,
        "recording": recording,
        "words": _words(recording, [task.first.name, task.second.name]),
    }


def _entry(side: Contestant, rules: str) -> Entry:
    if side.fixed:
        return Entry(ours=_fixed(rules)[side.fixed])
    return Entry(text=NAME.sub(lambda _: f";name {side.label}", side.genome, count=1))


@lru_cache(maxsize=len(PRESETS))
def _fixed(rules: str) -> Mapping[str, str]:
    """Return the sources of the bundled warriors that fit the rules, by name, the oldest first."""
    return {each.label: each.source for each in reversed(starters(PRESETS[rules]))} if rules else {}


def _words(recording: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the result as a sentence."""
    first, second = names
    count, left = recording["instructions"], recording["survivors"]
    if not recording["is_whole"]:
        text = f"{first} and {second} are both alive where the film ends, after {count:,} instructions."
    elif len(left) == 1:
        winner, loser = names[left[0]], names[1 - left[0]]
        text = f"{winner} beat {loser} after {count:,} instructions."
    else:
        text = f"{first} and {second} tied: both were alive at the end."
    return text[:1].upper() + text[1:]
