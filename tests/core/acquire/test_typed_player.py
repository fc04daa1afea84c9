"""A typed player decides legally, leaves the state alone, remembers, and sees nothing that its seat may not see."""

from collections import Counter
from collections.abc import Iterator
from math import inf

import pytest
from librt.vecs import vec

from core.acquire import typed_features
from core.acquire.actions import BUY, DECLARE_END, PHASES, shares_in
from core.acquire.events import Bought, TurnStarted
from core.acquire.game import deal, new_game, shuffled_bag
from core.acquire.players import ALWAYS, NEVER, Heuristic, Player
from core.acquire.playout import GameRunner
from core.acquire.program import ADD, CONSTANT, DIVIDE, LEAF, MULTIPLY, READ, SUBTRACT, Program
from core.acquire.rules import PRESETS, GameSpec
from core.acquire.state import AcquireState
from core.acquire.typed_features import Move, TypedFeatures
from core.acquire.typed_player import Decisions, Memory, TypedPlayer
from core.random import Random
from tests.core.acquire.tables import random_game
from tests.engines.acquire.genomes import composed

AHEAD = (SUBTRACT, LEAF + typed_features.MY_WORTH, LEAF + typed_features.BEST_OTHER_WORTH)
LEADING = (LEAF + typed_features.I_LEAD,)


def view(*prefix: int) -> TypedFeatures:
    return TypedFeatures(Program(prefix, (), typed_features.FEATURES), 0.01)


def greedy() -> TypedPlayer:
    """Wants to be ahead, whatever it decides."""
    place, buy, found, survivor, dispose = (view(*AHEAD) for _ in range(5))
    return TypedPlayer(Decisions(place, buy, found, survivor, view(*LEADING), dispose), 0, 0, 0, 0)


@pytest.mark.parametrize(("name", "seats"), [("thesis-2002", 2), ("classic", 4), ("tlstyer", 6)])
def test_decisions_are_legal_and_leave_the_state_alone(name: str, seats: int) -> None:
    seen = set()
    players = [greedy(), *(composed(seed).express() for seed in range(6))]
    for seed in range(4):
        for number, state in enumerate(random_game(GameSpec(PRESETS[name], seats), seed)):
            if state.is_terminal():
                continue
            before = state.__reduce__()
            action = players[number % 7].choose(state, Random(number))
            assert state.__reduce__() == before
            assert action in state.legal_actions()
            seen.add(PHASES[state.phase()])
    assert {"place", "found", "dispose", "buy"} <= seen


def test_decisions_do_not_depend_on_hidden_facts() -> None:
    player = greedy()
    for state in random_game(GameSpec(PRESETS["classic"], 3), 8):
        if state.is_terminal():
            continue
        chosen = player.choose(state, Random(3))
        for other in (state.resample(state.player(), Random(9)), state.observation(state.player())):
            assert player.choose(other, Random(3)) == chosen


def test_the_end_program_decides_whether_to_end_the_game() -> None:
    """And not the setting for players without such a program."""
    nothing = (SUBTRACT, LEAF + typed_features.CAN_END, LEAF + typed_features.CAN_END)
    never = TypedPlayer(Decisions(end=view(*nothing)), 0, 0, ALWAYS, 0)
    always = TypedPlayer(Decisions(end=view(LEAF + typed_features.CAN_END)), 0, 0, NEVER, 0)
    leading = TypedPlayer(Decisions(end=view(*LEADING)), 0, 0, NEVER, 0)
    ended = Counter[bool]()
    for seed in range(4):
        for state in random_game(GameSpec(PRESETS["classic"], 2), seed):
            if state.is_terminal():
                continue
            worths, seat = state.worths(), state.turn()
            is_ahead = worths[seat] > worths[1 - seat]
            assert always.ends(state, Random(1)) is state.may_end()
            assert never.ends(state, Random(1)) is False
            assert leading.ends(state, Random(1)) is (state.may_end() and is_ahead)
            if state.may_end():
                ended[is_ahead] += 1
    assert min(ended[True], ended[False]) > 5


