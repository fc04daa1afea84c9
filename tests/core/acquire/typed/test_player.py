"""A typed player decides legally, leaves the state alone, and sees nothing that its seat may not see."""

import pytest

from core.acquire import layout, typed_features
from core.acquire.players import Heuristic
from core.acquire.playout import GameRunner
from core.acquire.program import LEAF, READ, SUBTRACT, Program
from core.acquire.rules import PRESETS, GameSpec
from core.acquire.typed_features import TypedFeatures
from core.acquire.typed_player import TypedPlayer
from core.random import Random
from engines.acquire.genome import Genome
from tests.core.acquire.tables import random_game

AHEAD = (SUBTRACT, LEAF + typed_features.MY_WORTH, LEAF + typed_features.BEST_OTHER_WORTH)
LEADING = (LEAF + typed_features.I_LEAD,)


def view(*prefix: int) -> TypedFeatures:
    return TypedFeatures(Program(prefix, (), typed_features.FEATURES), 0.01)


def greedy() -> TypedPlayer:
    """Wants to be ahead, whatever it decides."""
    place, buy, found, survivor, dispose = (view(*AHEAD) for _ in range(5))
    return TypedPlayer(place, buy, found, survivor, view(*LEADING), dispose, 0, 0, 0, 0)


@pytest.mark.parametrize(("name", "seats"), [("thesis-2002", 2), ("classic", 4), ("tlstyer", 6)])
def test_decisions_are_legal_and_leave_the_state_alone(name: str, seats: int) -> None:
    seen = set()
    players = [greedy(), *(Genome.random(Random(seed)).express() for seed in range(6))]
    for seed in range(4):
        for number, state in enumerate(random_game(GameSpec(PRESETS[name], seats), seed)):
            if state.is_terminal():
                continue
            before = state.__reduce__()
            action = players[number % 7].choose(state, Random(number))
            assert state.__reduce__() == before
            assert action in state.legal_actions()
            seen.add(layout.PHASES[int(state.fields[layout.PHASE])])
    assert {"place", "found", "dispose", "buy"} <= seen


def test_nothing_hidden_counts() -> None:
    player = greedy()
    for state in random_game(GameSpec(PRESETS["classic"], 3), 8):
        if state.is_terminal():
            continue
        chosen = player.choose(state, Random(3))
        for other in (state.resample(state.player(), Random(9)), state.observation(state.player())):
            assert player.choose(other, Random(3)) == chosen


def test_a_program_for_the_end_is_asked() -> None:
    never = TypedPlayer(None, None, None, None, view(LEAF + typed_features.FOUND_TILES), None, 0, 0, 1, 0)
    always = TypedPlayer(None, None, None, None, view(LEAF + typed_features.CAN_END), None, 0, 0, 2, 0)
    for state in random_game(GameSpec(PRESETS["classic"], 2), 1):
        if not state.is_terminal() and state.may_end():
            assert always.ends(state, Random(1)) is True
            state.fields[layout.HANDS + layout.STRIDE * state.fields[layout.TURN]] = 0
            assert isinstance(never.ends(state, Random(1)), bool)


def test_it_buys_what_its_program_wants() -> None:
    """All it can of the chain that a share is bought of, by its price: of the dearest one."""
    player = TypedPlayer(
        None,
        view(READ + typed_features.of_chains(typed_features.PRICE), LEAF + typed_features.BOUGHT),
        None,
        None,
        None,
        None,
        0,
        0,
        2,
        0,
    )
    bought = 0
    for state in random_game(GameSpec(PRESETS["classic"], 2), 4):
        if (
            not state.is_terminal()
            and layout.PHASES[int(state.fields[layout.PHASE])] == "buy"
            and state.can_buy()
        ):
            action = player.choose(state, Random(1))
            bought += 1
            shares = sum((action >> 4 * chain) & 15 for chain in range(7))
            most = max(sum((each >> 4 * chain) & 15 for chain in range(7)) for each in state.legal_actions())
            assert 1 <= shares <= most
    assert bought > 10


def test_being_ahead_is_worth_something() -> None:
    tables = GameRunner(GameSpec(PRESETS["thesis-2002"], 2))
    worths = [tables.play([greedy(), Heuristic()], game % 2, game // 2) for game in range(200)]
    assert 60 < sum(own > other for own, other in worths) < 130
