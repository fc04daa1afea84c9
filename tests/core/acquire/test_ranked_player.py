"""The player by programs: its choices are the best of what it tries, ties fall by the rule, and trials leave no trace."""

from collections import Counter

import pytest

from core.acquire.actions import BUY, DECLARE_END, PLACE
from core.acquire.notation import to_text
from core.acquire.players import TIE_FIRST, TIE_LAST, TIE_RANDOM
from core.acquire.playout import GameRunner
from core.acquire.program import CONSTANT, LEAF, MULTIPLY, SUBTRACT, Program
from core.acquire.ranked_player import (
    ALL_SETS,
    FEATURES,
    HELD,
    LEFT,
    MONEY,
    MOST_SHARES,
    SINGLE_SHARES,
    TILES,
    Purchases,
    RankedFeatures,
    RankedPlayer,
    ranked,
)
from core.acquire.rules import PRESETS, GameSpec
from core.acquire.state import AcquireState
from core.random import Random
from tests.core.acquire.tables import random_game

THESIS = GameSpec(PRESETS["thesis-2002"], 2)
SEVEN = GameSpec(PRESETS["thesis-7"], 2)


def view(*prefix: int) -> RankedFeatures:
    return RankedFeatures(Program(prefix, (0.0,), FEATURES))


def player(
    place: RankedFeatures | None,
    buy: RankedFeatures | None,
    tie: int = TIE_RANDOM,
    purchases: int = ALL_SETS,
    samples: int = 1,
) -> RankedPlayer:
    return RankedPlayer(place, buy, tie, 0, 0, 0, purchases, samples)


def states(setting: GameSpec, phase: int, seeds: range) -> list[AcquireState]:
    """With more than one option."""
    return [
        state.clone()
        for seed in seeds
        for state in random_game(setting, seed)
        if state.phase() == phase and len(state.legal_actions()) > 1
    ]


def test_the_player_takes_the_tile_with_the_best_outcome() -> None:
    """Where no chance comes in: by the size of the largest chain."""
    largest = player(view(LEAF + ranked(TILES, 0)), None, TIE_FIRST)
    checked = 0
    for state in states(SEVEN, PLACE, range(3)):
        outcomes = {}
        for tile in state.legal_actions():
            after = state.clone()
            after.mark()
            after.apply(tile)
            if after.phase() == BUY:
                outcomes[tile] = max(int(after.fields[24 + chain]) for chain in range(7))
        if len(outcomes) == len(state.legal_actions()):
            checked += 1
            assert largest.choose(state, Random(1)) == max(outcomes, key=lambda tile: (outcomes[tile], -tile))
    assert checked > 30


def test_the_player_takes_the_purchase_with_the_best_outcome() -> None:
    miser = player(None, view(LEAF + MONEY), TIE_FIRST)
    spender = player(None, view(SUBTRACT, CONSTANT, LEAF + MONEY), TIE_FIRST)
    for state in states(THESIS, BUY, range(2)):
        cash = {}
        for index in range(int(state.list_purchases())):
            purchase = int(state.purchase(index))
            after = state.clone()
            after.mark()
            after.apply(purchase)
            cash[purchase] = int(after.fields[state.player()])
        assert miser.buy(state, Random(1)) == 0
        assert cash[int(spender.buy(state, Random(1)))] == min(cash.values())


@pytest.mark.parametrize("samples", [1, 5, 0])
def test_trying_actions_leaves_the_state_unchanged(samples: int) -> None:
    thinker = player(view(LEAF + ranked(HELD, 0)), view(LEAF + ranked(HELD, 0)), samples=samples)
    rng = Random(4)
    for setting in (THESIS, SEVEN):
        for state in random_game(setting, 5):
            if not state.is_terminal():
                before, actions = to_text(state), state.legal_actions()
                assert thinker.choose(state, rng) in actions
                assert to_text(state) == before


