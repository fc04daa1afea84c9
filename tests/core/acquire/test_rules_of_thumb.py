"""Players by rules of thumb: what each weight does to tiles, purchases and disposals."""

from collections.abc import Iterator

import pytest

from core.acquire import rules_of_thumb
from core.acquire.actions import BUY, PLACE, shares_in
from core.acquire.board import FOUNDS, MERGES, UNINCORPORATED
from core.acquire.playout import GameRunner
from core.acquire.rules import PRESETS, GameSpec
from core.acquire.rules_of_thumb import WEIGHTS, RulesOfThumb
from core.acquire.state import AcquireState
from core.random import Random
from engines.acquire.registry import create_player
from tests.core.acquire.tables import phase, play, position, random_game, texts

PUBLIC = PRESETS["tlstyer"]
SPEC = GameSpec(PUBLIC, 3)


def rules(**weights: float) -> RulesOfThumb:
    """A player whose weights are 0 but for those given by name; without `stop` it buys whatever it can."""
    values = [0.0] * WEIGHTS
    values[int(rules_of_thumb.STOP)] = -1e9
    for name, value in weights.items():
        values[int(getattr(rules_of_thumb, name.upper()))] = value
    return RulesOfThumb(tuple(values))


def states(wanted: int, seeds: range = range(4)) -> Iterator[AcquireState]:
    for seed in seeds:
        for state in random_game(SPEC, seed):
            if not state.is_terminal() and state.phase() == wanted:
                yield state


def bought(player: RulesOfThumb, state: AcquireState) -> dict[str, int]:
    purchase = int(player.buy(state, Random(1)))
    names = [chain.name for chain in PUBLIC.chains]
    return {name: shares for place, name in enumerate(names) if (shares := int(shares_in(purchase, place)))}


# -- Purchases ----------------------------------------------------------------------------------------

# Luxor has 2 tiles at $200, Tower 3 at $300, American 4 at $500; the player on turn holds two of Luxor and one of
# American, the opponent three of American.
BOARD = {"L": "1A 2A", "T": "4A 5A 6A", "A": "8A 9A 10A 11A"}


def market() -> AcquireState:
    state = position(PUBLIC, BOARD, ["1I 12I", "2I"], shares=["LLA", "AAA"])
    play(state, ["1I"])
    assert phase(state) == "buy"
    return state


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"cost": -1.0}, {"Luxor": 3}),
        ({"cost": 1.0}, {"American": 3}),
        ({"tiles": -1.0}, {"Luxor": 3}),
        ({"ahead": 1.0}, {"Luxor": 3}),
        ({"ahead": 1.0, "ahead_lead": -0.4}, {"Luxor": 1, "Tower": 2}),
        ({"near": 1.0, "unopposed": -2.0}, {"American": 3}),
        ({"level": 1.0, "unopposed": -2.0, "near": 0.5}, {"American": 3}),
        ({"unopposed": 1.0, "first": 1.0, "tiles": 0.01}, {"Tower": 3}),
        ({"first": 1.0, "cost": -0.0001}, {"Luxor": 2, "Tower": 1}),
        ({"enough": -1.0, "cost": -0.0001}, {"Luxor": 3}),
        ({"stop": 0.0, "cost": -1.0}, {}),
        ({"stop": 0.0, "cost": 1.0}, {"American": 3}),
        ({"stop": -1000.0, "stop_bought": 600.0, "cost": -1.0}, {"Luxor": 2}),
        ({"stop": 0.0, "stop_cash": -0.1, "cost": -1.0}, {"Luxor": 3}),
    ],
)
def test_each_weight_of_a_share(weights: dict[str, float], expected: dict[str, int]) -> None:
    assert bought(rules(**weights), market()) == expected


def test_supply_is_what_the_bank_has() -> None:
    """The bank has 23 shares of Luxor, 25 of Tower and 21 of American."""
    assert bought(rules(supply=1.0), market()) == {"Tower": 3}
    assert bought(rules(supply=-1.0), market()) == {"American": 3}


