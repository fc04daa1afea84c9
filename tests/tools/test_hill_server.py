"""A served hill: ten warriors and ten reports, clients that are slow or leave, workers and servers that are killed."""

import os
import random
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from engines.corewar.hill import Hill
from engines.corewar.hill_store import HillStore
from engines.corewar.presets import PRESETS
from tests.protocols.hill.support import bomber
from tests.servers import ServedSync, served_sync
from tests.waiting import wait_until

MANY = 200
PLACES = 6


@pytest.fixture
def store(tmp_path: Path) -> HillStore:
    return HillStore.create(tmp_path / "nano.hill", replace(PRESETS["nano"], places=PLACES))


@pytest.fixture
def server(store: HillStore) -> Iterator[ServedSync]:
    with served_sync("--hill", store.path) as server:
        yield server


def test_ten_submissions_on_a_connection_get_ten_reports(store: HillStore, server: ServedSync) -> None:
    with server.open_socket() as line, line.makefile("rw", encoding="iso-8859-1", newline="\n") as file:
        for number in range(1, 11):
            file.write(bomber(2 * number + 1))
            file.flush()
            report = list(iter(file.readline, ".\n"))
            assert report[0] == f"Every {2 * number + 1} by Ann challenges the Nano hill.\n"
            assert sum(line.startswith("Your overall score: ") for line in report) == 1
            assert len(report) - report.index("The current Nano hill:\n") - 3 == min(number, 7)
    assert store.hill().challenges == 10 and len(store.hill().entries) == 6
    standings = server.submit(b";redcode-nano standings\n")
    assert "The current Nano hill:\n" in standings and standings.partition("\n\nRules: ")[0] in "".join(
        report
    )


def test_two_simultaneous_submissions_are_fought_one_after_the_other(
    store: HillStore, server: ServedSync
) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda step: server.submit(bomber(step).encode()), (3, 5))
    assert "Your overall score: " in first and "Your overall score: " in second
    assert store.hill().challenges == 2
    assert ("Every 5 by Ann\n" in first) != ("Every 3 by Ann\n" in second), "one met the other"


def test_only_whole_texts_of_clients_that_leave_are_submitted(store: HillStore, server: ServedSync) -> None:
    """Half a text is no warrior; a whole one is, whether or not its client waits for the report."""
    with server.open_socket() as line:
        line.sendall(b";redcode-nano\n;name Half\nmov 0")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, not an end
    with server.open_socket() as line:
        line.sendall(bomber(3).encode())
    assert "Your overall score: " in server.submit(bomber(5).encode())
    assert {entry.warrior.name for entry in store.hill().entries} == {"Every 3", "Every 5"}


def test_a_slow_client_holds_up_no_other(store: HillStore, server: ServedSync) -> None:
    """A byte now and then, as over a bad line: the text is read in the end, and others are served meanwhile."""
    text = b";redcode-nano test\nmov 0, 1\nend\n"
    with server.open_socket() as slow, server.open_socket() as endless:
        endless.sendall(b";redcode-nano\n;and so")
        for byte in text[:-1]:
            slow.sendall(bytes([byte]))
            time.sleep(0.01)
        assert "Your overall score: " in server.submit(bomber(3).encode())
        slow.sendall(text[-1:])
        assert b"Unknown by Anonymous challenges" in slow.recv(65_536)
    assert store.hill().challenges == 1


def test_a_worker_that_is_killed_loses_no_submission(tmp_path: Path) -> None:
    store = HillStore.create(tmp_path / "long.hill", replace(PRESETS["94nop"], rounds=5000))
    with served_sync("--hill", store.path) as server, ThreadPoolExecutor(1) as pool:
        server.submit(b";redcode-94nop\n;name First\nmov 0, 1\n")
        before = server.cpu_seconds()
        answer = pool.submit(server.submit, b";redcode-94nop\n;name Second\njmp 0\n")
        os.kill(worker_at_work(server, before), signal.SIGKILL)
        assert "5000 rounds against each:" in answer.result()
    assert [entry.warrior.name for entry in store.hill().entries] == ["First", "Second"]


