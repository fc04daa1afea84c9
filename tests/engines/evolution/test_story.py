"""Milestones: the first generation of each fact, in order; and charts: described ones first, none lost."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from core.random import Random
from engines.chess.genome import Genome as Genes
from engines.chess.genome_file import load_bundled
from engines.corewar.evolution.genome import WarriorGenome
from engines.evolution.charts import Chart, described
from engines.evolution.population import Contest, Fitness, Generation, Individual, Measurement
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore, StoredGeneration
from engines.evolution.story import Milestone, Story, enumerated, firsts, in_order, victories
from tests.toy import Bests
from tools.games import GAMES, statistics_of


def past(*statistics: Mapping[str, Any]) -> list[StoredGeneration]:
    return [
        StoredGeneration(number=number, hash="", seconds=0.0, statistics=facts)
        for number, facts in enumerate(statistics)
    ]


def test_a_fact_is_a_milestone_in_its_first_generation_only() -> None:
    def reached(statistics: Mapping[str, Any]) -> Iterator[str]:
        if statistics.get("best", 0) > 1:
            yield "More than one."

    generations = past({}, {"best": 1}, {"best": 2}, {"best": 0}, {"best": 3})
    assert firsts(generations, reached) == [Milestone(generation=2, text="More than one.")]


def test_victories_are_wins_over_more_games_than_are_lost() -> None:
    panels = past(
        {},
        {"rock": [3, 0, 3], "paper": [1, 4, 2]},
        {"rock": [2, 0, 3], "scissors": [0, 1, 1], "paper": [9, 0, 0]},
    )
    assert victories(panels, (), "It wins") == [
        Milestone(generation=1, text="It wins against paper, a fixed opponent."),
        Milestone(generation=2, text="It wins against rock and scissors, fixed opponents."),
    ]


def test_milestones_of_several_kinds_come_in_order() -> None:
    early, late = Milestone(generation=1, text="a"), Milestone(generation=9, text="b")
    assert in_order([late], [early]) == (early, late)
    assert [enumerated(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == [
        "a",
        "a and b",
        "a, b and c",
    ]


def test_charts_come_in_the_order_of_the_game_and_none_is_lost() -> None:
    charts = (
        Chart(name="strength", title="Strength", unit="points", meaning="Rising is better."),
        Chart(name="size", title="Size", unit="words", meaning="Neither."),
    )
    found = described(["size: mean", "odd: x", "strength: best", "size: most"], charts)
    assert [(chart.title, names) for chart, names in found.items()] == [
        ("Strength", ["strength: best"]), ("Size", ["size: mean", "size: most"]), ("odd", ["odd: x"]),
    ]  # fmt: skip


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.statistics])
def test_every_chart_says_what_it_is_and_what_rising_means(game: str) -> None:
    """The first one of each game measures strength against something fixed."""
    statistics = statistics_of(game)
    assert statistics is not None
    charts = statistics.CHARTS
    assert charts[0].is_yardstick
    assert len({chart.name for chart in charts}) == len(charts)
    for chart in charts:
        assert chart.title[0].isupper() and chart.unit and chart.meaning.endswith("."), chart.name


class Unsure(Bests):
    """Statistics by which the champion follows from the present state only."""

    def champion(self, record: object, state: str) -> int | None:
        return 7 if state else None


def test_the_champion_of_an_earlier_generation_is_the_fittest_of_it(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", game="none", config="", seed=1, version="0") as store:
        for number, values in enumerate(((), (0.5, 0.1), (), (0.2, 0.3))):
            fitness = tuple(Fitness(id=id, value=value, games=1) for id, value in enumerate(values))
            measured = Measurement(name="share", values=fitness) if fitness else None
            store.write(Generation(number=number, fitness=measured), "state", "", 0.0)
        history = RunHistory(store)
        assert [history.champion_at(Unsure(), number) for number in range(4)] == [None, 0, 0, 7]
        assert [history.champion_at(Bests(), number) for number in range(4)] == [0, 1, 2, 3]


# -- Stories of the games ----------------------------------------------------------------------------


def told(folder: Path, game: str, *generations: Generation[Any]) -> Story:
    """Return the story of a run with these generations, of the configuration that the page offers."""
    statistics, evolution = statistics_of(game), GAMES[game].evolution
    assert statistics is not None and evolution is not None
    config = (evolution().RUNS / f"{GAMES[game].first_run}.txt").read_text(encoding="utf-8")
    with RunStore.create(folder, game=game, config=config, seed=1, version="0") as store:
        for generation in generations:
            store.write(generation, "", "", 0.0)
        return statistics.story(store)


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.statistics])
def test_a_run_that_has_not_started_says_what_to_expect(game: str, tmp_path: Path) -> None:
    story = told(tmp_path / "run", game)
    assert story.beginning == "The run has not started yet." and story.expected.endswith(".")
    assert not story.milestones and story.example is None


def test_random_chess_players_are_described_by_what_they_think_of_the_pieces(tmp_path: Path) -> None:
    """Handset values its pieces as people do; it comes first as a founder's child."""
    founders = tuple(Individual(id=id, genome=Genes.random(Random(id))) for id in range(6))
    child = Individual(id=6, genome=load_bundled("handset"), parents=(0, 1), generation=2, origin="mating")
    mate = Contest(players=(3, 6), returns=(-1.0, 1.0), ending="checkmate")
    story = told(
        tmp_path / "run", "chess",
        Generation(number=0, born=founders), Generation(number=1), Generation(number=2, born=(child,), contests=(mate,)),
    )  # fmt: skip
    assert story.beginning.startswith("Generation 0 has 6 players whose genes are random.")
    assert story.example in range(6)
    assert {(each.generation, each.individual) for each in story.milestones} == {(2, 6)}
    assert story.milestones[0].text == "The first checkmate."


