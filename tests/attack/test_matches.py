"""A match goes on after kill -9: to the same table, and its director finds it again."""

from pathlib import Path
from typing import Any

from tests.protocols.wire import Wire
from tests.servers import Served, served

GAMES = 60  # each played by four: kills in the middle of them need some
MATCH: dict[str, Any] = {
    "type": "match", "game": "acquire", "players": ["random", "heuristic", "evolved-net-four", "random"], "games": GAMES,
    "pairing": "swiss", "mirror": True, "seed": 7,
}  # fmt: skip


async def director(server: Served, token: str = "") -> tuple[Wire, str]:
    """With a session of its own or that of the token; and its token."""
    client = await server.connect("127.0.0.1")
    welcome = await client.hello(role="director")
    if token:
        client.say(type="resume", token=token)
    return client, token or welcome["resume"]


async def ended(client: Wire) -> list[dict[str, Any]]:
    """The table without what depends on how fast the machine is."""
    table = (await client.message("match_end"))["table"]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in table]


async def test_a_match_survives_kills_of_the_server(tmp_path: Path) -> None:
    async with served("--records", tmp_path / "undisturbed") as server:
        client, _ = await director(server)
        client.say(**MATCH)
        expected = await ended(client)
    token, done = "", 0
    for _ in range(2):
        async with served("--records", tmp_path / "killed") as server:
            client, resumed = await director(server, token)
            if token:
                answer = await client.message("resumed", "error")
                assert [each["of"] for each in answer["matches"]] == [4 * GAMES], answer
            else:
                client.say(**MATCH)
            token = resumed
            for _ in range(2):
                event = await client.message("match_event", "match_end")
                assert event.get("done", 4 * GAMES) >= done
                done = event.get("done", 4 * GAMES)
                if event["type"] == "match_end":
                    break
            server.process.kill()
    async with served("--records", tmp_path / "killed") as server:
        client, _ = await director(server, token)
        assert (await client.message("resumed"))["matches"]
        assert await ended(client) == expected
        client.say(type="list", what="matches")
        assert (await client.message("listing"))["matches"][0]["done"] == 4 * GAMES


async def test_the_director_can_cancel_a_match_after_a_kill(tmp_path: Path) -> None:
    async with served("--records", tmp_path) as server:
        client, token = await director(server)
        client.say(**{**MATCH, "games": 5_000})
        match = (await client.message("matched"))["match_id"]
        await client.message("match_event")
        server.process.kill()
    async with served("--records", tmp_path) as server:
        client, _ = await director(server, token)
        client.say(type="match_cancel", match_id=match)
        assert (await client.message("ok", "error"))["type"] == "ok"
        assert (await client.message("match_end"))["match_id"] == match
