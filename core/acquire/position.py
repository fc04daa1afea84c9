"""A position of Acquire: all data that change in a game, with their accessors.

The squares of the board are in `cells` (core.acquire.board), the tiles in draw order in `bag`, and all other numbers
in `fields` at the indices of core.acquire.layout. Other packages do not know these indices: they use accessors such
as cash() and price(). The modules that play a game write to `fields`: chains.py makes chains grow, merger.py and
turn.py play from decision to decision, observation.py hides what a seat may not see. core.acquire.state makes a State
of it.

In `core.acquire` itself, loops keep `fields` in a local variable, because each accessor reads the vec anew.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import OVER
from core.acquire.board import (
    ANY_CHAIN,
    BIT,
    BLOCKED,
    DEAD,
    FOUNDS,
    GROWS,
    LONE,
    LOWEST,
    MERGES,
    UNINCORPORATED,
)
from core.acquire.bonus import bonuses
from core.acquire.events import Event
from core.acquire.rules import GameSpec
from core.game import State


class Position(State):
    """The data of a game with its accessors; seats and chains are indices, amounts are in dollars."""

    def __init__(self, spec: GameSpec) -> None:
        """Create an empty position; core.acquire.game deals a game into it."""
        self.spec: Final = spec
        self.cells = spec.empty_board[:]
        self.fields = vec[i64]([0] * layout.FIELD_COUNT)
        self.bag = spec.tiles  # in draw order
        self.join_order = vec[i64]([0] * 8)  # [seat]: the player there, numbered in the order of joining
        self.records_events = False
        self.events: list[Event] = []
        self.is_trial = False  # see AcquireState.mark()
        self.undo_log = vec[i64](
            [0] * (spec.squares + 8)
        )  # the cells changed by the last action, or by a trial
        self.undo_size: i64 = 0  # entries
        self.amounts = vec[i64]([0] * 8)  # [seat]: the bonuses computed last
        self.ranks = vec[i64]([0] * 8)  # [seat]: the ranks of these bonuses

    def copy_from(self, other: "Position") -> None:
        """Become equal to a position by the same rules; whether events are recorded stays as it was."""
        self.cells = other.cells[:]
        self.fields = other.fields[:]
        self.bag = other.bag
        self.join_order = other.join_order

    # -- The turn --------------------------------------------------------------------------------------

    def player(self) -> int:
        """Return the seat that decides."""
        return int(self.fields[layout.SEAT])

    def is_terminal(self) -> bool:
        return self.fields[layout.PHASE] == OVER

    def phase(self) -> i64:
        """Return the phase, that is the kind of decision to make, or OVER (core.acquire.actions)."""
        return self.fields[layout.PHASE]

    def turn(self) -> i64:
        """Return the seat whose turn it is; in a merger other seats may have to decide."""
        return self.fields[layout.TURN]

    def turns_without_tile(self) -> i64:
        """Return how many turns in a row had no playable tile, the present turn included."""
        return self.fields[layout.TURNS_WITHOUT_TILE]

    def placed_tile(self) -> i64:
        """Return the tile placed in this turn, or 0."""
        return self.fields[layout.TILE]

    def bag_left(self) -> i64:
        """Return how many tiles are left to draw."""
        return self.spec.squares - self.fields[layout.DRAWN]

    def may_end(self) -> bool:
        """Return whether the end could be announced now: a chain is large enough, or all chains are safe."""
        fields = self.fields
        return fields[layout.ENDS_GAME] != 0 or (
            fields[layout.SAFE] != 0 and fields[layout.SAFE] == fields[layout.ON_BOARD]
        )

    def is_announced(self) -> bool:
        """Return whether the game ends with this turn."""
        return self.fields[layout.ANNOUNCED] != 0

    def end_reason(self) -> i64:
        """Return the reason for which the game is over (core.acquire.actions), or 0."""
        return self.fields[layout.REASON]

    # -- The chains ------------------------------------------------------------------------------------

    def size(self, chain: i64) -> i64:
        """Return the tiles of a chain, 0 if the chain is not on the board."""
        return self.fields[layout.SIZE + chain]

    def price(self, chain: i64) -> i64:
        """Return the price of a share of a chain, 0 if the chain is not on the board."""
        return self.fields[layout.PRICE + chain]

    def bank(self, chain: i64) -> i64:
        """Return how many shares of a chain the bank has."""
        return self.fields[layout.BANK + chain]

    def sizes(self) -> list[int]:
        """Return the size() of each chain."""
        return self._row(layout.SIZE)

    def prices(self) -> list[int]:
        """Return the price() of each chain."""
        return self._row(layout.PRICE)

    def banks(self) -> list[int]:
        """Return the bank() of each chain."""
        return self._row(layout.BANK)

    def is_option(self, chain: i64) -> bool:
        """Return whether a chain can be chosen now, in a phase in which a chain is chosen."""
        return self.fields[layout.OPTIONS] & BIT[chain] != 0

    # -- The seats -------------------------------------------------------------------------------------

    def cash(self, seat: i64) -> i64:
        return self.fields[layout.CASH + seat]

    def shares(self, seat: i64, chain: i64) -> i64:
        """Return how many shares of a chain a seat holds."""
        return self.fields[layout.SHARES + seat * layout.STRIDE + chain]

    def cash_by_seat(self) -> list[int]:
        """Return the cash() of each seat."""
        fields = self.fields
        return [int(fields[layout.CASH + seat]) for seat in range(self.spec.seats)]

    def shares_by_seat(self) -> list[list[int]]:
        """Return the shares() of each seat in each chain."""
        return [self._row(layout.SHARES + seat * layout.STRIDE) for seat in range(self.spec.seats)]

    def hand(self, seat: i64) -> list[int]:
        """Return the tiles of a seat, column by column."""
        fields = self.fields
        first = layout.HANDS + seat * layout.STRIDE
        tiles = [int(fields[slot]) for slot in range(first, first + self.spec.hand) if fields[slot]]
        tiles.sort()
        return tiles

    def has_tile(self) -> bool:
        """Return whether the seat whose turn it is could place a tile."""
        fields = self.fields
        at = layout.HANDS + fields[layout.TURN] * layout.STRIDE
        for slot in range(at, at + self.spec.hand):
            if fields[slot] and self.kind(fields[slot]) <= MERGES:
                return True
        return False

    def can_buy(self) -> bool:
        """Return whether the seat whose turn it is could buy a share."""
        fields = self.fields
        cash = fields[layout.CASH + fields[layout.TURN]]
        left = fields[layout.ON_BOARD]
        if self.spec.max_buy == 0:
            return False
        while left:
            chain = LOWEST[left]
            left &= left - 1
            if fields[layout.PRICE + chain] <= cash and fields[layout.BANK + chain]:
                return True
        return False

    def value(self, out: vec[i64]) -> None:
        """Write to out[seat] what each seat would own if the game ended now."""
        fields = self.fields
        seats = self.spec.seats
        amounts = self.amounts
        for seat in range(seats):
            out[seat] = fields[layout.CASH + seat]
        left = fields[layout.ON_BOARD]
        while left:
            chain = LOWEST[left]
            left &= left - 1
            price = fields[layout.PRICE + chain]
            bonuses(fields, seats, chain, price, amounts, self.ranks)
            for seat in range(seats):
                out[seat] += amounts[seat] + fields[layout.SHARES + seat * layout.STRIDE + chain] * price

    def worths(self) -> list[int]:
        """Return what each seat owns at the end of the game, or would own if the game ended now."""
        seats = self.spec.seats
        worths = self.fields[layout.NET_WORTH : layout.NET_WORTH + seats]
        if self.fields[layout.PHASE] != OVER:
            self.value(worths)
        return [int(worth) for worth in worths]

    # -- A merger --------------------------------------------------------------------------------------

    def survivor(self) -> i64:
        """Return the chain that stays in the merger."""
        return self.fields[layout.SURVIVOR_OF]

    def defunct(self) -> i64:
        """Return the chain whose holders are asked."""
        return self.fields[layout.DEFUNCT]

    def defunct_price(self) -> i64:
        """Return the price of a share of defunct(), before the merger."""
        return self.fields[layout.OLD_PRICE + self.fields[layout.DEFUNCT]]

    def held(self) -> i64:
        """Return how many shares of defunct() the seat that decides holds."""
        fields = self.fields
        return fields[layout.SHARES + fields[layout.SEAT] * layout.STRIDE + fields[layout.DEFUNCT]]

    def most_trade(self) -> i64:
        """Return how many of held() can be traded: two for each share of the survivor that the bank has."""
        held = self.held()
        return min(held - (held & 1), 2 * self.fields[layout.BANK + self.fields[layout.SURVIVOR_OF]])

    # -- The board -------------------------------------------------------------------------------------

    def around(self, tile: i64) -> i64:
        """Return the cells of the four neighbours of a tile, joined in one mask."""
        cells = self.cells
        step = self.spec.stride
        return cells[tile - 1] | cells[tile + 1] | cells[tile - step] | cells[tile + step]

    def kind(self, tile: i64) -> i64:
        """Return what the tile would do, LONE to DEAD (core.acquire.board)."""
        around = self.around(tile)
        chains = around & ANY_CHAIN
        if chains == 0:
            if around & UNINCORPORATED == 0:
                return LONE
            return BLOCKED if self.fields[layout.ON_BOARD] == self.spec.all_chains else FOUNDS
        if chains & (chains - 1) == 0:
            return GROWS
        safe = chains & self.fields[layout.SAFE]
        return DEAD if safe & (safe - 1) else MERGES

    def _row(self, start: i64) -> list[int]:
        """Return the numbers of all chains that start at a place of the fields."""
        fields = self.fields
        return [int(fields[start + chain]) for chain in range(self.spec.chains)]