def test_of_several_levels_of_damage_in_a_generation_the_last_is_a_milestone(tmp_path: Path) -> None:
    bests = (500, -10, -3000, -900, -2500)
    trials: list[Generation[Any]] = [
        Generation(number=number, statistics={"best": best, "mean": 700, "tried": 300, "trials": 300})
        for number, best in enumerate(bests, 1)
    ]
    story = told(tmp_path / "run", "protection", Generation(number=0), *trials)
    assert story.beginning.startswith("Generation 0 has 300 random strings") and "by $500" in story.beginning
    assert [(each.generation, each.text) for each in story.milestones] == [
        (2, "The first string that costs the user money in its trial."),
        (3, "The first string that costs the user more than $2,000 in its trial."),
    ]


def test_warriors_are_described_by_what_they_do_alone(tmp_path: Path) -> None:
    """One stops at once, one stays in place; the imp, which leads the second generation, fills the core."""
    stop, stay, imp = (
        WarriorGenome.loads(f";redcode\n;assert CORESIZE == 800\nORG 0\n{code}\nEND\n")
        for code in ("DAT.F $0, $0", "JMP.B $0, $0", "MOV.I $0, $1")
    )
    tribe = {"length": 1.0, "genotypes": 2, "codes": 2, "best": 2, "grade": 9.0}
    story = told(
        tmp_path / "run", "corewar",
        Generation(number=0, born=(Individual(id=0, genome=stop), Individual(id=1, genome=stay))),
        Generation(number=1, born=(Individual(id=2, genome=imp, parents=(1,), generation=1),), statistics={"tribes": [tribe]}),
        Generation(number=2, statistics={"panel": {"Dwarf": [1, 0, 9]}, "champions": [[2, 90.0]]}),
    )  # fmt: skip
    assert "Generation 0 has 2 programs of random instructions." in story.beginning
    assert "1 of 2 stopped by themselves" in story.beginning
    assert "1 was still running" in story.beginning
    assert story.example == 0
    texts = [(each.generation, each.text) for each in story.milestones]
    assert (1, "The first leading warrior that is still running at the end of a round.") in texts
    assert any(number == 1 and "copies itself and moves on" in text for number, text in texts)
    assert texts[-1] == (
        2,
        "The best warriors win more rounds than they lose against Dwarf, a fixed opponent.",
    )
