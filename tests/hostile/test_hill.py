"""Hostile texts sent to a hill that is served: a clear answer, at once, and the hill is as it was."""

from collections.abc import Iterator

import pytest

from engines.corewar.hill_store import HillStore
from tests.hostile.texts import HOSTILE, Hostile
from tests.servers import ServedSync, served_sync
from tools.__main__ import main

SECONDS = 1.0  # of the processor: the machine may have other work
MEMORY_BYTES = 100 << 20


@pytest.fixture(scope="module")
def hill(tmp_path_factory: pytest.TempPathFactory) -> HillStore:
    """A nano hill with one warrior on it, which waits."""
    path = tmp_path_factory.mktemp("hill") / "nano.hill"
    (path.parent / "wait.red").write_text(";redcode-nano\n;assert 1\njmp 0\n")
    assert main(["hill", "create", str(path), "--preset", "nano", "--empty"]) == 0
    assert main(["hill", "submit", str(path), str(path.parent / "wait.red")]) == 0
    return HillStore.open(path)


@pytest.fixture(scope="module")
def server(hill: HillStore) -> Iterator[ServedSync]:
    with served_sync("--hill", hill.path) as server:
        server.submit(b";redcode-nano test\nmov 0, 2\n")  # the workers are at hand
        yield server


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_hostile_texts_cost_little_and_leave_the_hill_unchanged(
    hostile: Hostile, server: ServedSync, hill: HillStore
) -> None:
    before, spent = hill.hill(), sum(server.cpu_seconds().values())
    first = b";redcode-nano test\n;assert 1\n"
    answer = server.submit(first + hostile.text)
    assert sum(server.cpu_seconds().values()) - spent < SECONDS
    assert server.most_memory() < MEMORY_BYTES
    expected = "Your overall score: " if hostile.is_warrior else "Your warrior was refused: "
    assert expected in answer
    assert answer.isascii() or hostile.name.endswith("bytes")
    assert all(character.isprintable() or character == "\n" for character in answer) or not hostile.is_warrior
    assert hill.hill() == before
    assert "Your overall score: " in server.submit(b";redcode-nano test\nmov 0, 2\n"), "it goes on"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            b";redcode-94\nmov 0, 2\n",
            "no hill of this server takes ;redcode-94; its hills take ;redcode-nano",
        ),
        (b";redcode-../../x\nmov 0, 2\n", "no hill of this server takes ;redcode-../../x"),
        (b";redcode-nano\njmp 0\n", "this code is on the hill already: Unknown by Anonymous"),
        (b";redcode-nano\nstp 0, 1\nmov 0, 1\nmov 0, 1\nmov 0, 1\nmov 0, 1\nmov 0, 1\n", "Too many instr"),
        (b";redcode-nano\n;assert 1\n", "No instructions"),
        (b";redcode-nano\n;assert 0\nmov 0, 1\n", "Assertion in this line fails"),
    ],
)
def test_refusals_give_a_reason_and_leave_the_hill_unchanged(
    text: bytes, reason: str, server: ServedSync, hill: HillStore
) -> None:
    before = hill.hill()
    answer = server.submit(text)
    assert answer.startswith("Your warrior was refused: ") and reason in answer
    assert hill.hill() == before
