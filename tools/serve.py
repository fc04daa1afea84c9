"""The command `galapagos serve`: serves games, hills and runs at a TCP port, on a page and optionally at a broker."""

import asyncio
import errno
import gc
import logging
import os
import shlex
import signal
import sqlite3
import stat
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from ssl import Purpose, SSLContext, SSLError, create_default_context
from typing import TYPE_CHECKING, Any, Final

from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from engines.events import Bus
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisor, Supervisors
from engines.home import FOLDERS, FORMAT_FILE, prepare_home
from engines.storage import InUseError, hold, read_text
from engines.worker_pool import Workers
from protocols.admin import BANS, Admin, admin_socket
from protocols.bans import BanList
from protocols.event_log import EventLog
from protocols.hardening import harden_asyncio, harden_malloc, return_memory
from protocols.hill.service import HillService
from protocols.hill.submission import first_line
from protocols.incidents import Incidents
from protocols.jsonl.runtime import AsyncRuntime
from protocols.jsonl.server import GameServer
from protocols.limits import GameLimits, HourlyQuota, Limits, limit_lines, parse_limits
from protocols.server import Server
from protocols.web.app import Site
from protocols.web.chess_genomes import genome_routes
from protocols.web.corewar import FightsApi
from protocols.web.documents import document_routes
from protocols.web.hills import HillsApi
from protocols.web.metrics import Metrics
from protocols.web.pages import WebGame
from protocols.web.players import player_routes
from protocols.web.responses import Routes
from protocols.web.run_contest import Contests
from protocols.web.run_control import RunControl
from protocols.web.run_story import RunStoryApi
from protocols.web.runs import RunsApi
from protocols.web.source import source_routes
from protocols.web.websocket import EventSocket
from tools.broker import add_broker_arguments, broker_of
from tools.cli import FAILED, CommandError, counted, positive_int, sentence
from tools.games import BUNDLED_GAMES, DEFAULT, GAMES, catalogues, contest_of, statistics_of, usable_games
from tools.hill import create_with_starters
from tools.jsonl import open_server
from tools.listening import Listening, fault, own_names
from tools.log import FORMATS, start_log
from tools.serve_runs import evolve_command, starter
from tools.source import source_archive

if TYPE_CHECKING:
    from protocols.mqtt.broker import Broker

