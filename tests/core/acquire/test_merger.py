"""Mergers: who survives, in which order the others go, who is paid, and what becomes of the shares."""

import pytest

from core.acquire import layout
from core.acquire.notation import board_rows
from core.acquire.rules import PRESETS, Rules
from tests.core.acquire.tables import cash, held, phase, play, position, texts

PUBLIC = PRESETS["tlstyer"]
CLASSIC = PRESETS["classic"]
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
    assert phase(state) == "buy" and int(state.fields[layout.SIZE + 6]) == 10
    assert held(state, 0) == "II" and held(state, 1) == "T"
    # T: 2,000 and 1,000; A and L to the sole holder, 15 x 300 and 15 x 200; two T sold at 200.
    assert cash(state) == [6000 + 2000 + 4500 + 3000 + 400, 6000 + 1000]


def test_one_at_a_time_or_all_bonuses_first() -> None:
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


def test_sizes_are_those_before_the_tile() -> None:
    """The tile and what it connects count for neither chain: the larger of 3 and 2 survives, 2 are paid."""
    chains = {"L": "6E 7E 8E", "T": "3E 4E", "o": "5D 5F 5G"}
    state = position(PUBLIC, chains, HANDS, shares=["T", ""])
    play(state, ["5E"])
    assert phase(state) == "dispose" and cash(state) == [6000 + 15 * 200, 6000]
    play(state, ["trade 0 sell 1"])
    assert int(state.fields[layout.SIZE]) == 9 and cash(state)[0] == 9200  # lone tiles come with it
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


def test_a_chain_that_nobody_holds_pays_nothing() -> None:
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, HANDS)
    play(state, ["5E"])
    assert phase(state) == "buy" and cash(state) == [6000, 6000]


def test_trades_are_limited_by_the_bank_at_the_moment_of_the_decision() -> None:
    chains = {"L": "3E 4E", "T": "6E 7E 8E"}
    state = position(PUBLIC, chains, HANDS, shares=["L" * 7 + "T" * 20, "LLLL" + "TTT"])
    play(state, ["5E"])
    assert max(int(text.split()[1]) for text in texts(state)) == 4  # two shares are left, of six pairs
    play(state, ["trade 2 sell 0"])
    assert int(state.fields[layout.BANK + 1]) == 1
    assert max(int(text.split()[1]) for text in texts(state)) == 2
    play(state, ["trade 2 sell 1"])
    assert int(state.fields[layout.BANK + 1]) == 0 and held(state, 1) == "L" + "TTTT"


def test_an_empty_bank_trades_nothing() -> None:
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, HANDS, shares=["LL" + "T" * 25, ""])
    play(state, ["5E"])
    assert texts(state) == ["trade 0 sell 0", "trade 0 sell 1", "trade 0 sell 2"]


def test_shares_that_are_kept_live_again() -> None:
    chains = {"L": "3E 4E", "T": "6E 7E 8E", "o": "10H"}
    state = position(PUBLIC, chains, ["5E 1I", "10I 2I"], shares=["LLL", ""])
    play(state, ["5E", "trade 0 sell 0", "buy nothing", "10I", "Luxor"])
    assert held(state, 0) == "LLL" and held(state, 1) == "L" and int(state.fields[layout.SIZE]) == 2


def test_illegal_disposals_are_refused() -> None:
    state = position(PUBLIC, {"L": "3E 4E", "T": "6E 7E 8E"}, HANDS, shares=["LLL", ""])
    play(state, ["5E"])
    for action in (1 << 8, 4 << 8, (2 << 8) | 2, 4, -1):
        with pytest.raises(ValueError, match="illegal"):
            state.apply(action)
    assert held(state, 0) == "LLL"
