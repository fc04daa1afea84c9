"""What is legal in Acquire, and everything that is wrong with an action that is not."""

from collections import Counter
from typing import Final

import msgspec

from core.acquire import layout
from core.acquire.layout import UNIT, disposal
from core.acquire.notation import hand_of
from core.acquire.rules import parse_tile
from core.acquire.state import AcquireState
from protocols.jsonl.binding.acquire import shapes
from protocols.jsonl.binding.acquire.lexicon import Lexicon
from protocols.jsonl.binding.binding import IllegalMove, Problem

DECODER: Final = msgspec.json.Decoder(shapes.AcquireAction)
Reading = tuple[int, list[tuple[str, Problem]]]  # the action, and what is wrong with it, in words and as data


def legal(state: AcquireState, lexicon: Lexicon) -> shapes.Legal:
    """Everything that can be done."""
    table, rules = state.fields, lexicon.rules
    phase = int(table[layout.PHASE])
    actions = state.legal_actions()
    may_end = bool(state.may_end()) and not table[layout.ANNOUNCED]
    if may_end and phase in (layout.PLACE, layout.BUY):
        actions = [action for action in actions if not action & layout.DECLARE_END]
    objects = list(map(lexicon.actions[phase].__getitem__, actions))
    if phase == layout.DISPOSE:
        return shapes.Legal(
            actions=objects,
            defunct=lexicon.chains[table[layout.DEFUNCT]],
            survivor=lexicon.chains[table[layout.SURVIVOR_OF]],
            held=int(state.held()),
            price=int(table[layout.OLD_PRICE + table[layout.DEFUNCT]]),
        )
    if phase == layout.BUY:
        return shapes.Legal(actions=objects, may_end=may_end)
    if phase == layout.PLACE and may_end and rules.end_check == "any_time":
        return shapes.Legal(actions=objects, may_end=True)
    return shapes.Legal(actions=objects)


def read(state: AcquireState, data: bytes) -> int:
    """The action that an object means here. IllegalMove with every problem; msgspec.ValidationError."""
    asked = DECODER.decode(data)
    phase = layout.PHASES[state.fields[layout.PHASE]]
    kind = str(asked.__struct_config__.tag)
    if kind == "pass" and phase == "buy":
        return 0
    if kind != phase:
        raise IllegalMove(f"{phase} is due", {"field": "kind", "reason": "wrong_phase", "phase": phase})
    match asked:
        case shapes.Place():
            action, problems = _place(state, asked)
        case shapes.Buy():
            action, problems = _buy(state, asked)
        case shapes.Dispose():
            action, problems = _dispose(state, asked)
        case shapes.Found() | shapes.Survivor() | shapes.Order():
            action, problems = _choose(state, asked.chain)
        case shapes.Pass():
            raise AssertionError("passes have their phase above")
    if problems:
        raise IllegalMove(problems[0][0], *(problem for _, problem in problems))
    return action


# -- Helpers ---------------------------------------------------------------------------------------


def _place(state: AcquireState, asked: shapes.Place) -> Reading:
    rules = state.spec.rules
    problems: list[tuple[str, Problem]] = []
    tile = 0
    try:
        tile = parse_tile(rules, asked.tile)
    except ValueError as error:
        problems.append((str(error), {"field": "tile", "reason": "no_such_tile"}))
    if tile and tile not in hand_of(state, int(state.fields[layout.TURN])):
        problems.append(("that tile is not in your hand", {"field": "tile", "reason": "not_in_hand"}))
    elif tile and (kind := state.kind(tile)) > layout.MERGES:
        why = "it would merge two safe chains" if kind == layout.DEAD else "all chains are on the board"
        problems.append(
            (f"{asked.tile} cannot be placed: {why}", {"field": "tile", "reason": layout.TILE_KINDS[kind]})
        )
    if asked.end and not (state.may_end() and rules.end_check == "any_time"):
        problems.append(("the end cannot be announced now", {"field": "end", "reason": "not_allowed"}))
    return tile | layout.DECLARE_END if asked.end else tile, problems


def _buy(state: AcquireState, asked: shapes.Buy) -> Reading:
    table, rules = state.fields, state.spec.rules
    numbers = {chain.name: index for index, chain in enumerate(rules.chains)}
    problems: list[tuple[str, Problem]] = []
    action = cost = 0
    for name, count in Counter(asked.shares).items():
        chain = numbers.get(name)
        if chain is None:
            problems.append((f"no chain is called {name[:40]!r}", _of(name, "no_such_chain")))
        elif not table[layout.PRICE + chain]:
            problems.append((f"{name} is not on the board", _of(name, "not_on_board")))
        else:
            if count > table[layout.BANK + chain]:
                left = int(table[layout.BANK + chain])
                problems.append((f"the bank has {left} of {name}", _of(name, "bank", need=count, have=left)))
            cost += count * int(table[layout.PRICE + chain])
            action += min(count, 15) * int(UNIT[chain])
    if len(asked.shares) > rules.max_buy:
        few = {"field": "shares", "reason": "too_many", "limit": rules.max_buy}
        problems.append((f"at most {rules.max_buy} shares a turn", few))
    cash = int(table[layout.CASH + table[layout.TURN]])
    if cost > cash:
        dear = {"field": "shares", "reason": "money", "need": cost, "have": cash}
        problems.append((f"that costs ${cost}, you have ${cash}", dear))
    if asked.end and not (state.may_end() and not table[layout.ANNOUNCED]):
        problems.append(("the end cannot be announced now", {"field": "end", "reason": "not_allowed"}))
    return action | layout.DECLARE_END if asked.end else action, problems


def _dispose(state: AcquireState, asked: shapes.Dispose) -> Reading:
    problems: list[tuple[str, Problem]] = []
    held, most = int(state.held()), int(state.most_trade())
    for field, number in (("trade", asked.trade), ("sell", asked.sell)):
        if number < 0:
            problems.append((f"{field} is below 0", {"field": field, "reason": "negative"}))
    if asked.trade % 2:
        problems.append(("shares are traded two for one", {"field": "trade", "reason": "odd"}))
    if asked.trade > most:
        problems.append(
            (f"at most {most} can be traded", {"field": "trade", "reason": "too_many", "limit": most})
        )
    if asked.trade + asked.sell > held:
        problems.append((f"you hold {held}", {"field": "sell", "reason": "too_many", "limit": held}))
    return (0 if problems else disposal(asked.trade, asked.sell)), problems


def _choose(state: AcquireState, name: str) -> Reading:
    rules = state.spec.rules
    for index, chain in enumerate(rules.chains):
        if chain.name == name and int(state.fields[layout.OPTIONS]) >> index & 1:
            return index, []
    return 0, [
        (f"{name[:40]!r} is none of the chains to choose from", {"field": "chain", "reason": "not_listed"})
    ]


def _of(name: str, reason: str, **more: int) -> Problem:
    return {"field": "shares", "reason": reason, "chain": name[:40], **more}
