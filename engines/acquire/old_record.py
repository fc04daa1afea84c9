"""Records of the format `galapagos-acquire-record/1`, written by earlier versions: they are still read and converted.

A record has a header, a line for each decision with the state before it, and a line for the end. Money is in dollars,
chains are given by letter, tiles by name, arrays in the order of chains and of seats. Between a tile and the purchase
the board is in transition and is left out. To replay a record is to generate it again from its bag and its actions.
The current format of records is that of the JSON lines (protocols/jsonl/record.py).
"""

import json
from collections.abc import Generator, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from core.acquire import events
from core.acquire.actions import (
    BUY,
    DECLARE_END,
    DISPOSE,
    PHASES,
    PLACE,
    REASONS,
    disposal,
)
from core.acquire.board import TILE_KINDS
from core.acquire.game import new_game
from core.acquire.notation import board_rows
from core.acquire.rules import PRESETS, GameSpec, Rules, parse_tile, rules_from_text, tile_name
from core.acquire.state import AcquireState

FORMAT: Final = "galapagos-acquire-record/1"
GIVEN: Final = frozenset(
    {"format", "preset", "seed", "players", "bag", "rules", "names"}
)  # fields of a header that are not computed
Json = dict[str, Any]


class MismatchError(ValueError):
    """Raised if a record differs from the game under our rules. `line` is counted from 1."""

    def __init__(self, line: int, field: str, theirs: object, ours: object) -> None:
        super().__init__(
            f"line {line}: {field}: the record has {_short(theirs)}, the rules give {_short(ours)}"
        )
        self.line = line
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class OldGame:
    """The game of an old record."""

    rules: Rules
    bag: list[int]  # tiles in draw order
    names: list[str]  # of the players by seat; empty if the record has none
    actions: list[int]  # of all decisions
    seats: int


def is_old(data: bytes) -> bool:
    """Return whether a file begins with the header of an old record."""
    return FORMAT.encode() in data.partition(b"\n")[0]


def replay(lines: Iterable[str]) -> OldGame:
    """Return the game of a record that agrees with the rules. Raises MismatchError for the first difference.

    Raises ValueError if a line is not part of such a record. An incomplete last line is ignored; the game need not
    have ended.
    """
    state: AcquireState | None = None
    header: Json = {}
    actions: list[int] = []
    for count, line in enumerate(lines, 1):
        data = _parsed(line, count)
        if data is None:
            break
        if state is None:
            state, header = _begun(data, count), data
            ours_to_come = _lines(state)
            ours = next(ours_to_come)
        elif data["t"] != "game":
            if data["t"] != ours["t"]:
                now = "over" if state.is_terminal() else "not over"
                raise MismatchError(count, "t", data["t"], f"the game is {now}")
            _compare(count, {"events": []} | data if data["t"] == "decide" else data, ours, {"action"})
            if data["t"] == "decide":
                actions.append(_action(state, data, count))
                ours = ours_to_come.send(actions[-1])
    if state is None:
        raise ValueError("the record is empty")
    names = header.get("names", [])
    seats = int(state.spec.seats)
    if (
        not isinstance(names, list)
        or len(names) not in (0, seats)
        or not all(isinstance(name, str) for name in names)
    ):
        raise ValueError("line 1: names must be a list of texts, one for each seat")
    return OldGame(
        rules=state.spec.rules,
        bag=[int(tile) for tile in state.bag],
        names=names,
        actions=actions,
        seats=seats,
    )


# -- A state as JSON -------------------------------------------------------------------------------


def decision(state: AcquireState) -> Json:
    """Return the state of the game before a decision, in the form of a record: without number, events and action."""
    phase = state.phase()
    seats = range(int(state.spec.seats))
    seen: Json = {
        "phase": PHASES[phase],
        "seat": state.player(),
        "turn": state.turn(),
        **_holdings(state),
        "bank": state.banks(),
        "options": _options(state),
    }
    if phase in (PLACE, BUY):
        hands = [state.hand(seat) for seat in seats]
        seen |= {
            "board": board_rows(state),
            "size": state.sizes(),
            "price": state.prices(),
            "hands": [[tile_name(state.spec.rules, tile) for tile in hand] for hand in hands],
            "class": ["".join(TILE_KINDS[state.kind(tile)][0] for tile in hand) for hand in hands],
            "bag_left": state.bag_left(),
            "idle": state.turns_without_tile(),
        }
    return seen


def outcome(state: AcquireState) -> Json:
    """Return the end of a game, in the form of a record; cash and shares are those before the final payment."""
    seats = range(int(state.spec.seats))
    scores = state.worths()
    return {
        "scores": scores,
        "winners": [seat for seat in seats if scores[seat] == max(scores)],
        "reason": REASONS[state.end_reason()],
        "board": board_rows(state),
        "size": state.sizes(),
        **_holdings(state),
    }


