"""The server's side of `galapagos admin`: an operator lists clients, bans them and ends their games.

Requests come over a Unix socket in the home, the server's folder. Each line in either direction is a JSON object: a
request with its `verb`, and its answer, or `{"error": "a sentence"}`. A connection takes any number of requests. Only
the owner of the home can open the socket, so no further secret is needed.
"""

import asyncio
import logging
import os
import socket
import stat
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from engines.home import PRIVATE_FILE, folder_bytes
from engines.storage import free_bytes, write_atomically
from engines.version import VERSION
from protocols.addresses import THIS_MACHINE, Network, counted_network, network_of
from protocols.bans import Ban, BanList, time_text
from protocols.server import ClientLink, Server

SOCKET: Final = "admin"  # the name of the socket in the home
BANS: Final = "bans"  # the name of the file of bans in the home
LONGEST_PATH: Final = 107  # the maximum number of bytes that Linux allows in the path of a socket
LINE_BYTES: Final = 65_536  # the maximum length of a request
SHOWN_LOAD: Final = 0.01  # an address without connections is listed if it has used this part of a burst
LOG: Final = logging.getLogger(__name__)


# -- Requests --------------------------------------------------------------------------------------


class Request(Struct, tag_field="verb", forbid_unknown_fields=True):
    """A request of `galapagos admin`."""


class Clients(Request, tag="clients"):
    """List the addresses that have connections or games, or have used SHOWN_LOAD or more of any burst."""


class AddBan(Request, tag="ban"):
    """Ban an address or a network: end its connections and games, and refuse new ones."""

    address: str
    hours: float | None = None  # None: for ever
    reason: str = ""


class Unban(Request, tag="unban"):
    """Lift a ban."""

    address: str


class Bans(Request, tag="bans"):
    """List the bans."""


class End(Request, tag="end"):
    """End the connections and games of an address, a network, or any other name in the list of clients."""

    address: str


class Status(Request, tag="status"):
    """Show the state of the server in numbers."""


AnyRequest = Clients | AddBan | Unban | Bans | End | Status
DECODER: Final = msgspec.json.Decoder(AnyRequest)


# -- Answers ---------------------------------------------------------------------------------------


class Client(Struct):
    """An address with its connections, games and costs. Times are ISO 8601 in UTC."""

    address: str
    connections: int
    speaks: list[str]  # the protocols of its connections
    games: int  # that have not ended
    since: str | None  # the start of its oldest connection; None if that is not known
    # The used part of the burst of each cost (protocols.accounts); from 1.0 on the address waits.
    load: dict[str, float]
    banned: bool


class ListedBan(Struct):
    """A ban as it is listed. Times are ISO 8601 in UTC."""

    network: str
    since: str
    until: str | None  # None: for ever
    reason: str


class ClientList(Struct):
    """All clients, those with the most connections first."""

    clients: list[Client]


class BanListing(Struct):
    """All bans, the oldest first."""

    bans: list[ListedBan]


class Changed(Struct, omit_defaults=True):
    """The effects of the requests `ban`, `unban` and `end`."""

    address: str  # the address, network or other name that was changed
    connections: int = 0  # that were ended
    games: int = 0  # in which the client's seats have forfeited
    until: str | None = None  # of a ban
    warning: str = ""


class ServerStatus(Struct):
    """The state of the server in numbers."""

    version: str
    uptime_seconds: int
    connections: int
    addresses: int  # that have connections
    engines: int
    sessions: int
    games: int  # that have not ended
    matches: int
    bans: int
    refusals: dict[str, int]  # by kind
    failures: list[str]  # what the server cannot write at present, each with the reason
    bytes: dict[str, int]  # the sizes of the folders of the home, by name
    free_bytes: int  # of the disk


class Failure(Struct):
    """The answer to a request that is faulty or cannot be fulfilled."""

    error: str


Answer = ClientList | BanListing | Changed | ServerStatus | Failure


# -- The server's side -----------------------------------------------------------------------------


