"""What is said of games is true: an action that was not taken is not acknowledged (D10)."""

from tests.attack.served import served


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
