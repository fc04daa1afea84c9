"""`galapagos genome`: which game's module describes a source, and what it says where none does."""

from pathlib import Path

import pytest

from core.random import Random
from engines.chess.genome_file import load_bundled
from engines.evolution.population import Generation, Individual
from engines.evolution.run_store import RunStore
from engines.protection.genome import Genome
from tests.tools.galapagos import Galapagos


def run_of(folder: Path, game: str, *genomes: Genome) -> Path:
    with RunStore.create(folder, game=game, config="", seed=1, version="0") as store:
        for number, genome in enumerate(genomes):
            born = (Individual(id=number, genome=genome, origin="random", generation=number),)
            store.write(Generation(number=number, born=born), "{}", "", 1.0)
    return folder


def test_a_run_is_described_by_its_game(tmp_path: Path, galapagos: Galapagos) -> None:
    genomes = [Genome.random(Random(seed)) for seed in (1, 2)]
    run = run_of(tmp_path / "run", "protection", *genomes)
    newest, first = galapagos.data("genome", "show", run), galapagos.data("genome", "show", run, "0")
    assert newest["name"] == f"ID 1 of {run}" and newest["hex"] == genomes[1].hex
    assert first["name"] == f"ID 0 of {run}" and first["hex"] == genomes[0].hex
    assert galapagos.printed("genome", "compare", "commons", run).startswith(f"commons and ID 1 of {run}: ")


def test_a_run_without_an_id_stands_for_its_best_individual(tmp_path: Path, galapagos: Galapagos) -> None:
    run = tmp_path / "run"
    with RunStore.create(run, game="protection", config="", seed=1, version="0") as store:
        born = tuple(
            Individual(id=id, genome=Genome.random(Random(id)), origin="random", generation=0)
            for id in (0, 1)
        )
        store.write(Generation(number=0, born=born, statistics={"best_ever": {"id": 0}}), "{}", "", 1.0)
    assert galapagos.data("genome", "show", run)["name"] == f"ID 0 of {run}"


@pytest.mark.parametrize(
    ("name", "same"),
    [("acquire:pair-1", "pair-1"), ("protection:militia", "militia"), ("chess:evolved", "evolved")],
)
def test_a_name_may_begin_with_its_game(name: str, same: str, galapagos: Galapagos) -> None:
    assert galapagos.data("genome", "show", name) == galapagos.data("genome", "show", same)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            ["explain", "evolved"],
            "genomes of chess have no `galapagos genome explain`; use galapagos genome show evolved or "
            "galapagos genome score evolved FEN",
        ),
        (
            ["explain", "{folder}/pool.txt"],
            "genomes of chess have no `galapagos genome explain`; use galapagos genome show {folder}/pool.txt",
        ),
        (["compare", "{folder}/pool.txt", "commons"], "genomes of chess have no `galapagos genome compare`"),
        (["compare", "handset", "evolved"], "genomes of chess have no `galapagos genome compare`"),
        (
            ["show", "{folder}/mine.red"],
            "needs the folder of a run",
        ),
        (["explain", "{folder}/chess", "3"], "genomes of chess have no `galapagos genome explain`"),
        (["show", "{folder}/fifth"], "{folder}/fifth has no individuals yet"),
        (["check", "{folder}/chess"], "{folder}/chess is a run of chess, not of protection"),
        (["compare", "commons", "{folder}/chess"], "is a run of chess, not of protection"),
        (["show", "{folder}/protection"], "{folder}/protection has no individuals yet"),
        (["show", "{folder}/protection", "7"], "{folder}/protection has no individual with the ID 7"),
        (["show", "pair-1", "7"], "pair-1 is not the folder of a run"),
        (["explain", "{folder}"], "cannot read"),
        (["show", "x" * 5000], "File name too long"),
        (["show", "evolved", "--svg", "{folder}/x"], "--svg draws programs"),
    ],
)
def test_sources_that_no_game_can_describe_are_refused(
    words: list[str], reason: str, tmp_path: Path, galapagos: Galapagos
) -> None:
    for name, game in (("chess", "chess"), ("fifth", "tic-tac-toe"), ("protection", "protection")):
        run_of(tmp_path / name, game)
    (tmp_path / "pool.txt").write_text(load_bundled("evolved").dumps())
    refused = galapagos.refused("genome", *(word.format(folder=tmp_path) for word in words))
    assert reason.format(folder=tmp_path) in refused
