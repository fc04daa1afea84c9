"""What people type, as actions: tiles, chains by letter or beginning, purchases, disposals, the end."""

from typing import Any

import pytest

from tools.play.acquire.wording import advice, read, written

CHAINS = [
    {"name": name, "letter": name[0], "tier": 0}
    for name in ("Luxor", "Tower", "American", "Festival", "Imperial")
]
DISPOSALS = [
    {"kind": "dispose", "trade": trade, "sell": sell} for trade in (0, 2, 4) for sell in range(6 - trade)
]
LEGAL: dict[str, Any] = {"dispose": {"actions": DISPOSALS, "held": 5}}


def said(phase: str, text: str) -> dict[str, Any]:
    action = read({"phase": phase, "legal": LEGAL.get(phase, {})}, CHAINS, text)
    assert action.pop("kind") == phase
    return action


def test_tiles_and_chains() -> None:
    assert said("place", "3c") == {"tile": "3C"}
    assert said("place", "12I end") == {"tile": "12I", "end": True}
    for text in ("l", "L", "lux", "Luxor"):
        assert said("found", text) == {"chain": "Luxor"}
    assert said("survivor", "t") == {"chain": "Tower"} and said("order", "f") == {"chain": "Festival"}


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("l", "L"),
        ("llt", "LLT"),
        ("L L T", "LLT"),
        ("2l t", "LLT"),
        ("2 luxor 1 am", "LLA"),
        ("tower fest imp", "TFI"),
        ("fi", "FI"),
        ("-", ""),
        ("Nothing", ""),
        ("pass", ""),
        ("0l", ""),
    ],
)
def test_purchases(text: str, shares: str) -> None:
    expected = [chain["name"] for letter in shares for chain in CHAINS if chain["letter"] == letter]
    assert said("buy", text)["shares"] == expected
    assert said("buy", f"{text} END") == {"shares": expected, "end": True}


def test_a_number_beyond_reason_is_bounded() -> None:
    assert len(said("buy", "9999999999l")["shares"]) == 99


@pytest.mark.parametrize(
    ("text", "trade", "sell"),
    [
        ("hold", 0, 0),
        ("h", 0, 0),
        ("sell", 0, 5),
        ("sell all", 0, 5),
        ("s3", 0, 3),
        ("trade", 4, 0),
        ("t s", 4, 1),
        ("trade 2 sell 3", 2, 3),
        ("trade 2, hold", None, None),
        ("t2 s1 hold", 2, 1),
    ],
)
def test_disposals(text: str, trade: int | None, sell: int | None) -> None:
    if trade is None:
        with pytest.raises(ValueError, match="not understood"):
            said("dispose", text)
        return
    assert said("dispose", text) == {"trade": trade, "sell": sell}


@pytest.mark.parametrize(
    ("phase", "text"),
    [("found", "x"), ("found", "lt"), ("buy", "luxxor"), ("buy", "3"), ("buy", "l+t"), ("dispose", "5")],
)
def test_what_means_nothing(phase: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"not understood: .*; write "):
        said(phase, text)


def test_what_is_written_is_read() -> None:
    actions: list[tuple[str, dict[str, Any]]] = [
        ("place", {"tile": "11A"}),
        ("buy", {"shares": ["Luxor", "Imperial", "Imperial"]}),
        ("buy", {"shares": []}),
        ("found", {"chain": "Tower"}),
        *(("dispose", {"trade": each["trade"], "sell": each["sell"]}) for each in DISPOSALS),
    ]
    for phase, action in actions:
        assert said(phase, written({"kind": phase, **action}, CHAINS)) == action


def test_advice_tells_of_the_end() -> None:
    assert "end" not in advice({"phase": "buy", "legal": {"may_end": False}})
    assert "`end`" in advice({"phase": "buy", "legal": {"may_end": True}})
