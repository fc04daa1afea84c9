"""A game of Acquire from decision to decision; all else (drawing, bonuses, prices) happens without one.

A state is always at a decision or at the end of the game. The phase is the kind of the decision
(core.acquire.actions), and the next phase follows from the action:

    PLACE     a tile; then FOUND, or SURVIVOR if the tile connects several chains, or BUY
    FOUND     which chain; then BUY
    SURVIVOR  which of the largest chains survives the merger; then ORDER or DISPOSE
    ORDER     which of the largest defunct chains is settled next; then DISPOSE
    DISPOSE   the shares that a seat trades and sells; then the next holder, the next chain, or BUY
    BUY       a purchase; then PLACE of the next seat, or OVER
    OVER      no decision; the final worths are known

FOUND, SURVIVOR and ORDER are asked only if there is more than one chain to choose from, DISPOSE only of holders, and
BUY only if something can be bought or the end can be announced; a phase that is not asked for leads to the next. A
turn without a playable tile starts with BUY, and a turn without any decision is passed over. The seat whose turn it
is decides in all phases but DISPOSE, in which each holder decides for its own shares. An illegal action raises
ValueError and leaves the game unchanged.

The parts of a state have modules of their own: its data and their accessors (position.py), the course of a turn
(turn.py) and of a merger (merger.py), and what a seat may see (observation.py). Here they become a State, which lists
its actions, is copied and pickled, and can be played in trials that are taken back.

Players look ahead by trials, because copies of states, together with features, were what took the time in a first
prototype, not the programs that value them. mark() keeps the vec of fields and plays on a copy of it. Cells are
changed in place, and each change is written to the undo log; rollback() writes the old cells back, last change first.
A trial ends before the purchase or after it, so that it draws no tile, reads nothing of the bag, and cannot end the
game. So tiles and purchases are both valued as they leave the board, before anything is drawn. There is one undo log,
so trials do not nest; a player that needs a trial within a trial makes a copy. Outside a trial the log has the cells
that the last action has changed.

Vecs are shared where nothing writes to them: copies share the bag and the order of joining, all states of a GameSpec
share its tables. Rules and editions: core.acquire.rules.
"""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout, observation, turn
from core.acquire.actions import (
    BUY,
    DECLARE_END,
    DISPOSE,
    MAX_PURCHASES,
    OVER,
    PLACE,
    disposal,
)
from core.acquire.board import BIT, MERGES
from core.acquire.layout import CELL_SHIFT
from core.acquire.position import Position
from core.acquire.purchase import list_purchases
from core.acquire.rules import GameSpec, action_text
from core.random import Random


