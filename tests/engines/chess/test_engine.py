"""The chess engine: limits obeyed, options checked, the same thoughts for the same seed."""

import asyncio
import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.chess.game import Chess
from core.chess.notation import START, position_from_fen
from core.chess.position import move_text, perft
from core.random import Random
from engines.chess import time_manager
from engines.chess.calibration import NODES, chances, nodes_for
from engines.chess.engine import LOST_MOVES, ChessEngine
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.chess.time_manager import FIRST_SLICE_NODES
from engines.engine import Clock, Info, Limit
from tests.conformance import check_engine, check_genome
from tests.waiting import PATIENCE_SECONDS

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"
LOST = "4k3/8/8/8/8/8/8/qq2K3 w - - 0 1"


async def thoughts(engine: ChessEngine, fen: str = MIDDLEGAME, **limit: object) -> list[Info]:
    position = position_from_fen(fen)
    return [thought async for thought in engine.think(position, Limit(**limit))]  # type: ignore[arg-type]


async def test_the_engine_and_its_genome_conform() -> None:
    await check_engine(ChessEngine(), Chess())
    check_genome(Genome)


@pytest.mark.parametrize("change", ["Clear Hash", "Hash", "Genome", "Search", "Seed", "new game"])
async def test_configuring_during_a_search_does_not_disturb_the_search(change: str) -> None:
    engine, values = ChessEngine(), {"Hash": "2", "Genome": "handset", "Search": "seed", "Seed": "3"}
    last = None
    async for info in engine.think(position_from_fen(MIDDLEGAME), Limit(nodes=4_000)):
        if last is None:
            await (
                engine.new_game()
                if change == "new game"
                else engine.configure(change, values.get(change, ""))
            )
        last = info
    assert last is not None and last.nodes == 4_000 and last.line[0] == last.action != 0


