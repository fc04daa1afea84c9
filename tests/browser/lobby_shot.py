"""The lobby's picture."""

from pathlib import Path

from playwright.async_api import Page, expect


async def shoot(page: Page, address: str, path: Path) -> None:
    await page.goto(address)
    await expect(page.get_by_role("heading", name="Who plays here")).to_be_visible()
    await expect(page.get_by_text("Looking …")).to_be_hidden()
    await page.screenshot(path=path)
