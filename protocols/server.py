"""The server: it listens on a TCP port, and the first line of a connection decides which protocol is spoken.

    uci, xboard, bench   a chess engine for this connection alone
    ;redcode...          a warrior for a hill
    cdb                  the debugger of Core War
    {...                 JSON lines: games, matches, spectators

A connection over TCP passes these stages; one over a WebSocket of the page passes the third and the fourth:

1. With TLS, the handshake, which has limits of its own (protocols.tls_gate).
2. Behind a proxy, the header of the PROXY protocol, which names the client's address.
3. Admission (serve_stream). A banned address is refused. A program of this machine is trusted and has no account. A
   remote client has an account (protocols.accounts) and is refused if its address has too many connections. If the
   server is full, a connection with a weaker claim is ended (_make_room), or the newcomer is refused.
4. The first data, within `first_line_seconds`. JSON lines go to protocols.jsonl, which then owns the connection;
   every other protocol is a Conversation here and reads its lines through a LineReader.
5. The end: the peer's remaining input is read, since closing on unread input would lose the last lines (_finish).

Engines run in worker processes, so the event loop here only passes lines and never waits for a search.
"""

import asyncio
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from ssl import SSLContext
from typing import Any, Final, Literal

from engines.engine import Engine, EngineError, Option
from engines.events import Bus, EngineStatus
from protocols.accounts import CONNECTION_SECONDS, Account, Accounts
from protocols.addresses import THIS_MACHINE, counted_address, is_loopback
from protocols.bans import BanList
from protocols.cdb.remote import RemoteDebugger
from protocols.charged_engine import ChargedEngine
from protocols.connection import UTF8_MARK, Connection, LineReader, Stream, is_peer_gone
from protocols.engine_session import LAST_SECONDS, Session, run_session
from protocols.hill.service import HillService, serve_submissions
from protocols.incidents import Incidents
from protocols.jsonl.runtime import serve_connection
from protocols.jsonl.server import GameServer
from protocols.limits import Limits, TokenBucket
from protocols.proxy_header import split_header
from protocols.sessions import session_for
from protocols.tls_gate import TlsGate

CHESS: Final = "chess"  # the game of the engines here
SUBMISSION: Final = ";redcode"  # starts a warrior's text, in any case
CHUNK_BYTES: Final = 65_536
BLANKS: Final = 64  # reads of blanks alone that count as an end of input

EngineFactory = Callable[[], Awaitable[Engine]]


