"""Games of Advanced Protection: events, replays, setups and purchases, and why Chaos played so."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.jsonl.codec import protocol_schema
from protocols.jsonl.messages import COMMON_EVENTS
from protocols.jsonl.protection_events import EVENTS as OWN_EVENTS
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import Client, FakeServer
from tests.protocols.jsonl.protection_games import (
    NOTHING,
    SMALL,
    act,
    adapters,
    begun,
    decide_of,
    drones,
    free,
    of_kind,
    protection_server,
)

EVENTS = {kind.__struct_config__.tag: kind for kind in (*OWN_EVENTS, *COMMON_EVENTS)}


@pytest.mark.parametrize("detail", ["none", "summary", "phases"])
@pytest.mark.parametrize("variant", ["improved", "seed"])
def test_games_of_every_variant_and_detail_send_well_formed_events(variant: str, detail: str) -> None:
    table = protection_server()
    client = table.player(say=True)
    received = begun(
        client, "chaos:calibrated", variant=variant, seed=5, options={"detail": detail, "observe_ai": True}
    )
    kinds: set[str] = set()
    for turn in range(5):
        for line in received:
            if line["type"] == "event":
                assert isinstance(line.pop("say"), str)
                payload = {
                    name: value for name, value in line.items() if name not in ("type", "game_id", "seq")
                }
                event = msgspec.convert(payload, EVENTS[line["kind"]])
                assert json.loads(msgspec.json.encode(event)) == payload
                kinds.add(line["kind"])
        if received[-1]["type"] == "end":
            break
        received = act(client, decide_of(received), drones(decide_of(received), 20 - turn))
        table.work()
    expected = {"setup_done", "turn_end", "ratings"}
    expected |= set() if detail == "none" else {"turn_start"}
    assert expected <= kinds <= expected | {"grant", "phases"}
    assert ("phases" in kinds) == (detail == "phases")


def test_a_replay_repeats_the_events_of_its_turn() -> None:
    table = protection_server()
    client, watcher = table.player(), table.player()
    received = begun(client, seed=9, options={"detail": "phases"})
    answer = act(client, decide_of(received), drones(decide_of(received), 30))
    client.say(type="replay", id=4, game_id="g-31", turn=1)
    *events, ok = client.received()
    assert ok == {"type": "ok", "re": 4} and all(line["re"] == 4 for line in events)
    assert [line["roster"] for line in of_kind(events, "roster")] == [
        of_kind(answer, "turn_start")[0]["roster"]
    ]
    fields = ("turn", "from", "to", "acts", "fights")
    assert [[line[name] for name in fields] for line in of_kind(events, "phases")] == [
        [line[name] for name in fields] for line in of_kind(answer, "phases")
    ]
    client.say(type="replay", id=5, game_id="g-31", turn=1, **{"from": 3, "to": 4})
    (part,) = of_kind(client.received(), "phases")
    assert part["acts"] == of_kind(answer, "phases")[0]["acts"][2:4]
    for wrong in ({"turn": 2}, {"turn": 0}, {"turn": 1, "to": 51}):
        assert client.ask(type="replay", id=6, game_id="g-31", **wrong)["code"] == "invalid_params"
    assert watcher.ask(type="replay", id=7, game_id="g-31", turn=1)["code"] == "not_permitted"


def test_replays_and_exports_are_available_after_the_end() -> None:
    table = protection_server()
    client, watcher = table.player(), table.player()
    received = begun(client, seed=9, options={"detail": "phases", "arrangements": True})
    answer = act(client, decide_of(received), drones(decide_of(received), 30))
    told = of_kind(answer, "phases")
    state = table.games.games["g-31"].state
    seen = state.observation(0)
    client.say(type="resign", game_id="g-31")
    assert client.received()[-1]["type"] == "end"
    assert state.observation(0) == seen
    watcher.say(type="replay", id=4, game_id="g-31", turn=1)
    assert [line["acts"] for line in of_kind(watcher.received(), "phases")] == [line["acts"] for line in told]
    story = watcher.ask(type="explain", game_id="g-31")["text"]
    assert story[0] == "Chaos won after 1 turn." and story[1].startswith("Turn 1: ")
    exported = client.ask(type="record", game_id="g-31", format="arrangements")
    assert exported["total"] == 1
    assert client.ask(type="record", game_id="g-31", format="apu")["lines"][0].startswith("0\t1\t")


@pytest.mark.parametrize("most", [65_536, 4_000])
def test_no_line_is_longer_than_agreed(most: int) -> None:
    """With a thousand minions; a short line of one's own asks for the phases afterwards."""
    table = protection_server()
    client = table.player(max_line=most)
    detail = "phases" if most > 20_000 else "summary"
    received = begun(client, seed=2, options={"detail": detail, "money": {"human": 4000, "chaos": 50_000}})
    answer = act(client, decide_of(received), drones(decide_of(received), 20))
    assert sum(of_kind(answer, "turn_start")[0]["bought"].values()) == 1000
    client.say(type="replay", game_id="g-31", turn=1)
    lines = client.lines()
    assert max(map(len, lines)) < most
    acts = [each for line in map(json.loads, lines) if line.get("kind") == "phases" for each in line["acts"]]
    assert len(acts) == 50 and len(acts[0]) == 1000
    assert max(len(json.dumps(line)) for line in answer) < 65_536


