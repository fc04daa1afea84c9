"""Hidden holdings: what others have in cash and shares changes no byte of what a seat or a watcher is sent."""

import json
from typing import Any

from core.acquire.notation import from_text, to_text
from core.random import Random
from protocols.jsonl.acquire import AcquireGameState
from protocols.jsonl.game import Game
from tests.protocols.jsonl.fakes import Client, FakeServer
from tests.protocols.jsonl.scripted import acquire

DECISIONS = 1000
SEATS = 4


def cash_line(dollars: list[int]) -> str:
    """Return the line of a state's text that has the cash of each seat."""
    return f"cash {' '.join(map(str, dollars))}\n"


def sent(server: FakeServer, client: Client, game: Game) -> list[str]:
    """The decision again, the full state, and what somebody sees who begins to look on."""
    assert client.connection.session
    (seat,) = game.seats_of(client.connection.session)
    assert seat.decision
    line = game.lines.decide_line(seat, seat.decision, server.now).decode()
    client.say(type="state", id=1, game_id="g-12")
    watcher = server.player()
    watcher.say(type="watch", game_id="g-12")
    watched = [each for each in watcher.lines() if '"watching"' not in each]
    watcher.leave()
    return [line, *client.lines(), *watched]


def test_hidden_holdings_of_other_seats_change_no_line() -> None:
    rng = Random(8)
    count = changed = 0
    for game in range(100):
        server = FakeServer(acquire())
        client = server.player()
        seats = ["me", *["random"] * (SEATS - 1)]
        options = {"holdings": "hidden"}
        received = client.create(game="acquire", variant="tlstyer", seats=seats, seed=game, options=options)
        table = server.games.games["g-12"]
        play = table.state
        assert isinstance(play, AcquireGameState)
        while not table.is_over:
            (decide,) = [line for line in received if line["type"] == "decide"]
            before, state = sent(server, client, table), play.state
            play.state = other = state.resample(decide["seat"], rng)
            other.bag = state.bag  # of which everybody has seen the first tiles, those for the seats
            changed += other.shares_by_seat() != state.shares_by_seat()
            assert sent(server, client, table) == before
            play.state = state
            check(decide, before)
            count += 1
            actions = decide["legal"]["actions"]
            action = actions[int(rng.below(len(actions)))]
            client.say(type="action", re=decide["id"], game_id="g-12", seq=decide["seq"], action=action)
            received = client.received()
        if count > DECISIONS:
            break
    assert count > DECISIONS and changed > count * 0.8


def check(decide: dict[str, Any], lines: list[str]) -> None:
    """Others' holdings are null wherever an observation is told, the own ones are not."""
    seat = decide["seat"]
    for line in lines:
        message = json.loads(line)
        shown = message["observation"]
        own = [seat] if "hand" in shown else []
        for field in ("cash", "shares"):
            assert [at for at, value in enumerate(shown[field]) if value is not None] == own


def test_open_holdings_of_other_seats_change_the_lines() -> None:
    """The test above can fail."""
    server = FakeServer(acquire())
    client = server.player()
    client.create(game="acquire", variant="tlstyer", seats=["me", "random", "random", "random"], seed=1)
    table = server.games.games["g-12"]
    play = table.state
    assert isinstance(play, AcquireGameState)
    before = sent(server, client, table)
    (seat,) = play.due()
    dollars = play.state.cash_by_seat()
    richer = [value + 100 * (other == (seat + 1) % SEATS) for other, value in enumerate(dollars)]
    text = to_text(play.state).replace(cash_line(dollars), cash_line(richer))
    play.state = from_text(play.state.spec, text)
    assert play.state.cash_by_seat() == richer
    assert sent(server, client, table) != before
