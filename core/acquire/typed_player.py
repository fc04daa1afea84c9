"""A player with a typed program or a net for each decision, which takes the option with the most valuable outcome.

Decisions without a program are those of the random player. In trials the player founds and merges by its programs,
too, and assumes that other seats dispose of their shares as the random player does, because it must not evaluate a
state from another seat. Registers keep numbers from turn to turn of a game.
Reference: "Evolving Board Evaluation Functions", sections 3.1.2 and 5.3.
"""

from math import isfinite
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import BUY, DISPOSE, FOUND, ORDER, UNIT, disposal, shares_in
from core.acquire.board import ANY_CHAIN, BIT, FOUNDS, GROWS, LOWEST, MERGES, nth_bit
from core.acquire.players import GreedyPlayer, affordable, pick_bit
from core.acquire.state import AcquireState
from core.acquire.typed_features import NONE, REGISTERS, Move, TypedFeatures
from core.random import Random

PARTS: Final = 3  # of what can be traded or sold: nothing, half, all


@final
class Decisions:
    """The features for each kind of decision; None leaves the decision to the random player."""

    def __init__(
        self,
        place: TypedFeatures | None = None,
        buy: TypedFeatures | None = None,
        found: TypedFeatures | None = None,
        survivor: TypedFeatures | None = None,
        end: TypedFeatures | None = None,
        dispose: TypedFeatures | None = None,
    ) -> None:
        self.place: Final = place
        self.buy: Final = buy
        self.found: Final = found
        self.survivor: Final = survivor
        self.end: Final = end
        self.dispose: Final = dispose