@final
class AcquireState(Position):
    """A game of Acquire as a State: at a decision, or over."""

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self._marked = self.fields  # the fields before mark()
        self._recorded = False  # records_events before mark()
        self._purchases = vec[i64]([0] * (MAX_PURCHASES + 8))

    def legal_actions(self) -> list[int]:
        """Return tiles column by column, chains by index, purchases depth first; those with DECLARE_END come last."""
        fields = self.fields
        phase = fields[layout.PHASE]
        actions: list[int] = []
        if phase == PLACE:
            at = layout.HANDS + fields[layout.TURN] * layout.STRIDE
            for slot in range(at, at + self.spec.hand):
                if fields[slot] and self.kind(fields[slot]) <= MERGES:
                    actions.append(int(fields[slot]))
            actions.sort()
            if self.may_end() and self.spec.ends_any_time:
                actions += [action | DECLARE_END for action in actions]
        elif phase == BUY:
            for index in range(self.list_purchases()):
                actions.append(int(self._purchases[index]))
            if self.may_end() and not fields[layout.ANNOUNCED]:
                actions += [action | DECLARE_END for action in actions]
        elif phase == DISPOSE:
            held = self.held()
            for trade in range(i64(0), self.most_trade() + 1, i64(2)):
                for sell in range(held - trade + 1):
                    actions.append(int(disposal(trade, sell)))
        elif phase != OVER:
            for chain in range(self.spec.chains):
                if fields[layout.OPTIONS] & BIT[chain]:
                    actions.append(int(chain))
        return actions

    def apply(self, action: int) -> None:
        if not 0 <= action < 2 * DECLARE_END:
            raise ValueError(f"illegal action: {action}")
        turn.play(self, action)

    def play(self, action: i64) -> None:
        """Apply an action; for compiled callers."""
        turn.play(self, action)

    def returns(self) -> list[float]:
        """Return 1 for a sole winner and -1 for each loser; n seats that win together have 2/n - 1 each."""
        fields = self.fields
        seats = int(self.spec.seats)
        if fields[layout.PHASE] != OVER:
            return [0.0] * seats
        best = max([fields[layout.NET_WORTH + seat] for seat in range(seats)])
        winners = [fields[layout.NET_WORTH + seat] == best for seat in range(seats)]
        if all(winners):
            return [0.0] * seats
        return [2.0 / sum(winners) - 1.0 if won else -1.0 for won in winners]

    def action_text(self, action: int) -> str:
        return action_text(self.spec.rules, int(self.fields[layout.PHASE]), action)

    def __reduce__(self) -> tuple[object, tuple[GameSpec, list[int], list[int], list[int], list[int]]]:
        """Pickle the state word by word, without its events."""
        words = [
            [int(word) for word in words] for words in (self.cells, self.fields, self.bag, self.join_order)
        ]
        return _restored, (self.spec, words[0], words[1], words[2], words[3])

    # -- Copies, complete or of what a seat may see ----------------------------------------------------

    def clone(self) -> "AcquireState":
        copy = AcquireState(self.spec)
        copy.copy_from(self)
        return copy

    def observation(self, seat: int) -> "AcquireState":
        """Return what the seat may see (core.acquire.observation)."""
        seen = AcquireState(self.spec)
        seen.observe(self, seat)
        return seen

    def resample(self, seat: int, rng: Random) -> "AcquireState":
        """Return a state that agrees with what the seat may see, with everything else drawn at random."""
        sampled = AcquireState(self.spec)
        sampled.resample_from(self, seat, rng)
        return sampled

    def observe(self, other: "AcquireState", seat: i64) -> None:
        """Become the seat's observation() of another state, without a new object."""
        self.copy_from(other)
        observation.hide(self, seat)

    def resample_from(self, other: "AcquireState", seat: i64, rng: Random) -> None:
        """Become a resample() of another state, without a new object."""
        self.copy_from(other)
        observation.resample(self, seat, rng)

    # -- Purchases -------------------------------------------------------------------------------------

    def list_purchases(self) -> i64:
        """Write every purchase that can be made now to purchase(0), purchase(1) ..., and return their number."""
        return list_purchases(self, self._purchases)

    def purchase(self, index: i64) -> i64:
        return self._purchases[index]

    # -- Trials ----------------------------------------------------------------------------------------

    def mark(self) -> None:
        """Start a trial, whose actions rollback() takes back.

        A trial stops before the purchase, even if nothing can be bought, and after it. It records no events. Raises
        ValueError within a trial.
        """
        if self.is_trial:
            raise ValueError("a trial has been started already")
        self.is_trial = True
        self._recorded = self.records_events
        self.records_events = False
        self._marked = self.fields
        self.fields = self.fields[:]
        self.undo_size = 0

    def rollback(self) -> None:
        """End a trial and restore the state at mark()."""
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


def _restored(
    spec: GameSpec, cells: list[int], fields: list[int], bag: list[int], join_order: list[int]
) -> AcquireState:
    """Return the state that __reduce__() took apart."""
    state = AcquireState(spec)
    state.cells, state.fields = vec[i64](cells), vec[i64](fields)
    state.bag, state.join_order = vec[i64](bag), vec[i64](join_order)
    return state
