"""`galapagos study --champions`: runs of any kind by what their champions are worth, halves joined."""

from pathlib import Path

import pytest

from engines.acquire.genome import Genome
from engines.acquire.match import Score
from engines.acquire.registry import thesis_players, typed_players
from engines.evolution.population import Generation, Individual
from engines.evolution.run_store import RunStore
from tools.__main__ import main
from tools.study.acquire_games import rate
from tools.study.acquire_runs import Champion, Run, joined

PAIR = thesis_players()["pair-1"]
PLACE, BUY = Genome(place=PAIR.place), Genome(buy=PAIR.buy)


def recorded(folder: Path, config: str, genome: Genome, seed: int, examined: bool = True) -> Path:
    """A run with one champion."""
    born = (Individual(id=0, genome=genome, parents=(), generation=0, origin="random"),)
    facts = {"examined": {"champion": 0}} if examined else {}
    with RunStore.create(folder, game="acquire", config=config, seed=seed, version="test") as store:
        store.write(Generation(number=0, born=born), state="", checkpoint="", seconds=0.0)
        store.write(Generation(number=1, born=(), statistics=facts), state="", checkpoint="", seconds=0.0)
    return folder


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Halves with two seeds, of which the second has one half only; a pair; a typed player."""
    return [
        recorded(tmp_path / "place-1", "evolve = place\n", PLACE, 1),
        recorded(tmp_path / "buy-1", "evolve = buy\n", BUY, 1),
        recorded(tmp_path / "place-2", "evolve = place\n", PLACE, 2),
        recorded(tmp_path / "pair-1", "evolve = pair\n", PAIR, 1),
        recorded(
            tmp_path / "typed-1",
            "evolve = all decisions\nrules = thesis-2002",
            typed_players()["composed"],
            1,
        ),
    ]


def test_halves_of_one_seed_are_joined(folders: list[Path]) -> None:
    (both,) = joined([Champion.read(folder) for folder in folders])
    assert both.entrant.genome == PAIR and both.seed == 1


def test_halves_of_different_configurations_are_not_joined(tmp_path: Path) -> None:
    place = recorded(tmp_path / "place", "evolve = place\n", PLACE, 1)
    buy = recorded(tmp_path / "buy", "evolve = buy\ntie = first\n", BUY, 1)
    assert not list(joined([Champion.read(place), Champion.read(buy)]))


def test_the_report_lists_the_strength_of_each_configuration(
    folders: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["study", *map(str, folders), "--champions", "--games", "40", "--workers", "1"]
    assert main(words) == 0
    text = capsys.readouterr().out
    heads = [line for line in text.splitlines() if line.startswith("evolve")]
    assert heads == [
        "evolve place: 2 runs, seeds 1, 2",
        "evolve buy: a single run, seed 1",
        "evolve pair: a single run, seed 1",
        "evolve all decisions: a single run, seed 1",
        "evolve place and buy apart: a single run, seed 1",
    ]
    assert text.count("against heuristic") == 5 and "tie random" in text


def test_a_run_without_a_champion_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = recorded(tmp_path / "young", "evolve = pair\n", PAIR, 1, examined=False)
    assert main(["study", str(folder), "--champions"]) == 2
    assert f"{folder}: no champion has been tested yet" in capsys.readouterr().err


@pytest.mark.parametrize("kind", [Run, Champion])
def test_runs_of_another_game_are_refused(kind: type[Run] | type[Champion], tmp_path: Path) -> None:
    RunStore.create(tmp_path / "other", game="chess", config="", seed=1, version="test").close()
    with pytest.raises(ValueError, match="other holds a run of chess, not of acquire"):
        kind.read(tmp_path / "other")


def test_agreeing_runs_have_no_narrower_interval_than_their_games() -> None:
    """Of a single run it is the interval of its games; of more it is never narrower than that of all games."""
    even = Score(losses=5, ties=0, wins=5)
    assert rate([even]) == even.win_rate
    two = rate([even, even])
    assert two == (even + even).win_rate and two.low < 0.5 < two.high
    spread = rate([Score(losses=9, ties=0, wins=1), Score(losses=1, ties=0, wins=9)])
    assert (spread.value, spread.low, spread.high) == (0.5, 0.0, 1.0)
