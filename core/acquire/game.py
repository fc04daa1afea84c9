"""Acquire as a Game, and the start of one: the bag in draw order, position tiles, seats and first hands."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout, turn
from core.acquire.board import UNINCORPORATED
from core.acquire.notation import checked_bag, from_text
from core.acquire.observation import shuffle_tiles
from core.acquire.rules import GameSpec, Rules, row_first
from core.acquire.state import AcquireState
from core.game import Game
from core.random import Random


@final
class Acquire(Game):
    """Acquire by some rules, for a number of players."""

    def __init__(self, rules: Rules, players: int) -> None:
        """Prepare the rules. Raises ValueError if they do not allow this number of players."""
        super().__init__("acquire", players)
        self.spec = GameSpec(rules, players)

    def new_state(self, rng: Random) -> AcquireState:
        """Return the start of a game with a shuffled bag."""
        state = AcquireState(self.spec)
        deal(state, shuffled_bag(self.spec, rng))
        return state

    def state_from(self, text: str) -> AcquireState:
        """Return the state of a text that core.acquire.notation has written. Raises ValueError for any other text."""
        return from_text(self.spec, text)


def shuffled_bag(spec: GameSpec, rng: Random) -> vec[i64]:
    """Return all tiles in random order."""
    bag = spec.tiles[:]
    shuffle_tiles(bag, 0, spec.squares, rng)
    return bag


def new_game(spec: GameSpec, bag: list[int], records_events: bool = False) -> AcquireState:
    """Return a new game with a bag in draw order. Raises ValueError unless the bag has every tile once."""
    state = AcquireState(spec)
    state.records_events = records_events
    deal(state, checked_bag(spec, bag))
    return state


def deal(state: AcquireState, bag: vec[i64]) -> None:
    """Start a new game in `state`: position tiles, seats, hands seat by seat, and the first turn."""
    spec = state.spec
    seats = spec.seats
    fields = vec[i64]([0] * layout.FIELD_COUNT)
    state.fields = fields
    state.cells = spec.empty_board[:]
    state.bag = bag
    state.join_order = vec[i64]([0, 1, 2, 3, 4, 5, 6, 7])
    start = _draw_positions(state)
    for chain in range(spec.chains):
        fields[layout.BANK + chain] = spec.rules.shares
    for seat in range(seats):
        fields[layout.CASH + seat] = spec.rules.cash
        for slot in range(spec.hand):
            fields[layout.HANDS + seat * layout.STRIDE + slot] = bag[fields[layout.DRAWN]]
            fields[layout.DRAWN] += 1
    turn.begin(state, start)


def _draw_positions(state: AcquireState) -> i64:
    """Place a position tile for each player on the board, and return the seat that starts."""
    spec = state.spec
    bag, joined = state.bag, state.join_order
    seats = spec.seats
    for index in range(seats):
        state.cells[bag[index]] = UNINCORPORATED
    state.fields[layout.DRAWN] = seats
    if spec.reseats:
        for seat in range(i64(1), seats):
            at = seat
            while at > 0 and bag[joined[at - 1]] > bag[joined[at]]:
                joined[at - 1], joined[at] = joined[at], joined[at - 1]
                at -= 1
        return 0
    first: i64 = 0
    for seat in range(i64(1), seats):
        if row_first(spec.rules, bag[seat]) < row_first(spec.rules, bag[first]):
            first = seat
    return first
