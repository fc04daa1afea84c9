"""The state machine: turns, mergers and the end of the game, by prose boards."""

import pickle

import pytest

from core.acquire.actions import BUY, PLACE
from core.acquire.board import BIT, DEAD, MERGES, TILE_KINDS, UNINCORPORATED
from core.acquire.events import NoTile
from core.acquire.notation import board_rows, from_text, to_text
from core.acquire.rules import PRESETS, GameSpec, Rules, parse_tile, tiles
from core.acquire.state import AcquireState
from tests.core.acquire.tables import (
    KINDS_OF_TABLE,
    cash,
    held,
    phase,
    play,
    position,
    random_game,
    reason,
    scripted,
    table_name,
    texts,
    worths,
)

PUBLIC = PRESETS["tlstyer"]
CLASSIC = PRESETS["classic"]
MINI = PRESETS["mini"]


@pytest.mark.parametrize("setting", KINDS_OF_TABLE, ids=table_name)
def test_shares_tiles_and_money_are_conserved(setting: GameSpec) -> None:
    for seed in range(2):
        for state in random_game(setting, seed):
            check(state)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_shares_tiles_and_money_are_conserved_in_ten_thousand_games() -> None:
    for seed in range(10_000):
        for state in random_game(KINDS_OF_TABLE[seed % len(KINDS_OF_TABLE)], seed):
            check(state)


@pytest.mark.parametrize("setting", KINDS_OF_TABLE[::3], ids=table_name)
def test_rollback_restores_the_state_before_a_trial(setting: GameSpec) -> None:
    for state in random_game(setting, 5):
        if state.is_terminal():
            continue
        before = to_text(state)
        hidden = [int(tile) for tile in state.bag]
        for action in state.legal_actions():
            state.mark()
            state.play(action)
            while state.phase() != BUY:
                state.play(state.legal_actions()[0])
            state.play(state.legal_actions()[-1])  # a purchase is paid, and that is all
            assert state.phase() == BUY and [int(tile) for tile in state.bag] == hidden
            assert state.spec.squares - state.bag_left() == int(before.split("drawn ")[1].split()[0])
            with pytest.raises(ValueError, match="trial"):
                state.mark()
            state.rollback()
            assert to_text(state) == before


@pytest.mark.parametrize("setting", KINDS_OF_TABLE[::4], ids=table_name)
def test_states_survive_text_pickling_and_cloning(setting: GameSpec) -> None:
    for state in random_game(setting, 4):
        text = to_text(state)
        for again in (from_text(setting, text), pickle.loads(pickle.dumps(state)), state.clone()):
            assert to_text(again) == text
            assert again.legal_actions() == state.legal_actions() and again.returns() == state.returns()
            if not state.is_terminal():
                again.apply(again.legal_actions()[-1])
                assert to_text(state) == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("board ", "plank "), "the line 'board' is missing"),
        (("seat 0\n", "seat 0\nseat 0\n"), "once"),
        (("seat 0\n", "seat 2\n"), "seats"),
        (("seat 0\n", "seat 1\n"), "seat 1 cannot decide in this phase of the turn of seat 0"),
        (("announced 0", "announced 7"), "announced is 0 or 1"),
        (("idle 0", "idle 1"), "idle is at most 0 here"),
        (("seat 0\n", "seat 0\nsouth 1\n"), "this state has no line 'south'"),
        (("phase place", "phase sleep"), "a phase is one of"),
        (("phase place", "phase over"), "reason"),
        (("joined 1 0", "joined 0 0"), "list the 2 seats once each"),
        (("cash 2000 2000", "cash 2000"), "2 words"),
        (("cash 2000 2000", "cash 2000 -1"), "a number from 0"),
        (("shares 0,0 0,0", "shares 0,0 0,7"), "of 6 shares"),
        (("shares 0,0 0,0", "shares 0,0 0"), "each of 2 chains"),
        (("drawn 6", "drawn 7"), "not those drawn"),
        (("hands ", "hands 1A,"), "a hand has 2 tiles"),
        (("bag ", "bag 1A "), "each of 12 tiles once"),
        (("/", ""), "3 rows of 4"),
        (("o", "q"), "'q' stands for no square"),
        (("o", "L"), "a chain has at least two"),
    ],
)
def test_invalid_state_texts_are_refused(change: tuple[str, str], message: str) -> None:
    setting = next(setting for setting in KINDS_OF_TABLE if setting.rules.name == "mini")
    text = to_text(next(random_game(setting, 1)))
    head, _, board_and_rest = text.partition("board ")
    assert change[0] in text
    wrong = text.replace(change[0], change[1], 1)
    if change[0] == "o":
        wrong = head + "board " + board_and_rest.replace(*change, 1)
    with pytest.raises(ValueError, match=message):
        from_text(setting, wrong)


