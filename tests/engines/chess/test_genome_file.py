"""Which genome of a file is to play: by ID, by three wins in the games beside it, or the last."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.random import Random
from engines.chess import genome_file
from engines.chess.genome import Genome
from engines.chess.genome_file import choose, fit_to_play, read, read_genome
from engines.chess.genome_text import GenomeError

RNG = Random(2017)
GENOMES = [Genome.random(RNG) for _ in range(6)]


def numbered(id: int) -> Genome:
    return replace(GENOMES[id % len(GENOMES)], id=id)


def game(winner: str, loser: str, result: str = "1-0") -> str:
    """A game that White wins, or as `result` says."""
    return (
        f'[Event "pool"]\n[White "{winner}"]\n[Black "{loser}"]\n[Result "{result}"]\n\n'
        f"1. e4 {{+0.25/3 e4 e5}} e5 {{-0.10/2\n[%clk 0:01:00] e5}} {result}\n"
    )


def ai(id: int) -> str:
    return f"Genetic AI {id}"


# -- Many genomes in one text ------------------------------------------------------------------------


def test_all_genomes_of_a_file_are_read() -> None:
    rng = Random(15)
    written = [replace(Genome.random(rng), id=id) for id in (3, 1, 8, None)]
    text = "# a pool\n\nStill Alive: 0 : 9 10\n" + "\nStill Alive: 0 : 3 1 8\n\n".join(
        g.dumps() for g in written
    )
    assert read(text + "\nStill Alive: 1 : 3 8\n# END\n") == (written, ())
    assert read("") == read("# nothing\n") == ([], ())


def test_a_genome_is_chosen_by_id_or_else_the_last() -> None:
    rng = Random(16)
    old, one, three, new = (replace(Genome.random(rng), id=id) for id in (7, 1, 3, 7))
    text = "".join(genome.dumps() for genome in (old, one, three, new)) + "Still Alive: 0 : 1 3 7\n"
    assert choose(text) == new
    assert choose(text, 1) == one
    assert choose(text.replace("ID: 3", " ID :3 # third"), 3) == three
    assert choose(text, 7) == new
    with pytest.raises(GenomeError, match="no genome has ID 5"):
        choose(text, 5)
    with pytest.raises(GenomeError, match="the file has no genome"):
        choose("# empty\n")
    with pytest.raises(GenomeError, match="END is missing"):
        choose(text + "ID: 8\nName: Piece")


# -- The one to play -------------------------------------------------------------------------------

Beside = Callable[..., Path]


@pytest.fixture
def beside(tmp_path: Path) -> Beside:
    """A file of genomes with gaps between their IDs, and texts in the files beside it."""

    def write(**games: str) -> Path:
        path = tmp_path / "pool.txt"
        path.write_text(
            "".join(f"{numbered(id).dumps()}\n" for id in (3, 10, 7, 25, 31)) + "Still Alive: 0 : 7\n"
        )
        for suffix, text in games.items():
            Path(f"{path}_games.{suffix}").write_text(text, newline="")
        return path

    return write


def test_a_given_id_overrides_the_games(beside: Beside) -> None:
    path = beside(txt=game(ai(10), ai(3)) * 3)
    assert fit_to_play(path, 7) == numbered(7)
    with pytest.raises(ValueError, match="no genome has ID 8"):
        fit_to_play(path, 8)


def test_without_games_the_last_genome_of_the_file_plays(beside: Beside) -> None:
    assert fit_to_play(beside()) == numbered(31)
    assert fit_to_play(beside(txt="")) == numbered(31)


def test_the_highest_id_with_three_wins_plays(beside: Beside) -> None:
    wins = game(ai(7), ai(31)) * 3 + game(ai(31), ai(10), "0-1") * 3
    not_enough = game(ai(25), ai(3)) * 2 + game(ai(25), ai(3), "1/2-1/2") * 5 + game(ai(31), ai(3), "*") * 5
    assert fit_to_play(beside(txt=wins + not_enough)) == numbered(10)
    assert fit_to_play(beside(txt=wins + not_enough + game(ai(25), ai(3)))) == numbered(25)
    assert fit_to_play(beside(txt=(wins + not_enough).replace("\n", "\r\n"))) == numbered(10)


def test_the_last_genome_plays_if_none_has_three_wins(beside: Beside) -> None:
    assert fit_to_play(beside(txt=game(ai(7), ai(3)) * 2)) == numbered(31)
    assert fit_to_play(beside(txt=game(ai(99), ai(3)) * 4)) == numbered(31)  # 99 is not in the file
    assert fit_to_play(beside(txt=game(ai(99), ai(3)) * 4 + game(ai(7), ai(3)) * 3)) == numbered(7)


def test_wins_of_both_programs_in_both_files_are_added(beside: Beside) -> None:
    path = beside(txt=game(ai(10), ai(3)), pgn=game("Genetic Chess #10", "Genetic Chess #3") * 2)
    assert fit_to_play(path) == numbered(10)
    for name in ("Stockfish 10", "Random AI 10", "10", "Genetic AI", "Genetic AI 10 x", "Genetic AI -10"):
        assert fit_to_play(beside(txt=game(name, ai(3)) * 3, pgn="")) == numbered(31)


def test_games_without_a_final_result_count_by_their_tag(beside: Beside) -> None:
    """As Genetic Chess writes them: the clocks, then an empty line."""
    text = game(ai(10), ai(3)).replace("e5} 1-0\n", "e5}\n{ Time left: White: 20.1 }\n{ Black: 3 }\n\n\n")
    assert fit_to_play(beside(txt=text * 3)) == numbered(10)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kept=st.integers(0, len(game(ai(10), ai(3)).rstrip("\n")) - 1))
def test_a_torn_last_game_does_not_count(beside: Beside, kept: int) -> None:
    wins = game(ai(10), ai(3)) * 2
    assert fit_to_play(beside(txt=wins + game(ai(10), ai(3))[:kept])) == numbered(31)
    torn = wins + game(ai(10), ai(3))[:kept] + game(ai(3), ai(10)) * 3
    assert fit_to_play(beside(txt=torn)) == numbered(3)  # and hides none of those behind it


def test_unreadable_genome_and_game_files_are_refused(
    tmp_path: Path, beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match=r"cannot read the genome file '.*none.txt': No such file"):
        fit_to_play(tmp_path / "none.txt")
    with pytest.raises(ValueError, match="cannot read the genome file"):
        fit_to_play(tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="is not a text file"):
        fit_to_play(tmp_path / "binary")
    (tmp_path / "empty").touch()
    with pytest.raises(GenomeError, match="the file has no genome"):
        fit_to_play(tmp_path / "empty")
    path = beside()
    Path(f"{path}_games.txt").mkdir()
    with pytest.raises(ValueError, match=r"cannot read the games .* name an ID"):
        fit_to_play(path)
    monkeypatch.setattr(genome_file, "MAX_CHARACTERS", 100)
    with pytest.raises(ValueError, match="larger than"):
        fit_to_play(path)


def test_a_text_names_a_file_and_optionally_an_id(beside: Beside) -> None:
    path = beside(txt=game(ai(10), ai(3)) * 3)
    assert read_genome(str(path)) == numbered(10)
    assert read_genome(f"{path} 7") == numbered(7)
    with pytest.raises(ValueError, match="no genome has ID 8"):
        read_genome(f"{path} 8")
    spaced = path.rename(path.with_name("pool 7"))  # a file whose name ends as an ID would
    assert read_genome(str(spaced)) == numbered(31)
