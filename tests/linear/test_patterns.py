"""No regular expression of the program takes more than linear time, and the proof of that is right about others."""

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from tests.linear.patterns import MATCHES, SEARCHES, Use, module_of, uses, why_not_linear

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "engines", "protocols", "tools")
# They read what we have written ourselves: C that mypyc has made of our sources, our documents, our benchmarks.
OURS = ("tools/build.py", "tools/mypyc_patches", "tools/reference.py", "tools/bench")

LINEAR = [
    (r"a*b", "match"),
    (r"(a|b)*c", "match"),
    (r"a*a*", "match"),  # succeeds after the first
    (r"\s*;x(.*)", "match"),
    (r"a{1,40}b", "fullmatch"),
    (r"[^a]+", "finditer"),
    (r"\d+(?:\.\d*)?", "search"),
    (r'"[^"]*"', "finditer"),
    (r"\b(\w+)=", "finditer"),
    (r"(?<!\w)\w+=", "finditer"),
    (r"^[ \t]*END$", "finditer"),
    (r'"(?:[^"\\]++|\\.)*+"?', "sub"),
    (r"\A\s*$", "search"),
    (r"a*+b", "match"),
]
NOT_LINEAR = [
    (r"(a*)*b", "match"),
    (r"(a|aa)*b", "match"),
    (r"(a?b?)*c", "match"),
    (r"(?:a|b|ab)*c", "match"),
    (r"a*a*b", "match"),
    (r"a*ba*c|a*a*d", "match"),
    (r".*a.*b", "match"),
    (r"[0-9]+\.?[0-9]*x", "match"),
    (r"a*b", "search"),
    (r"\s*$", "sub"),
    (r"\s+x", "split"),
    (r"\w+=", "finditer"),
    (r"x(?:[xa]*b)?", "finditer"),  # each succeeds, after it has read all that follows
    (r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])', "finditer"),  # T1
    (r"\s*;\s*token(?!\w)\s*(.*?)\s*$", "match"),  # T2
    (r" - at `(?:key in )?(.*)`$", "search"),
    (r"^\s*evolve\s*=([^#\n]*)", "search"),
    (r"\s*(?:([0-9]+)|(\S))", "finditer"),
]


def sources() -> list[Path]:
    """Return the files of the program that may use a regular expression on what others have written."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return [
        path
        for path in paths
        if not str(path.relative_to(ROOT)).startswith(OURS)
        and re.search(r"^import re$|[A-Z]\.\w+\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@cache
def found() -> list[Use]:
    return [use for path in sources() for use in uses(path, ROOT)]


def test_every_regular_expression_on_text_from_outside_is_linear() -> None:
    faults = {
        f"{use.place}: {use.method} of {use.pattern.pattern!r}: {why}"
        for use in found()
        if (why := why_not_linear(use.pattern, use.method))
    }
    assert not faults, "\n".join(sorted(faults))


def test_regular_expressions_are_module_constants_and_seen_in_use() -> None:
    used = {use.pattern.pattern for use in found()}
    for path in sources():
        for call in re.findall(
            r"^.*\bre\.compile\($|^.*\bre\.compile\(.*", path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            assert not call.startswith(" ") or call.strip() == "re.compile(", f"{path}: {call.strip()}"
        constants = vars(importlib.import_module(module_of(path, ROOT))).values()
        assert {each.pattern for each in constants if isinstance(each, re.Pattern)} <= used, path


@pytest.mark.parametrize(("pattern", "method"), LINEAR)
def test_patterns_without_ambiguity_are_proved_linear(pattern: str, method: str) -> None:
    assert method in MATCHES | SEARCHES
    assert not why_not_linear(re.compile(pattern, re.MULTILINE), method)


@pytest.mark.parametrize(("pattern", "method"), NOT_LINEAR)
def test_patterns_with_ambiguous_repetition_are_refused(pattern: str, method: str) -> None:
    assert why_not_linear(re.compile(pattern, re.MULTILINE), method)