@pytest.mark.parametrize(
    ("bought", "message"),
    [
        ("0,0", "must have 2 words"),
        ("0,0 0", "shares of 2 chains"),
        ("0,0 2,2", "3 at most"),
        ("4,0 0,0", "0 to 3"),
    ],
)
def test_invalid_bought_lines_are_refused(bought: str, message: str) -> None:
    setting = next(setting for setting in KINDS_OF_TABLE if setting.rules.name == "mini")
    text = to_text(next(random_game(setting, 1)))
    assert "bought" not in text
    assert "bought 0,1 0,0\n" in to_text(from_text(setting, text + "bought 0,1 0,0\n"))
    with pytest.raises(ValueError, match=message):
        from_text(setting, f"{text}bought {bought}\n")


def check(state: AcquireState) -> None:
    """Shares, tiles and money are conserved, and what is kept is what can be counted."""
    rules = state.spec.rules
    seats, rows = range(int(state.spec.seats)), board_rows(state)
    hands = [state.hand(seat) for seat in seats]
    for index, chain in enumerate(rules.chains):
        held = sum(state.shares(seat, index) for seat in seats)
        size = state.size(index)
        assert held + state.bank(index) == rules.shares and state.bank(index) >= 0
        assert size == "".join(rows).count(chain.letter) and size != 1
        assert state.price(index) == rules.price(index, size)
        assert size == len(connected(state, index)), "a chain is in one piece"
    assert all(dollars >= 0 and dollars % 100 == 0 for dollars in state.cash_by_seat())
    on_board = [tile for tile in tiles(rules) if state.cells[tile]]
    drawn = [int(state.bag[index]) for index in range(state.spec.squares - state.bag_left())]
    assert sorted(on_board + [tile for hand in hands for tile in hand]) == sorted(drawn)
    assert all(len(hand) <= rules.hand for hand in hands)
    if state.phase() == PLACE:
        legal = [tile for tile in hands[state.player()] if state.kind(tile) <= MERGES]
        assert [action for action in state.legal_actions() if action < 256] == legal
        for tile in tiles(rules):
            alone = state.cells[tile] == UNINCORPORATED
            assert not alone or not int(state.around(tile)) & 0x7F, "a lone tile touches no chain"
        if rules.dead_replace == "until_clean" and drawn and len(drawn) == rules.squares:
            last = (state.player() - 1) % len(seats)
            assert all(state.kind(tile) != DEAD for tile in hands[last])
    if state.is_terminal():
        assert sum(state.returns()) <= 0


def connected(state: AcquireState, chain: int) -> set[int]:
    """The chain's tiles that are reached from its first one."""
    members = {tile for tile in tiles(state.spec.rules) if state.cells[tile] == BIT[chain]}
    reached = set(sorted(members)[:1])
    step = int(state.spec.stride)
    edge = set(reached)
    while edge:
        near = {tile + move for tile in edge for move in (1, -1, step, -step)}
        edge = (near & members) - reached
        reached |= edge
    return reached


SEVEN = {"L": "1A 1B", "T": "3A 3B", "A": "5A 5B", "F": "7A 7B", "W": "9A 9B", "C": "11A 11B"}


def kind(state: AcquireState, name: str) -> str:
    return TILE_KINDS[int(state.kind(parse_tile(state.spec.rules, name)))]


def test_a_tile_between_two_safe_chains_and_a_third_is_dead() -> None:
    """Dead by two safe ones, even if the third is not safe; legal with one."""
    safe = {"L": "1E-11E", "T": "1G-11G", "A": "12F 12G"}
    state = position(PUBLIC, safe, ["11F 1I", "2I 3I"])
    assert kind(state, "11F") == "dead" and texts(state) == ["1I"]
    state = position(PUBLIC, safe | {"T": "2G-11G"}, ["11F 1I", "2I 3I"])
    assert kind(state, "11F") == "merge" and texts(state) == ["1I", "11F"]


