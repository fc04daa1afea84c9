"""What a seat may see: nothing hidden is in it, and a sample of the hidden agrees with it."""

from collections.abc import Iterator

import pytest

from core.acquire import layout
from core.acquire.board import HIDDEN
from core.acquire.notation import from_text, to_text
from core.acquire.players import Player
from core.acquire.playout import GameRunner
from core.acquire.rules import PRESETS, GameSpec, Rules, rules_from_text
from core.acquire.state import AcquireState
from core.random import Random
from tests.core.acquire.tables import random_game


def hidden(name: str) -> Rules:
    return rules_from_text(name, PRESETS[name].text().replace("holdings open", "holdings hidden"))


SPECS = [
    GameSpec(PRESETS["classic"], 2),
    GameSpec(PRESETS["thesis-7"], 4),
    GameSpec(hidden("classic"), 2),
    GameSpec(hidden("thesis-7"), 3),
    GameSpec(hidden("tlstyer"), 6),
]


def name_of(spec: GameSpec) -> str:
    return f"{spec.rules.name}-{spec.seats}-{spec.rules.holdings}"


def games(spec: GameSpec) -> Iterator[AcquireState]:
    for seed in range(2):
        yield from (state for state in random_game(spec, seed) if not state.is_terminal())


def moved(state: AcquireState, seat: int, rng: Random) -> AcquireState:
    """Another state that looks the same to the seat: what it cannot see is dealt out anew."""
    other = state.resample(seat, rng)
    if not state.spec.hides_holdings:
        return other
    for each in range(state.spec.seats):
        if each != seat:
            other.fields[layout.CASH + each] = 100 * rng.below(200)
    return other


def facts(state: AcquireState) -> list[list[int]]:
    return [[int(number) for number in numbers] for numbers in (state.cells, state.fields, state.bag)]


@pytest.mark.parametrize("spec", SPECS, ids=name_of)
def test_observations_contain_no_hidden_information(spec: GameSpec) -> None:
    rng = Random(1)
    for state in games(spec):
        seat = state.player()
        seen = state.observation(seat)
        other = moved(state, seat, rng)
        assert facts(seen) == facts(other.observation(seat)) == facts(seen.observation(seat))
        assert seen.legal_actions() == state.legal_actions() == other.legal_actions()
        for each in range(int(spec.seats)):
            hand = seen.hand(each)
            assert len(hand) == len(state.hand(each))
            assert hand == state.hand(each) if each == seat else set(hand) <= {HIDDEN}
        assert set(seen.bag) == {HIDDEN}


@pytest.mark.parametrize("spec", SPECS, ids=name_of)
def test_samples_agree_with_and_depend_only_on_the_observation(spec: GameSpec) -> None:
    rng = Random(2)
    for state in games(spec):
        seat = state.player()
        sample = state.resample(seat, Random(5))
        assert facts(sample.observation(seat)) == facts(state.observation(seat))
        assert facts(moved(state, seat, rng).resample(seat, Random(5))) == facts(sample)
        assert facts(state.observation(seat).resample(seat, Random(5))) == facts(sample)
        assert to_text(from_text(spec, to_text(sample))) == to_text(sample)  # nothing lost, nothing twice


def test_samples_with_different_seeds_differ() -> None:
    for spec in SPECS:
        state = next(games(spec))
        assert len({to_text(state.resample(0, Random(seed))) for seed in range(20)}) == 20


def test_hidden_shares_add_up_and_two_players_know_them_all() -> None:
    for seats in (2, 5):
        for state in games(GameSpec(hidden("classic"), seats)):
            own = state.player()
            seen, sample = state.observation(own), state.resample(own, Random(1))
            for chain in range(7):
                true, pooled, dealt = (
                    [each.shares(seat, chain) for seat in range(seats)] for each in (state, seen, sample)
                )
                assert sum(true) == sum(pooled) == sum(dealt) == 25 - state.bank(chain)
                assert true[own] == pooled[own] == dealt[own]
                assert seats > 2 or true == pooled == dealt
            cash = [seen.cash(seat) for seat in range(seats)]
            assert sum(cash) == cash[own] == state.cash(own)


def test_players_of_whole_games_are_shown_no_hidden_holdings() -> None:
    shown = []

    class Spy(Player):
        def choose(self, state: AcquireState, rng: Random) -> int:
            seat = state.player()
            shown.append(facts(state) == facts(state.observation(seat)))
            return int(super().choose(state, rng))

    GameRunner(GameSpec(hidden("thesis-7"), 3)).play([Spy(), Spy(), Spy()], 0, 4)
    assert len(shown) > 100 and all(shown)