ROOT: Final = Path(__file__).parents[1]
RECORDS: Final = "records"  # in the folder of a game: excerpts of the runs that yielded its players
DOCUMENTS: Final = {  # that the page shows, in this order: the guides and references, then the measurements
    **{game.name: f"engines/{game.name}/README.md" for game in BUNDLED_GAMES},
    "chess-engine": "engines/chess/ENGINE.md",
    "corewar-hills": "engines/corewar/HILLS.md",
    "protection-study": "engines/protection/STUDY.md",
    "commands": "tools/README.md",
    "configurations": "engines/CONFIGURATIONS.md",
    "protocols": "protocols/README.md",
    "messages": "protocols/jsonl/MESSAGES.md",
    "scripts": "protocols/SCRIPTS.md",
    "mqtt": "protocols/MQTT.md",
    "python": "protocols/adapters/API.md",
    "operating": "protocols/OPERATING.md",
    "server": "protocols/SERVER.md",
    **{f"{game.name}-results": f"engines/{game.name}/RESULTS.md" for game in BUNDLED_GAMES},
    "protocols-results": "protocols/RESULTS.md",
}
DEFAULT_PORT: Final = 1835  # the year in which HMS Beagle reached the islands
DEFAULT_PAGE: Final = 1859  # the year in which On the Origin of Species appeared
FIRST_HILLS: Final = ("94nop", "nano")  # of a new home; galapagos hill makes others
HILL_NICENESS: Final = 5  # of fights on hills, so that the server can answer other clients meanwhile
COLLECT_SECONDS: Final = 60.0
SIGNAL_SECONDS: Final = 0.2  # for a signal to the process group to reach this process, too
END_SECONDS: Final = 30  # from SIGTERM until the kernel ends the process, even if a thread still runs
LOG: Final = logging.getLogger(__name__)
NEVER: Final = 1_000_000_000  # collections of younger generations before an automatic one of the oldest
CERTIFICATE, PRIVATE_KEY = b"CERTIFICATE-----", b"PRIVATE KEY-----"  # in files of the format PEM
EXPOSED: Final = stat.S_IROTH | stat.S_IWOTH | stat.S_IWGRP  # modes that no secret file should have


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (default: 127.0.0.1, which only this machine can reach)",
    )
    add(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help=f"the TCP port for engine protocols (default: {DEFAULT_PORT}; 0 chooses a free port)",
    )
    add(
        "--page",
        type=_port,
        default=DEFAULT_PAGE,
        metavar="PORT",
        help=f"the port of the page for browsers (default: {DEFAULT_PAGE}; 0 chooses a free port)",
    )
    add(
        "--name",
        action="append",
        default=[],
        help="a host name that browsers may use, in addition to localhost, IP addresses and the machine's own names; may be repeated",
    )
    add(
        "--workers",
        type=positive_int,
        default=os.cpu_count() or 1,
        help="the number of worker processes for searches and fights (default: one per core)",
    )
    add(
        "--home",
        type=Path,
        metavar="FOLDER",
        help="keep everything in this folder: games, what Chaos knows of its users, hills (two in a new home) and runs",
    )
    add(
        "--records",
        type=Path,
        metavar="FOLDER",
        help="keep the records of games in this folder, and continue unfinished games",
    )
    add(
        "--profiles",
        type=Path,
        metavar="FOLDER",
        help="keep what Chaos knows of its users in this folder, as NAME.apu",
    )
    add(
        "--hill",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="accept warriors for this hill, a file from `galapagos hill create`; may be repeated",
    )
    add(
        "--trust-authors",
        action="store_true",
        help="let any client that gives an author's name remove the author's warriors, as the mail hills did; by default this needs the token from the warrior's report",
    )
    add(
        "--runs",
        action="append",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="show the runs in this folder and its subfolders on the page, also while they go on; may be repeated",
    )
    add(
        "--source",
        default="",
        metavar="URL",
        help="the address of the source that you run, for the link in the footer of the pages (default: an archive of the installed files, which the server makes)",
    )
    add_broker_arguments(parser, "make the server available through this MQTT broker, too")
    add(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="a file with a token; remote clients that send it may direct matches",
    )
    add(
        "--tls-cert",
        type=Path,
        metavar="FILE",
        help="a certificate; both ports then accept only TLS connections",
    )
    add("--tls-key", type=Path, metavar="FILE", help="the key of the certificate (default: in the same file)")
    add(
        "--proxied",
        action="store_true",
        help="clients connect through a proxy on this machine, which sends their addresses in X-Forwarded-For or Forwarded and, on the TCP "
        "port, by the PROXY protocol. Connections without an address count as one client, and no client is trusted without the token",
    )
    add(
        "--log",
        choices=FORMATS,
        default="text",
        help="the format of the log on standard error (default: text)",
    )
    add("--events", type=Path, metavar="FILE", help="append all events to this file, as JSON lines")
    add(
        "--evolve",
        action="append",
        type=Path,
        default=[],
        metavar="RUN",
        help="continue the evolution in this folder while the server runs; may be repeated",
    )
    add("--limits", action="store_true", help="print the limits for remote clients, and exit")
    add(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set one of these limits; may be repeated",
    )


def run(args: Namespace) -> int:
    """Serve until a signal stops the server, and return 0.

    Raises CommandError, with status 1 if the server cannot be started, 2 for wrong arguments.
    """
    try:
        limits, game_limits = parse_limits(args.limit)
        if args.limits:
            print(*limit_lines(limits, game_limits), sep="\n")
            return 0
        start_log(args.log)
        if args.home:
            os.umask(0o077)  # only the server's user can read files in the home
        settings = Settings(
            host=args.host,
            port=args.port,
            page=args.page,
            names=tuple(args.name),
            workers=max(args.workers, 1),
            limits=limits,
            game_limits=game_limits,
            home=open_home(args),
            evolving=tuple(folder.resolve() for folder in args.evolve),
            secrets=secrets_of(args),
            is_proxied=args.proxied,
            trusts_authors=args.trust_authors,
            broker=broker_of(args),
            events=args.events,
            source=_checked_source(args.source),
        )
    except (OSError, ValueError) as error:
        raise CommandError(error) from None
    try:
        asyncio.run(serve(settings))
    except sqlite3.Error as error:
        raise CommandError(f"the hills in {args.home} cannot be created: {error}", FAILED) from None
    except ValueError as error:
        raise CommandError(error) from None
    except OSError as error:
        raise CommandError(error, FAILED) from None
    return 0


