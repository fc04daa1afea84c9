"""A game from setup to setup: buying, salvage, money, the grant, and a whole small game."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.protection.board import Map, generate_map
from core.protection.policy import Policy
from core.protection.rules import ARMOR, CHAOS, DRONE, FARMER, MINIONS, SETTLER, SQUARES
from core.protection.state import ProtectionState, TurnResult
from core.protection.turn import RAM, Dice, TurnLog
from core.random import Random
from tests.core.protection.boards import LETTERS, at, plain_map, reacting, setting_of
from tests.core.protection.test_reference import random_string

NOTHING = Policy(bytes(132))
WALKERS = Policy(bytes.fromhex("4110333385547777c998bbbb0ddcffff" * 8 + "00f00000"))  # only common barbarians
WORKED_MAP = [
    "ttnnttttnnnttnnntt,,,,,,",
    "tttnnnnMMMnntnMMnt,~~~,,",
    "ttnnnMMMMMMntnMMMt,~~~,,",
    "nnnnMMMMMMnttnMMMnt,~~,t",
    "MMMM^^^^MMntttnMMMtt,,tn",
    "M^^^^^^^^MntttnMMMntttnM",
    "^^^^^^^^^MntttnMMnttnnMM",
    "^^^^MMMMMMntttnnnntttnM^",
    "^^MMntnnnntt,ttnnnttnnM^",
    "^^Mn,,,tttt,,,tnnMnnnnMM",
    "^^Mn,~~,,ttt,,tnMMMnnnMM",
    "M^Mn,,~,,ttttttnMMMnnnnM",
    "MMMnt,,,tnnntttnMMMnntnM",
    "nnntttttnnnnnnnnnnnntttn",
    "ttt,,,tnMMnnttnnttttnttt",
    ",,,,,,tnMMntttttttttnntt",
    ",,~~~~,tMnnttt,,,,,tnnt,",
    ",,~~~~,tnnnttt,,,,,,tt,,",
    "~~~~~~~,nnnnnt,,~~~,,,,~",
    "~~~~~~~,tnnnntt,~~~~~~~~",
    "~,,~~~~~,tnnnt,,~~~~~~~~",
    ",,,,~~~~,,tttt,,,,,,,~~~",
    ",ttt,~~~,,ttt,,,,,,,,,,,",
    "ttttt,,,,tttttttt,,tt,,,",
]
WORKED_GOLD = [
    "0,1",
    "9,1",
    "9,2",
    "0,3",
    "4,3",
    "22,3",
    "22,6",
    "21,7",
    "8,8",
    "18,9",
    "21,10",
    "20,13",
    "0,17",
    "17,17",
    "1,21",
    "8,21",
]


def state_of(
    rules: str = "improved", ground: Map | None = None, human: int = 2000, chaos: int = 2000
) -> ProtectionState:
    return ProtectionState(setting_of(rules, ground or plain_map()), human, chaos)


def play(state: ProtectionState, policy: Policy = NOTHING, seed: int = 1) -> TurnResult:
    return state.play(policy, Random(seed), Dice(Random(seed + 1)))


def test_the_purchases_of_chaos_can_be_prescribed() -> None:
    """What the string would have bought is the same turn; less of it leaves money; more than it has cannot be."""
    free, told = state_of(), state_of()
    report = play(free, WALKERS)
    again = told.play(WALKERS, Random(1), Dice(Random(2)), None, report.bought)
    assert (again.bought, again.unspent, again.rating) == (report.bought, report.unspent, report.rating)
    assert told.chaos_treasury == free.chaos_treasury
    for bought in ([0, 0, 0, 0, 0, 0, 0, 11], [-1, 0, 1, 0, 0, 0, 0, 0], [0] * 7):
        with pytest.raises(ValueError):
            told.play(WALKERS, Random(1), Dice(Random(2)), None, bought)
    assert told.turn == 2
    few = told.play(WALKERS, Random(1), Dice(Random(2)), None, [1, 0, 0, 0, 0, 0, 0, 2])
    assert few.bought == [1, 0, 0, 0, 0, 0, 0, 2] and few.unspent == free.chaos_treasury - 410


# -- Setup


def test_a_new_unit_is_salvaged_for_its_full_price() -> None:
    state = state_of()
    number = state.place(FARMER, at(3, 3))
    assert state.treasury == 1900 and state.human_value() == 2000 and not state.is_free(at(3, 3))
    assert state.salvage(number) == 100 and state.treasury == 2000 and state.is_free(at(3, 3))


def test_a_unit_that_has_stood_a_turn_is_salvaged_for_less() -> None:
    state = state_of()
    number = state.place(FARMER, at(3, 3))
    play(state)
    assert state.treasury == 1900 + 50 * 3
    assert state.refund(number) == state.salvage(number) == 80 and state.treasury == 2130
    with pytest.raises(ValueError, match="no unit number 1"):
        state.salvage(number)


def test_units_keep_their_numbers() -> None:
    state = state_of()
    assert [state.place(DRONE, at(x, 0)) for x in range(3)] == [1, 2, 3]
    state.salvage(2)
    assert state.place(DRONE, at(1, 0)) == 4 and list(state.units) == [1, 3, 4]


@pytest.mark.parametrize(
    ("code", "square", "message"),
    [
        (DRONE, at(0, 0), "square"),
        (DRONE, at(1, 0), "square"),
        (DRONE, at(2, 0), "square"),
        (DRONE, SQUARES, "square"),
        (DRONE, -1, "square"),
        (0, at(5, 5), "no unit 0"),
        (9, at(5, 5), "no unit 9"),
        (ARMOR, at(5, 5), r"\$200, and the treasury has \$180"),
    ],
)
def test_invalid_placements_are_refused(code: int, square: int, message: str) -> None:
    state = state_of(ground=plain_map("t", {at(0, 0): "~", at(1, 0): "^"}), human=200)
    state.place(DRONE, at(2, 0))
    with pytest.raises(ValueError, match=message):
        state.place(code, square)
    assert state.treasury == 180 and len(state.units) == 1


def test_a_negative_treasury_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be negative"):
        state_of(human=-1)


# -- Chaos's money


def test_preferences_of_zero_save_all_money() -> None:
    state = state_of()
    report = play(state)
    assert report.bought == [0] * 8 and report.unspent == 2000
    assert state.chaos_treasury == 2100 and state.turn == 2


def test_money_beyond_the_minion_cap_is_kept() -> None:
    state = state_of(chaos=20_000, human=20_000)
    report = play(state, Policy(reacting("scout", {}, "R")))
    assert report.bought[0] == 1000 and report.unspent == 10_000 and not report.hit_minion_limit
    assert report.refund == 10_000 and state.chaos_treasury == 20_100


def test_rules_without_a_cap_stop_at_20000_minions() -> None:
    state = state_of("seed", chaos=200_050, human=200_000)
    report = play(state, Policy(reacting("scout", {}, "R")))
    assert report.bought[0] == 20_000 and report.unspent == 50 and report.hit_minion_limit


def test_without_a_free_square_minions_are_refunded() -> None:
    """An island of one square, which a drone holds; the amphibious swim."""
    state = state_of(ground=plain_map("~", {at(4, 4): "t"}), human=2000, chaos=600)
    state.place(DRONE, at(4, 4))
    string = bytearray(reacting("common", {}, "S"))
    string[-4:] = bytes([0x00, 0x11, 0x00, 0x00])
    report = play(state, Policy(bytes(string)))
    assert report.bought[2:4] == [6, 5] and report.unplaced == 6
    assert report.refund == 600 and state.chaos_treasury == 700


def test_the_grant_is_paid_after_the_surrender_check() -> None:
    """At exactly 20 to 1 the game goes on; one dollar more, and Chaos surrenders before it is granted anything."""
    state = state_of(human=2000, chaos=100)
    play(state)
    assert state.over is None and state.chaos_treasury == 200
    state = state_of(human=2001, chaos=100)
    play(state)
    assert state.over == (0, "surrender") and state.chaos_treasury == 100 and state.turn == 1


def test_an_ended_game_refuses_all_actions() -> None:
    state = state_of()
    state.resign()
    assert state.over == (CHAOS, "resign")
    for act in (state.resign, lambda: state.place(DRONE, 5), lambda: state.salvage(1), lambda: play(state)):
        with pytest.raises(ValueError, match="over"):
            act()


def test_the_last_turn_is_the_sixtieth() -> None:
    state = state_of(human=20_000)
    while state.over is None:
        play(state)
    assert state.turn == 60 and state.over[1] == "turn_cap"
    assert state.chaos_treasury == 2000 + 125292 - 9375


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(0, 6000), st.sampled_from(["seed", "improved"]))
def test_a_turn_accounts_for_every_dollar(seed: int, dollars: int, rules: str) -> None:
    rng = Random(seed)
    state = state_of(rules, generate_map(rng), dollars, 3000)
    for _ in range(int(rng.below(60))):
        square, code = int(rng.below(SQUARES)), 1 + int(rng.below(8))
        if state.is_free(square) and state.scenario.rules.units[code].cost <= state.treasury:
            state.place(code, square)
    before, human, chaos = state.treasury, state.human_value(), state.chaos_value()
    log = TurnLog()
    report = state.play(Policy(random_string(rng)), rng, Dice(rng), log)
    granted = state.scenario.rules.grant(1) if state.over is None else 0
    assert (
        sum(count * kind.cost for count, kind in zip(report.bought, MINIONS, strict=True)) + report.unspent
        == chaos
    )
    assert state.treasury == before + report.harvest
    assert state.human_value() - human == report.human_change
    assert state.chaos_value() - granted - chaos == report.chaos_change
    burnt = 0
    for phase, fight, _, square, *_ in log.fights:
        if fight == RAM:
            code = next(unit.code for unit, _ in report.lost_units if unit.square == square)
            burnt += (phase - 1) * int(state.scenario.yields[code * SQUARES + square])
    assert report.produced == report.harvest + report.plundered + burnt
    assert report.rating == report.human_change - report.chaos_change


# -- A whole game


def test_the_published_game_is_reproduced() -> None:
    """Two turns on a published map; these seeds give the losses that its text fixes."""
    codes = bytes(LETTERS.index(letter) for line in WORKED_MAP for letter in line)
    gold = tuple(at(*[int(word) for word in pair.split(",")]) for pair in WORKED_GOLD)
    state = ProtectionState(setting_of("improved", Map(codes, gold)), 20, 200)
    assert free_hex(state).startswith("ffffffffffe3ffffe3fffff3f0ffff807fff007fff0ffffe3ffffe3fffff39ffffbd")
    state.place(DRONE, at(18, 0))
    assert free_hex(state).startswith("ffffdfffffe3ffffe3fffff3f0ffff807fff007fff0ffffe3ffffe3fffff39ffffbd")
    report = state.play(WALKERS, Random(64505), Dice(Random(1_000_064_505)))
    assert report.bought == [0, 0, 4, 0, 0, 0, 0, 0] and (report.human_change, report.chaos_change) == (
        150,
        0,
    )
    assert (state.treasury, state.chaos_treasury, state.human_value()) == (150, 300, 170)
    state.place(SETTLER, at(5, 0))
    report = state.play(WALKERS, Random(64506), Dice(Random(1_000_064_506)))
    assert report.bought == [0, 0, 6, 0, 0, 0, 0, 0]
    assert [(unit.number, phase) for unit, phase in report.lost_units] == [(1, 12), (2, 40)]
    assert (report.produced, report.plundered, report.harvest) == (189, 189, 0)
    assert (report.carried, report.refund, report.lost_minions[2]) == (189, 250, 1)
    assert (report.human_change, report.chaos_change, report.rating) == (-170, 139, -309)
    assert state.over == (CHAOS, "eliminated") and state.chaos_value() == 439 and state.turn == 2


def free_hex(state: ProtectionState) -> str:
    """A bit a square, where a unit may stand."""
    bits = "".join("1" if state.is_free(square) else "0" for square in range(SQUARES))
    return f"{int(bits, 2):0144x}"


def test_a_pickled_game_continues_like_the_original() -> None:
    game = state_of(human=4000, chaos=10_000)
    for x in range(8):
        game.place(SETTLER, at(3 * x, 12))
    first = play(game, WALKERS)
    copy, result = pickle.loads(pickle.dumps((game, first)))
    assert (copy.turn, copy.treasury, copy.chaos_treasury) == (game.turn, game.treasury, game.chaos_treasury)
    assert copy.arrangement() == game.arrangement() and copy.scenario == game.scenario
    assert (result.bought, result.rating) == (first.bought, first.rating)
    lost = [[(unit.number, phase) for unit, phase in each.lost_units] for each in (first, result)]
    assert lost[0] == lost[1] != []
    ours, theirs = play(game, WALKERS, 3), play(copy, WALKERS, 3)
    assert (ours.rating, ours.lost_minions, game.over) == (theirs.rating, theirs.lost_minions, copy.over)
    assert game.place(SETTLER, at(20, 20)) == copy.place(SETTLER, at(20, 20))
