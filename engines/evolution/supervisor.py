"""A run that goes on in a process of its own for as long as it is wanted, however often that process dies.

The record is whole after any end, so the process is simply begun anew, each time a little later if it does not live.
What it said last is kept, for whoever wants to know why.
"""

import asyncio
import os
import signal
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

FIRST_WAIT_SECONDS: Final = 1.0  # before another try; doubled until the longest
LONGEST_WAIT_SECONDS: Final = 300.0
LIVED_SECONDS: Final = 60.0  # who lived so long did not die at once
LEAVE_SECONDS: Final = 3.0  # for a process to end when it is asked to, and when it is told to
LAST_WORDS: Final = 12  # lines
LONGEST_WORDS: Final = 300  # characters of a line


class Supervisor:
    """Of one run. `command` goes on with it, ends with 0 when there is nothing more to do, and prints how it goes."""

    def __init__(
        self,
        folder: Path,
        command: Sequence[str],
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

    async def keep_going(self) -> None:
        """Until the run is finished; cancelled, it ends the process first."""
        wait = self._first_wait
        while True:
            began = time.monotonic()
            try:
                status = await self._go_on()
            except OSError as error:
                self.last_words.append(f"cannot be started: {error.strerror}")
                status = 1
            if status == 0:
                self.status = "finished"
                return
            self.status = "waiting"
            self.last_words.append(_verdict(status))
            if time.monotonic() - began > LIVED_SECONDS:
                wait = self._first_wait
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)
            self.restarts += 1

    async def _go_on(self) -> int:
        """Its exit status, negative for a signal. A session of its own: Ctrl-C at the terminal is for us."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,  # what it prints fails when we are gone, and ends it
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        self.status = "evolving"
        hearing = asyncio.create_task(self._hear(process))
        try:
            return await process.wait()
        finally:
            self.status = "stopped"
            await _end(process, self._leave_seconds)
            hearing.cancel()

    async def _hear(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        rest = ""
        while data := await process.stdout.read(65_536):
            *lines, rest = (rest + data.decode("utf-8", "replace")).split("\n")
            self.last_words.extend(line[:LONGEST_WORDS] for line in lines[-LAST_WORDS:] if line.strip())
            rest = rest[:LONGEST_WORDS]


async def _end(process: asyncio.subprocess.Process, leave_seconds: float) -> None:
    """Ask twice, as `galapagos evolve` wants it: the generation may take long. Then its helpers go with it."""
    for number in (signal.SIGTERM, signal.SIGTERM):
        if process.returncode is not None:
            break
        with suppress(ProcessLookupError):
            process.send_signal(number)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), leave_seconds)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _verdict(status: int) -> str:
    return f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
