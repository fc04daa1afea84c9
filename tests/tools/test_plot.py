"""`galapagos plot`: what the figures say is what the store says, and the files are whole pictures."""

import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.random import Random
from engines.chess.genome_file import load_bundled
from engines.evolution.population import Contest, Generation, Individual
from engines.evolution.run_store import RunStore
from tests.engines.corewar.evolution.runs import RED_QUEEN, config_in
from tests.fifth_game.tictactoe import SquareWeights
from tools.__main__ import main
from tools.plot import chess, figures
from tools.plot.history import GAMES_A_BIN, History

POOLS = """
maximum simultaneous games = 2
gene pool population = 4
gene pool count = 2
draw kill probability = 0.5
pool swap interval = 10
minimum game time = 1
maximum game time = 1
game time increment = 0
nodes per second = 30
panel games = 2
panel interval = 4
maximum moves = 30
FEN = 4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1
gene pool file = pool.txt
genes = {genes}
"""
NEUTRAL = {"fitness", "endings", "lengths", "returns", "diversity", "panel", "survival"}
OF_CHESS = {"piece-values", "priorities", "active-genes", "promotions", "openings"}
CURVES = "curves-"  # the beginning of the names of the charts of the page

needs_matplotlib = pytest.mark.skipif(
    not find_spec("matplotlib"), reason="matplotlib is not installed: pip install '.[plot]'"
)


