"""The rules of section 5, applied to games whose outcomes the tests decide."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.es_population import EsPopulation
from engines.chess.experiment import champion
from engines.chess.game_settings import GameSettings
from engines.chess.gene_pool import GenePool, GenePoolState
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.chess.self_play import GameResult, SelfPlayGame
from engines.evolution.population import Generation
from engines.evolution.state import dump_state

BASE = """
maximum simultaneous games = 8
gene pool population = 4
gene pool count = 2
draw kill probability = 0.05
pool swap interval = 1000
minimum game time = 30
maximum game time = 120
game time increment = 0
gene pool file = pool.txt
"""

Returns = Callable[[int, SelfPlayGame], tuple[float, float]]


class Run:
    """A population and its record; tests say how its games end."""

    def __init__(self, settings: str = "", seed: int = 1) -> None:
        self.config = PoolConfig.loads(
            "\n".join(
                line
                for line in BASE.strip().splitlines()
                if line.partition("=")[0].strip()
                not in {each.partition("=")[0].strip() for each in settings.splitlines()}
            )
            + "\n"
            + settings
        )
        self.seed = seed
        self.generations: list[Generation[Genome]] = []
        self.pool = self.new()
        self.step(lambda index, game: (0.0, 0.0))

    def new(self, state: GenePoolState | None = None) -> GenePool:
        return GenePool(GameSettings.of(self.config), self.seed, self.genome, state=state)

    def genome(self, id: int) -> Genome:
        return self.genomes()[id]

    def genomes(self) -> dict[int, Genome]:
        return {born.id: born.genome for generation in self.generations for born in generation.born}

    def step(self, returns: Returns) -> Generation[Genome]:
        games = self.pool.tasks()
        assert self.pool.tasks() == games, "asking changes nothing"
        outcomes = [
            GameResult(returns=returns(index, game), ending="checkmate", plies=40, record=b"")
            for index, game in enumerate(games)
        ]
        self.generations.append(self.pool.step(outcomes))
        return self.generations[-1]

    def living(self) -> list[list[int]]:
        return [[member.id for member in pool.members] for pool in self.pool.pools]


def white(index: int, game: SelfPlayGame) -> tuple[float, float]:
    return 1.0, -1.0


def draw(index: int, game: SelfPlayGame) -> tuple[float, float]:
    return 0.0, 0.0


def random_result(index: int, game: SelfPlayGame) -> tuple[float, float]:
    return ((1.0, -1.0), (-1.0, 1.0), (0.0, 0.0))[Random(game.seed).below(3)]


def test_founders_are_random_and_all_different() -> None:
    run = Run()
    assert run.living() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert len({genome.dumps() for genome in run.genomes().values()}) == 8


def test_a_child_of_both_players_replaces_the_loser() -> None:
    run = Run()
    generation = run.step(white)
    assert [born.id for born in generation.born] == [8, 9, 10, 11]
    for contest, child in zip(generation.contests, generation.born, strict=True):
        winner, loser = contest.players
        assert child.parents == (winner, loser)
        assert child.origin == "mating"
        living = run.living()[contest.niche]
        assert child.id in living
        assert winner in living
        assert loser not in living
        member = next(each for each in run.pool.pools[contest.niche].members if each.id == winner)
        assert (member.wins, member.winning_streak, member.draws) == (1, 1, 0)
    assert sorted(generation.statistics["died"]) == sorted(
        contest.players[1] for contest in generation.contests
    )


def test_a_child_has_genes_of_both_parents_and_few_changed_ones() -> None:
    run = Run()
    changed = kept = 0
    for _ in range(60):
        generation = run.step(white)
        genomes = run.genomes()
        for child in generation.born:
            mother, father = (genomes[id] for id in child.parents)
            for gene in child.genome.genes:
                if gene in (mother[gene.name], father[gene.name]):
                    kept += 1
                else:
                    changed += 1
    # Two of ten genes mutate on average; a few changes are too small to see.
    assert 0.17 < changed / (changed + kept) < 0.23


def test_wins_and_draws_add_up_to_the_games() -> None:
    run = Run("draw kill probability = 0.5")
    for _ in range(29):
        run.step(random_result)
    for pool in run.pool.pools:
        assert pool.games == 29 * 2
        assert pool.white_wins + pool.black_wins + pool.draws == pool.games
        assert pool.white_wins and pool.black_wins and pool.draws


def test_a_draw_kills_with_the_configured_probability() -> None:
    run = Run("gene pool population = 100\ndraw kill probability = 0.05")
    born = 0
    for _ in range(40):
        generation = run.step(draw)
        born += len(generation.born)
        for child in generation.born:
            assert child.origin == "draw"
    meetings = 40 * 100
    assert 0.035 < born / meetings < 0.065
    assert sum(pool.new_blood for pool in run.pool.pools) == born


def test_new_blood_comes_from_newcomers_and_from_the_past() -> None:
    run = Run("draw kill probability = 1")
    parents = []
    for _ in range(100):
        before = run.living()
        generation = run.step(draw)
        for contest in generation.contests:
            assert " mates with " in contest.remark
        for child in generation.born:
            parents.append(len(child.parents))
            chosen = child.parents[0]
            assert any(chosen in pool for pool in before), "the chosen one mates ..."
            assert not any(chosen in pool for pool in run.living()), "... and is replaced itself"
        assert generation.statistics["new_blood"] == 4 * run.pool.generation
    assert 0.4 < parents.count(2) / len(parents) < 0.6
    dead = {id for generation in run.generations for id in generation.statistics["died"]}
    assert any(
        id in dead for generation in run.generations for child in generation.born for id in child.parents[1:]
    )


def test_the_best_are_copied_over_the_worst_of_the_next_pool() -> None:
    run = Run("pool swap interval = 10\ngene pool count = 3")
    swaps = []
    for _ in range(20):
        records = {
            (number, member.id): member.merit
            for number, pool in enumerate(run.pool.pools)
            for member in pool.members
        }
        generation = run.step(white)
        for id, home, to in generation.statistics["swaps"]:
            swaps.append((run.pool.generation, home, to))
            assert id in run.living()[home]
            copy = next(member for member in run.pool.pools[to].members if member.id == id)
            assert copy.games_here == 0
            best = run.pool.pools[home].best()
            assert best.id == id or best.merit <= records.get((home, id), best.merit)
    # Two games a round and pool: every fifth round, cyclically.
    assert sorted({round for round, _, _ in swaps}) == [5, 10, 15, 20]
    assert {(home, to) for _, home, to in swaps} == {(0, 1), (1, 2), (2, 0)}
    assert any(member.home != home for home, pool in enumerate(run.pool.pools) for member in pool.members)


def test_how_long_a_visitor_survives_is_recorded() -> None:
    run = Run("pool swap interval = 4")
    survived: list[Any] = []
    for _ in range(60):
        generation = run.step(random_result)
        survived += generation.statistics["survived"]
    assert survived
    assert all(games >= 0 and pool in (0, 1) for _, pool, games in survived)
    assert any(games > 0 for *_, games in survived)


def test_the_game_time_oscillates() -> None:
    run = Run("minimum game time = 10\nmaximum game time = 30\ngame time increment = 10")
    times = [run.step(white).statistics["seconds"] for _ in range(9)]
    assert times == [10, 20, 30, 20, 10, 20, 30, 20, 10]


def test_the_game_time_may_be_constant_or_a_ramp() -> None:
    run = Run()
    assert {run.step(white).statistics["seconds"] for _ in range(5)} == {30}
    run = Run("minimum game time = 10\nmaximum game time = 30\ngame time increment = 15\ngame time = ramp")
    assert [run.step(white).statistics["seconds"] for _ in range(5)] == [10, 25, 30, 30, 30]
    run = Run("minimum game time = 10\nmaximum game time = 30\ngame time increment = -15\ngame time = ramp")
    assert [run.step(white).statistics["seconds"] for _ in range(4)] == [30, 15, 10, 10]


def test_every_game_breeds_under_the_rules_of_2025() -> None:
    run = Run("pool rules = 2025")
    generation = run.step(draw)
    assert len(generation.born) == len(generation.contests)
    assert {child.origin for child in generation.born} == {"mating"}
    assert all(pool.draws == pool.games for pool in run.pool.pools)


def test_several_games_a_pairing_exchange_colours_and_are_added_up() -> None:
    run = Run("games per pairing = 2")
    generation = run.step(white)  # one win each
    assert not generation.born
    first, second = generation.contests[:2]
    assert first.players == second.players[::-1]
    run = Run("games per pairing = 2")
    generation = run.step(lambda index, game: (1.0, -1.0) if index % 2 == 0 else (0.0, 0.0))
    assert len(generation.born) == 4
    assert all(
        child.parents[0] == generation.contests[2 * index].players[0]
        for index, child in enumerate(generation.born)
    )


def test_champions_of_the_past_kill_but_do_not_die() -> None:
    run = Run("hall of fame = 50\npool swap interval = 2\nseed = 3")
    met = 0
    for round in range(40):
        before = run.living()
        generation = run.step(white if round % 2 else (lambda index, game: (-1.0, 1.0)))
        for contest in generation.contests:
            champions = [id for id in contest.players if id not in before[contest.niche]]
            met += len(champions)
            assert contest.players[0] not in champions or len(set(contest.players)) == 1
    assert met > 10
    assert all(len(pool.members) == 4 for pool in run.pool.pools)


def test_a_run_resumes_from_its_state() -> None:
    settings = "draw kill probability = 0.5\npool swap interval = 6\nhall of fame = 20"
    whole, parts = Run(settings), Run(settings)
    assert champion([], "") is None
    for _ in range(30):
        generation = whole.step(random_result)
        assert champion([generation.statistics], dump_state(whole.pool.state)) == whole.pool.best().id
        state = parts.pool.state
        parts.pool = parts.new(state)
        assert parts.pool.state == state
        assert parts.step(random_result) == generation
        assert parts.pool.state == whole.pool.state


@pytest.mark.parametrize("interval", [1, 3])
def test_the_panel_measures_the_best(interval: int) -> None:
    run = Run(f"panel games = 4\npanel interval = {interval}")
    for round in range(1, 7):
        generation = run.step(white)
        if round % interval:
            assert "panel" not in generation.statistics
        else:  # White wins: half of the games
            assert generation.statistics["panel"] == {"unevolved": [2, 0, 2], "handset": [2, 0, 2]}
        assert len(generation.contests) == 4


# -- The strategy ----------------------------------------------------------------------------------


def test_the_strategy_moves_towards_the_genes_of_winners() -> None:
    """Whoever has the larger Total Force wins: its priority grows, step by step, and others stay about."""
    config = PoolConfig.loads(
        BASE.replace("gene pool count = 2", "gene pool count = 1").replace(
            "gene pool population = 4", "gene pool population = 40"
        )
        + "pool rules = strategy\ngames per pairing = 2\nfirst step = 0.3\nplanned rounds = 60\nfounder = unevolved\n"
    )
    genomes: dict[int, Genome] = {}
    settings = GameSettings.of(config)
    pool = EsPopulation(settings, 5, genomes.__getitem__, load_bundled("unevolved"))

    def play(games: Sequence[SelfPlayGame]) -> list[GameResult]:
        outcomes = []
        for game in games:
            force = [genome["Total Force Gene"]["Priority"] for genome in (game.white, game.black)]
            returns = (1.0, -1.0) if force[0] > force[1] else (-1.0, 1.0)
            outcomes.append(GameResult(returns=returns, ending="checkmate", plies=1, record=b""))
        return outcomes

    before = pool.centre.genome["Total Force Gene"]["Priority"]
    for round in range(60):
        generation = pool.step(play(pool.tasks()))
        genomes |= {born.id: born.genome for born in generation.born}
        assert pool.centre.id in genomes
        if round == 30:  # and it goes on from its state
            state = pool.state
            pool = EsPopulation(settings, 5, genomes.__getitem__, load_bundled("unevolved"), state)
            assert pool.state == state
            assert champion([generation.statistics], dump_state(state)) == pool.best().id
    after = pool.centre.genome
    assert after["Total Force Gene"]["Priority"] > before + 1
    assert abs(after["Freedom to Move Gene"]["Priority"] - 1) < 0.7


def test_search_genes_evolve_without_changing_other_genes() -> None:
    """Whoever has the larger Aspiration Window wins: it grows, and what scores positions stays as it was."""
    config = PoolConfig.loads(
        BASE.replace("gene pool count = 2", "gene pool count = 1").replace(
            "gene pool population = 4", "gene pool population = 20"
        )
        + "pool rules = strategy\ngenes = search\ngames per pairing = 2\nfirst step = 1\nplanned rounds = 20\n"
        "founder = handset\n"
    )
    founder = load_bundled("handset").with_search()
    nobody: dict[int, Genome] = {}
    pool = EsPopulation(GameSettings.of(config), 5, nobody.__getitem__, founder)
    for _ in range(20):
        pool.step(
            [
                GameResult(
                    returns=(1.0, -1.0) if window(game.white) > window(game.black) else (-1.0, 1.0),
                    ending="checkmate",
                    plies=1,
                    record=b"",
                )
                for game in pool.tasks()
            ]
        )
    after = pool.centre.genome
    assert window(after) > window(founder) + 10
    changed = {gene.name for gene, old in zip(after.genes, founder.genes, strict=True) if gene != old}
    assert changed == {"Look Ahead Gene", "Search Gene"}


def window(genome: Genome) -> float:
    return genome["Search Gene"]["Aspiration Window"]
