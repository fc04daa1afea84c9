"""Every way by which text from outside comes into the program, with the texts that could cost it most.

A way reads a text that begins in one of its `starts`, goes on with one of UNITS or of its own `units` over and over,
and may have a last word. The text grows in its repeated part; the cost must grow no faster. A new function that takes
such a text (test_costs.py finds it) belongs here, with its functions in `covers`, or into EXEMPT with the reason.
"""

import asyncio
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from aiohttp.base_protocol import BaseProtocol
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.http_parser import HttpRequestParser
from msgspec import DecodeError

import core.acquire.notation
from core.acquire.rules import PRESETS as ACQUIRE_RULES
from core.acquire.rules import GameSpec, parse_tile, rules_from_text
from core.chess.notation import START, position_from_fen, split_epd
from core.corewar.assembler import assemble, assemble_line
from core.corewar.dialect import Dialect, Limits
from core.corewar.expression import Registers, evaluate
from core.corewar.preprocessor import predefined
from core.corewar.rules import Rules
from core.protection.board import Scenario, generate_map
from core.protection.game import Protection
from core.protection.policy import STRING_BYTES
from core.protection.rules import RULES
from core.protection.state import ProtectionState
from core.random import Random
from engines.acquire.experiment import configured
from engines.acquire.gp import infix, sexpr
from engines.acquire.gp_evolution import GpState
from engines.acquire.old_record import is_old, replay
from engines.acquire.registry import PlayerSpec, load_genome
from engines.chess import genome_file, pgn
from engines.chess.config import PoolConfig
from engines.chess.genome import Genome as ChessGenome
from engines.corewar import load_file
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.genome import WarriorGenome
from engines.corewar.evolution.population import TribesState
from engines.events import Bus
from engines.evolution.state import load_state
from engines.names import escaped
from engines.protection import boardfiles, profile
from engines.protection.arms_race import loads_genome
from engines.protection.bots import create_bot
from engines.protection.defender import Defender
from engines.protection.experiment import configured as protection_configured
from engines.protection.ga_config import GaConfig
from engines.protection.genome import Genome as StringGenome
from engines.protection.pool import Pool, bundled_pool, find_entry
from engines.statistics import Sprt
from engines.time_control import TimeControl
from protocols.addresses import counted_address, counted_network, is_address, is_loopback
from protocols.bans import Ban, BanList
from protocols.cdb.remote import LIMITS
from protocols.cecp import CecpSession
from protocols.connection import Connection, LineTooLong
from protocols.engine_session import ProtocolError, Session
from protocols.external import cecp as external_cecp
from protocols.external import uci as external_uci
from protocols.external.engine import read_move, read_number
from protocols.external.process import sanitize
from protocols.hill.submission import Submission, SubmissionReader
from protocols.jsonl import script
from protocols.jsonl.codec import decode, reference
from protocols.jsonl.journal import whole_lines
from protocols.jsonl.messages import Refusal
from protocols.jsonl.protection_actions import parse_setup, parse_strategy
from protocols.jsonl.record import is_record, line_type
from protocols.mqtt import broker
from protocols.mqtt.requests import missed_events
from protocols.mqtt.topics import Topics
from protocols.proxy_header import split_header
from protocols.redcode.listing import display_name
from protocols.uci import UciSession
from protocols.web.compression import accepts_gzip
from protocols.web.hosts import split_authority
from protocols.web.websocket import EventQuery
from tests.protocols.cdb.support import debugger, warrior_text
from tools.files import visible, visible_bytes
from tools.mars.options import OptionFile
from tools.mars.streams import Text
from tools.play.acquire import parse_action
from tools.play.protection import parse_order, parse_review
from tools.study.acquire_records import read_games
from tools.study.protection_people import game_of

# What is repeated. Each character that any of the languages gives a meaning, and what pairs with it.
UNITS = (
    *"\"'\\ \t\r\n\f()[]{}<>01.,;:/#&|=!+-*~`@$%^_?aE\0é",
    *('\\"', "\\\\n", " \n", "\n\n", "()", "[]", "{}", "(a ", "[[", '{"a":', "1 ", "a ", "a\n", "a b", ", ", "1,", "a=", " - ", "--"),
    *("1+", "-(", "(1+", "! ", "~!", "![", "a&", "/*", " ;", ";\n", "#\n", ": ", "\r\n", "\\\n", "1.", "0x", " x", "é ", "\u2028"),
)  # fmt: skip
LAST = ("", " x")