@pytest.fixture(scope="module", params=["ten", pytest.param("all", marks=pytest.mark.slow)])
def chess_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short one, with pawns about to be promoted."""
    folder = tmp_path_factory.mktemp("chess")
    (folder / "pools.txt").write_text(POOLS.format(genes=request.param), encoding="utf-8")
    words = [str(folder / "pools.txt"), "--run", str(folder / "run"), "--generations", "30", "--quiet"]
    assert main(["evolve", "chess", *words]) == 0
    return folder / "run"


# -- What is shown ---------------------------------------------------------------------------------

ZERO = SquareWeights((0.0,) * 9)


def contest(first: int, second: int, result: float, niche: int = 0, ending: str = "over") -> Contest:
    return Contest(
        niche=niche, players=(first, second), returns=(result, -result), ending=ending, length=first + 5
    )


@pytest.fixture
def history(tmp_path: Path) -> History:
    """Two niches of two. In the third generation 1 comes to the other niche, where it dies in the fourth."""
    games = {
        1: [contest(0, 1, -1.0), contest(2, 3, 0.0, 1)],
        2: [contest(4, 1, 0.0), contest(2, 3, 1.0, 1, "resigned")],
        3: [contest(1, 4, 0.0), contest(2, 1, 0.0, 1)],
        4: [contest(1, 4, 1.0), contest(2, 1, 1.0, 1)],
    }
    born = {0: [0, 1, 2, 3], 1: [4], 2: [5], 4: [6, 7]}
    statistics: dict[int, dict[str, object]] = {
        0: {"living": [[0, 1], [2, 3]]},
        1: {"living": [[1, 4], [2, 3]], "died": [0], "panel": {"rock": [1, 0, 1]}},
        2: {"living": [[1, 4], [2, 1]], "died": [3], "swaps": [[1, 0, 1]]},
        3: {"living": [[1, 4], [2, 1]], "died": [], "panel": {"rock": [0, 1, 1]}},
        4: {"living": [[1, 6], [2, 7]], "died": [4, 1], "survived": [[1, 1, 1]]},
    }
    with RunStore.create(tmp_path / "run", game="none", config="", seed=1, version="0") as store:
        for number in range(5):
            individuals = tuple(
                Individual(id=id, genome=ZERO.mutate(Random(id)), generation=number)
                for id in born.get(number, [])
            )
            store.write(
                Generation(
                    number=number,
                    born=individuals,
                    contests=tuple(games.get(number, [])),
                    statistics=statistics[number],
                ),
                "{}", "", 1.0,
            )  # fmt: skip
        return History.of(store)


def test_history_counts_games_by_ending_length_and_return(history: History) -> None:
    (only,) = history.bins
    assert (history.games, history.individuals, only.last) == (8, 8, 8)
    assert only.endings == Counter({"over": 7, "resigned": 1})
    assert only.lengths == [5, 7, 9, 7, 6, 7, 6, 7]
    assert only.returns[0] == (-1.0, 1.0) and not only.records
    assert figures.middles(history) == [4.5]


def test_living_individuals_are_followed_through_generations(history: History) -> None:
    assert [moment.games for moment in history.moments] == [0, 2, 4, 6, 8]
    assert [moment.newest for moment in history.moments] == [3, 4, 4, 4, 7]
    assert set(history.genomes) == set(range(8))
    assert history.panel == {"rock": [(2, [1, 0, 1]), (6, [0, 1, 1])]}


def test_survival_distinguishes_natives_from_migrants(history: History) -> None:
    """Dead are 0 (no game), 3 (one draw), 4 (two); 1 lives on where it was born."""
    assert history.natives == Counter({0: 1, 1: 1, 2: 1})
    assert history.migrants == Counter({1: 1})


def test_many_games_make_few_bins(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", game="none", config="", seed=1, version="0") as store:
        for number in range(10):
            games = tuple(contest(0, 1, 1.0) for _ in range(GAMES_A_BIN + 1))
            store.write(Generation(number=number, contests=games), "{}", "", 1.0)
        history = History.of(store)
    assert [len(bin.lengths) for bin in history.bins] == [GAMES_A_BIN] * 10
    assert history.moments == [] and history.panel == {} and not history.natives


def test_difference_is_averaged_over_pairs_and_loci() -> None:
    def difference(*texts: str) -> float:
        return figures.difference([figures.loci(text) for text in texts])

    assert difference("1\n2\n", "1\n2\n") == 0.0
    assert difference("1\n2\n", "1\n3\n", "1\n4\n") == 0.5
    assert difference("Name: A\nP: 1\n\nEND\n", "Name: A\nP: 2\n\nEND\n") == 0.5, "by paragraphs"
    assert difference("Name: A\n\nEND\n", "Name: B\n\nEND\n") == pytest.approx(2 / 3), "each lacks one"


# -- The files -------------------------------------------------------------------------------------


def plotted(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Path]:
    """The files by their names without suffix."""
    capsys.readouterr()
    assert main(["plot", *words]) == 0
    streams = capsys.readouterr()
    assert not streams.err
    return {Path(line).stem: Path(line) for line in streams.out.splitlines()}


@needs_matplotlib
def test_plot_draws_all_figures_of_a_chess_run(chess_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = plotted(capsys, str(chess_run))
    genes = {name for name in paths if name.endswith("-gene")}
    assert len(genes) == (16 if "genes = all" in (chess_run.parent / "pools.txt").read_text() else 10)
    curves = {"curves-1-score-against-the-panel", "curves-2-comings-and-goings"}
    assert NEUTRAL | OF_CHESS | genes | curves == set(paths)
    drawing = paths["curves-1-score-against-the-panel"].read_text()
    assert "<!-- Strength against fixed opponents -->" in drawing
    assert "Rising" in drawing and "share of the points" in drawing
    assert sorted((chess_run / "figures").iterdir()) == sorted(paths.values()), "nothing half-written is left"
    for path in paths.values():
        assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"


@needs_matplotlib
def test_a_gene_of_hundreds_of_numbers_is_drawn_as_maps(tmp_path: Path) -> None:
    """With a panel for each of the 368 numbers of the Squares Gene the figures took an hour."""
    first = load_bundled("evolved")
    with RunStore.create(tmp_path / "run", game="chess", config="", seed=1, version="0") as store:
        for number, genome in enumerate([first, first.mutate(Random(1))]):
            born = (Individual(id=number, genome=genome, generation=number),)
            store.write(
                Generation(number=number, born=born, statistics={"living": [[number]]}), "{}", "", 1.0
            )
        history = History.of(store)
    panels = {figure.name: len(figure.picture.axes) for figure in chess.figures(history)}
    assert max(panels.values()) <= 30
    assert panels["squares-gene"] == panels["tempo-gene"] == 3, "opening, endgame and the scale of colours"


@needs_matplotlib
def test_plot_draws_the_figures_of_a_protection_run_without_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its contests are trials of strings, without players, returns or endings: no games are drawn."""
    config, run = tmp_path / "strings.txt", tmp_path / "run"
    config.write_text(
        "money = 2000\npopulation = 20\ntrials = 60\nsaved = 4\ncandidates = 2\nfresh tests = 4\n"
    )
    assert main(["evolve", "protection", str(config), "--run", str(run), "--quiet"]) == 0
    assert set(plotted(capsys, str(run))) == {
        "fitness",
        "performance",
        "champion",
        "curves-1-performance-of-the-champion-in-fresh-tests",
        "curves-2-performance-in-the-population",
        "curves-3-preferences-of-the-best",
        "curves-4-bits-on-which-the-population-agrees",
    }
    with RunStore.open(run) as store:
        assert not History.of(store).bins