def test_a_blocked_tile_may_be_played_after_a_merger() -> None:
    board = SEVEN | {"I": "1D 1E", "o": "5H"}
    state = position(PUBLIC, board, ["5I 1C", "3I 8I"])
    assert kind(state, "5I") == "blocked" and texts(state) == ["1C"]
    play(state, ["1C", "Luxor", "buy nothing", "8I", "buy nothing"])
    assert kind(state, "5I") == "found" and "5I" in texts(state)


def test_founding_grants_a_share_and_absorbs_connected_tiles() -> None:
    """One free share while the bank has one, all connected tiles, and shares to buy in the same turn."""
    board = {"o": "5H 6H 7I 1A"}
    state = position(PUBLIC, board, ["6I 12A", "1I 2I"])
    play(state, ["6I"])
    assert phase(state) == "found" and texts(state) == [chain.name for chain in PUBLIC.chains]
    assert board_rows(state)[8] == ".....oo....."
    play(state, ["Imperial"])
    assert held(state, 0) == "I" and state.size(6) == 4 and board_rows(state)[0][0] == "o"
    play(state, ["buy Imperial Imperial Imperial"])
    assert held(state, 0) == "IIII" and cash(state) == [6000 - 3 * 600, 6000]


def test_founding_grants_no_share_when_the_bank_has_none() -> None:
    state = position(PUBLIC, {"o": "5H"}, ["5I 1A", "1I 2I"], shares=["", "I" * 25])
    play(state, ["5I", "Imperial"])
    assert held(state, 0) == "" and held(state, 1) == "I" * 25 and cash(state) == [6000, 6000]


def test_the_last_chain_is_founded_without_asking() -> None:
    state = position(PUBLIC, SEVEN | {"o": "5H"}, ["5I 1I", "2I 8I"])
    play(state, ["5I"])
    assert phase(state) == "buy" and held(state, 0) == "I"


def test_purchases_are_listed_in_order_and_illegal_ones_refused() -> None:
    state = position(MINI, {"L": "1A 2A", "I": "1C 2C"}, ["4A 4C", "3B 4B"], cash=[900, 900])
    play(state, ["4A"])
    assert texts(state) == [
        "buy nothing",
        "buy Luxor",
        "buy Luxor Luxor",
        "buy Luxor Luxor Luxor",
        "buy Luxor Luxor Imperial",
        "buy Luxor Imperial",
        "buy Imperial",
        "buy Imperial Imperial",
    ]
    assert state.list_purchases() == 8
    for count in (4, 2 << 4 | 1, 1 << 8, 1 << 40, -1, 15):  # too many, too dear, no such chain, nonsense
        with pytest.raises(ValueError, match="illegal"):
            state.apply(count)
    assert cash(state) == [900, 900]


def test_no_more_is_bought_than_the_bank_has() -> None:
    state = position(MINI, {"L": "1A 2A"}, ["4A 4C", "3B 4B"], shares=["LLL", "LL"])
    play(state, ["4A"])
    assert texts(state) == ["buy nothing", "buy Luxor"]


def test_the_buy_phase_is_skipped_when_nothing_can_be_bought() -> None:
    state = position(PUBLIC, {"L": "1A 2A"}, ["5I 1I", "9I 7I"], cash=[100, 6000])
    play(state, ["5I"])
    assert phase(state) == "place" and state.player() == 1
    state = position(PUBLIC, {"o": "1A"}, ["5I 1I", "9I 7I"])  # no chain on the board
    play(state, ["5I"])
    assert phase(state) == "place" and state.player() == 1


def test_dead_tiles_are_replaced_repeatedly_or_once_by_the_rules() -> None:
    """Between the safe chains of rows E and G, every tile of row F is dead."""
    board = {"L": "1E-11E", "T": "1G-10G"}
    hands = ["11G 1F 2F", "1I 2I"]
    state = position(PUBLIC, board, hands, draws="3F 4F 12A 5F 6F 12B 12C 8F")
    play(state, ["11G", "buy nothing"])
    assert board_rows(state)[5] == "xxxxxx.x...."
    assert state.spec.squares - state.bag_left() == 26 + 4 + 7 and state.player() == 1
    state = position(CLASSIC, board, hands, draws="3F 4F 12A 5F 6F 12B 12C 8F")
    play(state, ["11G", "buy nothing"])
    # Four tiles fill the hand; of 1F 2F 3F 4F 5F the dead are replaced once, and 6F waits.
    assert board_rows(state)[5] == "xxxxx......."
    assert state.spec.squares - state.bag_left() == 26 + 4 + 5


