"""The bounds of a hill's tasks: too much memory or time is an error, and the crew works on."""

import multiprocessing
import resource
import signal

import pytest

from engines.corewar.hill.keeper import Arena, Keeper, bounded
from engines.corewar.hill.store import HillStore
from engines.corewar.presets import PRESETS
from engines.run.executor import TaskError, processes
from tests.engines.corewar.hill.made_up import challenger
from tests.engines.inline import InlineCrew


def double(number: int) -> int:
    return 2 * number


def eat(mebibytes: int) -> int:
    return sum(len(bytearray(1 << 20)) for _ in [bytearray(mebibytes << 20)])


def spin(_: int) -> None:
    while True:
        pass


def die(_: int) -> None:
    signal.raise_signal(signal.SIGKILL)


async def test_too_much_memory_is_an_error() -> None:
    async with processes(1) as crew:
        arena = Arena(crew)
        assert await arena.map(eat, [100]) == [1 << 20]
        with pytest.raises(TaskError, match="more than 256 MiB"):
            await arena.map(eat, [400])
        assert await arena.map(double, [1, 2, 3]) == [2, 4, 6]
        assert crew.rebuilt == 0


def test_too_much_time_ends_the_process() -> None:
    process = multiprocessing.get_context("forkserver").Process(target=bounded, args=(0.0, spin, 1))
    process.start()
    process.join(60.0)
    assert process.exitcode == -signal.SIGXCPU


async def test_a_task_that_kills_its_workers_is_given_up() -> None:
    async with processes(1) as crew:
        arena = Arena(crew)
        with pytest.raises(TaskError):
            await arena.map(die, [1])
        assert await arena.map(double, [1]) == [2]


def test_bounds_end_with_the_task() -> None:
    before = [resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    assert bounded(1.0, double, 4) == 8
    with pytest.raises(MemoryError):
        bounded(1.0, eat, 400)
    assert [resource.getrlimit(kind) for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU)] == before


async def test_a_challenge_that_cannot_be_fought_leaves_no_trace(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = HillStore.create(tmp_path_factory.mktemp("hill") / "hill", PRESETS["nano"])
    keeper = Keeper(store, Arena(InlineCrew()))
    await keeper.challenge(challenger(1))
    monkeypatch.setattr("engines.corewar.battles.play", lambda fight: eat(400))
    with pytest.raises(TaskError):
        await keeper.challenge(challenger(2))
    monkeypatch.undo()
    assert (await keeper.challenge(challenger(2))).number == 2
