"""The description of chess."""

from typing import TYPE_CHECKING, Any, cast

from tools.cli import counted
from tools.games.info import GameInfo, RecordDiffers, References, WebPage

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence
    from pathlib import Path

    from core.game import Game, State
    from engines.catalogue import PlayerInfo
    from engines.engine import Engine
    from engines.evolution.run import Evolution
    from engines.match.referee import Result
    from engines.strength import GameReference
    from engines.time_control import TimeControl
    from protocols.jsonl.adapter import GameAdapter
    from protocols.web.run_contest import RunContest


def _rules() -> "Game":
    from core.chess.game import Chess

    return Chess()


def engine(*arguments: Any) -> "Engine":
    from engines.chess.engine import ChessEngine

    return ChessEngine(*arguments)


def _openings(path: str | None) -> "Sequence[State]":
    from pathlib import Path

    from engines.chess.pgn import OPENINGS, read_openings

    return read_openings(Path(path) if path else OPENINGS)


def _pgn(
    result: "Result",
    start: "State | None",
    names: "Sequence[str]",
    controls: "Sequence[TimeControl]",
    **tags: str,
) -> str:
    from core.chess.notation import START, position_from_fen
    from core.chess.position import Position
    from engines.chess.game_record import match_pgn

    start = start or position_from_fen(START)
    assert isinstance(start, Position)
    white, black = names
    return match_pgn(result, start, white, black, controls[0], black_control=controls[1], **tags)


def _check_record(name: str, data: bytes) -> str | None:
    if not data.lstrip().startswith(b"["):
        return None
    from engines.chess.pgn import TAG, check_games, decoded_lines

    lines = decoded_lines(data)
    if not TAG.match(next(line for line in lines if line.strip()).lstrip()):
        return None
    try:
        games, moves = check_games(lines, name)
    except ValueError as difference:
        raise RecordDiffers(difference) from None
    return f"{counted(games, 'game')} of {counted(moves, 'half-move')}, all by the rules"


def _notes(state: "State") -> "Sequence[str]":
    from core.chess.position import Position

    return state.notes if isinstance(state, Position) else ()


def _adapter(profiles: "Path | None") -> "GameAdapter":
    from protocols.jsonl.chess import ChessAdapter

    return ChessAdapter()


def _catalogue() -> "list[PlayerInfo]":
    from engines.chess.genome_file import catalogue

    return catalogue()


def _evolution() -> "Evolution":
    from engines.chess import experiment

    return experiment


def _statistics() -> "GameReference":
    from engines.chess import experiment

    return cast("GameReference", experiment)


def _add_play_arguments(parser: "ArgumentParser") -> None:
    from pathlib import Path

    from tools.cli import seed_int

    # Players follow directly after the game: argparse reads a list of positional arguments in one piece.
    parser.usage = "%(prog)s [PLAYER ...] [--tc TC] [--fen FEN] [--pgn FILE] [--unicode] [--seed S]"
    parser.epilog = (
        "A player is human, random, chess:GENOME[,option=value...], 'uci:COMMAND' or 'cecp:COMMAND'.\n"
        "At the prompt type a move, or help.\n\n"
        "strength limits the nodes of a move, which makes an opponent weaker. The Elo is interpolated from matches:\n"
        "  strength=1     11 nodes        a beginner, as is strength=10\n"
        "  strength=20    95 nodes        about 1300\n"
        "  strength=40    900 nodes       about 1750\n"
        "  strength=60    8,700 nodes     about 2000\n"
        "  strength=80    83,000 nodes    about 2200\n"
        "  strength=100   without limit (default)\n"
        "UCI_Elo=1500 instead sets an Elo from 800 to 2340.\n\n"
        "examples:\n"
        "  galapagos play chess                                  you have White against chess:evolved\n"
        "  galapagos play chess human chess:evolved,strength=10  an opponent for beginners\n"
        "  galapagos play chess chess:evolved,strength=40 human  you have Black against a stronger one\n"
        "  galapagos play chess human human --tc 5:00+3          two people with clocks\n"
        "  galapagos play chess chess:random random --pgn FILE   to watch"
    )
    add = parser.add_argument
    add("players", nargs="*", metavar="PLAYER", help="White, then Black (default: human chess:evolved)")
    add(
        "--tc",
        default="st=3",
        help="the time control: 5:00+3 or 40/300 is a clock for both sides; st=10 (seconds per move), nodes=20000 or depth=6 limits only engines (default: st=3)",
    )
    add("--fen", help="the position to start from (default: the usual one)")
    add("--pgn", type=Path, metavar="FILE", help="append the game to this file, also an unfinished one")
    add("--unicode", action="store_true", help="draw the pieces as chess symbols instead of letters")
    add("--seed", type=seed_int, default=1, metavar="S", help="the seed of everything random (default: 1)")


def _contest() -> "RunContest":
    from protocols.web import chess_contest

    return chess_contest


GAME = GameInfo(
    name="chess",
    title="Chess",
    about="chess between people, evolved players and other engines",
    rules=_rules,
    engine=engine,
    view="tools.play.chess:ChessView",
    notes=_notes,
    openings=_openings,
    match_record=_pgn,
    check_record=_check_record,
    opponent="chess:evolved",
    adapter=_adapter,
    catalogue=_catalogue,
    evolution=_evolution,
    page=WebPage(
        styles=[
            f"vendor/cm-chessboard/assets/{name}"
            for name in (
                "chessboard",
                "extensions/markers/markers",
                "extensions/promotion-dialog/promotion-dialog",
            )
        ],
        follows=False,
    ),
    preload=("engines.chess.engine", "protocols.jsonl.chess"),
    first_run="example",
    first_run_about="what a queen is worth, found out by games",
    statistics=_statistics,
    contest=_contest,
    genomes="tools.genome.chess",
    figures="tools.plot.chess",
    commands={"perft": ("tools.perft", "count the leaves of the tree of legal chess moves")},
    play_arguments=_add_play_arguments,
    study="tools.study.chess",
    named="chess:handset, chess:FILE,hash=64, random, 'uci:COMMAND ...' or 'cecp:COMMAND ...' with name=..., option.NAME=VALUE",
    references=References(
        messages=("protocols.jsonl.chess",),
        configurations=(("chess", "engines.chess.config", "PoolConfig"),),
    ),
)
