"""A whole state as text and back, hidden hands and the order of the bag included: a name and its value a line.

    board I...../..o...   rows from A; `.` empty, `o` in no chain, `x` out of play, else a chain's letter
    bag 2I 9A 12D ...     all tiles in draw order, of which so many are out: drawn 14
    joined 0 1            who sits at each seat, counted in the order of joining
    cash 6000 5600        a word for each seat; so are the next two
    shares 0,0,1 0,0,0    a number for each chain
    hands 1A,4C,- 2B,7H,9I
    phase place           then seat, turn, idle and silent turns, whether the end is announced

Purchases of the last turns, where there were any, add

    bought 0,0,0 2,0,1    of each seat in its last turn

and a merger under way the tile, the chains to choose from, those owed, survivor, defunct, and old sizes;
where there is a phantom, its shares come last.
"""

from typing import Final

from core.acquire.action import UNIT, shares_in
from core.acquire.board.board import BIT, EMPTY, LONE, LOWEST, OUT, stride, tile_from, tile_name, tiles
from core.acquire.deal import checked_bag
from core.acquire.rules.rules import Rules
from core.acquire.rules.setting import Setting
from core.acquire.shown.view import board_rows
from core.acquire.state import AcquireState
from core.acquire.table import (
    ANNOUNCED,
    BANK,
    BUY,
    CASH,
    DEFUNCT,
    DRAWN,
    HANDS,
    IDLE,
    OLD_PRICE,
    OLD_SIZE,
    OPTIONS,
    OVER,
    OWED,
    PHANTOM,
    PHASE,
    PHASES,
    PLACE,
    PURCHASE,
    REASON,
    REASONS,
    ROW,
    SEAT,
    SHARES,
    SILENT,
    SIZE,
    SURVIVOR_OF,
    TILE,
    TURN,
)

NUMBERS: Final = {
    "drawn": DRAWN,
    "seat": SEAT,
    "turn": TURN,
    "idle": IDLE,
    "silent": SILENT,
    "announced": ANNOUNCED,
}
CHAIN_SETS: Final = {"options": OPTIONS, "owed": OWED}
ONE_CHAIN: Final = {"survivor": SURVIVOR_OF, "defunct": DEFUNCT}


def state_text(state: AcquireState) -> str:
    """All of the state; what others watch is not part of it."""
    table, setting, rules = state.table, state.setting, state.setting.rules
    seats = range(setting.seats)
    lines = [
        "board " + "/".join(board_rows(state)),
        "bag " + " ".join([tile_name(rules, tile) for tile in state.bag]),
        "joined " + " ".join([str(state.joined[seat]) for seat in seats]),
        "cash " + " ".join([str(table[CASH + seat]) for seat in seats]),
        "shares " + " ".join([_numbers(state, SHARES + seat * ROW) for seat in seats]),
        "hands " + " ".join([_hand(state, seat) for seat in seats]),
        "phase " + PHASES[table[PHASE]],
    ]
    if sum([table[PURCHASE + seat] for seat in seats]):
        lines.append("bought " + " ".join([_bought(state, seat) for seat in seats]))
    lines += [f"{name} {table[at]}" for name, at in NUMBERS.items()]
    if table[PHASE] == OVER:
        lines.append("reason " + REASONS[table[REASON]])
    elif table[PHASE] not in (PLACE, BUY):
        lines.append("tile " + tile_name(rules, table[TILE]))
        lines += [f"{name} {_letters(rules, table[at]) or '-'}" for name, at in CHAIN_SETS.items()]
        lines += [f"{name} {rules.chains[table[at]].letter}" for name, at in ONE_CHAIN.items()]
        lines.append("sizes " + _numbers(state, OLD_SIZE))
    if setting.has_phantom:
        lines.append(f"phantom {table[PHANTOM]}")
    return "".join(line + "\n" for line in lines)


def state_from_text(setting: Setting, text: str) -> AcquireState:
    """What state_text() wrote. ValueError says what cannot be so."""
    fields: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, _, value = line.partition(" ")
        if not value or name in fields:
            raise ValueError(f"line {number}: a name and its value expected, once, not {line[:60]!r}")
        fields[name] = value
    try:
        state = _read(setting, fields)
    except KeyError as missing:
        raise ValueError(f"no line says {missing}") from None
    if fields:
        raise ValueError(f"not part of this state: {sorted(fields)[0][:40]!r}")
    _check(state)
    return state


# -- Reading -----------------------------------------------------------------------------------------


