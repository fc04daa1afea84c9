"""Seeds and answers are what the server says of them, and games that are not played make room."""

import asyncio
from hashlib import sha256

from tests.servers import Running, served
from tests.waiting import PATIENCE_SECONDS

GAME = {"type": "create", "game": "acquire", "seats": ["me", "heuristic"]}


async def test_a_different_second_action_for_a_decision_is_refused(server: Running) -> None:
    client = await server.connect()
    await client.hello()
    client.say(type="create", game="acquire", seats=["me", "heuristic"], seed=3)
    decide = await client.message("decide")
    first, second, *_ = decide["legal"]["actions"]
    action = {"type": "action", "re": decide["id"], "game_id": decide["game_id"], "seq": decide["seq"]}
    client.say(**action, id="a", action=first)
    assert (await client.message("ok")) == {"type": "ok", "re": "a"}
    client.say(**action, id="b", action=first)
    assert (await client.message("ok")) == {"type": "ok", "re": "b", "duplicate": True}
    client.say(**action, id="c", action=second)
    refused = await client.message("ok", "error")
    assert (refused["type"], refused["re"], refused["code"]) == ("error", "c", "stale_seq")


async def test_a_chosen_seed_and_its_chooser_are_shown_to_every_seat(server: Running) -> None:
    """In the listing, at `joined` and at `start`, and what chance hides is open to all seats."""
    alice, bob = await server.connect(), await server.connect()
    await alice.hello(name="Alice")
    await bob.hello(name="Bob")
    alice.say(type="create", game="acquire", seats=["me", "open"], seed=777)
    game = (await alice.message("created"))["game_id"]
    bob.say(type="list", state="open")
    assert "Alice" in (await bob.message("listing"))["games"][0].get("seed_chosen_by", "")
    bob.say(type="join", game_id=game)
    assert (await bob.message("joined"))["seed_chosen_by"] == "Alice"
    told = {"chosen_by": "Alice", "hidden": "open", "number": 777}
    assert (await bob.message("start"))["seed"] == told == (await alice.message("start"))["seed"]


async def test_the_seed_revealed_at_the_end_matches_the_commitment(server: Running) -> None:
    """The hash that is told before the start is the one of the seed and the salt that are told at the end."""
    clients = [await server.connect() for _ in range(2)]
    for client in clients:
        await client.hello()
    clients[0].say(type="create", game="acquire", seats=["me", "open"])
    created = await clients[0].message("created")
    clients[1].say(type="join", game_id=created["game_id"])
    assert (await clients[1].message("joined"))["seed_commit"] == created["seed_commit"]
    for client in clients:
        assert "seed" not in await client.message("start")
    clients[0].say(type="resign", game_id=created["game_id"])
    reveal = (await clients[1].message("end"))["reveal"]
    promised = f"galapagos/1|{created['game_id']}|{reveal['seed']}|{reveal['salt']}"
    assert created["seed_commit"] == f"sha256:{sha256(promised.encode()).hexdigest()}"


async def test_idle_games_make_room_for_new_games() -> None:
    """Five addresses with eight games each fill the server; a player with one game keeps it."""
    async with served("--proxied", "--limit", "games_games=41") as server:
        player = await server.connect()
        await player.hello()
        player.say(**GAME)
        decide = await player.message("decide")
        for _ in range(5):
            client = await server.connect()
            await client.hello()
            for _ in range(8):
                client.say(**GAME)
                assert (await client.message("created", "error"))["type"] == "created"
        for _ in range(3):
            newcomer = await server.connect()
            await newcomer.hello()
            newcomer.say(**GAME)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (await newcomer.message("created", "error"))["type"] == "error":
                    await asyncio.sleep(0.1)
                    newcomer.say(**GAME)
        player.say(
            type="action",
            id="a",
            re=decide["id"],
            game_id=decide["game_id"],
            action=decide["legal"]["actions"][0],
        )
        assert (await player.message("ok", "error"))["type"] == "ok"
