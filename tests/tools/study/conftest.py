"""Runs of the two worlds, written once for all tests here, and fewer permutations."""

from collections.abc import Iterator

import pytest

from tests.tools.study.worlds import AS_TOLD, OTHERWISE, written
from tools.study.run import Run, read
from tools.study.verdict import Study


@pytest.fixture(scope="package", autouse=True)
def _fewer_permutations() -> Iterator[None]:
    """So that the tests take seconds; p is then at least 0.01."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engines.statistics.PERMUTATIONS", 99)
        yield


@pytest.fixture(scope="package")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("told")
    return [read(written(AS_TOLD, folder / str(seed), seed)) for seed in range(5)]


@pytest.fixture(scope="package")
def other(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    folder = tmp_path_factory.mktemp("other")
    return [read(written(OTHERWISE, folder / str(seed), seed)) for seed in range(10, 15)]


@pytest.fixture(scope="package")
def studied(told: list[Run]) -> Study:
    return Study.of(told)