def test_the_schema_contains_the_actions_and_events_of_protection() -> None:
    schema = protocol_schema(adapters().values())
    game = schema["games"]["protection"]
    assert set(game["actions"]) == {"setup", "strategy"} and set(game["events"]) == set(EVENTS)
    assert {"legalsetup", "legalstrategy", "opening", "preview", "result", "reveal"} <= set(game["others"])
    assert "yield" in schema["$defs"]["OwnUnit"]["properties"]
    described = protection_server().player().ask(type="describe", game="protection")
    assert described["rules"]["units"][4]["name"] == "settler" and described["options"]["detail"]["values"]
    assert described["options"]["turn_cap"] == {"type": "integer", "default": described["rules"]["turn_cap"]}


@pytest.mark.parametrize(("loser", "verdict"), [(0, "Chaos won"), (1, "You won")])
def test_explain_names_the_winner_after_a_resignation(loser: int, verdict: str) -> None:
    table = protection_server()
    people = [table.player(), table.player()]
    begun(people[0], "open", seed=3)
    people[1].say(type="join", game_id="g-31")
    people[loser].say(type="resign", game_id="g-31")
    people[0].received()
    answer = people[0].ask(type="explain", game_id="g-31")["text"]
    assert answer == [f"{verdict} before the first turn."]


NAMES = ["drone", "mine", "farmer", "infantry", "settler", "jammer", "armor", "artillery"]
WET, LAND, ROCK = [5, 0], [0, 0], [9, 8]  # of the map below
MAP = {"lines": ["tttttt~~" * 3] * 8 + ["ttttttt^^^" + "t" * 14] * 16, "gold": [[1, 1]]}


def opened(**options: Any) -> tuple[FakeServer, Client, dict[str, Any]]:
    table = protection_server()
    client = table.player()
    received = begun(client, seed=1, options={"map": MAP, "money": SMALL, **options})
    return table, client, decide_of(received)


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
def test_every_problem_of_a_setup_is_reported_and_nothing_changes(
    items: list[Any], salvage: list[int], problems: list[tuple[str, str]]
) -> None:
    table, client, decide = opened()
    action = {"kind": "setup", "place": items, "salvage": salvage}
    checked = client.ask(type="check", id=1, re=decide["id"], game_id="g-31", action=action)
    assert not checked["ok"] and "preview" not in checked
    assert [(each["field"], each["reason"]) for each in checked["problems"]] == problems
    before = table.games.games["g-31"].state.observation(0)
    (error,) = act(client, decide, action)
    assert error["code"] == "illegal_action" and error["tries_left"] == 2 and error["decide_again"]
    assert error["data"].get("problems", [error["data"]]) == checked["problems"]
    assert table.games.games["g-31"].state.observation(0) == before


def test_a_unit_occupies_its_square_until_it_is_salvaged() -> None:
    _, client, decide = opened()
    at = list(next(free(decide)))
    decide = decide_of(act(client, decide, {"kind": "setup", "place": [place("armor", at)]}))
    (unit,) = decide["observation"]["units"]
    assert tuple(at) not in set(free(decide))
    checked = client.ask(
        type="check", re=decide["id"], game_id="g-31", action={"kind": "setup", "place": [place("drone", at)]}
    )
    assert checked["problems"] == [{"field": "place[0]", "reason": "occupied"}]
    swap = {"kind": "setup", "place": [place("armor", at)], "salvage": [unit["id"]]}
    checked = client.ask(type="check", re=decide["id"], game_id="g-31", action=swap)
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
def test_malformed_setups_are_refused(action: Any) -> None:
    _, client, decide = opened()
    (error,) = act(client, decide, action)
    assert error["code"] == "invalid_params" and error["tries_left"] == 2
    assert of_kind(act(client, decide, drones(decide, 2)), "setup_done")


