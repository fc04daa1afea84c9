"""Bonuses, and the phantom shareholder of a game of two."""

from collections import Counter

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.bonus import bonuses, phantom_tile
from core.acquire.game import shuffled_bag
from core.acquire.notation import from_text, to_text
from core.acquire.rules import PRESETS, GameSpec, Rules, tile_name
from core.acquire.state import AcquireState
from core.random import Random
from tests.core.acquire.tables import cash, phase, play, position, reason, worths


@pytest.mark.parametrize(
    ("shares", "price", "paid", "ranks"),
    [
        ([3, 2], 500, [5000, 2500], ["first", "second"]),
        ([0, 4], 500, [0, 7500], ["", "both"]),
        ([0, 0, 0], 500, [0, 0, 0], ["", "", ""]),
        ([2, 2], 500, [3800, 3800], ["tie", "tie"]),  # 3,750 each
        ([2, 2, 2], 400, [2000, 2000, 2000], ["tie", "tie", "tie"]),
        ([2, 2, 2], 500, [2500, 2500, 2500], ["tie", "tie", "tie"]),
        ([5, 1, 5, 5], 700, [3500, 0, 3500, 3500], ["tie", "", "tie", "tie"]),
        ([1, 1, 1, 1], 700, [2700] * 4, ["tie"] * 4),  # 2,625 each
        ([5, 2, 2], 500, [5000, 1300, 1300], ["first", "tie_second", "tie_second"]),  # 1,250 each
        ([2, 5, 2, 2], 700, [1200, 7000, 1200, 1200], ["tie_second", "first", "tie_second", "tie_second"]),
        ([1, 2, 3], 200, [0, 1000, 2000], ["", "second", "first"]),
        ([0, 3, 0, 3, 1, 0], 1200, [0, 9000, 0, 9000, 0, 0], ["", "tie", "", "tie", "", ""]),
    ],
)
def test_amounts(shares: list[int], price: int, paid: list[int], ranks: list[str]) -> None:
    table, amounts, places = vec[i64]([0] * layout.FIELD_COUNT), vec[i64]([99] * 8), vec[i64]([0] * 8)
    for seat, count in enumerate(shares):
        table[layout.SHARES + seat * layout.STRIDE + 2] = count
    bonuses(table, len(shares), 2, price, amounts, places)
    assert [int(amounts[seat]) for seat in range(len(shares))] == paid
    assert [
        layout.BONUS_RANKS[int(places[seat])] if paid[seat] else "" for seat in range(len(shares))
    ] == ranks


@pytest.mark.parametrize(
    ("shares", "phantom", "paid"),
    [
        ([3, 0], 0, [7500, 0]),
        ([3, 0], 2, [5000, 0]),
        ([3, 0], 3, [3800, 0]),  # 3,750 of a tie for the first
        ([3, 0], 4, [2500, 0]),
        ([3, 2], 4, [2500, 0]),
        ([3, 2], 2, [5000, 1300]),  # 1,250 of a tie for the second
        ([3, 3], 3, [2500, 2500]),
        ([3, 3], 4, [1300, 1300]),
        ([3, 3], 2, [3800, 3800]),
        ([0, 0], 5, [0, 0]),
    ],
)
def test_with_a_phantom(shares: list[int], phantom: int, paid: list[int]) -> None:
    table, amounts, places = vec[i64]([0] * layout.FIELD_COUNT), vec[i64]([99] * 8), vec[i64]([0] * 8)
    for seat, count in enumerate(shares):
        table[layout.SHARES + seat * layout.STRIDE + 2] = count
    bonuses(table, len(shares), 2, 500, amounts, places, phantom)
    assert [int(amounts[seat]) for seat in range(2)] == paid


TWO = Rules("two", shares=50, phantom="tile_number")
MEETING = {"L": "1E-3E", "T": "5E 6E"}  # 4E makes Luxor swallow Tower, at $200 a share


def met(shares: list[str], draws: str = "") -> AcquireState:
    """Luxor has swallowed Tower."""
    state = position(TWO, MEETING, ["4E", "1I"], shares=shares, draws=draws)
    state.records_events = True
    return play(state, ["4E"])


def told(state: AcquireState) -> list[tuple[str, int]]:
    rules = state.spec.rules
    return [
        (tile_name(rules, event[2]), int(event[3]))
        for event in state.events
        if event[0] == layout.PHANTOM_DRAWN
    ]


