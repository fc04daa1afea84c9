"""The queue of a hill's challenges: one at a time, and too much memory or time is an error that the next survives."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from engines.corewar.battles import BattleTask, fight_battle
from engines.corewar.challenge_queue import ChallengeQueue
from engines.corewar.hill import HillError, Kills
from engines.corewar.hill_store import HillStore
from engines.worker_pool import TaskError, Workers
from tests.engines.corewar.filling import fill, record
from tests.engines.corewar.made_up import NANO, challenger
from tests.toy import InlinePool


@pytest.fixture
def store(tmp_path: Path) -> HillStore:
    return HillStore.create(tmp_path / "nano.hill", replace(NANO, places=6))


@pytest.fixture
def queue(store: HillStore) -> ChallengeQueue:
    return ChallengeQueue(store, InlinePool())


async def test_challenges_are_served_in_order_of_arrival(queue: ChallengeQueue) -> None:
    results = await asyncio.gather(*(queue.challenge(challenger(number)) for number in range(1, 8)))
    assert [result.number for result in results] == list(range(1, 8)), "first come, first served"


async def test_a_test_challenge_does_not_change_the_hill(store: HillStore, queue: ChallengeQueue) -> None:
    await queue.challenge(challenger(5))
    before = store.hill()
    challenge = await queue.challenge(challenger(6, is_test=True))
    assert challenge.is_test and challenge.number == 2 and len(challenge.table) == 2
    assert store.hill() == before
    assert (await queue.challenge(challenger(6))).number == 2


async def test_duplicate_code_is_refused_and_the_next_challenge_works(queue: ChallengeQueue) -> None:
    await queue.challenge(challenger(5))
    with pytest.raises(HillError, match="W5 by Ann"):
        await queue.challenge(challenger(5, name="Copy", author="Bob"))
    assert (await queue.challenge(challenger(6))).number == 2


async def test_a_replayed_hill_equals_the_original(store: HillStore, tmp_path: Path) -> None:
    await fill(store, 1, 9)
    await store.remove("W9")
    await fill(store, 10, 12)
    again = HillStore.create(tmp_path / "again.hill", store.preset)
    await ChallengeQueue(again, InlinePool()).replay(store)
    assert record(again) == record(store)
    assert again.hill() == store.hill() and again.removals() == store.removals() == [(9, "W9", "Ann", "")]


async def test_replay_keeps_the_token_of_each_warrior(
    store: HillStore, queue: ChallengeQueue, tmp_path: Path
) -> None:
    """Two of one name and author: each goes by its own token, with a challenge and without."""
    for number in (1, 2, 3, 4):
        await queue.challenge(challenger(number, name="Same", token=str(number)))
    await queue.challenge(challenger(5, kills=("Same",), given=("2",), token="5"))
    await queue.kill(Kills(author="Ann", names=("Same",), tokens=("3", "9")))
    for tokens in (("5",), ()):
        with pytest.raises(HillError, match="to kill Same by Ann, add"):
            await queue.kill(Kills(author="Ann", names=("Same",), tokens=tokens))
    with pytest.raises(HillError, match="no warrior Other or W9 by Ann is on this hill"):
        await queue.kill(Kills(author="Ann", names=("Other", "W9"), tokens=("1",)))
    assert {entry.token for entry in store.hill().entries} == {"1", "4", "5"}
    again = HillStore.create(tmp_path / "again.hill", store.preset)
    await ChallengeQueue(again, InlinePool()).replay(store)
    assert again.hill() == store.hill() and again.removals() == store.removals() == [(5, "Same", "Ann", "3")]


async def test_a_battle_that_takes_too_long_costs_no_worker() -> None:
    """It is an error at once; it is not fought again for every worker that it would have ended."""
    first, second = (challenger(number).warrior for number in (1, 2))
    async with Workers(1) as pool:
        task = BattleTask(rules=NANO.rules, warriors=(first, second), rounds=100_000_000, is_exact=False)
        with pytest.raises(TaskError, match=r"more than 0\.2 s"):
            await pool.map(fight_battle, [task], 0.2)
        ((tally, _),) = await pool.map(fight_battle, [replace(task, rounds=10)], 9.0)
        assert tally.rounds == 10 and pool.deaths == 0


def too_large(_: object) -> None:
    raise TaskError("a task takes more than 256 MiB of memory")


async def test_a_challenge_that_cannot_be_fought_leaves_no_trace(
    queue: ChallengeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    await queue.challenge(challenger(1))
    monkeypatch.setattr("engines.corewar.challenge_queue.fight_battle", too_large)
    with pytest.raises(TaskError):
        await queue.challenge(challenger(2))
    monkeypatch.undo()
    assert (await queue.challenge(challenger(2))).number == 2