def test_late_weights_grow_with_the_tiles_drawn() -> None:
    """Early a share costs more than it is worth, late it does not: few are bought at first, and three at the end."""
    player = rules(stop=0.0, cost=-1.0, late_cost=2.0)
    shares = [
        (state.bag_left(), sum(bought(player, state).values())) for state in states(BUY) if state.can_buy()
    ]
    early = [count for left, count in shares if left > 60]
    late = [count for left, count in shares if left < 40]
    assert early and late and max(early) == 0 and min(late) > 0


# -- Tiles --------------------------------------------------------------------------------------------


def kinds(player: RulesOfThumb, state: AcquireState) -> tuple[int, set[int]]:
    """The kind of the tile that a player takes, and the kinds of all legal tiles in its hand."""
    chosen = int(player.place(state, Random(1)))
    return int(state.kind(chosen)), {int(state.kind(tile)) for tile in state.legal_actions()}


@pytest.mark.parametrize(("name", "kind"), [("found", FOUNDS), ("merge", MERGES)])
def test_tiles_are_valued_by_what_they_do(name: str, kind: int) -> None:
    likes, dislikes = rules(**{name: 10_000.0}), rules(**{name: -10_000.0})
    found = 0
    for state in states(PLACE):
        chosen, all = kinds(likes, state)
        if int(kind) in all and len(all) > 1:
            found += 1
            assert chosen == int(kind)
            assert kinds(dislikes, state)[0] != int(kind)
    assert found > 5


def test_a_chain_grows_by_lead_and_size() -> None:
    """2A enlarges Luxor, which the player leads; 5A Tower, which is larger and where it holds none."""
    state = position(PUBLIC, {"L": "3A 4A", "T": "7A 8A 9A"}, ["2A 6A", "2I"], shares=["LLL", "T"])
    names = {
        name: state.action_text(int(rules(**weights).place(state, Random(1))))
        for name, weights in {
            "lead": {"grow_lead": 1000.0},
            "tiles": {"grow_tiles": 1000.0},
            "none": {"grow_none": 1000.0},
        }.items()
    }
    assert names == {"lead": "2A", "tiles": "6A", "none": "6A"}


def test_mergers_are_valued_by_bonuses() -> None:
    """5A merges Luxor, whose majority the player has, into Tower; 5I American, which only the opponent has."""
    board = {"L": "3A 4A", "T": "6A 7A 8A", "A": "3I 4I", "W": "6I 7I 8I"}
    state = position(PUBLIC, board, ["5A 5I", "1E"], shares=["LL", "AA"])
    for weights, expected in (
        ({"merge_gain": 1.0}, "5A"),
        ({"merge_gain": -1.0}, "5I"),
        ({"merge_bonus": 1.0}, "5A"),
        ({"merge_bonus": -1.0}, "5I"),
    ):
        assert state.action_text(int(rules(**weights).place(state, Random(1)))) == expected


def test_a_tile_without_effect_is_worth_nothing() -> None:
    for state in states(PLACE, range(1)):
        kind, all = kinds(rules(found=-1000.0, merge=-1000.0, grow_tiles=-1000.0), state)
        assert kind == int(UNINCORPORATED) or int(UNINCORPORATED) not in all


# -- Disposals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "cash", "expected"), [(1.0, 0.0, "trade 4 sell 1"), (5.0, 0.0, "sell 5"), (1.0, 1e6, "sell 5")]
)
def test_shares_are_traded_for_an_expensive_survivor(price: float, cash: float, expected: str) -> None:
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, ["5E 1A", "1I"], shares=["LLLLL", ""])
    play(state, ["5E"])
    chosen = state.action_text(int(rules(trade_price=price, trade_cash=cash).dispose(state, Random(1))))
    assert chosen.replace("trade 0 ", "") == expected and chosen in texts(state)


# -- Strength -----------------------------------------------------------------------------------------


def test_evolved_rules_beat_the_heuristic() -> None:
    """Their share is 64 % in 1,000 games; here it is at least 55 % of 400."""
    runner = GameRunner(GameSpec(PRESETS["thesis-7"], 2))
    players = [create_player("evolved-rules"), create_player("heuristic")]
    worths = [runner.play(players, game % 2, game // 2) for game in range(400)]
    assert sum(own > other for own, other in worths) >= 220


def test_a_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="rules of thumb have 31 weights, not 2"):
        RulesOfThumb((1.0, 2.0))
