"""Benchmarks of chess: move generation, evaluation, both searches, and an evolution with its record.

The searches are alpha-beta and the search of Genetic Chess (2017). Peers, measured in the same run, are python-chess,
Stockfish and sunfish; the last two are left out if they are not installed. `command.py` explains signatures.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from core.chess.evaluation import Evaluator
from core.chess.genetic_search import GeneticSearch, LookAhead
from core.chess.notation import START, position_from_fen
from core.chess.position import perft as count_leaves
from core.chess.search import AlphaBetaSearch
from core.chess.search_task import SearchTask
from core.chess.transposition import TranspositionTable
from core.random import Random
from engines.chess.experiment import open_experiment, seed_in
from engines.chess.genome_file import load_bundled
from engines.evolution.run import GenerationRecorded, evolve
from engines.evolution.run_store import RunStore
from engines.worker_pool import Workers
from tools.bench.command import Row, timed

KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MIDDLEGAMES: Final = (
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12",
    "2r2rk1/pp1bqppp/2n1pn2/3p4/3P4/P1PBPN2/2Q2PPP/R1B2RK1 w - - 3 13",
)
ROUNDS: Final = 3
TICK: Final = 1e-6  # seconds: the least measurable CPU time
PEER_SECONDS: Final = 3  # for sunfish, in each position

WORKERS: Final = 2
NODES: Final = 2000  # a move
WARMING: Final = 1  # generations that are not measured: while the founders play, the worker processes start
GENERATIONS: Final = 7  # the number of the last generation
CONFIG: Final = f"""
maximum simultaneous games = {WORKERS}
gene pool population = 16
gene pool count = 2
draw kill probability = 0.05
pool swap interval = 24
minimum game time = 60
maximum game time = 60
game time increment = 0
gene pool file = pool.txt
search = strong
nodes per move = {NODES}
founder = handset
"""


def perft() -> Iterator[Row]:
    """Measure leaves of the move tree per CPU-second; leaves are counted at their parents, also with python-chess."""
    for name, fen, depth in (("perft 5, start", START, 5), ("perft 4, kiwipete", KIWIPETE, 4)):
        position = position_from_fen(fen)
        leaves, seconds = timed(partial(count_leaves, position, depth), ROUNDS)
        ours = int(leaves) / median(seconds) / 1e6
        peers = [("python-chess", _python_chess_perft(fen))]
        if (stockfish := _stockfish_perft(fen)) is not None:
            peers.append(("Stockfish", stockfish))
        for peer, figure in peers:
            yield Row(
                name=name, figure=ours, unit="M/s", signature=str(leaves), peer=peer, ratio=ours / figure
            )


def evaluate() -> Iterator[Row]:
    """Measure evaluations per CPU-second with all eight genes; the signature is the sum of the scores.

    Each position is scored once, so the evaluator's cache cannot help.
    """
    weights = load_bundled("handset").express().weights
    boards = []
    for fen in MIDDLEGAMES:
        position = position_from_fen(fen)
        for move in position.legal_moves():
            position.make(move)
            for reply in position.legal_moves():
                position.make(reply)
                boards.append(position.board[:])
                position.undo()
            position.undo()
    seconds = []
    for _ in range(ROUNDS):
        evaluator = Evaluator(weights)  # with an empty cache
        started = process_time()
        total = sum(evaluator.score(board) for board in boards)
        seconds.append(process_time() - started)
    yield Row(
        name="evaluate, 8 genes, called one by one",
        figure=len(boards) / max(median(seconds), TICK) / 1e6,
        unit="M/s",
        signature=str(total),
    )


def search() -> Iterator[Row]:
    """Measure nodes per CPU-second of the alpha-beta search in three middlegames.

    The signature is the number of nodes of searches to depth 10.
    """
    sunfish = _sunfish_rate()
    for name, genome in (
        ("search, 8 genes", "handset"),
        ("search, 11 positional genes", "evolved-1"),
        ("search, all 18 positional genes", "evolved"),
    ):
        phenotype = load_bundled(genome).express()
        nodes, rates = 0, []
        for fen in MIDDLEGAMES:
            to_depth = AlphaBetaSearch(
                position_from_fen(fen), Evaluator(phenotype.weights), TranspositionTable(16), SearchTask(10)
            )
            while not to_depth.run(100_000):
                pass
            nodes += to_depth.nodes
            for _ in range(ROUNDS):
                measured = AlphaBetaSearch(
                    position_from_fen(fen), Evaluator(phenotype.weights), TranspositionTable(16)
                )
                started = process_time()
                measured.run(400_000)
                rates.append(int(measured.nodes) / (process_time() - started))
        ours = median(rates) / 1e3
        yield Row(
            name=name,
            figure=ours,
            unit="k nodes/s",
            signature=str(nodes),
            peer="sunfish",
            ratio=ours / sunfish if sunfish else None,
            note="" if sunfish else "sunfish is not installed (make bench installs it)",
        )


def seed() -> Iterator[Row]:
    """Measure nodes per CPU-second of the search of 2017.

    The signature is the number of nodes that it searches in 3 seconds, if 100,000 nodes count as a second.
    """
    phenotype = load_bundled("handset").express()
    look_ahead = LookAhead(50.0, 0.0, 1000.0, 0.5)
    nodes, rates = 0, []
    for fen in MIDDLEGAMES:
        position = position_from_fen(fen)
        evaluator = Evaluator(phenotype.weights)
        thinking = GeneticSearch(
            position, evaluator, look_ahead, Random(1), seconds=3.0, clock=60.0, rate=1e5
        )
        started = process_time()
        while not thinking.run(100_000):
            pass
        rates.append(int(thinking.nodes) / max(process_time() - started, 1e-9))
        nodes += thinking.nodes
    yield Row(name="seed search, 8 genes", figure=median(rates) / 1e3, unit="k nodes/s", signature=str(nodes))


def games() -> Iterator[Row]:
    """Measure games per hour of an evolution that starts from `handset`, and the share of time in which none is played.

    The signature is the run's hash.
    """
    with TemporaryDirectory() as folder:
        run = asyncio.run(_run(Path(folder) / "run"))
    run = run[WARMING:]
    played = sum(len(progress.generation.contests) for progress in run)
    seconds = sum(progress.seconds for progress in run)
    bookkeeping = sum(progress.bookkeeping for progress in run)
    plies = sum(contest.length for progress in run for contest in progress.generation.contests)
    yield Row(
        name=f"evolution, {NODES} nodes a move",
        figure=played / seconds * 3600,
        unit="games/h",
        signature=run[-1].hash[:8],
        note=f"{WORKERS} workers, {plies / played:.0f} plies a game",
    )
    yield Row(name="store and bookkeeping", figure=100 * bookkeeping / seconds, unit="% of time")


async def _run(folder: Path) -> list[GenerationRecorded]:
    """Evolve up to generation GENERATIONS in a new folder, and return the generations."""
    with RunStore.create(folder, game="chess", config=CONFIG, seed=seed_in(CONFIG), version="bench") as store:
        experiment = open_experiment(store)
        done: list[GenerationRecorded] = []
        async with Workers(WORKERS, experiment.preload) as pool:
            async for progress in evolve(experiment, pool, store):
                done.append(progress)
                if progress.generation.number == GENERATIONS:
                    return done
    raise AssertionError("an evolution does not end by itself")


# -- Peers -------------------------------------------------------------------------------------------


def _python_chess_perft(fen: str) -> float:
    """Return millions of leaves per CPU-second of python-chess at depth 4 or 3, counted with legal_moves.count()."""
    import chess

    def leaves(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += leaves(board, depth - 1)
            board.pop()
        return total

    board = chess.Board(fen)
    depth = 4 if fen == START else 3
    count, seconds = timed(partial(leaves, board, depth), ROUNDS)
    return count / median(seconds) / 1e6


def _stockfish_perft(fen: str) -> float | None:
    """Return millions of leaves per CPU-second of Stockfish at depth 6 or 5, or None if it is not installed."""
    path = shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin")
    if path is None:
        return None
    depth = 6 if fen == START else 5
    commands = f"position fen {fen}\ngo perft {depth}\nquit\n"
    idle = _children_cpu_seconds([path], "quit\n")[1]
    output, seconds = _children_cpu_seconds([path], commands)
    match = re.search(r"Nodes searched: (\d+)", output)
    return int(match[1]) / max(seconds - idle, 1e-3) / 1e6 if match else None


def _sunfish_rate() -> float | None:
    """Return thousands of nodes per CPU-second, by the last info line of sunfish, or None if it is not installed."""
    path = Path(sys.executable).with_name("sunfish-uci")
    if not path.exists():
        return None
    rates = []
    for fen in MIDDLEGAMES:
        process = subprocess.Popen(
            [path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        assert process.stdin is not None and process.stdout is not None
        with process:
            process.stdin.write("uci\nisready\n")
            while "readyok" not in process.stdout.readline():
                pass
            idle = spent = _cpu_seconds(process.pid)
            process.stdin.write(f"position fen {fen}\ngo movetime {PEER_SECONDS * 1000}\n")
            nodes = 0
            while not (line := process.stdout.readline()).startswith("bestmove"):
                if match := re.search(r"nodes (\d+)", line):
                    nodes, spent = int(match[1]), _cpu_seconds(process.pid)
            process.stdin.write("quit\n")
        rates.append(nodes / max(spent - idle, 0.01) / 1e3)
    return median(rates)


def _cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and all its threads so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children_cpu_seconds(command: list[str], text: str) -> tuple[str, float]:
    """Run a child process with `text` as its input, and return its output and its CPU seconds."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