# -- Stored files ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The folders and files that a server writes to; None for data that is not stored."""

    folder: Path | None = None  # of the whole home
    records: Path | None
    profiles: Path | None
    runs: tuple[Path, ...]
    new_runs: Path | None  # the folder for runs started from the page
    hills: tuple[HillStore, ...]
    new_hills: tuple[HillStore, ...] = ()  # those of `hills` that serve() creates
    is_new: bool = False  # whether the folder was not a home before


def open_home(args: Namespace) -> Home:
    """Open a home, or create it; a damaged hill in the home is left out, with a warning.

    Raises ValueError or OSError, with the reason, if another file cannot be used or the disk is full.
    """
    home: Path | None = args.home
    for folder in args.runs:
        if not folder.is_dir():
            raise ValueError(f"--runs: {folder} is not a folder")
    hills = [HillStore.open(path) for path in args.hill]
    if home is None:
        return Home(
            records=args.records,
            profiles=args.profiles,
            runs=tuple(args.runs),
            new_runs=None,
            hills=tuple(hills),
        )
    _check_home(home)
    is_new = not (home / FORMAT_FILE).exists()
    prepare_home(home)
    found = sorted((home / "hills").glob("*.hill"))
    new = [] if found else _first_hills(home / "hills")
    return Home(
        folder=home,
        records=args.records or home / "records",
        profiles=args.profiles or home / "profiles",
        runs=(home / "runs", *args.runs),
        new_runs=home / "runs",
        hills=(*hills, *_sound_hills(found, {store.preset.tag for store in hills}), *new),
        new_hills=tuple(new),
        is_new=is_new,
    )


def _sound_hills(paths: Sequence[Path], tags: set[str]) -> Iterator[HillStore]:
    """Yield the hills that can be opened and whose tags are neither in `tags` nor those of earlier hills."""
    for path in paths:
        try:
            store = HillStore.open(path)
            hold(path).close()
            if store.preset.tag in tags:
                raise ValueError(
                    f"{path}: another hill has the same first line, {first_line(store.preset.tag)}"
                )
        except (ValueError, OSError) as error:
            if isinstance(error, InUseError) or (isinstance(error, OSError) and error.errno == errno.ENOSPC):
                raise
            advice = "repair the file, or move it away"
            if isinstance(error, PermissionError):
                folder = shlex.quote(str(path.parent.resolve()))
                owned = f"chown --reference={folder} {folder}/{shlex.quote(path.name)}*"
                advice = (
                    f"it belongs to {_owner(Path(error.filename))}; give it to the server's user: {owned}"
                )
            LOG.warning("a hill is left out, and its file is not changed: %s; %s", sentence(error), advice)
            continue
        tags.add(store.preset.tag)
        yield store


def _check_home(home: Path) -> None:
    """Raise ValueError or OSError if a home is a file, belongs to another user or is in use."""
    if not home.exists():
        return
    if not home.is_dir():
        raise ValueError(f"--home: {home} is a file; name a folder")
    by_effective_user = os.access in os.supports_effective_ids
    if not os.access(home, os.R_OK | os.W_OK | os.X_OK, effective_ids=by_effective_user):
        raise ValueError(
            f"--home: you may not use {home}: it belongs to {_owner(home)}; start the server as that user,"
            " or chown the folder and everything in it"
        )
    if (home / "records").is_dir():
        try:
            hold(home / "records").close()
        except InUseError as error:
            holder = str(error).rpartition(" by ")[2]
            raise InUseError(
                f"the home {home} is in use by the server with {holder}; stop it, or choose another --home"
            ) from None


def _owner(path: Path) -> str:
    """Return the name of the user that a file or folder belongs to, or the number of a user without a name."""
    try:
        return path.owner()
    except KeyError:
        return f"user {path.stat().st_uid}"


def _first_hills(folder: Path) -> Sequence[HillStore]:
    return [HillStore(folder / f"{name}.hill", PRESETS[name]) for name in FIRST_HILLS]


# -- The server ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a server."""

    host: str
    port: int
    page: int  # the port of the page
    names: tuple[str, ...]  # by which browsers may address the server
    workers: int
    limits: Limits
    game_limits: GameLimits
    home: Home
    evolving: tuple[Path, ...]  # runs that continue while the server runs
    secrets: "Secrets"
    is_proxied: bool
    trusts_authors: bool  # on hills
    broker: "Broker | None"
    events: Path | None
    source: str = ""  # the address of the source; "": an archive of the installed files


