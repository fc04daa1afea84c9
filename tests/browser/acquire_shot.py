"""The picture of Acquire: a game of four, half-way."""

from pathlib import Path

from playwright.async_api import Page

from tests.browser.acquire_player import Clicks, decide, play

GAME = "play=evolved-net-seven&play=evolved-four&play=heuristic&seed=4"
DECISIONS = 14


async def shoot(page: Page, address: str, path: Path) -> None:
    await page.goto(f"{address}acquire?{GAME}")
    hands = Clicks(page)
    await play(hands, DECISIONS)
    while not await page.locator(".due[data-phase='buy'] .shop li").count() and await decide(hands):
        pass
    more = page.locator(".due .shop button[aria-label$=': more']:enabled")
    if await more.count():
        await more.first.click()
    await page.evaluate("scrollTo(0, 0)")
    await page.screenshot(path=path)
