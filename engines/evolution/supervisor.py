"""Supervision of evolutions: each runs in a separate process, which is restarted however often it dies.

The record of a run is whole after any end, so the process is simply started again, after a delay that doubles while
it dies early. The last lines that it printed are kept, to show why it died.
"""

import asyncio
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

FIRST_WAIT_SECONDS: Final = 1.0  # before another try; doubled up to LONGEST_WAIT_SECONDS
LONGEST_WAIT_SECONDS: Final = 300.0
LIVED_SECONDS: Final = 60.0  # a process that lives longer has not died early
LEAVE_SECONDS: Final = 3.0  # for a process to end, after each of two requests
LAST_WORDS: Final = 12  # lines
LONGEST_WORDS: Final = 300  # characters of a line
BROKEN: Final = (
    2  # exit status of a command that will never succeed: its folder holds no run, or a damaged one
)


class Supervisor:
    """The supervisor of one run. `command` returns the command that starts or resumes the run.

    The command prints its progress. It ends with status 0 when nothing is left to do, and with BROKEN when it is
    useless to try again.
    """

    def __init__(
        self,
        folder: Path,
        command: Callable[[], Sequence[str]],
        first_wait_seconds: float = FIRST_WAIT_SECONDS,
        leave_seconds: float = LEAVE_SECONDS,
    ) -> None:
        self.folder = folder
        self.status = "waiting"  # or "evolving", "finished", "stopped"
        self.restarts = 0
        self.last_words: deque[str] = deque(maxlen=LAST_WORDS)
        self._command = command
        self._first_wait = first_wait_seconds
        self._leave_seconds = leave_seconds

    @property
    def is_active(self) -> bool:
        """Whether the process of the run is running or will be started."""
        return self.status in ("waiting", "evolving")

    async def keep_going(self) -> None:
        """Run the command until the run is finished or found to be broken.

        If it is cancelled, it ends the process first.
        """
        try:
            await self._keep_going()
        except asyncio.CancelledError:
            self.status = "stopped"
            raise

    async def _keep_going(self) -> None:
        wait = self._first_wait
        while True:
            began = time.monotonic()
            try:
                status = await self._run_once()
            except OSError as error:
                self.last_words.append(f"cannot be started: {error.strerror}")
                status = 1
            except ValueError as error:  # the folder no longer holds a run
                self.last_words.append(str(error))
                status = BROKEN
            if status == 0:
                self.status = "finished"
                return
            self.last_words.append(_reason(status))
            if status == BROKEN:
                self.status = "stopped"
                return
            self.status = "waiting"
            if time.monotonic() - began > LIVED_SECONDS:
                wait = self._first_wait
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)
            self.restarts += 1

    async def _run_once(self) -> int:
        """Run the command and return its exit status, negative for a signal.

        The command has a separate process group, because Ctrl-C at the terminal is for the supervising process. It
        has no separate session, because Linux shares the processors among sessions first, and its low priority would
        have no effect.
        """
        process = await asyncio.create_subprocess_exec(
            *self._command(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,  # without a reader, printing fails and ends the command
            stderr=asyncio.subprocess.STDOUT,
            process_group=0,
        )
        self.status = "evolving"
        reading = asyncio.create_task(self._read(process))
        try:
            return await process.wait()
        finally:
            self.status = "stopped"
            await _end(process, self._leave_seconds)
            reading.cancel()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        rest = ""
        while data := await process.stdout.read(65_536):
            *lines, rest = (rest + data.decode("utf-8", "replace")).split("\n")
            self.last_words.extend(line[:LONGEST_WORDS] for line in lines[-LAST_WORDS:] if line.strip())
            rest = rest[:LONGEST_WORDS]


class Supervisors(Mapping[Path, Supervisor]):
    """The supervisors of a server, by the folders of their runs.

    An async context manager, which ends their processes.
    """

    def __init__(self) -> None:
        self._supervisors: dict[Path, Supervisor] = {}
        self._tasks: dict[Path, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: Any) -> None:
        for folder in self:
            self._tasks[folder].cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    def __getitem__(self, folder: Path) -> Supervisor:
        return self._supervisors[folder]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._supervisors)

    def __len__(self) -> int:
        return len(self._supervisors)

    def keep(self, supervisor: Supervisor) -> None:
        """Keep a run going; the supervisor replaces another one of the same run that is no longer active."""
        self._supervisors[supervisor.folder] = supervisor
        self._tasks[supervisor.folder] = asyncio.create_task(supervisor.keep_going())

    def is_running(self, folder: Path) -> bool:
        """Return whether a run has a supervisor, whose process is running, will be started or is being ended."""
        return folder in self._tasks and not self._tasks[folder].done()

    def forget(self, folder: Path) -> None:
        """Remove the supervisor of a run that no longer exists; nothing happens if there is none."""
        self._supervisors.pop(folder, None)
        self._tasks.pop(folder, None)

    async def stop(self, folder: Path) -> None:
        """End the process of a run, whose last generation is complete then.

        Raises KeyError if the run has no supervisor.
        """
        task = self._tasks[folder]
        task.cancel()
        await asyncio.wait({task})


async def _end(process: asyncio.subprocess.Process, leave_seconds: float) -> None:
    """End a process: ask it twice, then kill it with its workers.

    `galapagos evolve` completes its generation, which may take long, if it is asked once, and ends at once if it is
    asked twice. The workers of a process that has ended by itself end with it. Its group is not killed then, because
    the group's ID may belong to another group by now.
    """
    for _ in range(2):
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), leave_seconds)
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _reason(status: int) -> str:
    return f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
