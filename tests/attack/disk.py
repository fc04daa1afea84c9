"""A file system that is full when a test wants it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True, slots=True)
class Disk:
    folder: Path

    def fill(self) -> None:
        with self._filler.open("wb", buffering=0) as filler, suppress(OSError):
            while filler.write(bytes(4096)):
                pass

    def empty(self) -> None:
        self._filler.unlink()

    @property
    def _filler(self) -> Path:
        return self.folder / "filler"


@asynccontextmanager
async def small_disk(folder: Path, size: str = "2m") -> AsyncIterator[Disk]:
    """Skips the test where none can be mounted."""
    await _run("mkdir", str(folder))
    if await _run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)):
        pytest.skip("no file system can be mounted here")
    try:
        yield Disk(folder)
    finally:
        await _run("umount", str(folder))


async def _run(*words: str) -> int:
    process = await asyncio.create_subprocess_exec(*words, stderr=asyncio.subprocess.DEVNULL)
    return await process.wait()
