"""A run of tribes from its configuration to its files; tests/engines/test_populations.py stops and resumes it."""

import json
from pathlib import Path

import pytest

from core.corewar.rules import Rules
from engines.corewar import load_file
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.evaluation import Member
from engines.corewar.evolution.experiment import (
    RUNS,
    TribesReport,
    living,
    measures,
    open_experiment,
    seed_in,
)
from engines.corewar.evolution.population import tribe_statistics
from engines.evolution.run_store import RunStore
from tests.engines.corewar.evolution.runs import ELITE, RED_QUEEN, SCRIMMAGE, config_in, gone_on
from tests.toy import InlinePool

GENERATIONS = 9


@pytest.fixture(params=[SCRIMMAGE, ELITE], ids=["scrimmage", "elite"])
def config(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return config_in(tmp_path, request.param)


async def test_all_living_members_descend_from_random_founders(config: str, tmp_path: Path) -> None:
    await gone_on(tmp_path / "run", config, GENERATIONS, InlinePool())
    with RunStore.open(tmp_path / "run") as store:
        known = {born.id: born for born in map(store.individual, store.ids())}
        state = json.loads(store.state)
        founders = sum(each.origin == "random" for each in known.values())
    assert founders >= 3 * 8 and founders % 8 == 0, "tribes may be founded anew"
    assert state["next_id"] == state["offspring"] + founders + 2, "two fixed opponents"
    assert len(known) < state["next_id"], "who leaves nobody behind is not kept"
    for id in (member[0] for tribe in state["tribes"] for member in tribe):
        line = [id]
        while known[line[-1]].parents:
            parents = known[line[-1]].parents
            assert all(parent < line[-1] for parent in parents)
            line.append(parents[0])
        assert known[line[-1]].origin == "random"


async def test_twins_are_refused(tmp_path: Path) -> None:
    config = config_in(tmp_path, ELITE.replace("migration = 0.1", "migration = 0"))
    await gone_on(tmp_path / "run", config, GENERATIONS, InlinePool())
    with RunStore.open(tmp_path / "run") as store:
        tribes = living(store)
    assert all(len({member.genes for member in members}) == len(members) for members in tribes)


async def test_each_red_queen_round_elects_a_different_champion(tmp_path: Path) -> None:
    """The panel meets it in the generation after its election; before the first one there is nobody to meet."""
    recorded = await gone_on(tmp_path / "run", config_in(tmp_path, RED_QUEEN), 14, InlinePool())
    statistics = [each.generation.statistics for each in recorded]
    met = {number: facts["champions"] for number, facts in enumerate(statistics) if "panel" in facts}
    assert list(met) == [5, 8, 11]
    champions = [id for ((id, _),) in met.values()]
    assert len(set(champions)) == 3
    with RunStore.open(tmp_path / "run") as store:
        assert json.loads(store.state)["elites"][:-1] == champions, "the panel has yet to meet the last one"
        report = open_experiment(store).report
        assert max(len(member.genes) for members in living(store) for member in members) == 6, "the longest"
    assert all(tribe["best_record"] == [0, 0, 0] for tribe in statistics[4]["tribes"]), "alone in the core"
    assert all(sum(tribe["best_record"]) for tribe in statistics[7]["tribes"])
    measured = measures(statistics[8])
    defeated, shown = measured["generality: defeated"], measured["generality: defeated or tied"]
    assert 0 <= defeated <= shown <= 1
    assert f"generality {shown:.0%}" in report(recorded[8].generation)


async def test_a_red_queen_round_may_elect_the_best_of_each_tribe(tmp_path: Path) -> None:
    config = config_in(tmp_path, RED_QUEEN.replace("of all", "of each"))
    recorded = await gone_on(tmp_path / "run", config, 9, InlinePool())
    facts = recorded[8].generation.statistics
    ((champion, _),) = facts["champions"]
    with RunStore.open(tmp_path / "run") as store:
        elites = json.loads(store.state)["elites"]
    assert len(elites) == len(set(elites)) == 6, "three tribes, two elections"
    assert elites[-1] == champion
    bests = [tribe["best"] for tribe in recorded[7].generation.statistics["tribes"]]
    assert set(elites[3:]) <= set(bests), "all are new, so the best of a tribe is elected"


async def test_run_files_are_valid_redcode(config: str, tmp_path: Path) -> None:
    await gone_on(tmp_path / "run", config, 4, InlinePool())
    rules = TribesConfig.loads(config).rules
    for number in range(3):
        texts = (tmp_path / "run" / f"tribe_{number}.red").read_text().split("END\n")[:-1]
        warriors = [load_file.loads(text, rules) for text in texts]
        assert len(warriors) == 8
        assert all(warrior.name.startswith(f"Tribe {number}, ") for warrior in warriors)
    assert "Champion, " in (tmp_path / "run" / "champions.red").read_text()


async def test_a_run_resumes_without_the_files_of_its_opponents(tmp_path: Path) -> None:
    config = config_in(tmp_path, ELITE)
    await gone_on(tmp_path / "run", config, 2, InlinePool())
    for path in (tmp_path / "opponents").iterdir():
        path.unlink()
    generations = await gone_on(tmp_path / "run", config, 2, InlinePool())
    assert set(generations[-1].generation.statistics["panel"]) == {"Imp", "Waiter"}
    with pytest.raises(ValueError, match="has no usable warrior"):
        seed_in(config)


async def test_the_report_shows_progress_and_contests_are_recorded(tmp_path: Path) -> None:
    config = config_in(tmp_path, SCRIMMAGE)
    generations = await gone_on(tmp_path / "run", config, 8, InlinePool())
    with RunStore.open(tmp_path / "run") as store:
        report = open_experiment(store).report
        text = report(generations[6].generation)
        assert store.count("contest") == sum(len(each.generation.contests) for each in generations)
        contest = next(contest for _, contest in store.contests())
    for word in ("Offspring:", "Viable at birth:", "Turning point:", "Genotypes", "Waiter", "Champions:"):
        assert word in text
    assert len(contest.players) == len(contest.returns) == 4 and contest.remark == "sweep 0"
    assert sum(contest.returns) <= 3 * 6 * 3


@pytest.mark.parametrize("path", sorted(RUNS.glob("*.txt")), ids=lambda path: path.stem)
def test_bundled_configurations_are_valid(path: Path) -> None:
    config = TribesConfig.loads(path.read_text())
    assert TribesConfig.loads(config.dumps()) == config


def test_the_bundled_seed_configuration_has_the_default_values() -> None:
    assert TribesConfig.loads((RUNS / "seed.txt").read_text()) == TribesConfig()


def test_a_report_remembers_the_last_panel() -> None:
    report = TribesReport(500)
    member = Member(id=1, warrior=load_file.loads("MOV.I $0, $1", Rules()))
    facts = {
        "sweep": 50, "offspring": 1000, "tries": 500, "viable": 250, "turning_point": None, "crossover": 0.1,
        "tribes": [tribe_statistics([member], 2)], "panel": {"Imp": [1, 2, 7]},
    }  # fmt: skip
    first = report.text(facts, [])
    assert "Generations of 500: 2.0" in first and "Turning point: not yet" in first and "50%" in first
    del facts["panel"]
    assert "Imp                                   7      2      1  23 - 5 (82%)" in report.text(facts, [])