def worker_at_work(server: ServedSync, before: dict[int, float]) -> int:
    """The process of a worker that has spent some time since."""
    busy: list[int] = []

    def is_busy() -> bool:
        spent = server.cpu_seconds().items()
        busy[:] = [pid for pid, seconds in spent if seconds - before.get(pid, 0.0) > 0.2]
        return any(pid != server.process.pid for pid in busy)

    wait_until(is_busy, "a worker that is busy")
    return next(pid for pid in busy if pid != server.process.pid)


def test_two_hundred_local_connections_are_served(store: HillStore, server: ServedSync) -> None:
    """Programs of this machine are served however many there are."""
    lines = [server.open_socket() for _ in range(MANY)]
    first, last = lines[0], lines[-1]
    last.sendall(b";redcode-nano standings\n.\n")
    assert b"hill" in last.recv(65_536)
    first.sendall(bomber(3).encode())
    assert b"challenges the Nano hill" in first.recv(65_536)
    for line in lines:
        line.close()

    def is_served() -> bool:
        answer = server.submit(b";redcode-nano test\njmp 0\n")
        assert "Your overall score: " in answer or "too many connections" in answer
        return "Your overall score: " in answer

    wait_until(is_served)
    assert store.hill().challenges == 1


# -- Kills --------------------------------------------------------------------------------------------


def send(server: ServedSync, steps: list[int], answered: list[str]) -> None:
    """Submit warriors one after the other until the server is gone."""
    for step in steps:
        with suppress(OSError):
            answer = server.submit(bomber(step).encode())
            if "Your overall score: " in answer:
                answered.append(f"Every {step}")


def check(store: HillStore, answered: list[str]) -> None:
    """The laws of the hill hold, and what was answered is on record."""
    hill: Hill = HillStore.open(store.path).hill()
    sent = [challenger.warrior.name for challenger in store.challengers()]
    assert [name for name in sent if name in answered] == answered, "in order"
    assert len(sent) == hill.challenges == len(set(sent))
    for number in range(1, hill.challenges + 1):
        challenge = store.challenge(number)
        assert challenge is not None and challenge.number == number and challenge.name == sent[number - 1]
        assert len(challenge.table) == min(number, PLACES + 1)
    ids = [entry.id for entry in hill.entries]
    assert len(ids) == min(hill.challenges, PLACES)
    assert set(hill.battles) == {(a, b) for a in ids for b in ids if a < b}
    last = store.challenge()
    if last:
        assert [row.id for row in last.table if row.fate == "on the hill"] == sorted(
            ids, key=[row.id for row in last.table].index
        )


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_server_killed_twenty_times_loses_no_answered_submission(tmp_path: Path) -> None:
    store = HillStore.create(tmp_path / "nano.hill", replace(PRESETS["nano"], places=PLACES))
    moments = random.Random(7)
    answered: list[str] = []
    steps = list(range(1, 1600))
    for kill in range(20):
        with served_sync("--hill", store.path) as server:
            sender = threading.Thread(target=send, args=(server, steps, answered))
            sender.start()
            sender.join(moments.uniform(0.0, 2.5))
            server.process.kill()
        sender.join()
        check(store, answered)
        known = {challenger.warrior.name for challenger in store.challengers()}
        steps = [step for step in steps if f"Every {step}" not in known]
        print(f"kill {kill + 1}: {store.hill().challenges} challenges, {len(answered)} answered")
    again = HillStore.create(tmp_path / "again.hill", store.preset)
    assert len(answered) >= 20
    with served_sync("--hill", again.path) as server:
        for challenger in store.challengers():
            server.submit(challenger.source.encode("iso-8859-1"))
    assert again.hill() == store.hill(), "the same hill without kills"
