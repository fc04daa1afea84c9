"""A game as a record shows it: state, options, actions and events as plain JSON values.

Format `galapagos-acquire-record/1`: dollars, chains by letter, tiles by name, arrays in the order of chains
and of seats. Between a tile and the purchase the board is in transition and is left out.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from core.acquire.action import ENDING, disposal, shares_in, sold, traded
from core.acquire.board.board import tile_from, tile_name
from core.acquire.board.ground import KINDS
from core.acquire.rules.rules import Rules
from core.acquire.shown.events import (
    BONUS,
    CANNOT_BUY,
    DEAD_TILE,
    FOUNDED,
    LAST_TILE,
    MERGER,
    NEW_HAND,
    NO_TILE,
    PHANTOM_DRAWN,
    TURN_BEGINS,
    Event,
)
from core.acquire.shown.view import board_rows, hand_of
from core.acquire.state import AcquireState
from core.acquire.table import (
    BANK,
    BUY,
    CASH,
    DEFUNCT,
    DISPOSE,
    DRAWN,
    IDLE,
    OLD_PRICE,
    PHASE,
    PHASES,
    PLACE,
    PRICE,
    REASON,
    REASONS,
    ROW,
    SHARES,
    SIZE,
    SURVIVOR_OF,
    TURN,
    WORTH,
)  # fmt: skip

FORMAT: Final = "galapagos-acquire-record/1"
Json = dict[str, Any]


def decision(state: AcquireState) -> Json:
    """What is to be decided, and all that can be seen of the game; without number, events and action."""
    table, phase = state.table, int(state.table[PHASE])
    seats = range(int(state.setting.seats))
    seen: Json = {
        "phase": PHASES[phase],
        "seat": state.player(),
        "turn": int(table[TURN]),
        **_holdings(state),
        "bank": _row(state, BANK),
        "options": _options(state),
    }
    if phase in (PLACE, BUY):
        hands = [hand_of(state, seat) for seat in seats]
        seen |= {
            "board": board_rows(state),
            "size": _row(state, SIZE),
            "price": _row(state, PRICE),
            "hands": [[tile_name(state.setting.rules, tile) for tile in hand] for hand in hands],
            "class": ["".join(KINDS[state.kind(tile)][0] for tile in hand) for hand in hands],
            "bag_left": int(state.setting.squares - table[DRAWN]),
            "idle": int(table[IDLE]),
        }
    return seen


def outcome(state: AcquireState) -> Json:
    """The end of a game: cash and shares are those before the final payment."""
    seats = range(int(state.setting.seats))
    scores = [int(state.table[WORTH + seat]) for seat in seats]
    return {
        "scores": scores,
        "winners": [seat for seat in seats if scores[seat] == max(scores)],
        "reason": REASONS[int(state.table[REASON])],
        "board": board_rows(state),
        "size": _row(state, SIZE),
        **_holdings(state),
    }


def action_json(state: AcquireState, action: int) -> Json:
    """The action as a record has it, in the phase that `state` is in."""
    rules, phase = state.setting.rules, state.table[PHASE]
    ends = bool(action & ENDING)
    if phase == PLACE:
        placed: Json = {"tile": tile_name(rules, action & ~ENDING)}
        return placed | {"end": True} if ends else placed
    if phase == DISPOSE:
        return {"trade": int(traded(action)), "sell": int(sold(action))}
    if phase == BUY:
        return {"shares": [*_letters(rules, action)], "end": ends}
    return {"chain": rules.chains[action].letter}


def action_from_json(state: AcquireState, data: Json) -> int:
    """What action_json() made. ValueError if it is none; whether it is legal, the state says."""
    rules, phase = state.setting.rules, state.table[PHASE]
    letters = [chain.letter for chain in rules.chains]
    try:
        ending = ENDING if data.get("end", False) else 0
        if phase == PLACE:
            return tile_from(rules, data["tile"]) | ending
        if phase == DISPOSE:
            return int(disposal(data["trade"], data["sell"]))
        if phase == BUY:
            return sum(1 << 4 * letters.index(letter) for letter in data["shares"]) | ending
        return letters.index(data["chain"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"no action to {PHASES[int(phase)]}: {data!r:.80}") from error


def events_json(rules: Rules, news: Iterable[Event]) -> list[Json]:
    """Those events that a record tells."""
    return [event for happened in news for event in _event(rules, happened)]


# -- Helpers -----------------------------------------------------------------------------------------


def _holdings(state: AcquireState) -> Json:
    seats = range(int(state.setting.seats))
    return {
        "cash": [int(state.table[CASH + seat]) for seat in seats],
        "shares": [_row(state, SHARES + seat * ROW) for seat in seats],
    }


def _row(state: AcquireState, start: int) -> list[int]:
    return [int(state.table[start + chain]) for chain in range(int(state.setting.chains))]


def _options(state: AcquireState) -> object:
    """Tiles or chains, the numbers of a disposal, or how many purchases there are."""
    rules, table, phase = state.setting.rules, state.table, state.table[PHASE]
    if phase == DISPOSE:
        defunct = int(table[DEFUNCT])
        return {
            "defunct": rules.chains[defunct].letter,
            "survivor": rules.chains[int(table[SURVIVOR_OF])].letter,
            "held": int(state.held()),
            "max_trade": int(state.most_trade()),
            "price": int(table[OLD_PRICE + defunct]),
        }
    actions = [action for action in state.legal_actions() if not action & ENDING]
    if phase == BUY:
        return {"purchases": len(actions), "end": len(actions) < len(state.legal_actions())}
    if phase == PLACE:
        return [tile_name(rules, tile) for tile in actions]
    return [rules.chains[chain].letter for chain in actions]


def _letters(rules: Rules, purchase: int) -> Iterator[str]:
    for index, chain in enumerate(rules.chains):
        yield from chain.letter * int(shares_in(purchase, index))


def _event(rules: Rules, happened: Event) -> Iterator[Json]:
    kind, seat, first, second, third, _ = happened
    chains = rules.chains
    if kind == TURN_BEGINS:
        yield {"k": "turn", "seat": seat}
    elif kind == NO_TILE:
        yield {"k": "no_playable_tile", "seat": seat}
    elif kind == FOUNDED:
        yield {"k": "founded", "seat": seat, "chain": chains[first].letter}
    elif kind == MERGER:
        met = [chain.letter for index, chain in enumerate(chains) if first >> index & 1]
        yield {"k": "merger", "seat": seat, "chains": met}
    elif kind == BONUS:
        yield {"k": "bonus", "seat": seat, "chain": chains[first].letter, "amount": third}
    elif kind == DEAD_TILE:
        yield {"k": "dead_tile", "seat": seat, "tile": tile_name(rules, first)}
    elif kind == NEW_HAND:
        yield {"k": "set_aside", "seat": seat, "tile": tile_name(rules, first)}
    elif kind == PHANTOM_DRAWN:
        yield {"k": "phantom", "seat": seat, "tile": tile_name(rules, first), "holding": second}
    elif kind == CANNOT_BUY:
        yield {"k": "cannot_afford", "seat": seat}
    elif kind == LAST_TILE:
        yield {"k": "drew_last_tile", "seat": seat}
