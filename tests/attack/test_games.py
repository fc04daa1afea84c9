"""What is said of games is true (D10), and nobody keeps others from playing (D6)."""

import asyncio
from time import perf_counter

from tests.attack.served import served

GAME = {"type": "create", "game": "acquire", "seats": ["me", "heuristic"]}


async def test_another_action_for_a_decision_is_no_duplicate() -> None:
    async with served() as server:
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


async def test_games_that_nobody_plays_give_way() -> None:
    """D6: five addresses with eight games each fill the server for seconds; who has one game keeps it."""
    async with served("--limit", "tables_games=41") as server:
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
            began = perf_counter()
            newcomer.say(**GAME)
            while (await newcomer.message("created", "error"))["type"] == "error":
                assert perf_counter() - began < 15, "too many games"
                await asyncio.sleep(0.5)
                newcomer.say(**GAME)
        player.say(
            type="action",
            id="a",
            re=decide["id"],
            game_id=decide["game_id"],
            action=decide["legal"]["actions"][0],
        )
        assert (await player.message("ok", "error"))["type"] == "ok"