@needs_matplotlib
def test_games_without_endings_and_a_fitness_that_stays_are_not_drawn(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", game="none", config="", seed=1, version="0") as store:
        for number in range(4):
            born = (Individual(id=number, genome=ZERO, generation=number),)
            games = (contest(0, 1, 1.0, ending=""),) if number else ()
            store.write(Generation(number=number, born=born, contests=games), "{}", "", 1.0)
        history = History.of(store)
    assert {spread[1:] for spread in history.fitness} == {(1.0, 0.0, -1.0)}
    assert {figure.name for figure in figures.figures(history)} == {"lengths", "returns"}


@needs_matplotlib
def test_plot_draws_panel_generality_and_diversity_of_warriors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, run = tmp_path / "tribes.txt", tmp_path / "run"
    config.write_text(config_in(tmp_path, RED_QUEEN))
    assert main(["evolve", "corewar", str(config), "--run", str(run), "--generations", "8", "--quiet"]) == 0
    paths = plotted(capsys, str(run))
    curves = {name for name in paths if name.startswith(CURVES)}
    assert set(paths) == {"fitness", "panel", "generality", "diversity"} | curves
    assert min(curves) == "curves-1-score-against-the-panel"


@needs_matplotlib
def test_the_same_run_gives_the_same_files(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert main(["evolve", "tic-tac-toe", str(squares), "--run", str(run), "--games", "100", "--quiet"]) == 0
    first, second = (plotted(capsys, str(run), "--out", str(tmp_path / name)) for name in ("a", "b"))
    assert set(first) == {"fitness", "returns", "diversity"}, "it knows no endings, lengths, panel or dead"
    for name, path in first.items():
        assert path.read_bytes() == second[name].read_bytes()
    for path in plotted(capsys, str(run), "--out", str(tmp_path / "c"), "--format", "png").values():
        assert path.read_bytes().startswith(b"\x89PNG")


def complaint(capsys: pytest.CaptureFixture[str], status: int, *words: str) -> str:
    assert main(["plot", *words]) == status
    streams = capsys.readouterr()
    assert not streams.out and streams.err.count("\n") == 1
    return streams.err.removeprefix("galapagos plot: ")


def test_without_matplotlib_the_error_names_the_package_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert ".venv/bin/pip install '.[plot]'" in complaint(capsys, 2, str(tmp_path))


@needs_matplotlib
def test_folders_without_generations_and_unusable_outputs_are_refused(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "holds no run" in complaint(capsys, 2, str(tmp_path))
    RunStore.create(tmp_path / "empty", game="chess", config="", seed=1, version="0").close()
    assert "no generation yet" in complaint(capsys, 2, str(tmp_path / "empty"))
    run = tmp_path / "run"
    assert main(["evolve", "tic-tac-toe", str(squares), "--run", str(run), "--games", "8", "--quiet"]) == 0
    capsys.readouterr()
    assert "File exists" in complaint(capsys, 1, str(run), "--out", str(squares))
