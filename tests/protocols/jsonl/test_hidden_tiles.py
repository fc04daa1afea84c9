"""Hidden information: what a seat is sent does not depend by a byte on what it may not know.

State form: other hands and the bag are dealt anew, and the lines of the decision are made again. History
form: two games with different hidden tiles and the same public course. Watchers, and the number of lines.
"""

import json
from typing import Any

from core.acquire.game import shuffled_bag
from core.acquire.rules import tile_name
from core.acquire.state import AcquireState
from core.random import Random
from protocols.jsonl.acquire import AcquireAdapter, AcquireGameState
from protocols.jsonl.codec import ENCODER
from protocols.jsonl.game import Game
from tests.protocols.jsonl.fakes import Client, FakeServer
from tests.protocols.jsonl.scripted import acquire

DECISIONS = 1000


def shown(game: Game, seat: int) -> bytes:
    """All that the seat is sent at a decision, as far as it depends on the game."""
    play = game.state
    parts: list[Any] = [play.observation(seat), play.legal(seat), play.phase(seat), play.ending()]
    return b"\n".join(ENCODER.encode(part) for part in [*parts, play.observation(None)])


def test_the_lines_of_a_decision_do_not_depend_on_hidden_tiles() -> None:
    rng = Random(5)
    count = changed = 0
    for game in range(100):
        server = FakeServer(acquire())
        client = server.player()
        holdings = "hidden" if game % 2 else "open"
        variant = ("classic", "tlstyer", "mini")[game % 3]
        received = client.create(
            game="acquire", variant=variant, seats=["me", "random"], seed=game, options={"holdings": holdings}
        )
        table = server.games.games["g-12"]
        play = table.state
        assert isinstance(play, AcquireGameState)
        while not table.is_over:
            (decide,) = [line for line in received if line["type"] == "decide"]
            seat = decide["seat"]
            before, state = shown(table, seat), play.state
            play.state = state.resample(seat, rng)
            changed += ENCODER.encode(play.reveal()) != ENCODER.encode(_reveal(state))
            assert shown(table, seat) == before
            play.state = state
            count += 1
            actions = decide["legal"]["actions"]
            action = actions[int(rng.below(len(actions)))]
            client.say(type="action", re=decide["id"], game_id="g-12", seq=decide["seq"], action=action)
            received = client.received()
        if count > DECISIONS:
            break
    assert count > DECISIONS and changed > count * 0.9


def test_games_that_differ_only_in_hidden_tiles_send_the_same_lines() -> None:
    """The last tiles of the bag are exchanged: nothing that seat 0 or a watcher is sent tells of it."""
    rules = acquire()["acquire"]
    assert isinstance(rules, AcquireAdapter)
    lines = 0
    for seed in range(12):
        streams = []
        for flip in (False, True):
            server = FakeServer(acquire())
            client, spectator = server.player(say=True), server.player(say=True)
            bag = _bag(seed, flip)
            client.say(type="create", game="acquire", variant="tlstyer", seats=["me", "random"],
                      options={"bag": bag})  # fmt: skip
            spectator.say(type="watch", game_id="g-12")
            spectator.lines()
            streams.append(_lines_until_bag_left(server, client, spectator, bag_left=6))
        assert streams[0] == streams[1]
        lines += len(streams[0][0])
    assert lines > 1000


def test_drawn_tiles_are_shown_only_to_the_player_who_draws() -> None:
    server = FakeServer(acquire())
    ann, bob = server.player(name="ann"), server.player(name="bob")
    ann.create(game="acquire", variant="mini", seats=["me", "open"], seed=3)
    bob.say(type="join", game_id="g-12")
    received = {"ann": ann.received(), "bob": bob.received()}
    seen: dict[str, list[dict[str, Any]]] = {"ann": [], "bob": []}
    while not server.games.games["g-12"].is_over:
        for client, name in ((ann, "ann"), (bob, "bob")):
            for line in received[name]:
                seen[name].append(line)
                if line["type"] == "decide":
                    action = line["legal"]["actions"][0]
                    client.say(type="action", re=line["id"], game_id="g-12", action=action)
        received = {"ann": ann.received(), "bob": bob.received()}
    drawn = {name: [line for line in lines if line.get("kind") == "drew"] for name, lines in seen.items()}
    assert len(drawn["ann"]) == len(drawn["bob"]) > 0
    for first, second in zip(drawn["ann"], drawn["bob"], strict=True):
        assert first["seq"] == second["seq"] and ("tiles" in first) != ("tiles" in second)


# -- Helpers ---------------------------------------------------------------------------------------


def _reveal(state: AcquireState) -> Any:
    return AcquireGameState(state, "", "").reveal()


def _bag(seed: int, flip: bool) -> list[str]:
    from core.acquire.rules import PRESETS, GameSpec

    setting = GameSpec(PRESETS["tlstyer"], 2)
    bag = [tile_name(setting.rules, int(tile)) for tile in shuffled_bag(setting, Random(seed))]
    return bag[:-6] + bag[-6:][::-1] if flip else bag


def _lines_until_bag_left(
    server: FakeServer, client: Client, spectator: Client, bag_left: int
) -> tuple[list[str], list[str]]:
    """All lines to the player and to the watcher before one of the last tiles is drawn."""
    played: list[str] = []
    watched: list[str] = []
    table = server.games.games["g-12"]
    while True:
        lines, more = client.lines(), spectator.lines()
        play = table.state
        assert isinstance(play, AcquireGameState)
        if table.is_over or play.state.bag_left() < bag_left:
            return played, watched
        played += [line for line in lines if '"created"' not in line]
        watched += more
        decide = json.loads(lines[-1])
        actions = decide["legal"]["actions"]
        action = actions[decide["seq"] % len(actions)]
        client.say(type="action", re=decide["id"], game_id="g-12", seq=decide["seq"], action=action)
