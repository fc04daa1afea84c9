"""The player by printed advice: each piece of advice in a position where it decides."""

import pytest

from core.acquire.expert import EARLY, LATE, MIDDLE, Expert, phase_of
from core.acquire.players import Heuristic, Player
from core.acquire.playout import GameRunner
from core.acquire.rules import PRESETS, GameSpec
from core.acquire.state import AcquireState
from core.random import Random
from tests.core.acquire.tables import phase, play, position

PUBLIC = PRESETS["tlstyer"]


def chosen(state: AcquireState, seed: int = 1) -> str:
    return state.action_text(int(Expert().choose(state, Random(seed))))


def test_the_phase_follows_the_chains_and_their_safety() -> None:
    small = {"L": "1A 2A", "T": "5A 6A"}
    assert phase_of(position(PUBLIC, small, ["9C", "1I"])) == EARLY
    assert phase_of(position(PUBLIC, {"L": "1E-11E"}, ["5A", "1I"])) == LATE
    one_safe = {"L": "1E-11E", "T": "1A 2A", "W": "4A 5A"}
    assert phase_of(position(PUBLIC, one_safe, ["9C", "1I"])) == MIDDLE


@pytest.mark.parametrize("seed", range(5))
def test_it_founds_near_the_middle(seed: int) -> None:
    state = position(PUBLIC, {"o": "1A 6E", "L": "12A 12B"}, ["1B 6F 12C", "1I"], shares=["LLL", ""])
    assert chosen(state, seed) == "6F"


@pytest.mark.parametrize(("cash", "tier"), [(6000, 2), (1000, 0)])
def test_it_founds_the_dearest_chain_that_it_can_pay(cash: int, tier: int) -> None:
    state = position(PUBLIC, {"o": "6E"}, ["6F", "1I"], cash=[cash, 6000])
    play(state, ["6F"])
    assert phase(state) == "found"
    assert state.spec.rules.chains[int(Expert().choose(state, Random(1)))].tier == tier


@pytest.mark.parametrize(("owned", "merges"), [(["LLLLL", "L"], True), (["L", "LLLLL"], False)])
def test_it_merges_where_the_bonus_is_its_own(owned: list[str], merges: bool) -> None:
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, ["5E 1A", "1I"], shares=owned)
    assert (chosen(state) == "5E") == merges


@pytest.mark.parametrize(
    ("cash", "text"),
    [
        (4000, "trade 4 sell 1"),  # the survivor costs more than twice as much
        (0, "trade 0 sell 5"),  # the bonus of $1,000 is all that it has
    ],
)
def test_it_trades_for_dearer_shares_unless_it_needs_cash(cash: int, text: str) -> None:
    chains = {"L": "3E 4E", "C": "6E 7E 8E 9E"}
    state = position(PUBLIC, chains, ["5E", "1I"], shares=["LLLLLL", "LLLLL"], cash=[0, cash])
    play(state, ["5E", "trade 0 sell 0"])
    assert phase(state) == "dispose" and state.player() == 1
    assert chosen(state) == text


@pytest.mark.parametrize(("cash", "buys"), [(1500, False), (4000, True)])
def test_it_keeps_a_reserve_in_the_middle_of_the_game(cash: int, buys: bool) -> None:
    chains = {"L": "1E-11E", "T": "1A 2A", "W": "4A 5A"}
    owned = ["LTTTTW", "LLLLLLTTTWWWWWWW"]
    state = position(PUBLIC, chains, ["9C", "1I"], shares=owned, phase="buy", cash=[cash, 0])
    assert phase_of(state) == MIDDLE
    assert chosen(state).startswith("buy Tower" if buys else "buy nothing")


def test_it_keeps_nothing_at_the_end_of_the_game() -> None:
    state = position(PUBLIC, {"L": "1E-11E"}, ["5A", "1I"], shares=["L", "LL"], phase="buy", cash=[2000, 0])
    assert chosen(state) == "buy Luxor Luxor"


def test_it_beats_chance_and_holds_its_own_against_rules_of_thumb() -> None:
    runner = GameRunner(GameSpec(PRESETS["thesis-7"], 2))
    for opponent, least in ((Player(), 190), (Heuristic(), 90)):
        players = [Expert(), opponent]
        worths = [runner.play(players, game % 2, game // 2) for game in range(200)]
        assert sum(own > other for own, other in worths) >= least
