"""A player that looks ahead: it tries its options in games that a fast model plays to the end, and takes the best.

A policy, such as an evolved net, proposes a decision. The player compares it with the other options: all tiles,
chains and disposals, and of the purchases those that differ from the policy's by one share added, removed or
exchanged, or that buy one chain alone, with and without announcing the end. Each comparison draws anew what the seat
cannot see (a determinization; P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search",
IEEE TCIAIG 4, 2012), and plays every option that is left from the same draw and with the same random numbers, so
that the luck is the same for all of them and their differences vary less than their values. The hidden values are
never read.

The playouts are distributed by sequential halving (Z. Karnin, T. Koren and O. Somekh, "Almost Optimal Exploration in
Multi-Armed Bandits", ICML 2013): in each round every option left gets the same number of games, and the worse half of
the options is dropped. The policy's option stays to the end. It is replaced only by an option whose mean is larger by
more than CAUTION standard errors of the difference, because the policy knows more than the games can show where
options are nearly equal.

The value of a game is 1 for a win and 1/2 for a tie, plus MARGIN times the relative lead in money, which tells
options apart in games that are won or lost anyhow. The model plays for all seats; evolved rules of thumb are meant
(core.acquire.rules_of_thumb). Measured against `evolved-net-seven` in 100 games each: 91 % with these and 81 % with the
heuristic in 2,000 playouts; 74 % with the net itself in 30, which take longer, because a game of the net takes 70 times
as long. Letting the net decide first in each playout, for two to eight decisions, made no difference at equal time. A
net that predicts the result after one round, in place of games to the end, was too inexact for the small differences
between options (25 to 55 %). Nor is there anything to gain from guessing hidden tiles better: with the true ones in
each draw the player won 73 games in place of 72.

The budget is a number of games for each decision, and then the choice depends on nothing but the state and the random
numbers; or it is a time, which the rounds share equally.
"""

from math import sqrt
from time import perf_counter
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.actions import BUY, DECLARE_END, DISPOSE, MAX_PURCHASES, OVER, PLACE, shares_in
from core.acquire.board import LOWEST, MERGES
from core.acquire.players import Player
from core.acquire.playout import playout_value
from core.acquire.state import AcquireState
from core.acquire.typed_player import PARTS, offer
from core.random import Random

CAUTION: Final = 1.0
MAX_OPTIONS: Final = MAX_PURCHASES + 16


