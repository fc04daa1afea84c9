"""A game written down while it is played."""

import json
from collections.abc import Callable, Iterator, Sequence

from core.acquire.board import tile_name
from core.acquire.deal import dealt
from core.acquire.rules import PRESETS
from core.acquire.setting import Setting
from core.acquire.state import AcquireState
from engines.acquire.record.decision import FORMAT, Json, action_json, decision, events_json, outcome


def written(
    setting: Setting, bag: Sequence[int], choose: Callable[[AcquireState], int], seed: int = 0
) -> Iterator[str]:
    """The lines of the game that `choose` plays for all seats; `seed` is what the bag came from."""
    state = dealt(setting, list(bag), watched=True)
    yield _line(_header(state, seed))
    number = 0
    while not state.is_terminal():
        action = choose(state)
        seen = decision(state)
        yield _line(
            {"t": "decide", "n": number} | _news(state) | seen | {"action": action_json(state, action)}
        )
        state.apply(action)
        number += 1
    yield _line({"t": "final"} | outcome(state) | {"decisions": number, "events": _take_news(state)})


def _header(state: AcquireState, seed: int) -> Json:
    setting, rules = state.setting, state.setting.rules
    seats = int(setting.seats)
    drawn = [tile_name(rules, int(tile)) for tile in state.bag]
    first = seats if setting.has_position_tiles else 0
    header: Json = {
        "t": "game",
        "format": FORMAT,
        "preset": rules.name,
        "seed": seed,
        "players": seats,
        "chains": [chain.name for chain in rules.chains],
        "bag": drawn,
    }
    if PRESETS.get(rules.name) != rules:
        header["rules"] = rules.text()
    if first:
        header["position"] = [drawn[int(state.joined[seat])] for seat in range(seats)]
    hand = rules.hand
    starts = range(first, first + seats * hand, hand)
    return header | {"hands": [drawn[start : start + hand] for start in starts]}


def _news(state: AcquireState) -> Json:
    events = _take_news(state)
    return {"events": events} if events else {}


def _take_news(state: AcquireState) -> list[Json]:
    events = events_json(state.setting.rules, state.news)
    state.news.clear()
    return events


def _line(data: Json) -> str:
    return json.dumps(data, separators=(",", ":"))
