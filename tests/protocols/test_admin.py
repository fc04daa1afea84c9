"""What an operator sees of a running server, and what bans and ends do, over the socket of a home."""

import asyncio
import json
import logging
import os
import socket
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from ssl import Purpose, create_default_context
from typing import Any

import pytest

from engines.events import Bus
from engines.home import folder_bytes
from protocols.admin import BANS, LINE_BYTES, SOCKET, Admin, admin_socket
from protocols.bans import BanList
from protocols.limits import Limits
from protocols.server import Server
from protocols.tls_gate import TlsGate
from protocols.web.app import BANNED, ConnectionGuard
from protocols.web.websocket import EventSocket
from tests.protocols.jsonl.fakes import FakeServer, resumed
from tests.protocols.web.support import Visit, visited
from tests.protocols.wire import Wire
from tests.servers import game_server, no_engine
from tests.toy import Scripted, first_action
from tests.waiting import PATIENCE_SECONDS
from tools.games import game_adapters

HELLO = '{"type":"hello","versions":[1]}'
CREATE = '{"type":"create","game":"acquire","seats":["me","random"]}'
NETWORK = "2001:db8:0:7::/64"


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of a server, with clients of that server."""

    home: Path
    server: Server
    port: int
    wires: list[Wire]

    async def ask(self, verb: str, **fields: Any) -> Any:
        """Return the answer to one request over a connection of its own."""
        reader, writer = await asyncio.open_unix_connection(self.home / SOCKET)
        writer.write(json.dumps({"verb": verb, **fields}).encode() + b"\n")
        answer = json.loads(await asyncio.wait_for(reader.readline(), 10))
        writer.close()
        return answer

    async def connect(self, address: str, *lines: str) -> Wire:
        """Return a connection of a client of this address, which has sent some lines."""
        wire = Wire(*await asyncio.open_connection("127.0.0.1", self.port))
        self.wires.append(wire)
        wire.say(f"PROXY TCP6 {address} 2001:db8::80 50000 1835\r", *lines)
        return wire


@asynccontextmanager
async def operated(home: Path, **limits: Any) -> AsyncIterator[Operator]:
    """A server behind a proxy, with games and engines but without a page, and its operator."""

    async def engine() -> Scripted:
        return Scripted(first_action)

    async with game_server() as games:
        bits = Limits(**limits).ipv6_prefix_bits
        server = Server(
            engine, Limits(**limits), None, games, is_proxied=True, bans=BanList.read(home / BANS, bits)
        )
        _, port = await server.start("127.0.0.1", 0)
        admin = Admin(server, home, {"records": home / "records"})
        async with admin_socket(admin, home):
            operator = Operator(home, server, port, [])
            try:
                yield operator
            finally:
                for wire in operator.wires:
                    await wire.close()
                await server.stop()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 - of what a server has read there is no event
            await asyncio.sleep(0)


# -- Look --------------------------------------------------------------------------------------------


async def test_clients_are_listed_with_their_protocols_games_and_load(tmp_path: Path) -> None:
    async with operated(tmp_path) as operator:
        player = await operator.connect("2001:db8:0:7::1", HELLO, CREATE)
        await player.hear(".*decide")
        other = await operator.connect("2001:db8:0:7::2", "uci")
        await other.hear("uciok")
        third = await operator.connect("::ffff:192.0.2.7", HELLO)
        await third.hear(".*welcome")
        operator.server.accounts.of("192.0.2.8").workers.take(
            600.0
        )  # a page behind a proxy has no connection
        operator.server.accounts.of("192.0.2.9")
        first, second, without = (await operator.ask("clients"))["clients"]
    assert first["address"] == NETWORK and first["connections"] == 2 and first["speaks"] == ["json", "uci"]
    assert first["games"] == 1 and first["since"] and not first["banned"]
    assert set(first["load"]) == {"loop", "workers", "sent", "kept"}
    assert second["address"] == "192.0.2.7" and second["games"] == 0
    assert (without["address"], without["connections"], without["since"]) == ("192.0.2.8", 0, None)
    assert without["load"]["workers"] == pytest.approx(0.5, abs=0.01)


async def test_status_has_numbers_refusals_and_the_disk(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "g-1.jsonl").write_bytes(bytes(1000))
    (tmp_path / "records" / "link").symlink_to("/bin/sh")
    async with operated(tmp_path) as operator:
        player = await operator.connect("192.0.2.7", HELLO, CREATE)
        await player.hear(".*decide")
        operator.server.incidents.fail("the hill nano", OSError(28, "No space left on device"))
        await operator.ask("ban", address="192.0.2.9")
        await (await operator.connect("192.0.2.9")).rest()
        status = await operator.ask("status")
    assert (status["connections"], status["addresses"], status["games"], status["bans"]) == (1, 1, 1, 1)
    assert status["refusals"] == {"banned": 1} and status["bytes"] == {"records": 1000}
    assert status["failures"] == ["the hill nano: No space left on device"] and status["free_bytes"] > 0


def test_the_size_of_a_folder_counts_files_and_follows_no_links(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(bytes(10))
    (tmp_path / "a" / "file").write_bytes(bytes(5))
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    assert (folder_bytes(tmp_path), folder_bytes(tmp_path / "nowhere")) == (15, 0)


# -- Ban and end -------------------------------------------------------------------------------------


async def test_a_ban_ends_the_connections_and_games_of_its_network(tmp_path: Path) -> None:
    async with operated(tmp_path, stop_seconds=0.1) as operator:
        player = await operator.connect("2001:db8:0:7::1", HELLO, CREATE)
        await player.hear(".*decide")
        thinker = await operator.connect("2001:db8:0:7::2", "uci")
        await thinker.hear("uciok")
        silent = await operator.connect("2001:db8:0:7::3")
        stranger = await operator.connect("2001:db8:0:8::1", HELLO, CREATE)
        await stranger.hear(".*decide")
        await until(lambda: len(list(operator.server.links())) == 4)
        banned = await operator.ask("ban", address="2001:db8:0:7:ffff::", hours=2, reason="floods")
        assert (banned["address"], banned["connections"], banned["games"]) == (NETWORK, 3, 1)
        assert banned["until"]
        lines = [json.loads(line)["type"] for line in await player.rest()]
        assert lines[0] == "error" and "end" in lines and lines[-1] == "bye"
        await thinker.rest()
        assert await silent.rest() == []
        again = await operator.connect("2001:db8:0:7::4")  # nothing is sent: nothing needs to be read
        assert await again.rest() == ["your address is banned from this server"]
        stranger.say('{"type":"ping","id":1}')
        await stranger.hear(".*pong")
        # An address that has cost the loop much lately, as on a slow machine, is listed without connections too.
        clients = (await operator.ask("clients"))["clients"]
        (left,) = [client for client in clients if client["connections"]]
        assert left["address"] == "2001:db8:0:8::/64"
        (ban,) = (await operator.ask("bans"))["bans"]
        assert (ban["network"], ban["reason"]) == (NETWORK, "floods")
        await operator.ask("unban", address="2001:db8:0:7::9")
        await (await operator.connect("2001:db8:0:7::1", HELLO)).hear(".*welcome")


async def test_a_ban_outlives_the_server(tmp_path: Path) -> None:
    async with operated(tmp_path) as operator:
        assert "warning" not in await operator.ask("ban", address="192.0.2.0/24", reason="floods")
    assert stat.S_IMODE((tmp_path / BANS).stat().st_mode) == 0o600
    async with operated(tmp_path) as operator:
        assert await (await operator.connect("192.0.2.7", HELLO)).rest() == [
            "your address is banned from this server"
        ]
        await operator.ask("unban", address="192.0.2.0/24")
    async with operated(tmp_path) as operator:
        await (await operator.connect("192.0.2.7", HELLO)).hear(".*welcome")


async def test_a_ban_that_cannot_be_written_holds_with_a_warning(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / BANS)
    async with operated(tmp_path) as operator:
        answer = await operator.ask("ban", address="192.0.2.7")
        assert "cannot be saved" in answer["warning"] and str(tmp_path / BANS) in answer["warning"]
        assert "banned" in (await (await operator.connect("192.0.2.7")).rest())[0]
    assert (tmp_path / BANS).is_fifo()


async def test_ending_an_address_closes_connections_that_wait_for_their_turn(tmp_path: Path) -> None:
    """An address that is over its share sleeps for minutes before its lines are looked at."""
    async with operated(tmp_path, stop_seconds=0.01) as operator:
        player = await operator.connect("192.0.2.7", HELLO)
        await player.hear(".*welcome")
        operator.server.accounts.of("192.0.2.7").loop.take(1000.0)
        player.say('{"type":"ping","id":1}')
        waiting = await operator.connect("192.0.2.7", "uci")
        await until(lambda: len(list(operator.server.links())) == 2)
        assert (await operator.ask("end", address="192.0.2.7"))["connections"] == 2
        await player.rest()
        await waiting.rest()
        await until(lambda: not operator.server.clients)


async def test_an_ended_client_can_connect_again(tmp_path: Path) -> None:
    async with operated(tmp_path) as operator:
        player = await operator.connect("192.0.2.7", HELLO, CREATE)
        await player.hear(".*decide")
        assert await operator.ask("end", address="192.0.2.0/24") == {
            "address": "192.0.2.0/24",
            "connections": 1,
            "games": 1,
        }
        assert json.loads((await player.rest())[-1]) == {"type": "bye", "reason": "ended"}
        await (await operator.connect("192.0.2.7", HELLO)).hear(".*welcome")
        assert await operator.ask("end", address="198.51.100.1") == {"address": "198.51.100.1"}


async def test_clients_without_an_address_can_be_ended_by_their_listed_name(
    tmp_path: Path,
) -> None:
    async with operated(tmp_path) as operator:
        wire = Wire(*await asyncio.open_connection("127.0.0.1", operator.port))
        operator.wires.append(wire)
        wire.say(HELLO)
        await wire.hear(".*welcome")
        (client,) = (await operator.ask("clients"))["clients"]
        assert (await operator.ask("end", address=client["address"]))["connections"] == 1
        await wire.rest()
        broker = operator.server.games
        assert broker is not None
        connection = broker.connections.open(
            is_trusted=False,
            address="mqtt client ann",
            account=operator.server.accounts.of("mqtt client ann"),
        )
        assert (
            "not an address or a network" in (await operator.ask("ban", address="mqtt client ann"))["error"]
        )
        assert (await operator.ask("end", address="mqtt client ann"))["connections"] == 1
        assert connection.is_closing


def test_a_banned_address_gets_no_handshake_of_tls() -> None:
    server = Server(no_engine, Limits())
    server.bans.add("2001:db8:0:7::1")
    gate = TlsGate(
        create_default_context(Purpose.CLIENT_AUTH), asyncio.Protocol, server.accounts, server.is_banned
    )
    assert not gate.begin(gate(), "2001:db8:0:7::2") and not gate.handshakes
    assert gate.begin(gate(), "2001:db8:0:8::2")
    assert server.incidents.counts == {"banned": 1}


# -- Games -------------------------------------------------------------------------------------------


def two_players() -> tuple[FakeServer, Any, Any, str]:
    """A server with a game of two remote clients."""
    server = FakeServer()
    ann, bob = server.player("192.0.2.1"), server.player("192.0.2.2")
    (created,) = ann.create(seats=["me", "open"])
    bob.say(type="join", game_id=created["game_id"])
    assert server.games.games.find(created["game_id"]).is_started
    return server, ann, bob, created["game_id"]


def test_the_opponent_of_an_ended_client_wins_and_stays_connected() -> None:
    server, ann, bob, game_id = two_players()
    bob.received()
    assert server.games.sessions.end(lambda address: address == "192.0.2.1") == 1
    assert server.games.games.find(game_id).is_over
    end = bob.received()[-1]
    assert end["type"] == "end" and end["result"] == {"reason": "forfeit", "score": [-1.0, 1.0]}
    assert not bob.connection.is_closing
    (error,) = [message for message in ann.received() if message["type"] == "error"]
    assert "the operator of the server has ended your games" in error["message"]


def test_a_game_of_three_clients_continues_when_one_client_is_ended() -> None:
    server = FakeServer(game_adapters())
    players = [server.player(f"192.0.2.{number}") for number in (1, 2, 3)]
    created = players[0].create(game="acquire", seats=["me", "open", "open"])[0]
    for player in players[1:]:
        player.say(type="join", game_id=created["game_id"])
    assert server.games.sessions.end(lambda address: address == "192.0.2.2") == 1
    game = server.games.games.find(created["game_id"])
    assert not game.is_over and [seat.given_up for seat in game.seats].count("forfeit") == 1


def test_a_session_that_was_ended_cannot_be_resumed() -> None:
    server, ann, _, _ = two_players()
    ann.leave()
    assert server.games.sessions.end(lambda address: address == "192.0.2.1") == 1
    (refusal,) = resumed(server, ann.welcome["resume"]).received()
    assert refusal["type"] == "error" and "no session has this token" in refusal["message"]


def test_a_game_of_agents_and_one_client_ends_with_its_client() -> None:
    server = FakeServer()
    ann = server.player("192.0.2.1")
    created = ann.create()[0]
    server.games.sessions.end(lambda address: address == "192.0.2.1")
    assert server.games.games.find(created["game_id"]).is_over


def test_an_open_game_of_an_ended_client_is_removed() -> None:
    server = FakeServer()
    (created,) = server.player("192.0.2.1").create(seats=["me", "open"])
    assert server.games.sessions.end(lambda address: address == "192.0.2.1") == 1
    assert created["game_id"] not in server.games.games


def test_a_director_is_ended_by_the_address_of_its_connection() -> None:
    """The token makes it a trusted client; its matches end, too."""
    server = FakeServer(token="geospiza")
    director = server.player("192.0.2.1", role="director", token="geospiza")
    director.ask(type="match", game="tic-tac-toe", players=["first", "first"], games=4)
    (match,) = server.games.matches.runners.values()
    server.games.sessions.end(lambda address: address == "192.0.2.1")
    assert match.match.is_over


# -- The page ----------------------------------------------------------------------------------------


@asynccontextmanager
async def page(home: Path) -> AsyncIterator[tuple[Visit, Operator]]:
    """A site behind a proxy with events, and its operator."""
    events = EventSocket(Bus(), Limits(), lambda address: False)
    async with visited(routes=events.routes(), is_proxied=True) as visit:
        admin = Admin(visit.server, home, {}, (visit.site.links, events.links))
        async with admin_socket(admin, home):
            yield visit, Operator(home, visit.server, 0, [])
            events.close()


@pytest.mark.parametrize(
    "header",
    [
        {"X-Forwarded-For": "6.6.6.6, 2001:db8:0:7:1::"},
        {"Forwarded": 'for=6.6.6.6, for="[2001:db8:0:7::9]:4711"'},
    ],
)
async def test_a_banned_network_gets_403_from_the_page_and_its_sockets_end(
    tmp_path: Path, header: dict[str, str]
) -> None:
    async with page(tmp_path) as (visit, operator):
        sockets = [
            await visit.client.ws_connect(f"{visit.address}/{path}", headers=header)
            for path in ("ws", "events")
        ]
        await sockets[0].send_str(HELLO)
        assert "welcome" in await sockets[0].receive_str(timeout=PATIENCE_SECONDS)
        banned = await operator.ask("ban", address="2001:db8:0:7::1")
        assert (banned["address"], banned["connections"]) == (NETWORK, 2)
        assert "bye" in await sockets[0].receive_str(timeout=PATIENCE_SECONDS)
        for socket_ in sockets:
            await socket_.receive(timeout=PATIENCE_SECONDS)
            assert socket_.closed
        for path in ("", "ws", "events", "healthz", "static/page.js"):
            async with visit.client.get(f"{visit.address}/{path}", headers=header) as answer:
                assert (answer.status, answer.headers["Connection"]) == (403, "close"), path
                assert "banned" in await answer.text()
        async with visit.client.get(visit.address, headers={"X-Forwarded-For": "2001:db8:0:8::"}) as answer:
            assert answer.status == 200


async def test_a_request_that_waits_when_its_address_is_banned_is_refused(tmp_path: Path) -> None:
    async with page(tmp_path) as (visit, operator):
        visit.server.accounts.of("192.0.2.7").loop.take(0.51)
        headers = {"X-Forwarded-For": "192.0.2.7"}
        asked = asyncio.create_task(visit.client.get(visit.address + "/healthz", headers=headers))
        await until(lambda: visit.server.incidents.counts["page_slowed"])
        visit.server.bans.add("192.0.2.7")
        async with await asked as answer:
            assert answer.status == 403
    assert operator.server.incidents.counts["banned"]


async def test_a_banned_browser_is_refused_before_its_header_is_read() -> None:
    server = Server(no_engine, Limits())
    server.bans.add("192.0.2.7")
    guard = ConnectionGuard(server)
    assert guard.admit("192.0.2.7") == guard.admit("::ffff:192.0.2.7") == BANNED
    assert guard.admit("192.0.2.8") != BANNED


async def test_the_idle_connection_of_a_browser_is_listed_and_ended(tmp_path: Path) -> None:
    async with (
        visited() as visit,
        admin_socket(Admin(visit.server, tmp_path, {}, (visit.site.links,)), tmp_path),
    ):
        reader, writer = await visit.connect()
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        operator = Operator(tmp_path, visit.server, 0, [])
        (client,) = (await operator.ask("clients"))["clients"]
        assert (client["address"], client["speaks"]) == ("this machine", ["http"])
        assert (await operator.ask("end", address="127.0.0.1"))["connections"] == 1
        with suppress(ConnectionResetError):
            await asyncio.wait_for(reader.read(), 5)
        assert reader.at_eof() or reader.exception()
        writer.close()


# -- The socket --------------------------------------------------------------------------------------


async def test_only_the_owner_can_open_the_socket_and_it_is_removed_at_the_end(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        async with operated(tmp_path) as operator:
            mode = (tmp_path / SOCKET).lstat().st_mode
            assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
            await operator.ask("bans")
    finally:
        os.umask(umask)
    assert not (tmp_path / SOCKET).exists()


async def test_the_socket_of_a_killed_server_is_replaced(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / SOCKET))
    async with operated(tmp_path) as operator:
        assert await operator.ask("bans") == {"bans": []}


async def test_sockets_of_running_servers_and_other_files_are_not_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / SOCKET).write_text("mine")
    async with operated(tmp_path) as operator, operated(tmp_path), operated(other):
        assert await operator.ask("bans") == {"bans": []}
    assert (other / SOCKET).read_text() == "mine"
    assert "another server listens at" in caplog.text and "is not a socket; move it away" in caplog.text


async def test_a_path_that_is_too_long_for_a_socket_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = tmp_path / ("x" * 120)
    home.mkdir()
    async with operated(home):
        assert not list(home.iterdir())
    assert "more than 107 bytes; start the server with a home whose path is shorter" in caplog.text


@pytest.mark.parametrize(
    "line",
    [
        "", "{", "[]", "null", '"ban"', "{}", '{"verb":"nope"}', '{"verb":7}', '{"verb":"ban"}', "\x00\xff", "[" * 5000,
        '{"verb":"ban","address":7}', '{"verb":"ban","address":"192.0.2.7","hours":"1"}', '{"verb":"clients","x":1}',
        '{"verb":"ban","address":"192.0.2.7","hours":1e999}', '{"verb":"ban","address":"192.0.2.7","hours":-1}',
        '{"verb":"ban","address":"192.0.2.7","reason":"a\\nb"}', '{"verb":"ban","address":"127.0.0.1"}',
        '{"verb":"end","address":"nobody"}', '{"verb":"unban","address":"192.0.2.7"}', '{"verb":"ban","address":"\\ud800"}',
    ],
)  # fmt: skip
async def test_a_hostile_line_is_answered_and_the_connection_stays_open(
    line: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    async with operated(tmp_path) as operator:
        reader, writer = await asyncio.open_unix_connection(tmp_path / SOCKET)
        writer.write(line.encode("iso-8859-1") + b'\n{"verb":"bans"}\n')
        answer = json.loads(await asyncio.wait_for(reader.readline(), 10))
        assert list(answer) == ["error"] and len(answer["error"]) > 20
        assert json.loads(await asyncio.wait_for(reader.readline(), 10)) == {"bans": []}
        assert not operator.server.bans.all()
        writer.close()
    assert not caplog.records


async def test_a_line_without_an_end_ends_the_connection(tmp_path: Path) -> None:
    async with operated(tmp_path):
        reader, writer = await asyncio.open_unix_connection(tmp_path / SOCKET)
        writer.write(b"x" * (2 * LINE_BYTES + 2))
        assert "the line is longer than" in json.loads(await asyncio.wait_for(reader.readline(), 10))["error"]
        writer.close()


async def test_the_server_stops_while_an_operator_is_connected(tmp_path: Path) -> None:
    async with operated(tmp_path):
        reader, writer = await asyncio.open_unix_connection(tmp_path / SOCKET)
        writer.write(b'{"verb":"bans"}\n')
        await reader.readline()
    assert await asyncio.wait_for(reader.read(), 10) == b""
    writer.close()