async def serve(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError if a port is taken, ValueError if a setting cannot be used.

    When a terminal is closed it sends SIGHUP, which then ends the server too. Without a terminal SIGHUP comes from an
    operator, and makes the server read the token and the certificate again. A server started by `nohup` ignores
    SIGHUP.
    """
    harden_asyncio()
    harden_malloc()
    stopped = asyncio.Event()
    loop, main = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        if main and not (stopped.is_set() or started.is_set()):
            main.cancel()  # no client waits for anything yet
        stopped.set()
        signal.alarm(END_SECONDS)

    started = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    try:
        await _serve(settings, started, stopped)
    except (asyncio.CancelledError, EOFError):
        # EOFError: a signal to the process group has ended the fork server.
        with suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), SIGNAL_SECONDS)
        if not stopped.is_set():
            raise
    LOG.info("stopped")


async def _serve(settings: Settings, started: asyncio.Event, stopped: asyncio.Event) -> None:
    """Start the server, set `started`, and serve until `stopped` is set."""
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        bus, home, limits, incidents = Bus(), settings.home, settings.limits, Incidents()
        tls = settings.secrets.context()
        for hill in home.hills:
            stack.enter_context(hold(hill.path))
        if settings.events:
            await enter(EventLog(settings.events, bus, incidents))
        fighters = await enter(Workers(settings.workers, preload=_preload(), niceness=HILL_NICENESS))
        runtime = await enter(AsyncRuntime(settings.game_limits.workers))
        games = stack.enter_context(
            open_server(
                home.records,
                home.profiles,
                runtime,
                settings.game_limits,
                settings.secrets.token(),
                bus,
                incidents,
            )
        )  # continues the games of an earlier process
        for adapter in games.adapters.values():  # reads the files of players now, while no client waits
            for agent in adapter.agents:
                adapter.has_agent(agent, 0)
        engines = await enter(Workers(settings.workers))
        hills = None
        if home.hills:
            texts = await enter(Workers(1, niceness=HILL_NICENESS))
            hills = await _open_hills(settings, fighters, texts, bus, incidents)
        server = Server(
            lambda: engines.engine(GAMES[DEFAULT].engine_path), limits, hills, games, bus,
            is_proxied=settings.is_proxied, bans=_bans_of(settings),
        )  # fmt: skip
        if settings.broker:
            from protocols.mqtt.bridge import Bridge  # late: takes a tenth of a second

            games.features = (*games.features, "mqtt")
            await enter(Bridge(server, games, bus, settings.broker))
        metrics = Metrics(server, bus)
        events = EventSocket(bus, limits, server.is_local)
        routes = await enter(_api_routes(settings, server, bus, fighters, events))
        site = Site(
            server,
            [*metrics.routes(), *routes],
            (*settings.names, settings.host, *await own_names(settings.host)),
            is_proxied=settings.is_proxied,
            observe=metrics.observe_request,
            games=web_games(),
        )
        stack.push_async_callback(server.stop)
        with _explained(settings.host, settings.port, "--port"):
            host, port = await server.start(settings.host, settings.port, tls)
        with _explained(settings.host, settings.page, "--page"):
            _, page = await enter(site.listen(settings.host, settings.page, tls))
        if home.folder is not None:
            folders = {name: home.folder / name for name in FOLDERS}
            admin = Admin(server, home.folder, folders, (site.links, events.links))
            await enter(admin_socket(admin, home.folder))
        following = [hills.follow()] if hills else []
        await enter(_background_tasks([metrics.watch(), incidents.watch(), _collect_garbage(), *following]))
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            reload = partial(settings.secrets.reload, games, tls)
            loop.add_signal_handler(signal.SIGHUP, stopped.set if _has_terminal() else reload)
        listening = Listening(
            host=host,
            port=port,
            page=page,
            names=settings.names,
            has_tls=tls is not None,
            is_proxied=settings.is_proxied,
        )
        if home.folder is not None:
            continued = counted(len(games.games.running), "game")
            found = f"opened: {continued} continued, {counted(len(home.hills), 'hill')}"
            LOG.info("home %s %s", home.folder, "is new" if home.is_new else found)
        for line in _announcement(settings, listening):
            print(f"galapagos: {line}", flush=True)
        started.set()
        await stopped.wait()
        connections, running = counted(len(list(server.links())), "connection"), len(games.games.running)
        fate = "kept" if home.records else "ended"
        LOG.info("stopping: %s, %s %s", connections, counted(running, "game"), fate)


def _preload() -> Sequence[str]:
    """Return the modules that worker processes import when they start."""
    return [module for game in GAMES.values() for module in game.preload]


def web_games() -> Mapping[WebGame, Sequence[str]]:
    """Return the games that pages show, with the styles that their own pages need."""
    return {
        WebGame(
            name=game.name,
            title=game.title or game.name,
            has_page=game.page is not None,
            follows=game.page is None or game.page.follows,
            first_run=game.first_run,
            first_run_about=game.first_run_about,
        ): game.page.styles if game.page else ()
        for game in usable_games().values()
    }


def _bans_of(settings: Settings) -> BanList | None:
    """Return the bans that are stored in the home; None without a home."""
    folder = settings.home.folder
    return BanList.read(folder / BANS, settings.limits.ipv6_prefix_bits) if folder else None


@contextmanager
def _explained(host: str, port: int, option: str) -> Iterator[None]:
    """Raise OSError with advice if the block cannot listen on the port."""
    try:
        yield
    except (OSError, UnicodeError) as error:
        raise OSError(fault(error, host, port, option)) from None


def _has_terminal() -> bool:
    """Return whether this process has a controlling terminal, which sends SIGHUP when it is closed."""
    try:
        os.close(os.open(os.ctermid(), os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


async def _open_hills(
    settings: Settings, fighters: Workers, texts: Workers, bus: Bus, incidents: Incidents
) -> HillService:
    home, quota = settings.home, HourlyQuota(settings.limits.hill_submissions_per_hour)
    await create_with_starters([(store.path, store.preset) for store in home.new_hills], fighters)
    hills = HillService(
        home.hills,
        fighters,
        bus,
        quota,
        texts=texts,
        trusts_authors=settings.trusts_authors,
        incidents=incidents,
    )
    await hills.publish_standings()
    return hills


@asynccontextmanager
async def _api_routes(
    settings: Settings, server: Server, bus: Bus, fighters: Workers, events: EventSocket
) -> AsyncIterator[Routes]:
    """Yield the routes of the pages' requests; runs are followed and continued during the context.

    Raises ValueError or OSError if a run to continue cannot be read.
    """
    runs = [folder.resolve() for folder in settings.home.runs]
    bundled = [path for game in GAMES if (path := ROOT / "engines" / game / RECORDS).is_dir()]
    shipped = RunWatcher(Bus(), bundled, statistics_of)  # a separate bus: clients need no events of these
    await shipped.scan()
    watcher = RunWatcher(bus, [*runs, *settings.evolving], statistics_of)
    supervisors, home = Supervisors(), settings.home.new_runs
    control = None
    if home is not None:
        control = RunControl(watcher, supervisors, starter(home.resolve(), server.is_local), shipped.runs)
    fights = FightsApi(fighters, server.charge_workers)
    contests = Contests(contest_of, fights.run)
    runs_api = RunsApi(watcher, supervisors, statistics_of, control, shipped.runs, contests)
    for folder in settings.evolving:
        evolve_command(folder)  # raises ValueError if the folder holds no run
    routes = (
        player_routes(catalogues()),
        genome_routes(),
        fights.routes(),
        runs_api.routes(),
        control.routes() if control else [],
        RunStoryApi(runs_api, fights, statistics_of).routes(),
        HillsApi(server, fights).routes(),
        events.routes(),
        source_routes(source_archive, settings.source),
        document_routes({name: ROOT / path for name, path in DOCUMENTS.items()}),
    )
    following = [watcher.follow(), runs_api.follow(bus), *([control.follow()] if control else [])]
    async with supervisors, _background_tasks(following):
        for folder in settings.evolving:
            supervisors.keep(Supervisor(folder, partial(evolve_command, folder)))
        try:
            yield [route for some in routes for route in some]
        finally:
            events.close()


@asynccontextmanager
async def _background_tasks(coroutines: Sequence[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run coroutines until the end of the block; a failure of one is logged and does not affect the others."""
    tasks = [asyncio.create_task(_logged(each)) for each in coroutines]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        for each in coroutines:
            each.close()  # prevents the warning about a coroutine that never started


async def _logged(coroutine: Coroutine[Any, Any, None]) -> None:
    with suppress(asyncio.CancelledError):
        try:
            await coroutine
        except Exception:
            logging.getLogger(__name__).exception("a background task has failed: %r", coroutine)


async def _collect_garbage() -> None:
    """Collect cyclic garbage of all generations only once a minute: with many games it takes some 0.1 s."""
    gc.collect()
    gc.freeze()  # later collections ignore the present objects
    gc.set_threshold(*gc.get_threshold()[:2], NEVER)
    while True:
        await asyncio.sleep(COLLECT_SECONDS)
        gc.collect()
        return_memory()


def _announcement(settings: Settings, listening: Listening) -> list[str]:
    hills = [first_line(store.preset.tag) for store in settings.home.hills]
    lines = listening.lines(", ".join(["uci", "xboard", "JSON lines", *hills]), hills[0] if hills else "")
    return [*lines, f"also available through the broker {settings.broker}"] if settings.broker else lines


# -- Secrets ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """The files of the directors' token, of the certificate and of its key; None for a missing one."""

    token_file: Path | None = None
    certificate: Path | None = None
    key: Path | None = None  # None: in the certificate's file

    def token(self) -> str:
        """Return the token, or "" without a file. Raises OSError, or ValueError if the file is empty."""
        if self.token_file is None:
            return ""
        token = read_text(self.token_file).strip()
        if not token:
            raise ValueError(f"{self.token_file} is empty; write a token to it that cannot be guessed")
        return token

    def context(self) -> SSLContext | None:
        """Return a new context with the certificate, or None without one.

        Raises OSError if a file cannot be read, and ValueError if certificate and key are invalid.
        """
        return _tls(self.certificate, self.key) if self.certificate else None

    def reload(self, games: GameServer, tls: SSLContext | None) -> None:
        """Read token and certificate again, for new connections. Both stay unchanged if one cannot be used."""
        try:
            token = self.token()
            if tls and self.certificate and self.context():
                tls.load_cert_chain(self.certificate, self.key)
        except (OSError, ValueError) as error:
            LOG.error("token and certificate are not reloaded: %s", sentence(error))
            return
        games.token = token
        LOG.info("token and certificate are reloaded")


def secrets_of(args: Namespace) -> Secrets:
    """Return the secrets that arguments name. Raises OSError or ValueError if one cannot be used.

    The log has a warning for each file that other users of this machine can read or change.
    """
    if args.tls_key and not args.tls_cert:
        raise ValueError("--tls-key needs --tls-cert; without it nothing is encrypted")
    named = Secrets(token_file=args.token_file, certificate=args.tls_cert, key=args.tls_key)
    named.token()
    named.context()
    secret = (named.token_file, named.key or named.certificate, args.mqtt_password_file, args.mqtt_key)
    for path in filter(None, secret):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & EXPOSED:
            LOG.warning(
                "%s is secret, but other users of this machine can read or change it (mode %04o);"
                " correct this with chmod 600 %s", path, mode, shlex.quote(str(path)),
            )  # fmt: skip
    return named


def _tls(certificate: Path, key: Path | None) -> SSLContext:
    """Return a context with a certificate. Raises OSError if a file cannot be read, ValueError for a wrong file."""
    context = create_default_context(Purpose.CLIENT_AUTH)
    for path in (certificate, key):
        if path:
            path.open("rb").close()  # so that OSError names the file
    try:
        context.load_cert_chain(certificate, key)
    except SSLError:
        named = key or certificate
        if CERTIFICATE not in certificate.read_bytes():
            raise ValueError(f"--tls-cert: {certificate} contains no certificate") from None
        if PRIVATE_KEY not in named.read_bytes():
            advice = "" if key else "; give the file that does as --tls-key"
            raise ValueError(f"{named} contains no private key{advice}") from None
        raise ValueError(
            f"the key in {named} does not belong to the certificate in {certificate}, or one of them is damaged"
        ) from None
    return context


# -- Arguments -------------------------------------------------------------------------------------


def _checked_source(url: str) -> str:
    """Return an address of the source, or "". Raises ValueError if it is no address of a site."""
    if url and not (url.startswith(("https://", "http://")) and url.isascii() and url.isprintable()):
        raise ValueError(f"--source: {url[:80]!r} is no address; it starts with https://")
    return url


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) < 65_536):
        raise ArgumentTypeError(f"a TCP port is a number from 0 to 65535, not {text[:20]!r}")
    return int(text)
