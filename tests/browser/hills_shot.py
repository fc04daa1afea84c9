"""The picture of the hills: a test is fought, and its report stands above the table."""

from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Page, expect


def options(folder: Path) -> Sequence[str]:
    """A house with the hills that a new home has."""
    return ("--home", str(folder))


async def shoot(page: Page, address: str, path: Path) -> None:
    await page.goto(f"{address}hills")
    await page.get_by_role("button", name="Only a test").click()
    await expect(page.locator(".report h2")).to_contain_text("place", timeout=30_000)
    await page.screenshot(path=path)
