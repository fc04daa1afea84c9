"""Registers last for a game and no longer, count each turn once, and what others bought is what they did buy."""

from math import inf

import pytest
from librt.vecs import vec

from core.acquire import layout, typed_features
from core.acquire.game import deal, new_game, shuffled_bag
from core.acquire.layout import shares_in
from core.acquire.players import Player
from core.acquire.playout import GameRunner
from core.acquire.program import ADD, CONSTANT, DIVIDE, LEAF, MULTIPLY, READ, Program
from core.acquire.rules import PRESETS, GameSpec
from core.acquire.state import AcquireState
from core.acquire.typed_features import Move, TypedFeatures
from core.acquire.typed_player import Memory, TypedPlayer
from core.random import Random
from tests.core.acquire.tables import random_game

COUNT = (ADD, LEAF + typed_features.MEMORY, CONSTANT)
EXPLODING = (MULTIPLY, CONSTANT, CONSTANT)
SETTING = GameSpec(PRESETS["thesis-7"], 3)


def view(prefix: tuple[int, ...], *constants: float) -> TypedFeatures:
    return TypedFeatures(Program(prefix, constants, typed_features.FEATURES))


def remembering(*programs: TypedFeatures | None) -> tuple[TypedPlayer, Memory]:
    """A player who buys by what it has in its first register: which one it is makes a difference."""
    buy = view(
        (
            MULTIPLY,
            LEAF + typed_features.MEMORY,
            READ + typed_features.of_chains(typed_features.PRICE),
            LEAF + typed_features.BOUGHT,
        )
    )
    memory = Memory([*programs, *[None] * (typed_features.REGISTERS - len(programs))], [buy])
    return TypedPlayer(None, buy, None, None, None, None, 0, 0, 0, 0, memory), memory


def game(seed: int) -> AcquireState:
    state = AcquireState(SETTING)
    deal(state, shuffled_bag(SETTING, Random(seed)))
    return state


def test_every_purchase_counts_once_however_often_it_is_asked_for() -> None:
    player, memory = remembering(view(COUNT, 1.0))
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
        purchases += int(state.fields[layout.PHASE] == layout.BUY)
        assert memory.values[0] == purchases
        state.apply(chosen[0])
    assert purchases > 5


def test_game_after_game_is_as_with_a_new_player() -> None:
    tables = GameRunner(SETTING)
    once, _ = remembering(view(COUNT, 1.0))
    results = [tables.play([once, Player(), Player()], seed % 3, seed // 2) for seed in range(40)]
    again = [
        tables.play([remembering(view(COUNT, 1.0))[0], Player(), Player()], seed % 3, seed // 2)
        for seed in range(40)
    ]
    assert results == again
    forgetful = [
        tables.play([remembering()[0], Player(), Player()], seed % 3, seed // 2) for seed in range(40)
    ]
    assert results != forgetful, "what is remembered makes a difference"


def test_who_is_asked_again_in_a_game_on_record_remembers_the_same() -> None:
    """As when a table goes on from its record: a new player is asked once more at its own decisions."""
    programs = [(COUNT, 1.0), ((READ + typed_features.of_chains(typed_features.HELD), CONSTANT), 1.0)]
    player, memory = remembering(*(view(*each) for each in programs))
    state, own, others = game(1), Random(2), Random(3)
    actions = []
    while not state.is_terminal():
        is_own = state.player() == 1
        actions.append((player if is_own else Player()).choose(state, own if is_own else others))
        state.apply(actions[-1])
    again, other = remembering(*(view(*each) for each in programs))
    state, own = game(1), Random(2)
    for action in actions:
        if state.player() == 1:
            assert again.choose(state, own) == action
        state.apply(action)
    assert other.values == memory.values != vec[float]([0.0] * 4)


def test_the_state_after_the_purchase_is_looked_at() -> None:
    held = view((READ + typed_features.of_chains(typed_features.HELD), CONSTANT), 0.0)
    seen = 0
    for state in random_game(SETTING, 5):
        if state.fields[layout.PHASE] != layout.BUY or state.is_terminal():
            continue
        memory = Memory([held, None, None, None], [])
        for action in state.legal_actions():
            after = state.clone()
            memory.remember(state, action)
            bought = shares_in(action & ~layout.DECLARE_END, 0)
            view_after = view((READ + typed_features.of_chains(typed_features.HELD), CONSTANT), 0.0)
            own = view_after.value(after, after.fields[layout.SEAT], Move())
            assert memory.values[0] == own + float(bought)
            seen += bought > 0
    assert seen > 10


def test_what_is_no_finite_number_is_not_kept() -> None:
    state = next(each for each in random_game(SETTING, 5) if each.fields[layout.PHASE] == layout.BUY)
    memory = Memory([view(EXPLODING, 1e200, 1e200), view((CONSTANT,), inf), view((CONSTANT,), 3.0), None], [])
    memory.remember(state, 0)
    assert memory.values == vec[float]([0.0, 0.0, 3.0, 0.0])
    memory.begin()
    assert memory.values == vec[float]([0.0] * 4)


def test_all_programs_are_valued_by_what_was_before() -> None:
    other = (LEAF + typed_features.MEMORY + 1,)
    memory = Memory(
        [view(other), view(COUNT, 1.0), view((DIVIDE, CONSTANT, LEAF + typed_features.MEMORY), 6.0), None], []
    )
    states = [each.clone() for each in random_game(SETTING, 5) if each.fields[layout.PHASE] == layout.BUY][:3]
    for state, expected in zip(states, ([0, 1, 0, 0], [1, 1, 0, 0], [1, 2, 6, 0]), strict=True):
        memory.remember(state, 0)
        assert memory.values == vec[float](list(map(float, expected)))


def test_there_is_a_program_for_every_register() -> None:
    with pytest.raises(ValueError, match="4 registers have no 1 programs"):
        Memory([None], [])


def test_what_others_bought() -> None:
    """In their last turns, as everybody at the table has heard."""
    looking = view((READ + typed_features.of_chains(typed_features.OTHERS_BOUGHT), CONSTANT), 0.0)
    player = Player()
    seen = 0
    for seed in range(5):
        rng = Random(seed)
        state = new_game(SETTING, [int(tile) for tile in shuffled_bag(SETTING, rng)], records_events=True)
        last = [0, 0, 0]
        while not state.is_terminal():
            for kind, seat, purchase, *_ in state.events:
                if kind in (layout.TURN_BEGINS, layout.BOUGHT):
                    last[seat] = purchase if kind == layout.BOUGHT else 0
            state.events.clear()
            for own in range(3):
                looking.value(state, own, Move())
                for chain in range(7):
                    expected = sum(shares_in(last[other], chain) for other in range(3) if other != own)
                    value = looking.evaluator.values[
                        typed_features.of_chains(typed_features.OTHERS_BOUGHT) + chain
                    ]
                    assert value == expected, (own, chain)
                    seen += expected > 0
            state.apply(player.choose(state, rng))
    assert seen > 100
