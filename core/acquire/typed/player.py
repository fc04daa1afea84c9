"""A player with a typed program or a net for each decision: it takes the option whose outcome is worth most.

What it has none for it decides as the random player does. In a trial it founds and merges by its
programs, too, and takes it that others dispose of their shares as the random player does: their seats must not
be looked from. Where holdings are hidden, it decides by core.acquire.typed.sight. Reference: "Evolving Board
Evaluation Functions", sections 3.1.2 and 5.3.
"""

from typing import Final, final

from mypy_extensions import i64

from core.acquire.action import UNIT, disposal
from core.acquire.board.board import BIT, CHAIN, LOWEST
from core.acquire.board.ground import FOUNDS, GROWS, MERGES
from core.acquire.players.chance import pick_from
from core.acquire.players.comparing import Comparing
from core.acquire.players.player import payable
from core.acquire.state import AcquireState
from core.acquire.table import (
    ANNOUNCED,
    BANK,
    BUY,
    CASH,
    DEFUNCT,
    DISPOSE,
    FOUND,
    OLD_PRICE,
    ON_BOARD,
    OPTIONS,
    ORDER,
    PHASE,
    PRICE,
    ROW,
    SEAT,
    SHARES,
    SURVIVOR_OF,
    TURN,
)  # fmt: skip
from core.acquire.typed.memory import Memory
from core.acquire.typed.sight import Sight
from core.acquire.typed.view import NONE, ChainView, Move
from core.random import Random

PARTS: Final = 3  # of what can be traded or sold: nothing, half, all


