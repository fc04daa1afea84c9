"""Benchmarks that everybody knows, with the scores that pMARS 0.9.2 gives."""

import csv
from pathlib import Path

import pytest

from engines.corewar.battles import Tally
from engines.corewar.ranking import benchmark
from engines.corewar.ranking.bouts import Draw, fight, tasks
from engines.corewar.ranking.standing import Standing
from tests.engines.corewar.ranking.redcode import NANO, STANDARD, read

EXACT = 0.005  # scores are recorded to two decimals


def measured(paths: list[Path], against: list[Path], draw: Draw, nano: bool = False) -> list[Standing]:
    """In the order of `paths`."""
    rules = NANO if nano else STANDARD
    warriors, opponents = ([read(path, rules) for path in each] for each in (paths, against))
    tallies = [
        tally for task in tasks(rules, draw, benchmark.pairs(warriors, opponents)) for tally in fight(task)
    ]
    return sorted(benchmark.standings(len(opponents), tallies, draw.exact), key=lambda each: each.seat)


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
    standings = measured([corewar / row[0] for row in chosen], members, Draw.every_place(NANO), nano=True)
    for row, standing in zip(chosen, standings, strict=True):
        assert standing.score.value == pytest.approx(float(row[2]), abs=EXACT), row[0]
        assert standing.score.low == standing.score.high


@pytest.mark.parametrize(
    ("name", "rounds", "score"),
    [
        ("e1.red", 100, 112.83),
        ("pswing.redcode", 50, 171.83),
        ("Impfinityv4g1.redcode", 100, 151.92),
        (
            "Jackinthebox.redcode",
            50,
            150.00,
        ),  # with PIN 0: a point lower than if others had P-spaces of their own
    ],
)
def test_the_wilkies(name: str, rounds: int, score: float, corewar: Path) -> None:
    wilkies = sorted(path for path in corewar.rglob("*.redcode") if path.parent.name == "wilkie")
    assert len(wilkies) == 12
    path = next((corewar / "warriors").rglob(name))
    (standing,) = measured([path], wilkies, Draw(rounds=rounds, seed=None))
    assert standing.score.value == pytest.approx(score, abs=EXACT)
    assert standing.score.low < standing.score.value - 3 < standing.score.value + 3 < standing.score.high


def test_e1_against_its_three_opponents(corewar: Path) -> None:
    """A hundred rounds each as the record has them."""
    with (corewar / "expected" / "e1_table.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["args"] == '["-r", "100", "-f"]']
    e1 = read(corewar / "warriors" / "e1.red", STANDARD)
    opponents = [read(corewar / row["file"], STANDARD) for row in rows]
    draw = Draw(rounds=100, seed=None)
    tallies = [
        tally for task in tasks(STANDARD, draw, benchmark.pairs([e1], opponents)) for tally in fight(task)
    ]
    for row, tally in zip(rows, tallies, strict=True):
        wins, losses, ties = map(int, row["stdout_b"].split("Results: ")[1].split("\\n")[0].split())
        assert tally == Tally.of_two(wins=wins, losses=losses, ties=ties), row["opponent"]