class Admin:
    """The handler of an operator's requests."""

    def __init__(
        self, server: Server, home: Path, folders: Mapping[str, Path],
        links: Sequence[Callable[[], Iterable[ClientLink]]] = (),
    ) -> None:  # fmt: skip
        """Create the handler; each of `links` returns connections that Server.links() does not, such as browsers'.

        The status shows the sizes of `folders` by their names.
        """
        self._server = server
        self._home = home
        self._folders = folders
        self._sources = (server.links, *links)
        self._began = time.monotonic()
        self._saving = asyncio.Lock()

    async def answer(self, line: bytes) -> Answer:
        """Fulfil the request in a line and return the answer: a Failure if that is impossible."""
        try:
            request: AnyRequest = DECODER.decode(line)
            match request:
                case Clients():
                    return self._clients()
                case Bans():
                    return BanListing([_listed(ban) for ban in self._bans.all()])
                case Status():
                    return await self._status()
                case End():
                    return self._end(request.address, self._address_test(request.address))
                case AddBan():
                    return await self._ban(request)
                case Unban():
                    return await self._unban(request)
        except msgspec.MsgspecError as error:
            return Failure(f"the line is not a valid request: {error}")
        except (ValueError, OSError) as error:
            return Failure(str(error))

    @property
    def _bans(self) -> BanList:
        return self._server.bans

    def _links(self) -> list[ClientLink]:
        return [link for source in self._sources for link in source()]

    def _games(self) -> Counter[str]:
        """Return the number of games of each address; an address is written as in Server.label()."""
        counts: Counter[str] = Counter()
        if games := self._server.games:
            for address, count in games.games.count_by_address().items():
                counts[self._server.label(address)] += count
        return counts

    # -- Requests that change nothing --------------------------------------------------------------

    def _clients(self) -> ClientList:
        links: defaultdict[str, list[ClientLink]] = defaultdict(list)
        for link in self._links():
            links[link.address].append(link)
        games, now = self._games(), time.monotonic()
        loads = {account.address: account.shares(now) for account in self._server.accounts.all()}
        used = {address for address, shares in loads.items() if max(shares.values()) >= SHOWN_LOAD}
        clients = [
            Client(
                address=address,
                connections=len(links.get(address, ())),
                speaks=sorted({link.speaks for link in links.get(address, ()) if link.speaks}),
                games=games[address],
                since=_oldest(links.get(address, ()), now),
                load={cost: round(max(share, 0.0), 3) for cost, share in loads.get(address, {}).items()},
                banned=self._bans.of(address) is not None,
            )
            for address in links.keys() | games.keys() | used
        ]
        return ClientList(sorted(clients, key=lambda client: (-client.connections, client.address)))

    async def _status(self) -> ServerStatus:
        server, games, links = self._server, self._server.games, self._links()
        sizes = {
            name: await asyncio.to_thread(folder_bytes, folder) for name, folder in self._folders.items()
        }
        return ServerStatus(
            version=VERSION,
            uptime_seconds=int(time.monotonic() - self._began),
            connections=len(links),
            addresses=len({link.address for link in links}),
            engines=server.engines,
            sessions=len(games.sessions) if games else 0,
            games=len(games.games.running) if games else 0,
            matches=sum(not each.match.is_over for each in games.matches.runners.values()) if games else 0,
            bans=len(self._bans.all()),
            refusals=dict(sorted(server.incidents.counts.items())),
            failures=[f"{what}: {why}" for what, why in sorted(server.incidents.failures.items())],
            bytes=sizes,
            free_bytes=free_bytes(self._home),
        )

    # -- Requests that change the server -----------------------------------------------------------

    async def _ban(self, request: AddBan) -> Changed:
        ban = self._bans.add(request.address, request.hours, request.reason)
        until = None if ban.until is None else time_text(ban.until)
        LOG.info(
            "%s is banned %s: %s",
            ban.network,
            f"until {until}" if until else "for ever",
            ban.reason or "no reason given",
        )
        changed = self._end(str(ban.network), _network_test(ban.network))
        changed.until = until
        changed.warning = await self._save()
        return changed

    async def _unban(self, request: Unban) -> Changed:
        ban = self._bans.remove(request.address)
        LOG.info("the ban of %s is lifted", ban.network)
        return Changed(str(ban.network), warning=await self._save())

    def _end(self, name: str, is_meant: Callable[[str], bool]) -> Changed:
        """End the connections and games of all addresses that pass the test `is_meant`; `name` describes them."""
        server = self._server

        def is_label_meant(address: str) -> bool:
            return is_meant(server.label(address))

        links = [link for link in self._links() if is_meant(link.address)]
        ended = server.games.sessions.end(is_label_meant) if server.games else 0
        for link in links:
            link.end()
        server.cancel_conversations(is_meant)
        LOG.info("%s: connections ended: %d, games ended: %d", name, len(links), ended)
        return Changed(name, connections=len(links), games=ended)

    def _address_test(self, text: str) -> Callable[[str], bool]:
        """Return a test for the addresses that `text` means: one name in the list of clients, or all of a network."""
        listed = {link.address for link in self._links()} | self._games().keys()
        if text in listed or text == THIS_MACHINE:
            return lambda address: address == text
        return _network_test(counted_network(text, self._server.limits.ipv6_prefix_bits))

    async def _save(self) -> str:
        """Write the bans to their file. Return a warning if that fails, or an empty string."""
        path = self._home / BANS
        async with self._saving:
            try:
                if self._bans.fault:
                    raise OSError(self._bans.fault)
                await asyncio.to_thread(write_atomically, path, self._bans.text(), PRIVATE_FILE)
            except OSError as error:
                reason = f"{path} cannot be written: {error.strerror}" if error.strerror else str(error)
                LOG.error(
                    "the bans hold only until the server stops, because they cannot be saved: %s", reason
                )
                return f"the change holds only until the server stops, because it cannot be saved: {reason}"
        return ""


