"""Standings: scores as hills give them, and intervals that hold what they promise."""

import csv
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.corewar import ranking
from engines.corewar.battles import Sampling, Tally, fight_pairs, pair_tasks
from engines.corewar.ranking import Generality, Standing, score, standing
from tests.engines.corewar.redcode import NANO, STANDARD, read

WON = Tally.of_two(wins=10, losses=0, ties=0)
TIED = Tally.of_two(wins=0, losses=0, ties=10)
tallies = st.builds(
    Tally.of_two, wins=st.integers(0, 200), losses=st.integers(0, 200), ties=st.integers(1, 200)
)


def test_the_score_is_300_for_all_wins_and_100_for_all_ties() -> None:
    assert (score([WON]).value, score([TIED]).value, score([WON.reversed()]).value) == (300, 100, 0)


def test_each_opponent_counts_alike() -> None:
    """However many rounds were fought against it."""
    few = Tally.of_two(wins=1, losses=0, ties=0)
    assert score([few, Tally.of_two(wins=0, losses=1000, ties=0)]).value == 150


def test_a_warrior_that_wins_more_rounds_defeats_its_opponent() -> None:
    generality = Generality.of([(1, 0, 2), (0, 9, 0), (3, 4, 3), (5, 9, 4)])
    assert generality == Generality(defeated=1, tied=2, lost=1) and generality.share == 0.75


@given(st.lists(tallies, min_size=1, max_size=6))
def test_the_interval_holds_the_score(fought: list[Tally]) -> None:
    estimate = score(fought)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 300
    exact = score(fought, exact=True)
    assert exact.low == exact.high == exact.value == estimate.value


@given(tallies)
def test_ten_times_the_rounds_make_a_narrower_interval(fought: Tally) -> None:
    more = Tally.of_two(wins=10 * fought.wins, losses=10 * fought.losses, ties=10 * fought.ties)
    assert score([more]).high - score([more]).low <= score([fought]).high - score([fought]).low


@pytest.mark.parametrize("chances", [(0.3, 0.3), (0.05, 0.6), (0.9, 0.05)])
def test_nineteen_of_twenty_intervals_hold_the_truth(chances: tuple[float, float]) -> None:
    """Two opponents, 100 rounds each; wins and ties with these chances, and the other way round."""
    win, tie = chances
    truth = 100 * ((3 * win + tie) + (3 * tie + win)) / 2
    source = random.Random(1)
    held = 0
    for _ in range(1000):
        fought = []
        for first, second in ((win, tie), (tie, win)):
            draws = [source.random() for _ in range(100)]
            wins = sum(draw < first for draw in draws)
            ties = sum(first <= draw < first + second for draw in draws)
            fought.append(Tally.of_two(wins=wins, ties=ties, losses=100 - wins - ties))
        estimate = score(fought)
        held += estimate.low <= truth <= estimate.high
    assert 930 <= held <= 980


def test_a_standing_without_opponents_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one opponent"):
        standing(0, [])


# -- The two orders of fights ------------------------------------------------------------------------


def test_round_robin_results_count_for_both_sides() -> None:
    assert ranking.round_robin_pairs("abc") == [("a", "b"), ("a", "c"), ("b", "c")]
    ranked = ranking.round_robin_standings(3, [WON.reversed(), TIED, WON])
    assert [(each.seat, each.score.value) for each in ranked] == [(1, 300), (0, 50), (2, 50)]
    assert (ranked[0].wins, ranked[1].losses, ranked[2].ties) == (20, 10, 10)


def test_a_benchmark_measures_each_warrior_by_all_opponents() -> None:
    assert ranking.benchmark_pairs("ab", "xy") == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    ranked = ranking.benchmark_standings(2, [TIED, TIED, WON, TIED])
    assert [(each.seat, each.score.value) for each in ranked] == [(1, 200), (0, 100)]


@pytest.mark.parametrize("entrants", ["", "a"])
def test_rankings_of_too_few_warriors_are_refused(entrants: str) -> None:
    with pytest.raises(ValueError, match="two warriors or more"):
        ranking.round_robin_pairs(entrants)
    with pytest.raises(ValueError, match="a warrior and an opponent"):
        ranking.benchmark_pairs(entrants, "")


# Benchmarks that everybody knows, with the scores that pMARS 0.9.2 gives.


EXACT = 0.005  # scores are recorded to two decimals


def measured(paths: list[Path], against: list[Path], draw: Sampling, nano: bool = False) -> list[Standing]:
    """In the order of `paths`."""
    rules = NANO if nano else STANDARD
    warriors, opponents = ([read(path, rules) for path in each] for each in (paths, against))
    tallies = [
        tally
        for task in pair_tasks(rules, draw, ranking.benchmark_pairs(warriors, opponents))
        for tally in fight_pairs(task)
    ]
    return sorted(
        ranking.benchmark_standings(len(opponents), tallies, draw.exact), key=lambda each: each.seat
    )


@pytest.fixture(scope="module")
def corewar(shared_data: Path) -> Path:
    return shared_data / "corewar"


def test_nano_scores_are_exact(corewar: Path) -> None:
    """The first twelve of the table and its last."""
    with (corewar / "expected" / "nanobm07_exact.tsv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    chosen = rows[:12] + rows[-1:]
    members = sorted((corewar / "warriors" / "yace_reloaded" / "nanobm07").glob("*.RED"))
    assert len(members) == 50
    standings = measured([corewar / row[0] for row in chosen], members, Sampling.every_place(NANO), nano=True)
    for row, measured_standing in zip(chosen, standings, strict=True):
        assert measured_standing.score.value == pytest.approx(float(row[2]), abs=EXACT), row[0]
        assert measured_standing.score.low == measured_standing.score.high


@pytest.mark.parametrize(
    ("name", "rounds", "score"),
    [
        ("e1.red", 100, 112.83),
        ("pswing.redcode", 50, 171.83),
        pytest.param("Impfinityv4g1.redcode", 100, 151.92, marks=pytest.mark.slow),
        (
            "Jackinthebox.redcode",
            50,
            150.00,
        ),  # with PIN 0: a point lower than if others had P-spaces of their own
    ],
)
def test_wilkies_benchmark_scores_match_pmars(name: str, rounds: int, score: float, corewar: Path) -> None:
    wilkies = sorted(path for path in corewar.rglob("*.redcode") if path.parent.name == "wilkie")
    assert len(wilkies) == 12
    path = next((corewar / "warriors").rglob(name))
    (standing,) = measured([path], wilkies, Sampling(rounds=rounds, seed=None))
    assert standing.score.value == pytest.approx(score, abs=EXACT)
    assert standing.score.low < standing.score.value - 3 < standing.score.value + 3 < standing.score.high


def test_e1_results_against_three_opponents_match_pmars(corewar: Path) -> None:
    """A hundred rounds each as the record has them."""
    with (corewar / "expected" / "e1_table.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["args"] == '["-r", "100", "-f"]']
    e1 = read(corewar / "warriors" / "e1.red", STANDARD)
    opponents = [read(corewar / row["file"], STANDARD) for row in rows]
    draw = Sampling(rounds=100, seed=None)
    tallies = [
        tally
        for task in pair_tasks(STANDARD, draw, ranking.benchmark_pairs([e1], opponents))
        for tally in fight_pairs(task)
    ]
    for row, tally in zip(rows, tallies, strict=True):
        wins, losses, ties = map(int, row["stdout_b"].split("Results: ")[1].split("\\n")[0].split())
        assert tally == Tally.of_two(wins=wins, losses=losses, ties=ties), row["opponent"]
