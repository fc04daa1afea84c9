"""Hidden information: what a side is sent does not depend by a byte on what it may not know.

To the human: the strings, ratings and profile of Chaos. To Chaos: the setup, until the turn begins. Watchers
see neither. Games of random setups, more than a thousand decisions.
"""

import json
from dataclasses import replace
from typing import Any

from core.random import Random
from engines.protection.profile import Hybrid, Profile
from protocols.jsonl.codec import ENCODER
from protocols.jsonl.game import Game
from protocols.jsonl.protection_state import ProtectionGameState
from tests.protocols.jsonl.fakes import Client, FakeServer
from tests.protocols.jsonl.protection_games import act, begun, decide_of, free, pool, protection_server

DECISIONS = 1000
UNITS = ("drone", "mine", "farmer", "infantry", "settler")
MONEY = {"human": 300, "chaos": 200}


def shown(table: Game, seat: int) -> bytes:
    """All that a seat is sent at a decision, and what a watcher sees."""
    play = table.state
    parts: list[Any] = [play.observation(seat), play.legal(seat), play.phase(seat), play.ending()]
    return b"\n".join(ENCODER.encode(part) for part in [*parts, play.observation(None)])


def random_setup(decide: dict[str, Any], rng: Random) -> dict[str, Any]:
    rules = decide["legal"]["rules"]
    squares, money, place = list(free(decide)), rules["treasury"], []
    for _ in range(int(rng.below(6))):
        unit = UNITS[int(rng.below(len(UNITS)))]
        if rules["units"][unit]["cost"] <= money and squares:
            money -= rules["units"][unit]["cost"]
            place.append({"unit": unit, "at": list(squares.pop(int(rng.below(len(squares)))))})
    return {"kind": "setup", "place": place, "salvage": []}


def test_the_knowledge_of_chaos_changes_no_line_of_a_decision() -> None:
    """State form: another profile, other ratings under way, another string chosen next."""
    rng, count, other = Random(1), 0, 0
    for seed in range(1000):
        table = protection_server()
        client = table.player()
        received = begun(client, "chaos:seed", seed=seed, options={"money": MONEY})
        game = table.games.games["g-31"]
        play = game.state
        assert isinstance(play, ProtectionGameState) and play.opponent_model
        while not game.is_over:
            before, chosen = shown(game, 0), play.opponent_model.choose(play.game)
            ratings = tuple(int(rng.below(20_000)) - 9000 for _ in range(250))
            hybrid = Hybrid(rating=-20_000, genome=pool().entries[3].genome)
            known = Profile(wins=5, losses=2, ratings=ratings, hybrids=(hybrid,))
            play.opponent_model._chaos = replace(play.opponent_model._chaos, profile=known)
            other += play.opponent_model.choose(play.game) != chosen
            assert shown(game, 0) == before
            received = act(client, decide_of(received), random_setup(decide_of(received), rng))
            count += 1
        if count >= DECISIONS:
            break
    assert count >= DECISIONS and other > count * 0.9


def test_the_knowledge_of_chaos_changes_no_line_of_a_game() -> None:
    """The same string is played by two who know different things: not a byte tells the human or a watcher."""
    lines = 0
    for seed in range(6):
        streams = []
        for knows in (False, True):
            table = protection_server()
            client, spectator = table.player(say=True), table.player(say=True)
            client.say(type="create", game="protection", seats=["me", "chaos:fixed:2"], seed=seed,
                      options={"money": MONEY, "detail": "phases"})  # fmt: skip
            play = table.games.games["g-31"].state
            assert isinstance(play, ProtectionGameState) and play.opponent_model
            if knows:
                known = Profile(wins=9, ratings=(-7,) * 250)
                play.opponent_model._chaos = replace(play.opponent_model._chaos, profile=known)
            spectator.say(type="watch", game_id="g-31")
            streams.append((_played(client, Random(seed)), spectator.lines()))
        assert streams[0] == streams[1]
        lines += len(streams[0][0])
    assert lines > 60


def test_chaos_sees_no_setup_before_the_turn() -> None:
    """History form for seat 1, with the number of lines: the human has decided, one way or another."""
    received: list[list[str]] = []
    for mined in (False, True):
        table = protection_server()
        ann, bob = table.player(name="ann"), table.player(name="bob")
        begun_lines = begun(ann, "open", seed=4)
        assert [line["type"] for line in begun_lines] == ["created"]
        bob.say(type="join", game_id="g-31")
        decide = decide_of(ann.received())
        at = list(next(free(decide)))
        place = [{"unit": "mine", "at": at}] if mined else []
        act(ann, decide, {"kind": "setup", "place": place, "salvage": []})
        bob.say(type="state", game_id="g-31")
        received.append(bob.lines())
        own = json.loads(received[-1][-1])["observation"]
        assert own["treasury"] == 2000 and "units" not in own and len(own["string"]) == 264
        assert not ann.received(), "nor is the human told anything before Chaos has decided"
        strategy = decide_of([json.loads(line) for line in received[-1]], seat=1)
        assert strategy["phase"] == "strategy"
        bob.say(type="action", re=strategy["id"], game_id="g-31", action={"kind": "strategy", "pool": 2})
        assert ('"mine"' in "".join(bob.lines())) == mined
    assert received[0] == received[1]


def test_a_watcher_observes_only_the_turn_and_the_values() -> None:
    table: FakeServer = protection_server()
    client, spectator = table.player(), table.player()
    received = begun(client, seed=4, options={"money": MONEY})
    spectator.say(type="watch", game_id="g-31")
    spectator.lines()
    for _ in range(3):
        assert set(spectator.ask(type="state", game_id="g-31")["observation"]) == {
            "turn", "human_value", "chaos_value",
        }  # fmt: skip
        if received[-1]["type"] != "decide":
            break
        received = act(client, decide_of(received), random_setup(decide_of(received), Random(2)))
        spectator.lines()


def _played(client: Client, rng: Random) -> list[str]:
    """A whole game: every line but the one that names the game."""
    said: list[str] = []
    while True:
        lines = client.lines()
        said += [line for line in lines if '"created"' not in line]
        last = json.loads(lines[-1])
        if last["type"] == "end" or len(said) > 60:
            return said
        client.say(
            type="action", re=last["id"], game_id="g-31", seq=last["seq"], action=random_setup(last, rng)
        )
