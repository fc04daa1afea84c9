"""Runs that are directed over HTTP: they grow, pause, survive a killed server, and are those of `galapagos evolve`."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from engines.evolution.run_store import RunStore
from tests.servers import Served, served
from tests.waiting import PATIENCE_SECONDS
from tools.__main__ import main

SEED = "7"
RUNS = {  # small ones, but too long to end during the test
    "corewar": ("soup", {"tribes": "2", "tribe size": "4"}),
    "chess": (
        "example",
        {
            "gene pool population": "4",
            "gene pool count": "1",
            "nodes per second": "20",
            "maximum moves": "10",
        },
    ),
    "acquire": ("pair", {"population": "20", "games": "4", "generations": "5000"}),
    "protection": ("quick", {"population": "60", "trials": "1000000"}),
}


async def post(server: Served, path: str, data: object = None) -> dict[str, Any]:
    async with (
        ClientSession() as session,
        session.post(f"{server.address}api/runs{path}", json=data) as answer,
    ):
        found: dict[str, Any] = await answer.json()
        assert answer.status == 200, found
        return found


async def until(server: Served, name: str, status: str, generation: int = -1) -> int:
    """The generation of a run once it has this status and has come so far."""
    async with ClientSession() as session, asyncio.timeout(PATIENCE_SECONDS):
        while True:
            async with session.get(f"{server.address}api/runs") as answer:
                runs = {each["name"]: each for each in (await answer.json())["runs"]}
            run = runs.get(name, {"status": "", "generation": -1})
            if run["status"] == status and run["generation"] >= generation:
                return int(run["generation"])
            await asyncio.sleep(0.2)


def hashes(folder: Path) -> list[str]:
    with RunStore.open(folder) as store:
        return [each.hash for each in store.generations()]


@pytest.mark.parametrize(
    "game", ["corewar", *(pytest.param(game, marks=pytest.mark.slow) for game in list(RUNS)[1:])]
)
def test_a_run_started_over_http_survives_a_killed_server(game: str, tmp_path: Path) -> None:
    name, settings = RUNS[game]
    asyncio.run(directed(tmp_path / "home", game))
    found = hashes(tmp_path / "home" / "runs" / name)
    words = [f"--set={key}={value}" for key, value in settings.items()]
    whole = tmp_path / "whole"
    command = ["evolve", game, name, "--run", str(whole), "--seed", SEED, *words, "--quiet", "--workers", "1"]
    assert main([*command, "--generations", str(len(found) - 1)]) == 0
    assert found == hashes(whole) and len(found) >= 5


async def directed(home: Path, game: str) -> None:
    """Start a run, pause and resume it, kill the server, start it again, and pause the run."""
    name, settings = RUNS[game]
    async with served("--home", home) as server:
        wanted = {"config": f"{game}/{name}", "settings": settings, "seed": SEED}
        assert await post(server, "", wanted) == {"run": name}
        await until(server, name, "evolving", 1)
        await post(server, f"/{name}/stop")
        paused = await until(server, name, "stopped")
        await post(server, f"/{name}/resume")
        await until(server, name, "evolving", paused + 1)
        server.process.kill()
        await server.process.wait()
    async with served("--home", home) as server:
        seen = await until(server, name, "evolving", paused + 1)
        await until(server, name, "evolving", seen + 2)
        await post(server, f"/{name}/stop")
        await until(server, name, "stopped")
