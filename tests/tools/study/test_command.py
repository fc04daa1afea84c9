"""`galapagos study`: its table, Markdown and JSON."""

import json
from pathlib import Path

import pytest

from engines.evolution.run_store import RunStore
from tests.tools.galapagos import Galapagos
from tests.tools.study.worlds import GENERATIONS
from tools.study.chess_findings import FINDINGS
from tools.study.chess_runs import Run


@pytest.fixture(scope="module")
def folders(confirming: list[Run]) -> list[Path]:
    return [Path(run.folder) for run in confirming]


def test_the_table_names_runs_and_verdicts(
    galapagos: Galapagos, folders: list[Path], confirming: list[Run]
) -> None:
    text = galapagos.printed("study", *folders)
    for run in confirming:
        assert f"{run.games:,}" in text and run.hash[:12] in text and run.folder in text
    assert "6.5    Threefold repetition is the most common draw: REPRODUCED" in text
    assert max(map(len, text.splitlines())) <= 110 + len(str(folders[0]))
    text = " ".join(text.split())
    assert "5 of 5 runs, 1.00 [0.57, 1.00]" in text
    assert "the manual's 1.00 is outside; the manual's 1.50 is outside" in text
    assert "the manual's 1.100 is inside" in text


def test_markdown_is_two_tables(galapagos: Galapagos, folders: list[Path]) -> None:
    text = galapagos.printed("study", *folders, "--markdown")
    columns = [line.count("|") for line in text.splitlines() if line.startswith("|")]
    assert columns == [6] * 7 + [5] * (2 + len(FINDINGS) + sum(len(finding.claims) for finding in FINDINGS))


def test_json_has_the_numbers_of_each_claim(galapagos: Galapagos, folders: list[Path]) -> None:
    data = json.loads(galapagos.printed("study", *folders[:2], "--json"), parse_constant=pytest.fail)
    assert [run["seed"] for run in data["runs"]] == [0, 1]
    assert data["runs"][0]["promotions_from_games"] == GENERATIONS
    assert data["runs"][0]["promotions"]["Q"] == 93 * GENERATIONS
    first = data["findings"][0]["claims"][0]
    assert (first["runs_showing"], first["runs_measured"]) == (2, 2)
    assert first["verdict"] == "undecided" and first["numbers"] == [1.0, 1.0]


def test_criteria_need_no_run(galapagos: Galapagos) -> None:
    text = " ".join(galapagos.printed("study", "--criteria").split())
    for finding in FINDINGS:
        for claim in finding.claims:
            assert f"{claim.name}: {claim.criterion}." in text


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "name at least one run, or give --criteria\n"),
        (["nowhere"], "nowhere holds no run"),
        (["protection", "--markdown"], "a study of Advanced Protection takes none of --markdown"),
    ],
)
def test_missing_runs_and_unsuitable_options_are_refused(
    words: list[str], complaint: str, galapagos: Galapagos
) -> None:
    assert galapagos.refused("study", *words).startswith(f"galapagos study: {complaint}")


def test_a_run_of_advanced_protection_is_refused_before_any_game(
    tmp_path: Path, galapagos: Galapagos
) -> None:
    with RunStore.create(tmp_path / "run", game="protection", config="", seed=1, version="0"):
        pass
    refused = galapagos.refused("study", tmp_path / "run")
    assert "is a run of protection, which has no study of runs; `galapagos study protection` plays" in refused