@dataclass(slots=True, kw_only=True, eq=False)
class Conversation:
    """A connection that speaks any protocol but JSON lines, whose connections belong to the game server."""

    account: Account | None  # None: with a program of this machine
    stream: Stream
    began: float
    speaks: str = ""  # empty until the first line is read
    reader: LineReader | None = None  # from the first line on
    session: Session | None = None  # with an engine
    task: asyncio.Task[None] | None = None  # of the session

    @property
    def idle_since(self) -> float | None:
        """The time when the conversation began to wait for its client; None while it has work."""
        if self.reader is None:
            return self.began
        return None if self.session and self.session.has_search else self.reader.idle_since

    def end(self) -> None:
        """End the conversation, because a newcomer needs its slot, an operator wants so, or the server stops."""
        if self.reader is None:
            self.stream.abort()
        else:
            self.reader.end()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A connection of a remote client, as a candidate to be ended for a newcomer."""

    account: Account
    idle_since: float | None  # None: the connection is at work
    end: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLink:
    """A connection of a client, as an operator lists and ends it."""

    address: str  # as limits count it, or THIS_MACHINE
    speaks: str  # the protocol, as Server.conversations counts it
    began: float | None  # on the clock of time.monotonic(); None: not known
    end: Callable[[], None]


class Server:
    """A server of engines (one for each connection, from `open_engine`), hills and games, within the limits."""

    def __init__(
        self,
        open_engine: EngineFactory,
        limits: Limits,
        hills: HillService | None = None,
        games: GameServer | None = None,
        bus: Bus | None = None,
        *,
        is_proxied: bool = False,
        bans: BanList | None = None,
    ) -> None:
        """Create a server, which publishes the number of running engines on `bus`.

        With `is_proxied` a proxy on this machine passes clients on, so a connection from this machine is not trusted.
        """
        self.bans = bans or BanList(limits.ipv6_prefix_bits)
        self.limits = limits
        self.hills = hills
        self.games = games
        self.incidents = games.incidents if games else Incidents()
        self.clients = 0  # connected at present
        self.engines = 0  # at work
        self.conversations: Counter[str] = Counter()  # by protocol, and refusals, since the start
        self._is_proxied = is_proxied
        self._open_engine = open_engine
        self._debugger = RemoteDebugger(hills) if hills else None
        self.accounts = Accounts(limits, time.monotonic)  # of remote addresses
        self._remote = 0  # connections of remote clients
        self._unknown: list[TcpStream] = []  # of a proxy that has not named the client yet; the oldest first
        self._conversations: list[Conversation] = []
        self._streams: dict[asyncio.Task[Any], str] = {}  # of all conversations, with their addresses
        self._bus = bus
        self._listener: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._count_engine(0)

    # -- The port -----------------------------------------------------------------------------------

    async def start(self, host: str, port: int, tls: SSLContext | None = None) -> tuple[str, int]:
        """Listen, and return the address and the port, which the system chooses if `port` is 0.

        Raises OSError if the port is taken.
        """
        make: Callable[[], asyncio.BaseProtocol] = self._new_protocol
        if tls is not None:
            make = TlsGate(tls, make, self.accounts, self.is_banned)
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(make, **place_to_listen(host, port))
        address = self._listener.sockets[0].getsockname()
        return address[0], address[1]

    async def stop(self) -> None:
        """Accept no more connections, let every engine that owes a move still send it, and end all conversations.

        Each of the two steps has `stop_seconds`.
        """
        if self._listener:
            self._listener.close()
        if self.games:
            self.games.connections.say_bye()
        at_engines = {each.task: each for each in self._conversations if each.task}
        for each in at_engines.values():
            each.end()
        if at_engines:
            await asyncio.wait(at_engines, timeout=self.limits.stop_seconds)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.limits.stop_seconds)

    def _new_protocol(self) -> asyncio.StreamReaderProtocol:
        """Return the protocol of a new connection, as asyncio.start_server() makes it."""
        reader = asyncio.StreamReader(limit=self.limits.position_bytes)
        return asyncio.StreamReaderProtocol(reader, self._connected)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        peer = writer.get_extra_info("peername")
        if task is None or peer is None:
            writer.transport.abort()  # gone already
            return
        self._tasks.add(task)
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            stream, caller = TcpStream(reader, writer), str(peer[0])
            if self._is_proxied and is_loopback(caller):
                caller = await self._forwarded_for(stream) or caller
            address = counted_address(caller, self.limits.ipv6_prefix_bits)
            await self.serve_stream(stream, address)
            async with asyncio.timeout(self.limits.stop_seconds):
                if self.is_local(address):
                    await _finish(reader, writer, None)
                else:
                    account = self.accounts.of(address)
                    await account.meter(_finish(reader, writer, account.turn))
        except (OSError, ValueError):
            pass  # the other side is gone, silent, does not read, or is no proxy: no client is left to answer
        except asyncio.CancelledError:
            pass  # the server stops
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _forwarded_for(self, stream: "TcpStream") -> str:
        """Return the address of the client for whom a proxy has connected, or "" if the proxy names none.

        Raises ValueError for a damaged header. Of more connections than `connections` that wait for their headers,
        the oldest is ended.
        """
        if len(self._unknown) >= self.limits.connections:
            self._unknown[0].abort()
        self._unknown.append(stream)
        try:
            async with asyncio.timeout(self.limits.first_line_seconds):
                return await stream.read_header()
        finally:
            self._unknown.remove(stream)

    # -- Conversations ------------------------------------------------------------------------------

    def is_local(self, address: str) -> bool:
        """Return whether an address is that of a program of this machine, which is trusted."""
        return not self._is_proxied and is_loopback(address)

    def charge_workers(self, address: str, seconds: float) -> None:
        """Charge a remote address for seconds of worker processes."""
        if not self.is_local(address):
            self.accounts.of(address).workers.take(seconds)

    def is_token(self, token: str) -> bool:
        """Return whether this is the token of the clients that may direct the server remotely."""
        return self.games is not None and self.games.is_token(token)

    def label(self, address: str) -> str:
        """Return an address as operators read it: THIS_MACHINE for local programs, whose address may be empty."""
        return THIS_MACHINE if not address or self.is_local(address) else address

    def is_banned(self, address: str) -> bool:
        """Return whether an address, as limits count it, is banned; if so, count the refusal."""
        if not self.bans.of(address):
            return False
        self.incidents.add("banned", address)
        return True

    def links(self) -> Iterator[ClientLink]:
        """Yield all conversations that have not been ended, also those at a broker."""
        for talk in self._conversations:
            address = talk.account.address if talk.account else THIS_MACHINE
            yield ClientLink(address=address, speaks=talk.speaks, began=talk.began, end=talk.end)
        if games := self.games:
            for each in games.connections:
                if not each.is_closing:
                    end = partial(games.connections.end, each, "ended")
                    yield ClientLink(
                        address=self.label(each.address), speaks="json", began=each.began, end=end
                    )

    def cancel_conversations(self, is_meant: Callable[[str], bool]) -> None:
        """Cancel those conversations of some addresses that have not ended in `stop_seconds` from now."""
        meant = [task for task, address in self._streams.items() if is_meant(address)]

        def cancel() -> None:
            for task in meant:
                if task in self._streams:
                    task.cancel()

        asyncio.get_running_loop().call_later(self.limits.stop_seconds, cancel)

    async def serve_stream(self, stream: Stream, address: str) -> None:
        """Serve a connection until either side ends it; the caller then closes the stream.

        Raises OSError if the connection is lost.
        """
        if self.is_banned(address):
            self._refuse(stream, "your address is banned from this server")
            return
        task = asyncio.current_task()
        assert task is not None
        self.clients += 1
        self._streams[task] = self.label(address)
        try:
            if self.is_local(address):
                await self._serve(stream, None)
            else:
                await self._serve_remote(stream, self.accounts.of(address))
        finally:
            self.clients -= 1
            del self._streams[task]

    async def _serve_remote(self, stream: Stream, account: Account) -> None:
        account.connections += 1
        self._remote += 1
        try:
            account.spend_loop(CONNECTION_SECONDS, time.monotonic())
            if account.connections > self.limits.connections_per_address:
                self.incidents.add("connections_per_address", account.address)
                self._refuse(stream, "too many connections from your address")
            elif self._remote > self.limits.connections and not self._make_room(account):
                self.incidents.add("connections", account.address)
                self._refuse(stream, "too many connections; try again later")
            else:
                await account.meter(self._serve(stream, account))
        finally:
            account.connections -= 1
            self._remote -= 1

    def _make_room(self, newcomer: Account) -> bool:
        """End a connection with a weaker claim than a newcomer's; return whether there was one.

        Connections of the address with the most connections end first; among equals, those of an address over its
        share; then idle ones before those at work; then those that have been idle for longest. A connection at work
        ends only if its address has more connections than the newcomer's, or is over its share while the newcomer's
        address is not.
        """
        now = time.monotonic()

        def may_end(place: Place) -> bool:
            account = place.account
            if account.connections > newcomer.connections:
                return True
            is_over = account.is_over(now) and not newcomer.is_over(now)
            is_idle = place.idle_since is not None and account.connections == newcomer.connections
            return is_idle or (is_over and account is not newcomer)

        def claim(place: Place) -> tuple[int, bool, bool, float]:
            account, since = place.account, place.idle_since
            return account.connections, account.is_over(now), since is not None, -(since or now)

        place = max(filter(may_end, self._places()), key=claim, default=None)
        if place is None:
            return False
        self.incidents.add("ended_connections", place.account.address)
        place.end()
        return True

    def _places(self) -> Iterator[Place]:
        """Yield the connections of remote clients, at work or idle, those of the game server included."""
        for each in self._conversations:
            if each.account is not None:
                yield Place(account=each.account, idle_since=each.idle_since, end=each.end)
        if games := self.games:
            for connection in games.connections.remote():
                if account := connection.account:
                    since = None if games.sessions.is_engaged(connection.session) else connection.last_asked
                    yield Place(
                        account=account,
                        idle_since=since,
                        end=partial(games.connections.evict, connection),
                    )

    @asynccontextmanager
    async def engine(self) -> AsyncIterator[Engine]:
        """Open an engine for one connection, and close it at the end. Raises EngineError if none can be started."""
        engine = await self._open_engine()
        self._count_engine(1)
        try:
            yield engine
        finally:
            self._count_engine(-1)
            await engine.close()

    async def _serve(self, stream: Stream, account: Account | None) -> None:
        """Serve the connection of a remote client, or without `account` that of a program of this machine."""
        limits = self.limits
        talk = Conversation(account=account, stream=stream, began=time.monotonic())
        self._conversations.append(talk)
        try:
            if account is not None:
                await account.turn()
            async with asyncio.timeout(limits.first_line_seconds):
                data = await _first_data(stream, limits.line_bytes)
            if not (data.startswith(b"{") and self.games):
                await self._serve_lines(talk, data)
                return
        finally:
            self._conversations.remove(talk)
        self.conversations["json"] += 1
        await serve_connection(self.games, stream, data, account=account)

    async def _serve_lines(self, talk: Conversation, data: bytes) -> None:
        limits, stream, account = self.limits, talk.stream, talk.account
        bucket = turn = None
        if account is not None:
            bucket = TokenBucket(limits.messages_per_second, limits.messages_burst, time.monotonic())
            turn = account.turn
        connection = Connection(limits.position_bytes, bucket)
        connection.receive_data(data)
        reader = talk.reader = LineReader(stream, connection, limits.idle_seconds, limits.line_bytes, turn)
        reader.on_delay = partial(self.incidents.add, "lines", account.address if account else "")
        try:
            first = (await reader.readline()).decode("utf-8", "replace").strip()
        except ValueError as error:
            self._refuse(stream, str(error))
            return
        if first.lower().startswith(SUBMISSION) and self.hills:
            talk.speaks = "hill"
            self.conversations["hill"] += 1
            sender = account.address if account else ""
            await serve_submissions(self.hills, reader, reader.text(), stream, first, sender)
        elif first.lower().split()[:1] == ["cdb"] and self._debugger:
            talk.speaks = "cdb"
            self.conversations["cdb"] += 1
            await self._debugger.run_session(reader, reader.text(), stream, first)
        elif kind := session_for(first):
            await self._serve_engine(kind, talk, reader, first)
        else:
            self._refuse(stream, self._advice())

    def _advice(self) -> str:
        """Return the answer to a first line that asks for no protocol: the lines that do, in a sentence."""
        ways = ["uci or xboard (a chess engine)"]
        if self.games:
            ways.append('{"type":"hello",...} (games as JSON lines)')
        if self.hills:
            ways += [";redcode... (a warrior for a hill)", "cdb (the debugger of Core War)"]
        return f"unknown first line; it must be {'; '.join(ways)}"

    async def _serve_engine(
        self, kind: type[Session], talk: Conversation, reader: LineReader, first: str
    ) -> None:
        try:
            async with self.engine() as engine:
                talk.speaks = first.split()[0]
                self.conversations[talk.speaks] += 1
                session = kind(engine.name, engine.author, _offered(engine.options, self.limits))
                talk.session = session
                if account := talk.account:
                    charged = ChargedEngine(engine, account, self.limits.search_seconds, time.monotonic)
                    work = run_session(
                        session,
                        charged,
                        reader,
                        talk.stream,
                        first,
                        last_seconds=LAST_SECONDS,
                        pause=account.turn,
                    )
                    talk.task = asyncio.create_task(account.meter(work))
                else:
                    work = run_session(session, engine, reader, talk.stream, first, last_seconds=LAST_SECONDS)
                    talk.task = asyncio.create_task(work)
                await talk.task
        except EngineError as error:
            self._refuse(talk.stream, f"no engine can be started: {error}")

    def _refuse(self, stream: Stream, text: str) -> None:
        self.conversations["refused"] += 1
        stream.write(f"{text}\n".encode())

    def _count_engine(self, more: int) -> None:
        self.engines += more
        if self._bus:
            status: Literal["playing", "online"] = "playing" if self.engines else "online"
            event = EngineStatus(name=CHESS, status=status, clients=self.engines)
            self._bus.publish(f"engine/{CHESS}/status", event, is_state=True)


class TcpStream:
    """A TCP connection, as a protocols.connection.Stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.drain = writer.drain
        self.waiting = writer.transport.get_write_buffer_size
        self.is_gone = partial(is_peer_gone, writer.transport)
        self.close = writer.transport.close
        self.abort = writer.transport.abort
        self._reader = reader
        self._writer = writer
        self._early_data = b""  # data after the header, read already

    async def read(self) -> bytes:
        if self._early_data:
            data, self._early_data = self._early_data, b""
            return data
        return await self._reader.read(CHUNK_BYTES)

    async def read_header(self) -> str:
        """Return the client's address from a header of the PROXY protocol, or "" if there is no header.

        Raises ValueError for a damaged header.
        """
        data = b""
        while (parts := split_header(data)) is None or not data:
            more = await self._reader.read(CHUNK_BYTES)
            if not more:
                break
            data += more
        address, self._early_data = parts or ("", data)
        return address

    def write(self, data: bytes) -> None:
        if not self._writer.transport.is_closing():  # else asyncio would log it
            self._writer.write(data)


