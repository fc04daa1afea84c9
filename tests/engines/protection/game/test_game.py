"""Whole games: streams, turns, money, ends, and games told again."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.protection.board import Scenario
from core.protection.rules import ARMOR, DRONE, INFANTRY, RULES
from core.protection.turn import TurnLog
from core.random import Random
from engines.protection.game.chance import MAP, Seeded, combat, placing, rating
from engines.protection.game.game import ProtectionGame, begun, replayed
from engines.protection.game.setup import Placement, Setup
from engines.protection.genome import Genome
from engines.protection.pool.handwritten import handwritten
from tests.core.protection.boards import always, at, plain_map

STRINGS = [genome.code for genome in handwritten().values()]
NOBODY_BOUGHT = bytes(132)


def test_the_streams_are_those_of_the_protocol() -> None:
    """The seeds that `galapagos/1` gives for the seed 42 and this salt."""
    chance = Seeded(42, "9f2c4e0b7d1a55c3a1e6b87f20d4c913")
    purposes = [MAP, placing(1), combat(1), rating(1, 17, 0)]
    assert [f"{chance.stream_seed(purpose):016x}" for purpose in purposes] == [
        "e675ae3af30c26db",
        "cfacbfde8393084b",
        "61901d4b81cfc9ad",
        "fa4ef30d80f20732",
    ]
    rolls = chance.stream(combat(1))
    assert [rolls.below(9) + 1 for _ in range(8)] == [9, 2, 6, 2, 3, 6, 2, 4]


def played(seed: int, strings: list[bytes], turns: int = 6) -> ProtectionGame:
    """A human who buys at random."""
    game, rng = begun(RULES["improved"], Seeded(seed)), Random(seed)
    while game.over is None and len(game.turns) < turns:
        free = [square for square in range(576) if game.state.is_free(square)]
        squares = sorted({free[rng.below(len(free))] for _ in range(12)})
        kinds = [rng.below(5) + 1 for _ in squares]
        costs = [game.state.scenario.rules.units[kind].cost for kind in kinds]
        if sum(costs) <= game.state.treasury:
            game.set_up(Setup(place=tuple(map(Placement, kinds, squares))))
        game.play(strings[rng.below(len(strings))])
    return game


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 1 << 53))
def test_chaos_pays_from_its_own_treasury_and_every_dollar_is_in_the_audit(seed: int) -> None:
    game = played(seed, STRINGS)
    before = 2000
    for turn in game.turns:
        audit = turn.audit
        assert audit.before == before and 0 <= audit.spent <= before
        assert audit.after == before - audit.spent + audit.refunds + audit.brought + audit.grant
        assert turn.chaos_value == audit.after - audit.grant
        before = audit.after
    assert game.state.chaos_treasury == before
    assert [turn.audit.grant for turn in game.turns[:3]] == [100, 108, 116][: len(game.turns)] or game.over


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 1 << 53))
def test_the_same_actions_are_the_same_game(seed: int) -> None:
    game = played(seed, STRINGS)
    again = replayed(begun(RULES["improved"], Seeded(seed)), game.actions)
    assert [turn.audit for turn in again.turns] == [turn.audit for turn in game.turns]
    assert [turn.human_value for turn in again.turns] == [turn.human_value for turn in game.turns]
    assert again.over == game.over


def test_a_turn_is_placed_by_its_own_stream_whatever_came_before() -> None:
    """A first turn with many dice and one with none: the same minions of the second turn stand where they stood."""
    rosters = []
    for first in (always(common="S")[:-4] + bytes([0, 0xF0, 0, 0]), NOBODY_BOUGHT):
        game = ProtectionGame(Scenario(RULES["improved"], plain_map("t")), Seeded(5), 2000, 2000)
        game.set_up(Setup(place=(Placement(ARMOR, at(3, 3)),)))
        game.play(first)
        log = TurnLog()
        game.play(always(common="R")[:-4] + bytes([0, 0xF0, 0, 0]), log)
        rosters.append(log.roster)
    shorter = min(len(roster) for roster in rosters)
    assert shorter > 30 and rosters[0][:shorter] == rosters[1][:shorter]


def ending(human: int, chaos: int, setup: Setup, turns: int = 1) -> tuple[tuple[int, str] | None, int]:
    """On hills, where a drone makes $50 a turn, against minions that are never bought."""
    game = ProtectionGame(Scenario(RULES["improved"], plain_map("n")), Seeded(1), human, chaos)
    for _ in range(turns):
        game.set_up(setup)
        played = game.play(NOBODY_BOUGHT)
        if game.over:
            break
    return game.over, played.audit.grant


def test_the_ends_one_below_at_and_above_their_ratio_before_the_grant() -> None:
    infantry = Setup(place=(Placement(INFANTRY, at(1, 1)),))
    assert ending(2000, 100, infantry)[0] is None
    assert ending(2001, 100, infantry) == ((0, "surrender"), 0)
    assert ending(1999, 100, infantry)[0] is None
    assert ending(100, 2000, infantry) == (None, 100)
    assert ending(100, 2001, infantry) == ((1, "chaos_twenty"), 0)
    assert ending(19, 200, Setup()) == ((1, "eliminated"), 0)
    assert ending(20, 200, Setup())[0] is None


def test_turn_60_goes_to_the_higher_value() -> None:
    """Chaos has been granted $115,949 after 59 turns; the drone makes $50 each turn."""
    drone = Setup(place=(Placement(DRONE, at(1, 1)),))
    game = ProtectionGame(Scenario(RULES["improved"], plain_map("n")), Seeded(1), 60_000, 60_000)
    game.set_up(drone)
    while game.over is None:
        game.play(NOBODY_BOUGHT)
    assert len(game.turns) == 60 and game.over == (1, "turn_cap")
    granted = sum(RULES["improved"].grant(turn) for turn in range(1, 60))
    assert game.turns[-1].chaos_value == 60_000 + granted


def test_a_random_string_is_a_legal_one() -> None:
    assert played(3, [Genome.random(Random(number)).code for number in range(5)]).turns
