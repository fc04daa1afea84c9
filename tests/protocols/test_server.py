"""The TCP port with real workers behind it: several protocols, bad clients, and engines that die."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from core.chess.notation import START, position_from_fen
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from engines.engine import EngineError
from engines.events import Bus, EngineStatus
from engines.worker_pool import Workers
from protocols.accounts import Account
from protocols.engine_session import Event
from protocols.limits import Limits
from protocols.server import Server, _finish
from protocols.uci import UciSession
from tests import servers
from tests.protocols.hill.support import bomber
from tests.servers import CHECKOUT, Connect, command, game_server, listening, no_engine
from tests.toy import Scripted, first_action
from tests.waiting import PATIENCE_SECONDS, until
from tools.__main__ import main

ENGINE = "engines.chess.engine:ChessEngine"
STOPPED = "INFO: stopping: 1 connection, 0 games ended\nINFO: stopped\n"


@asynccontextmanager
async def served(workers: int = 1, **limits: Any) -> AsyncIterator[tuple[Connect, Server]]:
    async with Workers(workers) as pool, listening(lambda: pool.engine(ENGINE), **limits) as both:
        yield both


async def scripted_engine() -> Scripted:
    return Scripted(first_action)


async def test_a_client_that_sends_after_the_end_waits_for_its_turns() -> None:
    turns = 0

    class Flood(asyncio.StreamReader):
        pieces = 100

        async def read(self, n: int = -1) -> bytes:
            self.pieces -= 1
            return b"x" * (self.pieces > 0)

    class Closed:
        def can_write_eof(self) -> bool:
            return False

    async def turn() -> None:
        nonlocal turns
        turns += 1

    await _finish(Flood(), Closed(), turn)  # type: ignore[arg-type]
    assert turns == 99


async def test_lines_of_closed_clients_that_used_too_much_are_not_obeyed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is written to it, so that the system does not tell of its end."""
    obeyed, receive = [], UciSession.receive

    def noted(session: UciSession, line: str) -> Iterator[Event]:
        obeyed.append(line)
        return receive(session, line)

    monkeypatch.setattr(UciSession, "receive", noted)
    limits: dict[str, Any] = {"messages_per_second": 1e6, "messages_burst": 10**6}
    limits |= {"loop_share": 0.001, "loop_burst_seconds": 0.001}
    async with listening(scripted_engine, is_proxied=True, **limits) as (connect, server):
        wire = await connect()
        wire.say("uci")
        await wire.hear("uciok")
        wire.say(*["position startpos"] * 200)
        wire.writer.close()
        await until(lambda: not server.clients, "the end of the connection")
    assert len(obeyed) < 100


async def test_an_unknown_first_line_is_answered_with_those_that_the_server_takes() -> None:
    async with game_server() as games:
        for given in (None, games):
            async with listening(no_engine, games=given) as (connect, _):
                wire = await connect()
                wire.say("nonsense")
                answer = await wire.hear("unknown first line; it must be uci or xboard")
                assert ('{"type":"hello",...}' in answer) == (given is not None)


