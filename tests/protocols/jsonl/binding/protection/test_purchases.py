"""Chaos played by a client that buys what it wants: `chaos_buys`, an option of laboratory games."""

import json
from typing import Any

import pytest

from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.record import replay_record
from tests.protocols.jsonl.binding.protection.house import (
    NOTHING,
    act,
    begun,
    binding,
    decide_of,
    drones,
    house,
    of_kind,
)
from tests.protocols.jsonl.fakes import Guest, House

FREE = {"chaos_buys": "free", "detail": "phases"}
Message = dict[str, Any]


def opened(**options: Any) -> tuple[House, Guest, Guest, Message, Message]:
    """A house, Ann and Bob, who is Chaos, and what each has to decide."""
    table = house()
    ann, bob = (table.player(name=name, legal="rules") for name in ("ann", "bob"))
    begun(ann, "open", seed=4, options=options)
    bob.say(type="join", game_id="g-31")
    return table, ann, bob, decide_of(ann.heard()), decide_of(bob.heard(), seat=1)


def test_what_is_asked_for_is_bought() -> None:
    """By a string that would buy commons alone; what is left of the money is kept, and the record tells it all."""
    table, ann, bob, setup, strategy = opened(**FREE)
    rules = strategy["legal"]["rules"]
    assert rules["treasury"] == 2000 and rules["minions"]["armored"] == 200 and rules["most"] == 1000
    act(ann, setup, drones(setup, 20))
    heard = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": {"scout": 3, "armored": 2}})
    (start,) = of_kind(heard, "turn_start")
    assert (start["bought"], start["kept"], len(start["roster"])) == ({"scout": 3, "armored": 2}, 1570, 5)
    (end,) = of_kind(heard, "turn_end")
    assert end["chaos"]["treasury"] == 2000 + end["change"][1]
    again = act(bob, decide_of(heard, seat=1), {"kind": "strategy", "pool": 2, "buy": {}})
    assert not again, "Ann has not decided"
    act(ann, decide_of(ann.heard()), NOTHING)
    assert of_kind(bob.heard(), "turn_start")[0]["bought"] == {}
    lines = [line.rstrip(b"\n") for line in table.hall.tables["g-31"].herald.record]
    assert replay_record(lines, binding(), JsonlLimits()).events > 6
    bob.say(type="replay", id=1, game_id="g-31", turn=1)
    assert of_kind(bob.heard(), "phases")[0]["acts"] == of_kind(heard, "phases")[0]["acts"]


@pytest.mark.parametrize(
    ("buy", "problem"),
    [
        ({"armored": 11}, {"field": "buy", "reason": "money", "need": 2200, "have": 2000}),
        ({"queen": 1}, {"field": "buy", "reason": "minion"}),
        ({"scout": 9, "common": 40}, {"field": "buy", "reason": "money", "need": 2090, "have": 2000}),
    ],
)
def test_what_cannot_be_bought(buy: dict[str, int], problem: Message) -> None:
    _, _, bob, _, strategy = opened(**FREE)
    (error,) = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": buy})
    assert error["code"] == "illegal_action" and error["data"].items() >= problem.items()


def test_more_minions_than_there_may_be() -> None:
    _, _, bob, _, strategy = opened(**FREE, max_minions=4)
    (error,) = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": {"scout": 5}})
    assert (error["data"]["reason"], error["data"]["need"], error["data"]["have"]) == ("most", 5, 4)
    (error,) = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": {"scout": -1}})
    assert error["code"] == "invalid_params"


def test_elsewhere_the_string_buys() -> None:
    _, _, bob, _, strategy = opened()
    assert set(strategy["legal"]["rules"]) == {"treasury", "digits", "pool"}
    (error,) = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": {"scout": 1}})
    assert "chaos_buys" in error["message"] and "2000" not in json.dumps(error)
    (error,) = begun(house().player(), options={"chaos_buys": "all"})
    assert error["data"]["path"] == "$.options.chaos_buys"
    (error,) = begun(house().player(), rated=True, options={"chaos_buys": "free"})
    assert error["code"] == "not_permitted"
