"""The picture of the runs: the curves of the one that lived last, and its champion."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.evolutions import CONFIG, ROOT

GENERATIONS = 150


def options(folder: Path) -> Sequence[str]:
    """A house with a run of some tribes."""
    (folder / "tribes.txt").write_text(CONFIG)
    evolve = [sys.executable, "-m", "tools", "evolve", "corewar", str(folder / "tribes.txt"), "--quiet"]
    subprocess.run(
        [*evolve, "--run", str(folder / "runs" / "tribes"), "--seed", "1", "--generations", str(GENERATIONS)],
        check=True, cwd=ROOT,
    )  # fmt: skip
    return ("--home", str(folder))


async def shoot(page: Page, address: str, path: Path) -> None:
    await page.goto(f"{address}runs")
    await expect(page.locator(".genome")).not_to_be_empty()
    await expect(page.locator(".chart canvas").first).to_be_visible()
    await page.screenshot(path=path)
