"""Advanced Protection move by move: the laws of all games, the same turns as otherwise, and what each side sees."""

import pickle

import pytest

from core.game import SPECTATOR, State
from core.protection.game import GO, MAX_STEPS, Protection, ProtectionMoves
from core.protection.policy import STRING_BYTES, Policy
from core.protection.rules import CHAOS, FIELDS, HUMAN, RULES, SQUARES, Rules
from core.protection.state import ProtectionState
from core.protection.turn import Dice
from core.random import Random
from engines.player import RandomPlayer
from tests.conformance import check_game, check_state

RNG = Random(7)
STRINGS = bytes(RNG.below(256) for _ in range(3 * STRING_BYTES))


def short(turns: int, minions: int) -> Rules:
    """The rules for people, in games of so many turns, each of so many minions."""
    fields = {name: getattr(RULES["improved"], name) for name in FIELDS}
    return Rules(name="short", **fields | {"turn_cap": turns, "max_minions": minions})


SHORT = short(3, 50)


def begun(seed: int = 1, rules: Rules = SHORT) -> ProtectionMoves:
    return Protection(rules, STRINGS).new_state(Random(seed))


def placements(state: ProtectionMoves) -> list[int]:
    return [each for each in state.legal_actions() if each != GO and "salvage" not in state.action_text(each)]


def built(state: ProtectionMoves, units: int) -> None:
    """Buy the cheapest units, as many as can be paid, on the first squares."""
    for _ in range(units):
        if wanted := placements(state):
            state.apply(wanted[0])
    state.apply(GO)


def test_protection_passes_the_game_conformance_checks() -> None:
    check_game(Protection(short(1, 20), STRINGS), games=1)


def test_states_during_a_game_pass_the_conformance_checks() -> None:
    state = begun()
    check_state(state, 2)
    for units in (3, 40, 0):
        built(state, units)
        check_state(state, 2)
        state.apply(units % 3)
        check_state(state, 2)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_turn_in_the_game_equals_a_turn_played_directly(rules: Rules) -> None:
    state = begun(5, rules)
    direct = state.turns.clone()
    built(state, 9)
    for unit in state.turns.units.values():
        direct.place(unit.code, unit.square)
    assert direct.human_value() == state.turns.human_value()
    dice = (state.seed << 10) + 2
    direct.play(Policy(STRINGS[:STRING_BYTES]), Random(dice), Dice(Random(dice + 1)))
    state.apply(0)
    assert pickle.dumps(direct) == pickle.dumps(state.turns)
    assert state.before.turn == direct.turn


def test_opponents_do_not_see_the_setup_before_the_turn() -> None:
    state = begun()
    empty = state.observation(SPECTATOR).text()
    state.apply(placements(state)[0])
    assert state.observation(HUMAN).turns.units and state.observation(HUMAN).text() == state.text()
    state.apply(GO)
    for seat in (CHAOS, SPECTATOR):
        assert not state.observation(seat).turns.units
        assert state.observation(seat).legal_actions() == state.legal_actions() == [0, 1, 2]
        assert state.observation(seat).text().splitlines()[1:] == empty.splitlines()[1:]
        assert state.observation(seat).seed == 0
    state.apply(1)
    assert state.observation(CHAOS).text() == state.text(), "when the turn is over, everything is seen"


def test_resampled_states_continue_with_different_dice() -> None:
    scenario = begun().turns.scenario
    state = ProtectionMoves(ProtectionState(scenario, 8_000, 9_000), STRINGS, 1)
    built(state, 100)
    worths = set()
    for seed in range(20):
        imagined: State = state.resample(HUMAN, Random(seed))
        imagined.apply(2)
        assert isinstance(imagined, ProtectionMoves)
        worths.add((imagined.turns.human_value(), imagined.turns.chaos_value()))
    assert len(worths) > 1 and state.turns.turn == 1


def test_a_setup_ends_after_the_maximum_number_of_steps() -> None:
    state = begun()
    for _ in range(MAX_STEPS // 2):
        square = placements(state)[0]
        state.apply(square)
        (number,) = state.turns.units
        state.apply(
            state.action_from(f"salvage {(square - 1) % SQUARES % 24},{(square - 1) % SQUARES // 24}")
        )
        assert number not in state.turns.units
    assert state.legal_actions() == [GO]
    with pytest.raises(ValueError, match="at most"):
        state.apply(1)
    state.apply(GO)
    state.apply(0)
    assert placements(state), "the next setup begins anew"


@pytest.mark.parametrize(
    ("turns", "human", "chaos", "reason", "returns"),
    [
        (3, 2_000, 2_000, "turn_cap", [1.0, -1.0]),
        (9, 2_000, 2_000, "surrender", [1.0, -1.0]),
        (9, 200, 30_000, "chaos_twenty", [-1.0, 1.0]),
        (9, 10, 100, "eliminated", [-1.0, 1.0]),  # less than any unit costs
        (1, 2_000, 20_000, "turn_cap", [-1.0, 1.0]),
    ],
)
def test_games_of_random_players_end_with_the_winner_by_the_rules(
    turns: int, human: int, chaos: int, reason: str, returns: list[float]
) -> None:
    """From these dollars on; the rules are in core.protection.rules.Rules."""
    players, rules = RandomPlayer(), short(turns, 50)
    for seed in range(4):
        scenario = begun(seed, rules).turns.scenario
        state = ProtectionMoves(ProtectionState(scenario, human, chaos), STRINGS, seed)
        rng = Random(seed)
        while not state.is_terminal():
            assert state.returns() == [0.0, 0.0]
            state.apply(players.choose(state.observation(state.player()), rng))
        ended = state.turns
        assert ended.over is not None and ended.over[1] == reason
        assert {
            "turn_cap": ended.turn == turns,
            "surrender": ended.human_value() > rules.human_wins_ratio * ended.chaos_value(),
            "chaos_twenty": ended.chaos_value() > rules.chaos_wins_ratio * ended.human_value(),
            "eliminated": not ended.units and ended.human_value() < rules.elimination_below,
        }[reason]
        assert state.returns() == returns


def test_strings_of_a_wrong_length_are_refused() -> None:
    for strings in (b"", b"x", STRINGS[1:]):
        with pytest.raises(ValueError, match="132 bytes"):
            Protection(SHORT, strings)