async def test_reading_a_flood_to_its_end_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a client that is refused: nothing else than the rest of its input costs much."""
    charged: list[float] = []
    spend = Account.spend_loop

    def noted(account: Account, seconds: float, now: float) -> None:
        charged.append(seconds)
        spend(account, seconds, now)

    monkeypatch.setattr(Account, "spend_loop", noted)
    async with served(is_proxied=True) as (connect, server):
        wire = await connect()
        wire.say("nonsense")
        await until(lambda: server.conversations["refused"] == 1)
        before = len(charged)
        for _ in range(10):
            wire.say("more of it")
            await asyncio.sleep(0.01)
        await wire.close()
        await until(lambda: len(charged) > before + 1)


async def test_uci_and_cecp_play_each_other() -> None:
    async with served(workers=2) as (connect, _):
        white, black = await connect(), await connect()
        white.say("uci")
        black.say("xboard", "protover 2", "new", "level 0 1 0", "sd 2")
        await white.hear("uciok")
        await black.hear("feature done=1")
        position, moves = position_from_fen(START), ""
        for _ in range(6):
            white.say(f"position startpos moves{moves}", "go depth 2")
            move = (await white.hear("bestmove ")).split()[1]
            black.say(f"usermove {move}")
            reply = (await black.hear("move ")).split()[1]
            moves += f" {move} {reply}"
            for text in (move, reply):
                position.apply(position.action_from(text))
        black.say("quit")
        assert await black.rest() == []


async def test_stopping_the_server_lets_a_search_give_its_move() -> None:
    async with served() as (connect, server):
        wire = await connect()
        wire.say("uci", "go movetime 60000")
        await wire.hear("info ")
        await server.stop()
        assert any(line.startswith("bestmove ") for line in await wire.rest())


async def test_a_draw_that_is_not_claimed_is_searched() -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    async with served() as (connect, _):
        uci, cecp = await connect(), await connect()
        uci.say("uci", f"position startpos moves {' '.join(shuffle)}", "go depth 2")
        await uci.hear("bestmove ")
        cecp.say("xboard", "force", *(f"usermove {move}" for move in shuffle), "post", "analyze")
        await cecp.hear(r"\d+ ")
        cecp.say("exit", "sd 2", "go")
        await cecp.hear("move ")


@pytest.mark.parametrize("first", [b"uci\n", b"  uci \r\n", b"\n\r\n\nuci\n", b"\xef\xbb\xbfuci\n", b"uci"])
async def test_first_lines_with_blanks_or_byte_order_marks_are_understood(first: bytes) -> None:
    async with served() as (connect, _):
        wire = await connect()
        wire.writer.write(first)
        if not first.endswith(b"\n"):
            wire.writer.write_eof()
        await wire.hear("uciok")


@pytest.mark.parametrize("first", [b"GET / HTTP/1.1\r\n\r\n", b"\x00\xff\xfe\n", b"ucinewgame\n", b"quit\n"])
async def test_first_lines_of_no_protocol_are_answered_with_advice(first: bytes) -> None:
    async with listening(no_engine) as (connect, _):
        wire = await connect()
        wire.writer.write(first)
        (advice,) = await wire.rest()
        assert "uci" in advice and "xboard" in advice


async def test_connections_without_a_whole_first_line_are_closed() -> None:
    async with listening(no_engine, first_line_seconds=0.2) as (connect, _):
        silent, slow, gone = await connect(), await connect(), await connect()
        gone.writer.write_eof()
        for letter in b"uc":
            slow.writer.write(bytes([letter]))
            await asyncio.sleep(0.05)
        for wire in (silent, slow, gone):
            await wire.rest()


async def test_too_long_lines_close_the_connection() -> None:
    async with served(line_bytes=100, position_bytes=2000) as (connect, _):
        first = await connect()
        first.say("uci" + " " * 200)
        assert await first.rest() == ["the line is longer than 100 bytes"]
        later = await connect()
        later.say("uci", "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 50, "isready", "x" * 200)
        await later.hear("readyok")
        assert (await later.rest())[-1] == "info string the line is too long"
        endless = await connect()
        endless.say("uci")
        await endless.hear("uciok")
        endless.writer.write(b"position " * 20_000)
        assert (await endless.rest())[-1] == "info string the line is too long"


async def test_a_full_server_closes_idle_connections_and_keeps_searches() -> None:
    """Those at work stay; who only waits makes room."""
    async with served(workers=2, is_proxied=True, connections=2, stop_seconds=0.3) as (connect, _):
        first, second = await connect(), await connect()
        for wire in (first, second):
            wire.say("uci", "go infinite")
            await wire.hear("info depth")
        third = await connect()
        third.say("uci")
        assert await third.rest() == ["too many connections; try again later"]
        second.say("stop")
        await second.hear("bestmove")
        again = await connect()
        again.say("uci")
        await again.hear("uciok")
        await second.rest()
        first.say("stop")
        await first.hear("bestmove")


async def test_connections_per_address_are_limited_except_for_this_machine() -> None:
    """Programs of this machine are trusted; behind a proxy nobody is one."""
    for is_proxied, answer in ((True, "too many connections from your address"), (False, "out of engines")):
        async with listening(no_engine, is_proxied=is_proxied, connections_per_address=1) as (
            connect,
            server,
        ):
            (await connect()).writer.write(b" ")
            await until(lambda: server._tasks, "the first connection")
            second = await connect()
            second.say("uci")
            (line,) = await second.rest()
            assert line.endswith(answer)


@pytest.mark.parametrize(
    ("addresses", "is_refused"),
    [
        (["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:0:3::"], True),
        (["192.0.2.200", "::ffff:192.0.2.200", "::ffff:c000:2c8"], True),
        (["2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:2::1"], False),
    ],
)
async def test_connections_of_a_network_or_a_mapped_address_count_together(
    addresses: list[str], is_refused: bool
) -> None:
    listens = listening(scripted_engine, is_proxied=True, connections_per_address=2, stop_seconds=0.1)
    async with listens as (connect, _):
        wires = [await connect() for _ in addresses]
        for wire, address in zip(wires, addresses, strict=True):
            wire.say(f"PROXY TCP6 {address} 2001:db8::80 50000 1835\r", "uci")
            is_last = wire is wires[-1]
            await wire.hear("too many connections from your address" if is_last and is_refused else "uciok")


async def test_the_number_of_busy_engines_is_published() -> None:
    bus = Bus()

    server = Server(scripted_engine, Limits(), bus=bus)
    async with server.engine(), server.engine():
        pass
    events = [event.news for event in bus.history(0)]
    statuses = [(event.clients, event.status) for event in events if isinstance(event, EngineStatus)]
    assert statuses == [(0, "online"), (1, "playing"), (2, "playing"), (1, "playing"), (0, "online")]
    assert len(bus.states()) == 1
    with pytest.raises(EngineError):
        async with Server(no_engine, Limits(), bus=bus).engine():
            pass
    assert bus.seq == 6


async def test_remote_clients_cannot_set_files_or_large_hash_tables() -> None:
    async with served(hash_mib=24) as (connect, _):
        wire = await connect()
        wire.say(
            "uci", "setoption name GenomeFile value /etc/passwd", "setoption name Hash value 1000", "isready"
        )
        await wire.hear("readyok")
        assert "option name Hash type spin default 16 min 1 max 24" in wire.received
        offered = {line.split()[2] for line in wire.received if line.startswith("option name")}
        assert offered == {
            "Hash",
            "Clear",
            "MultiPV",
            "Genome",
            "Search",
            "Strength",
            "UCI_LimitStrength",
            "UCI_Elo",
            "UCI_ShowWDL",
            "Resign",
            "Overhead",
            "Seed",
            "Ponder",
            "UCI_Chess960",
        }  # no file of this machine, nor what is about one
        assert "info string no option is named 'GenomeFile'" in wire.received
        assert "info string Hash must be 1..24, not '1000'" in wire.received


async def test_an_idle_connection_ends() -> None:
    async with served(idle_seconds=0.3, stop_seconds=0.3) as (connect, _):
        wire = await connect()
        wire.say("uci")
        await wire.hear("uciok")
        assert await wire.rest() == []


@pytest.mark.parametrize("write_seconds", [0.3, 3600.0])
async def test_a_client_that_does_not_read_delays_no_other_and_is_cut_off(
    write_seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.engine_session.WRITE_SECONDS", write_seconds)
    async with served(stop_seconds=0.3) as (connect, server):
        slow, good = await connect(), await connect()
        good.say("uci")
        await good.hear("uciok")
        slow.say(*["uci"] * 20_000)
        if write_seconds < 1.0:
            await until(lambda: len(server._tasks) == 1, "the end of the slow connection")
        for _ in range(20):
            good.say("isready")
            await good.hear("readyok")
        good.say("go depth 2")
        await good.hear("bestmove ")
        assert len(server._tasks) == (1 if write_seconds < 1.0 else 2)


async def test_abrupt_disconnections_during_searches_free_the_engine() -> None:
    async with served(stop_seconds=0.3) as (connect, server):
        for start in ("uci\ngo infinite\n", "xboard\nlevel 0 60 0\npost\ngo\n", "uci\n", "u"):
            wire = await connect()
            wire.writer.write(start.encode())
            if len(start) > 2:
                await wire.hear("")
            wire.writer.transport.abort()
        await until(lambda: not server._tasks, "the end of the conversations")
        assert not server.clients
        wire = await connect()
        wire.say("uci", "go depth 3")
        await wire.hear("bestmove ")


async def test_a_killed_worker_ends_no_conversation() -> None:
    async with Workers(1) as pool, listening(lambda: pool.engine(ENGINE)) as (connect, _):
        uci, cecp = await connect(), await connect()
        uci.say("uci", "setoption name Hash value 8", "go infinite")
        cecp.say("xboard", "st 5", "post", "go")
        await uci.hear("info depth")
        await cecp.hear(r"\d+ ")
        for worker in pool._workers:
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGKILL)
        await uci.hear("info string the engine's process has ended")
        await cecp.hear("telluser the engine's process has ended")
        await cecp.hear("move ")
        uci.say("stop", "isready")
        await uci.hear("bestmove ")
        await uci.hear("readyok")
        uci.say("go depth 4")
        await uci.hear("info depth 4")
        await uci.hear("bestmove ")


async def test_searches_never_block_the_event_loop() -> None:
    """Four games search; what the loop computes from one tick to the next is little. (On a busy machine it waits longer.)"""
    computed: list[float] = []

    async def tick() -> None:
        while True:
            started = time.thread_time()
            await asyncio.sleep(0.005)
            computed.append(time.thread_time() - started)

    async with served(workers=2) as (connect, _):
        wires = [await connect() for _ in range(4)]
        for wire in wires:
            wire.say("uci", "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 100, "go movetime 1000")
        ticking = asyncio.create_task(tick())
        await asyncio.gather(*(wire.hear("bestmove ") for wire in wires))
        ticking.cancel()
        await asyncio.wait({ticking})
    computed.sort()
    assert len(computed) > 50
    assert computed[len(computed) // 2] < 0.005
    assert computed[len(computed) * 9 // 10] < 0.020


async def test_stop_ends_the_conversations() -> None:
    async with served() as (connect, server):
        wire = await connect()
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        await server.stop()
        with pytest.raises((ConnectionError, EOFError)):
            await wire.hear("no such line")
        assert not server._tasks


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_serve_ends_with_all_its_processes_on_sigterm_and_sigint(number: signal.Signals) -> None:
    async with servers.served(
        "--workers", 2, stderr=asyncio.subprocess.PIPE, start_new_session=True
    ) as server:
        wire = await server.connect("127.0.0.1")
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        children = _children(server.pid)
        assert len(children) >= 2, "the fork server, and the engine's process, which it has begun"
        if number is signal.SIGINT:
            os.killpg(server.pid, number)  # as Ctrl-C at a terminal does
        else:
            server.process.send_signal(number)
        assert await ended(server) == (0, STOPPED)
        await until(lambda: not any(map(_exists, children)), "the end of its processes")


async def test_serve_with_a_hill_fights_submissions_and_ends_cleanly(tmp_path: Path) -> None:
    store = HillStore.create(tmp_path / "nano.hill", PRESETS["nano"])
    async with servers.served("--hill", store.path, stderr=asyncio.subprocess.PIPE) as server:
        assert ";redcode-nano" in server.greeting
        wire = await server.connect("127.0.0.1")
        for step in (3, 5):
            wire.say(*bomber(step).splitlines())
            await wire.hear(r"\.$")
        assert any(line.startswith("Your overall score: ") for line in wire.received)
        wire.say(*bomber(7).splitlines()[:3])
        server.process.terminate()  # amid a letter
        status, log = await ended(server)
        assert status == 0 and log.endswith(STOPPED)
        assert [line.partition(":")[2][:24] for line in log.removesuffix(STOPPED).splitlines()] == [
            " Nano hill, challenge 1:",
            " Nano hill, challenge 2:",
        ]
    assert store.hill().challenges == 2


async def test_serve_reports_a_port_that_is_in_use() -> None:
    async with listening(no_engine) as (_, server):
        assert server._listener is not None
        taken = server._listener.sockets[0].getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            *command("serve", "--workers", 1, "--page", 0, "--port", taken), cwd=CHECKOUT,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE_SECONDS)
    assert (process.returncode, out) == (1, b"")
    (line,) = err.decode().splitlines()
    assert line.startswith(f"galapagos serve: port {taken} of 127.0.0.1 is in use") and "--port 0" in line


@pytest.mark.parametrize(
    "words",
    [
        ("--port", "70000"),
        ("--limit", "connections=0"),
        ("--limit", "nonsense=1"),
        ("--limit", "connections=many"),
        ("--hill", "/nowhere/at/all"),
        ("--evolve", "{folder}"),
    ],
)
def test_serve_reports_invalid_arguments_without_a_traceback(
    words: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tools.serve.start_log", lambda format: None)  # it is of this whole process
    try:
        status = main(
            [
                "serve",
                "--port",
                "0",
                "--page",
                "0",
                "--workers",
                "1",
                words[0],
                words[1].format(folder=tmp_path),
            ]
        )
    except SystemExit as exit:
        status = exit.code  # type: ignore[assignment]  # argparse
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith("galapagos serve: ")
    assert "Traceback" not in err
    assert words[0] != "--evolve" or "holds no run" in err


async def ended(server: servers.Served) -> tuple[int, str]:
    """Return the exit status and the errors of a server that has been told to end."""
    assert server.process.stderr
    status = await asyncio.wait_for(server.process.wait(), PATIENCE_SECONDS)
    return status, (await server.process.stderr.read()).decode()


def _children(process: int) -> list[int]:
    """Return the IDs of its children, and of theirs."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it is gone
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found = [process]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def _exists(process: int) -> bool:
    return Path(f"/proc/{process}").exists()
