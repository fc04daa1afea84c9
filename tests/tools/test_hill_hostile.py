"""Hostile texts sent to a hill that is served: a clear answer, at once, and the hill is as it was."""

import math
from argparse import ArgumentParser
from collections.abc import Iterator

import pytest

from engines.corewar.hill_store import HillStore
from tests.tools.served import Served, served
from tools.bench.hostile import HOSTILE, Hostile
from tools.bench.hostile import hostile as benchmark
from tools.hill import add_arguments, run

SECONDS = 1.0  # of the processor: the machine may have other work
MEMORY_BYTES = 100 << 20


@pytest.fixture(scope="module")
def hill(tmp_path_factory: pytest.TempPathFactory) -> HillStore:
    """A nano hill with somebody on it who waits."""
    path = tmp_path_factory.mktemp("hill") / "nano.hill"
    (path.parent / "wait.red").write_text(";redcode-nano\n;assert 1\njmp 0\n")
    parser = ArgumentParser()
    add_arguments(parser)
    for words in (
        ["create", path, "--preset", "nano", "--empty"],
        ["submit", path, path.parent / "wait.red"],
    ):
        assert run(parser.parse_args([str(word) for word in words])) == 0
    return HillStore.open(path)


@pytest.fixture(scope="module")
def server(hill: HillStore) -> Iterator[Served]:
    with served(hill.path) as server:
        server.submit(b";redcode-nano test\nmov 0, 2\n")  # the workers are at hand
        yield server


@pytest.mark.parametrize("each", HOSTILE, ids=lambda each: each.name)
def test_hostile_texts(each: Hostile, server: Served, hill: HillStore) -> None:
    before, spent = hill.hill(), sum(server.cpu_seconds().values())
    first = b";redcode-nano test\n;assert 1\n"
    answer = server.submit(first + each.text)
    assert sum(server.cpu_seconds().values()) - spent < SECONDS
    assert server.most_memory() < MEMORY_BYTES
    said = "Your overall score: " if each.is_warrior else "Your warrior was refused: "
    assert said in answer
    assert answer.isascii() or each.name.endswith("bytes")
    assert all(character.isprintable() or character == "\n" for character in answer) or not each.is_warrior
    assert hill.hill() == before
    assert "Your overall score: " in server.submit(b";redcode-nano test\nmov 0, 2\n"), "it goes on"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b";redcode-94\nmov 0, 2\n", "no hill takes ;redcode-94 here; there is ;redcode-nano"),
        (b";redcode-../../x\nmov 0, 2\n", "no hill takes ;redcode-../../x here"),
        (b";redcode-nano\njmp 0\n", "this code is on the hill already: Unknown by Anonymous"),
        (b";redcode-nano\nstp 0, 1\nmov 0, 1\nmov 0, 1\nmov 0, 1\nmov 0, 1\nmov 0, 1\n", "Too many instr"),
        (b";redcode-nano\n;assert 1\n", "No instructions"),
        (b";redcode-nano\n;assert 0\nmov 0, 1\n", "Assertion in this line fails"),
    ],
)
def test_reasons(text: bytes, reason: str, server: Served, hill: HillStore) -> None:
    before = hill.hill()
    answer = server.submit(text)
    assert answer.startswith("Your warrior was refused: ") and reason in answer
    assert hill.hill() == before


def test_the_benchmark_has_a_row_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    some = HOSTILE[::10]
    monkeypatch.setattr("tools.bench.hostile.HOSTILE", some)
    rows = list(benchmark(None))
    assert [row.name for row in rows] == [each.name for each in some]
    assert all(math.isfinite(row.figure) and row.figure < SECONDS for row in rows)
    assert {row.signature for row in rows} <= {"error", "loaded"}
