"""The cost of any text from outside grows no faster than its length.

The table is tests/linear/ways.py. The default tests see that every way in is in it and answers each of its texts. The
slow one measures: it takes medians of ratios of processor time at 2N and N, in one process, so that no absolute time
counts.
"""

import ast
import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from tests.linear.way import LAST, Way
from tests.linear.ways import EXEMPT, WAYS
from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "engines", "protocols", "tools")
# Parameters by which a function takes text from outside, and names of those that give text out.
TAKEN = {"text", "line", "data", "payload", "content", "message", "source", "fen", "words", "first"}
GIVES_OUT = ("write", "send", "say", "print", "put", "publish", "notice", "end", "traits")
KINDS = {"str", "bytes", "list[str]", "str | None"}
MOST_GROWTH = 2.5  # of the cost, where the text is twice as long
SHORT = 5000  # characters: more than the digits that int() reads
DEEP = 40_000  # brackets, at which recursion without a bound ends the process
BRACKETS = ("(", "[", "{", "<", "(a ", "-(", "!(", "[[", '{"a":', '[{"a":', "(+ 1 ", "a=(", "1+(", "not(", "1 or 1 and 1 < 1 + 1 * (", "!!~", "for 2\n", "a for 2\n", "(1. d4 ")  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_every_way_in_answers_the_texts_that_could_cost_most(way: Way) -> None:
    for name, text in way.texts(min(way.size, SHORT), LAST[:1]):
        try:
            way.answer(text)
        except Exception as error:
            raise AssertionError(f"{way.name}, {name}: {error!r}") from error


def test_every_function_that_takes_text_from_outside_is_in_the_table() -> None:
    covered = {function for way in WAYS for function in way.covers}
    assert set(functions()) == covered | EXEMPT.keys()
    assert not covered & EXEMPT.keys()


def test_deeply_nested_brackets_do_not_crash_the_process() -> None:
    """In a process of its own: compiled code has no limit of recursion (MYPYC.md)."""
    program = (
        "from tests.linear.test_costs import BRACKETS, DEEP, SHORT, WAYS\n"
        "for way in WAYS:\n"
        "    for start in way.starts:\n"
        "        for bracket in BRACKETS:\n"
        "            way.answer(start + bracket * ((DEEP if way.is_deep else SHORT) // len(bracket)))\n"
        "    print(way.name)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE_SECONDS,
    )
    assert ended.returncode == 0, f"after {ended.stdout.splitlines()[-1:]}: {ended.stderr[-2000:]}"
    assert ended.stdout.splitlines() == [way.name for way in WAYS]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_the_cost_of_any_text_grows_no_faster_than_its_length(way: Way) -> None:
    twice = dict(way.texts(2 * way.size))
    grown = {}
    gc.disable()
    try:
        for name, text in way.texts(way.size):
            growth = growth_of(way, text, twice[name])
            if growth > MOST_GROWTH:
                grown[name] = round(growth, 1)
    finally:
        gc.enable()
    assert not grown


def growth_of(way: Way, text: str, twice: str) -> float:
    """Return how many times as much the second text costs: at once, or as a median of neighbours if that is too much.

    Two runs that follow each other have the same processor: a shared one was seen to change its speed by two.
    """
    growth = cost(way, twice) / cost(way, text)
    for runs in (5, 15, 45):
        if growth <= MOST_GROWTH:
            break
        growth = median(cost(way, twice) / cost(way, text) for _ in range(runs))
    return growth


def cost(way: Way, text: str) -> float:
    """Return the processor's time to read a text, in seconds."""
    started = process_time()
    way.answer(text)
    return max(process_time() - started, 1e-5)  # the clock's own error


def functions() -> Iterator[str]:
    """Yield the public functions that take text from outside, as FILE:NAME."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for name in _functions_taking_text(ast.parse(path.read_text(encoding="utf-8")), ""):
                yield f"{path.relative_to(ROOT)}:{name}"


def _functions_taking_text(node: ast.AST, owner: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _functions_taking_text(child, f"{owner}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and not child.name.startswith(
            ("_", *GIVES_OUT)
        ):
            taken = [each for each in child.args.args if each.arg in TAKEN and each.annotation is not None]
            if any(ast.unparse(each.annotation) in KINDS for each in taken if each.annotation):
                yield owner + child.name