def _read(setting: Setting, fields: dict[str, str]) -> AcquireState:
    """The state as the fields say, which are taken out as they are read."""
    rules = setting.rules
    seats = int(setting.seats)
    state = AcquireState(setting)
    table = state.table
    state.bag = checked_bag(setting, [tile_from(rules, word) for word in fields.pop("bag").split()])
    _read_board(state, fields.pop("board").split("/"))
    state.recount()
    joined = _words(fields.pop("joined"), seats, "joined")
    if sorted(joined) != [str(seat) for seat in range(seats)]:
        raise ValueError(f"{seats} players join, in an order such as 0 1, not {' '.join(joined)[:40]!r}")
    cash, shares = _words(fields.pop("cash"), seats, "cash"), _words(fields.pop("shares"), seats, "shares")
    hands = _words(fields.pop("hands"), seats, "hands")
    for seat in range(seats):
        state.joined[seat] = int(joined[seat])
        table[CASH + seat] = _number(cash[seat], 10**9)
        _read_row(state, SHARES + seat * ROW, shares[seat])
        slots = hands[seat].split(",")
        if len(slots) != rules.hand:
            raise ValueError(f"a hand has {rules.hand} tiles, or - for none, not {hands[seat][:60]!r}")
        for slot, word in enumerate(slots):
            table[HANDS + seat * ROW + slot] = 0 if word == "-" else tile_from(rules, word)
    if "bought" in fields:
        for seat, row in enumerate(_words(fields.pop("bought"), seats, "bought")):
            table[PURCHASE + seat] = _purchase(setting, row)
    phase = fields.pop("phase")
    if phase not in PHASES:
        raise ValueError(f"a phase is one of {', '.join(PHASES)}, not {phase[:40]!r}")
    table[PHASE] = PHASES.index(phase)
    for name, at in NUMBERS.items():
        table[at] = _number(fields.pop(name), 10**9)
    if setting.has_phantom:
        table[PHANTOM] = _number(fields.pop("phantom"), rules.columns)
    if phase == "over":
        reason = fields.pop("reason")
        if reason not in REASONS[1:]:
            raise ValueError(f"a game is over because of {', '.join(REASONS[1:])}, not {reason[:40]!r}")
        table[REASON] = REASONS.index(reason)
        state.settle()
    elif phase not in ("place", "buy"):
        table[TILE] = tile_from(rules, fields.pop("tile"))
        for name, at in CHAIN_SETS.items():
            table[at] = _mask(rules, fields.pop(name))
        for name, at in ONE_CHAIN.items():
            table[at] = LOWEST[_mask(rules, fields.pop(name))] % setting.chains
        _read_row(state, OLD_SIZE, fields.pop("sizes"))
        for chain in range(setting.chains):
            table[OLD_PRICE + chain] = rules.price(chain, int(table[OLD_SIZE + chain]))
    return state


def _read_board(state: AcquireState, rows: list[str]) -> None:
    rules = state.setting.rules
    values = {".": EMPTY, "o": LONE, "x": OUT}
    values |= {chain.letter: int(BIT[index]) for index, chain in enumerate(rules.chains)}
    if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
        raise ValueError(f"a board has {rules.rows} rows of {rules.columns}, not {'/'.join(rows)[:60]!r}")
    for index, row in enumerate(rows):
        for column, sign in enumerate(row, 1):
            if sign not in values:
                raise ValueError(f"no square looks like {sign!r}")
            state.cells[column * stride(rules) + index] = values[sign]


def _read_row(state: AcquireState, start: int, text: str) -> None:
    words = text.split(",")
    if len(words) != state.setting.chains:
        raise ValueError(f"a number for each of {state.setting.chains} chains expected, not {text[:60]!r}")
    for chain, word in enumerate(words):
        state.table[start + chain] = _number(word, state.setting.rules.squares)


def _purchase(setting: Setting, text: str) -> int:
    words = text.split(",")
    shares = [_number(word, setting.rules.max_buy) for word in words]
    if len(words) != setting.chains or sum(shares) > setting.max_buy:
        raise ValueError(f"shares of {setting.chains} chains, {setting.max_buy} at most, not {text[:60]!r}")
    return sum([number * int(UNIT[chain]) for chain, number in enumerate(shares)])


def _words(text: str, count: int, name: str) -> list[str]:
    words = text.split()
    if len(words) != count:
        raise ValueError(f"{name}: {count} words expected, one a seat, not {text[:60]!r}")
    return words


def _number(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and int(text) <= most):
        raise ValueError(f"a number from 0 to {most} expected, not {text[:40]!r}")
    return int(text)


def _mask(rules: Rules, text: str) -> int:
    letters = [chain.letter for chain in rules.chains]
    mask = 0
    for letter in text.replace("-", ""):
        if letter not in letters:
            raise ValueError(f"no chain has the letter {letter!r}")
        mask |= int(BIT[letters.index(letter)])
    return mask


def _check(state: AcquireState) -> None:
    """That nothing is lost or doubled, and that somebody can go on. ValueError says what is wrong."""
    table, setting = state.table, state.setting
    rules = setting.rules
    seats = int(setting.seats)
    if table[DRAWN] > setting.squares or table[SEAT] >= seats or table[TURN] >= seats:
        raise ValueError("there are not so many tiles, or seats")
    out = sorted([int(state.bag[index]) for index in range(table[DRAWN])])
    seen = [tile for tile in tiles(rules) if state.cells[tile] != EMPTY]
    for seat in range(seats):
        seen += [tile for slot in range(rules.hand) if (tile := int(table[HANDS + seat * ROW + slot]))]
    if sorted(seen) != out:
        raise ValueError("the tiles on the board and in the hands are not those drawn from the bag")
    for chain in range(setting.chains):
        held = sum([int(table[SHARES + seat * ROW + chain]) for seat in range(seats)])
        if held > rules.shares:
            raise ValueError(f"more than {rules.shares} shares of {rules.chains[chain].name}: {held}")
        table[BANK + chain] = rules.shares - held
        if table[SIZE + chain] == 1:
            raise ValueError(f"a chain has two tiles or more: {rules.chains[chain].name}")
    if not state.is_terminal() and not state.legal_actions():
        raise ValueError("there is nothing to decide, and the game is not over")


# -- Writing -----------------------------------------------------------------------------------------


def _numbers(state: AcquireState, start: int) -> str:
    return ",".join([str(state.table[start + chain]) for chain in range(state.setting.chains)])


def _bought(state: AcquireState, seat: int) -> str:
    purchase = state.table[PURCHASE + seat]
    return ",".join([str(shares_in(purchase, chain)) for chain in range(state.setting.chains)])


def _hand(state: AcquireState, seat: int) -> str:
    rules = state.setting.rules
    slots = [state.table[HANDS + seat * ROW + slot] for slot in range(rules.hand)]
    return ",".join([tile_name(rules, tile) if tile else "-" for tile in slots])


def _letters(rules: Rules, mask: int) -> str:
    return "".join([chain.letter for index, chain in enumerate(rules.chains) if mask & BIT[index]])
