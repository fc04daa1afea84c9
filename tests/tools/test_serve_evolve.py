"""`galapagos serve --evolve RUN`: a run goes on while the server runs, and after any end of the server."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from engines.evolution.run_store import RunStore
from engines.storage import InUseError
from tests.browser.evolutions import CONFIG
from tests.servers import Served, served
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """One that has not begun yet."""
    folder = tmp_path / "run"
    RunStore.create(folder, game="corewar", config=CONFIG, seed=1, version="1").close()
    return folder


async def until(server: Served, generation: int) -> dict[str, Any]:
    """What the server says of its run once it has come so far."""
    async with ClientSession() as session, asyncio.timeout(PATIENCE_SECONDS):
        while True:
            async with session.get(f"{server.address}api/runs") as answer:
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


async def test_a_run_stops_with_its_server_and_resumes_with_the_next_server(run: Path) -> None:
    async with served("--evolve", run) as server:
        seen = await until(server, 2)
        assert seen["status"] == "evolving" and seen["game"] == "corewar"
        server.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(server.process.wait(), PATIENCE_SECONDS) == 0
    before = await free(run)
    assert before > 2
    async with served("--evolve", run) as server:
        await until(server, before + 1)


@pytest.mark.slow
async def test_a_killed_server_loses_no_generation_of_its_run(run: Path) -> None:
    async with served("--evolve", run) as server:
        seen = await until(server, 1)
        server.process.kill()
        await server.process.wait()
    before = await free(run)
    assert before > seen["generation"]
    async with served("--evolve", run) as server:
        await until(server, before)
