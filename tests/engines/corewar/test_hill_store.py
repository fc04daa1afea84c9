"""The store of a hill: whole challenges, one at a time, whatever happens to the processes."""

import asyncio
import contextlib
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engines.corewar.challenge_queue import ChallengeQueue
from engines.corewar.hill import ChallengeResult, HillError
from engines.corewar.hill_store import HillStore
from tests.engines.corewar.filling import fill, record
from tests.engines.corewar.made_up import NANO, after, challenger
from tests.toy import InlinePool
from tests.waiting import PATIENCE_SECONDS

SMALL = replace(NANO, places=6)


@pytest.fixture
def store(tmp_path: Path) -> HillStore:
    return HillStore.create(tmp_path / "nano.hill", SMALL)


async def challenged(store: HillStore, *numbers: int) -> list[ChallengeResult]:
    """Let made-up battles be fought, and written."""
    challenges = []
    for number in numbers:
        async with store.transaction() as transaction:
            newcomer = challenger(number, kills=("nobody",))
            challenge, hill = after(transaction.hill, newcomer, seconds=1.5 * number)
            await transaction.write(challenge, newcomer, hill)
            challenges.append(challenge)
    return challenges


# -- What is written -------------------------------------------------------------------------------


def test_a_new_hill_is_empty(store: HillStore) -> None:
    hill = HillStore.open(store.path).hill()
    assert (hill.preset, hill.challenges, hill.next_id, hill.entries, hill.battles) == (SMALL, 0, 1, (), {})
    assert store.challenge() is None and store.challengers() == []


async def test_written_challenges_are_read_back(store: HillStore) -> None:
    challenges = await challenged(store, 5, 9, 3, 12, 7, 8, 1)
    again = HillStore.open(store.path)
    assert [again.challenge(number) for number in range(1, 8)] == challenges
    assert again.challenge() == challenges[-1]
    hill = again.hill()
    assert hill.challenges == 7 and hill.next_id == 8
    assert {entry.warrior.name: entry.age for entry in hill.entries} == {
        "W5": 6, "W9": 5, "W3": 4, "W12": 3, "W7": 2, "W8": 1,
    }  # fmt: skip
    assert len(hill.battles) == 15
    assert again.challengers()[6] == challenger(1, kills=("nobody",))


async def test_unwritten_transactions_leave_no_trace(store: HillStore) -> None:
    await challenged(store, 5)
    before = store.hill()
    async with store.transaction():
        pass
    with pytest.raises(RuntimeError):
        async with store.transaction():
            raise RuntimeError
    assert store.hill() == before
    assert len(await challenged(store, 6)) == 1


async def test_a_removal_is_on_record(store: HillStore) -> None:
    await challenged(store, 5, 9)
    await store.remove("W5")
    assert [entry.warrior.name for entry in store.hill().entries] == ["W9"]
    assert store.removals() == [(2, "W5", "Ann", "")]
    now, then = store.standing(), store.challenge()
    assert now is not None and then is not None
    assert [row.fate for row in now.table] == ["on the hill", "removed"]
    assert {row.fate for row in then.table} == {"on the hill"}
    await challenged(store, 7)
    assert store.standing() == store.challenge()
    with pytest.raises(HillError, match="no warrior W5 is on this hill"):
        await store.remove("W5")
    assert len(store.removals()) == 1


async def test_a_hill_of_the_previous_format_is_upgraded_once(store: HillStore) -> None:
    """It is upgraded when it is opened, once: its warriors have no token, and its kills needed none."""
    await challenged(store, 5, 9)
    await store.remove("W5")
    before = store.hill(), store.challengers(), store.removals()
    with contextlib.closing(sqlite3.connect(store.path, isolation_level=None)) as database:
        for column in ("warrior DROP COLUMN token", "warrior DROP COLUMN given", "removal DROP COLUMN token"):
            database.execute(f"ALTER TABLE {column}")
        database.execute("PRAGMA user_version = 2")
    for _ in range(2):
        again = HillStore.open(store.path)
        assert (again.hill(), again.challengers(), again.removals()) == before
    assert len(await challenged(again, 7)) == 1