@pytest.mark.parametrize("fen", [START, MIDDLEGAME, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 100 80"])
@pytest.mark.parametrize("depth", [1, 2, 4])
async def test_perft_counts_the_leaves_below_each_move(fen: str, depth: int) -> None:
    position = position_from_fen(fen)
    infos = [info async for info in ChessEngine().think(position, Limit(perft=depth))]
    counts = {info.current[0]: info.nodes for info in infos if info.current}
    assert counts.keys() == set(position.legal_moves()) and position.plies == 0
    assert sum(counts.values()) == perft(position, depth)


async def test_perft_ends_soon_when_it_is_closed() -> None:
    counting = ChessEngine().think(position_from_fen(START), Limit(perft=64))
    assert (await anext(counting)).action
    task = asyncio.ensure_future(anext(counting))
    await asyncio.sleep(0.02)
    task.cancel()
    await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
    assert task.cancelled()


async def test_the_engine_explains_its_score_by_its_genes() -> None:
    engine = ChessEngine(load_bundled("handset"))
    lines = await engine.explain(position_from_fen(MIDDLEGAME))
    assert lines[0] == MIDDLEGAME and any(line.startswith("Total Force ") for line in lines)
    assert lines[-1].startswith("As the engine's score: ")


@pytest.mark.parametrize("search", ["strong", "seed"])
async def test_node_limits_hold(search: str) -> None:
    engine = ChessEngine()
    await engine.configure("Search", search)
    for nodes in (1, 100, 5000):
        assert (await thoughts(engine, nodes=nodes))[-1].nodes <= nodes
        await engine.new_game()


async def test_depth_limit_holds() -> None:
    engine = ChessEngine()
    assert max(thought.depth for thought in await thoughts(engine, depth=4)) == 4
    await engine.configure("Search", "seed")
    assert max(thought.depth for thought in await thoughts(engine, depth=2, nodes=50_000)) <= 2


@pytest.mark.parametrize("search", ["strong", "seed"])
async def test_a_clock_without_time_is_answered_at_once(search: str) -> None:
    engine = ChessEngine()
    await engine.configure("Search", search)
    for seconds in (0.0, -5.0):
        for clock in (Clock(seconds=seconds), Clock(seconds=seconds, moves_to_reset=1)):
            last = (await thoughts(engine, clock=clock))[-1]
            assert last.nodes <= FIRST_SLICE_NODES and last.action
    assert (await thoughts(engine, seconds=0.0))[-1].nodes <= FIRST_SLICE_NODES


@pytest.mark.parametrize("search", ["strong", "seed"])
async def test_a_short_clock_is_not_overdrawn(search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    milliseconds = itertools.count()  # one passes each time that the clock is read, on a busy machine too
    monkeypatch.setattr(time_manager, "perf_counter", lambda: next(milliseconds) / 1000)
    engine = ChessEngine()
    await engine.configure("Search", search)
    for seconds in (0.1, 0.3):
        for reset in (None, 1, 40):
            last = (await thoughts(engine, clock=Clock(seconds=seconds, moves_to_reset=reset)))[-1]
            assert last.seconds < seconds


async def test_seconds_counted_in_nodes_do_not_depend_on_the_machine() -> None:
    runs = []
    for _ in range(2):
        engine = ChessEngine(seed=5)
        lines = [await thoughts(engine, clock=Clock(seconds=3.0, increment=0.1), nodes_per_second=20_000.0)]
        lines.append(await thoughts(engine, START, seconds=0.5, nodes_per_second=20_000.0))
        runs.append([(thought.line, thought.nodes, thought.cents) for line in lines for thought in line])
    assert runs[0] == runs[1]
    assert runs[0][-1][1] <= 10_000


@pytest.mark.parametrize("search", ["strong", "seed"])
async def test_a_clock_of_nodes_is_never_overdrawn(search: str) -> None:
    """Down to the last node, by a genome that always looks ahead; then the first legal move costs nothing."""
    daring = re.sub("(?<=Positions Per Second: ).*", "1e9", load_bundled("handset").dumps())
    engine, position, left = ChessEngine(Genome.loads(daring)), position_from_fen(START), 1.0001
    await engine.configure("Search", search)
    for _ in range(200):
        limit = Limit(clock=Clock(seconds=left), nodes_per_second=2000.0)
        last = [thought async for thought in engine.think(position, limit)][-1]
        left -= last.nodes / 2000.0
        assert left >= 0.0


async def test_a_clock_of_nodes_is_not_overdrawn_by_rounding() -> None:
    """The product of seconds and rate is rounded up to 117 nodes, which take longer than the seconds."""
    left, rate = 0.058499999999999996, 2000.0
    assert int(left * rate) / rate > left
    limit = Limit(clock=Clock(seconds=left, moves_to_reset=1), nodes_per_second=rate)
    last = [thought async for thought in ChessEngine().think(position_from_fen(START), limit)][-1]
    assert 0 < last.nodes / rate <= left


async def test_a_search_for_a_mate_ends_when_the_mate_is_found() -> None:
    engine, start = ChessEngine(), "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    last = (await thoughts(engine, start, mate=1, nodes=10**7))[-1]
    assert (move_text(last.action), last.mate) == ("d1d8", 1)
    last = (await thoughts(engine, start, depth=9))[-1]
    assert last.depth == 9, "for who waits for a depth: no deeper search would find more"


async def test_only_given_actions_are_considered() -> None:
    position = position_from_fen(START)
    only = position.action_from("a2a3")
    assert {
        thought.action for thought in await thoughts(ChessEngine(), START, nodes=2000, actions=(only,))
    } == {only}


async def test_closing_a_search_leaves_the_position_unchanged() -> None:
    position = position_from_fen(MIDDLEGAME)
    stream = ChessEngine().think(position, Limit())
    async for thought in stream:
        if thought.depth >= 5:
            break
    await stream.aclose()
    assert list(position.board) == list(position_from_fen(MIDDLEGAME).board)


async def test_options_are_checked() -> None:
    engine = ChessEngine()
    for name, value in (
        ("Hash", "0"),
        ("Hash", "x"),
        ("Genome", "nobody"),
        ("Search", "deep"),
        ("Strength", "101"),
    ):
        with pytest.raises(ValueError, match=name):
            await engine.configure(name, value)
    with pytest.raises(ValueError, match="no option"):
        await engine.configure("Contempt", "1")
    await engine.configure("Genome", "unevolved")
    assert {option.name: option.default for option in engine.options}["Genome"] == "unevolved"


async def test_genome_files_load_by_id_and_report_errors(tmp_path: Path) -> None:
    engine = ChessEngine()
    two = tmp_path / "two genomes.txt"
    genomes = [replace(Genome.random(Random(number)), id=number) for number in (7, 8)]
    two.write_text("\n".join(genome.dumps() for genome in genomes), encoding="utf-8")
    await engine.configure("GenomeFile", f"{two} 7")
    await engine.configure("GenomeFile", str(two))
    with pytest.raises(ValueError, match="ID 9"):
        await engine.configure("GenomeFile", f"{two} 9")
    with pytest.raises(ValueError, match="cannot read"):
        await engine.configure("GenomeFile", str(tmp_path / "none.txt"))
    broken = tmp_path / "broken.txt"
    broken.write_text("Name: Piece Strength Gene\nP: x\nEND\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        await engine.configure("GenomeFile", str(broken))


async def test_the_engine_resigns_only_after_several_lost_moves() -> None:
    engine = ChessEngine()
    await engine.configure("Resign", "500")
    verdicts = [(await thoughts(engine, LOST, nodes=500))[-1].resign for _ in range(LOST_MOVES)]
    assert verdicts == [False] * (LOST_MOVES - 1) + [True]
    await engine.configure("Resign", "0")
    assert not (await thoughts(engine, LOST, nodes=500))[-1].resign


async def test_a_lost_engine_accepts_a_draw_except_with_the_seed_search() -> None:
    engine = ChessEngine()
    assert (await thoughts(engine, LOST, nodes=500))[-1].takes_draw
    assert not (await thoughts(engine, START, nodes=5000))[-1].takes_draw
    await engine.configure("Search", "seed")
    assert not (await thoughts(engine, LOST, nodes=500))[-1].takes_draw


async def test_strength_limits_the_nodes() -> None:
    engine = ChessEngine()
    nodes = []
    for strength in (1, 20, 40, 60):
        await engine.configure("Strength", str(strength))
        nodes.append((await thoughts(engine, seconds=5.0))[-1].nodes)
    assert nodes == sorted(nodes) and nodes[0] <= 15 and nodes[-1] < 20_000


async def test_uci_elo_limits_the_nodes_only_with_limit_strength() -> None:
    engine = ChessEngine()
    least, most = NODES[0][0], NODES[-1][0]
    await engine.configure("UCI_Elo", str(least))
    assert (await thoughts(engine, nodes=3000))[-1].nodes == 3000
    await engine.configure("UCI_LimitStrength", "true")
    assert (await thoughts(engine, nodes=3000))[-1].nodes <= NODES[0][1] + 1
    for bad in (least - 1, most + 1):
        with pytest.raises(ValueError, match="UCI_Elo"):
            await engine.configure("UCI_Elo", str(bad))
    found = [nodes_for(elo) for elo in range(least, most + 1, 50)]
    assert found == sorted(found) and [nodes_for(elo) for elo, _ in NODES] == [nodes for _, nodes in NODES]


def test_win_draw_loss_chances_follow_the_score() -> None:
    for opening in (0.0, 0.3, 1.0):
        rows = [chances(cents, None, opening) for cents in range(-2000, 2001, 10)]
        assert all(sum(row) == 1000 and min(row) >= 0 for row in rows)
        assert [won for won, _, _ in rows] == sorted(won for won, _, _ in rows)
        assert [row[::-1] for row in reversed(rows)] == rows
        assert chances(100, None, opening)[0] == 500  # as other engines scale their scores
    assert chances(0, None, 0.0)[1] > chances(0, None, 1.0)[1]  # fewer pieces, more draws
    assert chances(30_000, 3, 1.0) == (1000, 0, 0) and chances(-30_000, -3, 1.0) == (0, 0, 1000)


@pytest.mark.parametrize(
    "fen, least, most",
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", 700, 1500),  # without the queen
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", 350, 800),  # without a rook
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", -60, 60),
    ],
)
async def test_a_lost_piece_costs_what_other_engines_say(fen: str, least: int, most: int) -> None:
    engine = ChessEngine()
    info = (await thoughts(engine, fen, nodes=20_000))[-1]
    assert least <= -(info.cents or 0) <= most


async def test_every_genome_plays() -> None:
    for seed in range(3):
        engine = ChessEngine(Genome.random(Random(seed)))
        for search in ("strong", "seed"):
            await engine.configure("Search", search)
            assert (await thoughts(engine, clock=Clock(seconds=0.2)))[-1].line