@final
class TypedPlayer(Comparing):
    """One view a decision, or None. It buys share by share, each the best one then, or no more."""

    def __init__(
        self,
        place: ChainView | None,
        buy: ChainView | None,
        found: ChainView | None,
        survivor: ChainView | None,
        end: ChainView | None,
        dispose: ChainView | None,
        tie: int,
        disposing: int,
        ending: int,
        buying: int,
        memory: Memory | None = None,
    ) -> None:
        """The three before the memory are the random player's."""
        super().__init__(tie, disposing, ending, buying)
        self._place: Final = place
        self._buy: Final = buy
        self._found: Final = found
        self._survivor: Final = survivor
        self._end: Final = end
        self._dispose: Final = dispose
        self._memory: Final = memory
        self._sight: Final = Sight()
        self._trial: AcquireState | None = None
        self._dice = Random(0)  # for trials

    def begin(self) -> None:
        if self._memory is not None:
            self._memory.begin()

    def choose(self, state: AcquireState, rng: Random) -> i64:
        if state.is_trial:
            return super().choose(state, rng)
        if state.setting.hides_holdings:
            state = self._sight.of(state)
        memory = self._memory
        if memory is None or state.table[PHASE] != BUY:
            return super().choose(state, rng)
        memory.rewind(state)
        action = super().choose(state, rng)
        memory.remember(state, action)
        return action

    # -- Decisions ---------------------------------------------------------------------------------

    def place(self, state: AcquireState, rng: Random) -> i64:
        view = self._place
        if view is None:
            return super().place(state, rng)
        count = self._list_tiles(state)
        if count == 1:
            return self._tiles[0]
        for index in range(count):
            kind = state.kind(self._tiles[index])
            if kind == FOUNDS or kind == MERGES:
                self._dice = Random(rng.bits())  # what comes later must not depend on how often it is used
                break
        values = self._values[:]  # trials compare options, too
        for index in range(count):
            values[index] = self._tile_value(view, state, self._tiles[index])
        self._values = values
        return self._tiles[self._best(count, rng)]

    def found(self, state: AcquireState, rng: Random) -> i64:
        view = self._found
        if view is None:
            return super().found(state, rng)
        return self._best_chain(view, state, rng)

    def survivor(self, state: AcquireState, rng: Random) -> i64:
        view = self._survivor
        if view is None:
            return super().survivor(state, rng)
        return self._best_chain(view, state, rng)

    def order(self, state: AcquireState, rng: Random) -> i64:
        """Which is taken over next is a matter of the survivor, too."""
        view = self._survivor
        if view is None:
            return super().order(state, rng)
        return self._best_chain(view, state, rng)

    def dispose(self, state: AcquireState, rng: Random) -> i64:
        """Of what can be traded all, half or nothing, and of the rest."""
        view = self._dispose
        table = state.table
        seat = table[SEAT]
        if view is None or (state.is_trial and seat != table[TURN]):
            return super().dispose(state, rng)
        held = state.held()
        most = state.most_trade()
        move = Move()
        move.survivor, move.defunct = table[SURVIVOR_OF], table[DEFUNCT]
        move.all_defunct = BIT[move.defunct]
        view.look(state, seat, move)
        for index in range(i64(PARTS * PARTS)):
            action = _offer(index, held, most)
            trade, sell = action >> 8, action & 0xFF
            self._dispose_of(view, state, seat, trade, sell)
            self._values[index] = view.again(state, move)
            self._dispose_of(view, state, seat, -trade, -sell)
        return _offer(self._best(PARTS * PARTS, rng), held, most)

    def buy(self, state: AcquireState, rng: Random) -> i64:
        view = self._buy
        if view is None:
            return super().buy(state, rng)
        if not state.can_buy():
            return 0
        table = state.table
        seat = table[TURN]
        cash = table[CASH + seat]
        purchase: i64 = 0
        move = Move()
        view.look(state, seat, move)
        for _ in range(state.setting.max_buy):
            chains = payable(state, table[CASH + seat], 0)
            if chains == 0:
                break
            move.bought = NONE
            self._values[0] = view.again(state, move)
            count: i64 = 1
            left = chains
            while left:
                chain = LOWEST[left]
                left &= left - 1
                move.bought = chain
                self._take(view, state, chain, 1)
                self._values[count] = view.again(state, move)
                self._take(view, state, chain, -1)
                count += 1
            best = self._best(count, rng)
            if best == 0:
                break
            for _ in range(best - 1):
                chains &= chains - 1
            purchase += UNIT[LOWEST[chains]]
            self._take(view, state, LOWEST[chains], 1)
        rest = purchase
        chain = 0
        while rest:
            table[SHARES + ROW * seat + chain] -= rest & 15
            table[BANK + chain] += rest & 15
            rest >>= 4
            chain += 1
        table[CASH + seat] = cash
        return purchase

    def ends(self, state: AcquireState, rng: Random) -> bool:
        view = self._end
        if view is None:
            return super().ends(state, rng)
        if not state.may_end() or state.table[ANNOUNCED]:
            return False
        return view.value(state, state.table[TURN], Move()) != 0.0

    # -- What comes of an option -------------------------------------------------------------------

    def _tile_value(self, view: ChainView, state: AcquireState, tile: i64) -> float:
        seat = state.table[TURN]
        kind = state.kind(tile)
        before = state.table[ON_BOARD]
        chains = state.around(tile) & CHAIN
        move = Move()
        if kind == GROWS:
            move.grown = LOWEST[chains]
        state.begin_trial()
        state.play(tile)
        self._resolve(state)
        after = state.table[ON_BOARD]
        if kind == FOUNDS:
            move.founded = LOWEST[after & ~before]
        elif kind == MERGES:
            _merged(state, move, before & ~after)
        value = view.value(state, seat, move)
        state.end_trial()
        return value

    def _best_chain(self, view: ChainView, state: AcquireState, rng: Random) -> i64:
        """The best of the chains to choose from, each tried on a copy, since trials do not nest."""
        table = state.table
        phase = table[PHASE]
        options = table[OPTIONS]
        trial = self._trial
        if trial is None or trial.setting is not state.setting:
            trial = AcquireState(state.setting)
            self._trial = trial
        if not state.is_trial:
            self._dice = Random(rng.bits())
        count: i64 = 0
        left = options
        values = self._values[:]  # disposals are compared, too
        while left:
            chain = LOWEST[left]
            left &= left - 1
            trial.copy_from(state)
            trial.begin_trial()
            trial.play(chain)
            while trial.table[PHASE] != BUY:
                if trial.table[PHASE] == DISPOSE:
                    trial.play(self.dispose(trial, self._dice))
                else:
                    trial.play(pick_from(self._dice, trial.table[OPTIONS]))
            move = Move()
            if phase == FOUND:
                move.founded = chain
            else:
                _merged(trial, move, table[ON_BOARD] & ~trial.table[ON_BOARD])
                if phase == ORDER:
                    move.defunct = chain
                    move.all_defunct = options
            values[count] = view.value(trial, table[TURN], move)
            trial.end_trial()
            count += 1
        self._values = values
        for _ in range(self._best(count, rng)):
            options &= options - 1
        return LOWEST[options]

    def _resolve(self, state: AcquireState) -> None:
        """Go on to the purchase."""
        while state.table[PHASE] != BUY:
            state.play(self.choose(state, self._dice))

    def _take(self, view: ChainView, state: AcquireState, chain: i64, shares: i64) -> None:
        """Buy so many shares, or give them back."""
        table = state.table
        seat = table[TURN]
        table[SHARES + ROW * seat + chain] += shares
        table[BANK + chain] -= shares
        table[CASH + seat] -= shares * table[PRICE + chain]
        view.holdings_changed(state, chain)

    def _dispose_of(self, view: ChainView, state: AcquireState, seat: i64, trade: i64, sell: i64) -> None:
        table = state.table
        chain, survivor = table[DEFUNCT], table[SURVIVOR_OF]
        table[SHARES + ROW * seat + chain] -= trade + sell
        table[BANK + chain] += trade + sell
        table[SHARES + ROW * seat + survivor] += trade // 2
        table[BANK + survivor] -= trade // 2
        table[CASH + seat] += sell * table[OLD_PRICE + chain]
        view.holdings_changed(state, chain)
        view.holdings_changed(state, survivor)


def _offer(index: i64, held: i64, most: i64) -> i64:
    """One of the nine disposals that are compared."""
    trade: i64 = 0
    if index >= 2 * PARTS:
        trade = most
    elif index >= PARTS:
        trade = (most >> 2) * 2
    rest = held - trade
    part = index % PARTS
    return disposal(trade, rest if part == 0 else 0 if part == 1 else rest >> 1)


def _merged(state: AcquireState, move: Move, defunct: i64) -> None:
    """Tell the move which chains have been merged; the largest of them for all."""
    table = state.table
    move.survivor = table[SURVIVOR_OF]
    move.all_defunct = defunct
    largest: i64 = 0
    while defunct:
        chain = LOWEST[defunct]
        defunct &= defunct - 1
        if table[OLD_PRICE + chain] > largest:
            move.defunct, largest = chain, table[OLD_PRICE + chain]
