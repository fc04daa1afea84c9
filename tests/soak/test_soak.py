"""Many clients at once, beside hostile ones: the good are answered, memory stays, no task is left behind."""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from aiohttp import ClientSession

from engines.corewar.hill_store import HillStore
from tests.soak.clients import Place

ROOT = Path(__file__).parents[2]
TOKEN = "geospiza-fortis"
ENOUGH = ("connections=1000", "connections_per_address=1000")  # all of them live here
LATE = 50.0  # ms


@dataclass(slots=True)
class RunningServer:
    process: asyncio.subprocess.Process
    place: Place

    async def figures(self) -> dict[str, float]:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            ClientSession() as client,
            client.get(f"{self.place.page}metrics", headers=headers) as answer,
        ):
            text = await answer.text()
        return {name: float(value) for name, value in re.findall(r"^(\w+) ([\d.e+-]+)$", text, re.MULTILINE)}


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[RunningServer]:
    """A server behind a proxy, so that nobody is trusted who has no token."""
    (folder / "token").write_text(TOKEN)
    made = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", "hill", "create", str(folder / "nano.hill"), "--preset", "nano",
        cwd=ROOT, stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert await made.wait() == 0
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools", "serve", "--port", "0", "--page", "0", "--workers", "1", "--proxied",
        "--token-file", str(folder / "token"), "--hill", str(folder / "nano.hill"),
        "--records", str(folder / "records"), *(word for limit in ENOUGH for word in ("--limit", limit)),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    listening = re.search(r"on (\S+):(\d+)", (await process.stdout.readline()).decode())
    page = re.search(r"http\S+", (await process.stdout.readline()).decode())
    assert listening and page
    place = Place(listening[1], int(listening[2]), page[0], ";redcode-nano")
    yield RunningServer(process, place)
    assert process.returncode is None, "the server is down"
    process.terminate()
    _, errors = await asyncio.wait_for(process.communicate(), 20)
    assert b"Traceback" not in errors, errors.decode()
    assert len(errors) < 20_000, "a flood in the log"


async def crowd(place: Place, kind: str, count: int, seconds: float) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.soak.crowd", place.host, str(place.port), place.page, place.hill, kind,
        str(count), str(seconds), "1", cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await process.communicate()
    report: dict[str, Any] = json.loads(out)
    return report


async def soaked(folder: Path, clients: int, hostile: int, seconds: float) -> dict[str, Any]:
    """What the good clients report, and memory and tasks of the server over the time."""
    async with opened(folder) as server:
        before = await server.figures()
        good = asyncio.create_task(crowd(server.place, "good", clients, seconds))
        bad = asyncio.create_task(crowd(server.place, "hostile", hostile, seconds))
        memory, started = [], monotonic()
        while not good.done():
            await asyncio.wait({good}, timeout=seconds / 20)
            memory.append((await server.figures())["process_resident_memory_bytes"] / 2**20)
        assert (await bad)["troubles"] == []
        assert HillStore.open(folder / "nano.hill").removals() == []
        report = await good
        for _ in range(100):
            after = await server.figures()
            if after["galapagos_connections"] == 0 and after["galapagos_tasks"] <= before["galapagos_tasks"]:
                break
            await asyncio.sleep(0.2)
        report |= {"memory": memory, "tasks": (before["galapagos_tasks"], after["galapagos_tasks"])}
        report["cpu"] = after["process_cpu_seconds_total"] - before["process_cpu_seconds_total"]
    report |= {"connections": after["galapagos_connections"], "seconds": monotonic() - started}
    print(json.dumps(report), file=sys.stderr)
    return report


def judge(report: dict[str, Any]) -> None:
    assert report["troubles"] == {}
    assert report["connections"] == 0
    assert report["tasks"][1] <= report["tasks"][0], "tasks are left behind"
    late = {kind: each for kind, each in report["answers"].items() if each["p99"] >= LATE}
    assert not late


async def test_a_minute_of_a_day(tmp_path: Path) -> None:
    report = await soaked(tmp_path, clients=40, hostile=15, seconds=5)
    assert len(report["answers"]) >= 6
    assert report["connections"] == 0 and report["troubles"] == {}
    assert report["tasks"][1] <= report["tasks"][0]


@pytest.mark.slow
@pytest.mark.timeout(7200)
async def test_two_hundred_clients_beside_fifty_hostile_ones(tmp_path: Path) -> None:
    seconds = float(os.environ.get("GALAPAGOS_SOAK_SECONDS", "600"))
    report = await soaked(tmp_path, clients=200, hostile=50, seconds=seconds)
    judge(report)
    half = len(report["memory"]) // 2
    assert max(report["memory"][half:]) < 1.05 * max(report["memory"][:half]) + 5, "memory grows"
