"""Records of the format galapagos-acquire-record/1, as earlier versions wrote them."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from core.acquire.actions import BUY, DECLARE_END, DISPOSE, PLACE, shares_in, sold, traded
from core.acquire.game import new_game
from core.acquire.rules import GameSpec, tile_name
from core.acquire.state import AcquireState
from engines.acquire.old_record import _header, _lines


def written(
    spec: GameSpec, bag: Sequence[int], choose: Callable[[AcquireState], int], seed: int = 0
) -> Iterator[str]:
    """The lines of the game that `choose` plays for all seats; `seed` is what the bag was shuffled by."""
    state = new_game(spec, list(bag), records_events=True)
    yield json.dumps(_header(state) | {"seed": seed}, separators=(",", ":"))
    lines = _lines(state)
    line = next(lines)
    while line["t"] == "decide":
        action = choose(state)
        line = {key: value for key, value in line.items() if key != "events" or value}
        yield json.dumps(line | {"action": _action(state, action)}, separators=(",", ":"))
        line = lines.send(action)
    yield json.dumps(line, separators=(",", ":"))


def _action(state: AcquireState, action: int) -> dict[str, Any]:
    rules, phase = state.spec.rules, state.phase()
    ends = bool(action & DECLARE_END)
    if phase == PLACE:
        placed: dict[str, Any] = {"tile": tile_name(rules, action & ~DECLARE_END)}
        return placed | {"end": True} if ends else placed
    if phase == DISPOSE:
        return {"trade": int(traded(action)), "sell": int(sold(action))}
    if phase == BUY:
        shares = [chain.letter * int(shares_in(action, index)) for index, chain in enumerate(rules.chains)]
        return {"shares": [*"".join(shares)], "end": ends}
    return {"chain": rules.chains[action].letter}