@final
class LookAhead(Player):
    """A player that compares its options with the decision of a policy, in games that a model plays."""

    def __init__(self, policy: Player, model: Player, playouts: int, milliseconds: int = 0) -> None:
        """Create a player that plays about `playouts` games for each decision with several options.

        With `milliseconds` it plays for that time instead, if it does not reach `playouts` before.
        """
        super().__init__()
        if playouts < 1:
            raise ValueError(f"a decision needs at least 1 playout, not {playouts}")
        self.playouts: Final[i64] = playouts
        self.played: i64 = 0  # playouts since the player was created
        self._seconds: Final = milliseconds / 1000
        self._policy: Final = policy
        self._model: Final = model
        self._options: Final = vec[i64]([0] * MAX_OPTIONS)  # the first is the policy's
        self._sums: Final = vec[float]([0.0] * MAX_OPTIONS)  # of the values of an option
        self._gains: Final = vec[float]([0.0] * MAX_OPTIONS)  # sums of the differences to the policy's option
        self._squares: Final = vec[float]([0.0] * MAX_OPTIONS)  # sums of the squares of these differences
        self._world: AcquireState | None = None  # a draw of what the seat cannot see
        self._trial: AcquireState | None = None

    def begin(self) -> None:
        self._policy.begin()

    def choose(self, state: AcquireState, rng: Random) -> i64:
        usual = self._policy.choose(state, rng)
        count = self._list_options(state, usual)
        return usual if count == 1 else self._best_of(state, count, rng)

    # -- Options -----------------------------------------------------------------------------------

    def _list_options(self, state: AcquireState, usual: i64) -> i64:
        """List the options to compare, `usual` first, and return their number."""
        fields = state.fields
        phase = fields[layout.PHASE]
        self._options[0] = usual
        count: i64 = 1
        if phase == PLACE:
            first = layout.HANDS + fields[layout.TURN] * layout.STRIDE
            for slot in range(first, first + state.spec.hand):
                if fields[slot] and state.kind(fields[slot]) <= MERGES:
                    count = self._add(count, fields[slot])
        elif phase == DISPOSE:
            held, most = state.held(), state.most_trade()
            for index in range(i64(PARTS * PARTS)):
                count = self._add(count, offer(index, held, most))
        elif phase == BUY:
            if state.may_end() and not fields[layout.ANNOUNCED]:
                count = self._add(count, usual ^ DECLARE_END)
            for index in range(state.list_purchases()):
                purchase = state.purchase(index)
                if _is_near(purchase, usual & ~DECLARE_END, state.spec.chains):
                    count = self._add(count, purchase | (usual & DECLARE_END))
        else:
            left = fields[layout.OPTIONS]
            while left:
                count = self._add(count, LOWEST[left])
                left &= left - 1
        return count

    def _add(self, count: i64, option: i64) -> i64:
        """Add an option to the first `count` ones, unless it is among them, and return their number."""
        for index in range(count):
            if self._options[index] == option:
                return count
        self._options[count] = option
        return count + 1

    # -- Comparison --------------------------------------------------------------------------------

    def _best_of(self, state: AcquireState, count: i64, rng: Random) -> i64:
        """Return the best of the first `count` options, by sequential halving."""
        for index in range(count):
            self._sums[index] = 0.0
            self._gains[index] = 0.0
            self._squares[index] = 0.0
        rounds: i64 = 1
        while (count - 1) >> rounds:
            rounds += 1
        draws: i64 = 0
        left = count
        end = perf_counter()
        for _ in range(rounds):
            end += self._seconds / float(rounds)
            last = draws + max(self.playouts // (rounds * left), i64(1))
            while True:
                self._compare(state, left, rng)
                draws += 1
                if draws == last or (self._seconds and perf_counter() >= end):
                    break
            kept = max(1 + (left >> 1), i64(2))
            self._move_best_forward(kept, left)
            left = kept
        mean = self._gains[1] / float(draws)
        variance = max(self._squares[1] / float(draws) - mean * mean, 1e-12)
        return self._options[1] if mean > CAUTION * sqrt(variance / float(draws)) else self._options[0]

    def _compare(self, state: AcquireState, count: i64, rng: Random) -> None:
        """Play a game for each of the first `count` options, all from one draw of what the seat cannot see."""
        world, trial = self._world, self._trial
        if world is None or trial is None or world.spec is not state.spec:
            world, trial = AcquireState(state.spec), AcquireState(state.spec)
            self._world, self._trial = world, trial
        seat = state.fields[layout.SEAT]
        world.resample_from(state, seat, rng)
        seed = rng.bits()
        self.played += count
        usual = 0.0
        for index in range(count):
            trial.copy_from(world)
            trial.play(self._options[index])
            dice = Random(int(seed))
            while trial.fields[layout.PHASE] != OVER:
                trial.play(self._model.choose(trial, dice))
            value = playout_value(trial, seat)
            if index == 0:
                usual = value
            self._sums[index] += value
            self._gains[index] += value - usual
            self._squares[index] += (value - usual) * (value - usual)

    def _move_best_forward(self, wanted: i64, count: i64) -> None:
        """Sort the options from index 1 on, until the first `wanted` ones are the best; the policy's stays first."""
        for place in range(i64(1), min(wanted, count)):
            best = place
            for index in range(place + 1, count):
                if self._sums[index] > self._sums[best]:
                    best = index
            _swap(self._sums, place, best)
            _swap(self._gains, place, best)
            _swap(self._squares, place, best)
            self._options[place], self._options[best] = self._options[best], self._options[place]


def _swap(values: vec[float], one: i64, other: i64) -> None:
    values[one], values[other] = values[other], values[one]


def _is_near(purchase: i64, usual: i64, chains: i64) -> bool:
    """Return whether a purchase is of one chain alone, or differs by one share added, removed or exchanged."""
    added: i64 = 0
    removed: i64 = 0
    bought: i64 = 0  # chains
    for chain in range(chains):
        shares = shares_in(purchase, chain)
        if shares:
            bought += 1
        difference = shares - shares_in(usual, chain)
        if difference > 0:
            added += difference
        else:
            removed -= difference
    return bought <= 1 or (added <= 1 and removed <= 1)
