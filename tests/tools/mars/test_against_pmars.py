"""Command lines and battles by others, with what pMARS 0.9.2 answered; every row with -m slow."""

import csv
import json
from pathlib import Path

import pytest

from tests.tools.mars.terminal import answer

SAMPLE = 25  # every so many rows


@pytest.fixture
def expected(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(shared_data / "corewar")
    return Path("expected")


def test_command_lines_give_the_output_of_pmars(expected: Path) -> None:
    rows = [json.loads(line) for line in (expected / "cli.jsonl").read_text().splitlines()]
    assert rows
    for row in rows:
        given = answer(row["args"], row["stdin"])
        assert given.status == row["rc"] and given.out == row["stdout"], row["id"]
        assert "-V" in row["args"] or given.err == row["stderr"], row["id"]


@pytest.mark.parametrize("table", ["battles.tsv", "battles_extra.tsv"])
def test_sampled_battles_end_as_in_pmars(expected: Path, table: str) -> None:
    _battles(expected / table, SAMPLE)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["battles.tsv", "battles_extra.tsv"])
def test_all_battles_end_as_in_pmars(expected: Path, table: str) -> None:
    _battles(expected / table, 1)


def _battles(path: Path, step: int) -> None:
    with path.open(encoding="latin-1", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert rows
    for row in rows[::step]:
        words = json.loads(row["args"]) + json.loads(row["warriors"])
        for switch, column in (("-b", "stdout_b"), ("-bk", "stdout_k")):
            given = answer([switch, *words])
            assert (given.status, given.out) == (int(row["rc"]), json.loads(row[column])), row["id"]


def test_e1_reproduces_the_results_of_evolving_warriors(expected: Path) -> None:
    """ "Evolving Warriors", section RESULTS: E1 against three that were made by hand, 100 rounds each."""
    with (expected / "e1_table.tsv").open(encoding="latin-1", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    counts = {}
    for row in rows:
        words = json.loads(row["args"])
        if "10000" in words:
            continue
        given = answer(["-b", *words, "warriors/e1.red", row["file"]])
        assert (given.status, given.out) == (0, json.loads(row["stdout_b"])), row
        if "4000" in words:
            counts[row["opponent"]] = given.out.splitlines()[-1]
    assert counts == {
        "Blur 2": "Results: 21 63 16",
        "Impfinity v4g1": "Results: 2 36 62",
        "Benj's Revenge 1.0": "Results: 12 59 29",
    }


def test_the_validate_warrior_ties_with_itself(expected: Path) -> None:
    """Stefan Strack's test of a MARS loops for ever where all is well, and else kills itself."""
    validate = str(expected.parent / "warriors" / "pmars_dist" / "validate.red")
    for switches in (["-8"], []):
        given = answer(["-b", *switches, "-r", "10", "-f", validate, validate])
        assert (given.status, given.out.splitlines()[-1]) == (0, "Results: 0 0 10")
