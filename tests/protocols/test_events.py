"""Events as JSON."""

import json

from engines.events import (
    BroadcastLine,
    Challenge,
    EngineStatus,
    Event,
    Generation,
    Payload,
    Retired,
    Standing,
    Standings,
)
from protocols.event_log import encode_event


def as_data(news: Payload, *, is_state: bool = False) -> dict[str, object]:
    line = encode_event(Event(seq=7, topic="a/b", news=news, is_state=is_state))
    assert line.startswith(b'{"v":1,"seq":7,"topic":"a/b","type":"%b"' % news.type.encode())
    assert b"\n" not in line
    data: dict[str, object] = json.loads(line)
    for field in ("v", "seq", "topic", "type"):
        del data[field]
    return data


def test_every_news_in_its_form() -> None:
    assert as_data(BroadcastLine(line=b'{"type":"end","seq":3}')) == {"line": {"type": "end", "seq": 3}}
    assert as_data(Retired()) == {}
    presence = EngineStatus(name="chess", status="playing", clients=2)
    assert as_data(presence, is_state=True) == {
        "is_state": True,
        "name": "chess",
        "status": "playing",
        "guests": 2,
    }
    challenge = Challenge(hill="nano", number=3, warrior="Imp", author="A. K.", place=None)
    assert as_data(challenge)["place"] is None
    row = Standing(place=1, warrior="Imp", author="\u00e9", score=1.5, age=2)
    table = as_data(Standings(hill="nano", challenges=3, table=(row,)))["table"]
    assert table == [{"place": 1, "warrior": "Imp", "author": "\u00e9", "score": 1.5, "age": 2}]
    generation = Generation(
        run="r", game="chess", generation=4, hash="ab", seconds=1.0, measures={"best": float("nan")}
    )
    assert as_data(generation)["measures"] == {"best": None}


def test_names_of_strangers_stay_on_their_line() -> None:
    row = Standing(place=1, warrior='<img src=x>\n"', author="\u2028", score=1.0, age=2)
    told = as_data(Standings(hill="x", challenges=1, table=(row,)))["table"]
    assert told == [{"place": 1, "warrior": '<img src=x>\n"', "author": "\u2028", "score": 1.0, "age": 2}]
