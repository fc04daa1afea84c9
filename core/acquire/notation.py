"""The text of a state: one `name value` per line. Equal states have equal texts, and from_text() reads a text back.

    board ...o/.LL./....  rows from A down: . empty, o in no chain, x out of play, else the letter of a chain
    bag 4C 1A 2D ...      all tiles in draw order; the line `drawn 14` says how many have been drawn
    joined 0 1            the player at each seat, numbered in the order of joining
    cash 6000 5600        one word for each seat
    shares 0,0,1 0,0,0    one word for each seat, with a number for each chain
    hands 1A,4C,- 2B,7H,9I
    phase place           followed by seat, turn, idle turns, and whether the end is announced

If there were purchases in the last turns, there is also a line

    bought 0,0,0 2,0,1    one word for each seat, with the shares of each chain bought in its last turn

and in a phase other than place, buy and over there are lines for the tile, the chains to choose from, the chains not
yet settled (`owed`), the survivor, the defunct chain, and the old sizes. The text of what a seat may see has `?` for
each hidden tile; from_text() does not read such a text.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import BUY, DISPOSE, OVER, PHASES, PLACE, REASONS, UNIT, shares_in
from core.acquire.board import BIT, EMPTY, HIDDEN, LOWEST, OFF_BOARD, UNINCORPORATED
from core.acquire.chains import recount
from core.acquire.rules import GameSpec, Rules, parse_tile, stride, tile_name, tiles
from core.acquire.state import AcquireState
from core.acquire.turn import score_final

NUMBERS: Final = {
    "drawn": layout.DRAWN,
    "seat": layout.SEAT,
    "turn": layout.TURN,
    "idle": layout.TURNS_WITHOUT_TILE,
    "announced": layout.ANNOUNCED,
}
CHAIN_SETS: Final = {"options": layout.OPTIONS, "owed": layout.PENDING}
ONE_CHAIN: Final = {"survivor": layout.SURVIVOR_OF, "defunct": layout.DEFUNCT}


def to_text(state: AcquireState) -> str:
    """Return the text of a state; its events are not part of the text."""
    fields, spec, rules = state.fields, state.spec, state.spec.rules
    seats = range(spec.seats)
    lines = [
        "board " + "/".join(board_rows(state)),
        "bag " + " ".join([_tile(rules, tile) for tile in state.bag]),
        "joined " + " ".join([str(state.join_order[seat]) for seat in seats]),
        "cash " + " ".join([str(fields[layout.CASH + seat]) for seat in seats]),
        "shares " + " ".join([_numbers(state, layout.SHARES + seat * layout.STRIDE) for seat in seats]),
        "hands " + " ".join([_hand(state, seat) for seat in seats]),
        "phase " + PHASES[fields[layout.PHASE]],
    ]
    if sum([fields[layout.PURCHASE + seat] for seat in seats]):
        lines.append("bought " + " ".join([_bought(state, seat) for seat in seats]))
    lines += [f"{name} {fields[at]}" for name, at in NUMBERS.items()]
    if fields[layout.PHASE] == OVER:
        lines.append("reason " + REASONS[fields[layout.REASON]])
    elif fields[layout.PHASE] not in (PLACE, BUY):
        lines.append("tile " + tile_name(rules, fields[layout.TILE]))
        lines += [f"{name} {_letters(rules, fields[at]) or '-'}" for name, at in CHAIN_SETS.items()]
        lines += [f"{name} {rules.chains[fields[at]].letter}" for name, at in ONE_CHAIN.items()]
        lines.append("sizes " + _numbers(state, layout.OLD_SIZE))
    return "".join(line + "\n" for line in lines)


def from_text(spec: GameSpec, text: str) -> AcquireState:
    """Return the state of a text that to_text() wrote. Raises ValueError, with the reason, if the text is invalid."""
    entries: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        name, _, value = line.partition(" ")
        if not value or name in entries:
            raise ValueError(
                f"line {number}: a name and its value are expected, each name once, not {line[:60]!r}"
            )
        entries[name] = value
    try:
        state = _read(spec, entries)
    except KeyError as missing:
        raise ValueError(f"the line {missing} is missing") from None
    if entries:
        raise ValueError(f"this state has no line {sorted(entries)[0][:40]!r}")
    _check(state)
    return state


def board_rows(state: AcquireState) -> list[str]:
    """Return the rows of the board from A down, with the signs of the line `board`."""
    spec = state.spec
    rules = spec.rules
    signs = {EMPTY: ".", UNINCORPORATED: "o"} | {
        int(BIT[index]): chain.letter for index, chain in enumerate(rules.chains)
    }
    return [
        "".join(
            signs.get(int(state.cells[spec.stride * column + row]), "x")
            for column in range(1, rules.columns + 1)
        )
        for row in range(rules.rows)
    ]


def checked_bag(spec: GameSpec, bag: list[int]) -> vec[i64]:
    """Return the bag as a vec. Raises ValueError unless the bag has every tile once."""
    expected = tiles(spec.rules)
    if sorted(bag) != expected:
        missing = sorted(set(expected) - set(bag))
        lack = (
            tile_name(spec.rules, missing[0]) + " is missing" if missing else f"this one has {len(bag)} tiles"
        )
        raise ValueError(f"a bag must have each of {len(expected)} tiles once: {lack}")
    return vec[i64](bag)


# -- Reading -----------------------------------------------------------------------------------------


def _read(spec: GameSpec, entries: dict[str, str]) -> AcquireState:
    """Return the state that the entries describe; entries that have been read are removed."""
    rules = spec.rules
    seats = int(spec.seats)
    state = AcquireState(spec)
    fields = state.fields
    state.bag = checked_bag(spec, [parse_tile(rules, word) for word in entries.pop("bag").split()])
    _read_board(state, entries.pop("board").split("/"))
    recount(state)
    join_order = _words(entries.pop("joined"), seats, "joined")
    if sorted(join_order) != [str(seat) for seat in range(seats)]:
        raise ValueError(f"joined must list the {seats} seats once each, not {' '.join(join_order)[:40]!r}")
    cash, shares = _words(entries.pop("cash"), seats, "cash"), _words(entries.pop("shares"), seats, "shares")
    hands = _words(entries.pop("hands"), seats, "hands")
    for seat in range(seats):
        state.join_order[seat] = int(join_order[seat])
        fields[layout.CASH + seat] = _number(cash[seat], 10**9)
        _read_row(state, layout.SHARES + seat * layout.STRIDE, shares[seat])
        slots = hands[seat].split(",")
        if len(slots) != rules.hand:
            raise ValueError(f"a hand has {rules.hand} tiles, - for a missing one, not {hands[seat][:60]!r}")
        for slot, word in enumerate(slots):
            fields[layout.HANDS + seat * layout.STRIDE + slot] = 0 if word == "-" else parse_tile(rules, word)
    if "bought" in entries:
        for seat, row in enumerate(_words(entries.pop("bought"), seats, "bought")):
            fields[layout.PURCHASE + seat] = _purchase(spec, row)
    phase = entries.pop("phase")
    if phase not in PHASES:
        raise ValueError(f"a phase is one of {', '.join(PHASES)}, not {phase[:40]!r}")
    fields[layout.PHASE] = PHASES.index(phase)
    for name, at in NUMBERS.items():
        fields[at] = _number(entries.pop(name), 10**9)
    if phase == "over":
        reason = entries.pop("reason")
        if reason not in REASONS[1:]:
            raise ValueError(f"a reason is one of {', '.join(REASONS[1:])}, not {reason[:40]!r}")
        fields[layout.REASON] = REASONS.index(reason)
        score_final(state)
    elif phase not in ("place", "buy"):
        fields[layout.TILE] = parse_tile(rules, entries.pop("tile"))
        for name, at in CHAIN_SETS.items():
            fields[at] = _mask(rules, entries.pop(name))
        for name, at in ONE_CHAIN.items():
            fields[at] = LOWEST[_mask(rules, entries.pop(name))] % spec.chains
        _read_row(state, layout.OLD_SIZE, entries.pop("sizes"))
        for chain in range(spec.chains):
            fields[layout.OLD_PRICE + chain] = rules.price(chain, int(fields[layout.OLD_SIZE + chain]))
    return state


def _read_board(state: AcquireState, rows: list[str]) -> None:
    rules = state.spec.rules
    values = {".": EMPTY, "o": UNINCORPORATED, "x": OFF_BOARD}
    values |= {chain.letter: int(BIT[index]) for index, chain in enumerate(rules.chains)}
    if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
        raise ValueError(
            f"a board has {rules.rows} rows of {rules.columns} squares, not {'/'.join(rows)[:60]!r}"
        )
    for index, row in enumerate(rows):
        for column, sign in enumerate(row, 1):
            if sign not in values:
                raise ValueError(f"{sign!r} stands for no square; allowed are {' '.join(values)}")
            state.cells[column * stride(rules) + index] = values[sign]


def _read_row(state: AcquireState, start: int, text: str) -> None:
    words = text.split(",")
    if len(words) != state.spec.chains:
        raise ValueError(f"a number for each of {state.spec.chains} chains is expected, not {text[:60]!r}")
    for chain, word in enumerate(words):
        state.fields[start + chain] = _number(word, state.spec.rules.squares)


def _purchase(spec: GameSpec, text: str) -> int:
    words = text.split(",")
    shares = [_number(word, spec.rules.max_buy) for word in words]
    if len(words) != spec.chains or sum(shares) > spec.max_buy:
        raise ValueError(
            f"a purchase lists shares of {spec.chains} chains, {spec.max_buy} at most in all, not {text[:60]!r}"
        )
    return sum([number * int(UNIT[chain]) for chain, number in enumerate(shares)])


def _words(text: str, count: int, name: str) -> list[str]:
    words = text.split()
    if len(words) != count:
        raise ValueError(f"{name} must have {count} words, one for each seat, not {text[:60]!r}")
    return words


def _number(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and int(text) <= most):
        raise ValueError(f"a number from 0 to {most} is expected, not {text[:40]!r}")
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
    """Raise ValueError unless each tile and share exists exactly once and a seat can decide."""
    fields, spec = state.fields, state.spec
    rules = spec.rules
    seats = int(spec.seats)
    if fields[layout.DRAWN] > spec.squares or fields[layout.SEAT] >= seats or fields[layout.TURN] >= seats:
        raise ValueError("drawn, seat or turn is too large for these tiles and seats")
    _check_turn(state)
    out = sorted([int(state.bag[index]) for index in range(fields[layout.DRAWN])])
    seen = [tile for tile in tiles(rules) if state.cells[tile] != EMPTY]
    for seat in range(seats):
        seen += [
            tile
            for slot in range(rules.hand)
            if (tile := int(fields[layout.HANDS + seat * layout.STRIDE + slot]))
        ]
    if sorted(seen) != out:
        raise ValueError("the tiles on the board and in the hands are not those drawn from the bag")
    for chain in range(spec.chains):
        held = sum([int(fields[layout.SHARES + seat * layout.STRIDE + chain]) for seat in range(seats)])
        if held > rules.shares:
            raise ValueError(f"players hold {held} of {rules.shares} shares of {rules.chains[chain].name}")
        fields[layout.BANK + chain] = rules.shares - held
        if fields[layout.SIZE + chain] == 1:
            raise ValueError(f"{rules.chains[chain].name} has one tile, and a chain has at least two")
    if not state.is_terminal() and not state.legal_actions():
        raise ValueError("no action is legal, and the game is not over")


def _check_turn(state: AcquireState) -> None:
    """Raise ValueError if the seat that decides cannot, or if the number of turns without a tile is impossible."""
    fields, spec = state.fields, state.spec
    phase = fields[layout.PHASE]
    if fields[layout.SEAT] != fields[layout.TURN] and phase not in (DISPOSE, OVER):
        raise ValueError(
            f"seat {fields[layout.SEAT]} cannot decide in this phase of the turn of seat {fields[layout.TURN]}"
        )
    if fields[layout.ANNOUNCED] > 1:
        raise ValueError(f"announced is 0 or 1, not {fields[layout.ANNOUNCED]}")
    most = 0 if phase == PLACE else spec.seats
    if fields[layout.TURNS_WITHOUT_TILE] > most:
        raise ValueError(f"idle is at most {most} here, not {fields[layout.TURNS_WITHOUT_TILE]}")


# -- Writing -----------------------------------------------------------------------------------------


def _numbers(state: AcquireState, start: int) -> str:
    return ",".join([str(state.fields[start + chain]) for chain in range(state.spec.chains)])


def _bought(state: AcquireState, seat: int) -> str:
    purchase = state.fields[layout.PURCHASE + seat]
    return ",".join([str(shares_in(purchase, chain)) for chain in range(state.spec.chains)])


def _hand(state: AcquireState, seat: int) -> str:
    rules = state.spec.rules
    slots = [state.fields[layout.HANDS + seat * layout.STRIDE + slot] for slot in range(rules.hand)]
    return ",".join([_tile(rules, tile) for tile in slots])


def _tile(rules: Rules, tile: int) -> str:
    return "-" if tile == 0 else "?" if tile == HIDDEN else tile_name(rules, tile)


def _letters(rules: Rules, mask: int) -> str:
    return "".join([chain.letter for index, chain in enumerate(rules.chains) if mask & BIT[index]])
