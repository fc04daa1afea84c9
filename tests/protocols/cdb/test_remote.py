"""cdb over a connection: two warriors, then commands, and nothing that touches the host."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from protocols.cdb.remote import USAGE
from protocols.server import Server
from tests.protocols.hill.support import bomber, served
from tests.protocols.wire import Wire
from tests.servers import Connect

PROMPT = b"(cdb) "


def serving(folder: Path) -> AbstractAsyncContextManager[tuple[Connect, Server]]:
    return served(HillStore.create(folder / "nano.hill", PRESETS["nano"]), stop_seconds=1.0)


async def begun(connect: Connect) -> tuple[Wire, str]:
    """A debugger at its first prompt, and what it said."""
    wire = await connect()
    wire.writer.write(f"cdb nano\n{bomber(3)}{bomber(7)}".encode())
    return wire, (await wire.reader.readuntil(PROMPT)).decode()


async def answer(wire: Wire, line: str) -> str:
    wire.say(line)
    return (await wire.reader.readuntil(PROMPT)).decode().removesuffix(PROMPT.decode())


async def test_a_remote_client_steps_through_a_fight(tmp_path: Path) -> None:
    async with serving(tmp_path) as (connect, _):
        wire, first = await begun(connect)
        assert "00000   ADD.AB #     3, $     3" in first
        assert "ADD.AB #     7, $     3" in await answer(wire, "step")
        assert "MOV.I  $     2, @     2" in await answer(wire, "step")
        assert await answer(wire, "calc 6*7") == "42\n"
        wire.say("quit")
        (*_, last) = await wire.rest()
        assert last == "Every 3 by Ann against Every 7 by Ann: 0 wins, 0 losses, 0 ties"
        assert HillStore.open(tmp_path / "nano.hill").hill().challenges == 0


async def test_remote_commands_cannot_touch_the_host(tmp_path: Path) -> None:
    async with serving(tmp_path) as (connect, _):
        wire, _ = await begun(connect)
        proof = tmp_path / "proof"
        for line in (f"shell touch {proof}", f"write {proof}", f"macro {proof}"):
            await answer(wire, line)
        await answer(wire, "list 0")
        assert not proof.exists()
        wire.say("quit")
        await wire.rest()


async def test_cdb_requests_without_a_hill_and_two_warriors_are_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as (connect, _):
        for text, reason in (
            ("cdb\n", f"{USAGE}: cdb nano"),
            ("cdb tiny\n", "no hill of this server takes ;redcode-tiny; its hills take ;redcode-nano"),
            (f"cdb nano\n{bomber(3)}", "the debugger needs 2 warriors, each with a line END"),
            (f"cdb nano\n{bomber(3)};redcode\nMVO 1, 2\nEND\n", "the warrior could not be assembled"),
        ):
            wire = await connect()
            wire.writer.write(text.encode())
            wire.writer.write_eof()
            assert (await wire.rest())[0] == reason
