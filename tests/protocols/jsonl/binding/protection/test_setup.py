"""Setups over the protocol: every fault is told, nothing is done on a fault, and a preview is what then happens."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.protocols.jsonl.binding.protection.house import (
    SMALL,
    act,
    begun,
    decide_of,
    drones,
    free,
    house,
    of_kind,
)
from tests.protocols.jsonl.fakes import Guest, House

NAMES = ["drone", "mine", "farmer", "infantry", "settler", "jammer", "armor", "artillery"]
WET, LAND, ROCK = [5, 0], [0, 0], [9, 8]  # of the map below
MAP = {"lines": ["tttttt~~" * 3] * 8 + ["ttttttt^^^" + "t" * 14] * 16, "gold": [[1, 1]]}


def opened(**options: Any) -> tuple[House, Guest, dict[str, Any]]:
    table = house()
    guest = table.player(observe="full", legal="rules")
    heard = begun(guest, seed=1, options={"map": MAP, "money": SMALL, **options})
    return table, guest, decide_of(heard)


def place(unit: Any, at: Any) -> dict[str, Any]:
    return {"unit": unit, "at": at}


@pytest.mark.parametrize(
    ("items", "salvage", "problems"),
    [
        ([place("farmer", [0, 0])] * 2, [], [("place[1]", "twice")]),
        ([place("artillery", [0, 0]), place("drone", [1, 0])], [], [("place[1]", "money")]),
        ([place("drone", [6, 0]), place("drone", ROCK)], [], [("place[0]", "terrain"), ("place[1]", "terrain")]),
        ([place("queen", [0, 0]), place("", [0, 0]), place("none", [1, 1])], [],
         [("place[0]", "unit"), ("place[1]", "unit"), ("place[2]", "unit")]),
        ([place("drone", [24, 0]), place("drone", [-1, 0]), place("drone", [0, 2**53 - 1])], [],
         [("place[0]", "square"), ("place[1]", "square"), ("place[2]", "square")]),
        ([], [1, 1, 7], [("salvage[0]", "unit"), ("salvage[1]", "unit"), ("salvage[2]", "unit")]),
        ([place("armor", [0, 0]), place("armor", [1, 0]), place("armor", [2, 0]), place("x", [0, 0])], [0],
         [("salvage[0]", "unit"), ("place[2]", "money"), ("place[3]", "unit")]),
    ],
)  # fmt: skip
def test_every_fault_is_told_and_nothing_is_done(
    items: list[Any], salvage: list[int], problems: list[tuple[str, str]]
) -> None:
    table, guest, decide = opened()
    action = {"kind": "setup", "place": items, "salvage": salvage}
    checked = guest.ask(type="check", id=1, re=decide["id"], game_id="g-31", action=action)
    assert not checked["ok"] and "preview" not in checked
    assert [(each["field"], each["reason"]) for each in checked["problems"]] == problems
    before = table.hall.tables["g-31"].play.observation(0)
    (error,) = act(guest, decide, action)
    assert error["code"] == "illegal_action" and error["tries_left"] == 2 and error["decide_again"]
    assert error["data"].get("problems", [error["data"]]) == checked["problems"]
    assert table.hall.tables["g-31"].play.observation(0) == before


def test_a_unit_that_stands_bars_its_square_until_it_is_salvaged() -> None:
    _, guest, decide = opened()
    at = list(next(free(decide)))
    decide = decide_of(act(guest, decide, {"kind": "setup", "place": [place("armor", at)]}))
    (unit,) = decide["observation"]["units"]
    assert tuple(at) not in set(free(decide))
    checked = guest.ask(
        type="check", re=decide["id"], game_id="g-31", action={"kind": "setup", "place": [place("drone", at)]}
    )
    assert checked["problems"] == [{"field": "place[0]", "reason": "occupied"}]
    swap = {"kind": "setup", "place": [place("armor", at)], "salvage": [unit["id"]]}
    checked = guest.ask(type="check", re=decide["id"], game_id="g-31", action=swap)
    assert checked["ok"] and (checked["preview"]["cost"], checked["preview"]["refund"]) == (200, 150)


MALFORMED = [
    {"kind": "setup", "place": [{"unit": "drone"}]},
    {"kind": "setup", "place": [{"unit": "drone", "at": [1]}]},
    {"kind": "setup", "place": [{"unit": "drone", "at": [1, 2, 3]}]},
    {"kind": "setup", "place": [{"unit": "drone", "at": [1, 2], "many": 3}]},
    {"kind": "setup", "salvage": "all"},
    {"kind": "setup", "place": [place("drone", [0, 0])] * 601},
    {"kind": "strategy", "pool": 1},
    {"kind": "dance"},
    [],
]


@pytest.mark.parametrize("action", MALFORMED, ids=lambda action: str(action)[:50])
def test_what_is_no_setup_at_all(action: Any) -> None:
    _, guest, decide = opened()
    (error,) = act(guest, decide, action)
    assert error["code"] == "invalid_params" and error["tries_left"] == 2
    assert of_kind(act(guest, decide, drones(decide, 2)), "setup_done")


def test_three_refusals_are_a_forced_setup_of_nothing() -> None:
    _, guest, decide = opened()
    heard: list[dict[str, Any]] = []
    for _ in range(3):
        heard = act(guest, decide, {"kind": "setup", "salvage": [9]})
    assert [each["reason"] for each in of_kind(heard, "forced")] == ["illegal"]
    assert of_kind(heard, "turn_start")[0]["placed"] == []


ITEMS = st.builds(
    place,
    st.sampled_from([*NAMES, "queen"]),
    st.lists(st.integers(-1, 24), min_size=2, max_size=2),
)


@given(
    setups=st.lists(
        st.tuples(st.lists(ITEMS, max_size=8), st.lists(st.integers(0, 9), max_size=3)), max_size=6
    )
)
@settings(max_examples=25)
def test_any_setup(setups: list[tuple[list[Any], list[int]]]) -> None:
    """It is taken exactly if check finds nothing; then the preview is what happens, to the dollar."""
    _, guest, decide = opened()
    for items, salvage in setups:
        action = {"kind": "setup", "place": items, "salvage": salvage}
        checked = guest.ask(type="check", re=decide["id"], game_id="g-31", action=action)
        if not checked["ok"]:
            assert len({each["field"] for each in checked["problems"]}) == len(checked["problems"])
            named = {each["field"] for each in checked["problems"]}
            action = {
                "kind": "setup",
                "place": [item for index, item in enumerate(items) if f"place[{index}]" not in named],
                "salvage": [each for index, each in enumerate(salvage) if f"salvage[{index}]" not in named],
            }
            checked = guest.ask(type="check", re=decide["id"], game_id="g-31", action=action)
            assert checked["ok"], "what is left when the faulty items are gone has no fault"
        seen = decide["observation"]
        preview = checked["preview"]
        assert preview["treasury"] == seen["treasury"] + preview["refund"] - preview["cost"] >= 0
        heard = act(guest, decide, action)
        (end,) = of_kind(heard, "turn_end")
        assert end["human"]["value"] == preview["human_value"] + end["change"][0]
        assert end["human"]["produced"] <= 50 * preview["income"]
        if not end["human"]["lost"]:
            assert end["human"]["produced"] == 50 * preview["income"]
        if heard[-1]["type"] == "end":
            return
        decide = decide_of(heard)
