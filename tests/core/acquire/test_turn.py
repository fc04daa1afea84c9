"""A turn: what a tile may do, what can be bought, dead tiles and their replacement, passed decisions."""

import pytest

from core.acquire import layout
from core.acquire.notation import board_rows
from core.acquire.rules import PRESETS, Rules, parse_tile, tile_name
from core.acquire.state import AcquireState
from tests.core.acquire.tables import cash, held, phase, play, position, scripted, texts

PUBLIC = PRESETS["tlstyer"]
CLASSIC = PRESETS["classic"]
MINI = PRESETS["mini"]
SEVEN = {"L": "1A 1B", "T": "3A 3B", "A": "5A 5B", "F": "7A 7B", "W": "9A 9B", "C": "11A 11B"}


def kind(state: AcquireState, name: str) -> str:
    return layout.TILE_KINDS[int(state.kind(parse_tile(state.spec.rules, name)))]


def test_three_chains_at_a_tile() -> None:
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


def test_founding() -> None:
    """One free share while the bank has one, all connected tiles, and shares to buy in the same turn."""
    board = {"o": "5H 6H 7I 1A"}
    state = position(PUBLIC, board, ["6I 12A", "1I 2I"])
    play(state, ["6I"])
    assert phase(state) == "found" and texts(state) == [chain.name for chain in PUBLIC.chains]
    assert board_rows(state)[8] == ".....oo....."
    play(state, ["Imperial"])
    assert (
        held(state, 0) == "I" and int(state.fields[layout.SIZE + 6]) == 4 and board_rows(state)[0][0] == "o"
    )
    play(state, ["buy Imperial Imperial Imperial"])
    assert held(state, 0) == "IIII" and cash(state) == [6000 - 3 * 600, 6000]


def test_founding_without_a_share_left() -> None:
    state = position(PUBLIC, {"o": "5H"}, ["5I 1A", "1I 2I"], shares=["", "I" * 25])
    play(state, ["5I", "Imperial"])
    assert held(state, 0) == "" and held(state, 1) == "I" * 25 and cash(state) == [6000, 6000]


def test_the_last_chain_is_founded_without_asking() -> None:
    state = position(PUBLIC, SEVEN | {"o": "5H"}, ["5I 1I", "2I 8I"])
    play(state, ["5I"])
    assert phase(state) == "buy" and held(state, 0) == "I"


def test_purchases_in_their_order() -> None:
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


def test_a_purchase_is_passed_over_where_there_is_none() -> None:
    state = position(PUBLIC, {"L": "1A 2A"}, ["5I 1I", "9I 7I"], cash=[100, 6000])
    play(state, ["5I"])
    assert phase(state) == "place" and state.player() == 1
    state = position(PUBLIC, {"o": "1A"}, ["5I 1I", "9I 7I"])  # no chain on the board
    play(state, ["5I"])
    assert phase(state) == "place" and state.player() == 1


def test_dead_tiles_are_replaced_until_none_is() -> None:
    """Between the safe chains of rows E and G, every tile of row F is dead."""
    board = {"L": "1E-11E", "T": "1G-10G"}
    hands = ["11G 1F 2F", "1I 2I"]
    state = position(PUBLIC, board, hands, draws="3F 4F 12A 5F 6F 12B 12C 8F")
    play(state, ["11G", "buy nothing"])
    assert board_rows(state)[5] == "xxxxxx.x...."
    assert int(state.fields[layout.DRAWN]) == 26 + 4 + 7 and state.player() == 1
    state = position(CLASSIC, board, hands, draws="3F 4F 12A 5F 6F 12B 12C 8F")
    play(state, ["11G", "buy nothing"])
    # Four tiles fill the hand; of 1F 2F 3F 4F 5F the dead are replaced once, and 6F waits.
    assert board_rows(state)[5] == "xxxxx......."
    assert int(state.fields[layout.DRAWN]) == 26 + 4 + 5


def test_dead_tiles_leave_when_the_bag_is_empty() -> None:
    board = {"L": "1E-11E", "T": "1G-10G"}
    state = position(PUBLIC, board, ["11G 1F 2F 12E", "12G"], draws="-")
    play(state, ["11G", "buy nothing"])
    assert board_rows(state)[5][:2] == "xx" and phase(state) == "place" and texts(state) == ["12G"]


def test_dead_tiles_stay_where_they_are_never_replaced() -> None:
    rules = Rules("never", dead_replace="never")
    state = position(rules, {"L": "1E-11E", "T": "1G-10G"}, ["11G 1F 2F", "1I 2I"])
    play(state, ["11G", "buy nothing"])
    assert "x" not in "".join(board_rows(state))


LATER = Rules("later", no_tile="new_hand")
SAFE = {"L": "1E-11E", "T": "1G-11G"}  # every tile of row F between them is dead


def test_a_hand_that_cannot_be_played_is_set_aside() -> None:
    """All of it, and out of play; the new one is played in the same turn."""
    hand = "1F 2F 3F 4F 5F 6F"
    state = position(LATER, SAFE, ["1A", hand], draws="8I 9I 10I 11I 12I 8C 1I 2I 3I 4I 7F 8F")
    state.records_events = True
    play(state, ["1A", "buy nothing"])
    assert state.player() == 1 and phase(state) == "place" and texts(state)[:4] == ["1I", "2I", "3I", "4I"]
    assert board_rows(state)[5] == "xxxxxx......"
    told = [
        (event[0], tile_name(LATER, event[2]))
        for event in state.events
        if event[0] in (layout.NEW_HAND, layout.NO_TILE)
    ]
    assert told == [(layout.NEW_HAND, tile) for tile in hand.split()]


def test_it_is_set_aside_once_a_turn() -> None:
    """Five more tiles of row F and one of row H, between safe chains too, cannot be placed either."""
    board = {"L": "1E-11E", "T": "1G-11G", "A": "1I-11I"}
    state = position(
        LATER, board, ["1A", "1F 2F 3F 4F 5F 6F"], draws="8C 9C 10C 11C 12C 8A 7F 8F 9F 10F 11F 1H"
    )
    state.records_events = True
    play(state, ["1A", "buy nothing"])
    kinds = [event[0] for event in state.events if event[0] in (layout.NEW_HAND, layout.NO_TILE)]
    assert kinds == [layout.NEW_HAND] * 6 + [layout.NO_TILE]
    assert phase(state) == "buy" and board_rows(state)[5] == "xxxxxx......"


@pytest.mark.parametrize(("rules", "draws"), [(CLASSIC, ""), (LATER, "-")])
def test_it_is_kept_by_the_older_rules_and_without_a_bag(rules: Rules, draws: str) -> None:
    state = position(rules, SAFE, ["1A 2A", "1F 2F 3F 4F 5F 6F"], draws=draws)
    state.records_events = True
    play(state, ["1A", "buy nothing"])
    assert [event[0] for event in state.events if event[0] in (layout.NEW_HAND, layout.NO_TILE)] == [
        layout.NO_TILE
    ]
    assert phase(state) == "buy" and state.player() == 1


def test_the_mini_game_of_the_protocol() -> None:
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
    assert int(state.fields[layout.BANK]) == 4 and cash(state) == [7600, 2000]
    play(state, ["buy Luxor Luxor Luxor end"])
    assert state.returns() == [1.0, -1.0]
    assert [int(state.fields[8 + seat]) for seat in range(2)] == [13_100, 5_000]
