"""A run that goes on in a process of its own, which may die."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from engines.evolution.supervisor import Supervisor, Supervisors
from tests.waiting import PATIENCE_SECONDS, until

SLEEP = "import time; print('begun', flush=True); time.sleep(3600)"


def supervised(folder: Path, code: str) -> Supervisor:
    return Supervisor(
        folder, lambda: [sys.executable, "-c", code], first_wait_seconds=0.01, leave_seconds=0.5
    )


async def until_output_contains(supervisor: Supervisor, words: str, times: int = 1) -> None:
    await until(lambda: sum(words in line for line in supervisor.last_words) >= times, words)


async def test_a_process_that_reaches_its_goal_is_not_restarted(tmp_path: Path) -> None:
    supervisor = supervised(tmp_path, "print('all done')")
    await supervisor.keep_going()
    assert supervisor.status == "finished" and supervisor.restarts == 0


async def test_a_process_that_dies_is_restarted(tmp_path: Path) -> None:
    counter = tmp_path / "count"
    code = (
        f"import os, sys; from pathlib import Path; p = Path({str(counter)!r})\n"
        "n = len(p.read_text()) if p.exists() else 0; p.write_text('x' * (n + 1))\n"
        "print(f'try {n}', flush=True)\n"
        "if n == 0: os.kill(os.getpid(), 9)\n"
        "sys.exit(3 if n == 1 else 0)"
    )
    supervisor = supervised(tmp_path, code)
    await asyncio.wait_for(supervisor.keep_going(), PATIENCE_SECONDS)
    assert supervisor.restarts == 2
    words = list(supervisor.last_words)
    assert "ended by SIGKILL" in words and "ended with status 3" in words


async def test_a_process_that_exits_with_status_2_is_not_restarted(tmp_path: Path) -> None:
    supervisor = supervised(tmp_path, "import sys; print('it holds no run', flush=True); sys.exit(2)")
    await asyncio.wait_for(supervisor.keep_going(), PATIENCE_SECONDS)
    assert supervisor.status == "stopped" and supervisor.restarts == 0
    assert supervisor.last_words[-1] == "ended with status 2"


async def test_no_process_group_is_killed_after_its_process_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the process has ended, the number may be another group's."""
    killed: list[int] = []
    monkeypatch.setattr("os.killpg", lambda group, number: killed.append(group))
    await supervised(tmp_path, "print('all done')").keep_going()
    obedient = supervised(tmp_path, SLEEP)
    task = asyncio.create_task(obedient.keep_going())
    await until_output_contains(obedient, "begun")
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert not killed


async def test_cancelling_a_supervisor_ends_its_process(tmp_path: Path) -> None:
    code = f"import os; print(os.getpid(), 'is here', flush=True)\n{SLEEP}"
    supervisor = supervised(tmp_path, code)
    task = asyncio.create_task(supervisor.keep_going())
    await until_output_contains(supervisor, "is here")
    process = int(supervisor.last_words[0].split()[0])
    assert supervisor.status == "evolving"
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        raise AssertionError("it is still there")
    assert supervisor.status == "stopped"


async def test_a_process_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    ignore = f"import signal; signal.signal({int(signal.SIGTERM)}, signal.SIG_IGN)"
    supervisor = supervised(tmp_path, f"{ignore}\nimport os; print(os.getpid(), flush=True)\n{SLEEP}")
    task = asyncio.create_task(supervisor.keep_going())
    await until_output_contains(supervisor, "begun")
    pid = int(supervisor.last_words[0])
    os.kill(pid, signal.SIGTERM)
    task.cancel()
    async with asyncio.timeout(PATIENCE_SECONDS):
        with suppress(asyncio.CancelledError):
            await task
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert supervisor.status == "stopped" and supervisor.restarts == 0


async def test_long_output_of_a_process_is_cut(tmp_path: Path) -> None:
    code = "for n in range(300): print('x' * 5000, n)"
    supervisor = supervised(tmp_path, code)
    await supervisor.keep_going()
    await asyncio.sleep(0.05)
    assert sum(map(len, supervisor.last_words)) < 5000


async def test_a_missing_command_is_reported_and_retried(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path, lambda: [str(tmp_path / "nothing")], first_wait_seconds=0.01)
    task = asyncio.create_task(supervisor.keep_going())
    await until_output_contains(supervisor, "cannot be started", times=2)
    task.cancel()


async def test_a_run_that_no_longer_exists_is_not_restarted(tmp_path: Path) -> None:
    def command() -> list[str]:
        raise ValueError("it holds no run")

    supervisor = Supervisor(tmp_path, command)
    await asyncio.wait_for(supervisor.keep_going(), PATIENCE_SECONDS)
    assert supervisor.status == "stopped" and "it holds no run" in supervisor.last_words


async def test_supervisors_end_with_their_owner(tmp_path: Path) -> None:
    async with Supervisors() as supervisors:
        first, second = supervised(tmp_path / "a", SLEEP), supervised(tmp_path / "b", SLEEP)
        for each in (first, second):
            supervisors.keep(each)
            await until_output_contains(each, "begun")
        assert first.is_active and supervisors[tmp_path / "a"] is first and len(supervisors) == 2
        await supervisors.stop(tmp_path / "a")
        assert not first.is_active and second.is_active
        again = supervised(tmp_path / "a", SLEEP)
        supervisors.keep(again)
        await until_output_contains(again, "begun")
    assert {each.status for each in (first, second, again)} == {"stopped"}