def holding(state: AcquireState) -> int:
    ((tile, shares),) = told(state)
    assert tile[:-1] == str(shares) and 1 <= shares <= 12
    return shares


@pytest.mark.parametrize(
    ("first", "second", "paid"),
    [
        (13, 0, [2000, 0]),  # a sole holder has the first bonus alone
        (14, 13, [2000, 1000]),  # the phantom is third
        (25, 0, [2000, 0]),
    ],
)
def test_more_than_any_tile_has(first: int, second: int, paid: list[int]) -> None:
    state = met(["T" * first, "T" * second])
    assert holding(state) < 13 and cash(state) == [6000 + paid[0], 6000 + paid[1]]


def test_it_pushes_down() -> None:
    """The seats hold 6 and 3 shares; which tile is drawn depends on the order of the bag."""
    seen: Counter[str] = Counter()
    for column in range(1, 13):
        state = met(["T" * 6, "T" * 3], f"{column}A")
        shares = holding(state)
        paid = [money - 6000 for money in cash(state)]
        if shares > 6:
            expected, case = [1000, 0], "first"
        elif shares == 6:
            expected, case = [1500, 0], "tie"
        elif shares > 3:
            expected, case = [2000, 0], "second"
        elif shares == 3:
            expected, case = [2000, 500], "tie for the second"
        else:
            expected, case = [2000, 1000], "third"
        assert paid == expected, case
        seen[case] += 1
    assert len(seen) >= 3, seen


def test_it_holds_nothing_and_is_gone_after_the_merger() -> None:
    state = met(["T" * 6, ""])
    assert phase(state) == "dispose" and state.fields[layout.PHANTOM] > 0
    text = to_text(state)
    assert (
        f"phantom {state.fields[layout.PHANTOM]}\n" in text and to_text(from_text(state.spec, text)) == text
    )
    play(state, ["trade 0 sell 6"])
    assert state.fields[layout.PHANTOM] == 0
    assert worths_without(state) == [cash(state)[0], cash(state)[1]]


def worths_without(state: AcquireState) -> list[int]:
    """What each has, with no shares left of any chain."""
    values = vec[i64]([0] * 8)
    state.value(values)
    return [int(values[seat]) for seat in range(2)]


def test_it_is_drawn_again_for_the_end() -> None:
    """Once for all chains: here it can be no more than second to 13 shares, and leaves the other nothing."""
    board = {"L": "1E-12E 1F-12F 1G-12G 1H-5H"}
    state = position(TWO, board, ["1A", "1I"], shares=["L" * 13, ""])
    state.records_events = True
    play(state, ["1A", "buy nothing end"])
    assert reason(state) == "declared" and holding(state) > 0
    assert worths(state) == [6000 + 10 * 1000 + 13 * 1000, 6000]
    again = from_text(state.spec, to_text(state))
    assert worths(again) == worths(state)


@pytest.mark.parametrize("rules", [PRESETS["classic"], Rules("three", phantom="tile_number")])
def test_no_others_have_it(rules: Rules) -> None:
    """No preset has it, and three players do without."""
    hands = ["4E", "1I"] if rules.phantom == "none" else ["4E", "1I", "2I"]
    state = position(rules, MEETING, hands, shares=["T" * 6] + [""] * (len(hands) - 1))
    state.records_events = True
    play(state, ["4E"])
    assert not told(state) and cash(state)[0] == 6000 + 3000


def test_without_a_bag_and_in_a_trial_there_is_none() -> None:
    state = position(TWO, MEETING, ["4E", "1I"], shares=["T" * 6, ""], draws="-")
    state.records_events = True
    play(state, ["4E"])
    assert not told(state) and cash(state) == [9000, 6000]
    state = position(TWO, MEETING, ["4E", "1I"], shares=["T" * 6, ""])
    state.mark()
    play(state, ["4E"])
    assert state.fields[layout.PHANTOM] == 0 and cash(state) == [9000, 6000]


def test_every_tile_of_the_bag_is_as_likely() -> None:
    """Wherever it lies, so that it tells nothing of what comes next; and no tile that is out."""
    setting = GameSpec(TWO, 2)
    places: Counter[int] = Counter()
    for seed in range(3000):
        bag = shuffled_bag(setting, Random(seed))
        tile = phantom_tile(bag, 98, 0)
        places[list(bag).index(tile)] += 1
        assert phantom_tile(bag, 98, 0) == tile
    assert sorted(places) == list(range(98, 108))
    assert max(abs(count - 300) for count in places.values()) < 75  # 4.5 deviations