def test_the_player_buys_the_shares_that_its_program_values_most() -> None:
    """Here a share is worth its price, and buying nothing 0: the dearest that the seat can pay, one after another."""
    wanted = view(READ + typed_features.first_slot(typed_features.PRICE), LEAF + typed_features.BOUGHT)
    player = TypedPlayer(Decisions(buy=wanted), 0, 0, 2, 0)
    bought = Counter[int]()
    for state in random_game(GameSpec(PRESETS["classic"], 2), 4):
        if not state.is_terminal() and PHASES[state.phase()] == "buy" and state.can_buy():
            action = player.choose(state, Random(1))
            shares = [shares_in(action, chain) for chain in range(7)]
            assert sorted(dearest(state)) == sorted(
                price for price, count in zip(state.prices(), shares, strict=True) for _ in range(count)
            )
            bought[sum(shares)] += 1
    assert bought[3] > 10 and bought.keys() <= {1, 2, 3}


def dearest(state: AcquireState) -> Iterator[int]:
    """Yield the prices of at most three shares, each the dearest that the bank has and the rest of the cash pays."""
    cash, banks = int(state.cash(state.turn())), state.banks()
    for _ in range(3):
        prices = [
            price if banks[chain] and price <= cash else 0 for chain, price in enumerate(state.prices())
        ]
        if max(prices) > 0:
            yield max(prices)
            cash -= max(prices)
            banks[prices.index(max(prices))] -= 1


