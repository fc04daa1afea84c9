"""What must not change: each case of tests/golden/cases.py gives the text in tests/golden/expected.

A change that is meant is written by `python -m tests.golden.write NAME`, and the commit says which file and why.
"""

from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest

import tests.golden.disk  # noqa: F401  # its cases, too
from tests.golden.cases import CASES, Case, Skipped

LINES = 80  # of a difference that are shown
PARAMETERS = [pytest.param(case, id=case.name, marks=[pytest.mark.slow] * case.is_slow) for case in CASES]


@pytest.mark.parametrize("case", PARAMETERS)
def test_golden(case: Case, tmp_path: Path) -> None:
    try:
        found = case.text(tmp_path)
    except Skipped as reason:
        pytest.skip(str(reason))
    expected = case.path.read_bytes().decode("utf-8")
    if found != expected:
        lines = unified_diff(
            expected.splitlines(),
            found.splitlines(),
            f"{case.name}, golden",
            f"{case.name}, now",
            lineterm="",
            n=1,
        )
        pytest.fail("\n".join(line[:400] for line in islice(lines, LINES)), pytrace=False)


def test_every_golden_file_has_a_case() -> None:
    root = CASES[0].path.parents[len(Path(CASES[0].name).parts) - 1]
    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert files == {case.name for case in CASES}
