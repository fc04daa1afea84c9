"""`galapagos evolve --fork` and `--set`: a fork repeats a run, takes its own course, and can be stopped anywhere."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from engines.config import RUN_FILE
from engines.evolution.run_store import Precursor, RunStore
from tests.engines.acquire import runs as acquire
from tests.engines.chess.test_experiment import EXAMINATION
from tests.engines.corewar.evolution import runs as corewar
from tests.engines.protection import runs as protection
from tests.tools.test_evolve_chess_kills import CONFIG as POOLS
from tools.__main__ import main
from tools.new_run import config_of

SLOW = pytest.mark.slow


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of run: a configuration, and other values of all keys that its forks may change."""

    game: str
    config: str
    others: tuple[str, ...]


KINDS = {
    "tribes": Kind(
        game="corewar",
        config=corewar.SCRIMMAGE + "panel = none\n",
        others=("crossover=0.7", "mutation=0.9", "most changes=2", "migration=0.5"),
    ),
    "elites": Kind(
        game="corewar",
        config=corewar.ELITE + "opponents = none\npanel = none\n",
        others=("crossover=0.7", "mutation=0.9", "most changes=2", "migration=0.5"),
    ),
    "pools": Kind(
        game="chess",
        config=POOLS + "maximum moves = 6\n",
        others=(
            "draw kill probability=0.5",
            "pool swap interval=2",
            "nodes per second=100",
            "maximum moves=4",
        ),
    ),
    "examination": Kind(game="chess", config=EXAMINATION, others=("planned rounds=50", "learning rate=0.3")),
    "gp": Kind(
        game="acquire",
        config=acquire.GP,
        others=("games=4", "generations=9", "crossover at functions=0.3", "crossover anywhere=0.5"),
    ),
    "league": Kind(
        game="acquire",
        config=acquire.LEAGUE + acquire.THREE,
        others=("tables=4", "generations=9", "crossover=0.1", "subtree mutation=0.5", "point mutation=0.1"),
    ),
    "nes": Kind(
        game="acquire",
        config=acquire.NES + acquire.THREE,
        others=("tables=4", "generations=9", "centre rate=0.5"),
    ),
    "ga": Kind(
        game="protection", config=protection.GA, others=("trials=9000", "mutation=0.01", "crossover=0.2")
    ),
    "arms-race": Kind(
        game="protection",
        config=protection.ARMS_RACE,
        others=("generations=9", "defender mutations=1", "string mutations=3", "crossover=0.1"),
    ),
}


def evolve(game: str, folder: Path, *words: object) -> int:
    return main(["evolve", game, *map(str, words), "--run", str(folder), "--workers", "1", "--quiet"])


def hashes(folder: Path) -> list[str]:
    with RunStore.open(folder) as store:
        return [each.hash for each in store.generations()]


def exports(folder: Path) -> dict[str, bytes]:
    names = (each for each in folder.iterdir() if not each.name.startswith((RUN_FILE, "lock")))
    return {each.name: each.read_bytes() for each in names}