@final
class TypedPlayer(GreedyPlayer):
    """A player that decides by features; it buys share by share, each time the best one, until none is better."""

    def __init__(
        self,
        decisions: Decisions,
        tie: int,
        disposing: int,
        ending: int,
        buying: int,
        memory: "Memory | None" = None,
    ) -> None:
        """Create a player; without features it decides as Player(disposing, ending, buying) does."""
        super().__init__(tie, disposing, ending, buying)
        self._place: Final = decisions.place
        self._buy: Final = decisions.buy
        self._found: Final = decisions.found
        self._survivor: Final = decisions.survivor
        self._end: Final = decisions.end
        self._dispose: Final = decisions.dispose
        self._memory: Final = memory
        self._trial: AcquireState | None = None
        self._dice = Random(0)  # random source of trials

    def begin(self) -> None:
        if self._memory is not None:
            self._memory.begin()

    def choose(self, state: AcquireState, rng: Random) -> i64:
        memory = self._memory
        if memory is None or state.is_trial or state.fields[layout.PHASE] != BUY:
            return super().choose(state, rng)
        memory.rewind(state)
        action = super().choose(state, rng)
        memory.remember(state, action)
        return action

    # -- Decisions ---------------------------------------------------------------------------------

    def place(self, state: AcquireState, rng: Random) -> i64:
        features = self._place
        if features is None:
            return super().place(state, rng)
        count = self._list_tiles(state)
        if count == 1:
            return self._tiles[0]
        for index in range(count):
            kind = state.kind(self._tiles[index])
            if kind == FOUNDS or kind == MERGES:
                self._dice = Random(rng.bits())  # so that later draws do not depend on how often trials draw
                break
        values = self._values[:]  # trials compare options, too
        for index in range(count):
            values[index] = self._tile_value(features, state, self._tiles[index])
        self._values = values
        return self._tiles[self._best(count, rng)]

    def found(self, state: AcquireState, rng: Random) -> i64:
        features = self._found
        if features is None:
            return super().found(state, rng)
        return self._best_chain(features, state, rng)

    def survivor(self, state: AcquireState, rng: Random) -> i64:
        features = self._survivor
        if features is None:
            return super().survivor(state, rng)
        return self._best_chain(features, state, rng)

    def order(self, state: AcquireState, rng: Random) -> i64:
        """Choose the next defunct chain by the features for survivors."""
        features = self._survivor
        if features is None:
            return super().order(state, rng)
        return self._best_chain(features, state, rng)

    def dispose(self, state: AcquireState, rng: Random) -> i64:
        """Return the best of nine disposals.

        All, half or nothing of what can be traded is traded, and all, half or nothing of the rest is sold.
        """
        features = self._dispose
        fields = state.fields
        seat = fields[layout.SEAT]
        if features is None or (state.is_trial and seat != fields[layout.TURN]):
            return super().dispose(state, rng)
        held = state.held()
        most = state.most_trade()
        move = Move()
        move.survivor, move.defunct = fields[layout.SURVIVOR_OF], fields[layout.DEFUNCT]
        move.all_defunct = BIT[move.defunct]
        features.update(state, seat, move)
        for index in range(i64(PARTS * PARTS)):
            action = offer(index, held, most)
            trade, sell = action >> 8, action & 0xFF
            self._dispose_of(features, state, seat, trade, sell)
            self._values[index] = features.evaluate(state, move)
            self._dispose_of(features, state, seat, -trade, -sell)
        return offer(self._best(PARTS * PARTS, rng), held, most)

    def buy(self, state: AcquireState, rng: Random) -> i64:
        features = self._buy
        if features is None:
            return super().buy(state, rng)
        if not state.can_buy():
            return 0
        fields = state.fields
        seat = fields[layout.TURN]
        purchase: i64 = 0
        move = Move()
        features.update(state, seat, move)
        for _ in range(state.spec.max_buy):
            chains = affordable(state, fields[layout.CASH + seat], 0)
            if chains == 0:
                break
            move.bought = NONE
            self._values[0] = features.evaluate(state, move)
            count: i64 = 1
            left = chains
            while left:
                chain = LOWEST[left]
                left &= left - 1
                move.bought = chain
                self._buy_shares(features, state, chain, 1)
                self._values[count] = features.evaluate(state, move)
                self._buy_shares(features, state, chain, -1)
                count += 1
            best = self._best(count, rng)
            if best == 0:
                break
            chosen = nth_bit(chains, best - 1)
            purchase += UNIT[chosen]
            self._buy_shares(features, state, chosen, 1)
        for chain in range(state.spec.chains):
            shares = shares_in(purchase, chain)
            if shares:
                self._buy_shares(features, state, chain, -shares)
        return purchase

    def ends(self, state: AcquireState, rng: Random) -> bool:
        features = self._end
        if features is None:
            return super().ends(state, rng)
        if not state.may_end() or state.fields[layout.ANNOUNCED]:
            return False
        return features.value(state, state.fields[layout.TURN], Move()) != 0.0

    # -- The outcomes of options -------------------------------------------------------------------

    def _tile_value(self, features: TypedFeatures, state: AcquireState, tile: i64) -> float:
        seat = state.fields[layout.TURN]
        kind = state.kind(tile)
        before = state.fields[layout.ON_BOARD]
        chains = state.around(tile) & ANY_CHAIN
        move = Move()
        if kind == GROWS:
            move.grown = LOWEST[chains]
        state.mark()
        state.play(tile)
        self._resolve(state)
        after = state.fields[layout.ON_BOARD]
        if kind == FOUNDS:
            move.founded = LOWEST[after & ~before]
        elif kind == MERGES:
            _merged(state, move, before & ~after)
        value = features.value(state, seat, move)
        state.rollback()
        return value

    def _best_chain(self, features: TypedFeatures, state: AcquireState, rng: Random) -> i64:
        """Return the best of the chains to choose from, each tried on a copy, because trials do not nest."""
        fields = state.fields
        phase = fields[layout.PHASE]
        options = fields[layout.OPTIONS]
        trial = self._trial
        if trial is None or trial.spec is not state.spec:
            trial = AcquireState(state.spec)
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
            trial.mark()
            trial.play(chain)
            while trial.fields[layout.PHASE] != BUY:
                if trial.fields[layout.PHASE] == DISPOSE:
                    trial.play(self.dispose(trial, self._dice))
                else:
                    trial.play(pick_bit(self._dice, trial.fields[layout.OPTIONS]))
            move = Move()
            if phase == FOUND:
                move.founded = chain
            else:
                _merged(trial, move, fields[layout.ON_BOARD] & ~trial.fields[layout.ON_BOARD])
                if phase == ORDER:
                    move.defunct = chain
                    move.all_defunct = options
            values[count] = features.value(trial, fields[layout.TURN], move)
            trial.rollback()
            count += 1
        self._values = values
        return nth_bit(options, self._best(count, rng))

    def _resolve(self, state: AcquireState) -> None:
        """Play a trial to the purchase, with the decisions of this player."""
        while state.fields[layout.PHASE] != BUY:
            state.play(self.choose(state, self._dice))

    def _buy_shares(self, features: TypedFeatures, state: AcquireState, chain: i64, shares: i64) -> None:
        """Buy shares of a chain; a negative number gives shares back."""
        fields = state.fields
        seat = fields[layout.TURN]
        fields[layout.SHARES + layout.STRIDE * seat + chain] += shares
        fields[layout.BANK + chain] -= shares
        fields[layout.CASH + seat] -= shares * fields[layout.PRICE + chain]
        features.update_holdings(state, chain)

    def _dispose_of(
        self, features: TypedFeatures, state: AcquireState, seat: i64, trade: i64, sell: i64
    ) -> None:
        fields = state.fields
        chain, survivor = fields[layout.DEFUNCT], fields[layout.SURVIVOR_OF]
        fields[layout.SHARES + layout.STRIDE * seat + chain] -= trade + sell
        fields[layout.BANK + chain] += trade + sell
        fields[layout.SHARES + layout.STRIDE * seat + survivor] += trade // 2
        fields[layout.BANK + survivor] -= trade // 2
        fields[layout.CASH + seat] += sell * fields[layout.OLD_PRICE + chain]
        features.update_holdings(state, chain)
        features.update_holdings(state, survivor)


