"""Solved endgames: the tables' values, the fifty-move rule, and what is done where they are silent."""

import asyncio
import shutil
from pathlib import Path

import chess
import chess.syzygy
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.chess.notation import fen, position_from_fen
from core.chess.position import Position, move_text
from engines.chess.engine import WIN_CENTIPAWNS, ChessEngine
from engines.chess.tablebase import CURSED, DRAWN, LOST, WON, Tablebase
from engines.engine import Clock, Info, Limit

TABLES = Path(__file__).parent / "syzygy"
QUEEN = "8/8/8/8/8/2k5/8/K6Q w - - 0 1"
PAWN = "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"  # drawn, if White does not advance


class Scripted(Tablebase):
    """Tables with given values, by the squares of the pieces."""

    def __init__(self, plies: dict[str, int], others: int | None) -> None:
        self._plies = plies
        self._others = others

    def dtz(self, position: Position) -> int | None:
        return self._plies.get(fen(position).split()[0], self._others)


def after(start: str, move: str) -> str:
    board = chess.Board(start)
    board.push_uci(move)
    return board.board_fen()


async def engine(folder: Path = TABLES, **settings: str) -> ChessEngine:
    engine = ChessEngine()
    await engine.configure("SyzygyPath", str(folder))
    for name, value in settings.items():
        await engine.configure(name, value)
    return engine


async def last(engine: ChessEngine, start: str | Position, limit: Limit | None = None) -> Info:
    position = position_from_fen(start) if isinstance(start, str) else start
    return [thought async for thought in engine.think(position, limit or Limit(nodes=200))][-1]


