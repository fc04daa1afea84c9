"""Bonuses to the largest and the second largest shareholders."""

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from core.acquire import layout
from core.acquire.bonus import bonuses
from core.acquire.events import BONUS_RANKS


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
def test_bonuses_and_ranks_follow_the_shareholdings(
    shares: list[int], price: int, paid: list[int], ranks: list[str]
) -> None:
    table, amounts, places = vec[i64]([0] * layout.FIELD_COUNT), vec[i64]([99] * 8), vec[i64]([0] * 8)
    for seat, count in enumerate(shares):
        table[layout.SHARES + seat * layout.STRIDE + 2] = count
    bonuses(table, len(shares), 2, price, amounts, places)
    assert [int(amounts[seat]) for seat in range(len(shares))] == paid
    assert [BONUS_RANKS[int(places[seat])] if paid[seat] else "" for seat in range(len(shares))] == ranks
