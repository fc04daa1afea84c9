"""The text files of a gene pool: appended, and cut back after a crash."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.random import Random
from engines.chess.gene_pool.files import PoolFiles
from engines.chess.genome import Genome, read
from engines.evolution.evolution import Individual

RNG = Random(2017)
GENOMES = [Genome.random(RNG) for _ in range(6)]


def individual(id: int) -> Individual[Genome]:
    return Individual(id=id, genome=GENOMES[id % len(GENOMES)])


def numbered(id: int) -> Genome:
    return replace(individual(id).genome, id=id)


def ids_in(path: Path) -> list[int | None]:
    return [genome.id for genome in read(path.read_text(encoding="utf-8"))[0]]


def game(winner: str, loser: str, result: str = "1-0") -> str:
    """A game that White wins, or as `result` says."""
    return (
        f'[Event "pool"]\n[White "{winner}"]\n[Black "{loser}"]\n[Result "{result}"]\n\n'
        f"1. e4 {{+0.25/3 e4 e5}} e5 {{-0.10/2\n[%clk 0:01:00] e5}} {result}\n"
    )


def ai(id: int) -> str:
    return f"Genetic AI {id}"


# -- Writing ---------------------------------------------------------------------------------------


def test_generations_are_appended(tmp_path: Path) -> None:
    pool = PoolFiles(tmp_path, "pool.txt")
    pool.rewind("")
    first = pool.append(map(individual, (0, 1, 2, 3)), [(0, (0, 1)), (1, (2, 3))], [])
    second = pool.append([individual(4)], [(0, (0, 4))], [game(ai(0), ai(1)), game(ai(2), ai(3), "1/2-1/2")])

    text = (tmp_path / "pool.txt").read_text()
    genomes = [numbered(id) for id in range(5)]
    assert read(text) == (genomes, ())
    assert text.endswith(f"{numbered(4).dumps()}\nStill Alive: 0 : 0 4\n\n")
    assert "\nStill Alive: 0 : 0 1\n\nStill Alive: 1 : 2 3\n\nID: 4\n" in text
    games = (tmp_path / "pool.txt_games.txt").read_text()
    assert games == f"{game(ai(0), ai(1))}\n{game(ai(2), ai(3), '1/2-1/2')}\n"
    assert json.loads(second) == {"genomes": len(text), "games": len(games)}
    assert json.loads(first)["games"] == 0


def test_a_rewind_makes_the_same_files(tmp_path: Path) -> None:
    whole, torn = PoolFiles(tmp_path, "whole.txt"), PoolFiles(tmp_path, "torn.txt")
    for pool in (whole, torn):
        mark = pool.append(map(individual, (0, 1)), [(0, (0, 1))], [game(ai(0), ai(1))])
    torn.append([individual(2)], [(0, (0, 2))], [game(ai(1), ai(0))])
    with (tmp_path / "torn.txt").open("a") as file:
        file.write("ID: 3\n\nName: Piece")
    torn.rewind(mark)
    for pool in (whole, torn):
        pool.append([individual(5)], [(0, (5, 1))], [game(ai(5), ai(1))])
    for suffix in ("", "_games.txt"):
        assert (tmp_path / f"torn.txt{suffix}").read_bytes() == (tmp_path / f"whole.txt{suffix}").read_bytes()

    torn.rewind("")
    assert (tmp_path / "torn.txt").stat().st_size == (tmp_path / "torn.txt_games.txt").stat().st_size == 0


def test_nothing_is_cut_where_something_is_missing(tmp_path: Path) -> None:
    pool = PoolFiles(tmp_path, "pool.txt")
    mark = pool.append([individual(0)], [], [game(ai(0), ai(1))])
    later = pool.append([individual(1)], [], [])
    games = tmp_path / "pool.txt_games.txt"
    length = games.stat().st_size

    games.write_bytes(games.read_bytes()[:-1])
    with pytest.raises(
        ValueError, match=rf"pool.txt_games.txt has lost its end.*{length} bytes, not {length - 1}"
    ):
        pool.rewind(mark)
    games.unlink()
    with pytest.raises(ValueError, match=f"pool.txt_games.txt is missing: put it back, {length} bytes"):
        pool.rewind(mark)
    assert (tmp_path / "pool.txt").stat().st_size == json.loads(later)["genomes"]


@pytest.mark.parametrize(
    "mark", ["x", "[]", "{}", '{"genomes": 1}', '{"genomes": -1, "games": 0}', '{"genomes": 1.5, "games": 0}']
)
def test_what_is_no_mark(tmp_path: Path, mark: str) -> None:
    with pytest.raises(ValueError, match="no mark of a gene pool's files"):
        PoolFiles(tmp_path, "pool.txt").rewind(mark)


def test_what_cannot_be_written_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        PoolFiles(tmp_path / "nowhere", "pool.txt").append([individual(0)], [], [])


def test_the_best_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = PoolFiles(tmp_path, "pool.txt")
    path = tmp_path / "pool.txt_best_genome.txt"
    pool.best(individual(1))
    pool.best(individual(4))
    assert Genome.loads(path.read_text()) == numbered(4)
    assert list(tmp_path.iterdir()) == [path]

    def fail(descriptor: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space"):
        pool.best(individual(2))
    assert Genome.loads(path.read_text()) == numbered(4)
