"""The examples in docstrings: each prints what it says."""

import doctest
import re
from importlib import import_module

import pytest

from tests.test_rules import ROOT, SOURCES

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in SOURCES
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("module", MODULES)
def test_examples_print_what_they_say(module: str) -> None:
    failed, tried = doctest.testmod(import_module(module))
    assert failed == 0
    assert tried > 0


def test_the_concepts_that_teach_by_example_have_examples() -> None:
    assert {
        "engines.engine",
        "engines.statistics",
        "engines.time_control",
        "engines.chess.genome",
        "engines.acquire.genome",
        "engines.match.standings",
    } <= set(MODULES)
