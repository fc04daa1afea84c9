"""A recorded game replayed: every field of every decision is compared with what our rules make of it."""

import json
from collections.abc import Iterable, Mapping, Set
from typing import Any, Final

from core.acquire.game import new_game
from core.acquire.rules import PRESETS, GameSpec, Rules, parse_tile, rules_from_text, tile_name
from core.acquire.state import AcquireState
from engines.acquire.record.decision import FORMAT, Json, action_from_json, decision, events_json, outcome

NOT_OURS: Final = {"format", "preset", "seed", "players", "bag", "rules", "names"}  # told, not computed


class MismatchError(ValueError):
    """The record says one thing, our rules another. `line` is counted from 1."""

    def __init__(self, line: int, field: str, theirs: object, ours: object) -> None:
        super().__init__(f"line {line}: {field}: recorded {_short(theirs)}, ours {_short(ours)}")
        self.line = line
        self.field = field


def replay(lines: Iterable[str]) -> int:
    """The number of decisions, all of them as recorded. MismatchError for the first difference.

    ValueError if a line is no such record. A torn last line is passed over, as is a game that stops
    before its end.
    """
    state: AcquireState | None = None
    number = 0
    for count, line in enumerate(lines, 1):
        data = _parsed(line, count)
        if data is None:
            break
        if state is None:
            state = _begun(data, count)
        elif data["t"] == "decide":
            seen = {"n": number, **_now(state), **decision(state)}
            _compare(count, {"events": []} | data, seen, ignored={"action"})
            state.apply(_action(state, data, count))
            number += 1
        elif data["t"] == "final":
            if not state.is_terminal():
                raise MismatchError(count, "t", "final", "the game is not over")
            _compare(count, data, {**outcome(state), "decisions": number, **_now(state)}, ignored=set())
    if state is None:
        raise ValueError("no recorded game: it is empty")
    return number


def _parsed(line: str, count: int) -> Json | None:
    """None for a torn line."""
    try:
        data = json.loads(line)
    except ValueError:
        if not line.endswith("\n"):
            return None
        raise ValueError(f"line {count}: no JSON: {line[:60]!r}") from None
    if not isinstance(data, dict) or data.get("t") not in ("game", "decide", "final"):
        raise ValueError(f"line {count}: game, decide or final expected, not {line[:60]!r}")
    return data


def _begun(data: Json, count: int) -> AcquireState:
    """The game of a header line, whose hands and positions are compared."""
    if data["t"] != "game" or data.get("format") != FORMAT:
        raise ValueError(f"line {count}: the first line of a {FORMAT} expected")
    try:
        setting = GameSpec(_rules(data), data["players"])
        bag = [parse_tile(setting.rules, name) for name in data["bag"]]
        state = new_game(setting, bag, records_events=True)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"line {count}: no game to begin: {error}") from error
    drawn = [tile_name(setting.rules, tile) for tile in bag]
    seats, hand = int(setting.seats), setting.rules.hand
    first = seats if setting.has_position_tiles else 0
    starts = range(first, first + seats * hand, hand)
    ours: Json = {
        "chains": [chain.name for chain in setting.rules.chains],
        "hands": [drawn[start : start + hand] for start in starts],
    }
    if first:
        ours["position"] = [drawn[int(state.join_order[seat])] for seat in range(seats)]
    _compare(count, data, ours, ignored=NOT_OURS)
    return state


def _rules(data: Json) -> Rules:
    if "rules" in data:
        return rules_from_text(data["preset"], data["rules"])
    if data["preset"] not in PRESETS:
        raise ValueError(f"no rules are named {data['preset']!r:.40}")
    return PRESETS[data["preset"]]


def _now(state: AcquireState) -> Json:
    events = events_json(state.spec.rules, state.events)
    state.events.clear()
    return {"events": events}


def _action(state: AcquireState, data: Json, count: int) -> int:
    try:
        action = action_from_json(state, data.get("action", {}))
        if action not in state.legal_actions():
            raise ValueError(f"illegal action: {data['action']!r:.80}")
    except ValueError as error:
        raise ValueError(f"line {count}: {error}") from error
    return action


def _compare(count: int, theirs: Json, ours: Mapping[str, Any], ignored: Set[str]) -> None:
    for field in sorted((theirs.keys() | ours.keys()) - ignored - {"t"}):
        if theirs.get(field) != ours.get(field):
            raise MismatchError(count, field, theirs.get(field), ours.get(field))


def _short(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value)
    return text if len(text) <= 200 else text[:200] + " ..."
