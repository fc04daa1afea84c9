"""Runs of the two worlds, written once for all tests here, and fewer permutations."""

from collections.abc import Iterator

import pytest

from tests.tools.study.worlds import CONFIRMING, CONTRADICTING, write_run
from tools.study.chess_findings import FINDINGS
from tools.study.chess_runs import Run, read_run
from tools.study.chess_verdicts import Study


@pytest.fixture(scope="package", autouse=True)
def _fewer_permutations() -> Iterator[None]:
    """So that the tests take seconds; p is then at least 0.01."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engines.statistics.PERMUTATIONS", 99)
        yield


@pytest.fixture(scope="package")
def confirming(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("confirming")
    return [read_run(write_run(CONFIRMING, folder / str(seed), seed)) for seed in range(5)]


@pytest.fixture(scope="package")
def contradicting(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("contradicting")
    return [read_run(write_run(CONTRADICTING, folder / str(seed), seed)) for seed in range(10, 15)]


@pytest.fixture(scope="package")
def studied(confirming: list[Run]) -> Study:
    return Study.of(confirming, FINDINGS)
