"""An engine reports what it does not understand, and plays nothing that it was not asked for."""

import pytest

from tests.servers import Running

IMPOSSIBLE = (
    "fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "fen 4k3/8/8/8/8/8/8/4K2K w - - 0 1",
    "fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1",
    "fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
    "fen rubbish",
    "fen",
    "startpos moves e2e5",
    "startpos moves 0000",
)


@pytest.mark.parametrize("go", ["go depth 3", "go movetime 20 searchmoves e2e4", "go infinite"])
async def test_an_illegal_position_is_not_searched(server: Running, go: str) -> None:
    client = await server.connect()
    client.say("uci")
    await client.hear("uciok")
    for position in IMPOSSIBLE:
        client.say("position startpos moves e2e4", f"position {position}", go, "stop")
        assert (await client.line()).startswith("info string ")
        assert await client.hear("bestmove") == "bestmove 0000", position
    client.say("position startpos moves f2f3 e7e5 g2g4", "go depth 2")
    assert (await client.hear("bestmove")).split()[1] == "d8h4"


async def test_an_illegal_position_is_not_searched_over_cecp(server: Running) -> None:
    client = await server.connect()
    client.say("xboard", "protover 2", "force", "usermove e2e4")
    await client.hear("feature done=1")
    for position in IMPOSSIBLE[:5]:
        client.say(f"setboard {position.removeprefix('fen ')}", "st 1", "go", "ping 7")
        lines = [await client.line()]
        while lines[-1] != "pong 7":
            lines.append(await client.line())
        assert lines[0].startswith("tellusererror Illegal position"), lines
        assert not any(line.startswith("move ") for line in lines), lines