def test_reading_a_missing_challenge_raises_hill_error(store: HillStore) -> None:
    with pytest.raises(HillError, match="no challenge number 3"):
        store.challenge(3)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE hill SET value = '{'",
        "UPDATE hill SET value = '{}'",
        "DELETE FROM hill",
    ],
)
def test_damaged_hills_are_refused(store: HillStore, damage: str) -> None:
    with contextlib.closing(sqlite3.connect(store.path, isolation_level=None)) as database:
        database.execute(damage)
    with pytest.raises(HillError, match="damaged"):
        HillStore.open(store.path)


# -- One at a time ---------------------------------------------------------------------------------


async def test_several_queues_of_one_hill_take_turns(store: HillStore) -> None:
    queues = [ChallengeQueue(HillStore.open(store.path), InlinePool()) for _ in range(3)]
    numbers = [
        challenge.number
        for challenge in await asyncio.gather(
            *(queues[number % 3].challenge(challenger(number)) for number in range(1, 10))
        )
    ]
    assert sorted(numbers) == list(range(1, 10))
    assert store.hill().challenges == 9


async def test_readers_do_not_wait_for_a_transaction(store: HillStore) -> None:
    await challenged(store, 5)
    async with store.transaction():
        assert store.hill().challenges == 1
        assert store.challenge() is not None


async def test_challenges_wait_for_a_locked_file(store: HillStore) -> None:
    """For a moment after a kill, and when the last process closes the file, nobody else can even read it."""
    other = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    asyncio.get_running_loop().call_later(0.2, other.close)
    assert len(await challenged(store, 5)) == 1


async def test_a_waiting_task_can_be_cancelled(store: HillStore) -> None:
    async with store.transaction():
        waiting = asyncio.create_task(challenged(store, 5))
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.wait({waiting}, timeout=PATIENCE_SECONDS)
        assert waiting.cancelled()
    assert store.hill().challenges == 0


def test_processes_take_turns(store: HillStore) -> None:
    """Three processes send warriors to one hill: each challenge is on record, and met the hill before it."""
    running = [begun(store, first, first + 9) for first in (1, 11, 21)]
    told = [name for process in running for name in acknowledged(process.communicate()[0])]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert sorted(told) == sorted(f"W{number}" for number in range(1, 31))
    again = HillStore.create(store.path.with_name("again.hill"), store.preset)
    asyncio.run(ChallengeQueue(again, InlinePool()).replay(store))
    assert record(again) == record(store)


# -- Kills -----------------------------------------------------------------------------------------


def test_killed_processes_lose_no_acknowledged_challenge(tmp_path: Path) -> None:
    check_kills(tmp_path, count=40, least=5)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_kills_lose_no_acknowledged_challenge(tmp_path: Path) -> None:
    check_kills(tmp_path, count=400, least=50)


def check_kills(folder: Path, count: int, least: int) -> None:
    """Kill a process that fills a hill at random moments until it is full; the hill is that of a quiet life."""
    store = HillStore.create(folder / "killed.hill", SMALL)
    moments = random.Random(5)
    kills = 0
    told: list[str] = []
    while store.hill().challenges < count:
        process = begun(store, 1, count)
        assert process.stdout is not None
        told += acknowledged(process.stdout.readline())  # it is at work, or done
        if kills < least:
            for _ in range(moments.randrange(count // least - 2)):
                told += acknowledged(process.stdout.readline())
            time.sleep(moments.uniform(0.0, 0.01))
            process.kill()
        told += acknowledged(process.stdout.read())
        process.wait()
        process.stdout.close()
        kills += process.returncode == -signal.SIGKILL
        known = [each.warrior.name for each in HillStore.open(store.path).challengers()]
        assert known[: len(told)] == told, "what was acknowledged is there"
        assert len(known) <= len(told) + 1
        told = known
    assert kills >= least, "the hill was full too soon"
    quiet = HillStore.create(folder / "quiet.hill", SMALL)
    asyncio.run(fill(quiet, 1, count))
    assert record(store) == record(quiet)
    assert store.hill() == quiet.hill()


def begun(store: HillStore, first: int, last: int) -> "subprocess.Popen[str]":
    root = Path(__file__).parents[3]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.engines.corewar.filling", str(store.path), str(first), str(last)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
    )


def acknowledged(output: str) -> list[str]:
    """The names, in whole lines only: the last may be torn."""
    lines = output.splitlines(keepends=True)
    return [line.split()[1] for line in lines if line.startswith("acknowledged ") and line.endswith("\n")]
