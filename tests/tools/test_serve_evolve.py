"""`galapagos serve --evolve RUN`: a run goes on while the server runs, and after any end of the server."""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from engines.evolution.run_store import RunStore
from engines.storage import InUseError
from tests.browser.evolutions import CONFIG
from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """One that has not begun yet."""
    folder = tmp_path / "run"
    RunStore.create(folder, game="corewar", config=CONFIG, seed=1, version="1").close()
    return folder


@asynccontextmanager
async def serving(run: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Its process, and what to ask about the run; whatever happens, it is gone afterwards."""
    words = ["serve", "--port", "0", "--page", "0", "--workers", "1", "--evolve", str(run)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        async for line in process.stdout:
            if address := re.search(r"http://\S+?/", line.decode()):
                yield process, f"{address[0]}api/runs"
                return
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.wait(), PATIENCE_SECONDS)


async def until(address: str, generation: int) -> dict[str, Any]:
    """What the server says of its run once it has come so far."""
    async with ClientSession() as session, asyncio.timeout(PATIENCE_SECONDS):
        while True:
            async with session.get(address) as answer:
                runs = [each for each in (await answer.json())["runs"] if not each["is_bundled"]]
            if runs and runs[0]["generation"] >= generation:
                found: dict[str, Any] = runs[0]
                return found
            await asyncio.sleep(0.2)


async def free(run: Path) -> int:
    """Wait until nobody writes the run; how many generations it has."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                with RunStore.open(run, writing=True) as store:
                    return store.count("generation")
            except InUseError:
                await asyncio.sleep(0.1)


async def test_the_run_ends_with_the_server_and_goes_on_with_the_next(run: Path) -> None:
    async with serving(run) as (process, address):
        seen = await until(address, 2)
        assert seen["status"] == "evolving" and seen["game"] == "corewar"
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), PATIENCE_SECONDS) == 0
    before = await free(run)
    assert before > 2
    async with serving(run) as (_, address):
        await until(address, before + 1)


@pytest.mark.slow
async def test_a_server_that_is_killed_loses_nothing(run: Path) -> None:
    async with serving(run) as (process, address):
        seen = await until(address, 1)
        process.kill()
        await process.wait()
    before = await free(run)
    assert before > seen["generation"]
    async with serving(run) as (_, address):
        await until(address, before)
