"""A league: what it records, whom it breeds, its islands, and who shares fitness or enters the hall of fame."""

import json
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.evaluation import EvaluationTask, HallOfFameTest
from engines.acquire.genome import DECISIONS, REMEMBERING, Genome
from engines.acquire.gp.primitives import ADF_NAMES
from engines.acquire.gp.tree import Tree, costs, work
from engines.acquire.league import Breeder, League, diversity, founder, share_fitness
from engines.acquire.league_config import LeagueConfig
from engines.acquire.registry import typed_players
from engines.evolution.population import Individual
from engines.evolution.run import GenerationRecorded
from tests.engines.acquire.runs import FOUR, ISLANDS, LEAGUE, THREE, gone_on
from tests.engines.acquire.runs import FUNCTIONS as OWN
from tests.toy import InlinePool

GENERATIONS = 8
DOUBT = "doubt = 10\n"


@pytest.fixture(params=[THREE, FOUR], ids=["two", "four"])
def config(request: pytest.FixtureRequest) -> str:
    return LEAGUE + DOUBT + str(request.param)


async def test_a_league_records_births_contests_and_statistics(config: str, tmp_path: Path) -> None:
    recorded = await gone_on(tmp_path / "run", config, GENERATIONS, InlinePool())
    read = LeagueConfig.loads(config)
    first, *others = recorded[0].generation.born
    assert (first.origin, first.genome) == ("composed", typed_players()["composed"])
    assert {each.origin for each in others} == {"random"} and len(others) == 29
    last = recorded[-1].generation
    assert len(last.born) == 24
    assert len(last.contests) == 30 * read.bags_at(GENERATIONS) * read.players
    assert "examined" in json.loads(json.dumps(last.statistics))
    assert all(0 <= value <= 1 for contest in last.contests for value in contest.returns)
    champion = Genome.loads((tmp_path / "run" / "champion.lisp").read_text(encoding="utf-8"))
    assert [name for name, _ in champion.programs()] == list(DECISIONS)
    assert last.statistics["hall"] >= 1
    played = [each.generation.statistics["tables"] for each in recorded[1:]]
    assert max(played) > read.tables, "the best have played more than one generation"


async def test_with_doubt_fewer_of_the_elite_are_newcomers(tmp_path: Path) -> None:
    """The best of many newcomers is mostly lucky."""
    tables = []
    for doubt in (0, 60):
        text = f"{LEAGUE}{THREE}doubt = {doubt}\n"
        recorded = await gone_on(tmp_path / str(doubt), text, 12, InlinePool())
        tables.append(fmean(each.generation.statistics["tables"] for each in recorded[6:]))
    assert tables[0] < tables[1]


def test_with_champion_share_1_all_opponents_are_the_last_champion() -> None:
    shares = "opponent share = 0\nhall share = 0\nchampion share = 1\n"
    config = LeagueConfig.loads(LEAGUE.replace("opponent share = 0.4\n", "") + shares)
    league = League(config, 1, lambda id: Individual(id=id, genome=Genome()))
    league.step([])
    task = next(task for task in league.tasks() if isinstance(task, EvaluationTask))
    assert set(task.others) == {league.living[0].genome}


@pytest.mark.parametrize(("tally", "is_accepted"), [((3, 0, 3), False), ((2, 1, 3), True)])
def test_the_hall_of_fame_accepts_candidates_with_more_wins_than_losses(
    tally: tuple[int, int, int], is_accepted: bool
) -> None:
    """The first one is taken as it is."""
    text = LEAGUE.replace("hall interval = 2", "hall interval = 1") + THREE + "acceptance games = 6\n"
    born: list[Individual[Genome]] = []
    league = League(LeagueConfig.loads(text), 1, born.__getitem__)
    for _ in range(8):
        outcomes = [tally if isinstance(task, HallOfFameTest) else task.play() for task in league.tasks()]
        born += league.step(outcomes).born
    members = league.state.hall
    assert len(members) == len(set(members)) >= 1
    assert (len(members) > 1) is is_accepted


# -- Breeding -----------------------------------------------------------------------------------------------


def test_genomes_have_the_configured_programs_and_none_is_too_large() -> None:
    breeder, rng = Breeder(LeagueConfig.loads(LEAGUE + THREE + OWN)), Random(3)
    genomes = [child.genome for child in breeder.founders(rng)]
    programs = dict(typed_players()["composed"].programs())
    assert {name: genomes[0][name] for name in programs} == programs, "a founder keeps what it has"
    calling = 0
    for _ in range(8):
        for genome in genomes:
            assert [name for name, _ in genome.programs()] == [*DECISIONS, *ADF_NAMES[:4], *REMEMBERING[:2]]
            assert all(cost.is_small for cost in costs(dict(genome.programs())).values())
            assert Genome.loads(genome.dumps()) == genome
            calling += any(node in ADF_NAMES for _, tree in genome.programs() for node in tree)
        genomes = [child.genome for child in breeder.children(genomes, [1.0] * len(genomes), 30, rng)]
    assert calling > 100