@pytest.mark.parametrize("name", ["tribes", *(pytest.param(name, marks=SLOW) for name in list(KINDS)[1:])])
def test_a_fork_is_the_same_from_a_copy_and_by_repetition_and_after_a_stop(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    known = config_of(kind.game, kind.config)
    assert known and {each.partition("=")[0] for each in kind.others} == set(known.fork_keys)
    assert set(known.fork_keys) <= set(known.main_keys)
    config = tmp_path / "config.txt"
    config.write_text(kind.config)
    whole, short, other = (
        tmp_path / "whole",
        tmp_path / "short",
        [word for each in kind.others for word in ("--set", each)],
    )
    assert evolve(kind.game, whole, config, "--generations", 4) == 0
    assert evolve(kind.game, short, config, "--generations", 2) == 0
    fork = [*other, "--seed", 99, "--generations", 5]
    assert evolve(kind.game, tmp_path / "repeated", "--fork", f"{whole}@2", *fork) == 0
    assert evolve(kind.game, tmp_path / "copied", "--fork", short, *fork) == 0
    parts = tmp_path / "parts"
    assert evolve(kind.game, parts, "--fork", f"{whole}@2", *other, "--seed", 99, "--generations", 1) == 0
    for generations in (3, 5):
        assert evolve(kind.game, parts, "--resume", "--generations", generations) == 0
    forked = hashes(tmp_path / "repeated")
    assert len(forked) == 6 and forked[:3] == hashes(whole)[:3] and forked[3] != hashes(whole)[3]
    assert hashes(tmp_path / "copied") == forked == hashes(parts)
    assert exports(tmp_path / "copied") == exports(tmp_path / "repeated") == exports(parts)


def test_a_fork_of_a_fork_repeats_both(squares: Path, tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    game = "tic-tac-toe"
    assert evolve(game, first, squares, "--generations", 4) == 0
    assert evolve(game, second, "--fork", f"{first}@2", "--seed", 2, "--generations", 6) == 0
    assert evolve(game, third, "--fork", f"{second}@4", "--seed", 3, "--generations", 6) == 0
    assert hashes(third)[:5] == hashes(second)[:5] and hashes(third)[5] != hashes(second)[5]
    assert hashes(second)[:3] == hashes(first)[:3] and hashes(second)[3] != hashes(first)[3]
    with RunStore.open(third) as store:
        assert [(each.generation, each.seed) for each in store.precursors] == [(2, 1), (4, 2)]
        assert store.precursors[1].hashes[4] == hashes(second)[4] and store.seed == 3
    earlier = tmp_path / "earlier"
    assert evolve(game, earlier, "--fork", f"{third}@1", "--seed", 3, "--generations", 2) == 0
    with RunStore.open(earlier) as store:
        assert [(each.generation, each.seed) for each in store.precursors] == [(1, 1)]


def test_a_run_that_cannot_be_repeated_stops_with_the_reason(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, fork = squares.read_text(), tmp_path / "fork"
    precursor = Precursor(generation=9, seed=1, config=config, hashes={1: "0" * 64, 9: "0" * 64})
    RunStore.create(
        fork, game="tic-tac-toe", config=config, seed=2, version="1", precursors=[precursor]
    ).close()
    for _ in range(2):
        assert evolve("tic-tac-toe", fork, "--resume", "--generations", 20) == 2
        reason = "generation 1 is not that of the run that this one was forked from"
        assert reason in capsys.readouterr().err
        assert len(hashes(fork)) == 2


def test_values_of_keys_can_be_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, run = tmp_path / "config.txt", tmp_path / "run"
    config.write_text(protection.GA)
    assert evolve("protection", run, config, "--set", "Population = 40", "--set", "trials=80") == 0
    with RunStore.open(run) as store:
        assert "population = 40\ntrials = 80\n" in store.config and "population = 300" not in store.config
        assert store.is_finished
    for word, reason in {
        "populatoin=3": "this configuration has no key 'populatoin'; did you mean population",
        "population=x": "population must be a whole number from 2 to 100000, not 'x'",
        "trials=1": "trials must be a whole number",
        "trials=10": "trials must be at least the population, 300, not 10",
        "selection=rank#": "selection must be proportional or rank",
    }.items():
        assert evolve("protection", tmp_path / "none", config, "--set", word) == 2
        assert reason in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--fork", "RUN", "--seed", "1"], "otherwise it would be the same run"),
        (["--fork", "RUN"], "a fork needs another seed"),
        (["--fork", "RUN@9", "--seed", "2"], "has no generation 9 on record; the nearest is 3"),
        (["--fork", "RUN@-1", "--seed", "2"], "RUN@GENERATION"),
        (["--fork", "RUN@1", "--seed", "2", "--resume"], "leave out --set and --fork"),
        (["CONFIG", "--fork", "RUN@1", "--seed", "2"], "a fork has the configuration of its run"),
        (["--fork", "nothing", "--seed", "2"], "nothing holds no run"),
        (["--fork", "RUN", "--set", "size=10"], "has no key 'size'"),
    ],
)
def test_forks_that_are_impossible_are_refused(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], reason: str
) -> None:
    run = tmp_path / "run"
    assert evolve("tic-tac-toe", run, squares, "--generations", 3) == 0
    given = [word.replace("RUN", str(run)).replace("CONFIG", str(squares)) for word in words]
    assert evolve("tic-tac-toe", tmp_path / "fork", *given) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "fork").exists()


def test_a_fork_cannot_change_what_its_state_depends_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, run = tmp_path / "config.txt", tmp_path / "run"
    config.write_text(protection.GA)
    assert evolve("protection", run, config, "--generations", 1) == 0
    assert evolve("protection", tmp_path / "fork", "--fork", run, "--set", "population=20") == 2
    assert "population cannot be changed here; the keys that can are trials" in capsys.readouterr().err