def action_from_json(state: AcquireState, data: Json) -> int:
    """Return the action of a record. Raises ValueError if it is no action of the current phase.

    Whether the action is legal is not checked.
    """
    rules, phase = state.spec.rules, state.phase()
    letters = [chain.letter for chain in rules.chains]
    try:
        ending = DECLARE_END if data.get("end", False) else 0
        if phase == PLACE:
            return parse_tile(rules, data["tile"]) | ending
        if phase == DISPOSE:
            return int(disposal(data["trade"], data["sell"]))
        if phase == BUY:
            return sum(1 << 4 * letters.index(letter) for letter in data["shares"]) | ending
        return letters.index(data["chain"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"this is not an action in the phase {PHASES[phase]}: {data!r:.80}") from error


def _holdings(state: AcquireState) -> Json:
    return {"cash": state.cash_by_seat(), "shares": state.shares_by_seat()}


def _options(state: AcquireState) -> object:
    """Return the options of a decision: tiles, chains, the numbers of a disposal, or the number of purchases."""
    rules, phase = state.spec.rules, state.phase()
    if phase == DISPOSE:
        return {
            "defunct": rules.chains[state.defunct()].letter,
            "survivor": rules.chains[state.survivor()].letter,
            "held": state.held(),
            "max_trade": state.most_trade(),
            "price": state.defunct_price(),
        }
    actions = [action for action in state.legal_actions() if not action & DECLARE_END]
    if phase == BUY:
        return {"purchases": len(actions), "end": len(actions) < len(state.legal_actions())}
    if phase == PLACE:
        return [tile_name(rules, tile) for tile in actions]
    return [rules.chains[chain].letter for chain in actions]


def _new_events(state: AcquireState) -> list[Json]:
    """Remove the events from the state, and return those that a record contains."""
    rules = state.spec.rules
    seen = [data for event in state.events if (data := _event(rules, event))]
    state.events.clear()
    return seen


def _event(rules: Rules, event: events.Event) -> Json | None:
    """Return an event in the form of a record, or None if records leave it out."""
    chains = rules.chains
    match event:
        case events.TurnStarted():
            return {"k": "turn", "seat": event.seat}
        case events.NoTile():
            return {"k": "no_playable_tile", "seat": event.seat}
        case events.Founded():
            return {"k": "founded", "seat": event.seat, "chain": chains[event.chain].letter}
        case events.MergerStarted():
            met = [chain.letter for index, chain in enumerate(chains) if event.chains >> index & 1]
            return {"k": "merger", "seat": event.seat, "chains": met}
        case events.BonusPaid():
            letter = chains[event.chain].letter
            return {"k": "bonus", "seat": event.seat, "chain": letter, "amount": event.amount}
        case events.DeadTile():
            return {"k": "dead_tile", "seat": event.seat, "tile": tile_name(rules, event.tile)}
        case events.CannotBuy():
            return {"k": "cannot_afford", "seat": event.seat}
        case events.LastTileDrawn():
            return {"k": "drew_last_tile", "seat": event.seat}
    return None


# -- Lines -----------------------------------------------------------------------------------------


def _lines(state: AcquireState) -> Generator[Json, int, None]:
    """Yield the lines after the header.

    The action of each decision must be sent to the generator; it is not part of the line.
    """
    number = 0
    while not state.is_terminal():
        seen = {"t": "decide", "n": number, "events": _new_events(state), **decision(state)}
        state.apply((yield seen))
        number += 1
    yield {"t": "final", **outcome(state), "decisions": number, "events": _new_events(state)}


def _header(state: AcquireState) -> Json:
    """Return the header of a game, without the seed and the names, which the state does not contain."""
    spec, rules = state.spec, state.spec.rules
    seats = int(spec.seats)
    drawn = [tile_name(rules, int(tile)) for tile in state.bag]
    header: Json = {
        "t": "game",
        "format": FORMAT,
        "preset": rules.name,
        "players": seats,
        "chains": [chain.name for chain in rules.chains],
        "bag": drawn,
    }
    if PRESETS.get(rules.name) != rules:
        header["rules"] = rules.text()
    header["position"] = [drawn[int(state.join_order[seat])] for seat in range(seats)]
    starts = range(seats, seats + seats * rules.hand, rules.hand)
    return header | {"hands": [drawn[start : start + rules.hand] for start in starts]}


def _parsed(line: str, count: int) -> Json | None:
    """Parse a line; return None for an incomplete last line."""
    try:
        data = json.loads(line)
    except ValueError:
        if not line.endswith("\n"):
            return None
        raise ValueError(f"line {count} is not JSON: {line[:60]!r}") from None
    if not isinstance(data, dict) or data.get("t") not in ("game", "decide", "final"):
        raise ValueError(f"line {count}: game, decide or final is expected, not {line[:60]!r}")
    return data


def _begun(data: Json, count: int) -> AcquireState:
    """Return the game of a header line. Raises MismatchError if its hands or positions differ."""
    if data["t"] != "game" or data.get("format") != FORMAT:
        raise ValueError(f"line {count}: the first line of a {FORMAT} is expected")
    try:
        spec = GameSpec(_rules(data), data["players"])
        state = new_game(spec, [parse_tile(spec.rules, name) for name in data["bag"]], records_events=True)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"line {count}: the game cannot start: {error}") from error
    _compare(count, data, _header(state), GIVEN)
    return state


def _rules(data: Json) -> Rules:
    if "rules" in data:
        return rules_from_text(data["preset"], data["rules"])
    if data["preset"] not in PRESETS:
        raise ValueError(f"no rules are named {data['preset']!r:.40}")
    return PRESETS[data["preset"]]


def _action(state: AcquireState, data: Json, count: int) -> int:
    try:
        action = action_from_json(state, data.get("action", {}))
        if action not in state.legal_actions():
            raise ValueError(f"illegal action: {data['action']!r:.80}")
    except ValueError as error:
        raise ValueError(f"line {count}: {error}") from error
    return action


def _compare(count: int, theirs: Json, ours: Mapping[str, Any], ignored: AbstractSet[str]) -> None:
    for field in sorted((theirs.keys() | ours.keys()) - ignored - {"t"}):
        if theirs.get(field) != ours.get(field):
            raise MismatchError(count, field, theirs.get(field), ours.get(field))


def _short(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value)
    return text if len(text) <= 200 else text[:200] + " ..."
