"""A chess run from its configuration to its files: real games, any number of workers, stopped and resumed."""

from io import StringIO
from pathlib import Path

import chess.pgn
import pytest

from core.random import Random
from engines.chess.gene_pool.config import PoolConfig
from engines.chess.gene_pool.experiment import RUNS, open_experiment, seed_in
from engines.chess.genome import Genome, read
from engines.chess.genome_file import fit_to_play
from engines.run.executor import processes
from engines.run.run import evolve
from engines.run.store import Store

SEED_RULES = """
maximum simultaneous games = 2
gene pool population = 4
gene pool count = 2
draw kill probability = 0.5
pool swap interval = 6
minimum game time = 1
maximum game time = 3
game time increment = 1
gene pool file = pool.txt
nodes per second = 100
panel games = 2
panel interval = 5
hall of fame = 10
"""
STRATEGY = """
maximum simultaneous games = 2
gene pool population = 4
gene pool count = 1
draw kill probability = 0
pool swap interval = 1
minimum game time = 1
maximum game time = 1
game time increment = 0
gene pool file = centre.txt
pool rules = strategy
founder = unevolved
games per pairing = 2
genes = all
search = strong
nodes per move = 50
openings = standard
planned rounds = 10
maximum moves = 60
"""


def opened(folder: Path, config: str) -> Store:
    if folder.exists():
        return Store.open(folder, writing=True)
    return Store.create(folder, game="chess", config=config, seed=seed_in(config), version="test")


async def run(folder: Path, config: str, until: int, workers: int = 1) -> str:
    """Begin a run, or go on with it, up to a generation; its hash."""
    with opened(folder, config) as store:
        experiment = open_experiment(store)
        async with processes(workers, experiment.preload) as crew:
            generations = evolve(experiment, crew, store)
            async for progress in generations:
                assert experiment.report(progress.generation)
                if progress.generation.number == until:
                    break
            await generations.aclose()
        return store.hash


@pytest.mark.parametrize(("config", "name"), [(SEED_RULES, "pool.txt"), (STRATEGY, "centre.txt")])
async def test_the_same_run_with_any_workers_and_after_any_stop(
    tmp_path: Path, config: str, name: str
) -> None:
    whole = await run(tmp_path / "whole", config, 8)
    for until in (0, 3, 8):
        parts = await run(tmp_path / "parts", config, until, workers=2)
    assert parts == whole
    for file in (name, f"{name}_games.txt", f"{name}_best_genome.txt"):
        assert (tmp_path / "whole" / file).read_bytes() == (tmp_path / "parts" / file).read_bytes()
    another = config + "seed = 2\n"
    assert await run(tmp_path / "another", another, 8) != whole


async def test_its_files_are_those_of_genetic_chess(tmp_path: Path) -> None:
    await run(tmp_path / "run", SEED_RULES, 6)
    with Store.open(tmp_path / "run") as store:
        born = list(store.individuals())
        contests = [contest for _, contest in store.contests()]
    path = tmp_path / "run" / "pool.txt"
    genomes, remarks = read(path.read_text())
    assert not remarks
    assert [genome.id for genome in genomes] == [each.id for each in born]
    assert [genome.genes for genome in genomes] == [Genome.loads(each.genome).genes for each in born]
    stream = StringIO((tmp_path / "run" / "pool.txt_games.txt").read_text())
    for contest in contests:
        game = chess.pgn.read_game(stream)
        assert game and not game.errors
        names = [game.headers["White"], game.headers["Black"]]
        assert names == [f"Genetic AI {id}" for id in contest.players]
        assert len(list(game.mainline_moves())) == contest.length
        returns = {"1-0": (1, -1), "0-1": (-1, 1), "1/2-1/2": (0, 0)}[game.headers["Result"]]
        assert returns == contest.returns
    assert chess.pgn.read_game(stream) is None
    assert fit_to_play(path) in genomes


def test_the_configurations_that_come_with_the_program() -> None:
    texts = {path.stem: path.read_text() for path in RUNS.glob("*.txt")}
    assert {"example", "study", "evolved"} <= texts.keys()
    for text in texts.values():
        assert seed_in(text) >= 0
    example = PoolConfig.loads(texts["example"])
    assert example.gene_pool_population == 16
    assert example.gene_pool_file == "pool.txt"


async def test_a_run_needs_its_founder_only_once(tmp_path: Path) -> None:
    """The file may be gone when the run is resumed."""
    founder = tmp_path / "founder.txt"
    founder.write_text(Genome.random(Random(1)).dumps())
    config = STRATEGY.replace("unevolved", str(founder))
    hash = await run(tmp_path / "run", config, 2)
    founder.unlink()
    with pytest.raises(ValueError, match="cannot read the genome file"):
        seed_in(config)
    assert await run(tmp_path / "run", config, 3) != hash
