"""Every way for a game to end, and what is paid then."""

import pytest

from core.acquire.rules import PRESETS, Rules
from tests.core.acquire.tables import cash, phase, play, position, reason, texts, worths

PUBLIC = PRESETS["tlstyer"]
CLASSIC = PRESETS["classic"]
MINI = PRESETS["mini"]
SAFE = {"L": "1E-11E", "o": "5H"}
LARGE = {"L": "1A-12A 1B-12B 1C-12C 1D-5D", "T": "1I 2I"}  # 41 tiles, and 2


def test_all_safe_is_lost_by_founding_where_the_end_is_asked_after_the_tile() -> None:
    state = position(PUBLIC, SAFE, ["5I 12A", "1I 2I"])
    assert texts(state) == ["5I", "12A"]
    play(state, ["5I", "Imperial"])
    assert not any(text.endswith("end") for text in texts(state))
    state = position(PUBLIC, SAFE, ["5I 12A", "1I 2I"])
    play(state, ["12A"])
    assert "buy nothing end" in texts(state)


def test_it_is_kept_where_the_end_may_be_announced_at_any_time() -> None:
    state = position(CLASSIC, SAFE, ["5I 12A", "1I 2I"])
    assert texts(state) == ["5I", "12A", "5I end", "12A end"]
    play(state, ["5I end", "Imperial"])
    assert phase(state) == "buy" and not any(text.endswith("end") for text in texts(state))
    play(state, ["buy Imperial"])
    assert reason(state) == "declared" and worths(state) == [6000 + 15 * 400 + 400, 6000]


def test_the_announced_end_comes_though_nothing_can_be_bought() -> None:
    state = position(CLASSIC, SAFE, ["12A 1C", "1I 2I"], cash=[0, 0])
    play(state, ["12A end"])
    assert reason(state) == "declared"


@pytest.mark.parametrize("rules", [PUBLIC, CLASSIC], ids=lambda rules: rules.name)
def test_a_large_chain_may_end_the_game_though_others_are_not_safe(rules: Rules) -> None:
    state = position(rules, LARGE, ["12I 11I", "9I 8I"], shares=["L", "TT" + "I" * 9])
    play(state, ["12I", "buy Tower end"])
    # L 15 x 1,000 + 1,000; T 1 and 2 shares at 200; shares of Imperial, which is absent, are worth nothing.
    assert worths(state) == [6000 - 200 + 15_000 + 1000 + 1000 + 200, 6000 + 2000 + 400]
    assert cash(state) == [5800, 6000] and state.returns() == [1.0, -1.0]


def test_one_tile_less_ends_nothing() -> None:
    state = position(PUBLIC, LARGE | {"L": "1A-12A 1B-12B 1C-12C 1D-4D"}, ["12I 11I", "9I 8I"])
    play(state, ["12I"])
    assert not any(text.endswith("end") for text in texts(state))


def test_equal_money_shares_the_win() -> None:
    state = position(PUBLIC, SAFE, ["12A 1C", "1I 2I", "1A 3A"], cash=[500, 500, 400])
    play(state, ["12A", "buy nothing end"])
    assert worths(state) == [500, 500, 400] and state.returns() == [0.0, 0.0, -1.0]
    state = position(PUBLIC, SAFE, ["12A 1C", "1I 2I"])
    play(state, ["12A", "buy nothing end"])
    assert state.returns() == [0.0, 0.0]


# Both chains are on the board, so that a tile beside a lone one is blocked.
STUCK = {"L": "1A 2A", "I": "1C 2C", "o": "4B"}
BLOCKED = ["4A", "4C"]


def test_a_stuck_round_ends_after_the_last_purchase() -> None:
    state = position(MINI, STUCK, BLOCKED, phase="buy", idle=1, draws="-")
    play(state, ["buy Luxor"])
    assert phase(state) == "buy" and state.player() == 1
    play(state, ["buy Imperial"])
    assert reason(state) == "stuck_round" and cash(state) == [1800, 1600]


def test_a_stuck_round_ends_where_the_last_purchase_is_passed_over() -> None:
    state = position(MINI, STUCK, BLOCKED, phase="buy", idle=1, draws="-", cash=[900, 100])
    play(state, ["buy Luxor"])
    assert reason(state) == "stuck_round"


def test_a_tile_breaks_the_row_of_idle_turns() -> None:
    state = position(MINI, STUCK, ["4A", "2B"], phase="buy", idle=1, draws="-")
    play(state, ["buy nothing", "2B"])
    assert phase(state) == "survivor"


def test_where_a_stuck_round_is_no_end_the_game_goes_on_while_anybody_decides() -> None:
    rules = Rules(
        "patient",
        columns=4,
        rows=3,
        chains=MINI.chains,
        seats=(2, 2),
        shares=6,
        cash=2000,
        hand=2,
        stuck_round="off",
    )
    state = position(rules, STUCK, BLOCKED, phase="buy", idle=1, draws="-", cash=[900, 100])
    play(state, ["buy nothing"] * 3)
    assert phase(state) == "buy" and state.player() == 0
    play(state, ["buy Luxor Luxor Imperial"])
    assert reason(state) == "stuck_round"  # nobody can do anything any more


def test_all_tiles_played_is_found_after_the_purchase() -> None:
    state = position(PUBLIC, {"L": "1A 2A"}, ["5I", ""], draws="-")
    play(state, ["5I"])
    assert phase(state) == "buy"
    play(state, ["buy Luxor"])
    assert reason(state) == "all_tiles_played"


def test_all_tiles_played_is_found_after_the_draw() -> None:
    """The hand was not empty at the purchase, but its last tile had died of the one before."""
    board = {"L": "1E-11E", "T": "1G-10G"}
    state = position(PUBLIC, board, ["11G 1F", ""], draws="-")
    play(state, ["11G", "buy nothing"])
    assert reason(state) == "all_tiles_played"


@pytest.mark.parametrize(("value", "over"), [("all", False), ("first", True), ("off", False)])
def test_the_first_empty_hand_may_end_it(value: str, over: bool) -> None:
    rules = Rules("hands", hand_out_end=value)
    state = position(rules, {"L": "1A 2A"}, ["5I", "7I"], draws="-")
    play(state, ["5I", "buy Luxor"])
    assert state.is_terminal() == over
    assert not over or reason(state) == "all_tiles_played"


def test_with_no_such_end_two_empty_hands_are_a_stuck_round() -> None:
    rules = Rules("hands", hand_out_end="off")
    state = position(rules, {"L": "1A 2A"}, ["5I", "7I"], draws="-")
    play(state, ["5I", "buy nothing", "7I", "buy nothing", "buy nothing", "buy nothing"])
    assert reason(state) == "stuck_round"