def test_a_founder_that_would_be_too_large_has_constant_functions() -> None:
    programs: dict[str, Tree] = {
        "rate-1": ("sum",) * 4 + ("size", "it"),
        "test-1": ("<", "rate-1", "it", "cash"),
        "place": ("sum",) * 3 + ("rate-1", "it"),
    }
    genome = founder(programs)
    assert genome.functions == (("rate-1", (0.0,)), ("test-1", ("i-lead",)))
    assert genome.place == programs["place"]
    assert Genome.loads(genome.dumps()) == genome
    del programs["place"]
    assert dict(founder(programs).functions) == programs


def test_breeding_never_exceeds_the_limit_on_work() -> None:
    """Also where it is the function that has changed, and not who calls it."""
    config = LeagueConfig.loads(LEAGUE.replace("composed", "random") + THREE + OWN + "crossover = 0\n")
    breeder, rng = Breeder(config), Random(5)
    genomes = [child.genome for child in breeder.founders(rng)]
    most = max(cost.work for genome in genomes for cost in costs(dict(genome.programs())).values())
    for _ in range(10):
        genomes = [child.genome for child in breeder.children(genomes, [1.0] * len(genomes), 30, rng)]
        works = [cost.work for genome in genomes for cost in costs(dict(genome.programs())).values()]
        assert max(works) <= max(most, 300)


async def test_no_program_has_more_work_than_is_allowed(config: str, tmp_path: Path) -> None:
    recorded = await gone_on(tmp_path / "run", f"{config}most work = 40\n", GENERATIONS, InlinePool())
    changed = [
        tree
        for each in recorded[1:]
        for born in each.generation.born
        for (_, tree), before in zip(born.genome.programs(), programs_of(recorded, born.parents), strict=True)
        if tree not in before
    ]
    assert changed and max(map(work, changed)) <= 40


def programs_of(recorded: list[GenerationRecorded], ids: tuple[int, ...]) -> list[list[Tree]]:
    """Of each decision, the programs that those have."""
    known = {born.id: born.genome for each in recorded for born in each.generation.born}
    return [[tree for _, tree in each] for each in zip(*(known[id].programs() for id in ids), strict=True)]


# -- Diversity ----------------------------------------------------------------------------------------------


async def test_islands_breed_apart_and_exchange_their_best(tmp_path: Path) -> None:
    config = LEAGUE + THREE + ISLANDS + "behaviour states = 10\n"
    recorded = await gone_on(tmp_path / "run", config, 7, InlinePool())
    ids = [born.id for each in recorded for born in each.generation.born]
    assert ids == list(range(len(ids)))
    assert len(recorded[0].generation.born) == 30 and len(recorded[1].generation.born) == 24
    homes = {born.id: born.id % 3 for each in recorded for born in each.generation.born}
    newcomers = [
        sum(homes[parent] != homes[born.id] for born in each.generation.born for parent in born.parents)
        for each in recorded
    ]
    assert newcomers[:3] == [0, 0, 0] and sum(newcomers[3:]) > 0, "2 sends, 3 is the first that breeds"
    last = recorded[-1].generation
    assert {contest.niche for contest in last.contests} == {0, 1, 2}
    statistics = json.loads(json.dumps(last.statistics))
    assert statistics["fitness"]["best"] == max(statistics["islands"])
    assert 1 <= statistics["behaviours"]["distinct"] <= 30


async def test_fitness_sharing_changes_a_run_but_comparing_behaviours_does_not(tmp_path: Path) -> None:
    states = "behaviour states = 10\n"
    plain, compared, shared = [
        [each.generation.born for each in await gone_on(tmp_path / str(number), config, 4, InlinePool())]
        for number, config in enumerate(
            (LEAGUE + THREE, LEAGUE + THREE + states, LEAGUE + THREE + states + "sharing = 0.5\n")
        )
    ]
    assert plain == compared != shared


@given(st.lists(st.tuples(st.floats(0, 1), st.tuples(*[st.integers(0, 2)] * 4)), min_size=2, max_size=12))
def test_fitness_is_shared_by_players_that_choose_alike(players: list[tuple[float, tuple[int, ...]]]) -> None:
    fitness, behaviours = [value for value, _ in players], [each for _, each in players]
    found = share_fitness(fitness, behaviours, 1e-9)
    for value, each, part in zip(fitness, behaviours, found, strict=True):
        assert part == pytest.approx((value - min(fitness)) / behaviours.count(each))
    assert diversity(behaviours)["distinct"] == len(set(behaviours))