def place_to_listen(host: str, port: int) -> dict[str, Any]:
    """Return the arguments that make asyncio listen on a port of a host. Raises OSError if `::` cannot be used.

    `::` means every address of this machine, IPv4 included; asyncio by itself would use IPv6 only.
    """
    if host == "::" and socket.has_dualstack_ipv6():
        return {"sock": socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=True)}
    return {"host": host, "port": port, "reuse_address": True}


async def _first_data(stream: Stream, most: int) -> bytes:
    """Read until the protocol is known, and return the data without leading blanks, or b"" at the end of input.

    JSON is known by its first character, so that the limits of JSON lines hold for its first line. More than `most`
    blank bytes count as an end, and so do BLANKS reads that yield only blanks, as a WebSocket can send them.
    """
    data, bytes_left, reads_left = b"", most, BLANKS
    while True:
        text = data.removeprefix(UTF8_MARK).lstrip()
        bytes_left -= len(data) - len(text)
        reads_left -= not text
        if text.startswith(b"{") or b"\n" in text or len(text) >= most:
            return text
        more = b"" if bytes_left < 0 or reads_left < 0 else await stream.read()
        if not more:
            return text
        data = text + more


async def _finish(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, turn: Callable[[], Awaitable[object]] | None
) -> None:
    """Close the sending half, and read the input to its end: closing on unread input would lose the last lines sent.

    Remote clients wait for their turn before each piece, because they may continue to send all they can.
    """
    if writer.can_write_eof():  # TLS cannot
        writer.write_eof()
    while await reader.read(CHUNK_BYTES):
        if turn:
            await turn()


def _offered(options: tuple[Option, ...], limits: Limits) -> tuple[Option, ...]:
    """Return the options that clients may set: `Hash` within its limit, and none that names a file of the server."""
    files = {option.name for option in options if option.kind in ("file", "path")}
    return tuple(
        replace(option, maximum=max(limits.hash_mib, int(option.default)))
        if option.name == "Hash"
        else option
        for option in options
        if option.name not in files and option.needs not in files
    )