def offer(index: i64, held: i64, most: i64) -> i64:
    """Return number `index` of the nine disposals; `most` is the number of shares that can be traded."""
    trade: i64 = 0
    if index >= 2 * PARTS:
        trade = most
    elif index >= PARTS:
        trade = (most >> 2) * 2
    rest = held - trade
    part = index % PARTS
    return disposal(trade, rest if part == 0 else 0 if part == 1 else rest >> 1)


def _merged(state: AcquireState, move: Move, defunct: i64) -> None:
    """Set the chains that the move has merged; the defunct chain with the highest price stands for all of them."""
    fields = state.fields
    move.survivor = fields[layout.SURVIVOR_OF]
    move.all_defunct = defunct
    largest: i64 = 0
    while defunct:
        chain = LOWEST[defunct]
        defunct &= defunct - 1
        if fields[layout.OLD_PRICE + chain] > largest:
            move.defunct, largest = chain, fields[layout.OLD_PRICE + chain]


@final
class Memory:
    """The registers of a player, which are computed anew after each of its purchases."""

    def __init__(self, programs: list[TypedFeatures | None], readers: list[TypedFeatures]) -> None:
        """Set all registers to 0. Raises ValueError unless there are REGISTERS programs.

        `programs` has the program of each register, or None if the register stays 0. `readers` are the features
        whose programs read registers.
        """
        if len(programs) != REGISTERS:
            raise ValueError(f"{REGISTERS} registers need as many programs, not {len(programs)}")
        self.values = vec[float]([0.0] * REGISTERS)
        self._programs: Final = programs
        self._readers: Final = readers + [each for each in programs if each is not None]
        self._before = self.values  # before the last purchase
        self._turn: i64 = 0  # _turn() at the last purchase

    def begin(self) -> None:
        """Start a new game: set all registers to 0."""
        self.values = vec[float]([0.0] * REGISTERS)
        self._turn = 0
        self._write_registers()

    def rewind(self, state: AcquireState) -> None:
        """Restore the registers from before the last purchase if `state` asks for that same purchase again."""
        if _turn(state) == self._turn:
            self.values = self._before
            self._write_registers()

    def remember(self, state: AcquireState, action: i64) -> None:
        """Compute the registers from the state after a purchase; `state` itself is not changed."""
        self._turn = _turn(state)
        seat = state.fields[layout.TURN]
        values = self.values[:]
        state.mark()
        state.play(action)
        for register in range(i64(REGISTERS)):
            program = self._programs[register]
            if program is not None:
                value = program.value(state, seat, Move())
                if isfinite(value):
                    values[register] = value
        state.rollback()
        self._before = self.values
        self.values = values
        self._write_registers()

    def _write_registers(self) -> None:
        for reader in self._readers:
            reader.recall(self.values)


def _turn(state: AcquireState) -> i64:
    """Return a number that identifies the turn in a game, from the tiles placed and the idle turns since."""
    fields = state.fields
    placed = fields[layout.DRAWN]
    for seat in range(state.spec.seats):
        for slot in range(state.spec.hand):
            if fields[layout.HANDS + layout.STRIDE * seat + slot]:
                placed -= 1
    return (placed << 8) + fields[layout.TURNS_WITHOUT_TILE]