def test_dead_tiles_are_removed_even_when_the_bag_is_empty() -> None:
    board = {"L": "1E-11E", "T": "1G-10G"}
    state = position(PUBLIC, board, ["11G 1F 2F 12E", "12G"], draws="-")
    play(state, ["11G", "buy nothing"])
    assert board_rows(state)[5][:2] == "xx" and phase(state) == "place" and texts(state) == ["12G"]


SAFE = {"L": "1E-11E", "T": "1G-11G"}  # every tile of row F between them is dead


def test_an_unplayable_hand_is_kept_and_the_buy_phase_follows() -> None:
    state = position(CLASSIC, SAFE, ["1A 2A", "1F 2F 3F 4F 5F 6F"])
    state.records_events = True
    play(state, ["1A", "buy nothing"])
    assert len([event for event in state.events if isinstance(event, NoTile)]) == 1
    assert phase(state) == "buy" and state.player() == 1


def test_the_mini_game_of_the_protocol_plays_as_documented() -> None:
    state = scripted(MINI, "1A 2C 4B 3C 1B 4A 1C 4C 2A 3B 3A 2B")
    play(state, ["3C", "Imperial"])
    with pytest.raises(ValueError, match="illegal"):
        play(state, ["buy Imperial Imperial Imperial Imperial"])
    play(state, ["buy Imperial Imperial Imperial", "1B", "buy nothing", "1C"])
    assert texts(state) == ["Luxor", "Imperial"]
    play(state, ["Luxor"])
    assert cash(state) == [6800, 2000] and len(texts(state)) == 9
    assert board_rows(state) == ["L...", "L...", "LLL."]
    play(state, ["trade 2 sell 2"])
    assert state.bank(0) == 4 and cash(state) == [7600, 2000]
    play(state, ["buy Luxor Luxor Luxor end"])
    assert state.returns() == [1.0, -1.0]
    assert [int(state.fields[8 + seat]) for seat in range(2)] == [13_100, 5_000]


HANDS = ["5E 12I", "1I 2I"]
FOUR = {"L": "3E 4E", "T": "6E 7E", "A": "5C 5D", "I": "5F 5G 5H"}


@pytest.mark.parametrize("rules", [PUBLIC, CLASSIC], ids=lambda rules: rules.name)
def test_the_merger_maker_orders_tied_defunct_chains_twice_in_one_turn(rules: Rules) -> None:
    state = position(rules, FOUR, HANDS, shares=["LLTTAA", "T"])
    play(state, ["5E"])
    assert phase(state) == "order" and texts(state) == ["Luxor", "Tower", "American"]
    play(state, ["Tower"])
    assert phase(state) == "dispose" and state.player() == 0
    play(state, ["trade 0 sell 2"])
    assert state.player() == 1
    play(state, ["trade 0 sell 0"])
    assert phase(state) == "order" and texts(state) == ["Luxor", "American"]
    play(state, ["American", "trade 2 sell 0"])
    assert phase(state) == "dispose"  # of Luxor, the last one, without a choice
    play(state, ["trade 2 sell 0"])
    assert phase(state) == "buy" and state.size(6) == 10
    assert held(state, 0) == "II" and held(state, 1) == "T"
    # T: 2,000 and 1,000; A and L to the sole holder, 15 x 300 and 15 x 200; two T sold at 200.
    assert cash(state) == [6000 + 2000 + 4500 + 3000 + 400, 6000 + 1000]


def test_bonuses_are_paid_chain_by_chain_or_all_first() -> None:
    """The money is the same in the end, and not in between."""
    after = {}
    for rules in (PUBLIC, CLASSIC):
        state = position(rules, FOUR, HANDS, shares=["LLTTAA", "T"])
        play(state, ["5E", "Tower"])
        after[rules.name] = cash(state)
        play(state, ["trade 0 sell 2", "trade 0 sell 1", "Luxor", "trade 0 sell 2", "trade 0 sell 2"])
        assert cash(state) == [6000 + 2000 + 4500 + 3000 + 400 + 400 + 600, 6000 + 1000 + 200]
    assert after == {"tlstyer": [15500, 7000], "classic": [8000, 7000]}


