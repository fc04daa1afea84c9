"""Many clients at once, beside hostile ones: the good are answered, memory stays, no task is left behind."""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import linear_regression
from time import monotonic
from typing import Any

import pytest
from aiohttp import ClientSession

from engines.corewar.hill_store import HillStore
from tests.servers import CHECKOUT, command, served
from tests.soak.clients import Place
from tests.soak.hostile import HOSTILE

ROOT = Path(__file__).parents[2]
TOKEN = "geospiza-fortis"
ENOUGH = ("--limit=connections=1000", "--limit=connections_per_address=1000")  # all of them live here
LATE = 50.0  # ms
MOST_GROWTH = {"memory": 1.0, "tasks": 30.0, "descriptors": 30.0, "children": 1.0}  # an hour, by regression


@dataclass(slots=True)
class RunningServer:
    process: asyncio.subprocess.Process
    place: Place

    async def held(self) -> dict[str, float]:
        """Memory in MiB, and how many of everything else."""
        figures = await self.figures()
        names = ("connections", "tasks", "sessions", "games", "games_shown", "matches", "engines")
        return {name: figures[f"galapagos_{name}"] for name in names} | {
            "memory": figures["process_resident_memory_bytes"] / 2**20,
            "descriptors": figures["process_open_fds"],
            "processor": figures["process_cpu_seconds_total"],
            "children": children_of(self.process.pid),
        }

    async def figures(self) -> dict[str, float]:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            ClientSession() as client,
            client.get(f"{self.place.page}metrics", headers=headers) as answer,
        ):
            text = await answer.text()
        return {name: float(value) for name, value in re.findall(r"^(\w+) ([\d.e+-]+)$", text, re.MULTILINE)}


def children_of(process: int) -> int:
    """How many processes it has started that are still there."""
    count = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it is gone
            count += int(stat.read_text().rpartition(")")[2].split()[1]) == process
    return count


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[RunningServer]:
    """A server behind a proxy, so that nobody is trusted who has no token."""
    (folder / "token").write_text(TOKEN)
    made = await asyncio.create_subprocess_exec(
        *command("hill", "create", folder / "nano.hill", "--preset", "nano"),
        cwd=CHECKOUT, stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert await made.wait() == 0
    words = ("--token-file", folder / "token", "--hill", folder / "nano.hill", "--records", folder / "records")  # fmt: skip
    async with served("--proxied", *words, *ENOUGH, stderr=asyncio.subprocess.PIPE) as server:
        place = Place("127.0.0.1", server.port, server.address, ";redcode-nano")
        yield RunningServer(server.process, place)
        assert server.process.returncode is None, "the server is down"
        server.process.terminate()
        _, errors = await asyncio.wait_for(server.process.communicate(), 20)
    assert b"Traceback" not in errors, errors.decode()
    assert len(errors) < 20_000, "a flood in the log"


async def crowd(place: Place, kind: str, count: int, seconds: float) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.soak.crowd", place.host, str(place.port), place.page, place.hill, TOKEN, kind,
        str(count), str(seconds), "1", cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await process.communicate()
    report: dict[str, Any] = json.loads(out)
    return report


async def run_soak(folder: Path, clients: int, hostile: int, seconds: float) -> dict[str, Any]:
    """What the good clients report, and how much the server holds over the time."""
    async with opened(folder) as server:
        before = await server.held()
        good = asyncio.create_task(crowd(server.place, "good", clients, seconds))
        bad = asyncio.create_task(crowd(server.place, "hostile", hostile, seconds))
        held, started = [], monotonic()
        while not good.done():
            await asyncio.wait({good}, timeout=min(seconds / 20, 10.0))
            held.append({"seconds": round(monotonic() - started, 1), **await server.held()})
        assert (await bad)["troubles"] == []
        assert HillStore.open(folder / "nano.hill").removals() == []
        report = await good
        for _ in range(100):
            after = await server.held()
            if after["connections"] == 0 and after["tasks"] <= before["tasks"]:
                break
            await asyncio.sleep(0.2)
    report |= {"before": before, "held": held, "after": after, "seconds": monotonic() - started}
    print(json.dumps(report), file=sys.stderr)
    return report


def judge(report: dict[str, Any]) -> None:
    """Nobody was disturbed, and nothing is left behind."""
    assert report["troubles"] == {}
    assert report["after"]["connections"] == 0
    assert report["after"]["tasks"] <= report["before"]["tasks"], "tasks are left behind"


def judge_delays(report: dict[str, Any]) -> None:
    assert not {kind: each for kind, each in report["answers"].items() if each["p99"] >= LATE}


async def test_mixed_load_for_six_seconds_leaves_nothing_behind(tmp_path: Path) -> None:
    report = await run_soak(tmp_path, clients=50, hostile=len(HOSTILE), seconds=6)
    judge(report)
    assert len(report["answers"]) >= 8  # kinds of requests; a quiet machine comes to ten and more


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_mixed_load_for_ten_minutes_delays_no_client(tmp_path: Path) -> None:
    report = await run_soak(tmp_path, clients=200, hostile=50, seconds=600)
    judge(report)
    judge_delays(report)


@pytest.mark.soak
@pytest.mark.timeout(10_000)
async def test_mixed_load_for_an_hour_does_not_grow_the_server(tmp_path: Path) -> None:
    """What the server holds stays as it was after ten minutes. GALAPAGOS_SOAK_MINUTES is another time."""
    minutes = float(os.environ.get("GALAPAGOS_SOAK_MINUTES", "60"))
    report = await run_soak(tmp_path, clients=200, hostile=50, seconds=60 * minutes)
    judge(report)
    judge_delays(report)
    later = [each for each in report["held"] if each["seconds"] >= 600] or report["held"]
    hours = [each["seconds"] / 3600 for each in later]
    growth = {name: linear_regression(hours, [each[name] for each in later]).slope for name in MOST_GROWTH}
    print(f"growth in an hour: {growth}", file=sys.stderr)
    assert not {name for name, slope in growth.items() if slope >= MOST_GROWTH[name]}, growth
