"""A game of Acquire from decision to decision; all else (drawing, bonuses, prices) happens by itself.

Six kinds of decision: where to place a tile, which chain to found, which survives a merger, which defunct
one is next, what to do with its shares, what to buy. A turn without any is passed over.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.bonus import bonuses
from core.acquire.layout import BIT, LOWEST, UNIT, disposal, shares_in, sold, traded
from core.acquire.rules import GameSpec, action_text
from core.game import State
from core.random import Random

CELL_SHIFT: Final = 8  # an entry of the undo log is what a cell was, and in the eight bits below, which cell


@final
class AcquireState(State):
    """A game under way. All that changes is in `cells` and `fields` (core.acquire.layout) and `bag`."""

    def __init__(self, spec: GameSpec) -> None:
        """Nothing is dealt yet: see core.acquire.game."""
        self.spec: Final = spec
        self.cells = spec.empty_board[:]
        self.fields = vec[i64]([0] * layout.FIELD_COUNT)
        self.bag = spec.tiles  # in draw order
        self.join_order = vec[i64]([0] * 8)  # [seat]: which of those who joined sits there
        self.records_events = False
        self.events: list[layout.Event] = []
        self.is_trial = False
        self.undo_log = vec[i64]([0] * (spec.squares + 8))  # what has changed since mark()
        self.undo_size: i64 = 0  # entries
        self._marked = self.fields  # at mark()
        self._recorded = False  # before mark()
        self._amounts = vec[i64]([0] * 8)  # [seat]: the bonuses last counted
        self._ranks = vec[i64]([0] * 8)  # [seat]: and what for
        self._purchases = vec[i64]([0] * (layout.MAX_PURCHASES + 8))

    def player(self) -> int:
        return int(self.fields[layout.SEAT])

    def is_terminal(self) -> bool:
        return self.fields[layout.PHASE] == layout.OVER

    def legal_actions(self) -> list[int]:
        """Tiles column by column, chains in their order, purchases depth first; endings come last."""
        fields = self.fields
        phase = fields[layout.PHASE]
        actions: list[int] = []
        if phase == layout.PLACE:
            at = layout.HANDS + fields[layout.TURN] * layout.STRIDE
            for slot in range(at, at + self.spec.hand):
                if fields[slot] and self.kind(fields[slot]) <= layout.MERGES:
                    actions.append(int(fields[slot]))
            actions.sort()
            if self.may_end() and self.spec.ends_any_time:
                actions += [action | layout.DECLARE_END for action in actions]
        elif phase == layout.BUY:
            for index in range(self.list_purchases()):
                actions.append(int(self._purchases[index]))
            if self.may_end() and not fields[layout.ANNOUNCED]:
                actions += [action | layout.DECLARE_END for action in actions]
        elif phase == layout.DISPOSE:
            held = self.held()
            for trade in range(i64(0), self.most_trade() + 1, i64(2)):
                for sell in range(held - trade + 1):
                    actions.append(int(disposal(trade, sell)))
        elif phase != layout.OVER:
            for chain in range(self.spec.chains):
                if fields[layout.OPTIONS] & BIT[chain]:
                    actions.append(int(chain))
        return actions

    def apply(self, action: int) -> None:
        if not 0 <= action < 2 * layout.DECLARE_END:
            raise ValueError(f"illegal action: {action}")
        self.play(action)

    def returns(self) -> list[float]:
        """1 for a sole winner, -1 for those who lost; n who win together have 2/n - 1 each."""
        fields = self.fields
        seats = int(self.spec.seats)
        if fields[layout.PHASE] != layout.OVER:
            return [0.0] * seats
        best = max([fields[layout.NET_WORTH + seat] for seat in range(seats)])
        winners = [fields[layout.NET_WORTH + seat] == best for seat in range(seats)]
        if all(winners):
            return [0.0] * seats
        return [2.0 / sum(winners) - 1.0 if won else -1.0 for won in winners]

    def action_text(self, action: int) -> str:
        return action_text(self.spec.rules, int(self.fields[layout.PHASE]), action)

    def clone(self) -> "AcquireState":
        copy = AcquireState(self.spec)
        copy.copy_from(self)
        return copy

    def copy_from(self, other: "AcquireState") -> None:
        """Be as `other` is, which plays by the same setting. What others watch is not copied."""
        self.cells = other.cells[:]
        self.fields = other.fields[:]
        self.bag = other.bag
        self.join_order = other.join_order

    def observation(self, seat: int) -> "AcquireState":
        """What the seat may see: other hands and the bag are hidden, and holdings where the rules say so.

        Hidden tiles are HIDDEN. Of hidden holdings everybody sees how many shares of a chain are out, so the
        others have together what the bank and oneself lack: it counts as if one of them had it all, and their
        cash as none.
        """
        seen = AcquireState(self.spec)
        seen.observe(self, seat)
        return seen

    def resample(self, seat: int, rng: Random) -> "AcquireState":
        """A state that agrees with what the seat may see, all else drawn by chance."""
        sampled = AcquireState(self.spec)
        sampled.resample_from(self, seat, rng)
        return sampled

    def __reduce__(self) -> tuple[object, tuple[GameSpec, list[int], list[int], list[int], list[int]]]:
        """Pickled word by word."""
        words = [
            [int(word) for word in words] for words in (self.cells, self.fields, self.bag, self.join_order)
        ]
        return _restored, (self.spec, words[0], words[1], words[2], words[3])

    # -- What can be asked -----------------------------------------------------------------------------

    def around(self, tile: i64) -> i64:
        """All that the four neighbours are, in one mask."""
        cells = self.cells
        step = self.spec.stride
        return cells[tile - 1] | cells[tile + 1] | cells[tile - step] | cells[tile + step]

    def kind(self, tile: i64) -> i64:
        """What the tile would do, layout.LONE to layout.DEAD."""
        around = self.around(tile)
        chains = around & layout.CHAIN
        if chains == 0:
            if around & layout.UNINCORPORATED == 0:
                return layout.LONE
            return layout.BLOCKED if self.fields[layout.ON_BOARD] == self.spec.all_chains else layout.FOUNDS
        if chains & (chains - 1) == 0:
            return layout.GROWS
        safe = chains & self.fields[layout.SAFE]
        return layout.DEAD if safe & (safe - 1) else layout.MERGES

    def may_end(self) -> bool:
        """Whether the end could be announced now: a chain is large enough, or all chains are safe."""
        fields = self.fields
        return fields[layout.ENDS_GAME] != 0 or (
            fields[layout.SAFE] != 0 and fields[layout.SAFE] == fields[layout.ON_BOARD]
        )

    def can_buy(self) -> bool:
        """Whether the one whose turn it is could buy a share."""
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

    def has_tile(self) -> bool:
        """Whether the one whose turn it is could place a tile."""
        fields = self.fields
        at = layout.HANDS + fields[layout.TURN] * layout.STRIDE
        for slot in range(at, at + self.spec.hand):
            if fields[slot] and self.kind(fields[slot]) <= layout.MERGES:
                return True
        return False

    def held(self) -> i64:
        """Shares of the defunct chain, of the one who is asked."""
        fields = self.fields
        return fields[layout.SHARES + fields[layout.SEAT] * layout.STRIDE + fields[layout.DEFUNCT]]

    def most_trade(self) -> i64:
        """How many of them can be traded: two for each of the survivor's that the bank has."""
        held = self.held()
        return min(held - (held & 1), 2 * self.fields[layout.BANK + self.fields[layout.SURVIVOR_OF]])

    def list_purchases(self) -> i64:
        """Write every purchase that can be made now to purchase(0), purchase(1) ...; how many there are."""
        return self._add_purchases(
            0, 0, 0, self.spec.max_buy, self.fields[layout.CASH + self.fields[layout.TURN]]
        )

    def purchase(self, index: i64) -> i64:
        return self._purchases[index]

    def value(self, out: vec[i64]) -> None:
        """Write to out[seat] what each would have if the game were over now."""
        fields = self.fields
        seats = self.spec.seats
        amounts = self._amounts
        for seat in range(seats):
            out[seat] = fields[layout.CASH + seat]
        left = fields[layout.ON_BOARD]
        while left:
            chain = LOWEST[left]
            left &= left - 1
            price = fields[layout.PRICE + chain]
            bonuses(fields, seats, chain, price, amounts, self._ranks)
            for seat in range(seats):
                out[seat] += amounts[seat] + fields[layout.SHARES + seat * layout.STRIDE + chain] * price

    # -- Trials ----------------------------------------------------------------------------------------

    def mark(self) -> None:
        """What is played from here on is a trial, taken back by rollback().

        A trial stops before the purchase, even where nothing can be bought, and after it: it draws no
        tile and ends no game. Trials do not nest.
        """
        if self.is_trial:
            raise ValueError("a trial within a trial")
        self.is_trial = True
        self._recorded = self.records_events
        self.records_events = False
        self._marked = self.fields
        self.fields = self.fields[:]
        self.undo_size = 0

    def rollback(self) -> None:
        cells = self.cells
        undo_log = self.undo_log
        at = self.undo_size
        while at > 0:
            at -= 1
            word = undo_log[at]
            cells[word & 0xFF] = word >> CELL_SHIFT
        self.fields = self._marked
        self.records_events = self._recorded
        self.is_trial = False

    # -- What a seat may see -----------------------------------------------------------------------

    def observe(self, other: "AcquireState", seat: i64) -> None:
        """Become the seat's observation() of another state, without a new object."""
        self.copy_from(other)
        fields = self.fields
        spec = self.spec
        self.bag = spec.hidden_bag
        for index in range(layout.HANDS, layout.HANDS + spec.seats * layout.STRIDE):
            if fields[index] and (index - layout.HANDS) >> 3 != seat:
                fields[index] = layout.HIDDEN
        if spec.hides_holdings:
            self._pool_holdings(seat)

    def resample_from(self, other: "AcquireState", seat: i64, rng: Random) -> None:
        """Become a resample() of another state, without a new object.

        Nothing but observation() of the other state counts, so that nothing hidden can leak. Unseen tiles are
        shuffled. Of holdings that are hidden each share is as likely anybody's as another's, and the others have
        as much cash as the seat itself.
        """
        self.copy_from(other)
        fields = self.fields
        spec = self.spec
        bag = spec.hidden_bag[:]
        start = spec.squares  # unseen tiles from here on, first the hands, then the rest of the bag
        seen: i64 = 0
        own = layout.HANDS + seat * layout.STRIDE
        for tile in spec.tiles:
            unseen = self.cells[tile] == layout.EMPTY
            for slot in range(own, own + spec.hand):
                if fields[slot] == tile:
                    unseen = False
            if unseen:
                start -= 1
                bag[start] = tile
            else:
                bag[seen] = tile
                seen += 1
        shuffle_tiles(bag, start, spec.squares, rng)
        for index in range(layout.HANDS, layout.HANDS + spec.seats * layout.STRIDE):
            if fields[index] and (index - layout.HANDS) >> 3 != seat:
                fields[index] = bag[start]
                start += 1
        self.bag = bag
        if spec.hides_holdings:
            self._pool_holdings(seat)
            self._deal_holdings(seat, rng)

    def _pool_holdings(self, seat: i64) -> None:
        """Give one of the others all shares that the others have, and nobody of them cash."""
        fields = self.fields
        holder: i64 = 1 if seat == 0 else 0
        for other in range(self.spec.seats):
            if other == seat:
                continue
            fields[layout.CASH + other] = 0
            if other == holder:
                continue
            for chain in range(self.spec.chains):
                shares = layout.SHARES + chain
                fields[shares + holder * layout.STRIDE] += fields[shares + other * layout.STRIDE]
                fields[shares + other * layout.STRIDE] = 0

    def _deal_holdings(self, seat: i64, rng: Random) -> None:
        """Deal pooled shares to the others by chance."""
        fields = self.fields
        seats = self.spec.seats
        holder: i64 = 1 if seat == 0 else 0
        for other in range(seats):
            if other != seat:
                fields[layout.CASH + other] = fields[layout.CASH + seat]
        for chain in range(self.spec.chains):
            shares = layout.SHARES + chain
            pooled = fields[shares + holder * layout.STRIDE]
            fields[shares + holder * layout.STRIDE] = 0
            for _ in range(pooled):
                other = rng.below(seats - 1)
                if other >= seat:
                    other += 1
                fields[shares + other * layout.STRIDE] += 1

    # -- Set up by core.acquire.game and .notation -----------------------------------------------------

    def begin(self, turn: i64) -> None:
        """The first turn, once all is dealt."""
        self.fields[layout.TURN] = turn
        if not self._begin_turn():
            self._end_turn()

    def recount(self) -> None:
        """Count the chains on the board, whose cells have been set."""
        for chain in range(self.spec.chains):
            size: i64 = 0
            for tile in self.spec.tiles:
                size += 1 if self.cells[tile] == BIT[chain] else 0
            self._resize(chain, size)

    def score_final(self) -> None:
        """Set the final worths."""
        worths = vec[i64]([0] * 8)
        self.value(worths)
        for seat in range(self.spec.seats):
            self.fields[layout.NET_WORTH + seat] = worths[seat]

    # -- Decisions -------------------------------------------------------------------------------------

    def play(self, action: i64) -> None:
        """apply() for compiled callers."""
        if not self.is_trial:
            self.undo_size = 0
        phase = self.fields[layout.PHASE]
        if phase == layout.PLACE:
            self._place(action)
        elif phase == layout.BUY:
            self._buy(action)
        elif phase == layout.DISPOSE:
            self._dispose(action)
        elif (
            phase == layout.OVER
            or not 0 <= action < self.spec.chains
            or not self.fields[layout.OPTIONS] & BIT[action]
        ):
            raise ValueError(f"illegal action: {action}")
        elif phase == layout.FOUND:
            self._choose_founded(action)
        elif phase == layout.SURVIVOR:
            self._choose_survivor(action)
        else:
            self._choose_defunct(action)

    def _place(self, action: i64) -> None:
        fields = self.fields
        tile = action & layout.TILE_BITS
        slot = self._slot(tile)
        ends = action != tile
        if slot < 0 or (
            ends and not (action == tile | layout.DECLARE_END and self.spec.ends_any_time and self.may_end())
        ):
            raise ValueError(f"illegal action: {action}")
        kind = self.kind(tile)
        if kind > layout.MERGES:
            raise ValueError(f"illegal action: {action}")
        seat = fields[layout.TURN]
        fields[slot] = 0
        fields[layout.TILE] = tile
        if ends:
            self._announce()
        if self.records_events:
            self.emit(layout.PLACED, seat, tile, kind)
        if kind == layout.LONE:
            self._put(tile, layout.UNINCORPORATED)
            self._end_placement()
        elif kind == layout.GROWS:
            chain = LOWEST[self.around(tile) & layout.CHAIN]
            self._resize(
                chain, fields[layout.SIZE + chain] + self._flood_fill(tile, layout.UNINCORPORATED, BIT[chain])
            )
            if self.records_events:
                self.emit(layout.GREW, seat, chain, fields[layout.SIZE + chain])
            self._end_placement()
        elif kind == layout.FOUNDS:
            self._put(tile, layout.UNINCORPORATED)
            only = self._ask_turn(layout.FOUND, self.spec.all_chains & ~fields[layout.ON_BOARD])
            if only >= 0:
                self._choose_founded(only)
        else:
            chains = self.around(tile) & layout.CHAIN
            self._put(tile, layout.UNINCORPORATED)
            if self.records_events:
                self.emit(layout.MERGER, seat, chains)
            fields[layout.PENDING] = chains
            only = self._ask_turn(layout.SURVIVOR, self._largest(chains, layout.SIZE))
            if only >= 0:
                self._choose_survivor(only)

    def _choose_founded(self, chain: i64) -> None:
        fields = self.fields
        self._resize(chain, self._flood_fill(fields[layout.TILE], layout.UNINCORPORATED, BIT[chain]))
        free = min(fields[layout.BANK + chain], i64(1))
        fields[layout.BANK + chain] -= free
        fields[layout.SHARES + fields[layout.TURN] * layout.STRIDE + chain] += free
        if self.records_events:
            self.emit(layout.FOUNDED, fields[layout.TURN], chain, fields[layout.SIZE + chain], free)
        self._end_placement()

    def _choose_survivor(self, survivor: i64) -> None:
        """All chains at the tile become the survivor; then their holders are paid and asked."""
        fields = self.fields
        defunct = fields[layout.PENDING] & ~BIT[survivor]
        left = defunct
        while left:
            chain = LOWEST[left]
            left &= left - 1
            fields[layout.OLD_SIZE + chain] = fields[layout.SIZE + chain]
            fields[layout.OLD_PRICE + chain] = fields[layout.PRICE + chain]
            self._resize(chain, 0)
        gained = self._flood_fill(fields[layout.TILE], layout.UNINCORPORATED | defunct, BIT[survivor])
        self._resize(survivor, fields[layout.SIZE + survivor] + gained)
        fields[layout.SURVIVOR_OF] = survivor
        fields[layout.PENDING] = defunct
        if self.records_events:
            self.emit(layout.MERGED, fields[layout.TURN], survivor, defunct, fields[layout.SIZE + survivor])
        if self.spec.pays_all_first:
            while defunct:
                chain = LOWEST[defunct]
                defunct &= defunct - 1
                self._pay(chain)
        self._next_defunct()

    def _choose_defunct(self, chain: i64) -> None:
        fields = self.fields
        fields[layout.PENDING] &= ~BIT[chain]
        fields[layout.DEFUNCT] = chain
        if not self.spec.pays_all_first:
            self._pay(chain)
        self._ask_holder(fields[layout.TURN])

    def _dispose(self, action: i64) -> None:
        fields = self.fields
        trade, sell = traded(action), sold(action)
        held = self.held()
        if trade < 0 or trade & 1 or trade > self.most_trade() or trade + sell > held:
            raise ValueError(f"illegal action: {action}")
        seat, chain, survivor = fields[layout.SEAT], fields[layout.DEFUNCT], fields[layout.SURVIVOR_OF]
        fields[layout.SHARES + seat * layout.STRIDE + chain] -= trade + sell
        fields[layout.BANK + chain] += trade + sell
        fields[layout.SHARES + seat * layout.STRIDE + survivor] += trade >> 1
        fields[layout.BANK + survivor] -= trade >> 1
        fields[layout.CASH + seat] += sell * fields[layout.OLD_PRICE + chain]
        if self.records_events:
            self.emit(layout.DISPOSED, seat, chain, held - trade - sell, trade, sell)
        seat += 1
        if seat == self.spec.seats:
            seat = 0
        if seat == fields[layout.TURN]:
            self._next_defunct()
        else:
            self._ask_holder(seat)

    def _buy(self, action: i64) -> None:
        fields = self.fields
        spec = self.spec
        seat = fields[layout.TURN]
        purchase = action & ~layout.DECLARE_END
        ends = action != purchase
        count: i64 = 0
        cost: i64 = 0
        legal = purchase >> (4 * spec.chains) == 0 and (
            not ends or (not fields[layout.ANNOUNCED] and self.may_end())
        )
        rest = purchase
        chain: i64 = 0
        while rest > 0:
            shares = rest & 15
            rest >>= 4
            if shares:
                legal = legal and shares <= fields[layout.BANK + chain] and fields[layout.PRICE + chain] > 0
                count += shares
                cost += shares * fields[layout.PRICE + chain]
            chain += 1
            if chain > 7:
                legal = False
                break
        if not legal or count > spec.max_buy or cost > fields[layout.CASH + seat]:
            raise ValueError(f"illegal action: {action}")
        if self.records_events:
            self._emit_if_poor()
            self.emit(layout.BOUGHT, seat, purchase, cost)
        fields[layout.PURCHASE + seat] = purchase
        self._take(seat, purchase)
        fields[layout.CASH + seat] -= cost
        if ends:
            self._announce()
        if not self.is_trial:
            self._end_turn()

    def _announce(self) -> None:
        self.fields[layout.ANNOUNCED] = 1
        if self.records_events:
            self.emit(layout.END_ANNOUNCED, self.fields[layout.TURN])

    # -- From decision to decision ---------------------------------------------------------------------

    def _end_placement(self) -> None:
        """The tile is placed: the purchase, or the end of the turn if there is nothing to decide."""
        if not self._begin_purchase():
            self._end_turn()

    def _begin_purchase(self) -> bool:
        fields = self.fields
        fields[layout.SEAT] = fields[layout.TURN]
        if self.is_trial or self.can_buy() or (self.may_end() and not fields[layout.ANNOUNCED]):
            fields[layout.PHASE] = layout.BUY
            return True
        if self.records_events:
            self._emit_if_poor()
        return False

    def _end_turn(self) -> None:
        """End the game, or draw and find the next who has something to decide."""
        fields = self.fields
        seats = self.spec.seats
        while True:
            if fields[layout.ANNOUNCED]:
                return self._finish(layout.DECLARED)
            if self._tiles_are_out():
                return self._finish(layout.ALL_TILES_PLAYED)
            if fields[layout.TURNS_WITHOUT_TILE] >= seats:
                return self._finish(layout.STUCK_ROUND)
            self._draw()
            if self._tiles_are_out():
                return self._finish(layout.ALL_TILES_PLAYED)
            turn = fields[layout.TURN] + 1
            fields[layout.TURN] = turn if turn < seats else 0
            if self._begin_turn():
                return None

    def _begin_turn(self) -> bool:
        """Whether there is anything to decide in this turn."""
        fields = self.fields
        seat = fields[layout.TURN]
        fields[layout.SEAT] = seat
        fields[layout.TILE] = 0
        fields[layout.PURCHASE + seat] = 0
        if self.records_events:
            self.emit(layout.TURN_BEGINS, seat)
        if self.has_tile():
            fields[layout.PHASE] = layout.PLACE
            fields[layout.TURNS_WITHOUT_TILE] = 0
            return True
        fields[layout.TURNS_WITHOUT_TILE] += 1
        if self.records_events:
            self.emit(layout.NO_TILE, seat)
        return self._begin_purchase()

    def _finish(self, reason: i64) -> None:
        """The final worths; cash and shares stay as they were before the last payment."""
        fields = self.fields
        fields[layout.PHASE] = layout.OVER
        fields[layout.REASON] = reason
        self.score_final()
        if self.records_events:
            self._emit_final()

    # -- Mergers ---------------------------------------------------------------------------------------

    def _next_defunct(self) -> None:
        """The largest of the defunct chains whose holders have not been asked, or the purchase."""
        fields = self.fields
        if fields[layout.PENDING]:
            only = self._ask_turn(layout.ORDER, self._largest(fields[layout.PENDING], layout.OLD_SIZE))
            if only >= 0:
                self._choose_defunct(only)
        else:
            self._end_placement()

    def _ask_holder(self, seat: i64) -> None:
        """From `seat` on clockwise, the next holder of the defunct chain; all have been asked at the end."""
        fields = self.fields
        seats = self.spec.seats
        chain = fields[layout.DEFUNCT]
        while True:
            if fields[layout.SHARES + seat * layout.STRIDE + chain]:
                fields[layout.PHASE] = layout.DISPOSE
                fields[layout.SEAT] = seat
                return
            seat += 1
            if seat == seats:
                seat = 0
            if seat == fields[layout.TURN]:
                self._next_defunct()
                return

    def _pay(self, chain: i64) -> None:
        """The bonuses of a defunct chain."""
        fields = self.fields
        amounts = self._amounts
        bonuses(fields, self.spec.seats, chain, fields[layout.OLD_PRICE + chain], amounts, self._ranks)
        for seat in range(self.spec.seats):
            fields[layout.CASH + seat] += amounts[seat]
        if self.records_events:
            self._emit_bonuses(layout.BONUS, chain)

    def _ask_turn(self, phase: i64, options: i64) -> i64:
        """Ask the one whose turn it is for one of the chains, unless there is but one: that, else -1."""
        if options & (options - 1) == 0:
            return LOWEST[options]
        fields = self.fields
        fields[layout.PHASE] = phase
        fields[layout.SEAT] = fields[layout.TURN]
        fields[layout.OPTIONS] = options
        return -1

    def _largest(self, chains: i64, sizes: i64) -> i64:
        """Those of the chains that no other exceeds in size; `sizes` is SIZE or OLD_SIZE."""
        fields = self.fields
        largest: i64 = 0
        best: i64 = -1
        while chains:
            chain = LOWEST[chains]
            chains &= chains - 1
            if fields[sizes + chain] > best:
                best = fields[sizes + chain]
                largest = 0
            if fields[sizes + chain] == best:
                largest |= BIT[chain]
        return largest

    # -- Tiles and shares ------------------------------------------------------------------------------

    def _slot(self, tile: i64) -> i64:
        """Where the tile is in the hand of the one whose turn it is, or -1."""
        fields = self.fields
        at = layout.HANDS + fields[layout.TURN] * layout.STRIDE
        if tile:
            for slot in range(at, at + self.spec.hand):
                if fields[slot] == tile:
                    return slot
        return -1

    def fill(self, first: i64) -> None:
        """Draw tiles into the empty slots of the hand that begins there, while the bag lasts."""
        fields = self.fields
        bag = self.bag
        squares = self.spec.squares
        for slot in range(first, first + self.spec.hand):
            drawn = fields[layout.DRAWN]
            if fields[slot] == 0 and drawn < squares:
                fields[slot] = bag[drawn]
                fields[layout.DRAWN] = drawn + 1
                if self.records_events:
                    self.emit(layout.DREW, fields[layout.TURN], bag[drawn])
                    if drawn + 1 == squares:
                        self.emit(layout.LAST_TILE, fields[layout.TURN])

    def _draw(self) -> None:
        """Fill the hand, and replace its dead tiles."""
        fields = self.fields
        spec = self.spec
        first = layout.HANDS + fields[layout.TURN] * layout.STRIDE
        self.fill(first)
        if fields[layout.SAFE] & (fields[layout.SAFE] - 1) == 0:
            return
        while True:
            found = False
            for slot in range(first, first + spec.hand):
                tile = fields[slot]
                if tile and self.kind(tile) == layout.DEAD:
                    found = True
                    fields[slot] = 0
                    self.cells[tile] = layout.OFF_BOARD
                    if self.records_events:
                        self.emit(layout.DEAD_TILE, fields[layout.TURN], tile)
                    if spec.replaces_until_clean:
                        break
            if not found:
                return
            self.fill(first)
            if not spec.replaces_until_clean:
                return

    def _tiles_are_out(self) -> bool:
        """Whether the bag and the hands are empty, so that the game ends."""
        fields = self.fields
        spec = self.spec
        if fields[layout.DRAWN] < spec.squares:
            return False
        tiles: i64 = 0
        for slot in range(layout.HANDS, layout.HANDS + spec.seats * layout.STRIDE):
            tiles |= fields[slot]
        return tiles == 0

    def _add_purchases(self, count: i64, purchase: i64, chain: i64, most: i64, cash: i64) -> i64:
        fields = self.fields
        purchases = self._purchases
        purchases[count] = purchase
        count += 1
        if most:
            for more in range(chain, self.spec.chains):
                price = fields[layout.PRICE + more]
                if price and price <= cash and shares_in(purchase, more) < fields[layout.BANK + more]:
                    count = self._add_purchases(count, purchase + UNIT[more], more, most - 1, cash - price)
        return count

    def _take(self, seat: i64, purchase: i64) -> None:
        fields = self.fields
        chain: i64 = 0
        while purchase:
            shares = purchase & 15
            purchase >>= 4
            fields[layout.SHARES + seat * layout.STRIDE + chain] += shares
            fields[layout.BANK + chain] -= shares
            chain += 1

    # -- The board -------------------------------------------------------------------------------------

    def _put(self, tile: i64, value: i64) -> None:
        cells = self.cells
        self.undo_log[self.undo_size] = (cells[tile] << CELL_SHIFT) | tile
        self.undo_size += 1
        cells[tile] = value

    def _flood_fill(self, tile: i64, mask: i64, value: i64) -> i64:
        """Make the tile and all that it connects to and that is in `mask` be `value`; how many they are."""
        cells = self.cells
        undo_log = self.undo_log
        step = self.spec.stride
        start = self.undo_size
        end = start + 1
        undo_log[start] = (cells[tile] << CELL_SHIFT) | tile
        cells[tile] = value
        at = start
        while at < end:
            here = undo_log[at] & 0xFF
            at += 1
            near = here - 1
            if cells[near] & mask:
                undo_log[end] = (cells[near] << CELL_SHIFT) | near
                cells[near] = value
                end += 1
            near = here + 1
            if cells[near] & mask:
                undo_log[end] = (cells[near] << CELL_SHIFT) | near
                cells[near] = value
                end += 1
            near = here - step
            if cells[near] & mask:
                undo_log[end] = (cells[near] << CELL_SHIFT) | near
                cells[near] = value
                end += 1
            near = here + step
            if cells[near] & mask:
                undo_log[end] = (cells[near] << CELL_SHIFT) | near
                cells[near] = value
                end += 1
        self.undo_size = end
        return end - start

    def _resize(self, chain: i64, size: i64) -> None:
        """Size, price and what follows from them."""
        fields = self.fields
        spec = self.spec
        bit = BIT[chain]
        fields[layout.SIZE + chain] = size
        fields[layout.PRICE + chain] = spec.prices[chain * (spec.squares + 1) + size]
        fields[layout.ON_BOARD] = _set(fields[layout.ON_BOARD], bit, size > 0)
        fields[layout.SAFE] = _set(fields[layout.SAFE], bit, size >= spec.safe)
        fields[layout.ENDS_GAME] = _set(fields[layout.ENDS_GAME], bit, size >= spec.end)

    # -- Events ----------------------------------------------------------------------------------------

    def emit(self, kind: i64, seat: i64, a: i64 = 0, b: i64 = 0, c: i64 = 0, d: i64 = 0) -> None:
        self.events.append((kind, seat, a, b, c, d))

    def _emit_bonuses(self, kind: i64, chain: i64) -> None:
        """The bonuses last counted, the highest first."""
        for turn in range(i64(2)):
            for seat in range(self.spec.seats):
                is_minor = self._ranks[seat] == 1 or self._ranks[seat] == 4
                if self._amounts[seat] and is_minor == (turn == 1):
                    self.emit(kind, seat, chain, self._ranks[seat], self._amounts[seat])

    def _emit_if_poor(self) -> None:
        """There are shares, and none that the one whose turn it is can pay."""
        fields = self.fields
        shares: i64 = 0
        for chain in range(self.spec.chains):
            if fields[layout.ON_BOARD] & BIT[chain]:
                shares += fields[layout.BANK + chain]
        if shares and not self.can_buy():
            self.emit(layout.CANNOT_BUY, fields[layout.TURN])

    def _emit_final(self) -> None:
        fields = self.fields
        for chain in range(self.spec.chains):
            if fields[layout.ON_BOARD] & BIT[chain]:
                price = fields[layout.PRICE + chain]
                bonuses(fields, self.spec.seats, chain, price, self._amounts, self._ranks)
                self._emit_bonuses(layout.FINAL_BONUS, chain)
        for seat in range(self.spec.seats):
            for chain in range(self.spec.chains):
                shares = fields[layout.SHARES + seat * layout.STRIDE + chain]
                if shares and fields[layout.ON_BOARD] & BIT[chain]:
                    self.emit(layout.FINAL_SALE, seat, chain, shares, shares * fields[layout.PRICE + chain])


def shuffle_tiles(tiles: vec[i64], start: i64, end: i64, rng: Random) -> None:
    """Shuffle tiles[start:end] in place (R. Durstenfeld, CACM 7, 1964)."""
    for last in range(end - 1, start, i64(-1)):
        other = start + rng.below(last - start + 1)
        tiles[last], tiles[other] = tiles[other], tiles[last]


def _set(mask: i64, bit: i64, on: bool) -> i64:
    return mask | bit if on else mask & ~bit


def _restored(
    spec: GameSpec, cells: list[int], fields: list[int], bag: list[int], join_order: list[int]
) -> AcquireState:
    """What __reduce__() took apart."""
    state = AcquireState(spec)
    state.cells, state.fields = vec[i64](cells), vec[i64](fields)
    state.bag, state.join_order = vec[i64](bag), vec[i64](join_order)
    return state