@pytest.mark.parametrize(
    ("chains", "options"),
    [
        ({"L": "3E 4E", "T": "6E 7E"}, ["Luxor", "Tower"]),
        ({"L": "3E 4E", "T": "6E 7E", "C": "5C 5D"}, ["Luxor", "Tower", "Continental"]),
        (FOUR | {"I": "5F 5G"}, ["Luxor", "Tower", "American", "Imperial"]),
        (FOUR | {"L": "2E 3E 4E"}, ["Luxor", "Imperial"]),
    ],
)
def test_the_merger_maker_chooses_among_the_largest(chains: dict[str, str], options: list[str]) -> None:
    state = position(PUBLIC, chains, HANDS)
    play(state, ["5E"])
    assert phase(state) == "survivor" and texts(state) == options
    play(state, options[-1:])
    tiles = 1 + sum(len(names.split()) for names in chains.values())
    letters = "".join(board_rows(state))
    assert letters.count(options[-1][0]) == tiles and sum(letters.count(sign) for sign in "LTACI") == tiles


def test_merger_sizes_exclude_the_placed_tile() -> None:
    """The tile and what it connects count for neither chain: the larger of 3 and 2 survives, 2 are paid."""
    chains = {"L": "6E 7E 8E", "T": "3E 4E", "o": "5D 5F 5G"}
    state = position(PUBLIC, chains, HANDS, shares=["T", ""])
    play(state, ["5E"])
    assert phase(state) == "dispose" and cash(state) == [6000 + 15 * 200, 6000]
    play(state, ["trade 0 sell 1"])
    assert state.size(0) == 9 and cash(state)[0] == 9200  # lone tiles come with it
    assert "".join(board_rows(state)).count("o") == 0


def test_holders_are_asked_clockwise_from_the_merger_maker() -> None:
    chains = {"L": "3E 4E", "T": "6E 7E 8E"}
    state = position(PUBLIC, chains, ["5E", "1I", "2I", "3I"], shares=["", "L", "", "LL"])
    play(state, ["5E"])
    assert state.player() == 1
    play(state, ["trade 0 sell 1"])
    assert state.player() == 3
    play(state, ["trade 2 sell 0"])
    assert phase(state) == "buy" and state.player() == 0 and held(state, 3) == "T"


def test_a_chain_without_shareholders_pays_nothing() -> None:
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, HANDS)
    play(state, ["5E"])
    assert phase(state) == "buy" and cash(state) == [6000, 6000]


def test_trades_are_limited_by_the_bank_at_the_moment_of_the_decision() -> None:
    chains = {"L": "3E 4E", "T": "6E 7E 8E"}
    state = position(PUBLIC, chains, HANDS, shares=["L" * 7 + "T" * 20, "LLLL" + "TTT"])
    play(state, ["5E"])
    assert max(int(text.split()[1]) for text in texts(state)) == 4  # two shares are left, of six pairs
    play(state, ["trade 2 sell 0"])
    assert state.bank(1) == 1
    assert max(int(text.split()[1]) for text in texts(state)) == 2
    play(state, ["trade 2 sell 1"])
    assert state.bank(1) == 0 and held(state, 1) == "L" + "TTTT"


def test_an_empty_bank_trades_nothing() -> None:
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, HANDS, shares=["LL" + "T" * 25, ""])
    play(state, ["5E"])
    assert texts(state) == ["trade 0 sell 0", "trade 0 sell 1", "trade 0 sell 2"]


def test_kept_shares_count_again_when_the_chain_is_refounded() -> None:
    chains = {"L": "3E 4E", "T": "6E 7E 8E", "o": "10H"}
    state = position(PUBLIC, chains, ["5E 1I", "10I 2I"], shares=["LLL", ""])
    play(state, ["5E", "trade 0 sell 0", "buy nothing", "10I", "Luxor"])
    assert held(state, 0) == "LLL" and held(state, 1) == "L" and state.size(0) == 2


def test_illegal_disposals_are_refused() -> None:
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, HANDS, shares=["LLL", ""])
    play(state, ["5E"])
    for action in (1 << 8, 4 << 8, (2 << 8) | 2, 4, -1):
        with pytest.raises(ValueError, match="illegal"):
            state.apply(action)
    assert held(state, 0) == "LLL"


LARGE_CHAIN = {"L": "1E-11E", "o": "5H"}
LARGE = {"L": "1A-12A 1B-12B 1C-12C 1D-5D", "T": "1I 2I"}  # 41 tiles, and 2


