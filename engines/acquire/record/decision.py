"""A game as a record shows it: state, options, actions and events as plain JSON values.

Format `galapagos-acquire-record/1`: dollars, chains by letter, tiles by name, arrays in the order of chains
and of seats. Between a tile and the purchase the board is in transition and is left out.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from core.acquire import layout
from core.acquire.layout import Event, disposal, shares_in, sold, traded
from core.acquire.notation import board_rows, hand_of
from core.acquire.rules import Rules, parse_tile, tile_name
from core.acquire.state import AcquireState

FORMAT: Final = "galapagos-acquire-record/1"
Json = dict[str, Any]


def decision(state: AcquireState) -> Json:
    """What is to be decided, and all that can be seen of the game; without number, events and action."""
    table, phase = state.fields, int(state.fields[layout.PHASE])
    seats = range(int(state.spec.seats))
    seen: Json = {
        "phase": layout.PHASES[phase],
        "seat": state.player(),
        "turn": int(table[layout.TURN]),
        **_holdings(state),
        "bank": _row(state, layout.BANK),
        "options": _options(state),
    }
    if phase in (layout.PLACE, layout.BUY):
        hands = [hand_of(state, seat) for seat in seats]
        seen |= {
            "board": board_rows(state),
            "size": _row(state, layout.SIZE),
            "price": _row(state, layout.PRICE),
            "hands": [[tile_name(state.spec.rules, tile) for tile in hand] for hand in hands],
            "class": ["".join(layout.TILE_KINDS[state.kind(tile)][0] for tile in hand) for hand in hands],
            "bag_left": int(state.spec.squares - table[layout.DRAWN]),
            "idle": int(table[layout.TURNS_WITHOUT_TILE]),
        }
    return seen


def outcome(state: AcquireState) -> Json:
    """The end of a game: cash and shares are those before the final payment."""
    seats = range(int(state.spec.seats))
    scores = [int(state.fields[layout.NET_WORTH + seat]) for seat in seats]
    return {
        "scores": scores,
        "winners": [seat for seat in seats if scores[seat] == max(scores)],
        "reason": layout.REASONS[int(state.fields[layout.REASON])],
        "board": board_rows(state),
        "size": _row(state, layout.SIZE),
        **_holdings(state),
    }


def action_json(state: AcquireState, action: int) -> Json:
    """The action as a record has it, in the phase that `state` is in."""
    rules, phase = state.spec.rules, state.fields[layout.PHASE]
    ends = bool(action & layout.DECLARE_END)
    if phase == layout.PLACE:
        placed: Json = {"tile": tile_name(rules, action & ~layout.DECLARE_END)}
        return placed | {"end": True} if ends else placed
    if phase == layout.DISPOSE:
        return {"trade": int(traded(action)), "sell": int(sold(action))}
    if phase == layout.BUY:
        return {"shares": [*_letters(rules, action)], "end": ends}
    return {"chain": rules.chains[action].letter}


def action_from_json(state: AcquireState, data: Json) -> int:
    """What action_json() made. ValueError if it is none; whether it is legal, the state says."""
    rules, phase = state.spec.rules, state.fields[layout.PHASE]
    letters = [chain.letter for chain in rules.chains]
    try:
        ending = layout.DECLARE_END if data.get("end", False) else 0
        if phase == layout.PLACE:
            return parse_tile(rules, data["tile"]) | ending
        if phase == layout.DISPOSE:
            return int(disposal(data["trade"], data["sell"]))
        if phase == layout.BUY:
            return sum(1 << 4 * letters.index(letter) for letter in data["shares"]) | ending
        return letters.index(data["chain"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"no action to {layout.PHASES[int(phase)]}: {data!r:.80}") from error


def events_json(rules: Rules, news: Iterable[Event]) -> list[Json]:
    """Those events that a record tells."""
    return [event for happened in news for event in _event(rules, happened)]


# -- Helpers -----------------------------------------------------------------------------------------


def _holdings(state: AcquireState) -> Json:
    seats = range(int(state.spec.seats))
    return {
        "cash": [int(state.fields[layout.CASH + seat]) for seat in seats],
        "shares": [_row(state, layout.SHARES + seat * layout.STRIDE) for seat in seats],
    }


def _row(state: AcquireState, start: int) -> list[int]:
    return [int(state.fields[start + chain]) for chain in range(int(state.spec.chains))]


def _options(state: AcquireState) -> object:
    """Tiles or chains, the numbers of a disposal, or how many purchases there are."""
    rules, table, phase = state.spec.rules, state.fields, state.fields[layout.PHASE]
    if phase == layout.DISPOSE:
        defunct = int(table[layout.DEFUNCT])
        return {
            "defunct": rules.chains[defunct].letter,
            "survivor": rules.chains[int(table[layout.SURVIVOR_OF])].letter,
            "held": int(state.held()),
            "max_trade": int(state.most_trade()),
            "price": int(table[layout.OLD_PRICE + defunct]),
        }
    actions = [action for action in state.legal_actions() if not action & layout.DECLARE_END]
    if phase == layout.BUY:
        return {"purchases": len(actions), "end": len(actions) < len(state.legal_actions())}
    if phase == layout.PLACE:
        return [tile_name(rules, tile) for tile in actions]
    return [rules.chains[chain].letter for chain in actions]


def _letters(rules: Rules, purchase: int) -> Iterator[str]:
    for index, chain in enumerate(rules.chains):
        yield from chain.letter * int(shares_in(purchase, index))


def _event(rules: Rules, happened: Event) -> Iterator[Json]:
    kind, seat, first, second, third, _ = happened
    chains = rules.chains
    if kind == layout.TURN_BEGINS:
        yield {"k": "turn", "seat": seat}
    elif kind == layout.NO_TILE:
        yield {"k": "no_playable_tile", "seat": seat}
    elif kind == layout.FOUNDED:
        yield {"k": "founded", "seat": seat, "chain": chains[first].letter}
    elif kind == layout.MERGER:
        met = [chain.letter for index, chain in enumerate(chains) if first >> index & 1]
        yield {"k": "merger", "seat": seat, "chains": met}
    elif kind == layout.BONUS:
        yield {"k": "bonus", "seat": seat, "chain": chains[first].letter, "amount": third}
    elif kind == layout.DEAD_TILE:
        yield {"k": "dead_tile", "seat": seat, "tile": tile_name(rules, first)}
    elif kind == layout.NEW_HAND:
        yield {"k": "set_aside", "seat": seat, "tile": tile_name(rules, first)}
    elif kind == layout.PHANTOM_DRAWN:
        yield {"k": "phantom", "seat": seat, "tile": tile_name(rules, first), "holding": second}
    elif kind == layout.CANNOT_BUY:
        yield {"k": "cannot_afford", "seat": seat}
    elif kind == layout.LAST_TILE:
        yield {"k": "drew_last_tile", "seat": seat}