Reader = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way in. `read` may raise `refusals`, and nothing else."""

    name: str
    read: Reader
    covers: tuple[str, ...]
    starts: tuple[str, ...] = ("",)
    usual_units: tuple[str, ...] = UNITS
    units: tuple[str, ...] = ()
    size: int = 4000  # characters, at which a square would show
    is_deep: bool = True  # read by compiled code, or fast: to be tried with 40,000 brackets
    refusals: tuple[type[Exception], ...] = field(default=(ValueError,))

    def texts(self, size: int, last_words: tuple[str, ...] = LAST) -> Iterator[tuple[str, str]]:
        """Yield the worst texts of about this size, each after a name for it."""
        for start in self.starts:
            for unit in (*self.usual_units, *self.units):
                for last in last_words:
                    yield (
                        f"{start[:40]!r} + {unit!r} x N + {last!r}",
                        start + unit * (size // len(unit)) + last,
                    )

    def answer(self, text: str) -> None:
        """Read a text, refused or not."""
        with suppress(*self.refusals):
            self.read(text)


def _lines(session: type[Session], *before: str) -> Reader:
    """Return a reader of a line of a chess session, after other lines."""

    def read(line: str) -> None:
        conversation = session("Galapagos", "the developers", ())
        for each in (*before, line):
            with suppress(ProtocolError):
                for _ in conversation.receive(each):
                    pass

    return read


def _address(text: str) -> None:
    """Read an address or a network in each form that it can have."""
    bans = BanList()
    for read in (is_address, is_loopback, split_authority, bans.add, bans.remove):
        with suppress(ValueError):
            read(text)
    for count in (counted_address, counted_network):
        with suppress(ValueError):
            count(text, 64)


def _read_byte_by_byte(data: str) -> None:
    """A connection that gets its bytes one by one."""
    connection = Connection(1 << 30)
    for byte in data.encode():
        connection.receive_data(bytes([byte]))
    connection.receive_data(b"")
    while connection.next_line() is not None:
        pass


def _read_at_once(data: str) -> None:
    connection = Connection(2000)
    connection.receive_data(data.encode())
    while connection.next_line() is not None:
        pass


def _submission_lines(text: str) -> None:
    reader = SubmissionReader()
    for line in text.split("\n"):
        reader.receive(line)
    reader.end()


def _debugger_line(line: str) -> None:
    built, _ = debugger([warrior_text("imp"), warrior_text("dwarf")], CORE, limits=LIMITS)
    for _ in built.start():
        pass
    for _ in built.receive(line):
        pass


def _protection_action(text: str) -> None:
    """Read an action in a setup, and where Chaos chooses. What is none is refused."""
    game = Protection(RULES["improved"], bytes(STRING_BYTES)).new_state(Random(1))
    for _ in range(2):
        with suppress(ValueError):
            game.action_from(text)
        game.is_set_up = True


def _typed_line(text: str) -> None:
    symbols = predefined(CORE, 2, 1, 92)
    assemble_line(text, CORE, Dialect(limits=ROOM), address=0, symbols=symbols, registers=Registers())


def _option_file(text: str) -> None:
    words = OptionFile(Text(BytesIO(text.encode("latin-1", "replace")).readline))
    while words.next():
        pass


def _file_reader(read: Callable[[Path], object], suffix: str) -> Reader:
    """Return a reader of a text that has to be in a file."""
    folder = tempfile.TemporaryDirectory(prefix="galapagos-")
    path = Path(folder.name) / f"text{suffix}"

    def read_file(text: str) -> None:
        _ = folder  # as long as the reader
        path.write_text(text, encoding="utf-8", newline="")
        read(path)

    return read_file


def _http(text: str) -> None:
    """The pure parser, which a build of aiohttp without its extension uses, is the slower one."""
    with closing(asyncio.new_event_loop()) as loop:
        HttpRequestParser(BaseProtocol(loop), loop, 1 << 16).feed_data(text.encode())


BUS = Bus()
CORE = Rules(size=800, cycles=1000, processes=8, length=20, distance=20)
ROOM = Limits(characters=1 << 30)  # else long texts are refused at once
SPEC = GameSpec(ACQUIRE_RULES["thesis-7"], 2)
CHAINS = [{"name": chain.name, "letter": chain.letter} for chain in SPEC.rules.chains]
BUYING = {"phase": "buy", "legal": {"may_end": False}}
DISPOSING = {"phase": "dispose", "legal": {"held": 9, "actions": [{"trade": 4}]}}
UNITS_ON_SALE = {"side": 24, "units": [{"name": "drone"}, {"name": "mine"}]}
FIELD = ProtectionState(Scenario(RULES["improved"], generate_map(Random(1))))
ROOK_ENDING = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"
STUDIED = json.dumps({  # the header of a game between a person and Chaos
    "type": "record_header", "format": "galapagos-record/1", "protocol": "", "generator": "", "game_id": "g",
    "game": "protection", "variant": "improved", "rules": {}, "rules_hash": "", "seed": 1, "salt": "",
    "options": {"profile": "ann", "study": True},
    "seats": [{"name": "", "kind": "client"}, {"name": "chaos:pilot", "kind": "agent"}],
})  # fmt: skip
OLD_HEADER = json.dumps({
    "t": "game", "format": "galapagos-acquire-record/1", "preset": "mini", "players": 2,
    "bag": [f"{column}{row}" for column in range(1, 6) for row in "ABCD"],
})  # fmt: skip
WARRIOR = ";redcode-nano\n;name A\n"

WAYS = (
    # -- Addresses and names of clients
    Way(
        name="an address, or a network to ban",
        read=_address,
        covers=(
            "protocols/addresses.py:is_address",
            "protocols/addresses.py:is_loopback",
            "protocols/addresses.py:counted_address",
            "protocols/addresses.py:counted_network",
            "protocols/bans.py:BanList.add",
            "protocols/bans.py:BanList.remove",
            "protocols/web/hosts.py:split_authority",
        ),
        starts=("", "2001:db8::", "192.0.2.1/", "[", "fe80::1%"),
        units=("0:", "::", "1.", "/1", "%a"),
    ),
    Way(
        name="the header Accept-Encoding of a request",
        read=accepts_gzip,
        covers=("protocols/web/compression.py:accepts_gzip",),
        starts=("", "gzip;q="),
        units=("gzip", ",", ";", " ", "0", "gzip;q=0,"),
    ),
    Way(
        name="a line of the bans' file",
        read=lambda text: Ban.parse(text, 64),
        covers=("protocols/bans.py:Ban.parse",),
        starts=("", "192.0.2.1 ", "192.0.2.1 2026-11-28T10:00:00+00:00 "),
        units=("1 ", "2026-11-28 "),
    ),
    Way(
        name="a text of others that is printed",
        read=lambda text: (escaped(text), visible(text), visible_bytes(text.encode())),
        covers=("engines/names.py:escaped", "tools/files.py:visible", "tools/files.py:visible_bytes"),
        units=("\x1b[", "\u202e"),
    ),
    # -- JSON lines
    Way(
        name="the reference of a line that is refused",
        read=lambda text: reference(text.encode()),
        covers=("protocols/jsonl/codec.py:reference",),
        starts=("", '{"type":"ping","id":"', '{"a":', '{"id":1,"a":['),
        units=('"a":1,', "[1,", '{"id":'),
    ),
    Way(
        name="a JSON line",
        read=lambda text: decode(text.encode()),
        covers=(
            "protocols/jsonl/codec.py:decode",
            "protocols/jsonl/faults.py:sentence",
            "protocols/jsonl/handlers.py:receive",
            "protocols/jsonl/runtime.py:serve_connection",
        ),
        starts=(
            "",
            "{" + "[" * 40 + '"',
            '{"type":"',
            '{"type":"create","id":',
            '{"type":"list","game":["',
            '{"type":"hello","versions":[1],"role":"',
            '{"type":"create","game":"x","seats":[],"clock":{"',
            '{"type":"action","re":1,"action":{"kind":"',
        ),
        units=('\\"', " - at `", "missing required field `", '"a":1,', "[1],", '"],["', "\\u0000"),
    ),
    Way(
        name="a JSON line with a word that no message has",
        read=lambda text: decode(
            b'{"type":"%b\\n"}' % text.replace("\\", "").replace('"', "").replace("\n", " ").encode()
        ),
        covers=(),
        units=(" - at `", "key in `", " - at `$", "`"),
    ),
    Way(
        name="a record of a game",
        read=lambda text: (
            is_record(text.encode()),
            [line_type(line) for line in whole_lines(text.encode())],
        ),
        covers=(
            "protocols/jsonl/record.py:is_record",
            "protocols/jsonl/record.py:line_type",
            "protocols/jsonl/journal.py:whole_lines",
            "protocols/jsonl/record.py:ReplayedGame.replay",
        ),
        starts=("", '{"type":"', '{"format":"'),
    ),
    Way(
        name="a record for a study of people",
        read=lambda text: game_of(text.encode()),
        covers=("tools/study/protection_people.py:game_of",),
        starts=(
            "",
            f"{STUDIED}\n",
            f'{STUDIED}\n{{"type":"',
            f'{STUDIED}\n{{"type":"end","result":{{"winner":"',
        ),
        units=('{"type":"event"}\n', '{"type":"end"}\n'),
    ),
    Way(
        name="a record of an earlier version",
        read=lambda text: is_old(text.encode()) and replay(text.splitlines(keepends=True)),
        covers=("engines/acquire/old_record.py:is_old",),
        starts=(
            "",
            OLD_HEADER,
            f"{OLD_HEADER}\n",
            '{"format":"galapagos-acquire-record/1","t":"game","bag":["',
        ),
    ),
    Way(
        name="a record of Acquire in a study of predictions",
        read=_file_reader(lambda path: read_games([path]), ".jsonl"),
        covers=(),
        starts=(
            "",
            f"{OLD_HEADER}\n",
            '{"type":"record_header","format":"galapagos-record/1","game":"',
            '{"type":"record_header","format":"galapagos-record/1","game":"acquire"}\n',
        ),
    ),
    Way(
        name="games of PGN",
        read=lambda text: pgn.check_games(pgn.decoded_lines(text.encode()), "games"),
        covers=("engines/chess/pgn.py:decoded_lines",),
        starts=("", '[Event "a"]\n', "1. e4 e5 "),
        units=("2. Nf3 Nf6 3. Ng1 Ng8 ", '[A "b"] ', "[A", "{a} ", "(", ";\n", "%\n", "1-0 "),
    ),
    Way(
        name="the state of a run",
        read=lambda text: (load_state(text, TribesState), load_state(text, GpState)),
        covers=("engines/evolution/state.py:load_state",),
        starts=("", '{"living": [', '{"generation": 1, "tribes": [['),
        units=("1,", "[1],", '"a",'),
    ),
    Way(
        name="a script",
        read=script.parse,
        covers=("protocols/jsonl/script.py:parse",),
        starts=("", '{"expect":{"a":"'),
    ),
    # -- Connections
    Way(
        name="bytes one by one",
        read=_read_byte_by_byte,
        covers=("protocols/connection.py:Connection.receive_data",),
        size=30_000,
        is_deep=False,
    ),
    Way(name="bytes at once", read=_read_at_once, covers=(), refusals=(LineTooLong,)),
    Way(
        name="a PROXY header",
        read=lambda text: split_header(text.encode("latin-1", "replace")),
        covers=("protocols/proxy_header.py:split_header",),
        starts=("", "PROXY ", "PROXY TCP4 1", "\r\n\r\n\0\r\nQUIT\n!\x11\xff\xff"),
    ),
    # -- Chess
    Way(
        name="a line of UCI",
        read=_lines(UciSession),
        covers=(
            "protocols/engine_session.py:Session.receive",
            "protocols/engine_session.py:run_session",
            "protocols/engine_session.py:_Runner.run",
            "protocols/sessions.py:first_line",
            "protocols/sessions.py:session_for",
            "core/chess/position.py:Position.parse_uci",
            "core/chess/position.py:Position.action_from",
        ),
        starts=(
            "",
            "position fen ",
            "position startpos moves ",
            "go ",
            "go depth ",
            "go searchmoves ",
            "setoption name ",
            "setoption name Ponder value ",
            "bench ",
        ),
        size=2000,
        units=("e2e4 ", "g1f3 g8f6 f3g1 f6g8 ", "depth ", "depth 1 ", "infinite ", "value ", "name "),
    ),
    Way(
        name="a line of CECP",
        read=_lines(CecpSession),
        covers=tuple(
            f"protocols/cecp.py:{each}"
            for each in (
                "CecpSession.do_setboard",
                "CecpSession.do_usermove",
                "CecpSession.do_exclude",
                "CecpSession.do_include",
                "CecpSession.do_option",
                "Board.set_up",
                "Board.parse_move",
                "Board.parse_moves",
            )
        ),
        starts=(
            "",
            "setboard ",
            "usermove ",
            "level ",
            "level 40 5 ",
            "st ",
            "option ",
            "option Hash=",
            "ping ",
            "exclude ",
            "memory ",
            "variant ",
        ),
    ),
    Way(
        name="pings of CECP while a move is searched",
        usual_units=("one more ",),
        read=lambda text: _lines(CecpSession, "go", *["ping 1"] * len(text), "force")(""),
        covers=(),
        size=10_000,
        is_deep=False,
    ),
    Way(
        name="a line of CECP's edit",
        read=_lines(CecpSession, "edit"),
        covers=("protocols/cecp.py:BoardEditor.edit",),
    ),
    Way(
        name="an action of Advanced Protection move by move",
        read=_protection_action,
        covers=("core/protection/game.py:ProtectionMoves.action_from",),
        starts=("", "drone ", "drone 5,7", "salvage ", "go", "string "),
        units=(",", "1", "5,7,", " ", "drone"),
    ),
    Way(
        name="a FEN",
        read=lambda text: (split_epd(text), position_from_fen(text)),
        covers=(
            "core/chess/notation.py:position_from_fen",
            "core/chess/notation.py:split_epd",
            "core/chess/game.py:Chess.state_from",
            "core/game.py:State.action_from",
            "core/game.py:Game.state_from",
        ),
        starts=("", START[:43], "8/8/8/8/8/8/8/8 w ", "8/8/8/8/8/8/8/8 w - - "),
        units=("8/", "K", "k/", "KQkq", "Hh"),
    ),
    Way(
        name="a move that a person types",
        read=lambda text: pgn.parse_move(position_from_fen(START), text),
        covers=("engines/chess/pgn.py:parse_move",),
        units=("O-", "e4 ", "N", "=Q"),
    ),
    Way(
        name="a file of openings",
        read=_file_reader(pgn.read_openings, ".epd"),
        covers=(),
        starts=("", f"{ROOK_ENDING}\n", f"{ROOK_ENDING} "),
        units=(f"{ROOK_ENDING}\n", "bm Qd5; ", 'id "'),
    ),
    Way(
        name="a PGN",
        read=_file_reader(pgn.read_openings, ".pgn"),
        covers=(),
        starts=("", '[Event "', '[Event "a"]\n', "1. e4 ", "1. e4 {", "1. e4 (", "1. e4 e5 2. Nf3 (2. Bc4 "),
        units=(
            "(",
            ")",
            "{",
            "}",
            "( ",
            "(1. d4 ",
            "1. e4 ",
            "1... e5 ",
            "Nf3 Nf6 Ng1 Ng8 ",
            "(Nf3) Nf6 (Nc6) ",
            "$1 ",
            "e4 $1",
            '[A "b"]\n',
            '"]',
            '"] ',
            "%\n",
            "; ",
            "*\n",
            "1-0 ",
            "... ",
            '[Event "a"]\n\n1. e4 *\n\n',
        ),
        size=1000,
        is_deep=False,
    ),
    Way(
        name="a chess genome",
        read=ChessGenome.loads,
        covers=(
            "engines/chess/genome.py:Genome.loads",
            "engines/chess/genome_text.py:blocks",
            "engines/chess/genome_text.py:_Reader.take",
        ),
        starts=(
            "",
            "ID: ",
            "ID: 1\nName: ",
            "ID: 1\nName: Pawn Islands Gene\n",
            "ID: 1\nName: Look Ahead Gene\nSpeculation: ",
        ),
        units=(
            "END\n",
            "END #",
            " END",
            "ID: 1\n",
            "ID:",
            "Name: Pawn Islands Gene\n",
            "Activation Begin: 1\n",
            "END\n\n",
        ),
    ),
    Way(
        name="a file of chess genomes",
        read=lambda text: genome_file.choose(text, 7),
        covers=(
            "engines/chess/genome_file.py:read",
            "engines/chess/genome_file.py:choose",
            "engines/chess/genome_file.py:read_genome",
        ),
        starts=("", "ID: 1\n"),
        units=("END\n", "END #", "ID: 1\nEND\n", "ID:", "ID: 8 # ", "\n ID: 8"),
    ),
    Way(
        name="a chess genome of all remarks",
        read=genome_file.read,
        covers=(),
        starts=("", "ID: 1\n"),
        units=("END\n", "ID: 1\nEND\n"),
    ),
    Way(
        name="games beside chess genomes",
        read=lambda text: list(genome_file._winners(text.encode().splitlines(keepends=True))),
        covers=(),
        starts=("", '[White "', '[White "Genetic AI 1"]\n'),
        units=('"] ', '[White "a"]\n', '[a "', "1. e4 1-0\n"),
    ),
    Way(
        name="a time control",
        read=TimeControl.parse,
        covers=("engines/time_control.py:TimeControl.parse",),
        starts=("", "40/", "st=", "nodes=", "1:"),
        units=("1+", "st=1,", "1:"),
    ),
    Way(
        name="an option of a UCI engine",
        read=external_uci.read_option,
        covers=("protocols/external/uci.py:read_option",),
        starts=("option name ", "option name a type ", "option name a type combo default "),
        units=(" type ", "type spin ", " default ", "var ", "min 1 ", "default", " var a"),
    ),
    Way(
        name="an info of a UCI engine",
        read=lambda text: external_uci.read_info(text.split()),
        covers=("protocols/external/uci.py:read_info",),
        units=("pv ", "depth 1 ", "string "),
    ),
    Way(
        name="features of a CECP engine",
        read=lambda text: list(external_cecp.Features().learn(text)),
        covers=("protocols/external/cecp.py:Features.learn", "protocols/external/cecp.py:read_option"),
        starts=("feature ", 'feature option="', 'feature option="a -combo '),
        units=("ping=1 ", 'option="a -check 1" ', " -check ", " -", "/// ", 'a="'),
    ),
    Way(
        name="thinking of a CECP engine",
        read=external_cecp.read_thinking,
        covers=("protocols/external/cecp.py:read_thinking",),
        starts=("", "1 ", "1 2 3 4 ", "1 2 3 4\t"),
        units=("e2e4 ", "1. ", "(e)"),
    ),
    Way(
        name="moves of a CECP engine",
        read=lambda text: [
            each.fullmatch(text)
            for each in (
                external_cecp.MOVE,
                external_cecp.RESIGNATION,
                external_cecp.RESULT,
                external_cecp.REFUSAL,
            )
        ],
        covers=(),
        starts=("", "move ", "move e2e4", "1. ... ", "1-0 ", "Error (", "Illegal move "),
        units=("move ", ". ", "resign ", "Error "),
    ),
    Way(
        name="words of an engine",
        read=lambda text: (read_move(position_from_fen(START), text), read_number(text), sanitize(text)),
        covers=(
            "protocols/external/engine.py:read_move",
            "protocols/external/engine.py:read_number",
            "protocols/external/engine.py:PendingSearch.answer",
            "protocols/external/process.py:sanitize",
        ),
    ),
    # -- Core War
    Way(
        name="a warrior",
        read=lambda text: assemble(text, CORE, Dialect(limits=ROOM)),
        covers=(
            "core/corewar/assembler.py:assemble",
            "core/corewar/lexer.py:tokens_of",
            "core/corewar/lexer.py:word_at",
            "core/corewar/lexer.py:read",
            "core/corewar/lexer.py:read_comment",
            "core/corewar/lexer.py:skip_space",
            "core/corewar/lexer.py:Source.add",
            "protocols/redcode/library.py:parse",
        ),
        starts=("", ";redcode\n", "mov 0, ", "a equ ", ";assert ", "i for 9\n", "a equ 1\n"),
        units=(
            ";redcode\n",
            "a equ 1\n",
            "a for 2\n",
            "rof\n",
            "a: ",
            "mov 0, 1\n",
            "a&b ",
            "a equ a\n",
            ";kill a\n",
            ";strategy a\n",
            "&",
            "l l l l l l l l\n",
            "mov ",
            "end\n",
            " equ a\n",
        ),
    ),
    Way(
        name="a line typed at a warrior",
        read=_typed_line,
        covers=("core/corewar/assembler.py:assemble_line", "protocols/cdb/views.py:LineAssembler.assemble"),
        starts=("", "mov 0, ", "a equ ", "i for 9 "),
        units=("a: ", "mov ", "equ ", "("),
    ),
    Way(
        name="an expression of Redcode",
        read=lambda text: evaluate(text, Registers()),
        covers=("core/corewar/expression.py:evaluate", "engines/corewar/evolution/config.py:score_formula"),
        units=("a=", "(", "-", "1+", "1*", "1==", "1||", "1<", "1-(", "!", "1+1*"),
    ),
    Way(
        name="an expression of Redcode, rightly",
        read=lambda text: evaluate(text, Registers(), "sane"),
        covers=(),
        units=("a=", "(", "-", "1+", "1*", "1==", "1||", "1<", "1-(", "!", "1+1*"),
    ),
    Way(
        name="a load file",
        read=lambda text: load_file.loads(text, CORE),
        covers=("engines/corewar/load_file.py:loads", "engines/corewar/load_file.py:as_written"),
        starts=("", "MOV.I $0, ", "ORG ", ";name ", ";assert CORESIZE == ", "MOV.I $0, $1\nEND\n"),
        units=("MOV.I $0, $1\n", ";name a\n", "START ", "ORG 1\n", ";name "),
    ),
    Way(
        name="a warrior of a run",
        read=WarriorGenome.loads,
        covers=("engines/corewar/evolution/genome.py:WarriorGenome.loads",),
        starts=("", ";assert CORESIZE == "),
        units=(";assert CORESIZE == 80\n", ";assert", "\n;", "\n ;"),
    ),
    Way(
        name="a submission",
        read=Submission.read,
        covers=(
            "protocols/hill/submission.py:Submission.read",
            "protocols/hill/submission.py:Heading.read",
            "protocols/hill/service.py:HillService.answer",
        ),
        starts=("", WARRIOR, ";redcode-", ";redcode ", f"{WARRIOR};token ", f"{WARRIOR};token x"),
        units=(";redcode\n", ";token", ";token x\n", ";token ", ";token x ", "test "),
    ),
    Way(
        name="lines of a submission",
        read=_submission_lines,
        covers=(
            "protocols/hill/submission.py:SubmissionReader.receive",
            "protocols/hill/service.py:serve_submissions",
        ),
        starts=("", WARRIOR, f"{WARRIOR}a ", f"{WARRIOR}END "),
        units=("FOR ", "for\n", "rof\n", "END\n", "a: ", "end ", "end a ", ".\n"),
    ),
    Way(name="a name of a warrior", read=display_name, covers=()),
    Way(
        name="a line at the debugger",
        read=_debugger_line,
        covers=(
            "protocols/cdb/debugger.py:Debugger.receive",
            "protocols/cdb/command_line.py:parse",
            "protocols/cdb/command_line.py:upper",
            "protocols/cdb/views.py:ListView.value",
            "protocols/cdb/views.py:matches",
        ),
        starts=("", "search ", "macro ", "calc ", "edit 0~", "fill 0~"),
        units=("~", "!!~", "!~", "list~", "~!!~!3", "*?", "calc 1~", "step~"),
        size=4000,
        is_deep=False,
    ),
    Way(
        name="an option file of galapagos-mars",
        read=_option_file,
        covers=(),
        starts=("", '"', ";"),
        units=('" "', "a", "a ", '"a" ', "; a\n"),
        size=20_000,
        is_deep=False,
    ),
    # -- Acquire
    Way(
        name="a program of Acquire",
        read=sexpr.loads_forms,
        covers=(
            "engines/acquire/gp/sexpr.py:loads_forms",
            "engines/acquire/gp/sexpr.py:loads",
            "engines/acquire/gp/sexpr.py:_Reader.expect",
        ),
        starts=("", "(define place ", "(define (rate-1 it) ", "(define place (+ 1 "),
        units=("(", "(+ ", "(+ 1 ", "; a\n", "(define a 1)\n", "(rate-1 ", "1 ", "(sum "),
        is_deep=False,
    ),
    Way(
        name="a formula of Acquire",
        read=infix.from_formula,
        covers=("engines/acquire/gp/infix.py:from_formula",),
        starts=("", "1 ", "(", "1 + "),
        units=(
            "+ 1 ",
            "1 + ",
            "(",
            "( ",
            "-",
            "- 1",
            "1 * ",
            "div 1 ",
            "1 < ",
            "1e",
            ".",
            "1.",
            "1 or 1 and 1 < 1 + 1 * (",
            "not(",
        ),
        is_deep=False,
    ),
    Way(
        name="a genome of Acquire",
        read=load_genome,
        covers=(
            "engines/acquire/registry.py:load_genome",
            "engines/acquire/genome.py:Genome.loads",
            "engines/acquire/net_genome.py:NetGenome.loads",
            "engines/acquire/rules_genome.py:RulesGenome.loads",
        ),
        starts=("", "(net 1)\n", "(net 1)\n(chain bias ", "; a\n", "(rules 1)\n", "(rules 1)\n(cost "),
        units=(";\n", "(net", "(chain bias 1)\n", "1 ", "(result 1)\n", "; (", "(rules", "(cost 1)\n", "a-"),
        is_deep=False,
    ),
    Way(
        name="a player of Acquire",
        read=PlayerSpec.parse,
        covers=(
            "engines/acquire/registry.py:PlayerSpec.parse",
            "engines/acquire/search.py:SearchOptions.timed",
            "engines/acquire/search.py:split_words",
        ),
        starts=(
            "",
            "random,",
            "pair-1,",
            "mc-",
            "search-",
            "search,",
            "search,milliseconds=",
            "search,policy=",
        ),
        units=("tie=first,", "a=,", "policy=a,", "1"),
        refusals=(ValueError, OSError),
    ),
    Way(
        name="a state of Acquire",
        read=lambda text: core.acquire.notation.from_text(SPEC, text),
        covers=("core/acquire/notation.py:from_text", "core/acquire/game.py:Acquire.state_from"),
        starts=("", "board ", "bag ", "bag 1A\nboard ./", "cash "),
        units=("1A ", "./", "bag 1A\n", "0,"),
    ),
    Way(
        name="rules of Acquire",
        read=lambda text: rules_from_text("mine", text),
        covers=("core/acquire/rules.py:rules_from_text",),
        starts=("", "chains ", "seats 2 ", "chains a:b:"),
        units=("a:b:1 ",),
    ),
    Way(
        name="a tile of Acquire",
        read=lambda text: parse_tile(SPEC.rules, text),
        covers=("core/acquire/rules.py:parse_tile",),
        starts=("", "1"),
    ),
    Way(
        name="a purchase that a person types",
        read=lambda text: parse_action(BUYING, CHAINS, text),
        covers=("tools/play/acquire.py:parse_action",),
        units=("l", "l ", "2l ", "9 l "),
    ),
    Way(
        name="a disposal that a person types",
        read=lambda text: parse_action(DISPOSING, CHAINS, text),
        covers=(),
        units=("trade ", "t 1 ", "t1", "hold ", "s all "),
    ),
    # -- Advanced Protection
    Way(
        name="a string of Chaos",
        read=StringGenome.loads,
        covers=("engines/protection/genome.py:Genome.loads", "engines/evolution/population.py:Genome.loads"),
        starts=("", "minion ", "minion drone pref 1\nstate 0: "),
        units=("ff", "f\n", "0>1F ", "minion a pref 1\n"),
    ),
    Way(
        name="a defender, and a genome of either side",
        read=lambda text: (Defender.loads(text), loads_genome(text)),
        covers=(
            "engines/protection/defender.py:Defender.loads",
            "engines/protection/arms_race.py:loads_genome",
        ),
        starts=("", "drone want ", "drone want 1 wetlands 2\n"),
        units=("ff", "f\n", "gold 1 ", "drone want 1\n"),
    ),
    Way(
        name="a pool of strings",
        read=Pool.loads,
        covers=("engines/protection/pool.py:Pool.loads",),
        starts=("", '{"pool":"'),
        units=('{"name":"a"}\n',),
    ),
    Way(
        name="a string of the pool",
        read=find_entry,
        covers=("engines/protection/pool.py:find_entry",),
        starts=("", "pool:"),
    ),
    Way(
        name="a profile",
        read=profile.loads,
        covers=("engines/protection/profile.py:loads",),
        starts=("", "1 2 ", "H\t", "P\t"),
        units=("1\n", "T\ta\n", "T\t", "P\ta\n", "\t"),
    ),
    Way(
        name="a user's name",
        read=profile.normalised_name,
        covers=(),
        units=("\u0301", "a\u0301", "\u0327\u0301", "\ufdfa"),
    ),
    Way(
        name="a map",
        read=boardfiles.loads_map,
        covers=("engines/protection/boardfiles.py:loads_map",),
        starts=("", "g" * 24 + "\n"),
        units=("gold 1 1\n", "g" * 24 + "\n"),
    ),
    Way(
        name="an arrangement",
        read=boardfiles.loads_arrangement,
        covers=("engines/protection/boardfiles.py:loads_arrangement",),
        starts=("", "drone 1 "),
        units=("drone 1 1\n", "drone "),
    ),
    Way(
        name="a line of a log of arrangements",
        read=boardfiles.ArrangementRecord.loads,
        covers=("engines/protection/boardfiles.py:ArrangementRecord.loads",),
        starts=(
            "",
            '{"format":"galapagos-arrangement/1","map":["',
            '{"format":"galapagos-arrangement/1","map":[],"gold":[[',
        ),
        units=('","', "1],[", "1,"),
    ),
    Way(
        name="a scripted user",
        read=lambda text: create_bot(text, 0),
        covers=(),
        starts=("", "mines:", "mines:0."),
    ),
    Way(
        name="a setup of the JSON lines",
        read=lambda text: parse_setup(
            FIELD, f'{{"kind":"setup","place":[{text.rstrip(",")}],"salvage":[9]}}'.encode()
        ),
        covers=("protocols/jsonl/protection_actions.py:parse_setup",),
        starts=("", '{"unit":"'),
        units=('{"unit":"drone","at":[1,1]},', '{"unit":"drone","at":[-1,1]},'),
        refusals=(ValueError, DecodeError, RecursionError),
    ),
    Way(
        name="a strategy of the JSON lines",
        read=lambda text: parse_strategy(
            FIELD, bundled_pool(), f'{{"kind":"strategy",{text.rstrip(",")}}}'.encode(), buys_freely=True
        ),
        covers=("protocols/jsonl/protection_actions.py:parse_strategy",),
        starts=("", '"pool":1,"buy":{"', '"string":"'),
        units=('"pool":1,', "0f"),
        refusals=(ValueError, DecodeError, RecursionError),
    ),
    Way(
        name="an order that a person types",
        read=lambda text: parse_order(text, UNITS_ON_SALE),
        covers=("tools/play/protection.py:parse_order",),
        starts=("", "place ", "place drone ", "sell "),
        units=("1 1 ",),
    ),
    Way(
        name="a turn that a person types",
        read=lambda text: parse_review(f"film {text}", 9),
        covers=("tools/play/protection.py:parse_review",),
    ),
    # -- Configurations
    *(
        Way(
            name=f"a configuration of {game}",
            read=read,
            covers=covers,
            starts=("", *starts),
            units=("seed = 1\n", "a = 1\n", "seed = ", "=", "evolve", "evolve =\n", "\n\n\nevolve"),
        )
        for game, read, starts, covers in (
            (
                "Acquire",
                configured,
                (
                    "seed = ",
                    "evolve = net\nopponent = ",
                    "evolve = all decisions\nfounders = ",
                ),
                (
                    "engines/acquire/experiment.py:configured",
                    "engines/acquire/league_config.py:Opponents.loads",
                    "engines/acquire/league_config.py:founder_list",
                ),
            ),
            (
                "chess",
                PoolConfig.loads,
                ("seed = ", "game time = ", "start = "),
                ("engines/chess/config.py:PoolConfig.loads_new", "engines/chess/config.py:start"),
            ),
            (
                "Core War",
                TribesConfig.loads,
                ("seed = ", "score formula = ", "instructions = ", "near = ", "ancestors = "),
                (
                    "engines/corewar/evolution/config.py:instructions",
                    "engines/corewar/evolution/config.py:common_instructions",
                ),
            ),
            (
                "Advanced Protection",
                GaConfig.loads,
                ("seed = ", "arrangement = ", "founders = "),
                (
                    "engines/config.py:Key.read",
                    "engines/config.py:read",
                    "engines/config.py:Config.loads",
                    "engines/config.py:plain_name",
                    "engines/config.py:folded",
                ),
            ),
        )
    ),
    Way(
        name="a configuration: Advanced Protection, of either kind",
        read=protection_configured,
        starts=("evolve = arms race\nseed = ", "evolve = ", "seed = "),
        covers=("engines/protection/experiment.py:configured", "engines/config.py:evolves"),
    ),
    Way(
        name="a test of strength",
        read=Sprt.parse,
        covers=("engines/statistics.py:Sprt.parse",),
        units=("1,",),
    ),
    # -- Brokers and browsers
    Way(
        name="a request for missed events",
        read=lambda text: missed_events(BUS, text.encode()),
        covers=("protocols/mqtt/requests.py:missed_events",),
        starts=("", '{"after":', '{"after":0,"topics":["'),
        units=('","', "a/"),
        refusals=(Refusal,),
    ),
    Way(
        name="a topic",
        read=Topics("galapagos/v1").purpose,
        covers=(),
        starts=("", "galapagos/v1/", "galapagos/v1/c/"),
        units=("a/", "/", "+/"),
    ),
    Way(
        name="a response topic",
        read=lambda text: Topics("g").response("a", text),
        covers=(),
        starts=("", "g/c/a/out/"),
        units=("a/", "#"),
    ),
    Way(
        name="the address of a broker",
        read=broker.parse,
        covers=(),
        starts=("", "mqtt://", "mqtt://a/", "mqtt://a:"),
        units=("a/", "%41", "@", "[::"),
    ),
    Way(
        name="a query for events",
        read=lambda text: EventQuery.parse(text, text),
        covers=(),
        units=("a,", "/,"),
    ),
    Way(
        name="an HTTP request",
        read=_http,
        covers=(),
        starts=(
            "",
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ),
        units=("a: b\r\n", "a:\r\n", "\r\n ", "1\r\na\r\n", "0;a\r\n", "GET / HTTP/1.1\r\n\r\n"),
        refusals=(HttpProcessingError,),
    ),
)

# Functions with such a parameter that read nothing from outside, or nothing by themselves.
EXEMPT = {
    "protocols/external/cecp.py:edit_commands": "a FEN of our own",
    "engines/catalogue.py:first_sentence": "our own cards",
    "engines/chess/game_record.py:GameRecord.unpack": "bytes of a run's store",
    "engines/acquire/gp_config.py:evolved_decisions": "a word of a configuration, whose text Config.loads reads",
    "engines/acquire/nes_config.py:founding_player": "a word of a configuration, whose text Config.loads reads",
    "engines/evolution/run_store.py:difference": "our own configurations",
    "tools/new_run.py:config_of": "a configuration, which Config.loads of each kind of a game reads",
    "protocols/jsonl/messages.py:invalid": "makes an error",
    "protocols/redcode/library.py:bundled_text": "a name of our own",
    "protocols/web/responses.py:number": "an ID of at most 19 digits",
    "tools/cli.py:Parser.error": "an argument of the command line",
    "tools/cli.py:positive_int": "an argument of the command line",
    "tools/cli.py:natural_int": "an argument of the command line",
    "tools/cli.py:seed_int": "an argument of the command line",
    "tools/genome/acquire.py:is_meant": "a name on the command line",
    "tools/genome/chess.py:is_meant": "a name on the command line",
    "tools/genome/protection.py:is_meant": "a name on the command line",
    "tools/genome/warriors.py:is_meant": "a name on the command line",
    "tools/mars/streams.py:native": "encodes a name",
    "tools/play/chess.py:ChessView.read": "parse_move of engines.chess.pgn",
    "tools/play/terminal.py:View.read": "declares what each game reads",
    "tools/play/terminal.py:TextView.read": "a line of the person at the terminal, compared with each legal action",
    "tools/plot/figures.py:loci": "our own figures",
    "tools/mypyc_patches/jumps.py:with_jumps": "our own sources",
    "tools/mypyc_patches/specialise.py:specialised": "our own sources",
    "protocols/redcode/listing.py:messages_text": "at most MAX_MESSAGES of the assembler",
    "protocols/tls_gate.py:Handshake.data_received": "MAX_EARLY_BYTES, else it ends",
    "protocols/admin.py:Admin.answer": "only the owner of the home can send it",
    "tools/warriors.py:preset_for": "a name on the command line",
    "tools/warriors.py:named_preset": "a file on the command line",
    "tools/warriors.py:assembled": "a file on the command line",
}