def test_founding_prevents_an_end_that_is_checked_after_the_tile() -> None:
    state = position(PUBLIC, LARGE_CHAIN, ["5I 12A", "1I 2I"])
    assert texts(state) == ["5I", "12A"]
    play(state, ["5I", "Imperial"])
    assert not any(text.endswith("end") for text in texts(state))
    state = position(PUBLIC, LARGE_CHAIN, ["5I 12A", "1I 2I"])
    play(state, ["12A"])
    assert "buy nothing end" in texts(state)


def test_an_end_announced_before_founding_takes_effect() -> None:
    state = position(CLASSIC, LARGE_CHAIN, ["5I 12A", "1I 2I"])
    assert texts(state) == ["5I", "12A", "5I end", "12A end"]
    play(state, ["5I end", "Imperial"])
    assert phase(state) == "buy" and not any(text.endswith("end") for text in texts(state))
    play(state, ["buy Imperial"])
    assert reason(state) == "declared" and worths(state) == [6000 + 15 * 400 + 400, 6000]


def test_an_announced_end_takes_effect_when_nothing_can_be_bought() -> None:
    state = position(CLASSIC, LARGE_CHAIN, ["12A 1C", "1I 2I"], cash=[0, 0])
    play(state, ["12A end"])
    assert reason(state) == "declared"


@pytest.mark.parametrize("rules", [PUBLIC, CLASSIC], ids=lambda rules: rules.name)
def test_a_large_chain_may_end_the_game_though_others_are_not_safe(rules: Rules) -> None:
    state = position(rules, LARGE, ["12I 11I", "9I 8I"], shares=["L", "TT" + "I" * 9])
    play(state, ["12I", "buy Tower end"])
    # L 15 x 1,000 + 1,000; T 1 and 2 shares at 200; shares of Imperial, which is absent, are worth nothing.
    assert worths(state) == [6000 - 200 + 15_000 + 1000 + 1000 + 200, 6000 + 2000 + 400]
    assert cash(state) == [5800, 6000] and state.returns() == [1.0, -1.0]


def test_a_chain_of_40_tiles_cannot_end_the_game() -> None:
    state = position(PUBLIC, LARGE | {"L": "1A-12A 1B-12B 1C-12C 1D-4D"}, ["12I 11I", "9I 8I"])
    play(state, ["12I"])
    assert not any(text.endswith("end") for text in texts(state))


def test_equal_money_shares_the_win() -> None:
    state = position(PUBLIC, LARGE_CHAIN, ["12A 1C", "1I 2I", "1A 3A"], cash=[500, 500, 400])
    play(state, ["12A", "buy nothing end"])
    assert worths(state) == [500, 500, 400] and state.returns() == [0.0, 0.0, -1.0]
    state = position(PUBLIC, LARGE_CHAIN, ["12A 1C", "1I 2I"])
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


def test_a_stuck_round_ends_when_the_last_purchase_is_skipped() -> None:
    state = position(MINI, STUCK, BLOCKED, phase="buy", idle=1, draws="-", cash=[900, 100])
    play(state, ["buy Luxor"])
    assert reason(state) == "stuck_round"


def test_a_played_tile_prevents_the_end_by_idle_turns() -> None:
    state = position(MINI, STUCK, ["4A", "2B"], phase="buy", idle=1, draws="-")
    play(state, ["buy nothing", "2B"])
    assert phase(state) == "survivor"


def test_all_tiles_played_ends_the_game_after_the_purchase() -> None:
    state = position(PUBLIC, {"L": "1A 2A"}, ["5I", ""], draws="-")
    play(state, ["5I"])
    assert phase(state) == "buy"
    play(state, ["buy Luxor"])
    assert reason(state) == "all_tiles_played"


def test_all_tiles_played_ends_the_game_after_the_draw() -> None:
    """The hand was not empty at the purchase, but its last tile had died of the one before."""
    board = {"L": "1E-11E", "T": "1G-10G"}
    state = position(PUBLIC, board, ["11G 1F", ""], draws="-")
    play(state, ["11G", "buy nothing"])
    assert reason(state) == "all_tiles_played"


def test_one_empty_hand_does_not_end_the_game() -> None:
    state = position(CLASSIC, {"L": "1A 2A"}, ["5I", "7I"], draws="-")
    play(state, ["5I", "buy Luxor"])
    assert not state.is_terminal()
    play(state, ["7I", "buy nothing"])
    assert reason(state) == "all_tiles_played"