def _network_test(network: Network) -> Callable[[str], bool]:
    """Return a test whether an address, as limits count it (protocols.addresses), is in a network."""

    def is_meant(address: str) -> bool:
        if address == THIS_MACHINE:
            return network.is_loopback
        own = network_of(address)
        return (
            own is not None
            and own.version == network.version
            and own.prefixlen >= network.prefixlen
            and own.network_address in network
        )

    return is_meant


def _listed(ban: Ban) -> ListedBan:
    until = None if ban.until is None else time_text(ban.until)
    return ListedBan(str(ban.network), time_text(ban.since), until, ban.reason)


def _oldest(links: Iterable[ClientLink], now: float) -> str | None:
    """Return the start of the oldest of some connections in ISO 8601, or None if that is not known."""
    began = min((link.began for link in links if link.began is not None), default=None)
    return None if began is None else time_text(time.time() - (now - began))


# -- The socket ------------------------------------------------------------------------------------


@asynccontextmanager
async def admin_socket(admin: Admin, home: Path) -> AsyncIterator[None]:
    """Answer requests at the socket of a home until the end of the block.

    If the socket cannot be created, a warning is logged, and the server runs without it.
    """
    path = home / SOCKET
    listening = _bound_socket(path)
    if listening is None:
        yield
        return
    number = path.lstat().st_ino
    conversations: set[asyncio.Task[None]] = set()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        conversations.add(task)
        try:
            await _converse(admin, reader, writer)
        except (OSError, asyncio.CancelledError):
            pass  # the other side has closed the connection, or the server stops
        finally:
            conversations.discard(task)
            writer.transport.abort()

    try:
        server = await asyncio.start_unix_server(converse, sock=listening, limit=LINE_BYTES)
        try:
            yield
        finally:
            server.close()
            for task in conversations:
                task.cancel()
            if conversations:
                await asyncio.wait(conversations)
    finally:
        listening.close()
        if path.is_socket() and path.lstat().st_ino == number:
            path.unlink()


async def _converse(admin: Admin, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the lines of a connection until the other side closes it or sends a line that is too long."""
    is_open = True
    while is_open:
        answer: Answer
        try:
            line = await reader.readline()
            if not line:
                return
            answer = await admin.answer(line)
        except ValueError:
            answer, is_open = Failure(f"the line is longer than {LINE_BYTES} bytes"), False
        writer.write(msgspec.json.encode(answer) + b"\n")
        await writer.drain()


def _bound_socket(path: Path) -> socket.socket | None:
    """Return a socket that is bound to a path and that only its owner can use, or None if that is impossible.

    A socket that a killed server has left at the path is replaced. No client can connect before the mode is set,
    because the socket does not listen yet.
    """
    without = "galapagos admin cannot be used"
    if len(os.fsencode(path)) > LONGEST_PATH:
        LOG.warning(
            "%s: the path %s has more than %d bytes; start the server with a home whose path is shorter",
            without, path, LONGEST_PATH,
        )  # fmt: skip
        return None
    made = socket.socket(socket.AF_UNIX)
    try:
        if os.path.lexists(path):
            if not stat.S_ISSOCK(path.lstat().st_mode):
                raise FileExistsError(f"{path} is not a socket; move it away")
            if _is_answered(path):
                raise FileExistsError(f"another server listens at {path}")
            path.unlink()
        made.bind(os.fspath(path))
        path.chmod(PRIVATE_FILE)
    except OSError as error:
        made.close()
        LOG.warning("%s: %s", without, error.strerror or error)
        return None
    return made


def _is_answered(path: Path) -> bool:
    """Return whether a process listens at a socket."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        return probe.connect_ex(os.fspath(path)) == 0
