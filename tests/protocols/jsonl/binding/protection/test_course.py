"""The course of games: well-formed events with sentences, phases that redraw the turn, lines of bounded length."""

import json

import msgspec
import pytest

from protocols.jsonl.codec import protocol_schema
from protocols.jsonl.messages import COMMON_EVENTS
from protocols.jsonl.protection_events import EVENTS as OWN_EVENTS
from tests.protocols.jsonl.binding.protection.house import (
    act,
    begun,
    binding,
    decide_of,
    drones,
    house,
    of_kind,
)

EVENTS = {kind.__struct_config__.tag: kind for kind in (*OWN_EVENTS, *COMMON_EVENTS)}


@pytest.mark.parametrize("detail", ["none", "summary", "phases"])
@pytest.mark.parametrize("variant", ["improved", "seed"])
def test_whole_games(variant: str, detail: str) -> None:
    table = house()
    guest = table.player(say=True, observe="full", legal="rules")
    heard = begun(
        guest, "chaos:calibrated", variant=variant, seed=5, options={"detail": detail, "observe_ai": True}
    )
    kinds: set[str] = set()
    for turn in range(5):
        for line in heard:
            if line["type"] == "event":
                assert isinstance(line.pop("say"), str)
                payload = {
                    name: value for name, value in line.items() if name not in ("type", "game_id", "seq")
                }
                event = msgspec.convert(payload, EVENTS[line["kind"]])
                assert json.loads(msgspec.json.encode(event)) == payload
                kinds.add(line["kind"])
        if heard[-1]["type"] == "end":
            break
        heard = act(guest, decide_of(heard), drones(decide_of(heard), 20 - turn))
        table.work()
    expected = {"setup_done", "turn_end", "ratings"}
    expected |= set() if detail == "none" else {"turn_start"}
    assert expected <= kinds <= expected | {"grant", "phases"}
    assert ("phases" in kinds) == (detail == "phases")


def test_a_replay_is_what_was_told() -> None:
    table = house()
    guest, watcher = table.player(legal="rules"), table.player()
    heard = begun(guest, seed=9, options={"detail": "phases"})
    told = act(guest, decide_of(heard), drones(decide_of(heard), 30))
    guest.say(type="replay", id=4, game_id="g-31", turn=1)
    *events, ok = guest.heard()
    assert ok == {"type": "ok", "re": 4} and all(line["re"] == 4 for line in events)
    assert [line["roster"] for line in of_kind(events, "roster")] == [
        of_kind(told, "turn_start")[0]["roster"]
    ]
    fields = ("turn", "from", "to", "acts", "fights")
    assert [[line[name] for name in fields] for line in of_kind(events, "phases")] == [
        [line[name] for name in fields] for line in of_kind(told, "phases")
    ]
    guest.say(type="replay", id=5, game_id="g-31", turn=1, **{"from": 3, "to": 4})
    (part,) = of_kind(guest.heard(), "phases")
    assert part["acts"] == of_kind(told, "phases")[0]["acts"][2:4]
    for wrong in ({"turn": 2}, {"turn": 0}, {"turn": 1, "to": 51}):
        assert guest.ask(type="replay", id=6, game_id="g-31", **wrong)["code"] == "invalid_params"
    assert watcher.ask(type="replay", id=7, game_id="g-31", turn=1)["code"] == "not_permitted"


@pytest.mark.parametrize("most", [65_536, 4_000])
def test_no_line_is_longer_than_agreed(most: int) -> None:
    """With a thousand minions; a short line of one's own asks for the phases afterwards."""
    table = house()
    guest = table.player(legal="rules", max_line=most)
    detail = "phases" if most > 20_000 else "summary"
    heard = begun(guest, seed=2, options={"detail": detail, "money": {"human": 4000, "chaos": 50_000}})
    told = act(guest, decide_of(heard), drones(decide_of(heard), 20))
    assert sum(of_kind(told, "turn_start")[0]["bought"].values()) == 1000
    guest.say(type="replay", game_id="g-31", turn=1)
    lines = guest.lines()
    assert max(map(len, lines)) < most
    acts = [each for line in map(json.loads, lines) if line.get("kind") == "phases" for each in line["acts"]]
    assert len(acts) == 50 and len(acts[0]) == 1000
    assert max(len(json.dumps(line)) for line in told) < 65_536


def test_the_schema_has_everything_that_is_sent() -> None:
    schema = protocol_schema(binding().values())
    game = schema["games"]["protection"]
    assert set(game["actions"]) == {"setup", "strategy"} and set(game["events"]) == set(EVENTS)
    assert {"legalsetup", "legalstrategy", "opening", "preview", "result", "reveal"} <= set(game["others"])
    assert "yield" in schema["$defs"]["OwnUnit"]["properties"]
    described = house().player().ask(type="describe", game="protection")
    assert described["rules"]["units"][4]["name"] == "settler" and described["options"]["detail"]["values"]


@pytest.mark.parametrize(("loser", "verdict"), [(0, "Chaos won"), (1, "You won")])
def test_who_gives_up_has_lost_in_the_story_too(loser: int, verdict: str) -> None:
    table = house()
    people = [table.player(legal="rules"), table.player()]
    begun(people[0], "open", seed=3)
    people[1].say(type="join", game_id="g-31")
    people[loser].say(type="resign", game_id="g-31")
    people[0].heard()
    told = people[0].ask(type="explain", game_id="g-31")["text"]
    assert told == [f"{verdict} before the first turn."]