def test_ties_are_broken_by_the_configured_rule() -> None:
    blind = view(CONSTANT)
    (state, *_) = [each for each in states(THESIS, BUY, range(3)) if len(each.legal_actions()) == 20]
    options = state.legal_actions()
    assert player(None, blind, TIE_FIRST).buy(state, Random(1)) == options[0] == 0
    assert player(None, blind, TIE_LAST).buy(state, Random(1)) == options[-1]
    rng = Random(2)
    drawn = Counter(int(player(None, blind, TIE_RANDOM).buy(state, rng)) for _ in range(4000))
    assert set(drawn) == set(options) and all(130 < count < 280 for count in drawn.values()), "200 each"


def test_blind_programs_draw_like_programs_with_equal_values() -> None:
    """What a purchase cannot change is not even looked at, and that makes no difference."""
    blind = view(LEAF + ranked(TILES, 0))
    seeing = view(SUBTRACT, LEAF + MONEY, LEAF + MONEY)
    assert not Purchases(blind).are_seen and Purchases(seeing).are_seen
    for state in states(THESIS, BUY, range(2)):
        one, other = Random(3), Random(3)
        assert player(None, blind).buy(state, one) == player(None, seeing).buy(state, other)
        assert one.bits() == other.bits()


def test_the_considered_purchases_can_be_restricted() -> None:
    for purchases, most in ((ALL_SETS, None), (MOST_SHARES, None), (SINGLE_SHARES, 1)):
        buyer = player(None, view(LEAF + ranked(LEFT, 0)), TIE_RANDOM, purchases)
        for state in states(THESIS, BUY, range(1)):
            options = [
                sum((action >> 4 * chain) & 15 for chain in range(3)) for action in state.legal_actions()
            ]
            bought = int(buyer.buy(state, Random(1)))
            shares = sum((bought >> 4 * chain) & 15 for chain in range(3))
            assert most is None or shares <= most
            assert purchases != MOST_SHARES or shares == max(options)


def test_a_single_option_draws_no_random_number() -> None:
    blind = player(view(CONSTANT), view(CONSTANT))
    checked = 0
    for seed in range(6):
        for state in random_game(THESIS, seed):
            if not state.is_terminal() and state.phase() == PLACE and len(state.legal_actions()) == 1:
                rng = Random(1)
                assert blind.place(state, rng) == state.legal_actions()[0]
                assert rng.bits() == Random(1).bits()
                checked += 1
    assert checked


def test_a_founding_is_valued_by_the_mean_over_possible_chains() -> None:
    """The mean of the largest chain's price over the chains that could be founded, against many samples."""
    price = LEAF + ranked(4, 0)
    mean, sampled = (player(view(price), None, TIE_FIRST, ALL_SETS, samples) for samples in (0, 400))
    same = sum(
        mean.place(state, Random(1)) == sampled.place(state, Random(2))
        for state in states(SEVEN, PLACE, range(1))[:20]
    )
    assert same >= 17


def test_values_that_are_not_a_number_count_as_ties() -> None:
    """Cash to the power of 128 is infinite, and infinity minus itself no number: all options count alike."""
    infinite: tuple[int, ...] = (LEAF + MONEY,)
    for _ in range(7):
        infinite = (MULTIPLY, *infinite, *infinite)
    nothing = view(SUBTRACT, *infinite, *infinite)
    checked = 0
    for state in states(THESIS, BUY, range(6))[::25]:
        if state.cash(state.player()) < 4000:
            continue  # some purchase would leave too little for that
        assert player(None, nothing, TIE_FIRST).buy(state, Random(1)) == 0
        assert (
            player(None, nothing, TIE_LAST).buy(state, Random(1))
            == [a for a in state.legal_actions() if a < DECLARE_END][-1]
        )
        checked += 1
    assert checked > 5


def test_games_depend_on_the_seed_alone() -> None:
    def worths(seed: int) -> list[int]:
        chooser = [player(view(LEAF + ranked(TILES, 0)), view(LEAF + ranked(HELD, 1))) for _ in "ab"]
        return GameRunner(SEVEN).play([chooser[0], chooser[1]], 0, seed)

    assert [worths(seed) for seed in range(10)] == [worths(seed) for seed in range(10)]
    assert len({tuple(worths(seed)) for seed in range(10)}) == 10