# -- Values ----------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.sampled_from("QRBNPqrbnp"), st.permutations(range(64)), st.booleans())
def test_solved_values_agree_with_python_chess(piece: str, squares: list[int], is_white: bool) -> None:
    board = chess.Board(None)
    for letter, square in zip(("K", "k", piece), squares[:3], strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = is_white
    assume(board.is_valid() and not board.is_game_over())
    tables = Tablebase(str(TABLES))
    with chess.syzygy.open_tablebase(str(TABLES)) as theirs:
        wdl = theirs.probe_wdl(board)
    found = asyncio.run(tables.solve(position_from_fen(board.fen())))
    tables.close()
    assert found is not None and found.value == wdl
    assert {move_text(move) for move in found.moves} <= {move.uci() for move in board.legal_moves}


@pytest.mark.parametrize("start", [QUEEN, "8/8/8/8/8/2k5/8/K6R w - - 0 1", "8/8/1k6/8/8/4K3/4P3/8 w - - 0 1"])
async def test_a_won_endgame_is_won(start: str) -> None:
    """Against the longest resistance, which the tables know too."""
    player, position = await engine(), position_from_fen(start)
    while not position.is_terminal():
        thought = await last(player, position)
        assert thought.cents == (WIN_CENTIPAWNS if position.player() == 0 else -WIN_CENTIPAWNS)
        position.apply(thought.action)
    assert position.returns() == [1.0, -1.0] and position.plies < 80


async def test_a_drawn_position_is_searched_among_the_drawing_moves() -> None:
    thought = await last(await engine(), PAWN)
    assert thought.nodes > 0 and move_text(thought.action) != "e5d6"
    found = await Tablebase(str(TABLES)).solve(position_from_fen(PAWN))
    assert found is not None and found.value == DRAWN and 1 < len(found.moves) < 6


def rows(info: Info) -> list[tuple[int, int | None, int | None]]:
    return [
        (info.action, info.cents, info.mate),
        *((line.line[0], line.cents, line.mate) for line in info.alternatives),
    ]


@pytest.mark.parametrize("limit", [Limit(depth=5), Limit()])
@pytest.mark.parametrize("lines", [1, 4, 100])
async def test_multipv_lines_follow_the_order_of_the_tables(limit: Limit, lines: int) -> None:
    """Each with its score: wins by progress, then draws."""
    position = position_from_fen(QUEEN)
    found = rows(await last(await engine(MultiPV=str(lines)), QUEEN, limit))
    board = chess.Board(QUEEN)
    assert len(found) == len({move for move, _, _ in found}) == min(lines, board.legal_moves.count())
    expected = []
    with chess.syzygy.open_tablebase(str(TABLES)) as theirs:
        for move, cents, _ in found:
            board.push_uci(move_text(move))
            expected.append(WIN_CENTIPAWNS * (theirs.probe_wdl(board) < 0))
            assert cents == expected[-1]
            board.pop()
    assert expected == sorted(expected, reverse=True) and position.player() == 0


async def test_a_move_that_mates_is_scored_as_mate() -> None:
    found = rows(await last(await engine(MultiPV="3"), "k7/8/1K6/8/8/8/8/7R w - - 0 1"))
    assert found[0][2] == 1 and all(mate is None and cents == WIN_CENTIPAWNS for _, cents, mate in found[1:])


async def test_lines_of_a_drawn_position_list_draws_before_losses() -> None:
    found = rows(await last(await engine(MultiPV="100"), PAWN, Limit(nodes=5_000)))
    scores = [cents for _, cents, _ in found]
    assert len(found) == chess.Board(PAWN).legal_moves.count()
    assert scores == sorted(scores, key=lambda cents: -(cents or 0)) and scores[0] == 0


async def test_tables_rank_the_given_moves_only() -> None:
    """CECP gives all legal moves with every go."""
    position = position_from_fen(QUEEN)
    everything = Limit(nodes=50, actions=tuple(position.legal_moves()))
    assert (await last(await engine(), QUEEN, everything)).text == "tablebase"
    moves = position.legal_moves()
    player = await engine(MultiPV="4")
    for given_moves in (moves[:1], moves[-1:], moves[:2]):
        thought = await last(player, QUEEN, Limit(nodes=50, actions=tuple(given_moves)))
        assert sorted(move for move, _, _ in rows(thought)) == sorted(given_moves)
        assert thought.action in given_moves


async def test_a_requested_mate_is_searched_despite_the_tables() -> None:
    thought = await last(await engine(), "k7/8/1K6/8/8/8/8/7R w - - 0 1", Limit(mate=1))
    assert thought.mate == 1 and thought.nodes > 0


# -- The fifty-move rule ---------------------------------------------------------------------------


@pytest.mark.parametrize(("clock", "plies", "value"), [(0, 99, WON), (90, 9, WON), (90, 10, CURSED)])
async def test_a_win_must_come_before_the_hundredth_ply(clock: int, plies: int, value: int) -> None:
    start = f"8/8/8/8/8/2k5/8/K6Q w - - {clock} 80"
    found = await Scripted({after(start, "h1h2"): -plies}, others=0).solve(position_from_fen(start))
    assert found is not None and (found.value, [move_text(move) for move in found.moves]) == (value, ["h1h2"])


async def test_a_loss_that_outlasts_the_fifty_move_rule_is_blessed() -> None:
    start = "8/8/8/8/8/2k5/8/K6Q b - - 80 80"
    plies = {after(start, "c3d4"): 19, after(start, "c3c4"): 20, after(start, "c3b4"): 5}
    found = await Scripted(plies, others=1).solve(position_from_fen(start))
    assert found is not None and (found.value, move_text(found.moves[0])) == (-CURSED, "c3c4")
    found = await Scripted(plies, others=1).solve(position_from_fen(start.replace("80 80", "10 80")))
    assert found is not None and (found.value, move_text(found.moves[0])) == (LOST, "c3c4")


async def test_a_capture_sets_the_clock_back() -> None:
    """At the last moment it is the only move that wins."""
    start = "8/8/8/8/8/2k4q/8/K6Q w - - 99 80"
    taken, quiet = after(start, "h1h3"), after(start, "h1g1")
    found = await Scripted({taken: -30, quiet: -2}, others=0).solve(position_from_fen(start))
    assert found is not None and found.value == WON and move_text(found.moves[0]) == "h1h3"


async def test_the_win_with_the_fewest_plies_to_progress_is_chosen() -> None:
    start = "8/8/8/8/8/2k5/8/K6Q w - - 0 1"
    plies = {after(start, "h1h2"): -7, after(start, "h1h4"): -5, after(start, "h1h5"): -9}
    found = await Scripted(plies, others=0).solve(position_from_fen(start))
    assert found is not None and move_text(found.moves[0]) == "h1h4"


# -- Silence ---------------------------------------------------------------------------------------


async def test_the_engine_searches_positions_outside_the_tables() -> None:
    assert (await last(await engine(), "8/8/8/8/8/2k4n/8/K6Q w - - 0 1")).nodes > 0  # no table
    assert (await last(await engine(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1")).nodes > 0  # castling
    assert (await last(await engine(SyzygyProbeLimit="2"), QUEEN)).nodes > 0
    assert await Scripted({}, others=None).solve(position_from_fen(QUEEN)) is None
    tables = Tablebase(str(TABLES))
    assert tables.may_hold(position_from_fen(QUEEN), 7)
    assert not tables.may_hold(position_from_fen("8/8/8/8/8/2k4q/8/K6Q w - - 0 1"), 7)


async def test_without_time_no_table_is_read() -> None:
    player = await engine()
    for limit in (Limit(clock=Clock(seconds=0.1)), Limit(seconds=0.1, clock=Clock(seconds=60.0))):
        assert (await last(player, QUEEN, limit)).text == ""
    for limit in (
        Limit(clock=Clock(seconds=60.0)),
        Limit(seconds=5.0),
        Limit(clock=Clock(seconds=0.1), nodes_per_second=1e3),
    ):
        assert (await last(player, QUEEN, limit)).text == "tablebase"


async def test_a_legal_move_is_ready_before_the_tables_are_read() -> None:
    stream = (await engine()).think(position_from_fen(QUEEN), Limit())
    assert (await anext(stream)).action in position_from_fen(QUEEN).legal_moves()
    await stream.aclose()


# -- Files -----------------------------------------------------------------------------------------


async def test_syzygy_path_accepts_one_several_or_no_folders(tmp_path: Path) -> None:
    for name in ("KQvK.rtbw", "KQvK.rtbz"):
        shutil.copy(TABLES / name, tmp_path)
    assert (await last(await engine(tmp_path), QUEEN)).text == "tablebase"
    both = await engine(Path(f"{tmp_path}:{TABLES}"))
    assert (await last(both, "8/8/8/8/8/2k5/8/K6R w - - 0 1")).text == "tablebase"
    await both.configure("SyzygyPath", "")
    assert (await last(both, QUEEN)).text == ""


async def test_folders_without_tables_are_refused_and_the_old_tables_stay(tmp_path: Path) -> None:
    """The tables that were there stay."""
    player = await engine()
    with pytest.raises(ValueError, match="no Syzygy tables"):
        await player.configure("SyzygyPath", str(tmp_path))
    with pytest.raises(ValueError, match=r"cannot read the tables in '.*nowhere'"):
        await player.configure("SyzygyPath", str(tmp_path / "nowhere"))
    shutil.copytree(TABLES, tmp_path, dirs_exist_ok=True)
    (tmp_path / "KRvK.rtbz").write_bytes((TABLES / "KRvK.rtbz").read_bytes()[:-7])
    with pytest.raises(ValueError, match=r"KRvK\.rtbz' is not a Syzygy table, or is damaged"):
        await player.configure("SyzygyPath", str(tmp_path))
    assert (await last(player, QUEEN)).text == "tablebase"


async def test_a_damaged_table_is_ignored(tmp_path: Path) -> None:
    shutil.copytree(TABLES, tmp_path, dirs_exist_ok=True)
    whole = (TABLES / "KQvK.rtbz").read_bytes()
    (tmp_path / "KQvK.rtbz").write_bytes(whole[:4] + b"\xff" * (len(whole) - 4))
    thought = await last(await engine(tmp_path), QUEEN)
    assert thought.nodes > 0 and thought.action in position_from_fen(QUEEN).legal_moves()