def test_a_greedy_player_wins_a_fair_share_against_the_heuristic() -> None:
    tables = GameRunner(GameSpec(PRESETS["thesis-2002"], 2))
    worths = [tables.play([greedy(), Heuristic()], game % 2, game // 2) for game in range(200)]
    assert 60 < sum(own > other for own, other in worths) < 130


COUNT = (ADD, LEAF + typed_features.MEMORY, CONSTANT)
EXPLODING = (MULTIPLY, CONSTANT, CONSTANT)
SETTING = GameSpec(PRESETS["thesis-7"], 3)


def numbers(prefix: tuple[int, ...], *constants: float) -> TypedFeatures:
    return TypedFeatures(Program(prefix, constants, typed_features.FEATURES))


def player_with_memory(*programs: TypedFeatures | None) -> tuple[TypedPlayer, Memory]:
    """A player who buys by what it has in its first register: which one it is makes a difference."""
    buy = numbers(
        (
            MULTIPLY,
            LEAF + typed_features.MEMORY,
            READ + typed_features.first_slot(typed_features.PRICE),
            LEAF + typed_features.BOUGHT,
        )
    )
    memory = Memory([*programs, *[None] * (typed_features.REGISTERS - len(programs))], [buy])
    return TypedPlayer(Decisions(buy=buy), 0, 0, 0, 0, memory), memory


def game(seed: int) -> AcquireState:
    state = AcquireState(SETTING)
    deal(state, shuffled_bag(SETTING, Random(seed)))
    return state


def test_memory_counts_a_purchase_once_even_if_chosen_repeatedly() -> None:
    player, memory = player_with_memory(numbers(COUNT, 1.0))
    others = Player()
    state, rng = game(1), Random(2)
    purchases = 0
    while not state.is_terminal():
        if state.player() != 1:
            state.apply(others.choose(state, rng))
            continue
        before = state.__reduce__()
        chosen = [player.choose(state, Random(7)) for _ in range(3)]
        assert len(set(chosen)) == 1 and state.__reduce__() == before
        purchases += int(state.phase() == BUY)
        assert memory.values[0] == purchases
        state.apply(chosen[0])
    assert purchases > 5


def test_memory_is_cleared_between_games() -> None:
    tables = GameRunner(SETTING)
    once, _ = player_with_memory(numbers(COUNT, 1.0))
    results = [tables.play([once, Player(), Player()], seed % 3, seed // 2) for seed in range(40)]
    again = [
        tables.play([player_with_memory(numbers(COUNT, 1.0))[0], Player(), Player()], seed % 3, seed // 2)
        for seed in range(40)
    ]
    assert results == again
    forgetful = [
        tables.play([player_with_memory()[0], Player(), Player()], seed % 3, seed // 2) for seed in range(40)
    ]
    assert results != forgetful, "what is remembered makes a difference"


def test_replaying_a_recorded_game_restores_the_memory() -> None:
    """As when a table goes on from its record: a new player is asked once more at its own decisions."""
    programs = [(COUNT, 1.0), ((READ + typed_features.first_slot(typed_features.HELD), CONSTANT), 1.0)]
    player, memory = player_with_memory(*(numbers(*each) for each in programs))
    state, own, others = game(1), Random(2), Random(3)
    actions = []
    while not state.is_terminal():
        is_own = state.player() == 1
        actions.append((player if is_own else Player()).choose(state, own if is_own else others))
        state.apply(actions[-1])
    again, other = player_with_memory(*(numbers(*each) for each in programs))
    state, own = game(1), Random(2)
    for action in actions:
        if state.player() == 1:
            assert again.choose(state, own) == action
        state.apply(action)
    assert other.values == memory.values != vec[float]([0.0] * 4)


def test_memory_programs_see_the_state_after_the_purchase() -> None:
    held = numbers((READ + typed_features.first_slot(typed_features.HELD), CONSTANT), 0.0)
    seen = 0
    for state in random_game(SETTING, 5):
        if state.phase() != BUY or state.is_terminal():
            continue
        memory = Memory([held, None, None, None], [])
        for action in state.legal_actions():
            after = state.clone()
            memory.remember(state, action)
            bought = shares_in(action & ~DECLARE_END, 0)
            view_after = numbers((READ + typed_features.first_slot(typed_features.HELD), CONSTANT), 0.0)
            own = view_after.value(after, after.player(), Move())
            assert memory.values[0] == own + float(bought)
            seen += bought > 0
    assert seen > 10


def test_memory_does_not_keep_values_that_are_not_finite() -> None:
    state = next(each for each in random_game(SETTING, 5) if each.phase() == BUY)
    memory = Memory(
        [numbers(EXPLODING, 1e200, 1e200), numbers((CONSTANT,), inf), numbers((CONSTANT,), 3.0), None], []
    )
    memory.remember(state, 0)
    assert memory.values == vec[float]([0.0, 0.0, 3.0, 0.0])
    memory.begin()
    assert memory.values == vec[float]([0.0] * 4)


def test_memory_programs_all_read_the_previous_registers() -> None:
    other = (LEAF + typed_features.MEMORY + 1,)
    memory = Memory(
        [
            numbers(other),
            numbers(COUNT, 1.0),
            numbers((DIVIDE, CONSTANT, LEAF + typed_features.MEMORY), 6.0),
            None,
        ],
        [],
    )
    states = [each.clone() for each in random_game(SETTING, 5) if each.phase() == BUY][:3]
    for state, expected in zip(states, ([0, 1, 0, 0], [1, 1, 0, 0], [1, 2, 6, 0]), strict=True):
        memory.remember(state, 0)
        assert memory.values == vec[float](list(map(float, expected)))


def test_a_wrong_number_of_register_programs_is_refused() -> None:
    with pytest.raises(ValueError, match="4 registers need as many programs, not 1"):
        Memory([None], [])


def test_others_bought_counts_the_purchases_of_the_last_turns() -> None:
    """In their last turns, as every player has been told."""
    looking = numbers((READ + typed_features.first_slot(typed_features.OTHERS_BOUGHT), CONSTANT), 0.0)
    player = Player()
    seen = 0
    for seed in range(5):
        rng = Random(seed)
        state = new_game(SETTING, [int(tile) for tile in shuffled_bag(SETTING, rng)], records_events=True)
        last = [0, 0, 0]
        while not state.is_terminal():
            for event in state.events:
                if isinstance(event, TurnStarted):
                    last[event.seat] = 0
                elif isinstance(event, Bought):
                    last[event.seat] = event.purchase
            state.events.clear()
            for own in range(3):
                looking.value(state, own, Move())
                for chain in range(7):
                    expected = sum(shares_in(last[other], chain) for other in range(3) if other != own)
                    value = looking.evaluator.values[
                        typed_features.first_slot(typed_features.OTHERS_BOUGHT) + chain
                    ]
                    assert value == expected, (own, chain)
                    seen += expected > 0
            state.apply(player.choose(state, rng))
    assert seen > 100
