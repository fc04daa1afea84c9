"""Keeps evolutions going, each in a process of its own, however often that process dies.

The record of a run is whole after any end, so the process is simply started again, each time a little later if it
does not live. The last lines that it printed are kept, to show why it died.
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

FIRST_WAIT_SECONDS: Final = 1.0  # before another try; doubled until the longest
LONGEST_WAIT_SECONDS: Final = 300.0
LIVED_SECONDS: Final = 60.0  # who lived so long did not die at once
LEAVE_SECONDS: Final = 3.0  # for a process to end when it is asked to, and when it is asked again
LAST_WORDS: Final = 12  # lines
LONGEST_WORDS: Final = 300  # characters of a line
BROKEN: Final = (
    2  # exit status of a command that will never succeed: its folder holds no run, or a damaged one
)


class Supervisor:
    """Keeps one run going. `command` returns the command that begins or continues the run and prints its progress.

    The command ends with status 0 when nothing is left to do, and with BROKEN when it is of no use to try again.
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
        """Whether its process runs or will be started."""
        return self.status in ("waiting", "evolving")

    async def keep_going(self) -> None:
        """Until the run is finished or found broken; cancelled, it ends the process first."""
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
                status = await self._go_on()
            except OSError as error:
                self.last_words.append(f"cannot be started: {error.strerror}")
                status = 1
            except ValueError as error:  # the folder holds no run any more
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

    async def _go_on(self) -> int:
        """Return its exit status, negative for a signal.

        It has a process group of its own, because Ctrl-C at the terminal is for us. It has no session of its own, because
        Linux shares the processors among sessions first: then its low priority would not matter.
        """
        process = await asyncio.create_subprocess_exec(
            *self._command(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,  # what it prints fails when we are gone, and ends it
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
    """The supervisors of a server, by the folders of their runs. An async context manager, which ends their processes."""

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
        """Keep its run going, instead of another supervisor of the run that is no longer active."""
        self._supervisors[supervisor.folder] = supervisor
        self._tasks[supervisor.folder] = asyncio.create_task(supervisor.keep_going())

    async def stop(self, folder: Path) -> None:
        """End the process of a run; its last generation is complete then. KeyError if it has no supervisor."""
        task = self._tasks[folder]
        task.cancel()
        await asyncio.wait({task})


async def _end(process: asyncio.subprocess.Process, leave_seconds: float) -> None:
    """Ask twice, as `galapagos evolve` wants it: the generation may take long. Then kill it with its workers.

    The workers of a process that has ended by itself end with it. Its group is not killed then: its ID may be
    another group's by now.
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
