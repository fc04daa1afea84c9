"""Functions and registers in a league: bred as configured, the same when stopped, and nothing new without them."""

import pickle
from hashlib import blake2b

import pytest

from core.random import Random
from engines.acquire.genome import DECISIONS, REMEMBERING, Genome
from engines.acquire.gp.primitives import ADF_NAMES
from engines.acquire.gp.tree import Tree, costs
from engines.acquire.league.breeding import Breeder, founder
from engines.acquire.league.config import LeagueConfig
from engines.acquire.league.league import League
from engines.acquire.registry import typed_players
from engines.evolution.population import Individual

SMALL = """
evolve = all decisions
population = 30
elite = 5
first tables = 2
tables = 8
annealing = 3
hall interval = 2
hall tables = 8
opponent = heuristic 3, pair-2
opponent share = 0.4
founders = composed
doubt = 10
examination interval = 3
panel games = 4
"""
OWN = "functions = 4\nregisters = 2\nmost work = 300\n"
THREE = "players = 2\nrules = thesis-2002\n"
FOUR = "players = 4\nrules = thesis-7\n"
GENERATIONS = 6


def evolved(config: str, is_stopped: bool = False) -> str:
    """A digest of all who are born and all that they make, every task from its pickle; stopped after each step."""
    read = LeagueConfig.loads(config)
    born: list[Individual[Genome]] = []
    league = League(read, 1, born.__getitem__)
    found = blake2b(digest_size=8)
    for _ in range(GENERATIONS):
        tasks = pickle.loads(pickle.dumps(league.tasks()))
        generation = league.step([task.play() for task in tasks])
        born += generation.born
        for each in generation.born:
            found.update(f"{each.origin} {each.parents} {each.genome.dumps()}".encode())
        found.update(repr([contest.returns for contest in generation.contests]).encode())
        if is_stopped:
            state, league = league.dumps(), League(read, 1, born.__getitem__)
            league.resume(state)
    return found.hexdigest()


@pytest.mark.parametrize(
    ("config", "expected"), [(SMALL + THREE, "784eae7c188ec41a"), (SMALL + FOUR, "49e6b40cf7fa9569")]
)
def test_without_them_runs_are_what_they_were(config: str, expected: str) -> None:
    """As before there were any."""
    assert evolved(config) == expected


def test_stops_do_not_matter() -> None:
    assert evolved(SMALL + THREE + OWN, is_stopped=True) == evolved(SMALL + THREE + OWN)


def test_everybody_has_as_many_as_are_wanted_and_none_too_large() -> None:
    config = LeagueConfig.loads(SMALL + THREE + OWN)
    breeder, rng = Breeder(config), Random(3)
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


def test_a_founder_that_would_be_too_large_has_plain_functions() -> None:
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


def test_no_change_makes_a_program_too_much_work() -> None:
    """Also where it is the function that has changed, and not who calls it."""
    config = LeagueConfig.loads(SMALL.replace("composed", "random") + THREE + OWN + "crossover = 0\n")
    breeder, rng = Breeder(config), Random(5)
    genomes = [child.genome for child in breeder.founders(rng)]
    most = max(cost.work for genome in genomes for cost in costs(dict(genome.programs())).values())
    for _ in range(10):
        genomes = [child.genome for child in breeder.children(genomes, [1.0] * len(genomes), 30, rng)]
        works = [cost.work for genome in genomes for cost in costs(dict(genome.programs())).values()]
        assert max(works) <= max(most, 300)
