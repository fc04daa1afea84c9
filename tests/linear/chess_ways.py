"""The ways of chess: UCI, CECP, positions, games and genomes."""

from contextlib import suppress

from core.chess.notation import START, position_from_fen, split_epd
from engines.chess import genome_file, pgn
from engines.chess.genome import Genome as ChessGenome
from engines.time_control import TimeControl
from protocols.cecp import CecpSession
from protocols.engine_session import ProtocolError, Session
from protocols.external import cecp as external_cecp
from protocols.external import uci as external_uci
from protocols.external.engine import read_move, read_number
from protocols.external.process import sanitize
from protocols.uci import UciSession
from tests.linear.way import Reader, Way, file_reader


def _lines(session: type[Session], *before: str) -> Reader:
    """Return a reader of a line of a chess session, after other lines."""

    def read(line: str) -> None:
        conversation = session("Galapagos", "the developers", ())
        for each in (*before, line):
            with suppress(ProtocolError):
                for _ in conversation.receive(each):
                    pass

    return read


ROOK_ENDING = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"

WAYS = (
    Way(
        name="games of PGN",
        read=lambda text: pgn.check_games(pgn.decoded_lines(text.encode()), "games"),
        covers=("engines/chess/pgn.py:decoded_lines",),
        starts=("", '[Event "a"]\n', "1. e4 e5 "),
        units=("2. Nf3 Nf6 3. Ng1 Ng8 ", '[A "b"] ', "[A", "{a} ", "(", ";\n", "%\n", "1-0 "),
    ),
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
        read=file_reader(pgn.read_openings, ".epd"),
        covers=(),
        starts=("", f"{ROOK_ENDING}\n", f"{ROOK_ENDING} "),
        units=(f"{ROOK_ENDING}\n", "bm Qd5; ", 'id "'),
    ),
    Way(
        name="a PGN",
        read=file_reader(pgn.read_openings, ".pgn"),
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
)
