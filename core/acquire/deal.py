"""The start of a game: the bag in draw order, position tiles, seats and first hands."""

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.board.board import LONE, row_first, tile_name, tiles
from core.acquire.rules.setting import Setting
from core.acquire.state import AcquireState
from core.acquire.table import BANK, CASH, DRAWN, HANDS, ROW, WORDS
from core.random import Random


def shuffled(setting: Setting, rng: Random) -> vec[i64]:
    """All tiles in an order of chance (R. Durstenfeld, CACM 7, 1964)."""
    bag = setting.tiles[:]
    shuffle(bag, 0, setting.squares, rng)
    return bag


def shuffle(bag: vec[i64], start: i64, end: i64, rng: Random) -> None:
    """Shuffle bag[start:end] in place."""
    for last in range(end - 1, start, i64(-1)):
        other = start + rng.below(last - start + 1)
        bag[last], bag[other] = bag[other], bag[last]


def dealt(setting: Setting, bag: list[int], watched: bool = False) -> AcquireState:
    """A new game with that bag, in draw order. ValueError unless it is every tile once."""
    state = AcquireState(setting)
    state.is_watched = watched
    deal(state, checked_bag(setting, bag))
    return state


def checked_bag(setting: Setting, bag: list[int]) -> vec[i64]:
    """ValueError unless it is every tile once."""
    expected = tiles(setting.rules)
    if sorted(bag) != expected:
        missing = sorted(set(expected) - set(bag))
        lack = tile_name(setting.rules, missing[0]) + " is missing" if missing else f"{len(bag)} tiles"
        raise ValueError(f"a bag has each of {len(expected)} tiles once: {lack}")
    return vec[i64](bag)


def deal(state: AcquireState, bag: vec[i64]) -> None:
    """Begin a new game in `state`: position tiles, seats, hands seat by seat, and the first turn."""
    setting = state.setting
    seats = setting.seats
    table = vec[i64]([0] * WORDS)
    state.table = table
    state.cells = setting.empty_board[:]
    state.bag = bag
    state.joined = vec[i64]([0, 1, 2, 3, 4, 5, 6, 7])
    start: i64 = 0
    if setting.has_position_tiles:
        start = _draw_positions(state)
    for chain in range(setting.chains):
        table[BANK + chain] = setting.rules.shares
    for seat in range(seats):
        table[CASH + seat] = setting.rules.cash
        for slot in range(setting.hand):
            table[HANDS + seat * ROW + slot] = bag[table[DRAWN]]
            table[DRAWN] += 1
    state.begin(start)


def _draw_positions(state: AcquireState) -> i64:
    """Put a tile on the board for each who joined; the seat that begins."""
    setting = state.setting
    bag, joined = state.bag, state.joined
    seats = setting.seats
    for index in range(seats):
        state.cells[bag[index]] = LONE
    state.table[DRAWN] = seats
    if setting.reseats:
        for seat in range(i64(1), seats):
            at = seat
            while at > 0 and bag[joined[at - 1]] > bag[joined[at]]:
                joined[at - 1], joined[at] = joined[at], joined[at - 1]
                at -= 1
        return 0
    first: i64 = 0
    for seat in range(i64(1), seats):
        if row_first(setting.rules, bag[seat]) < row_first(setting.rules, bag[first]):
            first = seat
    return first