def test_three_refusals_force_an_empty_setup() -> None:
    _, client, decide = opened()
    received: list[dict[str, Any]] = []
    for _ in range(3):
        received = act(client, decide, {"kind": "setup", "salvage": [9]})
    assert [each["reason"] for each in of_kind(received, "forced")] == ["illegal"]
    assert of_kind(received, "turn_start")[0]["placed"] == []


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
def test_a_setup_is_accepted_exactly_if_check_finds_no_problem(
    setups: list[tuple[list[Any], list[int]]],
) -> None:
    """It is taken exactly if check finds nothing; then the preview is what happens, to the dollar."""
    _, client, decide = opened()
    for items, salvage in setups:
        action = {"kind": "setup", "place": items, "salvage": salvage}
        checked = client.ask(type="check", re=decide["id"], game_id="g-31", action=action)
        if not checked["ok"]:
            assert len({each["field"] for each in checked["problems"]}) == len(checked["problems"])
            named = {each["field"] for each in checked["problems"]}
            action = {
                "kind": "setup",
                "place": [item for index, item in enumerate(items) if f"place[{index}]" not in named],
                "salvage": [each for index, each in enumerate(salvage) if f"salvage[{index}]" not in named],
            }
            checked = client.ask(type="check", re=decide["id"], game_id="g-31", action=action)
            assert checked["ok"], "what is left when the faulty items are gone has no fault"
        seen = decide["observation"]
        preview = checked["preview"]
        assert preview["treasury"] == seen["treasury"] + preview["refund"] - preview["cost"] >= 0
        received = act(client, decide, action)
        (end,) = of_kind(received, "turn_end")
        assert end["human"]["value"] == preview["human_value"] + end["change"][0]
        assert end["human"]["produced"] <= 50 * preview["income"]
        if not end["human"]["lost"]:
            assert end["human"]["produced"] == 50 * preview["income"]
        if received[-1]["type"] == "end":
            return
        decide = decide_of(received)


FREE = {"chaos_buys": "free", "detail": "phases"}
Message = dict[str, Any]


def opened_for_two(**options: Any) -> tuple[FakeServer, Client, Client, Message, Message]:
    """A server, Ann and Bob, who is Chaos, and what each has to decide."""
    table = protection_server()
    ann, bob = (table.player(name=name) for name in ("ann", "bob"))
    begun(ann, "open", seed=4, options=options)
    bob.say(type="join", game_id="g-31")
    return table, ann, bob, decide_of(ann.received()), decide_of(bob.received(), seat=1)


def test_chaos_buys_the_requested_minions_and_keeps_the_change() -> None:
    """By a string that would buy commons alone; what is left of the money is kept, and the record tells it all."""
    table, ann, bob, setup, strategy = opened_for_two(**FREE)
    rules = strategy["legal"]["rules"]
    assert rules["treasury"] == 2000 and rules["minions"]["armored"] == 200 and rules["most"] == 1000
    act(ann, setup, drones(setup, 20))
    received = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": {"scout": 3, "armored": 2}})
    (start,) = of_kind(received, "turn_start")
    assert (start["bought"], start["kept"], len(start["roster"])) == ({"scout": 3, "armored": 2}, 1570, 5)
    (end,) = of_kind(received, "turn_end")
    assert end["chaos"]["treasury"] == 2000 + end["change"][1]
    again = act(bob, decide_of(received, seat=1), {"kind": "strategy", "pool": 2, "buy": {}})
    assert not again, "Ann has not decided"
    act(ann, decide_of(ann.received()), NOTHING)
    assert of_kind(bob.received(), "turn_start")[0]["bought"] == {}
    lines = [line.rstrip(b"\n") for line in table.games.games["g-31"].lines.record]
    assert replay_record(lines, adapters(), GameLimits()).events > 6
    bob.say(type="replay", id=1, game_id="g-31", turn=1)
    assert of_kind(bob.received(), "phases")[0]["acts"] == of_kind(received, "phases")[0]["acts"]


@pytest.mark.parametrize(
    ("buy", "problem"),
    [
        ({"armored": 11}, {"field": "buy", "reason": "money", "need": 2200, "have": 2000}),
        ({"queen": 1}, {"field": "buy", "reason": "minion"}),
        ({"scout": 9, "common": 40}, {"field": "buy", "reason": "money", "need": 2090, "have": 2000}),
    ],
)
def test_impossible_purchases_of_minions_are_refused(buy: dict[str, int], problem: Message) -> None:
    _, _, bob, _, strategy = opened_for_two(**FREE)
    (error,) = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": buy})
    assert error["code"] == "illegal_action" and error["data"].items() >= problem.items()


def test_more_minions_than_allowed_are_refused() -> None:
    _, _, bob, _, strategy = opened_for_two(**FREE, max_minions=4)
    (error,) = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": {"scout": 5}})
    assert (error["data"]["reason"], error["data"]["need"], error["data"]["have"]) == ("most", 5, 4)
    (error,) = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": {"scout": -1}})
    assert error["code"] == "invalid_params"


def test_purchases_of_minions_are_refused_unless_chaos_buys_freely() -> None:
    _, _, bob, _, strategy = opened_for_two()
    assert set(strategy["legal"]["rules"]) == {"treasury", "digits", "pool"}
    (error,) = act(bob, strategy, {"kind": "strategy", "pool": 2, "buy": {"scout": 1}})
    assert "chaos_buys" in error["message"] and "2000" not in json.dumps(error)
    (error,) = begun(protection_server().player(), options={"chaos_buys": "all"})
    assert error["data"]["path"] == "$.options.chaos_buys"
    (error,) = begun(protection_server().player(), rated=True, options={"chaos_buys": "free"})
    assert error["code"] == "not_permitted"
