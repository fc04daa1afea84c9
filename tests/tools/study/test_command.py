"""`galapagos study`: its table, Markdown and JSON."""

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest

from tests.tools.study.worlds import GENERATIONS
from tools.study import command
from tools.study.findings import FINDINGS
from tools.study.run import Run


def said(capsys: pytest.CaptureFixture[str], *words: str | Path, status: int = 0) -> str:
    parser = ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args([str(word) for word in words])) == status
    streams = capsys.readouterr()
    return streams.err if status else streams.out


@pytest.fixture(scope="module")
def folders(told: list[Run]) -> list[Path]:
    return [Path(run.folder) for run in told]


def test_the_table_names_runs_and_verdicts(
    capsys: pytest.CaptureFixture[str], folders: list[Path], told: list[Run]
) -> None:
    text = said(capsys, *folders)
    for run in told:
        assert f"{run.games:,}" in text and run.hash[:12] in text and run.folder in text
    assert "6.5    Threefold repetition is the most common draw: REPRODUCED" in text
    assert max(map(len, text.splitlines())) <= 110 + len(str(folders[0]))
    text = " ".join(text.split())
    assert "5 of 5 runs, 1.00 [0.57, 1.00]" in text
    assert "the manual's 1.00 is outside; the manual's 1.50 is outside" in text
    assert "the manual's 1.100 is inside" in text


def test_markdown_is_two_tables(capsys: pytest.CaptureFixture[str], folders: list[Path]) -> None:
    lines = [line for line in said(capsys, *folders, "--markdown").splitlines() if line.startswith("|")]
    columns = [line.count("|") for line in lines]
    assert columns == [6] * 7 + [5] * (2 + len(FINDINGS) + sum(len(each.claims) for each in FINDINGS))


def test_json_has_the_numbers(
    capsys: pytest.CaptureFixture[str], folders: list[Path], told: list[Run]
) -> None:
    data = json.loads(said(capsys, *folders[:2], "--json"), parse_constant=pytest.fail)
    assert [run["seed"] for run in data["runs"]] == [0, 1]
    assert data["runs"][0]["promotions_from_games"] == GENERATIONS
    assert data["runs"][0]["promotions"]["Q"] == 93 * GENERATIONS
    first = data["findings"][0]["claims"][0]
    assert (first["runs_showing"], first["runs_measured"]) == (2, 2)
    assert first["verdict"] == "undecided" and first["numbers"] == [1.0, 1.0]


def test_criteria_need_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(said(capsys, "--criteria").split())
    for finding in FINDINGS:
        for claim in finding.claims:
            assert f"{claim.name}: {claim.criterion}." in text
    assert said(capsys, status=2) == "galapagos study: name a run or more, or --criteria\n"
    assert said(capsys, Path("nowhere"), status=2).startswith("galapagos study: nowhere holds no run")
